//! `workflow_run`: the steps of a workflow, one call after the other. The first that
//! fails ends it, with what it looked for.

use std::sync::Arc;

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::fault::PageWords;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{
    Aim, Authorized, Calls, Definition, Family, Fault, Part, Reply, Tool, ToolSet,
};
use outrigger_protocol::ErrorCode;
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{DOMAIN, counted, keeping, takes};
use crate::tools::RecordsHome;
use crate::workflow::Workflow;
use crate::workflow::parameters::Given;
use crate::workflow::step::WorkflowStep;

/// `workflow_run`.
pub(super) struct Run(pub(super) Arc<dyn RecordsHome>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RunParams {
    name: String,
    /// By name: texts.
    params: Option<Map<String, Value>>,
}

impl Tool for Run {
    type Params = RunParams;
    type Target = ();

    fn definition(&self) -> Definition {
        Definition::of::<RunParams>(
            "workflow_run",
            "Run a recorded workflow in the session's tab. Stops at the first step that can't be \
             taken, and says what it looked for.",
            RiskLevel::Act,
            ToolSet::Full(Family::Workflow),
        )
    }

    async fn aim(&self, _: &RunParams, _: &Circumstances) -> Result<Aim<()>, Fault> {
        Ok(super::aim())
    }

    async fn execute(&self, call: Authorized<RunParams, ()>) -> Result<Reply, Fault> {
        let RunParams { name, params } = &call.params;
        let workflow = self.workflow(name).await?;
        let steps = self.filled(&workflow, params.as_ref().unwrap_or(&Map::new()))?;
        let calls = call.calls();
        let mut progress = Progress::of(steps.len());
        for step in &steps {
            calls.take_time();
            calls.tell(&format!("{name}: step {} of {}…", progress.done.len() + 1, steps.len()));
            progress.take(step, &calls).await?;
        }
        Ok(progress.reply(name))
    }
}

impl Run {
    async fn workflow(&self, name: &str) -> Result<Workflow, Fault> {
        let Some(kept) = keeping::named(&*self.0, name).await? else {
            let message =
                format!("There is no workflow called {name}. workflow_list shows those there are.");
            return Err(Fault::tool(ErrorCode::NotFound, message));
        };
        kept.workflow.map_err(|error| {
            let message = format!("The record of {name} can't be run: {error}.");
            Fault::tool(ErrorCode::BadRecord, message)
        })
    }

    /// All steps with their parameters in them, before any is taken.
    fn filled(
        &self,
        workflow: &Workflow,
        params: &Map<String, Value>,
    ) -> Result<Vec<WorkflowStep>, Fault> {
        let filled = Given::of(workflow, params).and_then(|given| {
            workflow.steps.iter().map(|step| step.filled(&given)).collect::<Result<_, _>>()
        });
        filled.map_err(|error| {
            let takes = takes_names(workflow);
            let name = &workflow.name;
            let problem = format!("`params`: {error}. {name} takes {takes}; nothing was done");
            invalid(&self.definition(), problem)
        })
    }
}

/// Names alone: a default may be a page's words.
fn takes_names(workflow: &Workflow) -> String {
    match takes(workflow).is_empty() {
        true => "nothing".to_owned(),
        false => workflow.parameters.keys().cloned().collect::<Vec<_>>().join(", "),
    }
}

/// How far a run is.
struct Progress {
    count: usize,
    /// What each step said, in words of ours.
    done: Vec<String>,
    result: Map<String, Value>,
}

impl Progress {
    fn of(count: usize) -> Self {
        Progress { count, done: Vec::new(), result: Map::new() }
    }

    async fn take(&mut self, step: &WorkflowStep, calls: &Calls) -> Result<(), Fault> {
        let reply = calls.run(step.call()).await.map_err(|fault| self.stopped(step, fault))?;
        let said = match &step.into {
            Some(into) => {
                self.result.insert(into.clone(), Value::from(value_of(&reply)));
                format!("Read {into}.")
            }
            None if step.action.leads_elsewhere() => "Went there.".to_owned(),
            None => first_sentence(&reply),
        };
        self.done.push(said);
        Ok(())
    }

    fn lines(&self) -> String {
        let lines = self.done.iter().enumerate();
        lines.map(|(at, said)| format!("{}. {said}", at + 1)).collect::<Vec<_>>().join("\n")
    }

    /// What a step looked for comes from the record, where it may be a page's words.
    fn stopped(&self, step: &WorkflowStep, fault: Fault) -> Fault {
        let (number, count) = (self.done.len() + 1, self.count);
        let sought = step.sought();
        let below = if sought.is_some() { " What it looked for is below." } else { "" };
        let before = match self.done.len() {
            0 => "Nothing was done before it.".to_owned(),
            _ => format!("Done before it:\n{}", self.lines()),
        };
        let message = format!(
            "Step {number} of {count} stopped the workflow; nothing after it was done.{below} \
             {fault} {before}"
        );
        let code = fault.code();
        let told = if let Fault::Tool { page, .. } = fault { page } else { None };
        let domain = told.as_ref().map_or_else(|| DOMAIN.to_owned(), |told| told.domain.clone());
        let mut words: Vec<String> =
            sought.into_iter().map(|sought| format!("looked for: {sought}")).collect();
        words.extend(told.map(|told| told.text));
        if !self.result.is_empty() {
            words.push(format!("read before: {}", Value::Object(self.result.clone())));
        }
        let page = (!words.is_empty()).then(|| PageWords { domain, text: words.join("\n") });
        Fault::Tool { code, message, page }
    }

    fn reply(self, name: &str) -> Reply {
        let said = format!("Ran {name}, {}:\n{}", counted(self.count), self.lines());
        let reply = Reply::said(said);
        if self.result.is_empty() {
            return reply;
        }
        reply.page(DOMAIN, format!("{:#}", Value::Object(self.result)))
    }
}

/// What an element said: all that is the page's in the answer.
fn value_of(reply: &Reply) -> String {
    let words = reply.parts().iter().filter_map(|part| match part {
        Part::Page(words) => Some(words.text.as_str()),
        _ => None,
    });
    words.collect::<Vec<_>>().join("\n")
}

/// What was done; what came of it is for a look at the page.
fn first_sentence(reply: &Reply) -> String {
    let said = reply.parts().iter().find_map(|part| match part {
        Part::Said(words) => Some(words.as_str()),
        _ => None,
    });
    let said = said.unwrap_or("Done.");
    let end = said.find(". ").map_or(said.len(), |end| end + 1);
    said[..end].to_owned()
}
