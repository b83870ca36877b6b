//! Does the hub answer?

use outrigger_hub::reach::ConnectError;

use super::{Finding, Patient, Verdict};

pub(crate) fn check(patient: &Patient<'_>) -> Finding {
    let verdict = match &patient.status {
        Ok(status) => Verdict::Fine(format!("answers (process {})", status["pid"])),
        Err(ConnectError::NotRunning { .. }) => Verdict::Note(
            "not running; `outrigger up` starts it, and so does any MCP client".to_owned(),
        ),
        Err(error) => Verdict::Broken {
            what: error.to_string(),
            fix: "use the same OUTRIGGER_HOME and OUTRIGGER_PORT as the hub".to_owned(),
        },
    };
    Finding { name: "hub", verdict }
}
