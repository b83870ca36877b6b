//! `records_search` and `record_get`. Whoever wrote a record may have had it from a page:
//! all of it is told inside the fence.

use std::sync::Arc;

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::link::RiskLevel;
use outrigger_protocol::records::{ContextCondition, ContextOperator, Record, Selector};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::faults::named;
use super::{RecordsHome, aim_at_records};
use crate::search::Search;
use crate::view;

/// In place of a site, where words are from no one site.
pub(super) const DOMAIN: &str = "records";

/// Records of a page, unless more are asked for, and at most.
const FEW: u32 = 10;
const MOST: u32 = 50;

/// Letters of a context among others; all of it has a tool of its own.
const LONGEST: usize = 1_000;

/// `records_search`.
pub(super) struct RecordsSearch(pub(super) Arc<dyn RecordsHome>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordsSearchParams {
    schema_name: Option<String>,
    /// One of these.
    #[serde(default)]
    any_tags: Vec<String>,
    /// All of these.
    #[serde(default)]
    all_tags: Vec<String>,
    #[serde(default)]
    context_match: Vec<Condition>,
    /// Who made it.
    owner: Option<String>,
    /// Default 10, at most 50.
    limit: Option<u32>,
    /// Where the reply before said that more begin.
    from: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Condition {
    /// Such as content.headings.0.
    path: String,
    op: Comparison,
    #[serde(default)]
    value: Value,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Comparison {
    Eq,
    Ne,
    ContainsAny,
    Gt,
    Lt,
    Exists,
}

impl From<Condition> for ContextCondition {
    fn from(Condition { path, op, value }: Condition) -> Self {
        let op = match op {
            Comparison::Eq => ContextOperator::Eq,
            Comparison::Ne => ContextOperator::Ne,
            Comparison::ContainsAny => ContextOperator::ContainsAny,
            Comparison::Gt => ContextOperator::Gt,
            Comparison::Lt => ContextOperator::Lt,
            Comparison::Exists => ContextOperator::Exists,
        };
        ContextCondition { path, op, value }
    }
}

impl Tool for RecordsSearch {
    type Params = RecordsSearchParams;
    type Target = ();

    fn definition(&self) -> Definition {
        Definition::of::<RecordsSearchParams>(
            "records_search",
            "Find living records, which agents and programs share: by schema, tags, context, owner. \
             The one that changed last comes first.",
            RiskLevel::Read,
            ToolSet::Full(Family::Records),
        )
    }

    async fn aim(&self, _: &RecordsSearchParams, _: &Circumstances) -> Result<Aim<()>, Fault> {
        Ok(aim_at_records(PermissionKey::ReadRecords))
    }

    async fn execute(&self, call: Authorized<RecordsSearchParams, ()>) -> Result<Reply, Fault> {
        let RecordsSearchParams {
            schema_name,
            any_tags,
            all_tags,
            context_match,
            owner,
            limit,
            from,
        } = call.params;
        let from = from.as_deref().map(str::parse).transpose().map_err(|_| {
            let problem = "`from`: it is no place that a reply told".to_owned();
            invalid(&self.definition(), problem)
        })?;
        let context_match = context_match.into_iter().map(ContextCondition::from).collect();
        let selector = Selector { schema_name, any_tags, all_tags, context_match };
        let limit = Some(limit.unwrap_or(FEW).clamp(1, MOST));
        let search = Search { selector, made_by: owner, from, limit };
        let found = self.0.records().await?.search(self.0.owner(), &search).await?;
        let more = found.next.map(|next| format!(" More begin at from: {next}."));
        if found.records.is_empty() {
            let none = "No record fits.".to_owned();
            return Ok(Reply::said(none + &more.unwrap_or_default()));
        }
        let lines: Vec<String> = found.records.into_iter().map(in_short).collect();
        let said = match lines.len() {
            1 => "1 record.".to_owned(),
            count => format!("{count} records."),
        };
        Ok(Reply::said(said + &more.unwrap_or_default()).page(DOMAIN, lines.join("\n")))
    }
}

/// A record on a line, with as much of its context as fits.
fn in_short(record: Record) -> String {
    let (id, version) = (record.id.clone(), record.version);
    let mut shown = match view::shown(record) {
        Ok(shown) => shown,
        Err(error) => {
            return json!({"id": id, "version": version, "error": error.to_string()}).to_string();
        }
    };
    if let Some(fields) = shown.as_object_mut() {
        fields.shift_remove("created_at");
    }
    let context = shown["context"].to_string();
    if context.chars().count() > LONGEST {
        let beginning: String = context.chars().take(LONGEST).collect();
        shown["context"] = json!(format!("{beginning}… (record_get shows all of it)"));
    }
    shown.to_string()
}

/// `record_get`.
pub(super) struct RecordGet(pub(super) Arc<dyn RecordsHome>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordGetParams {
    /// As records_search told it.
    id: String,
}

impl Tool for RecordGet {
    type Params = RecordGetParams;
    type Target = ();

    fn definition(&self) -> Definition {
        Definition::of::<RecordGetParams>(
            "record_get",
            "Read one living record, as its own hints want it shown.",
            RiskLevel::Read,
            ToolSet::Full(Family::Records),
        )
    }

    async fn aim(&self, _: &RecordGetParams, _: &Circumstances) -> Result<Aim<()>, Fault> {
        Ok(aim_at_records(PermissionKey::ReadRecords))
    }

    async fn execute(&self, call: Authorized<RecordGetParams, ()>) -> Result<Reply, Fault> {
        let id = named(&call.params.id)?;
        let record = self.0.records().await?.read(self.0.owner(), &id).await?;
        Ok(whole(record))
    }
}

/// All of a record that a model is shown.
pub(super) fn whole(record: Record) -> Reply {
    let said = format!("Record {}, version {}.", record.id, record.version);
    let domain = record.context.get("domain").and_then(Value::as_str).unwrap_or(DOMAIN).to_owned();
    match view::shown(record) {
        Ok(shown) => Reply::said(said).page(domain, shown.to_string()),
        Err(error) => {
            let hint = "It can't be shown as its hints want it.";
            Reply::said(format!("{said} {hint}")).page(domain, error.to_string())
        }
    }
}
