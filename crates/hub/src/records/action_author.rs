//! Who wrote an action: whether that may act still, and as whom it does.

use crate::credentials::{Credentials, Holder};

/// Who wrote an action, as far as that can act.
pub(super) enum Author {
    /// Whoever holds that credential.
    Holder(Holder),
    /// An agent that a record defines. Whoever may write serves it.
    Agent(String),
}

impl Author {
    /// By the name under which a record is kept.
    pub(super) fn named(owner: &str) -> Option<Self> {
        match owner.strip_prefix("agent:") {
            Some(agent_id) => Some(Author::Agent(agent_id.to_owned())),
            None => Holder::named(owner).map(Author::Holder),
        }
    }

    pub(super) async fn may_still_act(&self, credentials: &Credentials) -> bool {
        match self {
            Author::Holder(holder) => credentials.may_still_act(holder).await,
            Author::Agent(_) => true,
        }
    }

    /// Comes when it may do nothing any more.
    pub(super) async fn ended(&self, credentials: &Credentials) {
        match self {
            Author::Holder(holder) => credentials.end_of(holder).cancelled_owned().await,
            Author::Agent(_) => std::future::pending().await,
        }
    }

    /// The agent session in which it acts.
    pub(super) fn session(&self) -> String {
        match self {
            Author::Holder(holder) => holder.session_of_records(),
            Author::Agent(agent_id) => format!("agent-{agent_id}"),
        }
    }

    /// For people.
    pub(super) fn client(&self) -> String {
        match self {
            Author::Holder(_) => "records".to_owned(),
            Author::Agent(agent_id) => agent_id.clone(),
        }
    }
}
