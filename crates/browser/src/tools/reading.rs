//! Reading a page: `browser_snapshot`, `browser_find`.

use std::sync::{Arc, PoisonError};

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::link::RiskLevel;
use outrigger_snapshot::{Frame, find, render};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{Page, host, page_of};

use super::navigation::NoParams;

/// `browser_snapshot`.
pub(super) struct Snapshot(pub(super) Arc<Desk>);

impl Tool for Snapshot {
    type Params = NoParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<NoParams>(
            "browser_snapshot",
            "The page as text, with a ref for everything that can be used.",
            RiskLevel::Read,
            ToolSet::Core,
        )
    }

    async fn aim(&self, _: &NoParams, at: &Circumstances) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::ReadDom).await?)
    }

    async fn execute(&self, call: Authorized<NoParams, TabTarget>) -> Result<Reply, Fault> {
        let page = page_of(&self.0, &call, false).await?;
        let (frames, lines) = read(&page).await?;
        let facts = &frames[0].facts;
        let text = format!("{}\n{}\n\n{}", facts.title, facts.url, lines.join("\n"));
        Ok(Reply::default().page(host(&facts.url), text))
    }
}

/// Looks at all frames of a page and writes them, remembering the refs.
pub(super) async fn read(page: &Page<'_>) -> Result<(Vec<Frame>, Vec<String>), BrowserError> {
    let frames = page.look().await?;
    let view = page.view()?;
    let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
    view.look(&frames);
    let lines = render(&frames, &mut view.refs);
    Ok((frames, lines))
}

/// `browser_find`.
pub(super) struct Find(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FindParams {
    /// Words that the line holds.
    query: String,
    /// Only controls of this role: link, button, textbox…
    role: Option<String>,
    /// Default: 10.
    limit: Option<usize>,
}

impl Tool for Find {
    type Params = FindParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<FindParams>(
            "browser_find",
            "Search the whole page; gives the matching lines with their refs.",
            RiskLevel::Read,
            ToolSet::Core,
        )
    }

    async fn aim(&self, _: &FindParams, at: &Circumstances) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::ReadDom).await?)
    }

    async fn execute(&self, call: Authorized<FindParams, TabTarget>) -> Result<Reply, Fault> {
        let FindParams { query, role, limit } = &call.params;
        let page = page_of(&self.0, &call, false).await?;
        let (frames, lines) = read(&page).await?;
        let hits = find(&lines, query, role.as_deref(), limit.unwrap_or(10));
        if hits.is_empty() {
            let what = role.as_ref().map_or_else(String::new, |role| format!(" in a {role}"));
            let message = format!(
                "Nothing on the page matches {query:?}{what}. Try fewer or other words, or take a browser_snapshot"
            );
            return Err(BrowserError::NotFound(message).into());
        }
        Ok(Reply::default().page(host(&frames[0].facts.url), hits.join("\n")))
    }
}
