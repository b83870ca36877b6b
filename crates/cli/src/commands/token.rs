//! `outrigger token`: the tokens of programs that talk to the hub.

use std::process::ExitCode;
use std::time::{Duration, UNIX_EPOCH};

use http::Method;
use outrigger_hub::Settings;
use serde_json::{Value, json};

use super::hub_api::ask;
use crate::arguments::{NewToken, Token, TokenOrder};
use crate::output::Output;

const TOKENS: &str = "/api/v1/tokens";

pub(crate) async fn run(
    settings: &Settings,
    token: Token,
    output: Output,
) -> anyhow::Result<ExitCode> {
    match token.order {
        TokenOrder::New(new) => make(settings, &new, output).await?,
        TokenOrder::List => list(settings, output).await?,
        TokenOrder::Revoke { id } => revoke(settings, id, output).await?,
    }
    Ok(ExitCode::SUCCESS)
}

async fn make(settings: &Settings, new: &NewToken, output: Output) -> anyhow::Result<()> {
    let scope = new.scope.as_str();
    let wanted = json!({"name": new.name, "scope": scope, "expires": new.expires});
    let made = ask(settings, Method::POST, TOKENS, Some(&wanted), output).await?;
    output.result(&made, || {
        vec![
            format!("Token {}: {}", made["id"], text(&made["token"])),
            format!("Scope {scope}, {}.", until(&made)),
            "It is shown this once. Send it as `Authorization: Bearer …`.".to_owned(),
        ]
    });
    Ok(())
}

async fn list(settings: &Settings, output: Output) -> anyhow::Result<()> {
    let listed = ask(settings, Method::GET, TOKENS, None, output).await?;
    output.result(&listed["tokens"], || {
        let tokens = listed["tokens"].as_array().cloned().unwrap_or_default();
        if tokens.is_empty() {
            return vec!["There are no tokens. `outrigger token new` makes one.".to_owned()];
        }
        let line = |token: &Value| {
            let used = match token["lastUsedAt"].as_i64() {
                Some(at) => format!("last used {}", day(at)),
                None => "never used".to_owned(),
            };
            let (id, scope, name) = (&token["id"], text(&token["scope"]), text(&token["name"]));
            format!("  {id:<4} {scope:<6} {name:<20} {}, {used}", until(token))
        };
        tokens.iter().map(line).collect()
    });
    Ok(())
}

async fn revoke(settings: &Settings, id: i64, output: Output) -> anyhow::Result<()> {
    let revoked = ask(settings, Method::DELETE, &format!("{TOKENS}/{id}"), None, output).await?;
    output.result(&revoked, || {
        vec![format!("Token {id} is good for nothing any more; what it had open is closed.")]
    });
    Ok(())
}

fn until(token: &Value) -> String {
    match (token["revokedAt"].as_i64(), token["expiresAt"].as_i64()) {
        (Some(at), _) => format!("revoked {}", day(at)),
        (None, Some(at)) => format!("good until {}", day(at)),
        (None, None) => "good until it is revoked".to_owned(),
    }
}

/// `2026-05-01 12:30`, in UTC.
fn day(milliseconds: i64) -> String {
    let since = Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0));
    let whole = humantime::format_rfc3339_seconds(UNIX_EPOCH + since).to_string();
    format!("{} UTC", whole.get(..16).unwrap_or(&whole).replace('T', " "))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
