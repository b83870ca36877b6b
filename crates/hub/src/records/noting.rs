//! What is noted of a request about records in the activity log: who, which route, how
//! it ended, how much was told. Never which record, and nothing of it.

use std::time::{Instant, SystemTime};

use axum::body::HttpBody as _;
use axum::extract::MatchedPath;
use axum::response::Response;
use http::Method;
use outrigger_dispatch::Caller;
use outrigger_dispatch::journal::Entry;
use outrigger_guard::{Access, PermissionKey, Scope};

use crate::credentials::Credential;
use crate::gate::Sender;

/// The session of whoever has none; no agent's is called so.
const NO_SESSION: &str = "outrigger:records";

/// A request that has begun.
pub(super) struct Noting {
    began: Instant,
    caller: Caller,
    /// The route, and none of the sender's own words.
    what: String,
    access: Access,
}

impl Noting {
    pub(super) fn begin(
        sender: &Sender,
        method: &Method,
        route: &MatchedPath,
        key: PermissionKey,
    ) -> Self {
        let credential = sender.credential.as_ref();
        let holder = credential.map(Credential::holder_name).unwrap_or_default();
        let scope = credential.map_or(Scope::Read, |credential| credential.scope);
        let (session, client) = (NO_SESSION.to_owned(), holder.clone());
        Noting {
            began: Instant::now(),
            caller: Caller { session, client, scope, holder },
            what: format!("{method} {}", route.as_str()),
            access: Access::to_records(key),
        }
    }

    /// What is noted of it. One whose answer has no end is noted as it begins.
    pub(super) fn ended(self, is_permitted: bool, response: &Response) -> Entry {
        let status = response.status();
        let outcome =
            if status.is_success() { "ok".to_owned() } else { status.as_str().to_owned() };
        let told = response.body().size_hint().exact().unwrap_or(0);
        Entry {
            at: SystemTime::now(),
            caller: self.caller,
            tool: self.what,
            access: Some(self.access),
            decision: Some(if is_permitted { "own_records" } else { "denied" }.to_owned()),
            outcome,
            duration: self.began.elapsed(),
            characters: usize::try_from(told).unwrap_or(usize::MAX),
            tabs: 0,
            bytes: 0,
        }
    }
}
