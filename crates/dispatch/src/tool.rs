//! What a tool is: one definition, from which its MCP schema, its command and
//! its documentation come; `aim`, which finds out what a call would touch; and
//! `execute`, which can only be reached with the guard's grant.

use std::borrow::Cow;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use outrigger_guard::consequence::Consequence;
use outrigger_guard::plan::Plan;
use outrigger_guard::{Access, Denial, Grant, Origin, PermissionKey, Scope};
use outrigger_protocol::helm::Picture;
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::arguments;
use crate::calls::Calls;
use crate::consent::{self, Authority, Permitted, PlanStanding, Shown};
use crate::fault::Fault;
use crate::gaps::Gaps;
use crate::journal::Trace;
use crate::notices::Notices;
use crate::reply::Reply;
use crate::schema;
use crate::witness::Sight;

/// The one definition of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// Its name.
    pub name: Cow<'static, str>,
    /// For a model: what it does, in one or two sentences.
    pub description: Cow<'static, str>,
    /// JSON Schema of its arguments.
    pub input_schema: Value,
    /// Whether it changes anything.
    pub risk: RiskLevel,
    /// Where it is listed.
    pub set: ToolSet,
}

/// Where a tool is listed. All can be called by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolSet {
    /// For every client.
    Core(Family),
    /// For a client that asked for everything, or for this family.
    Full(Family),
    /// Other names and shapes for what exists already.
    Compat,
    /// Brought along by an extension.
    Dynamic,
}

/// What a tool is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// From page to page.
    Navigation,
    /// What a page shows.
    Reading,
    /// What a person does with a page.
    Acting,
    /// Which tabs there are.
    Tabs,
    /// How a page fares, and under what circumstances.
    Diagnostics,
    /// What a page asks of the network.
    Network,
    /// What a page keeps.
    Storage,
    /// What a page itself offers to agents.
    Page,
    /// What only the user can do or allow.
    Human,
    /// What agents keep, share and follow.
    Records,
    /// What can be done again.
    Workflow,
}

impl Definition {
    /// A definition whose schema is that of `P`.
    pub fn of<P: JsonSchema>(
        name: &'static str,
        description: &'static str,
        risk: RiskLevel,
        set: ToolSet,
    ) -> Self {
        Definition {
            name: name.into(),
            description: description.into(),
            input_schema: schema::of::<P>(),
            risk,
            set,
        }
    }
}

/// Who called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The agent session.
    pub session: String,
    /// The client's name, as people know it.
    pub client: String,
    /// What its credential is good for. Never what the client says of itself.
    pub scope: Scope,
    /// Whose credential it is, for people. Never what the client says of itself.
    pub holder: String,
}

/// Arguments that every tool accepts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Common {
    /// Which tab.
    pub tab: Option<i64>,
    /// Which browser.
    pub browser: Option<String>,
    /// How long it may take.
    pub timeout: Option<Duration>,
}

/// What a call would touch.
#[derive(Debug)]
pub struct Aim<T> {
    /// For `execute`.
    pub target: T,
    /// For the guard.
    pub access: Access,
    /// For the user, if only the user can decide.
    pub shown: Shown,
}

/// Who calls, with which shared arguments, until when: what `aim` may look at
/// beside the tool's own arguments.
#[derive(Debug, Clone)]
pub struct Circumstances {
    /// Who called.
    pub caller: Caller,
    /// Arguments that every tool accepts.
    pub common: Common,
    /// When it must be over.
    pub deadline: Instant,
    /// How the caller is told what the call waits for.
    pub notices: Notices,
    /// Where it is told what the call acts on, if anybody wants to know.
    pub sight: Sight,
}

/// A call that the guard allowed. Only the road makes one, from a grant.
#[derive(Debug)]
pub struct Authorized<P, T> {
    /// The tool's own arguments.
    pub params: P,
    /// What `aim` found.
    pub target: T,
    /// Who calls, until when.
    pub circumstances: Circumstances,
    leave: Leave,
    shown: Shown,
}

/// What a call may do: what was granted, and what needs no asking.
#[derive(Debug)]
pub struct Leave {
    grant: Grant,
    authority: Authority,
    gaps: Gaps,
}

impl Leave {
    /// The guard's grant, which whatever reaches a browser asks for.
    pub fn grant(&self) -> &Grant {
        &self.grant
    }

    /// Has the answer of the call, whatever it will be, followed by what it lacks.
    pub fn note_gap(&self, sentence: String) {
        self.gaps.note(sentence);
    }

    /// Whether it is about a page that may not be told of.
    fn hides_the_page(&self) -> bool {
        let Access { key, origin, .. } = self.grant.access();
        !key.is_about_records() && !self.allows(PermissionKey::ReadDom, &origin.clone())
    }

    /// Whether the same call may do that as well, without asking the user.
    pub fn allows(&self, key: PermissionKey, origin: &Origin) -> bool {
        let access = self.access_to(key, origin);
        access == *self.grant.access() || self.authority.allows(access)
    }

    /// Why the call may not do that, where the user said so before. What nobody decided
    /// about is not denied.
    pub fn denies(&self, key: PermissionKey, origin: &Origin) -> Option<Denial> {
        let access = self.access_to(key, origin);
        if access == *self.grant.access() { None } else { self.authority.denies(access) }
    }

    fn access_to(&self, key: PermissionKey, origin: &Origin) -> Access {
        Access { key, origin: origin.clone(), profile: self.grant.access().profile }
    }
}

impl<P, T> Authorized<P, T> {
    /// What it may do.
    pub fn leave(&self) -> &Leave {
        &self.leave
    }

