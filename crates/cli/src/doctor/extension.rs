//! Is an extension linked?

use serde_json::Value;

use super::{Finding, Patient, Verdict};

pub(crate) fn check(patient: &Patient<'_>) -> Finding {
    let verdict = match &patient.status {
        Err(_) => Verdict::Note("can't be told without a hub".to_owned()),
        Ok(status) => {
            let linked: Vec<String> = status["browsers"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|browser| format!("{} {}", word(&browser["name"]), word(&browser["version"])))
                .collect();
            if linked.is_empty() {
                Verdict::Broken {
                    what: "no extension is linked".to_owned(),
                    fix: "outrigger extension DIR, load it in your browser, `outrigger setup`; or \
                          `outrigger up --launch`"
                        .to_owned(),
                }
            } else {
                Verdict::Fine(format!("linked: {}", linked.join(", ")))
            }
        }
    };
    Finding { name: "extension", verdict }
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
