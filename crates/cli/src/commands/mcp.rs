//! `outrigger mcp`: MCP over standard input and output. The catalogue is known
//! before the hub is, so a client is answered at once.

use std::process::ExitCode;

use outrigger_hub::agent_client::AgentClient;
use outrigger_hub::home::Token;
use outrigger_hub::mcp::{McpServer, serve_stdio};
use outrigger_hub::settings::Window;
use outrigger_hub::{Settings, catalogue};
use outrigger_protocol::agent::Hello;

use crate::arguments::Mcp;

pub(crate) async fn run(settings: &Settings, mcp: &Mcp) -> anyhow::Result<ExitCode> {
    let token = Token::generate()?;
    let session = format!("mcp-{}", token.reveal().get(..8).unwrap_or_default());
    let hello = Hello {
        client: "mcp".to_owned(),
        session: session.clone(),
        ends_with_connection: true,
        launch: mcp.launching.launch(),
        own_window: settings.window == Window::Own,
    };
    let backend = AgentClient::connect_or_start(settings, hello);
    let server = McpServer::for_process(backend, &catalogue::listing(), &settings.tools, session);
    serve_stdio(server).await?;
    Ok(ExitCode::SUCCESS)
}
