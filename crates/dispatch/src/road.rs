//! The road: receive, authorize, execute, render, log. There is no other.

use std::sync::Arc;
use std::time::Duration;

use outrigger_guard::{Guard, Scope};
use outrigger_protocol::agent::CallReply;
use outrigger_protocol::link::RiskLevel;
use serde_json::Value;
use tokio::time::Instant;

use crate::arguments;
use crate::catalogue::Catalogue;
use crate::consent::{Authority, CallTime, Consent};
use crate::fault::Fault;
use crate::helm::Helm;
use crate::journal::{Journal, Noting, Trace};
use crate::notices::{Notices, Wait};
use crate::reply::{Reply, render};
use crate::sequence::{AnySequence, Step, joined};
use crate::tool::{Caller, Circumstances, Definition};

/// How long a call may take that doesn't say.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

/// What the log calls a tool that doesn't exist.
const UNKNOWN: &str = "(unknown)";

/// A call as it came in.
#[derive(Debug, Clone)]
pub struct Call {
    /// Which tool.
    pub tool: String,
    /// With what.
    pub arguments: Value,
    /// From whom.
    pub caller: Caller,
    /// How the caller is told what it waits for.
    pub notices: Notices,
}

/// The one road.
pub struct Road {
    catalogue: Arc<Catalogue>,
    guard: Arc<Guard>,
    helm: Arc<dyn Helm>,
    consent: Arc<dyn Consent>,
    journal: Arc<dyn Journal>,
}

impl Road {
    /// A road to the tools of this catalogue.
    pub fn new(
        catalogue: Arc<Catalogue>,
        guard: Arc<Guard>,
        helm: Arc<dyn Helm>,
        consent: Arc<dyn Consent>,
        journal: Arc<dyn Journal>,
    ) -> Self {
        Road { catalogue, guard, helm, consent, journal }
    }

    /// The tools it leads to.
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    /// Runs a call to its end. Dropping the future cancels the call: whatever
    /// it asked of a browser is called off.
    pub async fn run(&self, call: Call) -> CallReply {
        match self.catalogue.sequence(&call.tool) {
            Some(sequence) => self.run_all(&*sequence, call).await,
            None => self.run_one(call).await,
        }
    }

    /// Each step is a call like any other, within the time of the whole.
    async fn run_all(&self, sequence: &dyn AnySequence, call: Call) -> CallReply {
        let noting = Noting::begin(&*self.journal, &call.caller, &sequence.definition().name);
        let Call { arguments, mut caller, notices, .. } = call;
        let prepared = within_scope(&caller, sequence.definition())
            .and_then(|()| arguments::common(sequence.definition(), arguments))
            .and_then(|(common, own)| Ok((common, sequence.steps(own)?)));
        let (common, steps) = match prepared {
            Ok(prepared) => prepared,
            Err(fault) => {
                let code = fault.code();
                let reply = render(Err(fault));
                noting.finish(code.as_str(), &reply, 0);
                return reply;
            }
        };
        noting.leave_to_steps();
        // Its steps are of our making: one that only reads may have a tool read that can do more.
        caller.scope = caller.scope.max(Scope::Act);
        let deadline = Instant::now() + common.timeout.unwrap_or(DEFAULT_TIMEOUT);
        let count = steps.len();
        let mut replies = Vec::new();
        for Step { tool, mut arguments } in steps {
            let left = deadline.saturating_duration_since(Instant::now()).as_millis().max(1);
            arguments.insert("timeoutMs".to_owned(), Value::from(left as u64));
            arguments.extend(common.tab.map(|tab| ("tab".to_owned(), Value::from(tab))));
            let browser = common.browser.clone();
            arguments.extend(browser.map(|browser| ("browser".to_owned(), Value::from(browser))));
            let (caller, notices) = (caller.clone(), notices.clone());
            let arguments = Value::Object(arguments);
            let step = Call { tool: tool.to_owned(), arguments, caller, notices };
            let reply = self.run_one(step).await;
            let failed = reply.error.is_some();
            replies.push(reply);
            if failed {
                break;
            }
        }
        joined(replies, count)
    }

    async fn run_one(&self, call: Call) -> CallReply {
        // What a client calls a tool that doesn't exist is its own words.
        let known = self.catalogue.find(&call.tool).ok();
        let name = known.as_ref().map_or(UNKNOWN, |tool| &tool.definition().name);
        let noting = Noting::begin(&*self.journal, &call.caller, name);
        let outcome = self.walk(call, &noting.trace).await;
        let code = outcome.as_ref().err().map(Fault::code);
        let tabs = outcome.as_ref().map_or(0, Reply::tabs);
        let reply = render(outcome);
        noting.finish(code.map_or("ok", |code| code.as_str()), &reply, tabs);
        reply
    }

    async fn walk(&self, mut call: Call, trace: &Trace) -> Result<Reply, Fault> {
        let tool = self.catalogue.find(&call.tool)?;
        within_scope(&call.caller, tool.definition())?;
        let (common, own) = arguments::common(tool.definition(), call.arguments.take())?;
        let timeout = common.timeout.unwrap_or(DEFAULT_TIMEOUT);
        let deadline = Instant::now() + timeout;
        let acting = tool.definition().risk == RiskLevel::Act;
        let admitted = self.helm.admit(&call.caller, deadline);
        call.notices.during(Wait::Resumption, admitted).await?;
        let Call { caller, notices, .. } = &call;
        let circumstances =
            Circumstances { caller: caller.clone(), common, deadline, notices: notices.clone() };
        let time = Arc::new(CallTime::until(deadline));
        let authority = Authority {
            guard: self.guard.clone(),
            helm: self.helm.clone(),
            consent: self.consent.clone(),
            journal: self.journal.clone(),
            time: time.clone(),
            caller: caller.clone(),
            notices: notices.clone(),
        };
        let run = tool.run(authority, own, circumstances, trace);
        tokio::select! {
            // First: what a stop breaks off must not be told as something else.
            biased;
            () = self.helm.stopped(&call.caller) => Err(Fault::Stopped { underway: acting }),
            ran = run => ran,
            () = time.passed() => {
                let after_ms = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX);
                Err(Fault::Timeout { tool: call.tool, after_ms, acting })
            }
        }
    }
}

/// Before anything else of a call is looked at: its arguments may name pages.
fn within_scope(caller: &Caller, definition: &Definition) -> Result<(), Fault> {
    if definition.risk == RiskLevel::Read || caller.scope >= Scope::Act {
        return Ok(());
    }
    Err(Fault::OutOfScope { tool: definition.name.to_string() })
}
