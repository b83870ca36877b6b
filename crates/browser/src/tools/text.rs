//! A page in other forms than the snapshot: `browser_get_visible_text`,
//! `browser_get_page_metadata`, `browser_get_filtered_aria_tree`.

use std::sync::{Arc, PoisonError};

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_guard::headers::redact_url;
use outrigger_protocol::capabilities::PageFunction;
use outrigger_protocol::facts::FactsArgs;
use outrigger_protocol::inspection::Metadata;
use outrigger_protocol::link::RiskLevel;
use outrigger_snapshot::budget::whole_lines;
use outrigger_snapshot::line::cost;
use outrigger_snapshot::tree::Filter;
use outrigger_snapshot::{plain, tokens, tree};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{Page, host, page_of};
use crate::query::Asked;
use crate::selector::Wanted;

use super::entries::entry;
use super::navigation::NoParams;
use super::reading::{budget, left_out, shortcomings};

/// What a text or a tree costs at most, unless a call says otherwise.
const DEFAULT_BUDGET: usize = 8000;
/// Elements whose words are read by one selector.
const MOST_ELEMENTS: u32 = 100;

/// `browser_get_visible_text`.
pub(super) struct GetVisibleText(pub(super) Arc<Desk>);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetVisibleTextParams {
    /// Only of these elements: CSS, text=…, role=…, xpath=… or a ref.
    pub(super) selector: Option<String>,
    /// Default: 8000.
    pub(super) max_tokens: Option<usize>,
    /// Skip so many letters, to read on.
    pub(super) offset: Option<usize>,
}

impl Tool for GetVisibleText {
    type Params = GetVisibleTextParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<GetVisibleTextParams>(
            "browser_get_visible_text",
            "The words of the page, without refs.",
            RiskLevel::Read,
            ToolSet::Full(Family::Reading),
        )
    }

    async fn aim(
        &self,
        _: &GetVisibleTextParams,
        at: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::ReadDom).await?)
    }

    async fn execute(
        &self,
        call: Authorized<GetVisibleTextParams, TabTarget>,
    ) -> Result<Reply, Fault> {
        let page = page_of(&self.0, &call, false).await?;
        visible_text(&page, &call.params).await
    }
}

/// The words of a page, from `offset` on and as far as the budget goes.
pub(super) async fn visible_text(
    page: &Page<'_>,
    wanted: &GetVisibleTextParams,
) -> Result<Reply, Fault> {
    let (text, note) = match &wanted.selector {
        Some(selector) => text_of(page, selector).await?,
        None => {
            let frames = page.look(FactsArgs { in_part: true, ..FactsArgs::default() }).await?;
            (plain(&frames), shortcomings(&frames))
        }
    };
    let skipped = wanted.offset.unwrap_or(0);
    let rest = text.char_indices().nth(skipped).map_or("", |(at, _)| &text[at..]);
    if skipped > 0 && rest.is_empty() {
        let letters = text.chars().count();
        return Ok(Reply::said(format!(
            "Nothing is left from there on: the text has only {letters} letters."
        )));
    }
    let shown = within(rest, budget(wanted.max_tokens, DEFAULT_BUDGET));
    let reply = note.map_or_else(Reply::default, Reply::said);
    let reply = reply.page(host(&page.facts()?.url), shown);
    let left = rest.len() - shown.len();
    if left == 0 {
        return Ok(reply);
    }
    let next = skipped + shown.chars().count();
    Ok(reply.and_said(format!("There is more: read on with offset {next}.")))
}

/// The words of elements, and that there are more than were read.
async fn text_of(
    page: &Page<'_>,
    selector: &str,
) -> Result<(String, Option<String>), BrowserError> {
    let asked = Asked {
        limit: MOST_ELEMENTS,
        visible_only: true,
        text_letters: 1_000_000,
        ..Asked::default()
    };
    let answer = page.query(&Wanted::read(selector), asked).await?;
    if answer.total == 0 {
        let message = "No visible element of the page matches. Try another selector";
        return Err(BrowserError::NotFound(message.to_owned()));
    }
    let texts: Vec<&str> = answer.found.iter().map(|found| found.item.text.as_str()).collect();
    let left = (answer.total as usize).saturating_sub(texts.len());
    let note = (left > 0).then(|| {
        let read = texts.len();
        format!("The first {read} elements were read; {left} more match. Narrow the selector.")
    });
    Ok((texts.join("\n"), note))
}

/// As much of a text as a budget pays for, in whole words where there are any.
fn within(text: &str, budget: usize) -> &str {
    let room = budget * tokens::WEIGHT_OF_A_TOKEN;
    let mut used = 0;
    let mut end = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        used += tokens::weight(word);
        if used > room && end > 0 {
            return &text[..end];
        }
        if used > room {
            // One word that is longer than all there is to spend.
            return &text[..text.floor_char_boundary(budget * 4)];
        }
        end += word.len();
    }
    text
}

/// `browser_get_page_metadata`.
pub(super) struct GetPageMetadata(pub(super) Arc<Desk>);

