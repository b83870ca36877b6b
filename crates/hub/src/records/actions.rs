//! Carries out `browser.action.v1` records, each once, as its author, on the road that
//! every call goes; `browser.action.result.v1` answers it. What an action asks for is
//! `outrigger_records::action`'s to say.
//!
//! The answer is made first: it has a name that follows from the action's, so that one
//! hub alone takes an action on, and no restart makes it run twice. What was under way
//! when a hub died is answered as unknown by the next one.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use outrigger_dispatch::{Call, Caller, Notices};
use outrigger_guard::Scope;
use outrigger_guard::headers::redact_url;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::agent::{CallReply, Content};
use outrigger_protocol::records::{
    Context, Record, RecordEvent, RecordEventKind, RecordId, Selector,
};
use outrigger_records::action::{self, ACTION, Deed, RESULT};
use outrigger_records::schemas::PAGE_CONTEXT;
use outrigger_records::{
    After, Change, Delivery, Draft, History, Records, RecordsError, Search, Subscription,
};
use outrigger_store::records::RecordError;
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;

use super::tracking::PageTracking;
use super::{HubRecords, NoRecords};
use crate::credentials::{Credentials, Holder};
use crate::server::Shared;

/// How long is waited before records that can't be had are tried again.
const PAUSE: Duration = Duration::from_secs(2);
/// An action that nobody took on for longer is not what its author wants any more.
const FRESH: Duration = Duration::from_secs(60);
/// Nobody works on one action for longer: whoever took it on is gone.
const LONGEST: Duration = Duration::from_secs(15 * 60);
/// Actions of one author that wait for their turn.
const WAITING: usize = 100;
/// How often an answer is tried to be written.
const ATTEMPTS: u32 = 5;

/// What the fence begins with: words of a page are kept nowhere.
const FENCE: &str = "<untrusted-page-content";

/// Whoever carries actions out.
pub(crate) struct Actions {
    pub(crate) shared: Arc<Shared>,
    pub(crate) records: Arc<HubRecords>,
    pub(crate) tracking: Arc<PageTracking>,
    /// By which a hub knows what it took on itself, before a restart too.
    pub(crate) hub: String,
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
        let mut desks = Desks { actions: self.clone(), authors: HashMap::new() };
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
            let is_own = result.context.get("hub") == Some(&json!(self.hub));
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

