//! `browser_handle_dialog`: answers what a page asks in a dialog of the browser.

use std::sync::Arc;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::link::RiskLevel;
use outrigger_protocol::pages::{AnsweredDialog, DialogKind, DialogParams};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::link::LinkError;
use crate::page::{page_of, step};
use crate::stakes::is_guarded;
use crate::turns::Turn;

use super::acting::Done;

/// `browser_handle_dialog`.
pub(super) struct HandleDialog(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HandleDialogParams {
    accept: bool,
    /// For a prompt.
    text: Option<String>,
}

impl Tool for HandleDialog {
    type Params = HandleDialogParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<HandleDialogParams>(
            "browser_handle_dialog",
            "Accept or dismiss an alert, confirm, prompt or beforeunload.",
            RiskLevel::Act,
            ToolSet::Core(Family::Acting),
        )
    }

    async fn aim(
        &self,
        _: &HandleDialogParams,
        at: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::Dialog).await?)
    }

    async fn execute(
        &self,
        call: Authorized<HandleDialogParams, TabTarget>,
    ) -> Result<Reply, Fault> {
        if call.target.tab.is_none() {
            return Err(BrowserError::NoCurrentTab.into());
        }
        if call.params.accept && is_guarded(&call) {
            // A yes is to the words of one dialog, which may be another one a moment later.
            let message = "In the user's own browser only the user says yes to a dialog. Dismiss it \
                           with accept false, or ask the user with browser_ask_human.";
            return Err(Fault::tool(ErrorCode::NotAllowed, message));
        }
        let HandleDialogParams { accept, text } = &call.params;
        let page = page_of(&self.0, &call, true).await?;
        let params = DialogParams { tab_id: page.tab, accept: *accept, text: text.clone() };
        let did = if *accept { "Accepted" } else { "Dismissed" };
        match page.act_and_tell(&Turn::out_of_order(), vec![step("dialog", params)]).await {
            Ok((settled, results)) => {
                let said = format!("{did} {}.", name_of(results.first()));
                let done = Done { said, to: None, settled, tells_focus: false };
                done.tell(&self.0, &page, &call.circumstances).await
            }
            Err(error) => next_dialog(did, error),
        }
    }
}

/// A page may show the next dialog as soon as one is answered: the answer was
/// given all the same.
fn next_dialog(did: &str, error: BrowserError) -> Result<Reply, Fault> {
    let BrowserError::Link { error: LinkError::Refused(refusal), domain, .. } = &error else {
        return Err(error.into());
    };
    let told = refusal.details.as_ref();
    let answered = told.and_then(|told| told.get("results")?.get(0)).filter(|it| !it.is_null());
    if refusal.known_code() != Some(ErrorCode::DialogOpen) || answered.is_none() {
        return Err(error.into());
    }
    let words = told.and_then(|told| told.get("by")?.as_str()).unwrap_or_default();
    let said = format!("{did} {}. {error}.", name_of(answered));
    Ok(Reply::said(said).page(domain, words))
}

fn name_of(answered: Option<&Value>) -> &'static str {
    let answered =
        answered.and_then(|it| serde_json::from_value::<AnsweredDialog>(it.clone()).ok());
    match answered.map(|dialog| dialog.kind) {
        Some(DialogKind::Alert) => "the alert",
        Some(DialogKind::Confirm) => "the confirm",
        Some(DialogKind::Prompt) => "the prompt",
        Some(DialogKind::BeforeUnload) => "the question before leaving",
        None => "the dialog",
    }
}
