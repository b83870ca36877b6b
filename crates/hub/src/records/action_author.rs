//! Who wrote an action: whether that may act still, and as whom it does. An action that
//! was written for an agent is its writer's, by whose credential it is done.

use outrigger_records::authors::holder_and_agent;

use crate::credentials::{Credentials, Holder};

/// Who wrote an action, as far as that can act.
pub(super) struct Author {
    holder: Holder,
    /// The agent that it was written for.
    agent: Option<String>,
}

impl Author {
    /// By the name under which a record is kept.
    pub(super) fn named(owner: &str) -> Option<Self> {
        let (holder, agent) = holder_and_agent(owner);
        Some(Author { holder: Holder::named(holder)?, agent: agent.map(str::to_owned) })
    }

    /// Whether it is nobody else on another hub: each numbers tokens of its own.
    pub(super) fn is_same_everywhere(&self) -> bool {
        matches!(self.holder, Holder::Machine)
    }

    pub(super) async fn may_still_act(&self, credentials: &Credentials) -> bool {
        credentials.may_still_act(&self.holder).await
    }

    /// Comes when it may do nothing any more.
    pub(super) async fn ended(&self, credentials: &Credentials) {
        credentials.end_of(&self.holder).cancelled_owned().await;
    }

    /// The agent session in which it acts.
    pub(super) fn session(&self) -> String {
        match &self.agent {
            None => self.holder.own_session("records"),
            Some(agent_id) => self.holder.own_session(&format!("agent-{agent_id}")),
        }
    }

    /// For people, who know an agent by its name, and are told of a program that takes it.
    pub(super) fn client(&self) -> String {
        match (&self.agent, &self.holder) {
            (None, _) => "records".to_owned(),
            (Some(agent_id), Holder::Token(id)) => format!("{agent_id} of token {id}"),
            (Some(agent_id), Holder::Machine | Holder::Extension(_)) => agent_id.clone(),
        }
    }
}
