//! Can a browser link by itself, without a token?

use super::{Finding, Patient, Verdict};
use crate::host_manifest::{Host, Registered, browsers};

pub(crate) fn check(patient: &Patient<'_>) -> Finding {
    let verdict = look(patient).unwrap_or_else(|error| Verdict::Note(error.to_string()));
    Finding { name: "host", verdict }
}

fn look(patient: &Patient<'_>) -> anyhow::Result<Verdict> {
    let host = Host::new(patient.settings)?;
    let mut served = Vec::new();
    for browser in browsers()? {
        match host.registered(&browser) {
            Registered::Not => {}
            Registered::Ours(program) => {
                served.push(format!("{} starts {}", browser.name, program.display()));
            }
            Registered::Others(script) => {
                let name = browser.name;
                served.push(format!("{name} links with another home ({})", script.display()));
            }
            Registered::Missing(path) => {
                return Ok(Verdict::Broken {
                    what: format!(
                        "{} would start {}, which is not there",
                        browser.name,
                        path.display()
                    ),
                    fix: "outrigger setup (or outrigger setup --undo)".to_owned(),
                });
            }
        }
    }
    Ok(if served.is_empty() {
        Verdict::Note(
            "no browser can link without a token; `outrigger setup` lets yours do it".to_owned(),
        )
    } else {
        Verdict::Fine(served.join(", "))
    })
}
