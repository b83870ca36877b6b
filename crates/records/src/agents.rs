//! Agents that are woken by records. An agent is a record of `agent.def.v1` that says
//! which records it wants; what is queued for it is nothing but the events after the
//! place that it acknowledged, so that nothing is copied and nothing is lost that the
//! store keeps. Whoever serves an agent is outside; here is what it is handed out
//! ([`queue`]), how far it has come ([`cursor`]), and that agents which answer each other
//! come to an end ([`loops`]).

mod cursor;
mod definition;
mod loops;
mod queue;

pub use definition::AgentDefinition;
pub(crate) use definition::check as check_definition;
pub(crate) use loops::{Doings, Trail, is_reserved};
pub use queue::{AgentQueue, Cut, Handed, Why};

use outrigger_protocol::records::{
    ContextCondition, ContextOperator, Record, RecordEventKind, Selector,
};
use outrigger_store::Owner;
use outrigger_store::records::limits;
use serde_json::json;

use crate::error::RecordsError;
use crate::fan_out::{Known, is_meant};
use crate::position::{Position, Source};
use crate::schemas::{AGENT_CURSOR, AGENT_DEFINITION};
use crate::search::Search;
use crate::service::Records;

/// How far whoever serves an agent has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acknowledged {
    /// All up to there is dealt with.
    Until(Position),
    /// All there is up to now is to be left out.
    All,
}

/// What waits for an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// So many records.
    pub records: usize,
    /// There may be more: only so many events are looked through.
    pub or_more: bool,
}

impl Records {
    /// The owner's agents, by their names.
    pub async fn agents(&self, owner: &Owner) -> Result<Vec<AgentDefinition>, RecordsError> {
        let selector = of_schema(AGENT_DEFINITION);
        let found = self.all(owner, selector).await?;
        let mut agents: Vec<AgentDefinition> =
            found.iter().filter_map(|record| AgentDefinition::read(record).ok()).collect();
        agents.sort_by(|one, other| one.agent_id.cmp(&other.agent_id));
        Ok(agents)
    }

    /// The agent of that name.
    pub async fn agent(
        &self,
        owner: &Owner,
        agent_id: &str,
    ) -> Result<AgentDefinition, RecordsError> {
        let mut found = self.all(owner, named(AGENT_DEFINITION, agent_id)).await?;
        // Two hubs can make one at the same time; then the first one counts.
        found.sort_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
        let no_agent = || RecordsError::NoAgent { agent_id: agent_id.chars().take(64).collect() };
        AgentDefinition::read(found.first().ok_or_else(no_agent)?)
    }

    /// What an agent is handed out from where it is, or from that place on.
    pub async fn serve_agent(
        &self,
        owner: &Owner,
        agent_id: &str,
        after: Option<Position>,
    ) -> Result<AgentQueue, RecordsError> {
        AgentQueue::start(self.clone(), owner, agent_id, after).await
    }

    /// Notes how far an agent has come. It never goes back.
    pub async fn acknowledge(
        &self,
        owner: &Owner,
        agent_id: &str,
        acknowledged: Acknowledged,
    ) -> Result<Position, RecordsError> {
        let agent = self.agent(owner, agent_id).await?;
        let position = match acknowledged {
            Acknowledged::All => self.end_of_events().await?,
            Acknowledged::Until(position) => self.reachable(position).await?,
        };
        let position = self.move_cursor(owner, agent_id, position).await?;
        self.shared.doings().acknowledged(&agent.record, &position);
        Ok(position)
    }

    /// What waits for an agent, as far as it is looked at.
    pub async fn waiting(
        &self,
        owner: &Owner,
        agent: &AgentDefinition,
    ) -> Result<Waiting, RecordsError> {
        let position = self.reachable(self.cursor(owner, &agent.agent_id).await?).await?;
        let (mut ids, mut or_more) = (Vec::new(), false);
        for source in Source::BOTH {
            let events =
                self.shared.events_after(source, position.of(source), limits::EVENTS).await?;
            or_more |= events.len() >= limits::EVENTS as usize;
            for stored in events.into_iter().filter(|stored| stored.owner == *owner) {
                let event = stored.event;
                let is_own =
                    Trail::of(&event.tags).is_some_and(|trail| trail.agent == agent.agent_id);
                if event.kind == RecordEventKind::Deleted
                    || event.schema_name == AGENT_CURSOR
                    || is_own
                {
                    ids.retain(|id| *id != event.id);
                    continue;
                }
                let is_one = match is_meant(&agent.selectors, &event, &Known::Nothing) {
                    Some(is_one) => is_one,
                    None => {
                        let record = self.shared.read_from(source, owner, &event.id).await?;
                        let known = Known::Record(record.as_ref());
                        is_meant(&agent.selectors, &event, &known) == Some(true)
                    }
                };
                if is_one && !ids.contains(&event.id) {
                    ids.push(event.id);
                }
            }
        }
        Ok(Waiting { records: ids.len(), or_more })
    }

    /// All records that a selector means.
    async fn all(&self, owner: &Owner, selector: Selector) -> Result<Vec<Record>, RecordsError> {
        let mut search = Search { selector, ..Search::default() };
        let mut all = Vec::new();
        loop {
            let found = self.search(owner, &search).await?;
            all.extend(found.records);
            match found.next {
                Some(next) => search.from = Some(next),
                None => return Ok(all),
            }
        }
    }
}

fn of_schema(schema_name: &str) -> Selector {
    Selector { schema_name: Some(schema_name.to_owned()), ..Selector::default() }
}

/// What is there of an agent.
fn named(schema_name: &str, agent_id: &str) -> Selector {
    let (path, op) = ("agent_id".to_owned(), ContextOperator::Eq);
    let condition = ContextCondition { path, op, value: json!(agent_id) };
    Selector { context_match: vec![condition], ..of_schema(schema_name) }
}
