//! `browser_wait`: until something is there, or gone, or some time has passed.

use std::sync::Arc;
use std::time::Duration;

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::link::RiskLevel;
use outrigger_protocol::pages::{ElementState, WaitParams as Request, WaitUntil, Waited};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time::Instant;

use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::link::LinkError;
use crate::page::{Page, page_of};

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
    /// With state.
    r#ref: Option<String>,
    state: Option<ElementState>,
    /// Until the address holds this.
    url: Option<String>,
    /// Until nothing changes.
    quiet: Option<bool>,
}

enum Until {
    Passed(u64),
    Element(String, ElementState),
    So(WaitUntil),
}

impl WaitParams {
    /// The one thing that is waited for.
    fn until(&self) -> Option<Until> {
        // Nothing is there at once, and never gone.
        if [&self.text, &self.text_gone, &self.url].into_iter().flatten().any(String::is_empty) {
            return None;
        }
        let element = self.r#ref.clone().zip(self.state);
        if element.is_none() && (self.r#ref.is_some() || self.state.is_some()) {
            return None;
        }
        let asked = [
            self.ms.map(Until::Passed),
            self.text.clone().map(|text| Until::So(WaitUntil::Text { text, gone: false })),
            self.text_gone.clone().map(|text| Until::So(WaitUntil::Text { text, gone: true })),
            element.map(|(name, state)| Until::Element(name, state)),
            self.url.clone().map(|part| Until::So(WaitUntil::Url { part })),
            self.quiet.filter(|quiet| *quiet).map(|_| Until::So(WaitUntil::Quiet)),
        ];
        let mut asked = asked.into_iter().flatten();
        asked.next().filter(|_| asked.next().is_none())
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
            ToolSet::Core(Family::Acting),
        )
    }

    async fn aim(
        &self,
        params: &WaitParams,
        circumstances: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        if params.until().is_none() {
            let problem =
                "Give exactly one of ms, text, text_gone, ref with state, url, quiet".to_owned();
            return Err(invalid(&self.definition(), problem));
        }
        Ok(self.0.aim(circumstances, PermissionKey::Wait).await?)
    }

    async fn execute(&self, call: Authorized<WaitParams, TabTarget>) -> Result<Reply, Fault> {
        let started = Instant::now();
        let page = page_of(&self.0, &call, false).await?;
        let deadline = call.circumstances.deadline;
        let latest = deadline.checked_sub(TO_ANSWER).unwrap_or(started);
        let came = match call.params.until() {
            Some(Until::Passed(ms)) => {
                let end = started + Duration::from_millis(ms);
                pass_time(&page, ms, end.min(latest)).await?;
                end <= latest
            }
            Some(Until::Element(name, state)) => {
                let name = name.parse().map_err(|_| BrowserError::NotARef(name))?;
                let key = page.element(name)?;
                let until = WaitUntil::Element { document: key.document, node: key.node, state };
                ask(&page, until, latest).await?
            }
            Some(Until::So(until)) => ask(&page, until, latest).await?,
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

/// The browser tells of a dialog that opens meanwhile. One that is away is no reason not to wait.
async fn pass_time(page: &Page<'_>, ms: u64, end: Instant) -> Result<(), BrowserError> {
    let ms = u32::try_from(ms).unwrap_or(u32::MAX);
    match ask(page, WaitUntil::Passed { ms }, end).await {
        Err(error @ BrowserError::Link { error: LinkError::Refused(_), .. }) => return Err(error),
        Ok(_) | Err(_) => tokio::time::sleep_until(end).await,
    }
    Ok(())
}

/// The browser answers before the deadline where it can; a busy one may not.
async fn ask(page: &Page<'_>, until: WaitUntil, latest: Instant) -> Result<bool, BrowserError> {
    let asking = page.request("wait", Request { tab_id: page.tab, until });
    match tokio::time::timeout_at(latest, asking).await {
        Ok(waited) => waited.map(|Waited { came }| came),
        Err(_too_late) => Ok(false),
    }
}
