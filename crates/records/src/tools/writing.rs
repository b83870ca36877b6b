//! `record_put`: makes a record, or changes one at the version that was read. What may be
//! written is the same as over HTTP.

use std::sync::Arc;

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::link::RiskLevel;
use outrigger_protocol::records::Context;
use schemars::JsonSchema;
use serde::Deserialize;

use super::faults::named;
use super::{RecordsHome, aim_at_records};
use crate::service::History;
use crate::writing::NewContents;
use crate::{Change, Patch};

/// `record_put`.
pub(super) struct RecordPut(pub(super) Arc<dyn RecordsHome>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordPutParams {
    /// Change this one. Without: make one.
    id: Option<String>,
    /// The version that the change is made of.
    version: Option<u64>,
    /// Of a new one, such as note.v1.
    schema_name: Option<String>,
    title: Option<String>,
    /// In place of all there are.
    tags: Option<Vec<String>>,
    /// Of a change: merged, and null removes.
    context: Option<Context>,
    /// The agent_id that this is written for, while you serve it.
    agent: Option<String>,
}

impl RecordPut {
    fn wrong(&self, problem: &str) -> Fault {
        invalid(&self.definition(), problem.to_owned())
    }
}

impl Tool for RecordPut {
    type Params = RecordPutParams;
    type Target = ();

    fn definition(&self) -> Definition {
        Definition::of::<RecordPutParams>(
            "record_put",
            "Make a living record (schema_name, context), or change one (id, version, and what \
             changes). After version_mismatch read it again.",
            RiskLevel::Act,
            ToolSet::Full(Family::Records),
        )
    }

    async fn aim(&self, _: &RecordPutParams, _: &Circumstances) -> Result<Aim<()>, Fault> {
        Ok(aim_at_records(PermissionKey::WriteRecords))
    }

    async fn execute(&self, call: Authorized<RecordPutParams, ()>) -> Result<Reply, Fault> {
        let holder = call.circumstances.caller.holder.clone();
        let RecordPutParams { id, version, schema_name, title, tags, context, agent } = call.params;
        let Some(id) = id else {
            if version.is_some() {
                return Err(self.wrong("`version` belongs to the record of an `id`"));
            }
            let Some(schema_name) = schema_name else {
                return Err(self.wrong("A new record needs a `schema_name`, a change an `id`"));
            };
            let (title, tags) = (title.unwrap_or_default(), tags.unwrap_or_default());
            let context = context.unwrap_or_default();
            let new = NewContents { schema_name, title, tags, context };
            let records = self.0.records().await?;
            let writer = records.writer(self.0.owner(), holder);
            let made = writer.for_agent(agent.as_deref()).await?.create(new).await?;
            return Ok(Reply::said(format!("Made record {}, version {}.", made.id, made.version)));
        };
        let Some(version) = version else {
            return Err(self.wrong("A change needs the `version` that it is made of"));
        };
        if schema_name.is_some() {
            return Err(self.wrong("A record keeps its schema: leave out `schema_name`"));
        }
        let id = named(&id)?;
        let change = Change::Merge(Patch { title, tags, context });
        let records = self.0.records().await?;
        let writer = records.writer(self.0.owner(), holder).for_agent(agent.as_deref()).await?;
        let changed = writer.change(&id, &[version], |_| change, History::Off).await?;
        Ok(Reply::said(format!("Changed record {}, now version {}.", changed.id, changed.version)))
    }
}