    /// The way for whatever this call makes of others.
    pub fn calls(&self) -> Calls {
        let Circumstances { caller, common, notices, .. } = &self.circumstances;
        let Authority { road, time, .. } = &self.leave.authority;
        Calls {
            road: road.clone(),
            caller: caller.clone(),
            common: common.clone(),
            notices: notices.clone(),
            time: time.clone(),
            begun: Instant::now(),
        }
    }

    /// Comes back once the session may go on, after whatever the call waited for.
    pub async fn readmit(&self) -> Result<(), Fault> {
        self.leave.authority.readmit().await
    }

    /// Asks the user whether that may happen which can't be taken back. The call's
    /// time stands still meanwhile.
    pub async fn confirm(
        &mut self,
        consequence: Consequence,
        element: Option<String>,
    ) -> Result<(), Fault> {
        let shown = Shown { element, ..self.shown.clone() };
        let Leave { grant, authority, .. } = &self.leave;
        authority.confirm(grant, consequence, &shown).await?;
        authority.readmit().await?;
        self.circumstances.deadline = authority.time.deadline();
        Ok(())
    }

    /// Asks the user for all of a plan, in the browser of this call. What is answered
    /// is laid down for the calls that follow.
    pub async fn request(&mut self, plan: &Plan) -> Result<PlanStanding, Denial> {
        let Leave { grant, authority, .. } = &self.leave;
        let standing = authority.ask_plan(plan, grant.access().profile, &self.shown).await?;
        self.circumstances.deadline = authority.time.deadline();
        Ok(standing)
    }

    /// Shows the user a picture, which nobody gets without a yes.
    pub async fn show_first(&mut self, picture: Picture) -> Result<(), Fault> {
        let shown = Shown { picture: Some(picture), ..self.shown.clone() };
        let Leave { grant, authority, .. } = &self.leave;
        authority.show_first(grant, &shown).await?;
        authority.readmit().await?;
        self.circumstances.deadline = authority.time.deadline();
        Ok(())
    }
}

/// A tool.
pub trait Tool: Send + Sync + 'static {
    /// Its arguments.
    type Params: DeserializeOwned + JsonSchema + Send + Sync + 'static;
    /// What a call touches.
    type Target: Send + Sync + 'static;

    /// The one definition.
    fn definition(&self) -> Definition;

    /// Finds out what the call would touch, changing nothing.
    fn aim(
        &self,
        params: &Self::Params,
        circumstances: &Circumstances,
    ) -> impl Future<Output = Result<Aim<Self::Target>, Fault>> + Send;

    /// Does it.
    fn execute(
        &self,
        call: Authorized<Self::Params, Self::Target>,
    ) -> impl Future<Output = Result<Reply, Fault>> + Send;
}

type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A tool of any kind, as the catalogue keeps it.
pub(crate) trait AnyTool: Send + Sync {
    fn definition(&self) -> &Definition;

    fn run<'a>(
        &'a self,
        authority: Authority,
        arguments: Map<String, Value>,
        circumstances: Circumstances,
        trace: &'a Trace,
    ) -> BoxFuture<'a, Result<Reply, Fault>>;
}

struct Registered<T> {
    tool: T,
    definition: Definition,
}

pub(crate) fn erase<T: Tool>(tool: T) -> Arc<dyn AnyTool> {
    let definition = tool.definition();
    Arc::new(Registered { tool, definition })
}

impl<T: Tool> AnyTool for Registered<T> {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn run<'a>(
        &'a self,
        authority: Authority,
        arguments: Map<String, Value>,
        mut circumstances: Circumstances,
        trace: &'a Trace,
    ) -> BoxFuture<'a, Result<Reply, Fault>> {
        Box::pin(async move {
            let brought = consent::brought(&arguments);
            let params: T::Params = arguments::parse(&self.definition, arguments)?;
            let aim_now = async |circumstances: &Circumstances| {
                let mut aim = self.tool.aim(&params, circumstances).await?;
                if aim.shown.with.is_empty() {
                    aim.shown.with = consent::beside(aim.shown.element.as_deref(), &brought);
                }
                Ok::<_, Fault>(aim)
            };
            let mut aim = aim_now(&circumstances).await?;
            trace.access.get_or_init(|| aim.access.clone());
            let permitted = authority.permit(aim.access.clone(), &aim.shown).await;
            trace.decisions.note(match &permitted {
                Ok(permitted) => permitted.grant.reason().to_string(),
                Err(denial) => denial.word().to_owned(),
            });
            let Permitted { grant, was_asked } = permitted?;
            if was_asked {
                authority.readmit().await?;
                circumstances.deadline = authority.time.deadline();
                // What was allowed is what was shown, and not what became of it meanwhile.
                let again = aim_now(&circumstances).await?;
                if again.access != aim.access || again.shown != aim.shown {
                    return Err(Denial::ChangedMeanwhile.into());
                }
                aim = again;
            }
            let Aim { target, shown, .. } = aim;
            let gaps = Gaps::default();
            let leave = Leave { grant, authority, gaps: gaps.clone() };
            let call = Authorized { params, target, circumstances, leave, shown };
            let hides = call.leave.hides_the_page();
            let outcome = gaps.told_with(self.tool.execute(call).await);
            match outcome {
                // An error, too, tells nothing of a page that may not be read.
                Err(Fault::Tool { code, message, page: Some(_) }) if hides => {
                    Err(Fault::Tool { code, message, page: None })
                }
                outcome => outcome,
            }
        })
    }
}
