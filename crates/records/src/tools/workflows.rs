//! `workflow_list`, `workflow_run`, `workflow_record`. A workflow's steps are calls like
//! any other: each goes the road by itself, and is decided about and logged by itself.

mod keeping;
mod record;
mod run;

use std::sync::Arc;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{
    Aim, Authorized, Catalogue, Definition, Family, Fault, Reply, Shown, Tool, ToolSet,
};
use outrigger_guard::{Access, PermissionKey};
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;

use super::RecordsHome;
use crate::workflow::Workflow;
use crate::workflow::recorder::Recorder;
use keeping::Kept;

/// Where the words of workflows are said to come from: they may be any page's.
const DOMAIN: &str = "workflow";

pub(super) fn register(catalogue: &mut Catalogue, home: &Arc<dyn RecordsHome>) {
    let recorder = Arc::new(Recorder::default());
    catalogue.register(List(home.clone()));
    catalogue.register(run::Run(home.clone()));
    catalogue.register(record::Record { home: home.clone(), recorder: recorder.clone() });
    catalogue.tell(recorder);
}

/// What all of them touch.
fn aim() -> Aim<()> {
    let access = Access::to_records(PermissionKey::RunWorkflow);
    Aim { target: (), access, shown: Shown::default() }
}

/// `workflow_list`.
struct List(Arc<dyn RecordsHome>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListParams {}

impl Tool for List {
    type Params = ListParams;
    type Target = ();

    fn definition(&self) -> Definition {
        Definition::of::<ListParams>(
            "workflow_list",
            "Recorded workflows that workflow_run can run, with what each takes and gives.",
            RiskLevel::Read,
            ToolSet::Full(Family::Workflow),
        )
    }

    async fn aim(&self, _: &ListParams, _: &Circumstances) -> Result<Aim<()>, Fault> {
        Ok(aim())
    }

    async fn execute(&self, _: Authorized<ListParams, ()>) -> Result<Reply, Fault> {
        let (workflows, is_all) = keeping::all(&*self.0).await?;
        if workflows.is_empty() {
            return Ok(Reply::said(
                "There are no workflows. Record one with workflow_record, or put a record of the \
                 schema browser.workflow.v1.",
            ));
        }
        let lines: Vec<String> = workflows.iter().map(listed).collect();
        let reply = Reply::default().page(DOMAIN, lines.join("\n"));
        Ok(if is_all { reply } else { reply.and_said("There are more; search the records.") })
    }
}

/// `find-train (to, class="2nd") gives price: what it does [4 steps]`
fn listed(kept: &Kept) -> String {
    let workflow = match &kept.workflow {
        Ok(workflow) => workflow,
        Err(error) => return format!("(unusable) record {}: {error}", kept.record.id),
    };
    let Workflow { name, description, steps, .. } = workflow;
    let gives: Vec<&str> = steps.iter().filter_map(|step| step.into.as_deref()).collect();
    let gives =
        if gives.is_empty() { String::new() } else { format!(" gives {}", gives.join(", ")) };
    let does = if description.is_empty() { String::new() } else { format!(": {description}") };
    format!("{name} ({}){gives}{does} [{}]", takes(workflow), counted(steps.len()))
}

/// `to, class="2nd"`
fn takes(workflow: &Workflow) -> String {
    let parameters = workflow.parameters.iter().map(|(name, parameter)| {
        match (&parameter.default, parameter.is_required()) {
            (_, true) => name.clone(),
            (Some(default), false) => format!("{name}={default:?}"),
            (None, false) => format!("{name}=\"\""),
        }
    });
    parameters.collect::<Vec<_>>().join(", ")
}

fn counted(steps: usize) -> String {
    if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") }
}
