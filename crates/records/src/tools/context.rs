//! `context_get`: what the user looks at now. Asking once brings the page's own words: the
//! call follows for as long as it lasts, which has the browser read the page.

use std::sync::Arc;
use std::time::Duration;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::link::RiskLevel;
use outrigger_protocol::records::{Record, Selector};
use outrigger_store::Owner;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout_at};

use super::{RecordsHome, Unseen, aim_at_records};
use crate::error::RecordsError;
use crate::schemas::PAGE_CONTEXT;
use crate::search::Search;
use crate::service::Records;
use crate::subscription::{After, Subscription};
use crate::view;

/// How long is waited for a page to be read, and for any to be told at all.
const PAGE_TIME: Duration = Duration::from_secs(5);
const ANY_TIME: Duration = Duration::from_millis(1_500);

/// Kept of the call's time to tell what is there.
const MARGIN: Duration = Duration::from_millis(250);

/// Where nothing is told: why, and what to do.
fn nothing(unseen: Unseen) -> Reply {
    Reply::said(match unseen {
        Unseen::NoBrowser => {
            "No browser is linked, so nothing is told of what the user looks at. Ask the user to \
             open the browser that has Outrigger's extension, or to link one: `outrigger pair` \
             says how."
        }
        Unseen::Off => {
            "The user has not switched on that agents may follow what is looked at, so nothing is \
             told. Ask the user to switch it on (“Agents may follow what I look at” in Outrigger's \
             popup), or work in a tab of your own with browser_navigate."
        }
        Unseen::LeftOut => {
            "What the user has in front may not be told, so nothing is. Private windows, sites \
             that the user left out or lets no agent read, and pages of the browser itself never \
             are. Ask the user to come to another page, or work in a tab of your own with \
             browser_navigate."
        }
        Unseen::NotYet => {
            "A browser is linked, and has told nothing of what the user looks at yet. Call again \
             in a moment; if that stays so, ask the user to bring a page to the front."
        }
    })
}

/// `context_get`.
pub(super) struct ContextGet(pub(super) Arc<dyn RecordsHome>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ContextGetParams {
    /// Also each control, by its index and xpath.
    #[serde(default)]
    elements: bool,
}

impl Tool for ContextGet {
    type Params = ContextGetParams;
    type Target = ();

    fn definition(&self) -> Definition {
        Definition::of::<ContextGetParams>(
            "context_get",
            "The page that the user looks at now: address, title, text, headings, links, forms. \
             Only where the user lets agents follow it.",
            RiskLevel::Read,
            ToolSet::Full(Family::Records),
        )
    }

    async fn aim(&self, _: &ContextGetParams, _: &Circumstances) -> Result<Aim<()>, Fault> {
        Ok(aim_at_records(PermissionKey::ReadRecords))
    }

    async fn execute(&self, call: Authorized<ContextGetParams, ()>) -> Result<Reply, Fault> {
        let (records, owner) = (self.0.records().await?, self.0.owner());
        let begun = Instant::now();
        // Something is told in any case, be it without the page.
        let end = |time| (begun + time).min(call.circumstances.deadline - MARGIN);
        let mut following = follow(&records, owner).await?;
        loop {
            self.0.may_be_read()?;
            let looked_at = looked_at(&records, owner).await?;
            let is_read =
                looked_at.first().is_some_and(|page| page.context.contains_key("content"));
            let time = if looked_at.is_empty() { ANY_TIME } else { PAGE_TIME };
            if is_read {
                return told(looked_at, call.params.elements);
            }
            match timeout_at(end(time), following.next()).await {
                Ok(Ok(Some(_))) => {}
                // It fell behind, or the records were opened anew.
                Ok(Ok(None)) => following = follow(&records, owner).await?,
                Ok(Err(error)) => return Err(error.into()),
                Err(_) if looked_at.is_empty() => return Ok(nothing(self.0.unseen())),
                Err(_) => return told(looked_at, call.params.elements),
            }
        }
    }
}

async fn follow(records: &Records, owner: &Owner) -> Result<Subscription, RecordsError> {
    let schema_name = Some(PAGE_CONTEXT.to_owned());
    let selector = Selector { schema_name, ..Selector::default() };
    records.subscribe(owner, vec![selector], After::Now).await
}

/// What is looked at, in each browser that tells it; the last one first.
async fn looked_at(records: &Records, owner: &Owner) -> Result<Vec<Record>, RecordsError> {
    let schema_name = Some(PAGE_CONTEXT.to_owned());
    let selector = Selector { schema_name, ..Selector::default() };
    let found = records.search(owner, &Search { selector, ..Search::default() }).await?;
    let is_told = |record: &Record| record.context.get("url").is_some_and(|url| url != "");
    Ok(found.records.into_iter().filter(is_told).collect())
}

fn told(looked_at: Vec<Record>, with_elements: bool) -> Result<Reply, Fault> {
    let others = looked_at.len().saturating_sub(1);
    let Some(record) = looked_at.into_iter().next() else { return Ok(nothing(Unseen::NotYet)) };
    let mut said =
        format!("What the user looks at (record {}, version {})", record.id, record.version);
    if others > 0 {
        said.push_str(&format!(
            ". This browser changed last of {}; records_search with schema_name {PAGE_CONTEXT} \
             shows all",
            others + 1
        ));
    }
    if !record.context.contains_key("content") {
        said.push_str(". The page itself can't be read, or not yet");
    }
    let domain =
        record.context.get("domain").and_then(Value::as_str).unwrap_or_default().to_owned();
    let text = match view::shown(record) {
        Ok(Value::Object(mut shown)) => match shown.remove("context") {
            Some(Value::Object(context)) => {
                Value::Object(compact(context, with_elements)).to_string()
            }
            _ => String::new(),
        },
        Ok(_) => String::new(),
        Err(error) => return Ok(Reply::said(format!("{said}. It can't be shown: {error}."))),
    };
    Ok(Reply::said(format!("{said}.")).page(domain, text))
}

/// Leaves out what a model pays for and gains nothing by: what is there twice, how the
/// page stands on the screen, and controls that nobody asked for.
fn compact(mut context: Map<String, Value>, with_elements: bool) -> Map<String, Value> {
    for name in ["viewport", "favicon", "session"] {
        context.shift_remove(name);
    }
    if !with_elements {
        context.shift_remove("dom");
    }
    let (has_text, has_structure) =
        (context.contains_key("page_text"), context.contains_key("page_structure"));
    if let Some(Value::Object(content)) = context.get_mut("content") {
        if has_text {
            content.shift_remove("mainText");
        }
        if has_structure {
            content.shift_remove("headings");
            content.shift_remove("links");
        }
        content.retain(|_, value| value.as_array().is_none_or(|list| !list.is_empty()));
    }
    context
}
