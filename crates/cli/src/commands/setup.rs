//! `outrigger setup`: registers the MCP server with a client.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail};
use outrigger_hub::Settings;
use outrigger_hub::home::TokenKind;
use serde_json::json;

use crate::arguments::{Client, Setup};
use crate::output::Output;

pub(crate) fn run(settings: &Settings, setup: &Setup, output: Output) -> anyhow::Result<ExitCode> {
    match setup.client {
        Some(Client::ClaudeCode) if !setup.print => claude_code(setup, output),
        None if !setup.print => {
            bail!("name a client (`outrigger setup claude-code`), or use --print for any other")
        }
        _ => print(settings, setup.launch, output),
    }
}

/// The command that a client runs.
fn program() -> PathBuf {
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from("outrigger"))
}

/// Its arguments.
fn arguments(launch: bool) -> Vec<&'static str> {
    if launch { vec!["mcp", "--launch"] } else { vec!["mcp"] }
}

/// The registration as one line for a shell.
pub(crate) fn one_line(launch: bool) -> String {
    let arguments = arguments(launch).join(" ");
    format!("claude mcp add outrigger -- {} {arguments}", program().display())
}

fn claude_code(setup: &Setup, output: Output) -> anyhow::Result<ExitCode> {
    let mut command = Command::new("claude");
    if setup.undo {
        command.args(["mcp", "remove", "--scope", "user", "outrigger"]);
    } else {
        command
            .args(["mcp", "add", "--scope", "user", "outrigger", "--"])
            .arg(program())
            .arg("mcp");
    }
    if which::which("claude").is_err() {
        bail!(
            "Claude Code's command `claude` is not on the PATH. Where it is, run: {}",
            one_line(setup.launch)
        );
    }
    let status = command.status().context("`claude` could not be run")?;
    if !status.success() {
        bail!("`claude mcp` did not accept it; its own words are above");
    }
    let done = if setup.undo { "no longer registered" } else { "registered" };
    output.say(&format!("Outrigger is {done} with Claude Code."));
    Ok(ExitCode::SUCCESS)
}

fn print(settings: &Settings, launch: bool, output: Output) -> anyhow::Result<ExitCode> {
    let (token, _) = settings.home.token(TokenKind::Agent)?;
    let stdio =
        json!({"mcpServers": {"outrigger": {"command": program(), "args": arguments(launch)}}});
    let http = json!({"mcpServers": {"outrigger": {
        "type": "http",
        "url": format!("http://127.0.0.1:{}/mcp", settings.port),
        "headers": {"Authorization": format!("Bearer {}", token.reveal())},
    }}});
    output.result(&json!({"stdio": stdio, "http": http}), || {
        vec![
            "For most MCP clients (it starts the hub by itself):".to_owned(),
            format!("{stdio:#}"),
            String::new(),
            "Or over HTTP, while `outrigger up` runs. The token is a secret of yours:".to_owned(),
            format!("{http:#}"),
        ]
    });
    Ok(ExitCode::SUCCESS)
}
