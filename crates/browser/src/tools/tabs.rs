//! `browser_tabs`: list, open, close, select.

use std::sync::Arc;

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::capabilities::TabsParams as Request;
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{browser_of, host};
use crate::sessions::TabKey;

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
}

impl Tool for Tabs {
    type Params = TabsParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<TabsParams>(
            "browser_tabs",
            "List, open, close or select tabs. The selected tab is where later calls go.",
            RiskLevel::Act,
            ToolSet::Core,
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
            Action::List => PermissionKey::ReadInfo,
            Action::Open => PermissionKey::Tabs,
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

    async fn execute(&self, call: Authorized<TabsParams, TabTarget>) -> Result<Reply, Fault> {
        let acting = call.params.action != Action::List;
        let granted = browser_of(&call, acting);
        let caller = &call.circumstances.caller;
        let chosen = call.target.tab.ok_or(BrowserError::NoCurrentTab);
        match call.params.action {
            Action::List => Ok(self.list(&call)),
            Action::Open => {
                let url = call.params.url.as_ref().map(|url| self.0.address(url)).transpose()?;
                let url = url.map(|address| address.as_str().to_owned());
                let tab = granted.open_tab(&self.0, caller, url).await?;
                Ok(Reply::said(format!("Opened tab {}; later calls go there.", tab.id)))
            }
            Action::Close => {
                let tab_id = chosen?;
                let _: Value = granted.request("tabs", Request::Close { tab_id }).await?;
                let key = TabKey { browser: granted.browser.id.clone(), tab: tab_id };
                self.0.sessions.with(&caller.session, &caller.client, |session| {
                    session.tabs.remove(&key);
                    if session.current.as_ref() == Some(&key) {
                        session.current = session.tabs.iter().next_back().cloned();
                    }
                });
                Ok(Reply::said(format!("Closed tab {tab_id}.")))
            }
            Action::Select => {
                let tab_id = chosen?;
                let _: Value = granted.request("tabs", Request::Select { tab_id }).await?;
                let key = TabKey { browser: granted.browser.id.clone(), tab: tab_id };
                self.0.sessions.with(&caller.session, &caller.client, |session| {
                    // A tab is one session's: whoever selects it first has it.
                    session.tabs.insert(key.clone());
                    session.current = Some(key);
                });
                Ok(Reply::said(format!("Selected tab {tab_id}; later calls go there.")))
            }
        }
    }
}

impl Tabs {
    fn list(&self, call: &Authorized<TabsParams, TabTarget>) -> Reply {
        let browser = &call.target.browser;
        let mut lines = Vec::new();
        for tab in browser.tabs() {
            let key = TabKey { browser: browser.id.clone(), tab: tab.id };
            let owner = self.0.sessions.owner(&key);
            let mark = match owner {
                _ if call.target.tab == Some(tab.id) => " (current)",
                Some(owner) if owner == call.circumstances.caller.session => " (yours)",
                Some(_) => " (another session's)",
                None => "",
            };
            let Place { title, address } = Place::of_tab(&tab);
            let words = format!("{title} {address}");
            lines.push((format!("tab {}{mark}", tab.id), host(&tab.url), words));
        }
        let text: Vec<String> =
            lines.iter().map(|(said, _, words)| format!("{said}: {}", words.trim())).collect();
        let domains: Vec<&str> = lines.iter().map(|(_, domain, _)| domain.as_str()).collect();
        let domain = if domains.len() == 1 { domains[0] } else { "several" };
        Reply::default().page(domain, text.join("\n"))
    }
}
