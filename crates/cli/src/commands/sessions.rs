//! `outrigger sessions`: linked browsers and the agents at work in them, and
//! orders to pause, resume or stop one.

use std::process::ExitCode;

use outrigger_hub::Settings;
use outrigger_hub::agent_client::AgentClient;
use outrigger_hub::reach::ConnectError;
use outrigger_protocol::agent::SessionOrder as Order;
use serde_json::Value;

use super::call::shell_hello;
use crate::arguments::{OneSession, SessionOrder, Sessions};
use crate::output::Output;

pub(crate) async fn run(
    settings: &Settings,
    sessions: Sessions,
    output: Output,
) -> anyhow::Result<ExitCode> {
    match sessions.order {
        None => list(settings, output).await,
        Some(SessionOrder::Pause(one)) => order(settings, one, Order::Pause, output).await,
        Some(SessionOrder::Resume(one)) => order(settings, one, Order::Resume, output).await,
        Some(SessionOrder::Stop(one)) => order(settings, one, Order::Stop, output).await,
    }
}

async fn order(
    settings: &Settings,
    OneSession { session }: OneSession,
    order: Order,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let client = AgentClient::connect(settings, shell_hello()).await?;
    let silent = ConnectError::Silent { port: settings.port };
    let answer = client.order(session, order).await.ok_or(silent)?;
    if let Some(error) = answer["error"].as_str() {
        anyhow::bail!("{}", error.trim_end_matches('.'));
    }
    output.result(&answer, || {
        let word = text(&answer["standing"]);
        vec![format!("{} is {word} now.", text(&answer["session"]))]
    });
    Ok(ExitCode::SUCCESS)
}

async fn list(settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
    let status = status(settings).await?;
    output.result(&status, || lines(&status));
    Ok(ExitCode::SUCCESS)
}

/// What a running hub says of itself.
pub(crate) async fn status(settings: &Settings) -> Result<Value, ConnectError> {
    let client = AgentClient::connect(settings, shell_hello()).await?;
    client.status().await.ok_or(ConnectError::Silent { port: settings.port })
}

fn lines(status: &Value) -> Vec<String> {
    let mut lines = vec![format!("Hub {} on port {}", text(&status["version"]), status["port"])];
    let browsers = status["browsers"].as_array().cloned().unwrap_or_default();
    if browsers.is_empty() {
        lines.push("No browser is linked.".to_owned());
    }
    for browser in &browsers {
        let kind = if browser["throwAway"] == true { "throw-away" } else { "personal" };
        let name = format!("{} {}", text(&browser["name"]), text(&browser["version"]));
        let name = if name.trim().is_empty() { "unnamed browser" } else { name.trim() };
        lines.push(format!(
            "  {:<8} {name}, {kind}, {}",
            text(&browser["id"]),
            counted(browser["tabs"].as_u64().unwrap_or_default(), "tab"),
        ));
    }
    let sessions = status["sessions"].as_array().cloned().unwrap_or_default();
    let working: Vec<&Value> = sessions.iter().filter(|session| session["calls"] != 0).collect();
    if working.is_empty() {
        lines.push("No agent is at work.".to_owned());
    }
    if status["everythingStopped"] == true {
        lines.push("The user stopped everything. It goes on from Outrigger's popup.".to_owned());
    }
    for refused in status["refusedExtensions"].as_array().into_iter().flatten() {
        let times = counted(refused["times"].as_u64().unwrap_or_default(), "time");
        lines.push(format!(
            "An extension that isn't paired was refused {times}: {}. If it is yours, \
             `outrigger pair --origin` lets it in.",
            text(&refused["origin"]),
        ));
    }
    for warning in status["warnings"].as_array().into_iter().flatten() {
        lines.push(text(warning).to_owned());
    }
    for session in working {
        let tabs = session["tabs"].as_array().map_or(0, Vec::len) as u64;
        lines.push(format!(
            "  {:<14} {:<16} {}, {}, {}",
            text(&session["session"]),
            text(&session["client"]),
            text(&session["standing"]),
            counted(session["calls"].as_u64().unwrap_or_default(), "call"),
            counted(tabs, "tab"),
        ));
    }
    lines
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn counted(number: u64, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {what}{ending}")
}
