//! What an agent is handed out: records that one of its selectors means, as they are now.
//! A record that changed again since comes with its later change, and one that is gone
//! doesn't come. Another definition counts from the moment it is written.

use outrigger_protocol::records::{Record, RecordEvent, RecordEventKind, RecordId, Selector};
use outrigger_store::Owner;
use outrigger_store::records::RecordError;

use super::loops::{DEEPEST, Trail};
use super::{AgentDefinition, of_schema};
use crate::error::RecordsError;
use crate::position::{Position, Source};
use crate::schemas::{AGENT_CURSOR, AGENT_DEFINITION};
use crate::service::Records;
use crate::subscription::{After, Delivery, Subscription};

/// What an agent gets.
#[derive(Debug, Clone, PartialEq)]
pub enum Handed {
    /// A record to deal with.
    Item {
        /// As it is now.
        record: Box<Record>,
        /// To be acknowledged once it is dealt with.
        position: Position,
    },
    /// One that it doesn't get.
    Cut(Cut),
}

/// A record that is not handed out, so that agents which answer each other end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Which.
    pub id: RecordId,
    /// Its schema.
    pub schema_name: String,
    /// Its version.
    pub version: u64,
    /// How many hops it is from a record that no agent wrote.
    pub hops: u32,
    /// Why.
    pub why: Why,
    /// Where it was.
    pub position: Position,
}

/// Why a record is not handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It is too many hops from a record that no agent wrote.
    Depth,
    /// Agents wrote too much in a minute.
    Rate,
}

impl Why {
    /// For programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Why::Depth => "depth",
            Why::Rate => "rate",
        }
    }
}

/// What one agent is handed out, in order. Dropping it ends that; what was not
/// acknowledged comes again.
pub struct AgentQueue {
    records: Records,
    owner: Owner,
    agent: AgentDefinition,
    items: Subscription,
    /// Whether the agent is still what it was.
    definitions: Subscription,
    /// Whether it began where the agent is, and not elsewhere.
    is_from_cursor: bool,
    /// The last that was handed out.
    last: Option<Position>,
}

impl AgentQueue {
    pub(super) async fn start(
        records: Records,
        owner: &Owner,
        agent_id: &str,
        after: Option<Position>,
    ) -> Result<Self, RecordsError> {
        // First: a definition that changes while it is read is heard of.
        let definitions = follow_definitions(&records, owner).await?;
        let agent = records.agent(owner, agent_id).await?;
        let is_from_cursor = after.is_none();
        let after = match after {
            Some(after) => after,
            None => records.cursor(owner, agent_id).await?,
        };
        let after = records.reachable(after).await?;
        let items = follow(&records, owner, &agent.selectors, after).await?;
        let owner = owner.clone();
        Ok(AgentQueue { records, owner, agent, items, definitions, is_from_cursor, last: None })
    }

    /// The agent as it is now.
    pub fn agent(&self) -> &AgentDefinition {
        &self.agent
    }

    /// From where to go on if it ended now.
    pub fn position(&mut self) -> Position {
        self.items.position()
    }

    /// What comes next; none when there is no such agent any more, or no records.
    pub async fn next(&mut self) -> Result<Option<Handed>, RecordsError> {
        loop {
            let delivery = tokio::select! {
                biased;
                told = self.definitions.next() => {
                    if !self.look_again(told?).await? {
                        return Ok(None);
                    }
                    continue;
                }
                delivery = self.items.next() => delivery?,
            };
            match delivery {
                None => return Ok(None),
                Some(Delivery::Gap { resume }) => {
                    let selectors = &self.agent.selectors;
                    self.items = follow(&self.records, &self.owner, selectors, resume).await?;
                }
                Some(Delivery::Event { event, position }) => {
                    if let Some(handed) = self.judged(&event, position).await? {
                        return Ok(Some(handed));
                    }
                }
            }
        }
    }

    /// Notes that nothing waits up to here, if all that was handed out is acknowledged:
    /// the place of an agent to which nothing happens is not to be forgotten.
    pub async fn settle(&mut self) -> Result<(), RecordsError> {
        let at = self.records.cursor(&self.owner, &self.agent.agent_id).await?;
        let is_dealt_with = |last: &Position| {
            Source::BOTH.into_iter().all(|source| last.of(source).seq <= at.of(source).seq)
        };
        if self.is_from_cursor && self.last.as_ref().is_none_or(is_dealt_with) {
            let here = self.items.position();
            self.records.move_cursor(&self.owner, &self.agent.agent_id, here).await?;
        }
        Ok(())
    }

    /// False: there is no such agent any more.
    async fn look_again(&mut self, told: Option<Delivery>) -> Result<bool, RecordsError> {
        match told {
            None => return Ok(false),
            Some(Delivery::Event { event, .. }) if event.id != self.agent.record => {
                return Ok(true);
            }
            Some(Delivery::Event { .. }) => {}
            Some(Delivery::Gap { .. }) => {
                self.definitions = follow_definitions(&self.records, &self.owner).await?;
            }
        }
        let record = match self.records.read(&self.owner, &self.agent.record).await {
            Err(RecordsError::Store(RecordError::NotFound { .. })) => return Ok(false),
            read => read?,
        };
        let agent = AgentDefinition::read(&record)?;
        if agent.selectors != self.agent.selectors {
            let after = self.items.position();
            self.items = follow(&self.records, &self.owner, &agent.selectors, after).await?;
        }
        self.agent = agent;
        Ok(true)
    }

    /// What becomes of an event; none if it is no matter of this agent.
    async fn judged(
        &mut self,
        event: &RecordEvent,
        position: Position,
    ) -> Result<Option<Handed>, RecordsError> {
        if event.kind == RecordEventKind::Deleted || event.schema_name == AGENT_CURSOR {
            return Ok(None);
        }
        let source = if event.volatile { Source::Volatile } else { Source::Durable };
        let record = match self.records.shared.read_from(source, &self.owner, &event.id).await? {
            Some(record) if record.version == event.version => record,
            _ => return Ok(None),
        };
        let trail = Trail::of(&record.tags);
        if trail.as_ref().is_some_and(|trail| trail.agent == self.agent.agent_id) {
            return Ok(None);
        }
        let (hops, is_of_agent) = (trail.as_ref().map_or(0, |trail| trail.hops), trail.is_some());
        let mut doings = self.records.shared.doings();
        let why = if hops > DEEPEST {
            Some(Why::Depth)
        } else if is_of_agent && !doings.takes(&self.agent.record, source, event.seq, event.at) {
            Some(Why::Rate)
        } else {
            None
        };
        if let Some(why) = why {
            let Record { id, schema_name, version, .. } = record;
            return Ok(Some(Handed::Cut(Cut { id, schema_name, version, hops, why, position })));
        }
        doings.handed_out(&self.agent.record, source, event.seq, hops);
        drop(doings);
        self.last = Some(position.clone());
        Ok(Some(Handed::Item { record: Box::new(record), position }))
    }
}

async fn follow(
    records: &Records,
    owner: &Owner,
    selectors: &[Selector],
    after: Position,
) -> Result<Subscription, RecordsError> {
    records.subscribe(owner, selectors.to_vec(), After::Position(after)).await
}

async fn follow_definitions(
    records: &Records,
    owner: &Owner,
) -> Result<Subscription, RecordsError> {
    records.subscribe(owner, vec![of_schema(AGENT_DEFINITION)], After::Now).await
}
