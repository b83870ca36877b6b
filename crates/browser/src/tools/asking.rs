//! What tools that ask about elements have in common: aim at the tab, ask the
//! page, tell what came back inside the fence. Each tool says only which
//! elements, what of them, and in which words.

use std::marker::PhantomData;
use std::sync::Arc;

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{host, page_of};
use crate::query::{Answer, Asked};
use crate::selector::Wanted;

/// A question about elements.
pub(super) trait Question: Send + Sync + 'static {
    type Params: DeserializeOwned + JsonSchema + Send + Sync + 'static;
    const NAME: &str;
    const DESCRIPTION: &str;
    /// That nothing matches is no failure.
    const NONE_IS_AN_ANSWER: bool = false;

    /// Nothing of the page is in the answer, so it needs no fence.
    const IS_OUR_OWN: bool = false;

    /// Why it makes no sense to ask.
    fn problem(_: &Self::Params) -> Option<&'static str> {
        None
    }

    /// Which elements.
    fn wanted(params: &Self::Params) -> Wanted;

    /// Only inside the element of this ref.
    fn within(_: &Self::Params) -> Option<&str> {
        None
    }

    /// What of them.
    fn asked(params: &Self::Params) -> Asked;

    /// In which words.
    fn tell(params: &Self::Params, answer: &Answer) -> Vec<String>;
}

/// The tool that asks a question.
pub(super) struct Ask<Q>(Arc<Desk>, PhantomData<Q>);

impl<Q> Ask<Q> {
    pub(super) fn new(desk: &Arc<Desk>) -> Self {
        Ask(desk.clone(), PhantomData)
    }
}

impl<Q: Question> Tool for Ask<Q> {
    type Params = Q::Params;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<Q::Params>(
            Q::NAME,
            Q::DESCRIPTION,
            RiskLevel::Read,
            ToolSet::Full(Family::Reading),
        )
    }

    async fn aim(&self, params: &Q::Params, at: &Circumstances) -> Result<Aim<TabTarget>, Fault> {
        if let Some(problem) = Q::problem(params) {
            return Err(invalid(&self.definition(), problem.to_owned()));
        }
        Ok(self.0.aim(at, PermissionKey::ReadDom).await?)
    }

    async fn execute(&self, call: Authorized<Q::Params, TabTarget>) -> Result<Reply, Fault> {
        let page = page_of(&self.0, &call, false).await?;
        let within = Q::within(&call.params)
            .map(|name| name.parse().map_err(|_| BrowserError::NotARef(name.to_owned())));
        let asked = Asked { within: within.transpose()?, ..Q::asked(&call.params) };
        let answer = page.query(&Q::wanted(&call.params), asked).await?;
        if answer.total == 0 && !Q::NONE_IS_AN_ANSWER {
            let message = "No element of the page matches. Try another selector, browser_find, or \
                           take a browser_snapshot";
            return Err(BrowserError::NotFound(message.to_owned()).into());
        }
        let text = Q::tell(&call.params, &answer).join("\n");
        if Q::IS_OUR_OWN {
            return Ok(Reply::said(text));
        }
        Ok(Reply::default().page(host(&page.facts()?.url), text))
    }
}
