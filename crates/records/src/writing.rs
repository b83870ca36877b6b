//! What clients may write, the same over HTTP and for tools: records whose schema is not
//! Outrigger's own to write, at the version that was read, with a context that its schema
//! takes. What Outrigger writes by itself needs none of this.

use outrigger_protocol::records::{Context, Record, RecordId};
use outrigger_store::Owner;
use outrigger_store::records::{RecordError, merge};
use serde_json::Value;

use crate::action::ACTION;
use crate::agents::{AgentDefinition, Trail, check_definition, is_reserved};
use crate::authors::owner_for_agent;
use crate::error::RecordsError;
use crate::schemas::{self, AGENT_DEFINITION};
use crate::service::{Draft, History, Records};
use crate::{Change, Patch};

/// A record that a client makes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewContents {
    /// Its schema, for good.
    pub schema_name: String,
    /// For people.
    pub title: String,
    /// By which it is found.
    pub tags: Vec<String>,
    /// What it is about.
    pub context: Context,
}

/// A client that writes, by itself or for an agent that it serves.
pub struct Writer<'r> {
    records: &'r Records,
    owner: &'r Owner,
    /// Who is told to have made what it makes.
    name: String,
    agent: Option<AgentDefinition>,
}

impl Records {
    /// For a client of that name.
    pub fn writer<'r>(&'r self, owner: &'r Owner, name: String) -> Writer<'r> {
        Writer { records: self, owner, name, agent: None }
    }
}

impl Writer<'_> {
    /// For the agent of that name, if one is named.
    pub async fn for_agent(mut self, agent_id: Option<&str>) -> Result<Self, RecordsError> {
        if let Some(agent_id) = agent_id {
            let agent = self.records.agent(self.owner, agent_id).await?;
            self.name = owner_for_agent(&agent.agent_id, &self.name);
            self.agent = Some(agent);
        }
        Ok(self)
    }

    /// Makes a record.
    pub async fn create(&self, new: NewContents) -> Result<Record, RecordsError> {
        let NewContents { schema_name, title, tags, context } = new;
        may_write(&schema_name)?;
        let tags = self.tags(tags, &[])?;
        schemas::check(&schema_name, &Value::Object(context.clone()))?;
        let draft = Draft { schema_name, title, tags, context, made_by: self.name.clone() };
        match draft.schema_name.as_str() {
            AGENT_DEFINITION => self.create_agent(draft).await,
            ACTION => self.records.create_action(self.owner, draft).await,
            _ => self.records.create(self.owner, draft).await,
        }
    }

    /// Its place first: an agent without one would begin wherever it is served first.
    async fn create_agent(&self, draft: Draft) -> Result<Record, RecordsError> {
        let (agent_id, _) = check_definition(&draft.context)?;
        let _alone = self.records.shared.defining.lock().await;
        match self.records.agent(self.owner, &agent_id).await {
            Err(RecordsError::NoAgent { .. }) => {}
            Err(error) => return Err(error),
            Ok(_) => return Err(RecordsError::AgentExists { agent_id }),
        }
        self.records.begin_cursor(self.owner, &agent_id).await?;
        self.records.create(self.owner, draft).await
    }

    /// Changes a record that still has every version that was named, to what is made of it.
    pub async fn change(
        &self,
        id: &RecordId,
        versions: &[u64],
        change: impl FnOnce(&Record) -> Change,
        history: History,
    ) -> Result<Record, RecordsError> {
        let before = self.at(id, versions).await?;
        if schemas::is_final(&before.schema_name) {
            return Err(RecordsError::Final { schema_name: before.schema_name });
        }
        let mut change = change(&before);
        let tags = match &mut change {
            Change::Replace { tags, .. } => tags,
            Change::Merge(patch) => patch.tags.get_or_insert_with(|| before.tags.clone()),
        };
        *tags = self.tags(std::mem::take(tags), &before.tags)?;
        if let Some(context) = context_after(&before, &change) {
            let is_agent = before.schema_name == AGENT_DEFINITION;
            if is_agent && context.get("agent_id") != before.context.get("agent_id") {
                let problem = "it keeps its agent_id. Make another agent".to_owned();
                return Err(RecordsError::BadAgent { problem });
            }
            let context = Value::Object(context);
            schemas::check(&before.schema_name, &context)?;
            if let (true, Value::Object(context)) = (is_agent, &context) {
                check_definition(context)?;
            }
        }
        self.records.change(self.owner, id, before.version, change, history).await
    }

    /// Removes a record that still has every version that was named.
    pub async fn remove(&self, id: &RecordId, versions: &[u64]) -> Result<(), RecordsError> {
        let before = self.at(id, versions).await?;
        let agent_id = before.context.get("agent_id").and_then(Value::as_str);
        if let (AGENT_DEFINITION, Some(agent_id)) = (before.schema_name.as_str(), agent_id) {
            let _alone = self.records.shared.defining.lock().await;
            self.records.delete(self.owner, id, before.version).await?;
            self.records.shared.doings().forget(id);
            return self.records.forget_cursor(self.owner, agent_id).await;
        }
        self.records.delete(self.owner, id, before.version).await
    }

    /// The tags, and with them which agent wrote it last, if one did.
    fn tags(&self, mut tags: Vec<String>, before: &[String]) -> Result<Vec<String>, RecordsError> {
        if tags.iter().any(|tag| is_reserved(tag) && !before.contains(tag)) {
            return Err(RecordsError::ReservedTag);
        }
        tags.retain(|tag| !is_reserved(tag));
        if let Some(AgentDefinition { record, agent_id, .. }) = &self.agent {
            let hops = self.records.shared.doings().hops_of_next(record);
            tags.push(Trail { hops, agent: agent_id.clone() }.tag());
        }
        Ok(tags)
    }

    /// The record, if it may be changed. Its version is looked at first: what is wrong
    /// with a change is another question for another version.
    async fn at(&self, id: &RecordId, versions: &[u64]) -> Result<Record, RecordsError> {
        let before = self.records.read(self.owner, id).await?;
        may_write(&before.schema_name)?;
        if versions.iter().any(|version| *version != before.version) {
            let (id, current) = (id.clone(), before.version);
            return Err(RecordError::VersionMismatch { id, current }.into());
        }
        Ok(before)
    }
}

fn may_write(schema_name: &str) -> Result<(), RecordsError> {
    if schemas::is_own(schema_name) {
        return Err(RecordsError::NotYours { schema_name: schema_name.to_owned() });
    }
    Ok(())
}

/// What a change makes of a context; none if it leaves it as it is.
fn context_after(before: &Record, change: &Change) -> Option<Context> {
    match change {
        Change::Replace { context, .. } => Some(context.clone()),
        Change::Merge(Patch { context: None, .. }) => None,
        Change::Merge(Patch { context: Some(patch), .. }) => {
            let mut context = before.context.clone();
            merge(&mut context, patch.clone());
            Some(context)
        }
    }
}
