//! Hands that type: `browser_type`.

use std::sync::Arc;

use outrigger_dispatch::fault::PageWords;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::{
    BatchStep, FieldText, PageFunction, ScriptResult, Settled, StakesBy,
};
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::cdp::{self, InsertText};
use crate::desk::Desk;
use crate::error::BrowserError;
use crate::keyboard::KeyPress;
use crate::page::{Page, Patience, host};
use crate::stakes;
use crate::target::{Aimed, Pointed, Target, pointed_of};
use crate::turns::Turn;

use super::acting::{Done, adopt};

/// `browser_type`.
pub(super) struct Type(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TypeParams {
    #[serde(flatten)]
    target: Target,
    /// What to type.
    text: String,
    /// Empty the field first.
    clear: Option<bool>,
    /// Press Enter after.
    submit: Option<bool>,
    /// Key by key.
    slowly: Option<bool>,
}

impl Tool for Type {
    type Params = TypeParams;
    type Target = Aimed;

    fn definition(&self) -> Definition {
        Definition::of::<TypeParams>(
            "browser_type",
            "Type text into a field.",
            RiskLevel::Act,
            ToolSet::Core(Family::Acting),
        )
    }

    async fn aim(
        &self,
        params: &TypeParams,
        circumstances: &Circumstances,
    ) -> Result<Aim<Aimed>, Fault> {
        Ok(self.0.aim_at(circumstances, PermissionKey::Input, &params.target).await?)
    }

    async fn execute(&self, mut call: Authorized<TypeParams, Aimed>) -> Result<Reply, Fault> {
        let mut turn = self.0.turn(&call, call.target.place()).await?;
        let TypeParams { text, submit, slowly, .. } = &call.params;
        let submit = submit.unwrap_or(false);
        if *slowly == Some(true) && text.contains('\n') {
            turn = stakes::confirm(&self.0, turn, &mut call, &StakesBy::Enter).await?;
        }
        if !(submit && stakes::is_guarded(&call)) {
            return self.type_into(&turn, &call, submit).await;
        }
        // What Enter sets off may be called something else once the text is in.
        let typed = self.type_into(&turn, &call, false).await?;
        let confirmed = stakes::confirm(&self.0, turn, &mut call, &StakesBy::Enter).await;
        let turn = confirmed.map_err(|fault| {
            let message = format!("The text is in, but Enter was not pressed. {fault}");
            Fault::tool(fault.code(), message)
        })?;
        Ok(typed.then(self.press_enter(&turn, &call).await?))
    }
}

impl Type {
    async fn press_enter(
        &self,
        turn: &Turn,
        call: &Authorized<TypeParams, Aimed>,
    ) -> Result<Reply, Fault> {
        let (page, pointed) = pointed_of(call).await?;
        let mut steps = vec![page.element_step(PageFunction::FocusElement, &pointed, false)];
        steps.extend(cdp::press(page.tab, &KeyPress::parse("Enter")?));
        let (settled, _) = page.act_patiently(turn, steps, Patience::Submission).await?;
        let said = "Pressed Enter.".to_owned();
        let done = Done { said, to: Some(&pointed), settled, tells_focus: false };
        done.tell(&self.0, &page, &call.circumstances).await
    }

    async fn type_into(
        &self,
        turn: &Turn,
        call: &Authorized<TypeParams, Aimed>,
        submit: bool,
    ) -> Result<Reply, Fault> {
        let TypeParams { text, clear, slowly, .. } = &call.params;
        let (clear, slowly) = (clear.unwrap_or(false), slowly.unwrap_or(false));
        let (page, pointed) = pointed_of(call).await?;
        let mut steps = Vec::new();
        if slowly && !text.is_empty() {
            steps.push(page.focus_step(&pointed, clear));
            steps.extend(text.chars().flat_map(|letter| key_by_key(page.tab, letter)));
        } else if !text.is_empty() {
            steps.push(page.insert_step(&pointed, clear, text));
        } else {
            steps.push(page.focus_step(&pointed, clear));
        }
        if text.is_empty() && clear {
            // Clearing selects what is there; without new text a key removes it.
            steps.extend(cdp::press(page.tab, &KeyPress::parse("Delete")?));
        }
        let look = steps.len();
        if submit {
            // Looked at before Enter, after which the page may be another.
            steps.push(page.element_step(PageFunction::FieldText, &pointed, false));
            steps.extend(cdp::press(page.tab, &KeyPress::parse("Enter")?));
        }
        let patience = if submit { Patience::Submission } else { Patience::Text };
        let (settled, results) = page.act_patiently(turn, steps, patience).await?;
        adopt(&self.0, &page, &call.circumstances, &settled);
        let held = if submit {
            let held = results.get(look).and_then(|result| result.pointer("/frames/0/value"));
            held.and_then(|held| FieldText::deserialize(held).ok())
        } else if settled.typed.is_some() || settled.navigated {
            settled.typed.clone()
        } else {
            held_now(&page, &pointed).await?
        };
        let is_gone = held.is_none() && !submit && !settled.navigated;
        // A field for one letter of a code passes the focus on to the next one.
        let passed_on = slowly && held.as_ref().is_some_and(|held| !held.focused);
        if let Some(held) = held.filter(|held| !passed_on && !took(held, text, clear)) {
            return Err(not_taken(&pointed.name.to_string(), held.text, submit, &settled));
        }
        let and = if submit { " and pressed Enter" } else { "" };
        let gone =
            if is_gone { " The field is gone by now, so what it took can't be told." } else { "" };
        let said = format!("Typed into {}{and}.{gone}", pointed.name);
        let done = Done { said, to: Some(&pointed), settled, tells_focus: passed_on };
        done.tell(&self.0, &page, &call.circumstances).await
    }
}

/// Asked by itself where it didn't come with the page's changes. None of a field
/// that is gone.
async fn held_now(page: &Page<'_>, field: &Pointed) -> Result<Option<FieldText>, BrowserError> {
    let BatchStep { payload, .. } = page.element_step(PageFunction::FieldText, field, false);
    let result: ScriptResult = match page.request("script", payload).await {
        Err(error) if error.code() == ErrorCode::StaleRef => return Ok(None),
        answer => answer?,
    };
    let value = result.frames.into_iter().next().and_then(|frame| frame.value);
    Ok(value.and_then(|value| serde_json::from_value(value).ok()))
}

/// One letter as keys of a keyboard, for pages that listen to those.
fn key_by_key(tab: i64, letter: char) -> Vec<BatchStep> {
    let name = if letter == '\n' { "Enter".to_owned() } else { letter.to_string() };
    match KeyPress::parse(&name) {
        Ok(press) => cdp::press(tab, &press),
        // Control characters have no key that would type them.
        Err(_) => vec![cdp::command(tab, &InsertText { text: letter.to_string() })],
    }
}

/// Whether a field holds what was typed, as far as it tells. White space may
/// come out otherwise in an editable element. Text that was there before proves
/// nothing.
fn took(held: &FieldText, typed: &str, clear: bool) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let typed = plain(typed);
    if held.unchanged && !clear && !typed.is_empty() {
        return false;
    }
    let Some(held) = held.text.as_deref().map(plain) else { return true };
    if clear { held == typed } else { held.contains(&typed) }
}

/// The page did not take the text as it was typed: too long, not allowed there,
/// or put into another form.
fn not_taken(name: &str, held: Option<String>, submitted: bool, settled: &Settled) -> Fault {
    let enter = if submitted { " Enter was pressed all the same." } else { "" };
    let holds = if held.is_some() { "; what it holds now is below" } else { "" };
    let message = format!(
        "{name} did not take the text as it was typed{holds}.{enter} Type what the field accepts, \
         with clear."
    );
    let page = held.map(|text| PageWords { domain: host(&settled.tab.url), text });
    Fault::Tool { code: ErrorCode::NotEditable, message, page }
}
