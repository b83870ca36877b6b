//! What people read: sentences on a terminal, JSON on request.

use std::process::ExitCode;

use serde_json::{Value, json};

/// How to write.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    /// As JSON.
    pub(crate) json: bool,
}

impl Output {
    /// A result: a JSON value, or the lines that say the same.
    pub(crate) fn result(self, value: &Value, lines: impl FnOnce() -> Vec<String>) {
        if self.json {
            write_line(std::io::stdout(), &format!("{value:#}"));
        } else {
            for line in lines() {
                write_line(std::io::stdout(), &line);
            }
        }
    }

    /// A line for people, beside the result.
    pub(crate) fn say(self, line: &str) {
        if self.json {
            write_line(std::io::stderr(), line);
        } else {
            write_line(std::io::stdout(), line);
        }
    }

    /// What went wrong, with its reasons.
    pub(crate) fn fail(self, error: &anyhow::Error) -> ExitCode {
        let mut words = error.to_string();
        for cause in error.chain().skip(1) {
            let cause = cause.to_string();
            if !words.contains(&cause) {
                words = format!("{words}: {cause}");
            }
        }
        if self.json {
            write_line(std::io::stdout(), &format!("{:#}", json!({"error": words})));
        } else {
            let words = words.trim_end_matches('.');
            write_line(std::io::stderr(), &format!("outrigger: {words}."));
        }
        ExitCode::FAILURE
    }
}

/// A reader that has gone (`| head`) is no reason to fail.
pub(crate) fn write_line(mut to: impl std::io::Write, line: &str) {
    let _ = writeln!(to, "{line}").and_then(|()| to.flush());
}
