//! What the user looks at, as a record: one for each browser that tells it, in place,
//! for as long as the browser is linked. The extension decides what may be told; here
//! it is kept as long as the user lets agents read it, and the extension hears whether
//! somebody follows it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use outrigger_browser::LinkedBrowser;
use outrigger_dispatch::helm::Word;
use outrigger_guard::headers::redact_url;
use outrigger_guard::{Access, Guard, Origin, PermissionKey, Profile, Verdict};
use outrigger_protocol::context::{ContextReport, Tracking, Untold};
use outrigger_protocol::link::ToExtension;
use outrigger_protocol::records::{Context, Record, RecordId};
use outrigger_records::tools::Unseen;
use outrigger_records::{Change, Draft, History, Records, RecordsError, schemas};
use outrigger_store::records::merge;
use serde_json::{Value, json};
use tokio::sync::{Mutex as Turns, mpsc, watch};

use super::{HubRecords, NoRecords, page_hints};
use crate::memory::Heedful;

/// What such records are.
pub(crate) const SCHEMA: &str = schemas::PAGE_CONTEXT;

/// Reports that wait to be kept. An extension sends one in half a second.
pub(crate) const QUEUE: usize = 16;

/// Longer titles of pages are cut in that of the record.
const LONGEST_TITLE: usize = 200;

/// As which session the guard is asked: none that an agent could have.
const SESSION: &str = "outrigger:tracking";

/// The records of all browsers that tell what the user looks at.
pub(crate) struct PageTracking {
    records: Arc<HubRecords>,
    guard: Arc<Guard>,
    /// Whether hints about pages are kept, which have to be read for it.
    has_hints: bool,
    /// By the name that records have for a browser.
    known: Mutex<HashMap<String, Known>>,
    /// One is written at a time: by what the user decided when that begins.
    writing: Turns<()>,
}

/// What one browser told.
struct Known {
    /// None where there is nothing that may be told.
    record: Option<RecordId>,
    /// All of it, whether it may be told or not: the next report is about this.
    told: Context,
    /// Why there is nothing, where there is nothing.
    untold: Option<Untold>,
    /// Whether agents may read it, as it was written last.
    is_told: bool,
    browser: Browser,
}

/// A browser, as far as it matters here.
#[derive(Clone)]
pub(crate) struct Browser {
    /// By which its record goes. Not what the extension shows to be known again.
    name: String,
    profile: Profile,
}

impl Browser {
    pub(crate) fn new(linked: &LinkedBrowser) -> Self {
        Browser { name: linked.extension_id.clone(), profile: linked.profile }
    }
}

/// Why a report was not kept.
enum NotNoted {
    /// It is about something that isn't known here.
    NoBase,
    /// It can't be.
    Failed(NoRecords),
}

impl From<NoRecords> for NotNoted {
    fn from(error: NoRecords) -> Self {
        NotNoted::Failed(error)
    }
}

impl From<RecordsError> for NotNoted {
    fn from(error: RecordsError) -> Self {
        NotNoted::Failed(NoRecords::Records(error))
    }
}

impl PageTracking {
    pub(crate) fn new(records: Arc<HubRecords>, guard: Arc<Guard>, has_hints: bool) -> Self {
        let (known, writing) = (Mutex::default(), Turns::default());
        PageTracking { records, guard, has_hints, known, writing }
    }

    /// Keeps what one browser reports, for as long as it does.
    pub(crate) async fn keep(
        &self,
        browser: &Browser,
        mut reports: mpsc::Receiver<ContextReport>,
        outgoing: &mpsc::Sender<ToExtension>,
    ) {
        let (mut followers, mut told) = (None, None);
        loop {
            let next = match &mut followers {
                None => reports.recv().await.map(Some),
                Some(followers) => {
                    self.next(browser, &mut reports, followers, &mut told, outgoing).await
                }
            };
            let report = match next {
                None => return,
                // The records ended; others are opened with the next report.
                Some(None) => {
                    (followers, told) = (None, None);
                    continue;
                }
                Some(Some(report)) => report,
            };
            let is_whole = report.is_whole;
            let failed = match self.records.get().await {
                Err(error) => Some(NotNoted::Failed(error)),
                Ok(records) => {
                    followers.get_or_insert_with(|| {
                        let mut followers = records.followers();
                        // How it stands now is news to the extension too.
                        followers.mark_changed();
                        followers
                    });
                    self.note(&records, browser, report).await.err()
                }
            };
            if let Some(failed) = failed {
                if let NotNoted::Failed(error) = failed {
                    tracing::warn!(%error, "what the user looks at is not kept");
                }
                // What was there before is not what the user looks at either.
                self.forget(browser).await;
                if !is_whole {
                    let is_followed = told.is_some_and(|told: Tracking| told.is_followed);
                    let again = Tracking { is_followed, starts_over: true };
                    let _ = outgoing.send(ToExtension::Tracking(again)).await;
                }
            }
        }
    }

