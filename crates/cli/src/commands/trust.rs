//! `outrigger trust`: sites that the user trusts, and those that no agent goes to.

use std::process::ExitCode;

use http::Method;
use outrigger_hub::Settings;
use serde_json::{Value, json};

use super::hub_api::{ask, columns};
use crate::arguments::{Site, Trust, TrustOrder};
use crate::output::Output;

const PATH: &str = "/api/v1/domain-trust";

pub(crate) async fn run(
    settings: &Settings,
    trust: Trust,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let (answer, lines) = match trust.order {
        None | Some(TrustOrder::List) => {
            let answer = ask(settings, Method::GET, PATH, None, output).await?;
            let lines = listed(&answer);
            (answer, lines)
        }
        Some(TrustOrder::Add(site)) => put(settings, &site, "trusted", output).await?,
        Some(TrustOrder::Block(site)) => put(settings, &site, "blocked", output).await?,
        Some(TrustOrder::Remove(Site { domain })) => {
            let body = json!({"domain": domain});
            let answer = ask(settings, Method::DELETE, PATH, Some(&body), output).await?;
            let domain = text(&answer["domain"]);
            let line = if answer["removed"] == 0 {
                format!("{domain} was on no list. What config.toml lists is changed there.")
            } else {
                format!("{domain} is on no list any more.")
            };
            (answer, vec![line])
        }
    };
    output.result(&answer, || lines);
    Ok(ExitCode::SUCCESS)
}

async fn put(
    settings: &Settings,
    Site { domain }: &Site,
    trust: &str,
    output: Output,
) -> anyhow::Result<(Value, Vec<String>)> {
    let body = json!({"domain": domain, "trust": trust});
    let answer = ask(settings, Method::PUT, PATH, Some(&body), output).await?;
    let lines = vec![format!("{} and all below it is {trust} now.", text(&answer["domain"]))];
    Ok((answer, lines))
}

fn listed(answer: &Value) -> Vec<String> {
    let items = answer["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    if items.is_empty() {
        return vec![
            "No site is on a list: none is blocked, and none is known that another could pass for."
                .to_owned(),
        ];
    }
    let source = |item: &Value| if item["source"] == "config" { "config.toml" } else { "" };
    let rows: Vec<[&str; 3]> = items
        .iter()
        .map(|item| [text(&item["trust"]), text(&item["domain"]), source(item)])
        .collect();
    columns(&rows)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
