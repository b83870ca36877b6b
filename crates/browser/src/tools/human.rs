//! Asking the user: `browser_ask_human`, and the asking part of
//! `browser_tabs`. What is asked is shown in the extension's panel and as a
//! notification; only the user answers.

use std::sync::Arc;
use std::time::Duration;

use outrigger_dispatch::notices::Wait;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::helm::RequestKind;
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::desk::{Desk, TabTarget};
use crate::user_requests::{Said, TooMany, Wish};

/// Answer this long before the deadline, so that the answer is in time.
const MARGIN: Duration = Duration::from_millis(100);

/// `browser_ask_human`.
pub(super) struct AskHuman(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AskHumanParams {
    /// For the user to read.
    what: String,
}

impl Tool for AskHuman {
    type Params = AskHumanParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<AskHumanParams>(
            "browser_ask_human",
            "Ask the user to do something (log in, solve a captcha) and wait until it is done.",
            RiskLevel::Read,
            ToolSet::Core(Family::Human),
        )
    }

    async fn aim(&self, _: &AskHumanParams, at: &Circumstances) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::AskUser).await?)
    }

    async fn execute(&self, call: Authorized<AskHumanParams, TabTarget>) -> Result<Reply, Fault> {
        let what = call.params.what.clone();
        ask(&self.0, &call.circumstances, RequestKind::Human, what).await?;
        Ok(Reply::said("The user says that it is done. Look at the page before you go on."))
    }
}

/// Asks, and waits for the answer: anything but a refusal.
pub(super) async fn ask(
    desk: &Desk,
    circumstances: &Circumstances,
    kind: RequestKind,
    what: String,
) -> Result<Said, Fault> {
    if !desk.browsers.all().iter().any(|browser| browser.has_panel) {
        let message = "No linked browser has Outrigger's panel, so there is nobody to ask. Go on \
                       without, or tell the user what you need.";
        return Err(Fault::tool(ErrorCode::NoBrowser, message));
    }
    let caller = &circumstances.caller;
    let client = desk.sessions.with(&caller.session, &caller.client, |s| s.shown_client());
    let wish = Wish { session: caller.session.clone(), client, kind, what, question: None };
    let wait = if kind == RequestKind::Tab { Wait::Tab } else { Wait::Deed };
    let asking = desk.requests.ask(wish, circumstances.deadline - MARGIN);
    match circumstances.notices.during(wait, asking).await {
        Ok(Some(Said::Refused)) => Err(Fault::tool(
            ErrorCode::UserRefused,
            "The user said no. Don't ask for the same again; go on without, or end here.",
        )),
        Ok(Some(said)) => Ok(said),
        Ok(None) => Err(Fault::tool(
            ErrorCode::Timeout,
            "The user has not answered yet, and still sees the request. Make the same call again \
             to go on waiting, with a timeoutMs of up to 600000.",
        )),
        Err(TooMany) => Err(Fault::tool(
            ErrorCode::NotAllowed,
            "The user has not answered your earlier requests. Wait for one of them: make its call \
             again.",
        )),
    }
}
