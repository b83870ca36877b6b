//! `outrigger call TOOL JSON`: any tool from the shell.

use std::convert::Infallible;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use base64::Engine as _;
use outrigger_dispatch::Notices;
use outrigger_hub::Settings;
use outrigger_hub::agent_client::AgentClient;
use outrigger_protocol::agent::{CallReply, Content, Hello};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::arguments::Call;
use crate::output::{Output, write_line};
use crate::page_words::Terminal;

pub(crate) async fn run(
    settings: &Settings,
    call: &Call,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let arguments: Value = serde_json::from_str(&call.arguments)
        .context("the arguments are not JSON; write them as '{\"name\": \"value\"}'")?;
    call_tool(settings, &call.tool, arguments, None, output).await
}

/// The session of everything typed into a shell.
pub(crate) fn shell_hello() -> Hello {
    Hello {
        client: "shell".to_owned(),
        session: "shell".to_owned(),
        ends_with_connection: false,
        launch: None,
        own_window: false,
    }
}

pub(crate) async fn call_tool(
    settings: &Settings,
    tool: &str,
    arguments: Value,
    file: Option<PathBuf>,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let client = AgentClient::connect(settings, shell_hello()).await?;
    let (notices, told) = Notices::channel();
    let reply = tokio::select! {
        reply = client.call_tool(tool.to_owned(), arguments, notices) => reply,
        never = show_waits(told) => match never {},
    };
    show(&reply, file.as_deref(), output)?;
    Ok(if reply.error.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Tells a person at a terminal what the call waits for, once.
async fn show_waits(mut told: mpsc::Receiver<String>) -> Infallible {
    let mut last = String::new();
    while let Some(words) = told.recv().await {
        if words != last && std::io::stderr().is_terminal() {
            write_line(std::io::stderr(), &words);
            last = words;
        }
    }
    std::future::pending().await
}

fn show(reply: &CallReply, file: Option<&Path>, output: Output) -> anyhow::Result<()> {
    if output.json {
        output.result(&serde_json::to_value(reply)?, Vec::new);
        return Ok(());
    }
    let terminal = Terminal::here();
    for piece in &reply.content {
        match piece {
            Content::Text { text } => match terminal {
                Some(terminal) => output.say(&terminal.lay_out(text)),
                None => output.say(text),
            },
            Content::Image { data, mime_type } => {
                let ending = if mime_type == "image/png" { "png" } else { "jpg" };
                let path = file.map_or_else(|| unused("screenshot", ending), Path::to_owned);
                save(data, &path, output)?;
            }
            Content::File { name, data, .. } => {
                let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "bin"));
                let path = file.map_or_else(|| unused(stem, ending), Path::to_owned);
                save(data, &path, output)?;
            }
        }
    }
    Ok(())
}

/// A name in this folder that no file has yet: `screenshot.jpg`, `screenshot-2.jpg`.
fn unused(stem: &str, ending: &str) -> PathBuf {
    let first = PathBuf::from(format!("{stem}.{ending}"));
    let others = (2u32..).map(|n| PathBuf::from(format!("{stem}-{n}.{ending}")));
    std::iter::once(first).chain(others).find(|path| !path.exists()).unwrap_or_default()
}

fn save(data: &str, path: &Path, output: Output) -> anyhow::Result<()> {
    let bytes = base64::engine::general_purpose::STANDARD.decode(data)?;
    std::fs::write(path, bytes).with_context(|| format!("{} can't be written", path.display()))?;
    let shown = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    output.say(&format!("Saved as {}", shown.display()));
    Ok(())
}