    async fn all(&self, records: &Records, schema: &str) -> Result<Vec<Record>, RecordsError> {
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

    /// Takes an action on, unless somebody did, and carries it out.
    async fn carry_out(&self, id: &RecordId) {
        let Ok(records) = self.records.get().await else { return };
        let action = match records.read(&self.records.owner, id).await {
            Ok(action) => action,
            // It was removed before its turn.
            Err(_) => {
                records.take_text(id);
                return;
            }
        };
        let kind = action.context.get("action").and_then(Value::as_str).unwrap_or_default();
        let Some(name) = result_of(id) else { return };
        let context = json!({"action_id": id, "status": "running", "hub": self.hub});
        let draft = Draft {
            schema_name: RESULT.to_owned(),
            title: format!("Result of {kind}"),
            tags: vec!["browser:action-result".to_owned(), format!("action:{id}")],
            context: object(context),
            made_by: "outrigger".to_owned(),
        };
        let result = match records.create_as(&self.records.owner, name, draft).await {
            Ok(result) => result,
            Err(RecordsError::Store(RecordError::AlreadyThere { .. })) => return,
            Err(error) => {
                tracing::warn!(%error, "an action is not taken on");
                return;
            }
        };
        let ending = self.do_it(&records, &action).await;
        self.answer(&records, &result, ending).await;
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
        let credentials = &self.shared.credentials;
        if !author.may_still_act(credentials).await {
            return Ending::refused("not_allowed", "The token of its author is no longer good.");
        }
        let page = self.page_for(records, action).await;
        let told = page.as_ref().map(|page| &page.context);
        let mut asked = action.context.clone();
        if asked.contains_key("text") {
            let Some(text) = text else {
                let message = "What was to be typed is kept by no hub beyond its end. Ask again.";
                return Ending::refused("expired", message);
            };
            asked.insert("text".into(), text.into());
        }
        let deed = match action::deed(&asked, told) {
            Ok(deed) => deed,
            Err(error) => return Ending::refused("bad_target", sentence(&error.to_string())),
        };
        let browser = page.as_ref().filter(|_| deed.is_of_page).and_then(|page| {
            let link = self.tracking.link_of(&page.id)?;
            Some((link, page.context.get("url")?.as_str()?.to_owned()))
        });
        if let Some((link, url)) = &browser
            && !self.is_still_there(link, deed.tab, url)
        {
            let message = "The page is another one by now. Read its record again.";
            return Ending::refused(ErrorCode::Changed.as_str(), message);
        }
        let doing = self.call_all(&author, &action.owner, deed, browser.map(|(link, _)| link));
        tokio::select! {
            ending = doing => ending,
            () = author.ended(credentials) => {
                Ending::unknown("The token of its author was taken back while it was done.")
            }
        }
    }

    /// The page that the author was told, where one is meant.
    async fn page_for(&self, records: &Records, action: &Record) -> Option<Record> {
        let pages = self.all(records, PAGE_CONTEXT).await.ok()?;
        let said = action.context.get("tabId").and_then(Value::as_i64);
        let mut fitting = pages.into_iter().filter(|page| {
            let tab = action::tab_of(&page.context);
            tab.is_some() && (said.is_none() || said == tab)
        });
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
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
        let mut reply = CallReply::default();
        for mut arguments in attempts {
            arguments.extend(tab.map(|tab| ("tab".to_owned(), Value::from(tab))));
            arguments.extend(browser.clone().map(|link| ("browser".to_owned(), link.into())));
            let caller = Caller {
                session: author.session(),
                client: author.client(),
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

/// One queue for each author: its actions are carried out in their order, and nobody
/// waits for somebody else's.
struct Desks {
    actions: Arc<Actions>,
    authors: HashMap<String, mpsc::Sender<RecordId>>,
}

impl Desks {
    fn hear(&mut self, event: &RecordEvent) {
        if event.kind == RecordEventKind::Created {
            self.take(event.id.clone(), &event.owner);
        }
    }

    fn take(&mut self, id: RecordId, author: &str) {
        let desk = self.authors.entry(author.to_owned()).or_insert_with(|| {
            let (desk, mut queue) = mpsc::channel::<RecordId>(WAITING);
            let actions = self.actions.clone();
            let stopped = actions.shared.shutdown.clone();
            let working = async move {
                while let Some(id) = queue.recv().await {
                    actions.carry_out(&id).await;
                }
            };
            self.actions.shared.tasks.spawn(stopped.run_until_cancelled_owned(working));
            desk
        });
        if desk.try_send(id).is_err() {
            tracing::warn!(author, "more actions wait than are listened to; one is left out");
        }
    }
}

/// Who wrote an action, as far as that can act.
enum Author {
    /// Whoever holds that credential.
    Holder(Holder),
    /// An agent that a record defines. Whoever may write serves it.
    Agent(String),
}

impl Author {
    /// By the name under which a record is kept.
    fn named(owner: &str) -> Option<Self> {
        match owner.strip_prefix("agent:") {
            Some(agent_id) => Some(Author::Agent(agent_id.to_owned())),
            None => Holder::named(owner).map(Author::Holder),
        }
    }

    async fn may_still_act(&self, credentials: &Credentials) -> bool {
        match self {
            Author::Holder(holder) => credentials.may_still_act(holder).await,
            Author::Agent(_) => true,
        }
    }

    /// Comes when it may do nothing any more.
    async fn ended(&self, credentials: &Credentials) {
        match self {
            Author::Holder(holder) => credentials.end_of(holder).cancelled_owned().await,
            Author::Agent(_) => std::future::pending().await,
        }
    }

    /// The agent session in which it acts.
    fn session(&self) -> String {
        match self {
            Author::Holder(holder) => holder.session_of_records(),
            Author::Agent(agent_id) => format!("agent-{agent_id}"),
        }
    }

    /// For people.
    fn client(&self) -> String {
        match self {
            Author::Holder(_) => "records".to_owned(),
            Author::Agent(agent_id) => agent_id.clone(),
        }
    }
}

/// The answer's name.
fn result_of(action: &RecordId) -> Option<RecordId> {
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

fn age(since_ms: i64) -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.saturating_sub(Duration::from_millis(u64::try_from(since_ms).unwrap_or(0)))
}
