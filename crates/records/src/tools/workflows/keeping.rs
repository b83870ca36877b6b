//! Workflows among the records: all of them, the one of a name, and putting one there.

use outrigger_dispatch::{Caller, Fault};
use outrigger_protocol::ErrorCode;
use outrigger_protocol::records::{ContextCondition, ContextOperator, Record, Selector};
use serde_json::Value;

use crate::tools::RecordsHome;
use crate::workflow::{NoWorkflow, SCHEMA, Workflow, is_name};
use crate::{Change, Draft, Found, History, RecordsError, Search};

/// More than anybody reads.
const MOST_LISTED: usize = 100;

/// Who made one is told no longer than this.
const LONGEST_CLIENT: usize = 64;

/// A record that is a workflow, or was meant to be one.
pub(super) struct Kept {
    pub(super) record: Record,
    pub(super) workflow: Result<Workflow, NoWorkflow>,
}

impl Kept {
    fn of(record: Record) -> Self {
        let workflow = Workflow::read(&record.context);
        Kept { record, workflow }
    }
}

/// The workflows, those that changed last first, and whether these are all.
pub(super) async fn all(home: &dyn RecordsHome) -> Result<(Vec<Kept>, bool), Fault> {
    let (records, is_all) = matching(home, Vec::new(), MOST_LISTED).await?;
    Ok((records.into_iter().map(Kept::of).collect(), is_all))
}

/// The one workflow of a name.
pub(super) async fn named(home: &dyn RecordsHome, name: &str) -> Result<Option<Kept>, Fault> {
    if !is_name(name) {
        let message = "A workflow's name has small letters, digits, - and _, 64 at most.";
        return Err(Fault::tool(ErrorCode::InvalidArguments, message));
    }
    let value = Value::from(name);
    let named = ContextCondition { path: "name".to_owned(), op: ContextOperator::Eq, value };
    let (mut records, _) = matching(home, vec![named], 2).await?;
    if records.len() > 1 {
        let ids: Vec<&str> = records.iter().map(|record| record.id.as_str()).collect();
        let message = format!(
            "Several workflows are called {name} (records {}), so nothing was done. Rename or \
             remove all but one.",
            ids.join(", ")
        );
        return Err(Fault::tool(ErrorCode::Ambiguous, message));
    }
    Ok(records.pop().map(Kept::of))
}

/// Goes through pages until there are enough, or no more.
async fn matching(
    home: &dyn RecordsHome,
    context_match: Vec<ContextCondition>,
    most: usize,
) -> Result<(Vec<Record>, bool), Fault> {
    let records = home.records().await?;
    let schema_name = Some(SCHEMA.to_owned());
    let selector = Selector { schema_name, context_match, ..Selector::default() };
    let mut search = Search { selector, ..Search::default() };
    let mut all = Vec::new();
    loop {
        let Found { records: page, next } =
            records.search(home.owner(), &search).await.map_err(|error| fault(&error))?;
        all.extend(page);
        let Some(next) = next else { return Ok((all, true)) };
        if all.len() >= most {
            return Ok((all, false));
        }
        search.from = Some(next);
    }
}

/// Puts a workflow among the records, in place of the one of its name if there is one;
/// what was there stays in its history.
pub(super) async fn keep(
    home: &dyn RecordsHome,
    caller: &Caller,
    workflow: &Workflow,
) -> Result<Record, Fault> {
    let bad = |error: NoWorkflow| Fault::tool(ErrorCode::BadRecord, format!("{error}."));
    let context = workflow.context().map_err(bad)?;
    let (title, tags) = (workflow.name.clone(), vec!["workflow".to_owned()]);
    let before = named(home, &workflow.name).await?;
    let records = home.records().await?;
    let kept = match before {
        Some(Kept { record, .. }) => {
            let change = Change::Replace { title, tags, context };
            let (owner, version) = (home.owner(), record.version);
            records.change(owner, &record.id, version, change, History::On).await
        }
        None => {
            let client: String = caller.client.chars().take(LONGEST_CLIENT).collect();
            let (schema_name, made_by) = (SCHEMA.to_owned(), format!("agent:{client}"));
            let draft = Draft { schema_name, title, tags, context, made_by };
            records.create(home.owner(), draft).await
        }
    };
    kept.map_err(|error| fault(&error))
}

fn fault(error: &RecordsError) -> Fault {
    let code = match error.code() {
        "version_mismatch" => ErrorCode::VersionMismatch,
        "outcome_unknown" => ErrorCode::OutcomeUnknown,
        "deadline" => ErrorCode::Timeout,
        _ => ErrorCode::BadRecord,
    };
    Fault::tool(code, format!("The records say: {error}."))
}
