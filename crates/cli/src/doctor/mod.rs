//! `outrigger doctor`: one check a file. A check that fails names its fix.

mod browser;
mod database;
mod extension;
mod home;
mod host;
mod hub;
mod nats;
mod port;
mod store;
mod tokens;
mod versions;

use std::process::ExitCode;

use outrigger_hub::Settings;
use outrigger_hub::reach::ConnectError;
use serde_json::{Value, json};

use crate::output::Output;

/// What a check found.
pub(crate) struct Finding {
    name: &'static str,
    verdict: Verdict,
}

pub(crate) enum Verdict {
    /// As it should be.
    Fine(String),
    /// Could be better, but works.
    Note(String),
    /// Has to be mended, and how.
    Broken { what: String, fix: String },
}

/// What several checks look at.
pub(crate) struct Patient<'a> {
    settings: &'a Settings,
    /// What a running hub says of itself, or why there is none.
    status: Result<Value, ConnectError>,
}

pub(crate) async fn run(settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
    let status = crate::commands::status(settings).await;
    let patient = Patient { settings, status };
    let mut findings = vec![
        browser::check(&patient),
        home::check(&patient),
        tokens::check(&patient),
        store::check(&patient).await,
        port::check(&patient).await,
        hub::check(&patient),
        extension::check(&patient),
        host::check(&patient),
        versions::check(&patient),
    ];
    findings.extend(database::check(&patient).await);
    findings.extend(nats::check(&patient).await);
    let broken = findings.iter().any(|f| matches!(f.verdict, Verdict::Broken { .. }));
    let value: Vec<Value> = findings.iter().map(Finding::to_json).collect();
    output.result(&json!({"checks": value, "healthy": !broken}), || {
        findings.iter().flat_map(Finding::to_lines).collect()
    });
    Ok(if broken { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

impl Verdict {
    /// An error says what is wrong first, then what to do about it.
    fn of_error(error: &str) -> Self {
        let (what, fix) = error.split_once(". ").unwrap_or((error, "see `outrigger log verify`"));
        Verdict::Broken { what: what.to_owned(), fix: fix.to_owned() }
    }
}

impl Finding {
    fn to_json(&self) -> Value {
        match &self.verdict {
            Verdict::Fine(what) => json!({"check": self.name, "verdict": "fine", "what": what}),
            Verdict::Note(what) => json!({"check": self.name, "verdict": "note", "what": what}),
            Verdict::Broken { what, fix } => {
                json!({"check": self.name, "verdict": "broken", "what": what, "fix": fix})
            }
        }
    }

    fn to_lines(&self) -> Vec<String> {
        match &self.verdict {
            Verdict::Fine(what) => vec![format!("✓ {:<10} {what}", self.name)],
            Verdict::Note(what) => vec![format!("· {:<10} {what}", self.name)],
            Verdict::Broken { what, fix } => {
                vec![format!("✗ {:<10} {what}", self.name), format!("  {:<10} → {fix}", "")]
            }
        }
    }
}
