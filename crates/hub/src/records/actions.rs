//! Carries out `browser.action.v1` records, each once, as its author, on the road that
//! every call goes; `browser.action.result.v1` answers it. What an action asks for is
//! `outrigger_records::action`'s to say.
//!
//! Which of several hubs that is, [`super::whose_action`] decides, and when it is its
//! turn, [`super::action_desk`].
//!
//! The answer is made first: it has a name that follows from the action's, so that one
//! hub alone takes an action on, and no restart makes it run twice. What was under way
//! when a hub died is answered as unknown by the next one.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use outrigger_dispatch::{Call, Caller, Notices};
use outrigger_guard::Scope;
use outrigger_guard::headers::redact_url;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::agent::{CallReply, Content};
use outrigger_protocol::records::{Context, Record, RecordId, Selector};
use outrigger_records::action::{self, ACTION, Deed, RESULT};
use outrigger_records::{
    After, Change, Delivery, Draft, History, Records, RecordsError, Search, Subscription,
};
use outrigger_store::records::RecordError;
use serde_json::{Map, Value, json};

use super::action_author::Author;
use super::action_desk::Desks;
use super::meant_browser::{Here, Meant, meant, named, which_of};
use super::whose_action::{insist, is_gone, is_taken};
use super::{HubRecords, NoRecords};
use crate::server::Shared;

/// How long is waited before records that can't be had are tried again.
const PAUSE: Duration = Duration::from_secs(2);
/// An action that nobody took on for longer is not what its author wants any more.
pub(super) const FRESH: Duration = Duration::from_secs(60);
/// Nobody works on one action for longer: whoever took it on is gone.
const LONGEST: Duration = Duration::from_secs(15 * 60);
/// How often an answer is tried to be written.
const ATTEMPTS: u32 = 5;

/// What the fence begins with: words of a page are kept nowhere.
const FENCE: &str = "<untrusted-page-content";

/// Whoever carries actions out.
pub(crate) struct Actions {
    pub(crate) shared: Arc<Shared>,
    pub(crate) records: Arc<HubRecords>,
}

/// How an action ended.
struct Ending {
    status: &'static str,
    code: Option<&'static str>,
    message: String,
}

impl Ending {
    fn refused(code: &'static str, message: impl Into<String>) -> Self {
        Ending { status: "refused", code: Some(code), message: message.into() }
    }

    fn which_browser<'h>(several: impl IntoIterator<Item = &'h Here>) -> Self {
        Ending::refused(ErrorCode::WhichBrowser.as_str(), which_of(several))
    }

    fn unknown(message: &str) -> Self {
        let code = Some(ErrorCode::OutcomeUnknown.as_str());
        Ending { status: "unknown", code, message: message.to_owned() }
    }
}

impl Actions {
    /// Until the hub stops.
    pub(crate) async fn run(self: Arc<Self>) {
        let stopped = self.shared.shutdown.clone();
        tokio::select! {
            () = stopped.cancelled() => {}
            () = async {
                loop {
                    if let Err(error) = self.serve().await {
                        tracing::debug!(%error, "actions wait for records");
                    }
                    tokio::time::sleep(PAUSE).await;
                }
            } => {}
        }
    }

