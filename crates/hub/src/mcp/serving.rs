//! How MCP reaches its clients: over HTTP, and over standard input and output.

use std::sync::{Arc, OnceLock};

use outrigger_dispatch::ToolProfile;
use rmcp::service::{ServerInitializeError, ServiceExt as _};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::identity::{HttpSession, Identity};
use super::tools::fixed_tools;
use super::{Backend, MOST_BODY_BYTES, McpServer};
use crate::extension_files::own_origin;
use crate::server::Shared;

/// The service behind `/mcp`. The gate before it has checked host, origin and
/// token; rmcp is told the same lists, so that neither depends on the other.
pub(crate) fn http_service(
    shared: Arc<Shared>,
    profile: &ToolProfile,
    sessions: Arc<LocalSessionManager>,
) -> StreamableHttpService<McpServer<Shared>, LocalSessionManager> {
    let port = shared.port;
    let fixed = Arc::new(fixed_tools(shared.road.catalogue(), profile));
    let names = ["127.0.0.1", "localhost", "[::1]"];
    let mut origins: Vec<String> =
        names.iter().map(|name| format!("http://{name}:{port}")).collect();
    origins.push(format!("{}:*", own_origin()));
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(names.iter().map(|name| format!("{name}:{port}")))
        .with_allowed_origins(origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(MOST_BODY_BYTES)
        .with_cancellation_token(shared.shutdown.child_token());
    let serve = move || {
        let http = HttpSession { shared: shared.clone(), name: OnceLock::new() };
        let identity = Identity::Http(Arc::new(http));
        let (backend, fixed, subscriptions) = (shared.clone(), fixed.clone(), Arc::default());
        Ok(McpServer { backend, fixed, identity, subscriptions })
    };
    StreamableHttpService::new(serve, sessions, config)
}

/// Serves one MCP client over standard input and output until it goes.
pub async fn serve_stdio<B: Backend>(server: McpServer<B>) -> Result<(), StdioError> {
    let running = server.serve(rmcp::transport::io::stdio_pipes()).await;
    match running {
        Ok(running) => match running.waiting().await {
            Ok(_) => Ok(()),
            Err(error) => Err(StdioError(error.to_string())),
        },
        // A client that leaves before it has said anything is no failure.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(StdioError(error.to_string())),
    }
}

/// The client did not speak MCP.
#[derive(Debug, thiserror::Error)]
#[error("the MCP client on standard input could not be served: {0}")]
pub struct StdioError(String);
