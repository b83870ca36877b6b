//! Resources: what a client reads and follows by its address. Reading one is a call of
//! the tool for it, so that it goes the one road; its text is what that tool tells, with
//! the fence, and is no JSON for that reason.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::stream::{self, SelectAll, Stream, StreamExt as _};
use outrigger_protocol::ErrorCode;
use outrigger_protocol::agent::CallReply;
use rmcp::ErrorData;
use rmcp::model::{
    ListResourceTemplatesResult, ListResourcesResult, ReadResourceResponse, ReadResourceResult,
    Resource as Listed, ResourceContents, ResourceTemplate, ResourceUpdatedNotificationParam,
};
use rmcp::service::{Peer, RoleServer};
use serde_json::{Value, json};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::Backend;
use crate::following::{Following, MOST_FOLLOWED, Resource, Unfollowable};

/// Words for a model, and a fence around those of others.
const MIME_TYPE: &str = "text/plain";

/// The resources that are always there.
pub(super) fn listed() -> ListResourcesResult {
    let active = Listed::new(Resource::ActiveContext.to_string(), "active-context")
        .with_title("What the user looks at")
        .with_description(
            "The page in front of the user, kept current: address, title, text, headings, links, \
             forms. Only where the user lets agents follow it.",
        )
        .with_mime_type(MIME_TYPE);
    ListResourcesResult::with_all_items(vec![active])
}

/// Those of which there are many.
pub(super) fn templates() -> ListResourceTemplatesResult {
    let record = ResourceTemplate::new("outrigger://records/{id}", "record")
        .with_title("A living record")
        .with_description("A record by its id, as its own hints want it shown.")
        .with_mime_type(MIME_TYPE);
    ListResourceTemplatesResult::with_all_items(vec![record])
}

/// The call that reads what is at an address.
pub(super) fn reading(address: &str) -> Result<(&'static str, Value), ErrorData> {
    match Resource::parse(address) {
        Some(Resource::ActiveContext) => Ok(("context_get", json!({}))),
        Some(Resource::Record(id)) => Ok(("record_get", json!({"id": id}))),
        None => Err(nothing_at(address, "There is no such resource.")),
    }
}

/// What came of that call.
pub(super) fn contents(
    address: &str,
    reply: &CallReply,
) -> Result<ReadResourceResponse, ErrorData> {
    let text = reply.text();
    match reply.error {
        None => {
            let contents = ResourceContents::text(text, address).with_mime_type(MIME_TYPE);
            Ok(ReadResourceResult::new(vec![contents]).into())
        }
        Some(ErrorCode::NotFound) => Err(nothing_at(address, &text)),
        Some(_) => Err(ErrorData::internal_error(text, None)),
    }
}

fn nothing_at(address: &str, words: &str) -> ErrorData {
    ErrorData::resource_not_found(words.to_owned(), Some(json!({"uri": address})))
}

fn refused(address: &str, error: &Unfollowable) -> ErrorData {
    match error.code {
        ErrorCode::NotFound => nothing_at(address, &error.message),
        code => ErrorData::internal_error(format!("{code}: {}", error.message), None),
    }
}

/// Those addresses that lead somewhere.
pub(super) fn followable<'a>(asked: impl Iterator<Item = &'a String>) -> Vec<String> {
    let ours = asked.filter(|address| Resource::parse(address).is_some());
    ours.take(MOST_FOLLOWED).cloned().collect()
}

/// Addresses of what changed.
pub(super) type Changes = SelectAll<Pin<Box<dyn Stream<Item = String> + Send>>>;

/// Follows all of them, for one client of the new era.
pub(super) async fn follow_all<B: Backend>(
    backend: &B,
    addresses: Vec<String>,
) -> Result<Changes, ErrorData> {
    let mut changes = Changes::new();
    for address in addresses {
        let Some(resource) = Resource::parse(&address) else { continue };
        let followed = backend.follow(&resource).await;
        let followed = followed.map_err(|error| refused(&address, &error))?;
        let each = stream::unfold((followed, address), |(mut followed, address)| async move {
            followed.changed().await.then(|| (address.clone(), (followed, address)))
        });
        changes.push(each.boxed());
    }
    Ok(changes)
}

/// The next that changed; none when nothing of it can be followed any more. Nothing ever
/// comes of following nothing.
pub(super) async fn next_of(changes: &mut Changes) -> Option<String> {
    if changes.is_empty() {
        return std::future::pending().await;
    }
    changes.next().await
}

/// What one client of the older era follows, until it goes.
#[derive(Default)]
pub(super) struct Subscriptions(Mutex<HashMap<String, DropGuard>>);

impl Subscriptions {
    /// Tells the client of every change from now on.
    pub(super) async fn add<B: Backend>(
        &self,
        backend: &B,
        address: String,
        client: Peer<RoleServer>,
    ) -> Result<(), ErrorData> {
        let Some(resource) = Resource::parse(&address) else {
            return Err(nothing_at(&address, "There is no such resource."));
        };
        let known = self.lock().len();
        if known >= MOST_FOLLOWED && !self.lock().contains_key(&address) {
            let words = format!("{MOST_FOLLOWED} resources are followed already. Let some go.");
            return Err(ErrorData::invalid_params(words, None));
        }
        let followed = backend.follow(&resource).await;
        let followed = followed.map_err(|error| refused(&address, &error))?;
        let end = CancellationToken::new();
        tokio::spawn(tell(followed, address.clone(), client, end.clone()));
        self.lock().insert(address, end.drop_guard());
        Ok(())
    }

    /// Tells it no more.
    pub(super) fn remove(&self, address: &str) {
        self.lock().remove(address);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, DropGuard>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn tell(
    mut followed: Following,
    address: String,
    client: Peer<RoleServer>,
    end: CancellationToken,
) {
    let telling = async {
        while followed.changed().await {
            let about = ResourceUpdatedNotificationParam::new(address.clone());
            if client.notify_resource_updated(about).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = end.cancelled() => {}
        () = telling => {}
    }
}