    /// The next report; none of it when the records ended. Tells the extension meanwhile
    /// whether somebody follows.
    async fn next(
        &self,
        browser: &Browser,
        reports: &mut mpsc::Receiver<ContextReport>,
        followers: &mut watch::Receiver<u64>,
        told: &mut Option<Tracking>,
        outgoing: &mpsc::Sender<ToExtension>,
    ) -> Option<Option<ContextReport>> {
        loop {
            tokio::select! {
                report = reports.recv() => return report.map(Some),
                changed = followers.changed() => {
                    if changed.is_err() {
                        return Some(None);
                    }
                    let Ok(records) = self.records.get().await else { continue };
                    let (owner, tags) = (&self.records.owner, tags_of(&browser.name));
                    let is_followed =
                        self.has_hints || records.is_followed(owner, SCHEMA, &tags);
                    let tracking = Tracking { is_followed, starts_over: false };
                    if *told != Some(tracking) {
                        if outgoing.send(ToExtension::Tracking(tracking)).await.is_err() {
                            return None;
                        }
                        *told = Some(tracking);
                    }
                }
            }
        }
    }

    async fn note(
        &self,
        records: &Records,
        browser: &Browser,
        report: ContextReport,
    ) -> Result<(), NotNoted> {
        let _alone = self.writing.lock().await;
        {
            let mut known = self.known();
            if !report.is_whole && !known.contains_key(&browser.name) {
                return Err(NotNoted::NoBase);
            }
            let known = known.entry(browser.name.clone()).or_insert_with(|| Known {
                record: None,
                told: Context::new(),
                untold: None,
                is_told: false,
                browser: browser.clone(),
            });
            known.browser.clone_from(browser);
            known.untold = report.untold;
            if report.is_whole {
                known.told = Context::new();
            }
            if let Value::Object(changes) = report.changes {
                merge(&mut known.told, changes);
            }
        }
        self.write(records, browser).await
    }

    /// Writes what one browser told, as far as it may be told now.
    async fn write(&self, records: &Records, browser: &Browser) -> Result<(), NotNoted> {
        let known =
            self.known().get(&browser.name).map(|known| (known.told.clone(), known.record.clone()));
        let Some((told, record)) = known else { return Ok(()) };
        let is_told = self.may_tell(browser, &told);
        let mut context = if is_told { told } else { Context::new() };
        let owner = &self.records.owner;
        let before = match &record {
            Some(id) => records.read(owner, id).await.ok(),
            None => None,
        };
        if context.is_empty() {
            self.put_hints(records, browser, Vec::new()).await?;
            if before.is_none() {
                return Ok(());
            }
        }
        for value in context.values_mut() {
            redact(value);
        }
        let (title, tags) = complete(&mut context, &browser.name);
        let class = page_hints::classified(&mut context);
        let hints = page_hints::of_page(&context, class.as_ref());
        schemas::check(SCHEMA, &Value::Object(context.clone())).map_err(NoRecords::Schema)?;
        let written = match before {
            Some(Record { id, version, .. }) => {
                let change = Change::Replace { title, tags, context };
                records.change(owner, &id, version, change, History::Off).await?
            }
            None => {
                let made_by = format!("extension:{}", browser.name);
                let schema_name = SCHEMA.to_owned();
                let draft = Draft { schema_name, title, tags, context, made_by };
                records.create(owner, draft).await?
            }
        };
        if let Some(known) = self.known().get_mut(&browser.name) {
            (known.record, known.is_told) = (Some(written.id), is_told);
        }
        self.put_hints(records, browser, hints).await
    }

    /// Hints about what the user looks at now, if they are wanted.
    async fn put_hints(
        &self,
        records: &Records,
        browser: &Browser,
        hints: Vec<Context>,
    ) -> Result<(), NotNoted> {
        if self.has_hints {
            page_hints::put(records, &self.records.owner, &browser.name, hints).await?;
        }
        Ok(())
    }

    /// Why nothing is told, while a browser is linked. One that tells nothing of the page in
    /// front says more than one where it is switched off.
    pub(crate) fn unseen(&self) -> Unseen {
        let known = self.known();
        // What the hub itself keeps back was told to it.
        let is_kept_back = |known: &Known| !known.told.is_empty() && !known.is_told;
        let mut of = known.values();
        if of.any(|known| known.untold == Some(Untold::LeftOut) || is_kept_back(known)) {
            Unseen::LeftOut
        } else if known.values().any(|known| known.untold == Some(Untold::Off)) {
            Unseen::Off
        } else {
            Unseen::NotYet
        }
    }

    /// What the user lets no agent read is no part of it.
    fn may_tell(&self, browser: &Browser, told: &Context) -> bool {
        let Some(url) = told.get("url").and_then(Value::as_str) else { return false };
        let (key, origin) = (PermissionKey::ReadDom, Origin::of(url));
        let access = Access { key, origin, profile: browser.profile };
        !matches!(self.guard.decide(access, SESSION), Verdict::Denied(_))
    }

