//! What the user looks at, as a record: one for each browser that tells it, in place,
//! for as long as the browser is linked. The extension decides what may be told; here
//! it is kept, and the extension hears whether somebody follows it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use outrigger_guard::headers::redact_url;
use outrigger_protocol::context::{ContextReport, Tracking};
use outrigger_protocol::link::ToExtension;
use outrigger_protocol::records::{Context, Record, RecordId};
use outrigger_records::{Change, Draft, History, Records, schemas};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{HubRecords, NoRecords};

/// What such records are.
pub(crate) const SCHEMA: &str = "browser.page.context.v1";

/// Reports that wait to be kept. An extension sends one in half a second.
pub(crate) const QUEUE: usize = 16;

/// The records of all browsers that tell what the user looks at.
pub(crate) struct PageTracking {
    records: Arc<HubRecords>,
    /// By the browser's own name.
    known: Mutex<HashMap<String, RecordId>>,
}

impl PageTracking {
    pub(crate) fn new(records: Arc<HubRecords>) -> Self {
        PageTracking { records, known: Mutex::default() }
    }

    /// Keeps what one browser reports, for as long as it does.
    pub(crate) async fn keep(
        &self,
        browser: &str,
        mut reports: mpsc::Receiver<ContextReport>,
        outgoing: &mpsc::Sender<ToExtension>,
    ) {
        let (mut followers, mut told) = (None, None);
        while let Some(report) = match &mut followers {
            None => reports.recv().await,
            Some(followers) => self.next(&mut reports, followers, &mut told, outgoing).await,
        } {
            let records = match self.records.get().await {
                Ok(records) => records,
                Err(error) => {
                    tracing::warn!(%error, "what the user looks at is not kept");
                    continue;
                }
            };
            if let Err(error) = self.note(&records, browser, report).await {
                tracing::warn!(%error, "what the user looks at is not kept");
            }
            followers.get_or_insert_with(|| {
                let mut followers = records.followers();
                // How it stands now is news to the extension too.
                followers.mark_changed();
                followers
            });
        }
    }

    /// The next report. Tells the extension meanwhile whether somebody follows.
    async fn next(
        &self,
        reports: &mut mpsc::Receiver<ContextReport>,
        followers: &mut tokio::sync::watch::Receiver<u64>,
        told: &mut Option<Tracking>,
        outgoing: &mpsc::Sender<ToExtension>,
    ) -> Option<ContextReport> {
        loop {
            tokio::select! {
                report = reports.recv() => return report,
                changed = followers.changed() => {
                    // The records ended; others are opened with the next report.
                    if changed.is_err() {
                        return reports.recv().await;
                    }
                    let Ok(records) = self.records.get().await else { continue };
                    let is_followed = records.is_followed(&self.records.owner, SCHEMA);
                    let tracking = Tracking { is_followed };
                    if *told != Some(tracking) && outgoing.send(ToExtension::Tracking(tracking)).await.is_ok() {
                        *told = Some(tracking);
                    }
                }
            }
        }
    }

    async fn note(
        &self,
        records: &Records,
        browser: &str,
        report: ContextReport,
    ) -> Result<(), NoRecords> {
        let owner = &self.records.owner;
        let known = self.known().get(browser).cloned();
        let before = match known {
            Some(id) => records.read(owner, &id).await.ok(),
            None => None,
        };
        let mut context = match &before {
            Some(record) if !report.is_whole => record.context.clone(),
            _ => Context::new(),
        };
        if let Value::Object(changes) = report.changes {
            outrigger_store::records::merge(&mut context, changes);
        }
        for value in context.values_mut() {
            redact(value);
        }
        let (title, tags) = complete(&mut context, browser);
        schemas::check(SCHEMA, &Value::Object(context.clone())).map_err(NoRecords::Schema)?;
        match before {
            Some(Record { id, version, .. }) => {
                let change = Change::Replace { title, tags, context };
                records.change(owner, &id, version, change, History::Off).await?;
            }
            None => {
                let (schema_name, made_by) = (SCHEMA.to_owned(), format!("extension:{browser}"));
                let draft = Draft { schema_name, title, tags, context, made_by };
                let record = records.create(owner, draft).await?;
                self.known().insert(browser.to_owned(), record.id);
            }
        }
        Ok(())
    }

    /// A browser is gone, and with it what the user looked at there.
    pub(crate) async fn forget(&self, browser: &str) {
        let Some(id) = self.known().remove(browser) else { return };
        let Ok(records) = self.records.get().await else { return };
        let owner = &self.records.owner;
        if let Ok(record) = records.read(owner, &id).await
            && let Err(error) = records.delete(owner, &id, record.version).await
        {
            tracing::warn!(%error, "the record of a browser that is gone stays");
        }
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<String, RecordId>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
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
    let (page, domain) = (text("title").to_owned(), text("domain").to_owned());
    let session = context.entry("session").or_insert_with(|| json!({}));
    if let Value::Object(session) = session {
        session.insert("extensionId".into(), json!(browser));
        session.insert("userId".into(), json!(outrigger_store::Owner::local().user));
        let now = humantime::format_rfc3339_millis(SystemTime::now());
        session.insert("capturedAt".into(), json!(now.to_string()));
    }
    let has_content = context.contains_key("content");
    context.insert("llm_hints".into(), hints(has_content));
    let mut tags: Vec<String> =
        ["browser:context", "browser:active-tab", "extension:chrome"].map(str::to_owned).into();
    tags.push(format!("extension:{browser}"));
    if domain.is_empty() {
        return ("Browser: nothing that may be followed".into(), tags);
    }
    tags.push(format!("url:{domain}"));
    (format!("Browser: {page}"), tags)
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
