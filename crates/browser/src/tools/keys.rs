//! Hands on the keyboard: `browser_press_key`.

use std::sync::Arc;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::{Frames, PageFunction};
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::cdp;
use crate::desk::Desk;
use crate::keyboard::KeyPress;
use crate::stakes;
use crate::target::{Aimed, Target, maybe_pointed_of};

use super::acting::Done;

/// `browser_press_key`.
pub(super) struct PressKey(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PressKeyParams {
    #[serde(flatten)]
    target: Target,
    /// Enter, Escape, ArrowDown, a, Control+a…
    key: String,
}

impl Tool for PressKey {
    type Params = PressKeyParams;
    type Target = Aimed;

    fn definition(&self) -> Definition {
        Definition::of::<PressKeyParams>(
            "browser_press_key",
            "Press a key or a chord, in an element or whatever has the focus.",
            RiskLevel::Act,
            ToolSet::Core(Family::Acting),
        )
    }

    async fn aim(
        &self,
        params: &PressKeyParams,
        circumstances: &Circumstances,
    ) -> Result<Aim<Aimed>, Fault> {
        KeyPress::parse(&params.key)?;
        Ok(self.0.aim_at_any(circumstances, PermissionKey::Input, &params.target).await?)
    }

    async fn execute(&self, mut call: Authorized<PressKeyParams, Aimed>) -> Result<Reply, Fault> {
        let press = KeyPress::parse(&call.params.key)?;
        let mut turn = self.0.turn(&call, call.target.place()).await?;
        if let Some(by) = press.sets_off() {
            if stakes::is_guarded(&call) && !call.params.target.is_given() {
                // The focus may be elsewhere a moment later.
                let message = "In the user's own browser this key needs to know where it goes, so \
                               nothing was pressed. Give the ref of the element.";
                return Err(Fault::tool(ErrorCode::InvalidArguments, message));
            }
            turn = stakes::confirm(&self.0, turn, &mut call, &by).await?;
        }
        let (page, pointed) = maybe_pointed_of(&call).await?;
        if pointed.is_none() && stakes::is_guarded(&call) {
            stakes::refuse_focus_in_frame(&page).await?;
            page.refuse_elsewhere()?;
        }
        let ready = match &pointed {
            Some(at) => page.element_step(PageFunction::FocusElement, at, false),
            None => page.script_step(PageFunction::ExpectKey, (), Frames::All),
        };
        let steps = std::iter::once(ready).chain(cdp::press(page.tab, &press));
        let settled = page.act(&turn, steps.collect()).await?;
        let place = pointed.as_ref().map(|at| format!(" in {}", at.name)).unwrap_or_default();
        let said = format!("Pressed {}{place}.", call.params.key);
        let done = Done { said, to: pointed.as_ref(), settled, tells_focus: true };
        done.tell(&self.0, &page, &call.circumstances).await
    }
}