    /// For as long as the records are these.
    async fn serve(self: &Arc<Self>) -> Result<(), NoRecords> {
        let records = self.records.get().await?;
        let mut following = self.follow(&records, After::Now).await?;
        let mut desks = Desks::new(self.clone());
        self.take_up(&records, &mut desks).await?;
        loop {
            match following.next().await {
                Ok(Some(Delivery::Event { event, .. })) => desks.hear(&event),
                Ok(Some(Delivery::Gap { resume })) => {
                    following = self.follow(&records, After::Position(resume)).await?;
                }
                Ok(None) => return Ok(()),
                Err(error) => {
                    tracing::warn!(%error, "actions wait for the store");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    async fn follow(&self, records: &Records, after: After) -> Result<Subscription, RecordsError> {
        let selector = Selector { schema_name: Some(ACTION.to_owned()), ..Selector::default() };
        records.subscribe(&self.records.owner, vec![selector], after).await
    }

    /// What was left behind: what nobody took on is carried out, and what a hub was at
    /// when it died is answered.
    async fn take_up(&self, records: &Records, desks: &mut Desks) -> Result<(), RecordsError> {
        for result in self.all(records, RESULT).await? {
            let is_running = result.context.get("status") == Some(&json!("running"));
            let is_own = result.context.get("hub") == Some(&json!(self.records.hub));
            if is_running && (is_own || age(result.updated_at) > LONGEST) {
                let ending = Ending::unknown(
                    "The hub ended while it was at this, so nobody knows whether it was done. \
                     Look at the page before you ask for it again.",
                );
                self.answer(records, &result, ending).await;
            }
        }
        let mut waiting = self.all(records, ACTION).await?;
        waiting.sort_by_key(|action| action.created_at);
        for action in waiting {
            let Some(id) = result_of(&action.id) else { continue };
            match records.read(&self.records.owner, &id).await {
                Err(RecordsError::Store(RecordError::NotFound { .. })) => {
                    desks.take(action.id, &action.owner);
                }
                Err(error) => return Err(error),
                Ok(_) => {}
            }
        }
        Ok(())
    }

    pub(super) async fn all(
        &self,
        records: &Records,
        schema: &str,
    ) -> Result<Vec<Record>, RecordsError> {
        let selector = Selector { schema_name: Some(schema.to_owned()), ..Selector::default() };
        let mut search = Search { selector, ..Search::default() };
        let mut all = Vec::new();
        loop {
            let found = records.search(&self.records.owner, &search).await?;
            all.extend(found.records);
            match found.next {
                Some(next) => search.from = Some(next),
                None => return Ok(all),
            }
        }
    }

    /// Takes an action on, unless somebody did, and carries it out. False: somebody did.
    pub(super) async fn carry_out(&self, records: &Records, action: &Record) -> bool {
        let (owner, id) = (&self.records.owner, &action.id);
        let kind = action.context.get("action").and_then(Value::as_str).unwrap_or_default();
        let Some(name) = result_of(id) else { return false };
        let now = humantime::format_rfc3339_nanos(SystemTime::now()).to_string();
        let context =
            json!({"action_id": id, "status": "running", "hub": self.records.hub, "taken_at": now});
        let draft = Draft {
            schema_name: RESULT.to_owned(),
            title: format!("Result of {kind}"),
            tags: vec!["browser:action-result".to_owned(), format!("action:{id}")],
            context: object(context),
            made_by: "outrigger".to_owned(),
        };
        // Whoever is not told that it was made finds it made, by itself.
        let take_on = || async {
            let made = records.create_as(owner, name.clone(), draft.clone()).await;
            if is_taken(&made) { records.read(owner, &name).await } else { made }
        };
        let result = insist(take_on, is_gone).await;
        let Some(result) = result.filter(|result| result.context == draft.context) else {
            records.take_text(id);
            return false;
        };
        let ending = self.do_it(records, action).await;
        self.answer(records, &result, ending).await;
        true
    }

    async fn do_it(&self, records: &Records, action: &Record) -> Ending {
        let text = records.take_text(&action.id);
        if age(action.created_at) > FRESH {
            let message = "Nobody was there to carry it out within a minute. Ask for it again.";
            return Ending::refused("expired", message);
        }
        let Some(author) = Author::named(&action.owner) else {
            return Ending::refused("not_allowed", "Nobody is known by the name of its author.");
        };
        let is_elsewhere = self.records.is_shared() && !records.was_written_here(action);
        if is_elsewhere && !author.is_same_everywhere() {
            let message = "The token of its author is one of another hub, which did not do it.";
            return Ending::refused("not_allowed", message);
        }
        let credentials = &self.shared.credentials;
        if !author.may_still_act(credentials).await {
            return Ending::refused("not_allowed", "The token of its author is no longer good.");
        }
        let mut asked = action.context.clone();
        if asked.contains_key("text") {
            let Some(text) = text else {
                let message = "What was to be typed is kept by no hub beyond its end. Ask again.";
                return Ending::refused("expired", message);
            };
            asked.insert("text".into(), text.into());
        }
        let browsers = self.browsers_for(records, &author, named(&asked)).await;
        let here = match meant(&browsers, &asked) {
            Meant::One(_) | Meant::Several(_) if !self.is_said(records, action) => {
                let message = "It was written to a hub that could not do it, and here its numbers \
                    mean other tabs and elements. Say which browser is meant with extensionId.";
                return Ending::refused(ErrorCode::WhichBrowser.as_str(), message);
            }
            Meant::One(here) => Some(here),
            Meant::Several(some) => return Ending::which_browser(some),
            Meant::Any => None,
            // Whether there is such a tab in it is said further on.
            Meant::Nobody => {
                browsers.iter().find(|here| Some(&*here.extension_id) == named(&asked))
            }
        };
        if here.is_none() && named(&asked).is_some() {
            let message = "No browser of that extensionId is linked.";
            return Ending::refused(ErrorCode::NoBrowser.as_str(), message);
        }
        let page = here.and_then(|here| here.page.as_ref()).map(|page| &page.context);
        let deed = match action::deed(&asked, page) {
            Ok(deed) => deed,
            Err(error) => return Ending::refused("bad_target", sentence(&error.to_string())),
        };
        if here.is_none() && deed.tab.is_some() && !browsers.is_empty() {
            let message = "No linked browser has that tab.";
            return Ending::refused(ErrorCode::NoTab.as_str(), message);
        }
        if let Some((here, page)) = here.zip(page).filter(|_| deed.is_of_page) {
            let url = page.get("url").and_then(Value::as_str).unwrap_or_default();
            if !self.is_still_there(&here.link, deed.tab, url) {
                let message = "The page is another one by now. Read its record again.";
                return Ending::refused(ErrorCode::Changed.as_str(), message);
            }
        }
        let link = here.map(|here| here.link.clone());
        let doing = self.call_all(&author, &action.owner, deed, link);
        let ending = tokio::select! {
            ending = doing => ending,
            () = author.ended(credentials) => {
                Ending::unknown("The token of its author ended while it was done.")
            }
        };
        let is_open = here.is_none() && ending.code == Some(ErrorCode::WhichBrowser.as_str());
        if is_open { Ending::which_browser(&browsers) } else { ending }
    }

    fn is_still_there(&self, link: &str, tab: Option<i64>, url: &str) -> bool {
        let browsers = self.shared.desk.browsers.all();
        let browser = browsers.iter().find(|browser| browser.id == link);
        let facts = browser.zip(tab).and_then(|(browser, tab)| browser.tab(tab));
        facts.is_some_and(|facts| redact_url(&facts.url) == url)
    }

    /// By the one road. The next attempt is made where the one before found nothing.
    async fn call_all(
        &self,
        author: &Author,
        owner: &str,
        deed: Deed,
        browser: Option<String>,
    ) -> Ending {
        let Deed { tool, attempts, tab, is_of_page } = deed;
        let (session, client) = (author.session(), author.client());
        // No client is there to say that it is over.
        self.shared.desk.sessions.with(&session, &client, |session| session.is_open_ended = true);
        let mut reply = CallReply::default();
        for mut arguments in attempts {
            arguments.extend(tab.map(|tab| ("tab".to_owned(), Value::from(tab))));
            arguments.extend(browser.clone().map(|link| ("browser".to_owned(), link.into())));
            let caller = Caller {
                session: session.clone(),
                client: client.clone(),
                scope: Scope::Act,
                holder: owner.to_owned(),
            };
            let (tool, arguments) = (tool.to_owned(), Value::Object(arguments));
            let call = Call { tool, arguments, caller, notices: Notices::default() };
            reply = self.shared.call(call).await;
            if reply.error != Some(ErrorCode::NotFound) {
                break;
            }
        }
        ending_of(&reply, is_of_page)
    }

    async fn answer(&self, records: &Records, result: &Record, ending: Ending) {
        let mut context = result.context.clone();
        context.insert("status".into(), ending.status.into());
        context.extend(ending.code.map(|code| ("code".to_owned(), code.into())));
        context.insert("message".into(), ending.message.into());
        let now = humantime::format_rfc3339_millis(SystemTime::now()).to_string();
        context.insert("finished_at".into(), now.into());
        let Record { id, version, title, tags, .. } = result;
        for attempt in 1..=ATTEMPTS {
            let change = Change::Replace {
                title: title.clone(),
                tags: tags.clone(),
                context: context.clone(),
            };
            let owner = &self.records.owner;
            match records.change(owner, id, *version, change, History::Off).await {
                Ok(_) | Err(RecordsError::Store(RecordError::VersionMismatch { .. })) => return,
                Err(error) => tracing::warn!(%error, attempt, "an action is not answered yet"),
            }
            tokio::time::sleep(PAUSE * attempt).await;
        }
    }
}

/// The answer's name.
pub(super) fn result_of(action: &RecordId) -> Option<RecordId> {
    RecordId::parse(&format!("{action}-result"))
}

/// What is kept of a reply: none of a page's words.
fn ending_of(reply: &CallReply, is_of_page: bool) -> Ending {
    let said = reply.content.iter().find_map(|piece| match piece {
        Content::Text { text } if !text.starts_with(FENCE) => Some(text.clone()),
        _ => None,
    });
    let Some(code) = reply.error else {
        let message = said.unwrap_or_else(|| "Done.".to_owned());
        return Ending { status: "done", code: None, message };
    };
    // What the element was looked for by came from the page.
    let message = match said {
        Some(said) if !is_of_page => said,
        _ => format!(
            "{code}: the element of that index can't be used. Read the page's record again."
        ),
    };
    let status = match code {
        ErrorCode::OutcomeUnknown => "unknown",
        ErrorCode::NotAllowed
        | ErrorCode::OutOfScope
        | ErrorCode::ForbiddenUrl
        | ErrorCode::UserRefused
        | ErrorCode::NotYourTab
        | ErrorCode::Paused
        | ErrorCode::Stopped
        | ErrorCode::NoBrowser
        | ErrorCode::WhichBrowser
        | ErrorCode::NoTab => "refused",
        _ => "failed",
    };
    Ending { status, code: Some(code.as_str()), message }
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_uppercase().collect::<String>());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

fn object(value: Value) -> Context {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

pub(super) fn age(since_ms: i64) -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.saturating_sub(Duration::from_millis(u64::try_from(since_ms).unwrap_or(0)))
}
