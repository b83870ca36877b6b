//! The road: receive, authorize, execute, render, log. There is no other.

use std::sync::Arc;
use std::time::Duration;

use outrigger_guard::{Guard, Scope};
use outrigger_protocol::agent::CallReply;
use outrigger_protocol::link::RiskLevel;
use serde_json::Value;
use tokio::time::Instant;

use crate::arguments;
use crate::calls::Calls;
use crate::catalogue::Catalogue;
use crate::consent::{Authority, CallTime, Consent};
use crate::fault::Fault;
use crate::helm::Helm;
use crate::journal::{Journal, Noting, Trace};
use crate::notices::{Notices, Wait};
use crate::reply::{Reply, render};
use crate::sequence::{self, AnySequence};
use crate::tool::{Caller, Circumstances, Definition};
use crate::witness::{Deed, Sight};

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

/// The one road. A clone is the same.
#[derive(Clone)]
pub struct Road {
    catalogue: Arc<Catalogue>,
    pub(crate) guard: Arc<Guard>,
    pub(crate) helm: Arc<dyn Helm>,
    pub(crate) consent: Arc<dyn Consent>,
    pub(crate) journal: Arc<dyn Journal>,
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
            None => {
                let acts = self.acts(&call.tool);
                let (noting, outcome) = self.run_one(call, None).await;
                let reply = noted(&noting, outcome);
                noting.keep(acts).await;
                reply
            }
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
        let begun = Instant::now();
        let deadline = begun + common.timeout.unwrap_or(DEFAULT_TIMEOUT);
        let time = Arc::new(CallTime::until(deadline));
        let calls = Calls { road: self.clone(), caller, common, notices, time, begun };
        sequence::run(steps, &calls).await
    }

    /// Runs a call that another call makes, within the time of that.
    pub(crate) async fn run_within(&self, call: Call, time: Arc<CallTime>) -> Result<Reply, Fault> {
        let acts = self.acts(&call.tool);
        let (noting, outcome) = self.run_one(call, Some(time)).await;
        noted(&noting, outcome.clone());
        noting.keep(acts).await;
        outcome
    }

    fn acts(&self, tool: &str) -> bool {
        self.catalogue.find(tool).is_ok_and(|tool| tool.definition().risk == RiskLevel::Act)
    }

    async fn run_one(
        &self,
        call: Call,
        time: Option<Arc<CallTime>>,
    ) -> (Noting<'_>, Result<Reply, Fault>) {
        // What a client calls a tool that doesn't exist is its own words.
        let known = self.catalogue.find(&call.tool).ok();
        let name = known.as_ref().map_or(UNKNOWN, |tool| &tool.definition().name);
        let noting = Noting::begin(&*self.journal, &call.caller, name);
        let outcome = self.walk(call, &noting.trace, time).await;
        (noting, outcome)
    }

    async fn walk(
        &self,
        mut call: Call,
        trace: &Trace,
        time: Option<Arc<CallTime>>,
    ) -> Result<Reply, Fault> {
        let tool = self.catalogue.find(&call.tool)?;
        within_scope(&call.caller, tool.definition())?;
        let (common, own) = arguments::common(tool.definition(), call.arguments.take())?;
        let begun = Instant::now();
        let time = time.unwrap_or_else(|| {
            let timeout = common.timeout.unwrap_or(DEFAULT_TIMEOUT);
            Arc::new(CallTime::until(begun + timeout))
        });
        let deadline = time.deadline();
        let timeout = deadline.saturating_duration_since(begun);
        let acting = tool.definition().risk == RiskLevel::Act;
        let admitted = self.helm.admit(&call.caller, deadline);
        call.notices.during(Wait::Resumption, admitted).await?;
        let Call { caller, notices, .. } = &call;
        let witness = self.catalogue.witness().filter(|one| one.follows(&caller.session));
        let sight = witness.map_or_else(Sight::default, |_| Sight::open());
        let followed = witness.map(|witness| (witness, own.clone()));
        let circumstances = Circumstances {
            caller: caller.clone(),
            common,
            deadline,
            notices: notices.clone(),
            sight: sight.clone(),
        };
        let authority = Authority {
            road: self.clone(),
            time: time.clone(),
            caller: caller.clone(),
            notices: notices.clone(),
            decisions: trace.decisions.clone(),
        };
        let run = tool.run(authority, own, circumstances, trace);
        let outcome = tokio::select! {
            // First: what a stop breaks off must not be told as something else.
            biased;
            () = self.helm.stopped(&call.caller) => Err(Fault::Stopped { underway: acting }),
            ran = run => ran,
            () = time.passed() => {
                let after_ms = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX);
                Err(Fault::Timeout { tool: call.tool, after_ms, acting })
            }
        };
        if let (Ok(_), Some((witness, arguments))) = (&outcome, followed) {
            let (caller, tool) = (call.caller, tool.definition().name.to_string());
            witness.saw(Deed { caller, tool, acts: acting, arguments, on: sight.taken() });
        }
        outcome
    }
}

/// The answer to a call that has ended, once that is in the log.
fn noted(noting: &Noting<'_>, outcome: Result<Reply, Fault>) -> CallReply {
    let code = outcome.as_ref().err().map(Fault::code);
    let tabs = outcome.as_ref().map_or(0, Reply::tabs);
    let reply = render(outcome);
    noting.finish(code.map_or("ok", |code| code.as_str()), &reply, tabs);
    reply
}

/// Before anything else of a call is looked at: its arguments may name pages.
fn within_scope(caller: &Caller, definition: &Definition) -> Result<(), Fault> {
    if definition.risk == RiskLevel::Read || caller.scope >= Scope::Act {
        return Ok(());
    }
    Err(Fault::OutOfScope { tool: definition.name.to_string() })
}
