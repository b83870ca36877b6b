//! `workflow_record`: has what a session does written down, from now on and until it is
//! stopped; or what the user does, until the user says that it is done.

use std::collections::BTreeMap;
use std::sync::Arc;

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{
    Aim, Authorized, Definition, Family, Fault, Part, Reply, Step, Tool, ToolSet,
};
use outrigger_protocol::ErrorCode;
use outrigger_protocol::inspection::UserDeed;
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{DOMAIN, counted, keeping, takes};
use crate::tools::RecordsHome;
use crate::workflow::recorder::{Recorder, Recording};

/// What describes a workflow, at most.
const LONGEST_DESCRIPTION: usize = 2_000;

/// `workflow_record`.
pub(super) struct Record {
    pub(super) home: Arc<dyn RecordsHome>,
    pub(super) recorder: Arc<Recorder>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Order {
    Start,
    Stop,
    Cancel,
}

/// Who does it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Who {
    #[default]
    Agent,
    User,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordParams {
    action: Order,
    /// To start: small letters, digits, - and _.
    name: Option<String>,
    description: Option<String>,
    /// To start. user: asks the user to do it in the session's tab, and waits for the end.
    who: Option<Who>,
}

impl Tool for Record {
    type Params = RecordParams;
    type Target = ();

    fn definition(&self) -> Definition {
        Definition::of::<RecordParams>(
            "workflow_record",
            "Record what this session does as a workflow. start, do it, stop. What you type \
             becomes a parameter, what browser_get_value reads a result; secrets are left out.",
            RiskLevel::Act,
            ToolSet::Full(Family::Workflow),
        )
    }

    async fn aim(&self, _: &RecordParams, _: &Circumstances) -> Result<Aim<()>, Fault> {
        Ok(super::aim())
    }

    async fn execute(&self, call: Authorized<RecordParams, ()>) -> Result<Reply, Fault> {
        let session = &call.circumstances.caller.session;
        match call.params.action {
            Order::Start => {
                let recording = self.begun(&call.params).await?;
                match call.params.who.unwrap_or_default() {
                    Who::Agent => self.start(session, recording),
                    Who::User => self.watch(&call, recording.0).await,
                }
            }
            Order::Cancel => {
                self.recorder.stop(session).ok_or_else(not_recording)?;
                Ok(Reply::said("The recording is gone; nothing was written."))
            }
            Order::Stop => self.stop(&call).await,
        }
    }
}

impl Record {
    /// A recording without a step, and whether it takes another one's place.
    async fn begun(&self, params: &RecordParams) -> Result<(Recording, bool), Fault> {
        let Some(name) = &params.name else {
            let problem = "`name` is missing: say what the workflow is to be called".to_owned();
            return Err(invalid(&self.definition(), problem));
        };
        let description = params.description.as_deref().unwrap_or_default();
        if description.chars().count() > LONGEST_DESCRIPTION {
            let problem = format!("`description` has {LONGEST_DESCRIPTION} letters at most");
            return Err(invalid(&self.definition(), problem));
        }
        // Before anything is done for nothing.
        let before = keeping::named(&*self.home, name).await?;
        Ok((Recording::of(name, description), before.is_some()))
    }

    fn start(
        &self,
        session: &str,
        (recording, replaces): (Recording, bool),
    ) -> Result<Reply, Fault> {
        let name = recording.name().to_owned();
        self.recorder.start(session, recording).ok_or_else(|| {
            let message = "This session is being recorded already. Stop or cancel that first.";
            Fault::tool(ErrorCode::InvalidArguments, message)
        })?;
        let place = if replaces {
            " There is a workflow of this name; stop puts this in its place."
        } else {
            ""
        };
        Ok(Reply::said(format!(
            "Recording {name}: what this session does from now on. workflow_record with action \
             \"stop\" writes it down.{place}"
        )))
    }

    /// The user is asked, and watched for as long as the user wants to be.
    async fn watch(
        &self,
        call: &Authorized<RecordParams, ()>,
        mut recording: Recording,
    ) -> Result<Reply, Fault> {
        let calls = call.calls();
        calls.take_all_time();
        let what = match call.params.description.as_deref() {
            Some(description) if !description.is_empty() => description,
            _ => recording.name(),
        };
        let arguments = Map::from_iter([("what".to_owned(), Value::from(what))]);
        let told = calls.run(Step { tool: "browser_watch_user", arguments }).await?;
        let told = told.parts().iter().find_map(|part| match part {
            Part::Page(words) => serde_json::from_str::<Vec<UserDeed>>(&words.text).ok(),
            _ => None,
        });
        for deed in told.unwrap_or_default() {
            recording.take_users(&deed);
        }
        self.write(call, recording).await
    }

    async fn stop(&self, call: &Authorized<RecordParams, ()>) -> Result<Reply, Fault> {
        let caller = &call.circumstances.caller;
        let recording = self.recorder.stop(&caller.session).ok_or_else(not_recording)?;
        self.write(call, recording).await
    }

    async fn write(
        &self,
        call: &Authorized<RecordParams, ()>,
        recording: Recording,
    ) -> Result<Reply, Fault> {
        let caller = &call.circumstances.caller;
        let (workflow, left_out) = recording.finish();
        if workflow.steps.is_empty() {
            let message = format!(
                "Nothing was done that could be done again, so nothing was written.{}",
                in_words(&left_out)
            );
            return Err(Fault::tool(ErrorCode::BadRecord, message));
        }
        let record = keeping::keep(&*self.home, caller, &workflow).await?;
        let reply = Reply::said(format!(
            "Recorded {}, {}, as record {} (version {}).{} It takes and gives:",
            workflow.name,
            counted(workflow.steps.len()),
            record.id,
            record.version,
            in_words(&left_out),
        ));
        let gives = workflow.steps.iter().filter_map(|step| step.into.clone());
        let gives = gives.collect::<Vec<_>>().join(", ");
        let taken = takes(&workflow);
        let words = format!("takes: {}\ngives: {}", or_nothing(&taken), or_nothing(&gives));
        Ok(reply.page(DOMAIN, words))
    }
}

fn or_nothing(words: &str) -> &str {
    if words.is_empty() { "nothing" } else { words }
}

fn not_recording() -> Fault {
    let message = "This session is not being recorded. Begin with action \"start\" and a name.";
    Fault::tool(ErrorCode::InvalidArguments, message)
}

/// Which calls are no part of it.
fn in_words(left_out: &BTreeMap<String, usize>) -> String {
    if left_out.is_empty() {
        return String::new();
    }
    let each = left_out.iter().map(|(tool, times)| format!("{tool} ({times})"));
    format!(
        " Left out, since they can't be done again so: {}.",
        each.collect::<Vec<_>>().join(", ")
    )
}
