//! `browser_vitals`: how fast a page was, as its browser measured it.

use std::sync::Arc;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::capabilities::PageFunction;
use outrigger_protocol::link::RiskLevel;
use outrigger_protocol::page_state::Vitals as Figures;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::desk::{Desk, TabTarget};
use crate::page::page_of;

/// Name, words, unit; and from where on the web's own advice calls it poor.
const TOLD: &[(&str, &str, &str, Option<f64>)] = &[
    ("ttfb", "first byte", "ms", Some(1800.0)),
    ("fcp", "first contentful paint", "ms", Some(3000.0)),
    ("lcp", "largest contentful paint", "ms", Some(4000.0)),
    ("cls", "layout shift", "", Some(0.25)),
    ("inp", "slowest interaction", "ms", Some(500.0)),
    ("dom_ready", "DOM ready", "ms", None),
    ("load", "loaded", "ms", None),
    ("long_tasks", "long tasks", "", None),
    ("blocked", "blocked by them", "ms", None),
    ("requests", "requests", "", None),
    ("transferred_bytes", "transferred", "bytes", None),
    ("dom_nodes", "elements", "", None),
    ("heap_bytes", "script memory", "bytes", None),
];

/// `browser_vitals`.
pub(super) struct Vitals(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct VitalsParams {}

impl Tool for Vitals {
    type Params = VitalsParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<VitalsParams>(
            "browser_vitals",
            "How fast the page was: web vitals, load times, requests, memory.",
            RiskLevel::Read,
            ToolSet::Full(Family::Diagnostics),
        )
    }

    async fn aim(&self, _: &VitalsParams, at: &Circumstances) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::ReadVitals).await?)
    }

    async fn execute(&self, call: Authorized<VitalsParams, TabTarget>) -> Result<Reply, Fault> {
        let page = page_of(&self.0, &call, false).await?;
        if page.facts().is_ok_and(|tab| tab.url == "about:blank") {
            return Ok(Reply::said("The tab is empty (about:blank): nothing was loaded there."));
        }
        let figures: Figures = page.ask(PageFunction::Vitals, Value::Null).await?;
        Ok(Reply::said(told(&figures)))
    }
}

/// Only our own names and numbers: nothing here is the page's words.
fn told(vitals: &Figures) -> String {
    let mut lines: Vec<String> = TOLD
        .iter()
        .filter_map(|(name, words, unit, poor)| {
            let value = *vitals.figures.get(*name)?;
            let judged = poor.filter(|poor| value > *poor).map_or("", |_| " (poor)");
            let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
            let value = if value.fract() == 0.0 || value >= 10.0 {
                format!("{value:.0}")
            } else {
                format!("{value:.3}")
            };
            Some(format!("{words}: {value}{unit}{judged}"))
        })
        .collect();
    if vitals.was_hidden && !vitals.figures.contains_key("lcp") {
        lines.push(
            "The tab was not in front when the page came, and what isn't shown isn't painted: for \
             paints, select the tab and reload."
                .to_owned(),
        );
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_measured_is_not_told_and_what_is_poor_is_called_so() {
        let figures = [("lcp".to_owned(), 5200.4), ("cls".to_owned(), 0.0312)].into();
        let text = told(&Figures { figures, was_hidden: true });
        assert_eq!(text, "largest contentful paint: 5200 ms (poor)\nlayout shift: 0.031");
        let hidden = told(&Figures { was_hidden: true, ..Figures::default() });
        assert!(hidden.contains("not in front"), "{hidden}");
    }
}
