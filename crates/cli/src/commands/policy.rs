//! `outrigger policy`: what agents may do in the user's browser without asking.

use std::process::ExitCode;

use http::Method;
use outrigger_hub::Settings;
use serde_json::{Value, json};

use super::hub_api::{ask, columns};
use crate::arguments::{About, Policy, PolicyOrder};
use crate::output::Output;

const PATH: &str = "/api/v1/chat/tool-permissions";

pub(crate) async fn run(
    settings: &Settings,
    policy: Policy,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let (answer, lines) = match policy.order {
        None | Some(PolicyOrder::List) => {
            let answer = ask(settings, Method::GET, PATH, None, output).await?;
            let lines = listed(&answer);
            (answer, lines)
        }
        Some(PolicyOrder::Allow(about)) => put(settings, &about, "allow_always", output).await?,
        Some(PolicyOrder::Deny(about)) => put(settings, &about, "deny_always", output).await?,
        Some(PolicyOrder::Remove(about)) => {
            let body = json!({
                "toolPattern": about.tool_pattern, "originPattern": about.origin_pattern,
            });
            let answer = ask(settings, Method::DELETE, PATH, Some(&body), output).await?;
            let line = if answer["removed"] == 0 {
                "Nothing was decided about that. `outrigger policy list` shows what is."
            } else {
                "Taken back. Where nothing else is decided, you are asked again."
            };
            (answer, vec![line.to_owned()])
        }
    };
    output.result(&answer, || lines);
    Ok(ExitCode::SUCCESS)
}

async fn put(
    settings: &Settings,
    about: &About,
    decision: &str,
    output: Output,
) -> anyhow::Result<(Value, Vec<String>)> {
    let body = json!({
        "toolPattern": about.tool_pattern, "originPattern": about.origin_pattern,
        "decision": decision,
    });
    let answer = ask(settings, Method::PUT, PATH, Some(&body), output).await?;
    let item = &answer["items"][0];
    let (tools, origins) = (text(&item["toolPattern"]), text(&item["originPattern"]));
    let lines = vec![format!("From now on: {} {tools} on {origins}.", word(item))];
    Ok((answer, lines))
}

fn listed(answer: &Value) -> Vec<String> {
    let items = answer["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    if items.is_empty() {
        return vec![
            "Nothing is decided for good: you are asked before an agent does anything in your \
             browser."
                .to_owned(),
        ];
    }
    let dates: Vec<String> = items.iter().map(|item| date(&item["updatedAt"])).collect();
    let rows: Vec<[&str; 4]> = items
        .iter()
        .zip(&dates)
        .map(|(item, date)| {
            [word(item), text(&item["toolPattern"]), text(&item["originPattern"]), date]
        })
        .collect();
    columns(&rows)
}

fn word(item: &Value) -> &'static str {
    if item["decision"] == "allow_always" { "allow" } else { "deny" }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The day is enough.
fn date(value: &Value) -> String {
    text(value).chars().take(10).collect()
}
