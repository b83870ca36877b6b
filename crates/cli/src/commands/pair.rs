//! `outrigger pair`: the pairing token, and who else may use one.

use std::process::ExitCode;

use anyhow::bail;
use outrigger_hub::Settings;
use outrigger_hub::home::TokenKind;
use serde_json::json;

use crate::arguments::Pair;
use crate::output::Output;

pub(crate) fn run(settings: &Settings, pair: &Pair, output: Output) -> anyhow::Result<ExitCode> {
    if let Some(origin) = &pair.origin {
        if !is_extension_origin(origin) {
            bail!(
                "{origin:?} is not an extension's origin; it looks like chrome-extension://<32 letters a to p>"
            );
        }
        settings.home.add_paired_origin(origin)?;
        output.say(&format!("{origin} may pair from now on, with the token."));
    }
    let token = if pair.rotate {
        settings.home.rotate_token(TokenKind::Pairing)?
    } else {
        settings.home.token(TokenKind::Pairing)?.0
    };
    output.result(&json!({"pairingToken": token.reveal()}), || {
        let mut lines = vec![format!("Pairing token: {}", token.reveal())];
        if pair.rotate {
            let words = "The old one is refused, and browsers that came in with it, or logged in \
                         with it, are unlinked within a second. Pair them again.";
            lines.push(words.to_owned());
        }
        lines.push("Paste it into the options page of the Outrigger extension.".to_owned());
        lines.push("`outrigger setup` links the browsers of this machine without it.".to_owned());
        lines
    });
    Ok(ExitCode::SUCCESS)
}

fn is_extension_origin(origin: &str) -> bool {
    let id = origin.strip_prefix("chrome-extension://").unwrap_or_default();
    id.len() == 32 && id.bytes().all(|letter| (b'a'..=b'p').contains(&letter))
}
