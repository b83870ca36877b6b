//! Reading a page: `browser_snapshot`, `browser_find`.

use std::sync::{Arc, PoisonError};

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::capabilities::Frames;
use outrigger_protocol::facts::{FactsArgs, Node};
use outrigger_protocol::link::RiskLevel;
use outrigger_snapshot::budget::{From, in_view};
use outrigger_snapshot::placement::missing;
use outrigger_snapshot::{Detail, Frame, SectionName, Written, find, fit, open, render};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::browsers::TabView;
use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{Page, host, page_of};

use super::words::{self, Place};

/// What a look costs at most, unless it says otherwise.
const DEFAULT_BUDGET: usize = 2000;

/// Less than this shows nothing, more than this nobody reads.
const LEAST_BUDGET: usize = 20;
const MOST_BUDGET: usize = 10_000_000;

/// `browser_snapshot`.
pub(super) struct Snapshot(pub(super) Arc<Desk>);

#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SnapshotParams {
    /// Default: 2000.
    max_tokens: Option<usize>,
    /// Open a section (s4).
    section: Option<String>,
    /// Only what is in this element.
    r#ref: Option<String>,
    /// viewport: only what is in view. page: from the top. Default: in view, then an outline.
    scope: Option<Scope>,
    /// Also what can't be seen, marked hidden.
    include_hidden: Option<bool>,
    /// Add @x,y,width×height.
    boxes: Option<bool>,
}

#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Scope {
    Viewport,
    Page,
}

impl Tool for Snapshot {
    type Params = SnapshotParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<SnapshotParams>(
            "browser_snapshot",
            "The page as text, with a ref for everything that can be used. What doesn't fit is \
             outlined as § title s4 (tokens).",
            RiskLevel::Read,
            ToolSet::Core(Family::Reading),
        )
    }

    async fn aim(
        &self,
        params: &SnapshotParams,
        at: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        if params.section.is_some() && params.r#ref.is_some() {
            let problem = "`section` and `ref` are two places to look at: give one";
            return Err(invalid(&self.definition(), problem.to_owned()));
        }
        Ok(self.0.aim(at, PermissionKey::ReadDom).await?)
    }

    async fn execute(&self, call: Authorized<SnapshotParams, TabTarget>) -> Result<Reply, Fault> {
        let page = page_of(&self.0, &call, false).await?;
        snapshot(&page, &call.params).await
    }
}

/// The page within a budget, or the part of it that is asked for.
pub(super) async fn snapshot(page: &Page<'_>, wanted: &SnapshotParams) -> Result<Reply, Fault> {
    let wanted = &wanted.of_section(page)?;
    let (frames, written) = match &wanted.r#ref {
        Some(name) => read_element(page, name, wanted).await?,
        None if wanted.is_plain() => read(page).await?,
        None => read_otherwise(page, wanted).await?,
    };
    let lines = choose(page, &written, wanted)?;
    {
        let view = page.view()?;
        let TabView { labels, refs, .. } =
            &mut *view.lock().unwrap_or_else(PoisonError::into_inner);
        labels.tell(refs, &lines);
    }
    let facts = &frames[0].facts;
    let text = format!("{}\n\n{}", Place::of_page(facts), lines.join("\n"));
    let reply = shortcomings(&frames).map_or_else(Reply::default, Reply::said);
    Ok(reply.page(host(&facts.url), text))
}

