//! Whose calls a client's are: one process's, an HTTP session's, or those of a credential
//! in the era without sessions.

use std::sync::{Arc, OnceLock};

use outrigger_dispatch::Caller;
use outrigger_guard::Scope;
use rmcp::service::{RequestContext, RoleServer};

use crate::credentials::{Credential, HTTP_SESSION};
use crate::gate::Sender;
use crate::server::Shared;

/// Whose calls these are.
#[derive(Clone)]
pub(super) enum Identity {
    /// One process, one session.
    Process { session: String },
    /// The HTTP session, or the client's name in the era without sessions.
    Http(Arc<HttpSession>),
}

/// An HTTP session of the older era. rmcp keeps one handler for each and drops
/// it when the client ends the session or has been silent for long.
pub(super) struct HttpSession {
    pub(super) shared: Arc<Shared>,
    pub(super) name: OnceLock<String>,
}

impl Drop for HttpSession {
    fn drop(&mut self) {
        if let Some(name) = self.name.get() {
            self.shared.clone().end_session(name.clone());
        }
    }
}

impl Identity {
    /// Who calls.
    pub(super) fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        let client = context.client_info().map_or_else(|| "mcp".to_owned(), |info| info.name);
        let scope = self.scope(context);
        let session = match self {
            Identity::Process { session } => session.clone(),
            Identity::Http(http) => {
                let own = |name: &str| match credential(context) {
                    Some(credential) => credential.own_session(name),
                    None => name.to_owned(),
                };
                let parts = context.extensions.get::<http::request::Parts>();
                let id = parts.and_then(|parts| parts.headers.get("mcp-session-id")?.to_str().ok());
                match id {
                    Some(id) => http.name.get_or_init(|| own(&short_name(id))).clone(),
                    None => {
                        let name = own(&format!("{HTTP_SESSION}{client}"));
                        let sessions = &http.shared.desk.sessions;
                        sessions.with(&name, &client, |session| session.is_open_ended = true);
                        name
                    }
                }
            }
        };
        let holder = credential(context).map(Credential::holder_name).unwrap_or_default();
        Caller { session, client, scope, holder }
    }

    /// What the client may do. The hub at the other end knows better than a process.
    pub(super) fn scope(&self, context: &RequestContext<RoleServer>) -> Scope {
        match self {
            Identity::Process { .. } => Scope::Act,
            Identity::Http(_) => {
                credential(context).map_or(Scope::Read, |credential| credential.scope)
            }
        }
    }
}

/// What the gate let the request in with.
fn credential(context: &RequestContext<RoleServer>) -> Option<&Credential> {
    let parts = context.extensions.get::<http::request::Parts>()?;
    parts.extensions.get::<Sender>()?.credential.as_ref()
}

/// Comes when the client's credential is good for nothing any more.
pub(super) async fn ended(context: &RequestContext<RoleServer>) {
    match credential(context) {
        Some(credential) => credential.ended().await,
        None => std::future::pending().await,
    }
}

/// A name that people can read and type. The whole id would let whoever reads it
/// pose as the client.
fn short_name(id: &str) -> String {
    let letters: String = id.chars().filter(char::is_ascii_alphanumeric).take(8).collect();
    format!("{HTTP_SESSION}{letters}")
}
