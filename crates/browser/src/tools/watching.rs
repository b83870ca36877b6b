//! `browser_watch_user`: what the user does in a tab, once the user agreed to it and
//! until the user says that it is done. The panel shows it all the while.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::capabilities::PageFunction;
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
/// Between two looks at which page there is, and two questions to one that can't answer now.
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
            "May I record what you do in this tab, for: {what}? I note what you press and what you \
             fill in, no passwords, codes or card numbers. Press Done to begin."
        );
        ask(&self.0, &call.circumstances, RequestKind::Human, begin).await?;
        let mut watch = Watch::begin(&page)?;
        let end = format!("Recording what you do in this tab: {what}. Press Done when it is done.");
        let said = tokio::select! {
            said = ask(&self.0, &call.circumstances, RequestKind::Human, end) => said,
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

/// What was seen of a tab so far.
struct Watch<'a> {
    page: &'a Page<'a>,
    url: String,
    deeds: Vec<UserDeed>,
    last: Instant,
}

impl<'a> Watch<'a> {
    fn begin(page: &'a Page<'a>) -> Result<Self, BrowserError> {
        let url = page.facts()?.url;
        let deeds = vec![UserDeed::WentTo { url: url.clone() }];
        Ok(Watch { page, url, deeds, last: Instant::now() })
    }

    /// Takes in what the user does. It has no end of its own.
    async fn go_on(&mut self) -> Infallible {
        loop {
            let asked = UserDeedsArgs { limit_ms: ASKED_MS, ends: false };
            let asking = self.page.ask(PageFunction::UserDeeds, asked);
            let told: Option<Vec<UserDeed>> = tokio::select! {
                told = asking => told.ok(),
                // A page that has gone answers no more, and the next one has to be asked.
                () = self.page_changes() => Some(Vec::new()),
            };
            let is_answered = told.is_some();
            self.take(told.unwrap_or_default());
            if !is_answered {
                // Another page is coming, or there is one that may not be read.
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    async fn page_changes(&self) {
        let is_here = || self.page.facts().is_ok_and(|facts| facts.url == self.url);
        while is_here() {
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn end(mut self) -> Vec<UserDeed> {
        let asked = UserDeedsArgs { limit_ms: 0, ends: true };
        let told: Result<Vec<UserDeed>, _> = self.page.ask(PageFunction::UserDeeds, asked).await;
        self.take(told.unwrap_or_default());
        self.deeds
    }

    fn take(&mut self, told: Vec<UserDeed>) {
        let here = self.page.facts().map(|facts| facts.url).unwrap_or_default();
        let has_done = !told.is_empty();
        if !here.is_empty() && here != self.url {
            // What a press or Enter leads to needs no step of its own.
            if self.last.elapsed() > AFTER_A_DEED {
                self.deeds.push(UserDeed::WentTo { url: here.clone() });
            }
            self.url = here;
        }
        self.deeds.extend(told);
        if has_done {
            self.last = Instant::now();
        }
    }
}
