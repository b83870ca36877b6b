//! Can the folder be used, and by its owner alone?

use super::{Finding, Patient, Verdict};

pub(crate) fn check(patient: &Patient<'_>) -> Finding {
    let home = &patient.settings.home;
    let path = home.path().display();
    let verdict = if !home.path().exists() {
        Verdict::Note(format!("{path} is made by the first `outrigger up`"))
    } else if let Err(error) = tempfile::tempfile_in(home.path()) {
        Verdict::Broken {
            what: format!("{path} can't be written: {error}"),
            fix: "make it yours to write, or set OUTRIGGER_HOME to a folder that is".to_owned(),
        }
    } else {
        match mode(home.path()) {
            // What is secret in it has a mode of its own.
            Some(mode) if mode & 0o077 != 0 => Verdict::Note(format!(
                "{path} can be looked into by others (mode {mode:o}); chmod 700 shuts it"
            )),
            _ => Verdict::Fine(format!("{path} is yours alone")),
        }
    };
    Finding { name: "home", verdict }
}

#[cfg(unix)]
pub(super) fn mode(path: &std::path::Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    Some(std::fs::metadata(path).ok()?.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
pub(super) fn mode(_: &std::path::Path) -> Option<u32> {
    None
}
