//! Hands that point: `browser_click`, `browser_hover`. Each is one batch:
//! prepare in the page, input through the debugger, wait until settled.

use std::sync::Arc;

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::capabilities::{BatchStep, Purpose, Settled, StakesBy};
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::cdp::{self, Button};
use crate::desk::Desk;
use crate::error::BrowserError;
use crate::keyboard::Modifier;
use crate::page::Page;
use crate::stakes;
use crate::target::{Aimed, Target, pointed_of};
use crate::turns::Turn;

use super::acting::Done;

/// More clicks in a row than this mean nothing to any page.
const MOST_CLICKS: u8 = 3;

/// How often a press is tried that was stopped each time.
const ATTEMPTS: u8 = 3;

/// `browser_click`.
pub(super) struct Click(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ClickParams {
    #[serde(flatten)]
    target: Target,
    button: Option<Button>,
    /// 2: double.
    count: Option<u8>,
    modifiers: Option<Vec<Modifier>>,
}

impl Tool for Click {
    type Params = ClickParams;
    type Target = Aimed;

    fn definition(&self) -> Definition {
        Definition::of::<ClickParams>(
            "browser_click",
            "Click an element. Refuses what is covered, disabled or gone, and says so.",
            RiskLevel::Act,
            ToolSet::Core(Family::Acting),
        )
    }

    async fn aim(
        &self,
        params: &ClickParams,
        circumstances: &Circumstances,
    ) -> Result<Aim<Aimed>, Fault> {
        if params.count.is_some_and(|count| !(1..=MOST_CLICKS).contains(&count)) {
            let problem = format!("`count` is 1, 2 or {MOST_CLICKS}");
            return Err(invalid(&self.definition(), problem));
        }
        Ok(self.0.aim_at(circumstances, PermissionKey::Click, &params.target).await?)
    }

    async fn execute(&self, mut call: Authorized<ClickParams, Aimed>) -> Result<Reply, Fault> {
        let turn = self.0.turn(&call, call.target.place()).await?;
        let turn = stakes::confirm(&self.0, turn, &mut call, &StakesBy::Press).await?;
        let ClickParams { button, count, modifiers, .. } = &call.params;
        let (button, count) = (button.unwrap_or_default(), count.unwrap_or(1));
        let held = modifiers.iter().flatten().fold(0, |bits, modifier| bits | modifier.bit());
        let (page, pointed) = pointed_of(&call).await?;
        let mut steps = vec![page.prepare_step(&pointed, Purpose::Press)];
        steps.extend(cdp::click(page.tab, button, count, held));
        let settled = try_again(&page, &turn, steps).await?;
        let done = match count {
            1 => "Clicked",
            2 => "Double-clicked",
            _ => "Clicked three times",
        };
        let with = match button {
            Button::Left => "",
            Button::Right => " with the right button",
            Button::Middle => " with the middle button",
        };
        let said = match settled.halfway {
            false => format!("{done} {}{with}.", pointed.name),
            true => format!(
                "Pressed {}{with}, but the page replaced or moved it while the button was down, so \
                 it got no click.",
                pointed.name
            ),
        };
        let done = Done { said, to: Some(&pointed), settled, tells_focus: false };
        done.tell_click(&self.0, &page, &call.circumstances).await
    }
}

/// A press that was stopped did nothing, so it is tried again as a person would:
/// what stood in its way may only have been passing, or not have been drawn yet.
async fn try_again(
    page: &Page<'_>,
    turn: &Turn,
    steps: Vec<BatchStep>,
) -> Result<Settled, BrowserError> {
    let mut left = ATTEMPTS;
    loop {
        left -= 1;
        match page.act(turn, steps.clone()).await {
            Err(error) if left > 0 && error.was_stopped() => {}
            outcome => return outcome,
        }
    }
}

/// `browser_hover`.
pub(super) struct Hover(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HoverParams {
    #[serde(flatten)]
    target: Target,
}

impl Tool for Hover {
    type Params = HoverParams;
    type Target = Aimed;

    fn definition(&self) -> Definition {
        Definition::of::<HoverParams>(
            "browser_hover",
            "Move the mouse over an element.",
            RiskLevel::Act,
            ToolSet::Core(Family::Acting),
        )
    }

    async fn aim(&self, params: &HoverParams, at: &Circumstances) -> Result<Aim<Aimed>, Fault> {
        Ok(self.0.aim_at(at, PermissionKey::Click, &params.target).await?)
    }

    async fn execute(&self, call: Authorized<HoverParams, Aimed>) -> Result<Reply, Fault> {
        let turn = self.0.turn(&call, call.target.place()).await?;
        let (page, pointed) = pointed_of(&call).await?;
        let prepare = page.prepare_step(&pointed, Purpose::Rest);
        let settled = page.act(&turn, vec![prepare, cdp::hover(page.tab)]).await?;
        let said = format!("The mouse is over {}.", pointed.name);
        let done = Done { said, to: Some(&pointed), settled, tells_focus: false };
        done.tell(&self.0, &page, &call.circumstances).await
    }
}