    /// A browser is gone, and with it what the user looked at there.
    pub(crate) async fn forget(&self, browser: &Browser) {
        let _alone = self.writing.lock().await;
        self.remove(browser).await;
    }

    async fn remove(&self, browser: &Browser) {
        let known = self.known().remove(&browser.name);
        let Some(id) = known.and_then(|known| known.record) else { return };
        let Ok(records) = self.records.get().await else { return };
        if self.put_hints(&records, browser, Vec::new()).await.is_err() {
            tracing::warn!("hints about a page that is gone stay");
        }
        let owner = &self.records.owner;
        if let Ok(record) = records.read(owner, &id).await
            && let Err(error) = records.delete(owner, &id, record.version).await
        {
            tracing::warn!(%error, "the record of a browser that is gone stays");
        }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Heedful for PageTracking {
    /// What agents may no longer read is taken back, and what they may again is told.
    fn heed(&self) -> Word<'_, ()> {
        Box::pin(async {
            let _alone = self.writing.lock().await;
            let changed: Vec<Browser> = {
                let known = self.known();
                let is_changed =
                    |known: &&Known| known.is_told != self.may_tell(&known.browser, &known.told);
                known.values().filter(is_changed).map(|known| known.browser.clone()).collect()
            };
            if changed.is_empty() {
                return;
            }
            // Where there are no records, nobody reads any either.
            let Ok(records) = self.records.get().await else { return };
            for browser in changed {
                if let Err(NotNoted::Failed(error)) = self.write(&records, &browser).await {
                    tracing::warn!(%error, "what the user looks at is not kept");
                    self.remove(&browser).await;
                }
            }
        })
    }
}

/// Takes the secrets out of addresses, wherever they stand.
fn redact(value: &mut Value) {
    match value {
        Value::String(text) if text.contains("://") && !text.contains(char::is_whitespace) => {
            let told = redact_url(text).into_owned();
            *text = told;
        }
        Value::Array(items) => items.iter_mut().for_each(redact),
        Value::Object(fields) => fields.values_mut().for_each(redact),
        _ => {}
    }
}

/// Adds what the extension leaves to the hub; gives the record's title and tags.
fn complete(context: &mut Context, browser: &str) -> (String, Vec<String>) {
    for name in ["url", "domain", "title"] {
        context.entry(name).or_insert_with(|| json!(""));
    }
    let text = |name: &str| context.get(name).and_then(Value::as_str).unwrap_or_default();
    let letters = text("title").chars().filter(|letter| !letter.is_control());
    let page: String = letters.take(LONGEST_TITLE).collect();
    let domain = text("domain").to_owned();
    let session = context.entry("session").or_insert_with(|| json!({}));
    if let Value::Object(session) = session {
        session.insert("extensionId".into(), json!(browser));
        session.insert("userId".into(), json!(outrigger_store::Owner::local().user));
        let now = humantime::format_rfc3339_millis(SystemTime::now());
        session.insert("capturedAt".into(), json!(now.to_string()));
    }
    let has_content = context.contains_key("content");
    context.insert("llm_hints".into(), hints(has_content));
    let mut tags = tags_of(browser);
    if domain.is_empty() {
        return ("Browser: nothing that may be followed".into(), tags);
    }
    tags.push(format!("url:{domain}"));
    (format!("Browser: {page}"), tags)
}

/// The tags that the record of a browser always has.
fn tags_of(browser: &str) -> Vec<String> {
    let mut tags: Vec<String> =
        ["browser:context", "browser:active-tab", "extension:chrome"].map(str::to_owned).into();
    tags.push(format!("extension:{browser}"));
    tags
}

/// How a model is shown it.
fn hints(has_content: bool) -> Value {
    let exclude = ["dom.map", "session.extensionId", "session.tabId", "session.windowId"];
    if !has_content {
        let summary = "The user is viewing '{{context.title}}' at {{context.domain}}.";
        return json!({
            "mode": "merge",
            "transform": {"summary": {"type": "template", "template": summary}},
            "exclude": exclude,
        });
    }
    let summary = "The user is viewing '{{context.title}}' at {{context.domain}}. The page has \
                   {{context.content.headings.length}} sections and \
                   {{context.content.links.length}} links.";
    let interactive = "There are {{context.dom.interactiveElements.length}} interactive elements \
                       on this page that the user can click or interact with.";
    json!({
        "mode": "merge",
        "transform": {
            "summary": {"type": "template", "template": summary},
            "interactive_summary": {"type": "template", "template": interactive},
            "page_text": {"type": "extract", "value": "$.content.mainText"},
            "page_structure": {"type": "literal", "literal": {
                "headings": "{{context.content.headings}}",
                "key_links": "{{context.content.links}}",
                "forms_present": "{{context.content.forms.length > 0}}",
            }},
        },
        "exclude": exclude,
    })
}
