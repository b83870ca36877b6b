//! `browser_drag`: from one place to another. Whether the page follows the
//! pointer or begins a drag and drop of the browser's own, the extension finds
//! out on the way.

use std::sync::Arc;

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::{Origin, PermissionKey};
use outrigger_protocol::capabilities::{BatchStep, Dragged, Purpose, StakesBy};
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::page::{Page, step};
use crate::stakes;
use crate::target::{Aimed, Pointed, Target, dropped_on, pointed_of};

use super::acting::Done;
use super::scrolling::Distance;

/// `browser_drag`.
pub(super) struct Drag(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DragParams {
    /// Ref, selector or point.
    from: End,
    to: Option<End>,
    /// Instead of to.
    by: Option<Distance>,
}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
enum End {
    Named(String),
    Point { x: f64, y: f64 },
}

impl End {
    fn target(&self) -> Target {
        match self {
            End::Named(name) => Target::of_selector(name.clone()),
            End::Point { x, y } => Target::of_point(*x, *y),
        }
    }
}

impl Tool for Drag {
    type Params = DragParams;
    type Target = Aimed;

    fn definition(&self) -> Definition {
        Definition::of::<DragParams>(
            "browser_drag",
            "Drag something and drop it.",
            RiskLevel::Act,
            ToolSet::Core(Family::Acting),
        )
    }

    async fn aim(&self, params: &DragParams, at: &Circumstances) -> Result<Aim<Aimed>, Fault> {
        if params.to.is_some() == params.by.is_some() {
            let problem = "Give either to or by".to_owned();
            return Err(invalid(&self.definition(), problem));
        }
        Ok(self.0.aim_at(at, PermissionKey::Click, &params.from.target()).await?)
    }

    async fn execute(&self, mut call: Authorized<DragParams, Aimed>) -> Result<Reply, Fault> {
        // Letting go where it was taken hold of is a click.
        let turn = self.0.turn(&call, call.target.place()).await?;
        let turn = stakes::confirm(&self.0, turn, &mut call, &StakesBy::Press).await?;
        let (page, from) = pointed_of(&call).await?;
        let to = match &call.params.to {
            Some(end) => Some(dropped_on(&page, &end.target()).await?),
            None => None,
        };
        let steps = steps(&page, &from, to.as_ref(), call.params.by);
        let drag = steps.len() - 1;
        let (settled, results) = page.act_and_tell(&turn, steps).await?;
        let dragged: Option<Dragged> =
            results.get(drag).and_then(|result| serde_json::from_value(result.clone()).ok());
        let mut said = match (&to, call.params.by) {
            (Some((to, _)), _) => format!("Dragged {} to {}.", from.name, to.name),
            (None, by) => {
                let [x, y] = by.map_or([0.0, 0.0], Distance::pair);
                format!("Dragged {} by {x}, {y} px.", from.name)
            }
        };
        let was_taken = dragged.and_then(|dragged| dragged.was_taken);
        if was_taken == Some(false) {
            said.push_str(" Nothing there took it, so it is where it was.");
        }
        let is_elsewhere = to.as_ref().is_some_and(|(_, origin)| origin != page.origin());
        if was_taken == Some(true) && is_elsewhere {
            // The debugger ends a drag where it is dropped, and elsewhere calls it off.
            said.push_str(
                " It was taken in a frame of another site; the one that it came from was told \
                 that it was not, and may still show it.",
            );
        }
        let end = to.as_ref().map_or(&from, |(to, _)| to);
        let done = Done { said, to: Some(end), settled, tells_focus: false };
        done.tell(&self.0, &page, &call.circumstances).await
    }
}

/// The destination is brought into view first and looked up last: taking hold
/// of the other end may scroll the page once more.
fn steps(
    page: &Page<'_>,
    from: &Pointed,
    to: Option<&(Pointed, Origin)>,
    by: Option<Distance>,
) -> Vec<BatchStep> {
    let mut steps = Vec::new();
    let found = |at: usize| json!({"$step": at, "pointer": "/frames/0/value"});
    if let Some((to, origin)) = to {
        steps.push(page.drop_step(to, origin, Purpose::Rest));
    }
    let hold = steps.len();
    steps.push(page.prepare_step(from, Purpose::Grab));
    let mut drag = json!({"tabId": page.tab, "from": found(hold)});
    if let Some((to, origin)) = to {
        drag["to"] = found(steps.len());
        drag["acrossSites"] = Value::from(origin != page.origin());
        steps.push(page.drop_step(to, origin, Purpose::Drop));
    }
    if let Some(by) = by {
        drag["by"] = Value::from(by.pair().to_vec());
    }
    steps.push(step("drag", drag));
    steps
}
