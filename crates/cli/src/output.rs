//! What people read: sentences on a terminal, JSON on request.

#![allow(clippy::print_stdout, clippy::print_stderr)]

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
            println!("{value:#}");
        } else {
            for line in lines() {
                println!("{line}");
            }
        }
    }

    /// A line for people, beside the result.
    pub(crate) fn say(self, line: &str) {
        if self.json {
            eprintln!("{line}");
        } else {
            println!("{line}");
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
            println!("{:#}", json!({"error": words}));
        } else {
            eprintln!("outrigger: {}.", words.trim_end_matches('.'));
        }
        ExitCode::FAILURE
    }
}