impl SnapshotParams {
    /// A section is looked for the way it was found.
    fn of_section(&self, page: &Page<'_>) -> Result<Self, BrowserError> {
        let mut wanted = self.clone();
        if let Some(name) = &self.section {
            let missing = || BrowserError::NoSection(name.clone());
            let section: SectionName = name.parse().map_err(|_| missing())?;
            let view = page.view()?;
            let view = view.lock().unwrap_or_else(PoisonError::into_inner);
            let look = view.sections.look_of(section).ok_or_else(missing)?;
            (wanted.r#ref, wanted.include_hidden, wanted.boxes) =
                serde_json::from_str(look).unwrap_or_default();
        }
        Ok(wanted)
    }

    /// In a form that `of_section` reads.
    pub(super) fn look(&self) -> String {
        let look = (&self.r#ref, self.include_hidden, self.boxes);
        serde_json::to_string(&look).unwrap_or_default()
    }

    /// Shows what every other look shows, so that later ones can be compared with it.
    fn is_plain(&self) -> bool {
        self.include_hidden != Some(true) && self.boxes != Some(true)
    }

    fn detail(&self) -> Detail {
        Detail {
            boxes: self.boxes.unwrap_or(false),
            placed_only: false,
            hidden: self.include_hidden.unwrap_or(false),
        }
    }

    fn facts(&self, root: Option<u32>) -> FactsArgs {
        let include_hidden = self.include_hidden.unwrap_or(false);
        FactsArgs { include_hidden, root, in_part: false }
    }
}

fn choose(
    page: &Page<'_>,
    written: &Written,
    wanted: &SnapshotParams,
) -> Result<Vec<String>, BrowserError> {
    let budget = budget(wanted.max_tokens, DEFAULT_BUDGET);
    let view = page.view()?;
    let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
    view.sections.set_look(wanted.look());
    if wanted.section.is_none() && wanted.r#ref.is_none() {
        view.labels.forget();
    }
    if let Some(name) = &wanted.section {
        let missing = || BrowserError::NoSection(name.clone());
        let section = name.parse().map_err(|_| missing())?;
        let range = view.sections.find(section, &written.lines).ok_or_else(missing)?;
        return Ok(open(written, range, budget, &mut view.sections));
    }
    let from = match wanted.scope {
        Some(Scope::Viewport) => return Ok(in_view(&written.lines, budget)),
        Some(Scope::Page) => From::Top,
        // Whoever looks at one list wants to see what is in it.
        None if wanted.r#ref.is_some() && written.is_one_run() => {
            return Ok(open(written, 0..written.lines.len(), budget, &mut view.sections));
        }
        None if wanted.r#ref.is_some() => From::Top,
        None => From::Viewport,
    };
    Ok(fit(written, from, budget, &mut view.sections))
}

/// What a look may cost: what is asked for, within reason.
pub(super) fn budget(asked: Option<usize>, default: usize) -> usize {
    asked.unwrap_or(default).clamp(LEAST_BUDGET, MOST_BUDGET)
}

/// What a reader should know of how the page was read.
pub(super) fn shortcomings(frames: &[Frame]) -> Option<String> {
    let mut notes = Vec::new();
    let main = frames.first().map(|frame| &frame.facts);
    if let Some(status) = main.and_then(|facts| facts.status).filter(|status| *status >= 400) {
        notes.push(format!("The server answered with HTTP status {status}."));
    }
    if main.is_some_and(|facts| facts.is_pdf) {
        notes.push(words::PDF.trim_start().to_owned());
    }
    if frames.iter().any(|frame| frame.facts.changing) {
        notes
            .push("The page kept changing while it was read; parts may be out of date.".to_owned());
    }
    notes.extend(left_out(frames));
    (!notes.is_empty()).then(|| notes.join(" "))
}

const WHY_MISSING: &str = "could not be read (crashed, not loaded or not allowed).";

/// That there is more on the page than was read.
pub(super) fn left_out(frames: &[Frame]) -> Option<String> {
    let omitted = frames.iter().filter_map(|frame| frame.facts.omitted_letters);
    let omitted: u64 = omitted.map(u64::from).sum();
    let text = (omitted > 0).then(|| {
        format!("The page has more text than can be read; {omitted} letters were left out.")
    });
    let of_frames = match missing(frames) {
        0 => None,
        1 => Some(format!("A frame of the page {WHY_MISSING}")),
        more => Some(format!("{more} frames of the page {WHY_MISSING}")),
    };
    let notes: Vec<String> = text.into_iter().chain(of_frames).collect();
    (!notes.is_empty()).then(|| notes.join(" "))
}

/// Pages with more than this are read anew after every action.
const MOST_NODES: usize = 2_000;
const MOST_BYTES: usize = 200_000;

/// Frames, and what was written of them.
pub(super) type Seen = (Arc<Vec<Frame>>, Written);

/// Looks at all frames of a page and writes them, remembering the refs.
pub(super) async fn read(page: &Page<'_>) -> Result<Seen, BrowserError> {
    let frames = page.look(FactsArgs::default()).await?;
    written(page, frames)
}

/// The same of frames that were looked at already.
pub(super) fn written(page: &Page<'_>, frames: Vec<Frame>) -> Result<Seen, BrowserError> {
    let view = page.view()?;
    let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
    view.look(&frames);
    let written = render(&frames, &mut view.refs, Detail::default());
    view.last_look.clone_from(&written.lines);
    view.last_title = frames.first().map(|frame| frame.facts.title.clone()).unwrap_or_default();
    let frames = Arc::new(frames);
    view.last_frames = is_little(&frames).then(|| frames.clone());
    Ok((frames, written))
}

