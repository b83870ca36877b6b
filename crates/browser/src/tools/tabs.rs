//! `browser_tabs`: list, open, close, select, and ask for the user's.

use std::sync::Arc;

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::{Origin, PermissionKey, Profile};
use outrigger_protocol::capabilities::{NavigationWait, TabsParams as Request};
use outrigger_protocol::helm::RequestKind;
use outrigger_protocol::link::{RiskLevel, TabFacts};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::human::ask;
use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{GrantedBrowser, browser_of, host};
use crate::sessions::TabKey;
use crate::user_requests::Said;

use super::navigation::go_to;
use super::words::Place;

/// `browser_tabs`.
pub(super) struct Tabs(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TabsParams {
    action: Action,
    /// For open.
    url: Option<String>,
    /// For close and select.
    id: Option<i64>,
}

#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Action {
    List,
    Open,
    Close,
    Select,
    Request,
}

type Call = Authorized<TabsParams, TabTarget>;

impl Tool for Tabs {
    type Params = TabsParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<TabsParams>(
            "browser_tabs",
            "List, open, close or select tabs, or request the one the user looks at. Later calls \
             go to the selected tab.",
            RiskLevel::Act,
            ToolSet::Core(Family::Tabs),
        )
    }

    async fn aim(
        &self,
        params: &TabsParams,
        circumstances: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        let missing = |name: &str| invalid(&self.definition(), format!("`{name}` is missing"));
        let mut named = circumstances.clone();
        let key = match params.action {
            Action::Open if params.url.is_some() => PermissionKey::Navigate,
            Action::List | Action::Open => PermissionKey::Tabs,
            Action::Request => PermissionKey::AskUser,
            Action::Close | Action::Select => {
                named.common.tab = Some(params.id.ok_or_else(|| missing("id"))?);
                PermissionKey::Tabs
            }
        };
        let mut aim = self.0.aim(&named, key).await?;
        if let (Action::Open, Some(url)) = (params.action, &params.url) {
            let address = self.0.address(url)?;
            aim.access.origin = outrigger_guard::Origin::of(address.as_str());
        }
        Ok(aim)
    }

    async fn execute(&self, call: Call) -> Result<Reply, Fault> {
        let acting = call.params.action != Action::List;
        let granted = browser_of(&call, acting);
        let chosen = call.target.tab.ok_or(BrowserError::NoCurrentTab);
        match call.params.action {
            Action::List => Ok(self.list(&call)),
            Action::Open => self.open(&call, granted).await,
            Action::Close => self.close(&granted, chosen?).await,
            Action::Select => self.select(&call, &granted, chosen?).await,
            Action::Request => self.request(&call).await,
        }
    }
}

impl Tabs {
    async fn open(&self, call: &Call, granted: GrantedBrowser<'_>) -> Result<Reply, Fault> {
        let address = call.params.url.as_ref().map(|url| self.0.address(url)).transpose()?;
        let tab = granted.open_tab(&self.0, &call.circumstances.caller).await?.id;
        let opened = Reply::said(format!("Opened tab {tab}; later calls go there."));
        let Some(address) = address else { return Ok(opened) };
        let (page, wait) = (granted.page(tab), NavigationWait::default());
        let turn = self.0.turn(call, page.place()).await?;
        match go_to(&self.0, (&page, &turn, call.leave()), &address, wait).await {
            Ok(arrived) => Ok(opened.then(arrived)),
            // The tab is there all the same, and not to be opened once more.
            Err(Fault::Tool { code, message, page }) => {
                let message = format!("{message} Tab {tab} was opened; later calls go there.");
                Err(Fault::Tool { code, message, page })
            }
            Err(fault) => Err(fault),
        }
    }

    async fn close(&self, granted: &GrantedBrowser<'_>, tab_id: i64) -> Result<Reply, Fault> {
        let _: Value = granted.request("tabs", Request::Close { tab_id }).await?;
        self.0.sessions.take_back(&TabKey { browser: granted.browser.id.clone(), tab: tab_id });
        Ok(Reply::said(format!("Closed tab {tab_id}.")))
    }

    async fn select(
        &self,
        call: &Call,
        granted: &GrantedBrowser<'_>,
        tab_id: i64,
    ) -> Result<Reply, Fault> {
        if self.may_come_to_the_front(call, tab_id) {
            let _: Value = granted.request("tabs", Request::Select { tab_id }).await?;
        }
        let caller = &call.circumstances.caller;
        let key = TabKey { browser: granted.browser.id.clone(), tab: tab_id };
        self.0.sessions.with(&caller.session, &caller.client, |session| {
            // A tab is one session's: whoever selects it first has it.
            session.tabs.insert(key.clone());
            session.current = Some(key);
        });
        Ok(Reply::said(format!("Selected tab {tab_id}; later calls go there.")))
    }

    /// In a person's browser an agent's tab doesn't cover what its user looks at.
    fn may_come_to_the_front(&self, call: &Call, tab_id: i64) -> bool {
        let browser = &call.target.browser;
        let Some(window) = browser.tab(tab_id).map(|tab| tab.window_id) else { return true };
        let is_in_front = |tab: &TabFacts| tab.window_id == window && tab.active;
        let front = browser.tabs().into_iter().find(is_in_front);
        let is_mine = front.is_none_or(|tab| {
            let owner = self.0.sessions.owner(&TabKey { browser: browser.id.clone(), tab: tab.id });
            owner.is_some_and(|owner| owner.session == call.circumstances.caller.session)
        });
        is_mine || browser.profile == Profile::ThrowAway
    }

    async fn request(&self, call: &Call) -> Result<Reply, Fault> {
        let asked = ask(&self.0, &call.circumstances, RequestKind::Tab, String::new()).await?;
        let Said::Given(key) = asked else {
            return Ok(Reply::said("The user agreed, but gave no tab."));
        };
        let (caller, tab) = (&call.circumstances.caller, key.tab);
        self.0.sessions.with(&caller.session, &caller.client, |s| s.current = Some(key));
        Ok(Reply::said(format!("The user shared tab {tab}; later calls go there.")))
    }

    fn list(&self, call: &Call) -> Reply {
        let browser = &call.target.browser;
        let mut lines = Vec::new();
        let mut users = 0;
        for tab in browser.tabs() {
            let key = TabKey { browser: browser.id.clone(), tab: tab.id };
            let mark = match self.0.sessions.owner(&key) {
                _ if call.target.tab == Some(tab.id) => " (current)".to_owned(),
                Some(owner) if owner.session == call.circumstances.caller.session => {
                    " (yours)".to_owned()
                }
                Some(_) => " (another session's)".to_owned(),
                None if browser.profile == Profile::Personal => {
                    users += 1;
                    continue;
                }
                None => String::new(),
            };
            let origin = Origin::of(&tab.url);
            let Place { title, address } = if call.leave().allows(PermissionKey::ReadInfo, &origin)
            {
                Place::of_tab(&tab)
            } else {
                Place { title: String::new(), address: origin.to_string() }
            };
            let words = format!("{title} {address}");
            lines.push((format!("tab {}{mark}", tab.id), host(&tab.url), words));
        }
        let text: Vec<String> =
            lines.iter().map(|(said, _, words)| format!("{said}: {}", words.trim())).collect();
        let domains: Vec<&str> = lines.iter().map(|(_, domain, _)| domain.as_str()).collect();
        let domain = if domains.len() == 1 { domains[0] } else { "several" };
        let reply = match users {
            0 => Reply::default(),
            _ => Reply::said(format!("The user's own tabs are not listed ({users}).")),
        };
        reply.page(domain, text.join("\n")).of_tabs(lines.len())
    }
}
