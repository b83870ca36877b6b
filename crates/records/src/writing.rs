//! What clients may write, the same over HTTP and for tools: records whose schema is not
//! Outrigger's own to write, at the version that was read, with a context that its schema
//! takes. What Outrigger writes by itself needs none of this.

use outrigger_protocol::records::{Context, Record, RecordId};
use outrigger_store::Owner;
use outrigger_store::records::{RecordError, merge};
use serde_json::Value;

use crate::error::RecordsError;
use crate::schemas;
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

/// A client that writes.
pub struct Writer<'r> {
    records: &'r Records,
    owner: &'r Owner,
    /// Who is told to have made what it makes.
    name: String,
}

impl Records {
    /// For a client of that name.
    pub fn writer<'r>(&'r self, owner: &'r Owner, name: String) -> Writer<'r> {
        Writer { records: self, owner, name }
    }
}

impl Writer<'_> {
    /// Makes a record.
    pub async fn create(&self, new: NewContents) -> Result<Record, RecordsError> {
        let NewContents { schema_name, title, tags, context } = new;
        may_write(&schema_name)?;
        schemas::check(&schema_name, &Value::Object(context.clone()))?;
        let draft = Draft { schema_name, title, tags, context, made_by: self.name.clone() };
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
        let change = change(&before);
        if let Some(context) = context_after(&before, &change) {
            schemas::check(&before.schema_name, &Value::Object(context))?;
        }
        self.records.change(self.owner, id, before.version, change, history).await
    }

    /// Removes a record that still has every version that was named.
    pub async fn remove(&self, id: &RecordId, versions: &[u64]) -> Result<(), RecordsError> {
        let before = self.at(id, versions).await?;
        self.records.delete(self.owner, id, before.version).await
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
