//! `browser_evaluate`: a function of the agent's, run in the page's own world.

use std::sync::Arc;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::link::RiskLevel;
use outrigger_protocol::pages::{ElementPlace, EvaluateParams as Request, Evaluated};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{host, page_of};

/// `browser_evaluate`.
pub(super) struct Evaluate(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EvaluateParams {
    /// () => … or (element) => …
    function: String,
    /// The element.
    r#ref: Option<String>,
}

impl Tool for Evaluate {
    type Params = EvaluateParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<EvaluateParams>(
            "browser_evaluate",
            "Run JavaScript in the page; gives its JSON value.",
            RiskLevel::Act,
            ToolSet::Core(Family::Diagnostics),
        )
    }

    async fn aim(
        &self,
        params: &EvaluateParams,
        at: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        let Some(name) = &params.r#ref else {
            return Ok(self.0.aim(at, PermissionKey::Evaluate).await?);
        };
        let name = name.parse().map_err(|_| BrowserError::NotARef(name.clone()))?;
        // The function runs in the element's frame, whose origin may be another.
        let aim = self.0.aim_at_element(at, PermissionKey::Evaluate, name).await?;
        let target = TabTarget { browser: aim.target.browser, tab: Some(aim.target.tab) };
        Ok(Aim { target, access: aim.access, shown: aim.shown })
    }

    async fn execute(&self, call: Authorized<EvaluateParams, TabTarget>) -> Result<Reply, Fault> {
        if call.target.tab.is_none() {
            return Err(BrowserError::NoCurrentTab.into());
        }
        let page = page_of(&self.0, &call, true).await?;
        let element = match &call.params.r#ref {
            Some(name) => {
                let name = name.parse().map_err(|_| BrowserError::NotARef(name.clone()))?;
                let key = page.element(name)?;
                Some(ElementPlace { document: key.document, node: key.node })
            }
            None => None,
        };
        let origin = call.leave().grant().access().origin.to_string();
        let source = call.params.function.clone();
        let request = Request { tab_id: page.tab, source, origin: origin.clone(), element };
        // It begins after what came before it, and may itself wait for what comes after.
        drop(self.0.turn(&call, page.place()).await?);
        let evaluated: Evaluated = page.request("evaluate", request).await?;
        Ok(describe(&evaluated, &origin))
    }
}

fn describe(evaluated: &Evaluated, origin: &str) -> Reply {
    let Some(json) = &evaluated.json else {
        return Reply::said("The function ran and returned nothing (undefined).");
    };
    let reply = match evaluated.letters {
        Some(letters) => Reply::said(format!(
            "The value is {letters} letters long, of which only the beginning is shown. Have the \
             function return less."
        )),
        None => Reply::default(),
    };
    reply.page(host(origin), format!("```json\n{json}\n```"))
}
