//! Hints about the page that the user looks at, as records of their own: one for each
//! thing worth saying, only if the user wants them, and gone with the page. What there
//! is to say is `outrigger-records`' to know.

use outrigger_protocol::records::{Context, Record, Selector};
use outrigger_records::classify::{Classification, classify};
use outrigger_records::{Draft, Records, RecordsError, Search, hints};
use outrigger_store::Owner;
use serde_json::{Value, json};

/// What such records are.
pub(crate) const SCHEMA: &str = "page.hint.v1";

/// Who says so.
const MADE_BY: &str = "outrigger";

/// What a page is taken for, if it was read; then the context says so.
pub(super) fn classified(context: &mut Context) -> Option<Classification> {
    if !context.contains_key("content") {
        return None;
    }
    let class = classify(&Value::Object(context.clone()));
    context.insert("page_kind".into(), json!(class.kind));
    context.insert("page_kind_confidence".into(), json!(class.confidence));
    Some(class)
}

/// What is worth saying about a page.
pub(super) fn of_page(context: &Context, class: Option<&Classification>) -> Vec<Context> {
    let told = class.map(|class| hints::hints(&Value::Object(context.clone()), class));
    let objects = told.into_iter().flatten().filter_map(|hint| match hint {
        Value::Object(hint) => Some(hint),
        _ => None,
    });
    objects.collect()
}

/// Puts these hints about the page of a browser in place of those that are there.
pub(super) async fn put(
    records: &Records,
    owner: &Owner,
    browser: &str,
    mut hints: Vec<Context>,
) -> Result<(), RecordsError> {
    for Record { id, version, context, .. } in kept(records, owner, browser).await? {
        match hints.iter().position(|hint| *hint == context) {
            // It is said already.
            Some(place) => drop(hints.remove(place)),
            None => records.delete(owner, &id, version).await?,
        }
    }
    for context in hints {
        let title = context["text"].as_str().unwrap_or_default().to_owned();
        let tags = vec!["page:hint".to_owned(), tag_of(browser)];
        let (schema_name, made_by) = (SCHEMA.to_owned(), MADE_BY.to_owned());
        records.create(owner, Draft { schema_name, title, tags, context, made_by }).await?;
    }
    Ok(())
}

/// All that is kept about the page of a browser; there are never many.
async fn kept(
    records: &Records,
    owner: &Owner,
    browser: &str,
) -> Result<Vec<Record>, RecordsError> {
    let (schema_name, all_tags) = (Some(SCHEMA.to_owned()), vec![tag_of(browser)]);
    let selector = Selector { schema_name, all_tags, ..Selector::default() };
    Ok(records.search(owner, &Search { selector, ..Search::default() }).await?.records)
}

fn tag_of(browser: &str) -> String {
    format!("extension:{browser}")
}
