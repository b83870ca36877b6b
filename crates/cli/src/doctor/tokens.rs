//! Are the tokens there, and can only their owner read them?

use outrigger_hub::home::TokenKind;

use super::home::mode;
use super::{Finding, Patient, Verdict};

pub(crate) fn check(patient: &Patient<'_>) -> Finding {
    let home = &patient.settings.home;
    let kinds = [TokenKind::Pairing, TokenKind::Agent];
    let broken = kinds.iter().find_map(|kind| problem(patient, *kind));
    let verdict = broken.unwrap_or_else(|| {
        if kinds.iter().any(|kind| home.token_path(*kind).exists()) {
            Verdict::Fine(format!("only you can read those in {}", home.path().display()))
        } else {
            Verdict::Note("none yet; the first `outrigger up` makes them".to_owned())
        }
    });
    Finding { name: "tokens", verdict }
}

fn problem(patient: &Patient<'_>, kind: TokenKind) -> Option<Verdict> {
    let path = patient.settings.home.token_path(kind);
    if let Err(error) = patient.settings.home.existing_token(kind) {
        let fix = format!("rm -r {} (and pair again)", path.display());
        return Some(Verdict::Broken { what: error.to_string(), fix });
    }
    let mode = mode(&path)?;
    (mode & 0o077 != 0).then(|| Verdict::Broken {
        what: format!("{} can be read by others (mode {mode:o})", path.display()),
        fix: format!("chmod 600 {}", path.display()),
    })
}
