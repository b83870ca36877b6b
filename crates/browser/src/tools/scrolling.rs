//! `browser_scroll`: the page, or what is around an element; by a distance, to
//! an end, to a text, or until an element is in view.

use std::sync::Arc;

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::capabilities::{Scrolled, Scrolling};
use outrigger_protocol::inspection::Selector;
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::desk::Desk;
use crate::error::BrowserError;
use crate::page::Page;
use crate::query::Asked;
use crate::selector::Wanted;
use crate::target::{Aimed, Pointed, Target, maybe_pointed_of};

use super::acting::Done;

/// `browser_scroll`.
pub(super) struct Scroll(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ScrollParams {
    #[serde(flatten)]
    target: Target,
    to: Option<End>,
    /// Pixels.
    by: Option<Distance>,
    /// To this text.
    text: Option<String>,
    /// How other systems say `by`; not in the schema, which costs every client tokens.
    #[serde(rename = "deltaY")]
    #[schemars(skip)]
    delta_y: Option<f64>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum End {
    Top,
    Bottom,
}

/// A distance in CSS pixels, to the right and down.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Distance {
    #[serde(default)]
    x: f64,
    #[serde(default)]
    y: f64,
}

impl Distance {
    pub(super) fn pair(self) -> [f64; 2] {
        [self.x, self.y]
    }
}

impl ScrollParams {
    /// How to scroll, if it is said in one way.
    fn how(&self) -> Option<Scrolling> {
        let by = match (self.by, self.delta_y) {
            (by, None) => by,
            (None, Some(y)) => Some(Distance { x: 0.0, y }),
            _ => return None,
        };
        match (self.to, by, &self.text) {
            (Some(End::Top), None, None) => Some(Scrolling::Top),
            (Some(End::Bottom), None, None) => Some(Scrolling::Bottom),
            (None, Some(by), None) => Some(Scrolling::By(by.pair())),
            (None, None, Some(_)) if !self.target.is_given() => Some(Scrolling::IntoView),
            (None, None, None) if self.target.is_given() => Some(Scrolling::IntoView),
            _ => None,
        }
    }
}

impl Tool for Scroll {
    type Params = ScrollParams;
    type Target = Aimed;

    fn definition(&self) -> Definition {
        Definition::of::<ScrollParams>(
            "browser_scroll",
            "Scroll the page, or an element into view; with to or by, the box around it.",
            RiskLevel::Act,
            ToolSet::Core(Family::Acting),
        )
    }

    async fn aim(&self, params: &ScrollParams, at: &Circumstances) -> Result<Aim<Aimed>, Fault> {
        if params.how().is_none() {
            let problem = "Give one of to, by, text, or only what to bring into view".to_owned();
            return Err(invalid(&self.definition(), problem));
        }
        Ok(self.0.aim_at_any(at, PermissionKey::Scroll, &params.target).await?)
    }

    async fn execute(&self, call: Authorized<ScrollParams, Aimed>) -> Result<Reply, Fault> {
        let how = call.params.how().unwrap_or(Scrolling::IntoView);
        let turn = self.0.turn(&call, call.target.place()).await?;
        let (page, mut pointed) = maybe_pointed_of(&call).await?;
        if let Some(text) = &call.params.text {
            pointed = Some(showing(&page, text).await?);
        }
        let steps = vec![page.scroll_step(pointed.as_ref(), how)];
        let (settled, results) = page.act_and_tell(&turn, steps).await?;
        let scrolled = results.first().and_then(|result| result.pointer("/frames/0/value"));
        let scrolled: Scrolled = serde_json::from_value(scrolled.cloned().unwrap_or_default())
            .map_err(|error| page.wrong_shape("scroll", error.to_string()))?;
        let said = match (&pointed, how) {
            (Some(pointed), Scrolling::IntoView) => {
                format!("{} is in view. {}", pointed.name, place(&scrolled))
            }
            _ if !scrolled.has_moved => format!("Nothing moved. {}", place(&scrolled)),
            _ => place(&scrolled),
        };
        let done = Done { said, to: pointed.as_ref(), settled, tells_focus: false };
        done.tell(&self.0, &page, &call.circumstances).await
    }
}

/// The first element that shows a text.
async fn showing(page: &Page<'_>, text: &str) -> Result<Pointed, Fault> {
    let selector = Selector::Text { text: text.to_owned(), exact: false, choices: false };
    let wanted = Wanted::Matching(selector);
    let only_in = Some(page.origin().clone());
    let asked = Asked { limit: 1, visible_only: true, only_in, ..Asked::default() };
    let answer = page.query(&wanted, asked).await?;
    let missing = || {
        let message = format!(
            "The page does not show {text:?}. Try fewer words, or browser_find; it may only be \
             loaded further down"
        );
        BrowserError::NotFound(message)
    };
    let found = answer.found.into_iter().next().ok_or_else(missing)?;
    let told = Some(found.headline());
    Ok(Pointed { name: found.name, element: found.key, point: None, told })
}

/// Where it stands, and whether there is more.
fn place(scrolled: &Scrolled) -> String {
    let Scrolled { at: [x, y], end: [right, bottom], is_page, .. } = *scrolled;
    let what = if is_page { "The page" } else { "The box" };
    let mut more = Vec::new();
    for (is_there, word) in [
        (y >= 1.0, "above"),
        (bottom - y >= 1.0, "below"),
        (x >= 1.0, "to the left"),
        (right - x >= 1.0, "to the right"),
    ] {
        if is_there {
            more.push(word);
        }
    }
    let more = match more.as_slice() {
        [] => "all of it is in view".to_owned(),
        more => format!("there is more {}", more.join(" and ")),
    };
    let across =
        if right >= 1.0 { format!(", {x:.0} of {right:.0} across") } else { String::new() };
    format!("{what} is at {y:.0} of {bottom:.0} px{across}; {more}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_it_stands_is_told_with_what_is_beyond() {
        let told = |at, end| place(&Scrolled { at, end, is_page: true, has_moved: true });
        assert_eq!(told([0.0, 0.0], [0.0, 0.0]), "The page is at 0 of 0 px; all of it is in view.");
        assert_eq!(
            told([0.0, 99.6], [0.0, 500.0]),
            "The page is at 100 of 500 px; there is more above and below."
        );
        assert_eq!(
            told([5.0, 0.0], [5.0, 0.4]),
            "The page is at 0 of 0 px, 5 of 5 across; there is more to the left."
        );
    }
}
