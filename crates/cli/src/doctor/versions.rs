//! Do command, hub and extension belong together?

use serde_json::Value;

use super::{Finding, Patient, Verdict};

const OWN: &str = env!("CARGO_PKG_VERSION");

pub(crate) fn check(patient: &Patient<'_>) -> Finding {
    let mut others = Vec::new();
    if let Ok(status) = &patient.status {
        if status["version"] != OWN {
            others.push(("the hub", status["version"].clone(), "end it and run `outrigger up`"));
        }
        for browser in status["browsers"].as_array().into_iter().flatten() {
            let version = &browser["extensionVersion"];
            if *version != OWN && *version != "" {
                let fix =
                    "run `outrigger extension DIR` again and reload it in chrome://extensions";
                others.push(("the extension", version.clone(), fix));
            }
        }
    }
    let verdict = match others.first() {
        None => Verdict::Fine(format!("all {OWN}")),
        Some((what, version, fix)) => Verdict::Broken {
            what: format!(
                "{what} is {}, this command {OWN}",
                Value::as_str(version).unwrap_or("?")
            ),
            fix: (*fix).to_owned(),
        },
    };
    Finding { name: "versions", verdict }
}
