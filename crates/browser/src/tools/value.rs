//! `browser_get_value`: what one element says, and nothing else; for whoever needs a
//! value rather than a look.

use std::sync::Arc;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::facts::flags;
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::desk::Desk;
use crate::error::BrowserError;
use crate::page::host;
use crate::query::Asked;
use crate::selector::Wanted;
use crate::target::{Aimed, Target, pointed_of};

/// What is longer is a page, and not a value.
const MOST_LETTERS: u32 = 4_000;

/// `browser_get_value`.
pub(super) struct GetValue(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetValueParams {
    #[serde(flatten)]
    target: Target,
}

impl Tool for GetValue {
    type Params = GetValueParams;
    type Target = Aimed;

    fn definition(&self) -> Definition {
        Definition::of::<GetValueParams>(
            "browser_get_value",
            "What one element says: the value of a field, or its text.",
            RiskLevel::Read,
            ToolSet::Full(Family::Reading),
        )
    }

    async fn aim(&self, params: &GetValueParams, at: &Circumstances) -> Result<Aim<Aimed>, Fault> {
        Ok(self.0.aim_at(at, PermissionKey::ReadDom, &params.target).await?)
    }

    async fn execute(&self, call: Authorized<GetValueParams, Aimed>) -> Result<Reply, Fault> {
        let (page, pointed) = pointed_of(&call).await?;
        let asked = Asked { limit: 1, text_letters: MOST_LETTERS, ..Asked::default() };
        let answer = page.query(&Wanted::Ref(pointed.name), asked).await?;
        let gone = || BrowserError::StaleRef(pointed.name.to_string());
        let item = answer.found.into_iter().next().ok_or_else(gone)?.item;
        if item.flags & flags::SECRET != 0 {
            let message = "It holds a secret, which is never told. Go on without it.";
            return Err(Fault::tool(ErrorCode::NotAllowed, message));
        }
        let said = item.state.value.or(item.state.checked).unwrap_or(item.text);
        Ok(Reply::default().page(host(&page.facts()?.url), said))
    }
}