impl Tool for GetPageMetadata {
    type Params = NoParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<NoParams>(
            "browser_get_page_metadata",
            "What the page says of itself: title, language, description, Open Graph, links, counts.",
            RiskLevel::Read,
            ToolSet::Full(Family::Reading),
        )
    }

    async fn aim(&self, _: &NoParams, at: &Circumstances) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::ReadDom).await?)
    }

    async fn execute(&self, call: Authorized<NoParams, TabTarget>) -> Result<Reply, Fault> {
        let page = page_of(&self.0, &call, false).await?;
        let metadata: Metadata = page.ask(PageFunction::Metadata, Value::Null).await?;
        let reply = match undecided(&metadata) {
            Some(said) => Reply::said(said),
            None => Reply::default(),
        };
        Ok(reply.page(host(&metadata.url), describe(&metadata).join("\n")))
    }
}

/// What the browser would ask the user about. Whether it is asking just now, it
/// tells nobody.
fn undecided(metadata: &Metadata) -> Option<String> {
    let asked = metadata.permissions.iter().filter(|(_, state)| *state == "prompt");
    let is_plain = |name: &&str| name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let names: Vec<&str> = asked.map(|(name, _)| name.as_str()).filter(is_plain).collect();
    (!names.is_empty()).then(|| {
        format!(
            "Not decided yet: {}. If the page wants one of these it waits for the browser's own \
             prompt, which agents can't press: ask the user to answer it in that tab.",
            names.join(", ")
        )
    })
}

fn describe(metadata: &Metadata) -> Vec<String> {
    let mut lines = Vec::new();
    let modified = metadata.last_modified.clone().unwrap_or_default();
    for (name, value) in [
        ("title", &metadata.title),
        ("url", &metadata.url),
        ("language", &metadata.language),
        ("charset", &metadata.charset),
        ("content type", &metadata.content_type),
        ("last modified", &modified),
    ] {
        if !value.is_empty() {
            lines.push(entry(&format!("{name}: {}", redact_url(value))));
        }
    }
    let more = metadata.meta.iter().chain(&metadata.links);
    lines.extend(more.map(|(name, value)| entry(&format!("{name}: {}", redact_url(value)))));
    if !metadata.structured.is_empty() {
        lines.push(entry(&format!("structured data: {}", metadata.structured.join(", "))));
    }
    let decided = metadata.permissions.iter().filter(|(_, state)| *state != "prompt");
    let decided: Vec<String> = decided.map(|(name, state)| format!("{name} {state}")).collect();
    if !decided.is_empty() {
        lines.push(format!("permissions: {}", decided.join(", ")));
    }
    let counts: Vec<String> =
        metadata.counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
    if !counts.is_empty() {
        lines.push(format!("has: {}", counts.join(", ")));
    }
    lines
}

/// `browser_get_filtered_aria_tree`.
pub(super) struct GetFilteredAriaTree(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetFilteredAriaTreeParams {
    /// Only these roles. Default: all.
    roles: Option<Vec<String>>,
    /// Only what can be used.
    interactive_only: Option<bool>,
    /// How deep to go.
    max_depth: Option<usize>,
    /// Default: 8000.
    max_tokens: Option<usize>,
}

impl Tool for GetFilteredAriaTree {
    type Params = GetFilteredAriaTreeParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<GetFilteredAriaTreeParams>(
            "browser_get_filtered_aria_tree",
            "The tree of roles and names, one line a node.",
            RiskLevel::Read,
            ToolSet::Full(Family::Reading),
        )
    }

    async fn aim(
        &self,
        _: &GetFilteredAriaTreeParams,
        at: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::ReadDom).await?)
    }

    async fn execute(
        &self,
        call: Authorized<GetFilteredAriaTreeParams, TabTarget>,
    ) -> Result<Reply, Fault> {
        let params = &call.params;
        let page = page_of(&self.0, &call, false).await?;
        let filter = Filter {
            roles: params.roles.clone().unwrap_or_default(),
            controls_only: params.interactive_only.unwrap_or(false),
            deepest: params.max_depth,
        };
        // Nothing that is left out by that can be pressed.
        let every_control = Filter { controls_only: filter.controls_only, ..Filter::default() };
        let in_part = filter != every_control;
        let frames = page.look(FactsArgs { in_part, ..FactsArgs::default() }).await?;
        let view = page.view()?;
        let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
        view.look(&frames);
        let lines = tree(&frames, &mut view.refs, &filter);
        if lines.is_empty() {
            let unread = left_out(&frames).map_or_else(String::new, |note| format!("{note} "));
            let message =
                format!("{unread}Nothing on the page has such a role. Ask for others, or for none");
            return Err(BrowserError::NotFound(message).into());
        }
        let budget = budget(params.max_tokens, DEFAULT_BUDGET);
        if !in_part && cost(&lines) <= budget {
            view.labels.forget();
        }
        let lines = whole_lines(&lines, budget);
        let reply = shortcomings(&frames).map_or_else(Reply::default, Reply::said);
        Ok(reply.page(host(&frames[0].facts.url), lines.join("\n")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_words_and_a_word_without_end_is_cut_all_the_same() {
        let text = "one two three ".repeat(100);
        let shown = within(&text, 50);
        assert!(text.starts_with(shown) && shown.ends_with(' '), "{shown:?}");
        assert!((100..400).contains(&shown.len()), "{}", shown.len());
        assert_eq!(within("short", 50), "short");
        assert_eq!(within(&"x".repeat(10_000), 50).len(), 200);
    }
}
