//! Hands: `browser_click`, `browser_type`, `browser_press_key`. Each is one
//! batch: prepare in the page, input through the debugger, wait until settled.

use std::sync::Arc;

use outrigger_dispatch::fault::PageWords;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::{PageFunction, Settled};
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::cdp::{self, InsertText};
use crate::desk::{Desk, ElementTarget, TabTarget};
use crate::error::BrowserError;
use crate::keyboard::KeyPress;
use crate::page::{Page, host, page_of, page_of_element};
use crate::sessions::TabKey;

use super::reading::aftermath;

/// `browser_click`.
pub(super) struct Click(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ClickParams {
    /// What to click.
    r#ref: String,
}

impl Tool for Click {
    type Params = ClickParams;
    type Target = ElementTarget;

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
    ) -> Result<Aim<ElementTarget>, Fault> {
        Ok(self.0.aim_at_element(circumstances, PermissionKey::Click, &params.r#ref).await?)
    }

    async fn execute(&self, call: Authorized<ClickParams, ElementTarget>) -> Result<Reply, Fault> {
        let page = page_of_element(&call);
        let mut steps = vec![page.element_step(PageFunction::Prepare, &call.target, false)];
        steps.extend(cdp::click(page.tab));
        let settled = page.act(steps).await?;
        adopt(&self.0, &page, &call.circumstances, &settled);
        describe(&page, &format!("Clicked {}.", call.target.name), &settled, false).await
    }
}

/// `browser_type`.
pub(super) struct Type(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TypeParams {
    /// The field.
    r#ref: String,
    /// What to type.
    text: String,
    /// Empty the field first.
    clear: Option<bool>,
    /// Press Enter after.
    submit: Option<bool>,
}

impl Tool for Type {
    type Params = TypeParams;
    type Target = ElementTarget;

    fn definition(&self) -> Definition {
        Definition::of::<TypeParams>(
            "browser_type",
            "Type text into a field.",
            RiskLevel::Act,
            ToolSet::Core,
        )
    }

    async fn aim(
        &self,
        params: &TypeParams,
        circumstances: &Circumstances,
    ) -> Result<Aim<ElementTarget>, Fault> {
        Ok(self.0.aim_at_element(circumstances, PermissionKey::Input, &params.r#ref).await?)
    }

    async fn execute(&self, call: Authorized<TypeParams, ElementTarget>) -> Result<Reply, Fault> {
        let TypeParams { text, clear, submit, .. } = &call.params;
        let clear = clear.unwrap_or(false);
        let page = page_of_element(&call);
        let mut steps = vec![page.element_step(PageFunction::FocusForText, &call.target, clear)];
        if !text.is_empty() {
            steps.push(cdp::command(page.tab, &InsertText { text: text.clone() }));
        } else if clear {
            // Clearing selects what is there; without new text a key removes it.
            steps.extend(cdp::press(page.tab, &KeyPress::parse("Delete")?));
        }
        // Looked at before Enter, after which the page may be another.
        let look = steps.len();
        steps.push(page.element_step(PageFunction::FieldText, &call.target, false));
        let submit = submit.unwrap_or(false);
        if submit {
            steps.extend(cdp::press(page.tab, &KeyPress::parse("Enter")?));
        }
        let (settled, results) = page.act_and_tell(steps).await?;
        adopt(&self.0, &page, &call.circumstances, &settled);
        let held = results.get(look).and_then(|result| result.pointer("/frames/0/value/text"));
        if let Some(held) = held.and_then(Value::as_str)
            && !took(held, text, clear)
        {
            return Err(not_taken(&call.target.name.to_string(), held, submit, &settled));
        }
        let and = if submit { " and pressed Enter" } else { "" };
        describe(&page, &format!("Typed into {}{and}.", call.target.name), &settled, false).await
    }
}

/// Whether a field holds what was typed. White space may come out otherwise in
/// an editable element.
fn took(held: &str, typed: &str, clear: bool) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (held, typed) = (plain(held), plain(typed));
    if clear { held == typed } else { held.contains(&typed) }
}

/// The page did not take the text as it was typed: too long, not allowed there,
/// or put into another form.
fn not_taken(name: &str, held: &str, submitted: bool, settled: &Settled) -> Fault {
    let enter = if submitted { " Enter was pressed all the same." } else { "" };
    let message = format!(
        "{name} did not take the text as it was typed; what it holds now is below.{enter} Type what \
         the field accepts, with clear."
    );
    let page = PageWords { domain: host(&settled.tab.url), text: held.to_owned() };
    Fault::Tool { code: ErrorCode::NotEditable, message, page: Some(page) }
}

/// `browser_press_key`.
pub(super) struct PressKey(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PressKeyParams {
    /// Enter, Escape, ArrowDown, a, Control+a…
    key: String,
}

impl Tool for PressKey {
    type Params = PressKeyParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<PressKeyParams>(
            "browser_press_key",
            "Press a key or a chord in whatever has the focus.",
            RiskLevel::Act,
            ToolSet::Core,
        )
    }

    async fn aim(
        &self,
        params: &PressKeyParams,
        circumstances: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        KeyPress::parse(&params.key)?;
        Ok(self.0.aim(circumstances, PermissionKey::Input).await?)
    }

    async fn execute(&self, call: Authorized<PressKeyParams, TabTarget>) -> Result<Reply, Fault> {
        let press = KeyPress::parse(&call.params.key)?;
        if call.target.tab.is_none() {
            return Err(BrowserError::NoCurrentTab.into());
        }
        let page = page_of(&self.0, &call, true).await?;
        let settled = page.act(cdp::press(page.tab, &press)).await?;
        adopt(&self.0, &page, &call.circumstances, &settled);
        describe(&page, &format!("Pressed {}.", call.params.key), &settled, true).await
    }
}

/// Tabs that an action opened belong to the session that acted.
fn adopt(desk: &Desk, page: &Page<'_>, circumstances: &Circumstances, settled: &Settled) {
    let caller = &circumstances.caller;
    let keys = settled.opened.iter().map(|tab| page.key(tab.id));
    let keys: Vec<TabKey> = keys.collect();
    desk.sessions.with(&caller.session, &caller.client, |session| session.tabs.extend(keys));
}

/// What was done, where it led, and what it changed. A key may have been
/// pressed to move the focus; whoever clicks or types knows where it is.
async fn describe(
    page: &Page<'_>,
    done: &str,
    settled: &Settled,
    tells_focus: bool,
) -> Result<Reply, Fault> {
    let mut said = done.to_owned();
    let mut words = Vec::new();
    if let Some(error) = &settled.failed {
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || "_:".contains(*c);
        let error: String = error.chars().filter(is_plain).collect();
        said.push_str(&format!(" The page that it leads to could not be loaded ({error})."));
    } else if settled.navigated {
        said.push_str(" The tab went to the page below.");
    }
    for tab in &settled.opened {
        said.push_str(&format!(" It opened tab {}.", tab.id));
        words.push(format!("tab {}: {}", tab.id, tab.url));
    }
    if !settled.settled {
        said.push_str(" The page is still changing (unsettled).");
    }
    let changes = match &settled.failed {
        Some(_) => Vec::new(),
        None => aftermath(page, tells_focus).await.unwrap_or_else(|error| {
            // The action is done; that nobody can look is no reason to call it failed.
            said.push_str(&format!(" The page can't be looked at now ({}).", error.code()));
            Vec::new()
        }),
    };
    if changes.is_empty() && settled.navigated && settled.failed.is_none() {
        words.push(format!("{}\n{}", settled.tab.title, settled.tab.url));
    } else if !changes.is_empty() && !settled.navigated {
        said.push_str(" What changed is below.");
    }
    words.extend(changes);
    let reply = Reply::said(said);
    if words.is_empty() {
        Ok(reply)
    } else {
        Ok(reply.page(host(&settled.tab.url), words.join("\n")))
    }
}
