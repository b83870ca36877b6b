//! `browser_wait`: until something is there, or gone, or some time has passed.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::{Frames, HasTextArgs, PageFunction};
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tokio::time::Instant;

use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{Page, page_of};

/// How long between two looks. A look costs a millisecond or two.
const PAUSE: Duration = Duration::from_millis(50);

/// What is kept back of the deadline, so that the answer says what was waited
/// for instead of only that time is up.
const TO_ANSWER: Duration = Duration::from_millis(100);

/// `browser_wait`.
pub(super) struct Wait(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WaitParams {
    /// Milliseconds.
    ms: Option<u64>,
    /// Until the page shows this.
    text: Option<String>,
    /// Until the page doesn't show this.
    text_gone: Option<String>,
    /// Until the address holds this.
    url: Option<String>,
}

enum Until {
    Passed(Duration),
    Text(String),
    TextGone(String),
    Url(String),
}

impl WaitParams {
    fn until(&self) -> Option<Until> {
        match (self.ms, &self.text, &self.text_gone, &self.url) {
            (Some(ms), None, None, None) => Some(Until::Passed(Duration::from_millis(ms))),
            (None, Some(text), None, None) => Some(Until::Text(text.clone())),
            (None, None, Some(text), None) => Some(Until::TextGone(text.clone())),
            (None, None, None, Some(url)) => Some(Until::Url(url.clone())),
            _ => None,
        }
    }
}

impl Tool for Wait {
    type Params = WaitParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<WaitParams>(
            "browser_wait",
            "Wait for one thing.",
            RiskLevel::Read,
            ToolSet::Core,
        )
    }

    async fn aim(
        &self,
        params: &WaitParams,
        circumstances: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        if params.until().is_none() {
            let problem = "Give exactly one of ms, text, text_gone, url".to_owned();
            return Err(invalid(&self.definition(), problem));
        }
        Ok(self.0.aim(circumstances, PermissionKey::Wait).await?)
    }

    async fn execute(&self, call: Authorized<WaitParams, TabTarget>) -> Result<Reply, Fault> {
        let started = Instant::now();
        let deadline = call.circumstances.deadline.checked_sub(TO_ANSWER).unwrap_or(started);
        let page = page_of(&self.0, &call, false).await?;
        let came = match call.params.until() {
            Some(Until::Passed(time)) => {
                let end = started + time;
                tokio::time::sleep_until(end.min(deadline)).await;
                end <= deadline
            }
            Some(Until::Text(text)) => poll(deadline, || shows(&page, &text)).await?,
            Some(Until::TextGone(text)) => {
                let gone = || async { Ok(shows(&page, &text).await?.map(|shown| !shown)) };
                poll(deadline, gone).await?
            }
            Some(Until::Url(part)) => {
                poll(deadline, || async { Ok(Some(page.facts()?.url.contains(&part))) }).await?
            }
            None => false,
        };
        let ms = started.elapsed().as_millis();
        if came {
            return Ok(Reply::said(format!("Waited {ms} ms.")));
        }
        let message = format!(
            "It did not happen within {ms} ms. Take a browser_snapshot to see how things are, or wait again with a larger timeoutMs"
        );
        Err(BrowserError::WaitedInVain(message).into())
    }
}

/// Looks until it is so. A look that saw nothing either way doesn't count.
async fn poll<F>(deadline: Instant, mut look: impl FnMut() -> F) -> Result<bool, BrowserError>
where
    F: Future<Output = Result<Option<bool>, BrowserError>>,
{
    loop {
        if look().await? == Some(true) {
            return Ok(true);
        }
        if Instant::now() + PAUSE > deadline {
            return Ok(false);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn shows(page: &Page<'_>, text: &str) -> Result<Option<bool>, BrowserError> {
    let args = HasTextArgs { text: text.to_owned() };
    match page.script(PageFunction::HasText, args, Frames::All).await {
        Ok(result) => {
            Ok(Some(result.frames.iter().any(|frame| frame.value == Some(Value::Bool(true)))))
        }
        // Between two documents there is nothing to look at.
        Err(error) if error.code() == ErrorCode::StaleRef => Ok(None),
        Err(error) => Err(error),
    }
}
