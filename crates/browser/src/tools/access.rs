//! `browser_request_access`: one question to the user for all that a plan needs,
//! in place of one for each act on each site. What the answer lays down, the road
//! sees to; here is only what is asked.

use std::sync::Arc;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{
    Aim, Authorized, Definition, Family, Fault, PlanStanding, Reply, Shown, Tool, ToolSet,
};
use outrigger_guard::plan::Plan;
use outrigger_guard::{PermissionKey, Profile};
use outrigger_protocol::ErrorCode;
use outrigger_protocol::helm::Detail;
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::desk::{Desk, TabTarget};

/// `browser_request_access`.
pub(super) struct RequestAccess(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RequestAccessParams {
    /// Each site, such as https://example.com; no wildcards.
    origins: Vec<String>,
    /// Each kind of act, such as tab_read:dom, tab_action:navigate, tab_action:click, tab_action:input.
    keys: Vec<String>,
    /// What for, for the user to read.
    reason: String,
}

impl Tool for RequestAccess {
    type Params = RequestAccessParams;
    type Target = (TabTarget, Plan);

    fn definition(&self) -> Definition {
        Definition::of::<RequestAccessParams>(
            "browser_request_access",
            "Ask the user once for all that a plan needs on its sites, before you begin; a yes \
             holds for this session at least. Code, and what can't be undone, is asked for each \
             time all the same.",
            RiskLevel::Read,
            ToolSet::Full(Family::Human),
        )
    }

    async fn aim(
        &self,
        params: &RequestAccessParams,
        at: &Circumstances,
    ) -> Result<Aim<(TabTarget, Plan)>, Fault> {
        let plan = Plan::parse(&params.keys, &params.origins)
            .map_err(|bad| Fault::tool(ErrorCode::InvalidArguments, format!("{bad}.")))?;
        let Aim { target, access, shown } = self.0.aim(at, PermissionKey::AskUser).await?;
        let with = vec![Detail { label: "Reason".to_owned(), text: params.reason.clone() }];
        Ok(Aim { target: (target, plan), access, shown: Shown { with, ..shown } })
    }

    async fn execute(
        &self,
        mut call: Authorized<RequestAccessParams, (TabTarget, Plan)>,
    ) -> Result<Reply, Fault> {
        let is_throw_away = call.target.0.browser.profile == Profile::ThrowAway;
        let plan = call.target.1.clone();
        let standing = call.request(&plan).await?;
        Ok(Reply::said(match standing {
            PlanStanding::AllowedBefore if is_throw_away => {
                "This is a throw-away browser: all of it is allowed, and nobody was asked."
            }
            PlanStanding::AllowedBefore => "All of it is allowed already. Go on.",
            PlanStanding::AllowedForSession => "The user allows all of it for this session. Go on.",
            PlanStanding::AllowedForGood => "The user allows all of it from now on. Go on.",
        }))
    }
}
