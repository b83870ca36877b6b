//! `outrigger call TOOL JSON`: any tool from the shell.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use base64::Engine as _;
use outrigger_hub::Settings;
use outrigger_hub::agent_client::AgentClient;
use outrigger_protocol::agent::{CallReply, Content, Hello};
use serde_json::Value;

use crate::arguments::Call;
use crate::output::Output;

pub(crate) async fn run(
    settings: &Settings,
    call: &Call,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let arguments: Value = serde_json::from_str(&call.arguments)
        .context("the arguments are not JSON; write them as '{\"name\": \"value\"}'")?;
    call_tool(settings, &call.tool, arguments, output).await
}

/// The session of everything typed into a shell.
pub(crate) fn shell_hello() -> Hello {
    Hello {
        client: "shell".to_owned(),
        session: "shell".to_owned(),
        ends_with_connection: false,
        launch: None,
    }
}

pub(crate) async fn call_tool(
    settings: &Settings,
    tool: &str,
    arguments: Value,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let client = AgentClient::connect(settings, shell_hello()).await?;
    let reply = client.call_tool(tool.to_owned(), arguments).await;
    show(&reply, output)?;
    Ok(if reply.error.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn show(reply: &CallReply, output: Output) -> anyhow::Result<()> {
    if output.json {
        output.result(&serde_json::to_value(reply)?, Vec::new);
        return Ok(());
    }
    for piece in &reply.content {
        match piece {
            Content::Text { text } => output.say(text),
            Content::Image { data, mime_type } => {
                let path = save(data, mime_type)?;
                output.say(&format!("Saved as {}", path.display()));
            }
        }
    }
    Ok(())
}

fn save(data: &str, mime_type: &str) -> anyhow::Result<PathBuf> {
    let ending = if mime_type == "image/png" { "png" } else { "jpg" };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let path = PathBuf::from(format!("outrigger-{now}.{ending}"));
    let bytes = base64::engine::general_purpose::STANDARD.decode(data)?;
    std::fs::write(&path, bytes).with_context(|| format!("{} can't be written", path.display()))?;
    Ok(path)
}
