//! How far an agent has come: a record of Outrigger's own beside the agent's, so that it
//! is kept wherever records are. It only moves on.

use outrigger_protocol::records::{Context, Record};
use outrigger_store::Owner;
use outrigger_store::records::RecordError;
use serde_json::{Value, json};

use super::named;
use crate::Change;
use crate::error::RecordsError;
use crate::position::{Position, Source};
use crate::schemas::AGENT_CURSOR;
use crate::service::{Draft, History, Records};

/// Who makes such records.
const MADE_BY: &str = "outrigger";

impl Records {
    /// Where an agent is. One that nobody has placed yet begins now.
    pub(super) async fn cursor(
        &self,
        owner: &Owner,
        agent_id: &str,
    ) -> Result<Position, RecordsError> {
        match self.cursor_record(owner, agent_id).await? {
            Some(record) => place_in(&record),
            None => {
                let now = self.end_of_events().await?;
                self.place_cursor(owner, agent_id, now).await
            }
        }
    }

    /// An agent that is new begins with what happens from now on, whatever there was of
    /// that name before.
    pub(crate) async fn begin_cursor(
        &self,
        owner: &Owner,
        agent_id: &str,
    ) -> Result<(), RecordsError> {
        self.forget_cursor(owner, agent_id).await?;
        let now = self.end_of_events().await?;
        self.place_cursor(owner, agent_id, now).await?;
        Ok(())
    }

    /// After all that was written, be it told already or not.
    pub(super) async fn end_of_events(&self) -> Result<Position, RecordsError> {
        let durable = self.shared.head(Source::Durable).await?;
        let volatile = self.shared.head(Source::Volatile).await?;
        Ok(Position { durable, volatile })
    }

    /// Nobody needs it any more.
    pub(crate) async fn forget_cursor(
        &self,
        owner: &Owner,
        agent_id: &str,
    ) -> Result<(), RecordsError> {
        while let Some(record) = self.cursor_record(owner, agent_id).await? {
            match self.delete(owner, &record.id, record.version).await {
                Ok(()) => {}
                // Somebody else was faster; look again.
                Err(RecordsError::Store(
                    RecordError::VersionMismatch { .. } | RecordError::NotFound { .. },
                )) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Moves it on to there, and says where it is then.
    pub(super) async fn move_cursor(
        &self,
        owner: &Owner,
        agent_id: &str,
        to: Position,
    ) -> Result<Position, RecordsError> {
        loop {
            let Some(record) = self.cursor_record(owner, agent_id).await? else {
                return self.place_cursor(owner, agent_id, to).await;
            };
            let at = place_in(&record)?;
            let next = further(at.clone(), &to);
            if next == at {
                return Ok(at);
            }
            let context = context_of(agent_id, &next);
            let change = Change::Replace { title: String::new(), tags: Vec::new(), context };
            match self.change(owner, &record.id, record.version, change, History::Off).await {
                Ok(_) => return Ok(next),
                Err(RecordsError::Store(
                    RecordError::VersionMismatch { .. } | RecordError::NotFound { .. },
                )) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// A place that events can be read from. What is volatile is gone sooner, and told
    /// from where it is still known; what is durable and no longer kept is an error.
    pub(super) async fn reachable(&self, position: Position) -> Result<Position, RecordsError> {
        let reached = self.shared.fan_out().reached.clone();
        let mut position = position.in_this_life(&reached);
        self.shared.events_after(Source::Durable, &position.durable, 1).await?;
        match self.shared.events_after(Source::Volatile, &position.volatile, 1).await {
            Ok(_) => {}
            Err(RecordsError::Store(RecordError::EventsPruned { oldest, .. })) => {
                position.volatile.seq = oldest;
            }
            Err(error) => return Err(error),
        }
        Ok(position)
    }

    async fn cursor_record(
        &self,
        owner: &Owner,
        agent_id: &str,
    ) -> Result<Option<Record>, RecordsError> {
        Ok(self.all(owner, named(AGENT_CURSOR, agent_id)).await?.into_iter().next())
    }

    async fn place_cursor(
        &self,
        owner: &Owner,
        agent_id: &str,
        position: Position,
    ) -> Result<Position, RecordsError> {
        let draft = Draft {
            schema_name: AGENT_CURSOR.to_owned(),
            title: String::new(),
            tags: Vec::new(),
            context: context_of(agent_id, &position),
            made_by: MADE_BY.to_owned(),
        };
        self.create(owner, draft).await?;
        Ok(position)
    }
}

fn place_in(record: &Record) -> Result<Position, RecordsError> {
    let said = record.context.get("position").and_then(Value::as_str).unwrap_or_default();
    said.parse()
}

fn context_of(agent_id: &str, position: &Position) -> Context {
    let mut context = Context::new();
    context.insert("agent_id".to_owned(), json!(agent_id));
    context.insert("position".to_owned(), json!(position.to_string()));
    context
}

/// The later of two places, of each kind of events by itself. A place of another life is
/// later: only the store's own life was let through before.
fn further(mut at: Position, to: &Position) -> Position {
    for source in Source::BOTH {
        let (here, there) = (at.of_mut(source), to.of(source));
        if here.life != there.life || here.seq < there.seq {
            *here = there.clone();
        }
    }
    at
}
