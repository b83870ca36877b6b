//! A plain MCP client over a child's standard input and output: the tour takes
//! the same way in as any agent.

use std::path::Path;

use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ContentBlock, Implementation,
};
use rmcp::service::{RoleClient, RunningService, ServiceExt as _};
use rmcp::transport::TokioChildProcess;
use serde_json::Value;
use tokio::process::Command;

use super::{TourError, decode};

/// An MCP server in a child process.
pub(super) struct TourClient {
    service: RunningService<RoleClient, ClientConfig>,
}

/// What a call gave.
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) picture: Option<Vec<u8>>,
    pub(super) failed: bool,
}

impl TourClient {
    pub(super) async fn start(program: &Path, arguments: &[String]) -> Result<Self, TourError> {
        let mut command = Command::new(program);
        command.args(arguments);
        let failed = |error: String| TourError::Server(error);
        let transport =
            TokioChildProcess::new(command).map_err(|error| failed(error.to_string()))?;
        let who = Implementation::new("outrigger-tour", env!("CARGO_PKG_VERSION"));
        let client = ClientConfig::new(ClientCapabilities::default(), who);
        let service = client.serve(transport).await.map_err(|error| failed(error.to_string()))?;
        Ok(TourClient { service })
    }

    pub(super) async fn call(&self, tool: &str, arguments: Value) -> Result<Answer, TourError> {
        let mut params = CallToolRequestParams::new(tool.to_owned());
        if let Value::Object(arguments) = arguments {
            params = params.with_arguments(arguments);
        }
        let result = self.service.call_tool(params).await;
        let result = result.map_err(|error| TourError::Server(error.to_string()))?;
        let mut texts = Vec::new();
        let mut picture = None;
        for block in result.content {
            match block {
                ContentBlock::Text(text) => texts.push(text.text),
                ContentBlock::Image(image) => picture = decode(&image.data),
                _ => {}
            }
        }
        let failed = result.is_error == Some(true);
        Ok(Answer { text: texts.join("\n"), picture, failed })
    }

    pub(super) async fn stop(self) {
        if let Err(error) = self.service.cancel().await {
            tracing::debug!(%error, "the tour's server did not stop cleanly");
        }
    }
}
