//! Tools that an extension brings along: every capability the hub doesn't know
//! becomes `ext_<name>`.

use std::sync::Arc;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Fault, Reply, Tool, ToolSet};
use outrigger_guard::{Access, Origin, PermissionKey};
use outrigger_protocol::capabilities::OWN_CAPABILITIES;
use outrigger_protocol::link::{Capability, RiskLevel};
use serde_json::{Map, Value, json};

use crate::browsers::{Browsers, LinkedBrowser};
use crate::desk::{Desk, TabTarget, shown_in};
use crate::error::BrowserError;
use crate::page::{browser_of, host};

/// A capability as a tool.
pub(super) struct ExtensionTool {
    desk: Arc<Desk>,
    capability: Capability,
}

/// One tool for each capability that is not the hub's own; the first browser
/// to bring a name defines it.
pub(super) fn tools(desk: &Arc<Desk>, browsers: &Browsers) -> Vec<ExtensionTool> {
    let mut tools: Vec<ExtensionTool> = Vec::new();
    for browser in browsers.all() {
        for capability in &browser.capabilities {
            let known = OWN_CAPABILITIES.contains(&capability.name.as_str())
                || tools.iter().any(|tool| tool.capability.name == capability.name);
            if !known && is_a_name(&capability.name) {
                let capability = capability.clone();
                tools.push(ExtensionTool { desk: desk.clone(), capability });
            }
        }
    }
    tools
}

/// MCP clients reject a whole list for one odd name, so odd names get no tool.
fn is_a_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 60
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

impl ExtensionTool {
    fn has_it(&self, browser: &LinkedBrowser) -> bool {
        browser.can(&self.capability.name)
    }
}

impl Tool for ExtensionTool {
    type Params = Map<String, Value>;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        let name = &self.capability.name;
        let schema = self.capability.params_schema.clone().filter(Value::is_object);
        let mut input_schema = schema.unwrap_or_else(|| json!({}));
        // An MCP tool's schema must be one of an object.
        input_schema["type"] = json!("object");
        Definition {
            name: format!("ext_{name}").into(),
            description: format!("[Extension] {name}").into(),
            input_schema,
            risk: self.capability.risk_level,
            set: ToolSet::Dynamic,
        }
    }

    async fn aim(
        &self,
        _: &Map<String, Value>,
        circumstances: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        // The capability decides what it looks at; it is judged by the tab in front.
        let session = &circumstances.caller.session;
        let mut holders = self.desk.browsers.all();
        holders.retain(|browser| self.has_it(browser) && browser.is_open_to(session));
        let browser = match holders.as_slice() {
            [only] if circumstances.common.browser.is_none() => only.clone(),
            _ => self.desk.aim(circumstances, self.key()).await?.target.browser,
        };
        if !self.has_it(&browser) {
            let message = format!("{} has no {}", browser.describe(), self.capability.name);
            return Err(BrowserError::NotFound(message).into());
        }
        let front = browser.tab_in_front();
        let url = front.as_ref().map_or("about:blank", |tab| tab.url.as_str());
        self.desk.refuse_hub(url)?;
        let origin = Origin::of(url);
        let access = Access { key: self.key(), origin, profile: browser.profile };
        let tab = front.map(|tab| tab.id);
        let shown = shown_in(&browser);
        Ok(Aim { target: TabTarget { browser, tab }, access, shown })
    }

    async fn execute(
        &self,
        call: Authorized<Map<String, Value>, TabTarget>,
    ) -> Result<Reply, Fault> {
        let acting = self.capability.risk_level == RiskLevel::Act;
        let granted = browser_of(&call, acting);
        let answer: Value = granted.request(&self.capability.name, &call.params).await?;
        let text = match answer {
            Value::String(text) => text,
            other => serde_json::to_string_pretty(&other).unwrap_or_default(),
        };
        let domain = host(call.leave().grant().access().origin.as_str());
        Ok(Reply::default().page(domain, text))
    }
}

impl ExtensionTool {
    fn key(&self) -> PermissionKey {
        PermissionKey::Extension(self.capability.name.clone())
    }
}
