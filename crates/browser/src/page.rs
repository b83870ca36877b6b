//! A tab under a grant: typed requests to the extension for one call.

use std::sync::{Arc, Mutex, PoisonError};

use outrigger_dispatch::{Authorized, Leave};
use outrigger_guard::{Origin, PermissionKey, Profile};
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::{
    BatchParams, BatchResult, BatchStep, FrameResult, Frames, Navigated, OWN_CAPABILITIES,
    PageFunction, ScriptParams, ScriptResult, SettleParams, Settled, TabsParams,
};
use outrigger_protocol::facts::{FactsArgs, PageFacts};
use outrigger_protocol::link::{Refusal, TabFacts};
use outrigger_snapshot::Frame;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::Instant;

use crate::browsers::{LinkedBrowser, TabView, ms_since_epoch};
use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::link::{LinkError, Request, is_repeatable};
use crate::sessions::{Sessions, TabKey};
use crate::turns::Turn;

/// When an action counts as over. Tuned so that a click on a static page is
/// answered as soon as it is clear that nothing follows.
const SETTLE: SettleParams = SettleParams {
    tab_id: 0,
    begin_ms: 20,
    quiet_ms: 30,
    navigation_quiet_ms: 100,
    limit_ms: 2000,
    look: false,
};

/// How long to wait for something to begin after an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// What a page does about text it does at once, or after a pause in the
    /// typing that nobody waits for.
    Text,
    /// A press, a choice.
    Input,
    /// A form that was sent.
    Submission,
}

impl Patience {
    fn begin_ms(self) -> u32 {
        match self {
            Patience::Text => 0,
            Patience::Input => SETTLE.begin_ms,
            Patience::Submission => 150,
        }
    }
}

/// How many documents one after the other are asked, where each may be replaced.
const ATTEMPTS: usize = 3;

/// A browser under a grant.
pub struct GrantedBrowser<'a> {
    /// The browser.
    pub browser: &'a Arc<LinkedBrowser>,
    leave: &'a Leave,
    deadline: Instant,
    acting: bool,
}

/// A tab under a grant.
pub struct Page<'a> {
    granted: GrantedBrowser<'a>,
    /// The tab.
    pub tab: i64,
}

/// The browser of an authorized call. `acting` calls may have changed something
/// by the time a link is lost.
pub fn browser_of<'a, P>(call: &'a Authorized<P, TabTarget>, acting: bool) -> GrantedBrowser<'a> {
    GrantedBrowser {
        browser: &call.target.browser,
        leave: call.leave(),
        deadline: call.circumstances.deadline,
        acting,
    }
}

/// The tab of an authorized call; a session without one gets a new one.
pub async fn page_of<'a, P>(
    desk: &Desk,
    call: &'a Authorized<P, TabTarget>,
    acting: bool,
) -> Result<Page<'a>, BrowserError> {
    let granted = browser_of(call, acting);
    let tab = match call.target.tab {
        Some(tab) => tab,
        None => granted.open_tab(desk, &call.circumstances.caller).await?.id,
    };
    Ok(granted.page(tab))
}

impl<'a> GrantedBrowser<'a> {
    /// Asks for a capability with any payload.
    pub async fn request<R: DeserializeOwned>(
        &self,
        capability: &str,
        payload: impl Serialize,
    ) -> Result<R, BrowserError> {
        let wrong_shape = |error: serde_json::Error| LinkError::WrongShape {
            capability: capability.to_owned(),
            reason: error.to_string(),
        };
        let answer = async {
            let payload = serde_json::to_value(payload).map_err(wrong_shape)?;
            let request = Request {
                capability,
                once: self.acting && !is_repeatable(capability, &payload),
                payload,
                deadline: self.deadline,
            };
            let answer = self.browser.link.request(self.leave.grant(), request).await?;
            serde_json::from_value(answer).map_err(wrong_shape)
        };
        answer.await.map_err(|error| BrowserError::Link {
            error,
            acting: self.acting,
            is_own: OWN_CAPABILITIES.contains(&capability),
            domain: host(self.leave.grant().access().origin.as_str()),
        })
    }

    /// A tab of it.
    pub fn page(self, tab: i64) -> Page<'a> {
        Page { granted: self, tab }
    }

    /// Opens a blank tab for a session and makes it the session's current one.
    pub async fn open_tab(
        &self,
        desk: &Desk,
        caller: &outrigger_dispatch::Caller,
    ) -> Result<TabFacts, BrowserError> {
        let group = desk.sessions.group(&caller.session);
        let facts: TabFacts = self.request("tabs", TabsParams::Open { group }).await?;
        self.browser.learn_from_answer(facts.clone());
        let key = TabKey { browser: self.browser.id.clone(), tab: facts.id };
        desk.sessions.with(&caller.session, &caller.client, |session| {
            session.tabs.insert(key.clone());
            session.current = Some(key.clone());
        });
        desk.sessions.see(&key, facts.session.as_deref());
        Ok(facts)
    }
}