/// A look of which the agent is told a part: what it was shown of this page before stays
/// what later looks are compared with.
pub(super) async fn glance(page: &Page<'_>) -> Result<Seen, BrowserError> {
    let frames = page.look(FactsArgs { in_part: true, ..FactsArgs::default() }).await?;
    let view = page.view()?;
    let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
    if !view.has_shown(&frames) {
        drop(view);
        return written(page, frames);
    }
    view.look(&frames);
    let written = render(&frames, &mut view.refs, Detail::default());
    Ok((Arc::new(frames), written))
}

fn is_little(frames: &[Frame]) -> bool {
    let nodes = || frames.iter().flat_map(|frame| &frame.facts.nodes);
    let bytes = |node: &Node| match node {
        Node::Text { text, .. } => text.len(),
        Node::Element(element) => element.label().len(),
    };
    nodes().count() <= MOST_NODES && nodes().map(bytes).sum::<usize>() <= MOST_BYTES
}

/// A look that shows more than others do, and is not compared with them.
async fn read_otherwise(page: &Page<'_>, wanted: &SnapshotParams) -> Result<Seen, BrowserError> {
    let frames = page.look(wanted.facts(None)).await?;
    let view = page.view()?;
    let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
    view.look(&frames);
    let written = render(&frames, &mut view.refs, wanted.detail());
    Ok((Arc::new(frames), written))
}

/// A look at one element and what is in it.
async fn read_element(
    page: &Page<'_>,
    name: &str,
    wanted: &SnapshotParams,
) -> Result<Seen, BrowserError> {
    let name = name.parse().map_err(|_| BrowserError::NotARef(name.to_owned()))?;
    let key = page.element(name)?;
    let args = wanted.facts(Some(key.node));
    let mut frames = page.look_at(args, Frames::Documents(vec![key.document.clone()])).await?;
    // Frames may be in it, and in those others.
    let all = page.look(FactsArgs { in_part: true, ..wanted.facts(None) }).await?;
    frames.extend(all.into_iter().filter(|frame| frame.document != key.document));
    let view = page.view()?;
    let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
    let detail = Detail { placed_only: true, ..wanted.detail() };
    let written = render(&frames, &mut view.refs, detail);
    Ok((Arc::new(frames), written))
}

/// Lines that a search gives, unless it says otherwise.
const FOUND: usize = 10;

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
            ToolSet::Core(Family::Reading),
        )
    }

    async fn aim(&self, params: &FindParams, at: &Circumstances) -> Result<Aim<TabTarget>, Fault> {
        // Of a role alone there are some to be found.
        if params.query.trim().is_empty() && params.role.is_none() {
            let problem = "`query` has no words to look for";
            return Err(invalid(&self.definition(), problem.to_owned()));
        }
        Ok(self.0.aim(at, PermissionKey::ReadDom).await?)
    }

    async fn execute(&self, call: Authorized<FindParams, TabTarget>) -> Result<Reply, Fault> {
        let page = page_of(&self.0, &call, false).await?;
        search(&page, &call.params).await
    }
}

/// The lines that match.
pub(super) async fn search(page: &Page<'_>, wanted: &FindParams) -> Result<Reply, Fault> {
    let FindParams { query, role, limit } = wanted;
    let (frames, written) = glance(page).await?;
    let left_out = left_out(&frames);
    let shown = limit.unwrap_or(FOUND).max(1);
    let found = find(&written.lines, query, role.as_deref(), shown);
    if found.total == 0 {
        let what = role.as_ref().map_or_else(String::new, |role| format!(" in a {role}"));
        let unread = left_out.map_or_else(String::new, |note| format!("{note} "));
        let message = format!(
            "{unread}Nothing on the page matches {query:?}{what}. Try fewer or other words, or take a browser_snapshot"
        );
        return Err(BrowserError::NotFound(message).into());
    }
    let view = page.view()?;
    let TabView { labels, refs, .. } = &mut *view.lock().unwrap_or_else(PoisonError::into_inner);
    labels.find(refs, &frames, &found.lines);
    let reply = left_out.map_or_else(Reply::default, Reply::said);
    let reply = reply.page(host(&frames[0].facts.url), found.lines.join("\n"));
    let more = found.total.saturating_sub(shown);
    Ok(if more == 0 { reply } else { reply.and_said(format!("… {more} more match.")) })
}
