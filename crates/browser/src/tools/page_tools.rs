//! `browser_page_tools`: tools that a page itself offers to agents (WebMCP).
//! Their names, descriptions and answers are the page's words.

use std::sync::Arc;
use std::time::Duration;

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::page_tool::{OfferedTool, consequence_of_call};
use outrigger_guard::{Denial, PermissionKey};
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::{Frames, PageFunction};
use outrigger_protocol::link::RiskLevel;
use outrigger_protocol::page_state::{PageTool, PageToolCall, PageTools as Offered, PageToolsArgs};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{Page, host, page_of};
use crate::stakes;
use crate::turns::Turn;

use super::acting::Done;
use super::entries::entry;

/// Kept of the call's time for what comes after the page's tool.
const MARGIN: Duration = Duration::from_secs(3);
/// Of what a tool says of itself, in a question to the user.
const LONGEST_SHOWN: usize = 300;

/// `browser_page_tools`.
pub(super) struct PageTools(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PageToolsParams {
    /// Call this one. Without: list them.
    name: Option<String>,
    /// What it takes.
    arguments: Option<Map<String, Value>>,
}

impl Tool for PageTools {
    type Params = PageToolsParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<PageToolsParams>(
            "browser_page_tools",
            "Tools that the page itself offers to agents: list them, or call one.",
            RiskLevel::Act,
            ToolSet::Full(Family::Page),
        )
    }

    async fn aim(
        &self,
        params: &PageToolsParams,
        at: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        let key = match (&params.name, &params.arguments) {
            (Some(_), _) => PermissionKey::PageTools,
            (None, None) => PermissionKey::ReadDom,
            (None, Some(_)) => {
                let problem = "`arguments` belong to the tool of a `name`";
                return Err(invalid(&self.definition(), problem.to_owned()));
            }
        };
        Ok(self.0.aim(at, key).await?)
    }

    async fn execute(
        &self,
        mut call: Authorized<PageToolsParams, TabTarget>,
    ) -> Result<Reply, Fault> {
        let judged = match call.params.name.clone() {
            Some(name) => confirm(&mut call, &name).await?,
            None => None,
        };
        let page = page_of(&self.0, &call, call.params.name.is_some()).await?;
        let origin = page.origin().to_string();
        let Some(name) = call.params.name.clone() else {
            let args = PageToolsArgs { origin, call: None };
            return list(&page, &page.ask(PageFunction::PageTools, args).await?);
        };
        // It begins after what came before it, and may itself wait for what comes after.
        drop(self.0.turn(&call, page.place()).await?);
        let left =
            call.circumstances.deadline.saturating_duration_since(tokio::time::Instant::now());
        let limit = left.saturating_sub(MARGIN).max(Duration::from_secs(1));
        let wanted = PageToolCall {
            name,
            arguments: Value::Object(call.params.arguments.clone().unwrap_or_default()),
            limit_ms: u32::try_from(limit.as_millis()).unwrap_or(u32::MAX),
            judged,
        };
        let args = PageToolsArgs { origin, call: Some(wanted) };
        let step = page.script_step(PageFunction::PageTools, args, Frames::Main);
        let (settled, results) = page.act_and_tell(&Turn::out_of_order(), vec![step]).await?;
        let answer = results.first().and_then(|result| result.pointer("/frames/0/value/answer"));
        let answer = answer.and_then(Value::as_str).unwrap_or("null").to_owned();
        let domain = host(&page.facts()?.url);
        let said = "The page's tool answered.".to_owned();
        let done = Done { said, to: None, settled, tells_focus: false };
        let reply = done.tell(&self.0, &page, &call.circumstances).await?;
        Ok(reply.page(domain, answer))
    }
}

/// Asks the user, in a person's browser, unless the tool only reads as far as its
/// words go. What was confirmed is what was shown: gives the tool as it was judged, for
/// the page script to compare as it calls.
async fn confirm(
    call: &mut Authorized<PageToolsParams, TabTarget>,
    name: &str,
) -> Result<Option<PageTool>, Fault> {
    if !stakes::is_guarded(call) {
        return Ok(None);
    }
    let before = offered(call, name).await?;
    let PageTool { name, title, description, is_read_only, .. } = &before;
    let title = title.as_deref().unwrap_or_default();
    let tool = OfferedTool { name, title, description, is_read_only: *is_read_only };
    let Some(consequence) = consequence_of_call(&tool) else { return Ok(Some(before)) };
    call.confirm(consequence, Some(in_words(&tool))).await?;
    if offered(call, name).await? != before {
        return Err(Denial::ChangedMeanwhile.into());
    }
    Ok(Some(before))
}

/// What the page says of a tool now.
async fn offered(
    call: &Authorized<PageToolsParams, TabTarget>,
    name: &str,
) -> Result<PageTool, Fault> {
    let tab = call.target.tab.ok_or(BrowserError::NoCurrentTab)?;
    let (browser, deadline) = (&call.target.browser, call.circumstances.deadline);
    let page = Page::of_tab(browser, tab, call.leave(), deadline);
    let args = PageToolsArgs { origin: page.origin().to_string(), call: None };
    let Offered { tools, .. } = page.ask(PageFunction::PageTools, args).await?;
    tools.into_iter().find(|tool| tool.name == name).ok_or_else(|| {
        Fault::tool(
            ErrorCode::NotFound,
            "The page offers no tool of this name. Call browser_page_tools without a name to see \
             which it offers.",
        )
    })
}

/// For the user to read: `“deleteAccount”, Delete account: Takes all of it away`.
fn in_words(tool: &OfferedTool<'_>) -> String {
    let mut words = format!("“{}”", tool.name);
    if !tool.title.is_empty() {
        words.push_str(&format!(", {}", tool.title));
    }
    if !tool.description.is_empty() {
        let description: String = tool.description.chars().take(LONGEST_SHOWN).collect();
        words.push_str(&format!(": {description}"));
    }
    words
}

fn list(page: &Page<'_>, offered: &Offered) -> Result<Reply, Fault> {
    if !offered.is_supported {
        return Ok(Reply::said(
            "This browser doesn't let pages offer tools (WebMCP is off). Use the page itself.",
        ));
    }
    if offered.tools.is_empty() {
        return Ok(Reply::said("The page offers no tools. Use the page itself."));
    }
    let lines: Vec<String> = offered.tools.iter().map(describe).collect();
    Ok(Reply::said("Call one with its name and arguments. What they promise is the page's word.")
        .page(host(&page.facts()?.url), lines.join("\n")))
}

fn describe(tool: &PageTool) -> String {
    let reads = if tool.is_read_only { " (says it only reads)" } else { "" };
    let title = tool.title.as_ref().map(|title| format!(", {title}")).unwrap_or_default();
    entry(&format!("{}{title}{reads}: {} {}", tool.name, tool.description, tool.input_schema))
}
