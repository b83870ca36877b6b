//! Going somewhere: `browser_navigate`, `browser_go_back`, `browser_go_forward`,
//! `browser_reload`.

use std::sync::Arc;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Leave, Reply, Tool, ToolSet};
use outrigger_guard::{Address, Denial, Origin, PermissionKey};
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::{Navigated, NavigationWait, TabsParams};
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{Page, host, page_of};
use crate::turns::Turn;

use super::acting::place;
use super::downloads;
use super::words;

/// `browser_navigate`.
pub(super) struct Navigate(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NavigateParams {
    /// Complete address.
    url: String,
    /// When it counts as there. Default: load.
    wait: Option<NavigationWait>,
}

impl Tool for Navigate {
    type Params = NavigateParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<NavigateParams>(
            "browser_navigate",
            "Open an address in the session's tab (a new one if it has none).",
            RiskLevel::Act,
            ToolSet::Core(Family::Navigation),
        )
    }

    async fn aim(
        &self,
        params: &NavigateParams,
        circumstances: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        let address = self.0.address(&params.url)?;
        let mut aim = self.0.aim(circumstances, PermissionKey::Navigate).await?;
        // What is asked for is the page to be opened, not the one that is left.
        aim.access.origin = Origin::of(address.as_str());
        Ok(aim)
    }

    async fn execute(&self, call: Authorized<NavigateParams, TabTarget>) -> Result<Reply, Fault> {
        let address = self.0.address(&call.params.url)?;
        let page = page_of(&self.0, &call, true).await?;
        let turn = self.0.turn(&call, page.place()).await?;
        let wait = call.params.wait.unwrap_or_default();
        go_to(&self.0, (&page, &turn, call.leave()), &address, wait).await
    }
}

/// `browser_go_back`.
pub(super) struct GoBack(pub(super) Arc<Desk>);

/// `browser_go_forward`.
pub(super) struct GoForward(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NoParams {}

impl Tool for GoBack {
    type Params = NoParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<NoParams>(
            "browser_go_back",
            "Go back one page.",
            RiskLevel::Act,
            ToolSet::Core(Family::Navigation),
        )
    }

    async fn aim(&self, _: &NoParams, at: &Circumstances) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::Navigate).await?)
    }

    async fn execute(&self, call: Authorized<NoParams, TabTarget>) -> Result<Reply, Fault> {
        travel_history(&self.0, &call, -1).await
    }
}

/// `browser_reload`.
pub(super) struct Reload(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReloadParams {
    /// Past the browser's cache.
    hard: Option<bool>,
}

impl Tool for Reload {
    type Params = ReloadParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<ReloadParams>(
            "browser_reload",
            "Load the page again.",
            RiskLevel::Act,
            ToolSet::Full(Family::Navigation),
        )
    }

    async fn aim(&self, _: &ReloadParams, at: &Circumstances) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::Navigate).await?)
    }

    async fn execute(&self, call: Authorized<ReloadParams, TabTarget>) -> Result<Reply, Fault> {
        if call.target.tab.is_none() {
            return Err(BrowserError::NoCurrentTab.into());
        }
        let page = page_of(&self.0, &call, true).await?;
        let turn = self.0.turn(&call, page.place()).await?;
        let hard = call.params.hard.unwrap_or(false);
        let params = TabsParams::Reload { tab_id: page.tab, hard, wait: NavigationWait::Load };
        arrive(&self.0, (&page, &turn, call.leave()), params).await
    }
}

impl Tool for GoForward {
    type Params = NoParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<NoParams>(
            "browser_go_forward",
            "Go forward one page.",
            RiskLevel::Act,
            ToolSet::Full(Family::Navigation),
        )
    }

    async fn aim(&self, _: &NoParams, at: &Circumstances) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::Navigate).await?)
    }

    async fn execute(&self, call: Authorized<NoParams, TabTarget>) -> Result<Reply, Fault> {
        travel_history(&self.0, &call, 1).await
    }
}

async fn travel_history(
    desk: &Desk,
    call: &Authorized<NoParams, TabTarget>,
    delta: i32,
) -> Result<Reply, Fault> {
    if call.target.tab.is_none() {
        return Err(BrowserError::NoCurrentTab.into());
    }
    let page = page_of(desk, call, true).await?;
    let turn = desk.turn(call, page.place()).await?;
    let params = TabsParams::History { tab_id: page.tab, delta, wait: NavigationWait::Load };
    arrive(desk, (&page, &turn, call.leave()), params).await
}

/// Takes a tab to an address.
pub(super) async fn go_to(
    desk: &Desk,
    (page, turn, leave): (&Page<'_>, &Turn, &Leave),
    address: &Address,
    wait: NavigationWait,
) -> Result<Reply, Fault> {
    let url = address.as_str().to_owned();
    arrive(desk, (page, turn, leave), TabsParams::Navigate { tab_id: page.tab, url, wait }).await
}

/// Travels, and judges the place where the tab ended up: a redirect may lead
/// to what could not have been asked for.
async fn arrive(
    desk: &Desk,
    (page, turn, leave): (&Page<'_>, &Turn, &Leave),
    params: TabsParams,
) -> Result<Reply, Fault> {
    let navigated = page.travel(turn, params).await?;
    let refusal = match desk.address(&navigated.tab.url) {
        Err(refusal) => Some(refusal.into()),
        Ok(address) => {
            // On a blank page is nothing that could be denied.
            let origin = Some(Origin::of(address.as_str())).filter(|origin| !origin.is_opaque());
            let denial = origin.and_then(|at| leave.denies(PermissionKey::Navigate, &at));
            denial.as_ref().map(led_astray)
        }
    };
    if let Some(refusal) = refusal {
        let url = "about:blank".to_owned();
        let blank = TabsParams::Navigate { tab_id: page.tab, url, wait: NavigationWait::Dom };
        page.travel(turn, blank).await?;
        return Err(refusal);
    }
    Ok(describe(page, &navigated))
}

/// Which site it was is not told either.
fn led_astray(denial: &Denial) -> Fault {
    let message = format!(
        "That leads to another site, where this session may not go, so the tab was emptied and \
         nothing of that page was read. {denial}."
    );
    Fault::tool(ErrorCode::NotAllowed, message)
}

fn describe(page: &Page<'_>, navigated: &Navigated) -> Reply {
    let tab = &navigated.tab;
    if let Some(download) = &navigated.download {
        let said = format!(
            "That address is a file, which the browser downloads; tab {} stays where it was. \
             browser_downloads tells when it is there.{}",
            tab.id,
            answered(navigated.dialogs)
        );
        return Reply::said(said).page(host(&download.url), downloads::in_words(download));
    }
    let mut said = format!("Tab {} is now at the page below", tab.id);
    said.push_str(&words::answered_with(navigated.status));
    said.push_str(if navigated.finished { "." } else { "; it is still loading or changing." });
    if navigated.is_pdf {
        said.push_str(words::PDF);
    }
    said.push_str(&answered(navigated.dialogs));
    Reply::said(said).page(host(&tab.url), place(page, tab).to_string())
}

/// What leaving the page before took.
fn answered(dialogs: Option<u32>) -> String {
    match dialogs {
        None | Some(0) => String::new(),
        Some(1) => " A dialog of the page before was answered to leave it.".to_owned(),
        Some(many) => format!(" {many} dialogs of the page before were answered to leave it."),
    }
}