impl<'a> Page<'a> {
    /// A tab that an authorized call acts in.
    pub(crate) fn of_tab(
        browser: &'a Arc<LinkedBrowser>,
        tab: i64,
        leave: &'a Leave,
        deadline: Instant,
    ) -> Self {
        GrantedBrowser { browser, leave, deadline, acting: true }.page(tab)
    }
}

impl Page<'_> {
    /// The origin that the call was authorized for.
    pub fn origin(&self) -> &Origin {
        &self.granted.leave.grant().access().origin
    }

    /// What is known of the tab.
    pub fn facts(&self) -> Result<TabFacts, BrowserError> {
        self.granted.browser.tab(self.tab).ok_or(BrowserError::NoTab(self.tab))
    }

    /// What agents have been shown of the tab.
    pub fn view(&self) -> Result<Arc<Mutex<TabView>>, BrowserError> {
        self.granted.browser.view(self.tab).ok_or(BrowserError::NoTab(self.tab))
    }

    /// Whether the agent has been shown a page in this tab, with which one can be compared.
    pub fn was_shown(&self) -> bool {
        self.view().is_ok_and(|view| {
            !view.lock().unwrap_or_else(PoisonError::into_inner).last_look.is_empty()
        })
    }

    /// The browser and the tab.
    pub fn place(&self) -> (&Arc<LinkedBrowser>, i64) {
        (self.granted.browser, self.tab)
    }

    /// A tab of the same browser, as sessions know it.
    pub fn key(&self, tab: i64) -> TabKey {
        TabKey { browser: self.granted.browser.id.clone(), tab }
    }

    /// Asks for a capability with any payload.
    pub async fn request<R: DeserializeOwned>(
        &self,
        capability: &str,
        payload: impl Serialize,
    ) -> Result<R, BrowserError> {
        let is_read = !self.granted.acting;
        if is_read {
            self.refuse_elsewhere()?;
        }
        let answer = self.granted.request(capability, payload).await?;
        if is_read {
            // The page may have become another meanwhile, and the answer be of that one.
            self.refuse_elsewhere()?;
        }
        Ok(answer)
    }

    /// From when on what was recorded in the tab may be told: in a person's browser
    /// not what was recorded at another site, nor before the tab was shared.
    pub fn recorded_since(&self, sessions: &Sessions) -> f64 {
        if !self.is_guarded() {
            return 0.0;
        }
        // Not infinity, which JSON can't say.
        let here = self.granted.browser.here_since(self.tab).unwrap_or(f64::MAX);
        let shared = sessions.shared_since(&self.key(self.tab));
        shared.map_or(here, |since| here.max(ms_since_epoch(since)))
    }

    /// Whether what was recorded at that address may be told: of no site that is
    /// blocked, and in a person's browser only of those that the same was allowed for.
    pub fn may_know(&self, address: &str) -> bool {
        let access = self.granted.leave.grant().access();
        let origin = Origin::of(address);
        origin == access.origin || self.granted.leave.allows(access.key.clone(), &origin)
    }

    /// Whether what is read here is somebody's.
    fn is_guarded(&self) -> bool {
        self.granted.leave.grant().access().profile == Profile::Personal
    }

    /// Whether the agent may be told what is on pages of that site.
    pub fn may_tell(&self, origin: &Origin) -> bool {
        self.granted.leave.allows(PermissionKey::ReadDom, origin)
    }

    /// Whether the agent may press what is on pages of that site.
    pub fn may_act(&self, origin: &Origin) -> bool {
        self.granted.leave.allows(PermissionKey::Click, origin)
    }

    /// Whether the user said beforehand that the agent may not read there.
    pub fn is_denied(&self, origin: &Origin) -> bool {
        self.granted.leave.denies(PermissionKey::ReadDom, origin).is_some()
    }

    /// Whether a frame may be looked into at all: those of the site that the call is
    /// about, to find what it means there. Of those without an origin, only the tab's own.
    fn may_read(&self, frame: &FrameResult) -> bool {
        let origin = Origin::of(frame.origin.as_deref().unwrap_or_default());
        let is_meant = match origin.is_opaque() {
            true => self.origin().is_opaque() && frame.frame_id == 0,
            false => origin == *self.origin(),
        };
        is_meant || self.may_tell(&origin)
    }

    /// Leave was given for a site, and the tab may be at another one by now.
    pub(crate) fn refuse_elsewhere(&self) -> Result<(), BrowserError> {
        let access = self.granted.leave.grant().access();
        if !access.key.looks_or_acts_inside() {
            return Ok(());
        }
        let now = Origin::of(&self.facts()?.url);
        if now == access.origin || self.granted.leave.allows(access.key.clone(), &now) {
            return Ok(());
        }
        Err(BrowserError::OriginChanged)
    }

    /// Leaves out what came from frames that nobody gave leave to read: in a throw-away
    /// browser those of blocked sites.
    fn readable(&self, mut frames: Vec<FrameResult>) -> Result<Vec<FrameResult>, BrowserError> {
        let may = |frame: &FrameResult| frame.refusal.is_some() || self.may_read(frame);
        if frames.iter().any(|frame| frame.frame_id == 0 && !may(frame)) {
            return Err(BrowserError::OriginChanged);
        }
        frames.retain(may);
        let is_silent = |refusal: &Refusal| refusal.known_code() == Some(ErrorCode::Unresponsive);
        let silent = frames.iter().filter(|frame| frame.refusal.as_ref().is_some_and(is_silent));
        // Of a site that may not be read nothing is missing.
        for frame in silent.filter(|frame| self.may_read(frame)) {
            let site = Origin::of(frame.origin.as_deref().unwrap_or_default());
            self.granted.leave.note_gap(format!(
                "A frame of the page answers nothing (one of {site}): a script keeps it busy, and \
                 what is in it is missing here."
            ));
        }
        Ok(frames)
    }

    /// Moves the tab, and learns where it is then.
    pub async fn travel(&self, _: &Turn, params: TabsParams) -> Result<Navigated, BrowserError> {
        let navigated: Navigated = self.request("tabs", params).await?;
        self.granted.browser.learn_from_answer(navigated.tab.clone());
        Ok(navigated)
    }

    /// Runs a function of the page script.
    pub async fn script(
        &self,
        function: PageFunction,
        args: impl Serialize,
        frames: Frames,
    ) -> Result<ScriptResult, BrowserError> {
        let args = serde_json::to_value(args).unwrap_or(Value::Null);
        let ref_floor = self
            .granted
            .browser
            .view(self.tab)
            .map(|view| view.lock().unwrap_or_else(PoisonError::into_inner).refs.highest());
        let whatever_is_there = !matches!(frames, Frames::Documents(_));
        let params = ScriptParams { tab_id: self.tab, function, args, frames, ref_floor };
        if !(whatever_is_there && function.is_repeatable()) {
            let result: ScriptResult = self.request("script", params).await?;
            return Ok(ScriptResult { frames: self.readable(result.frames)? });
        }
        // A tab that is loading may put another document in the place of the one
        // that was asked, before that has answered.
        for _ in 0..ATTEMPTS {
            match self.request("script", &params).await {
                Ok(result) if !has_left(&params.frames, &result) => {
                    return Ok(ScriptResult { frames: self.readable(result.frames)? });
                }
                Err(error) if error.code() != ErrorCode::StaleRef => return Err(error),
                _ => {}
            }
        }
        Err(BrowserError::KeepsLoading)
    }

    /// What a function of the page script answers in the main frame.
    pub async fn ask<R: DeserializeOwned>(
        &self,
        function: PageFunction,
        args: impl Serialize,
    ) -> Result<R, BrowserError> {
        let result = self.script(function, args, Frames::Main).await?;
        let value = result.frames.into_iter().next().and_then(|frame| frame.value);
        serde_json::from_value(value.unwrap_or_default())
            .map_err(|error| self.wrong_shape("script", error.to_string()))
    }

    /// Looks at every frame.
    pub async fn look(&self, args: FactsArgs) -> Result<Vec<Frame>, BrowserError> {
        self.look_at(args, Frames::All).await
    }

    /// Looks at these frames.
    pub async fn look_at(
        &self,
        args: FactsArgs,
        frames: Frames,
    ) -> Result<Vec<Frame>, BrowserError> {
        let result = match self.script(PageFunction::Facts, args, frames).await {
            // The browser lets nobody into its blank page, where nothing is.
            Err(error) if error.code() == ErrorCode::UnsupportedPage && self.is_blank() => {
                let (url, origin) = ("about:blank".to_owned(), "null".to_owned());
                let facts = PageFacts { url, origin, ..PageFacts::default() };
                return Ok(vec![Frame { document: String::new(), facts }]);
            }
            answer => answer?,
        };
        self.seen_in(result.frames)
    }

    /// What frames answered to `facts`. The first must have: the main one, where it was asked.
    pub fn seen_in(&self, mut answers: Vec<FrameResult>) -> Result<Vec<Frame>, BrowserError> {
        answers.sort_by_key(|frame| frame.frame_id != 0);
        let mut frames = Vec::with_capacity(answers.len());
        for frame in answers {
            let Some(Value::String(text)) = frame.value else {
                if frames.is_empty() {
                    return Err(frame.refusal.map_or_else(
                        || self.wrong_shape("facts", "no facts".to_owned()),
                        |refusal| self.refused(refusal),
                    ));
                }
                // One that went away or refuses scripts is not there for a person's
                // eyes either.
                tracing::debug!(frame = frame.frame_id, "frame gave no facts");
                continue;
            };
            let facts: PageFacts = serde_json::from_str(&text).map_err(|error| {
                let reason = error.to_string();
                self.wrong_shape("facts", reason)
            })?;
            frames.push(Frame { document: frame.document_id, facts });
        }
        if frames.is_empty() {
            return Err(self.wrong_shape("facts", "no frame answered".to_owned()));
        }
        Ok(frames)
    }

    fn is_blank(&self) -> bool {
        self.facts().is_ok_and(|tab| tab.url == "about:blank")
    }

    /// A refusal of the page script.
    pub(crate) fn refused(&self, refusal: Refusal) -> BrowserError {
        let error = LinkError::Refused(Box::new(refusal));
        let domain = host(self.origin().as_str());
        BrowserError::Link { error, acting: false, is_own: true, domain }
    }

    pub(crate) fn wrong_shape(&self, capability: &str, reason: String) -> BrowserError {
        let error = LinkError::WrongShape { capability: capability.to_owned(), reason };
        BrowserError::Link { error, acting: false, is_own: true, domain: String::new() }
    }

    /// Does something in one round trip and waits until it has settled.
    pub async fn act(&self, turn: &Turn, steps: Vec<BatchStep>) -> Result<Settled, BrowserError> {
        Ok(self.act_and_tell(turn, steps).await?.0)
    }

    /// The same, and tells what came of each step.
    pub async fn act_and_tell(
        &self,
        turn: &Turn,
        steps: Vec<BatchStep>,
    ) -> Result<(Settled, Vec<Value>), BrowserError> {
        self.act_patiently(turn, steps, Patience::Input).await
    }

    /// The same, where what follows begins sooner or later than after a press.
    pub async fn act_patiently(
        &self,
        _: &Turn,
        mut steps: Vec<BatchStep>,
        patience: Patience,
    ) -> Result<(Settled, Vec<Value>), BrowserError> {
        let begin_ms = patience.begin_ms();
        let look = self.was_shown();
        let settle = SettleParams { tab_id: self.tab, begin_ms, look, ..SETTLE };
        steps.push(step("settle", settle));
        let mut batch: BatchResult = self.request("batch", BatchParams { steps }).await?;
        let last = batch.results.pop().unwrap_or_default();
        let mut settled: Settled = serde_json::from_value(last)
            .map_err(|error| self.wrong_shape("settle", error.to_string()))?;
        // What may not be read is not looked at: the action is done all the same.
        // One without the main frame is none of the page.
        let look = settled.look.take().and_then(|look| self.readable(look).ok());
        let look = look.filter(|look| look.iter().any(|frame| frame.frame_id == 0));
        let field = settled.field.take().filter(|field| self.readable(vec![field.clone()]).is_ok());
        let settled = Settled { look, field, ..settled };
        self.granted.browser.learn_from_answer(settled.tab.clone());
        for tab in &settled.opened {
            self.granted.browser.learn_from_answer(tab.clone());
        }
        Ok((settled, batch.results))
    }
}

/// Whether the document that must answer went away before it did: of all frames
/// the main one.
fn has_left(frames: &Frames, result: &ScriptResult) -> bool {
    let is_gone = |refusal: &Refusal| refusal.known_code() == Some(ErrorCode::StaleRef);
    let must_answer = |frame: &&FrameResult| *frames != Frames::All || frame.frame_id == 0;
    let frame = result.frames.iter().find(must_answer);
    frame.is_none_or(|frame| frame.refusal.as_ref().is_some_and(is_gone))
}

/// A step that waits for its answer.
pub fn step(capability: &str, payload: impl Serialize) -> BatchStep {
    let payload = serde_json::to_value(payload).unwrap_or(Value::Null);
    let acts = !is_repeatable(capability, &payload);
    BatchStep { kind: capability.to_owned(), payload, overlap: false, acts }
}

/// Host of an address or origin, for the fence.
pub fn host(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority.rsplit('@').next().unwrap_or_default().to_owned()
}
