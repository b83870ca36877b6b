//! Hands on the keyboard: `browser_press_key`.

use std::sync::Arc;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::cdp;
use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::keyboard::KeyPress;
use crate::page::page_of;

use super::acting::Done;

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
        let said = format!("Pressed {}.", call.params.key);
        let done = Done { said, to: None, settled, tells_focus: true };
        done.tell(&self.0, &page, &call.circumstances).await
    }
}
