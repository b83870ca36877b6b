//! Whose an MCP session over HTTP is. Its id is a secret of the client, but not the
//! credential: another credential gets nowhere with it, and it ends with its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Extension;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, StatusCode};
use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;

use crate::credentials::Holder;
use crate::gate::Sender;

const SESSION_HEADER: &str = "mcp-session-id";

/// The sessions and their owners.
#[derive(Default)]
pub(crate) struct McpSessions {
    pub(crate) manager: Arc<LocalSessionManager>,
    owners: Mutex<HashMap<String, Holder>>,
}

impl McpSessions {
    /// Ends every session of a credential that is good for nothing any more.
    pub(crate) async fn end(&self, holder: &Holder) {
        let ids: Vec<String> = {
            let owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
            let own = owners.iter().filter(|(_, owner)| *owner == holder);
            own.map(|(id, _)| id.clone()).collect()
        };
        for id in ids {
            if let Err(error) = self.manager.close_session(&id.into()).await {
                tracing::warn!(%error, "an MCP session did not end");
            }
        }
    }

    async fn begin(&self, id: String, holder: Holder) {
        let alive = self.manager.sessions.read().await;
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        owners.retain(|id, _| alive.contains_key(id.as_str()));
        owners.insert(id, holder);
    }

    fn is_of_another(&self, id: &str, holder: &Holder) -> bool {
        let owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        owners.get(id).is_some_and(|owner| owner != holder)
    }
}

/// Keeps sessions and credentials together.
pub(crate) async fn keep(
    State(sessions): State<Arc<McpSessions>>,
    Extension(sender): Extension<Sender>,
    request: Request,
    next: Next,
) -> Response {
    let Some(credential) = sender.credential else {
        // The gate lets nobody here without one.
        return StatusCode::UNAUTHORIZED.into_response();
    };
    let shown = session_id(request.headers());
    if shown.as_deref().is_some_and(|id| sessions.is_of_another(id, &credential.holder)) {
        return (StatusCode::NOT_FOUND, "There is no such session. Begin another one.\n")
            .into_response();
    }
    let response = next.run(request).await;
    if shown.is_none()
        && let Some(id) = session_id(response.headers())
    {
        sessions.begin(id, credential.holder).await;
    }
    response
}

fn session_id(headers: &HeaderMap) -> Option<String> {
    headers.get(SESSION_HEADER)?.to_str().ok().map(str::to_owned)
}
