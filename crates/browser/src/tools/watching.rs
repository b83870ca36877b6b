//! `browser_watch_user`: what the user does in a tab, once the user agreed to it and
//! until the user says that it is done. The panel shows it all the while.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::{PermissionKey, headers::redact_url};
use outrigger_protocol::capabilities::{Frames, PageFunction};
use outrigger_protocol::helm::RequestKind;
use outrigger_protocol::inspection::{UserDeed, UserDeedsArgs};
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time::Instant;

use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{Page, host, page_of};

use super::human::ask;

/// Chrome forgets a call into a page that takes for ever.
const ASKED_MS: u32 = 20_000;
/// Between two questions about a tab that can't be asked now.
const PAUSE: Duration = Duration::from_millis(50);
/// What comes within this after a deed came of it.
const AFTER_A_DEED: Duration = Duration::from_secs(5);

/// `browser_watch_user`.
pub(super) struct WatchUser(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WatchUserParams {
    /// What for; the user reads it.
    what: String,
}

impl Tool for WatchUser {
    type Params = WatchUserParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<WatchUserParams>(
            "browser_watch_user",
            "Ask the user to do something once in the session's tab, and tell what was clicked and \
             filled in, without secrets. Ends when the user says so.",
            RiskLevel::Read,
            ToolSet::Full(Family::Human),
        )
    }

    async fn aim(&self, _: &WatchUserParams, at: &Circumstances) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::ReadDom).await?)
    }

    async fn execute(&self, call: Authorized<WatchUserParams, TabTarget>) -> Result<Reply, Fault> {
        let page = page_of(&self.0, &call, false).await?;
        let what = &call.params.what;
        let begin = format!(
            "In this tab, for: {what}. What you press and fill in is noted; passwords, codes and \
             card numbers are not."
        );
        ask(&self.0, &call.circumstances, RequestKind::Record, begin).await?;
        let mut watch = Watch::begin(&page)?;
        let end = format!("In this tab, for: {what}. Press Done when it is done.");
        let said = tokio::select! {
            said = ask(&self.0, &call.circumstances, RequestKind::Recording, end) => said,
            never = watch.go_on() => match never {},
        };
        let deeds = watch.end().await;
        said?;
        let told = serde_json::to_string_pretty(&deeds).unwrap_or_default();
        let things = if deeds.len() == 1 { "thing" } else { "things" };
        let said = format!("The user did {} {things}, told below.", deeds.len());
        Ok(Reply::said(said).page(host(&page.facts()?.url), told))
    }
}

/// What was seen of a tab so far. The extension follows the user from page to page and
/// into frames; what came from where the agent may not read is left out here.
struct Watch<'a> {
    page: &'a Page<'a>,
    deeds: Vec<UserDeed>,
    last: Instant,
    /// Whether the extension follows the user by now.
    is_begun: bool,
}

impl<'a> Watch<'a> {
    fn begin(page: &'a Page<'a>) -> Result<Self, BrowserError> {
        // The user may have gone elsewhere before the answer.
        page.refuse_elsewhere()?;
        let deeds = vec![went_to(&page.facts()?.url)];
        Ok(Watch { page, deeds, last: Instant::now(), is_begun: false })
    }

    /// Takes in what the user does. It has no end of its own.
    async fn go_on(&mut self) -> Infallible {
        loop {
            match self.asked(ASKED_MS, false).await {
                Ok(told) => self.take(told),
                // Another page is coming, or there is one that may not be read.
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    }

    async fn end(mut self) -> Vec<UserDeed> {
        let told = self.asked(0, true).await.unwrap_or_default();
        self.take(told);
        self.deeds
    }

    async fn asked(&mut self, limit_ms: u32, ends: bool) -> Result<Vec<UserDeed>, BrowserError> {
        let args = UserDeedsArgs { limit_ms, begins: !self.is_begun, ends };
        // Also where nobody waits for the answer: what is noted by then is not to be lost.
        self.is_begun = true;
        let asked = self.page.script(PageFunction::UserDeeds, args, Frames::All).await;
        // Where the agent may not read, nobody is followed.
        self.is_begun = !matches!(asked, Err(BrowserError::OriginChanged));
        let result = asked?;
        let told = result.frames.into_iter().filter_map(|frame| frame.value);
        let read = |value| serde_json::from_value::<Vec<UserDeed>>(value).unwrap_or_default();
        Ok(told.flat_map(read).collect())
    }

    fn take(&mut self, told: Vec<UserDeed>) {
        for deed in told {
            let is_step = match &deed {
                // What a press or Enter leads to needs no step of its own.
                UserDeed::WentTo { .. } => self.last.elapsed() > AFTER_A_DEED,
                _ => true,
            };
            if !matches!(deed, UserDeed::WentTo { .. }) {
                self.last = Instant::now();
            }
            if is_step {
                self.deeds.push(match deed {
                    UserDeed::WentTo { url } => went_to(&url),
                    deed => deed,
                });
            }
        }
    }
}

/// Addresses carry tokens.
fn went_to(url: &str) -> UserDeed {
    UserDeed::WentTo { url: redact_url(url).into_owned() }
}
