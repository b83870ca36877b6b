//! Hands that point: `browser_click`. Each is one batch: prepare in the page,
//! input through the debugger, wait until settled.

use std::sync::Arc;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::capabilities::PageFunction;
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::cdp;
use crate::desk::Desk;
use crate::target::{Aimed, Target, pointed_of};

use super::acting::Done;

/// `browser_click`.
pub(super) struct Click(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ClickParams {
    #[serde(flatten)]
    target: Target,
}

impl Tool for Click {
    type Params = ClickParams;
    type Target = Aimed;

    fn definition(&self) -> Definition {
        Definition::of::<ClickParams>(
            "browser_click",
            "Click an element. Refuses what is covered, disabled or gone, and says so.",
            RiskLevel::Act,
            ToolSet::Core,
        )
    }

    async fn aim(
        &self,
        params: &ClickParams,
        circumstances: &Circumstances,
    ) -> Result<Aim<Aimed>, Fault> {
        Ok(self.0.aim_at(circumstances, PermissionKey::Click, &params.target).await?)
    }

    async fn execute(&self, call: Authorized<ClickParams, Aimed>) -> Result<Reply, Fault> {
        let (page, pointed) = pointed_of(&call).await?;
        let mut steps = vec![page.element_step(PageFunction::Prepare, &pointed, false)];
        steps.extend(cdp::click(page.tab));
        let settled = page.act(steps).await?;
        let said = format!("Clicked {}.", pointed.name);
        let done = Done { said, to: Some(&pointed), settled, tells_focus: false };
        done.tell(&self.0, &page, &call.circumstances).await
    }
}
