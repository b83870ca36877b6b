//! `GET /api/v1/events`, and `/api/v1/breadcrumbs/events` under that name: what happens to
//! records, as server-sent events. An event's id is where to go on from; whoever was too
//! slow gets a `gap` with that place, and comes again with it.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::QueryRejection;
use axum::extract::{MatchedPath, Query, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use http::HeaderMap;
use outrigger_guard::PermissionKey;
use outrigger_records::{After, Delivery, Subscription};
use serde_json::json;

use super::HubRecords;
use super::api::BREADCRUMBS;
use super::asked::Asked;
use super::failure::Failure;
use crate::problem::Problem;

/// A line now and then, so that a connection which is gone is found out.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// Follows records: every change of those that are asked for, in order, as server-sent
/// events. Something has to be asked for.
#[utoipa::path(
    get,
    path = "/",
    operation_id = "follow_records",
    tag = "events",
    params(
        Asked,
        ("last_event_id" = Option<String>, Query, nullable = false, pattern = "^([A-Za-z0-9_-]{1,64}[.][0-9]{1,18}[.][A-Za-z0-9_-]{1,64}[.][0-9]{1,18})?$", description = "Where to go on; the header of that name counts first."),
        ("Last-Event-ID" = Option<String>, Header, nullable = false, pattern = "^([A-Za-z0-9_-]{1,64}[.][0-9]{1,18}[.][A-Za-z0-9_-]{1,64}[.][0-9]{1,18})?$", description = "The id of the last event that was seen."),
    ),
    responses(
        (status = 200, description = "A `begun`, then a `record.created`, `record.updated` or `record.deleted` for each change.", content_type = "text/event-stream", body = String),
        (status = 410, description = "The place to go on from is no more. Read the records again.", body = Problem),
        (status = 422, description = "This can't be asked for.", body = Problem),
    )
)]
pub(super) async fn follow(
    State(hub): State<Arc<HubRecords>>,
    path: MatchedPath,
    asked: Result<Query<Asked>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let asked = Asked::read(asked)?;
    Asked::refuse(&[
        ("owner", asked.owner.is_some()),
        ("from", asked.from.is_some()),
        ("limit", asked.limit.is_some()),
    ])?;
    let said = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let after = match said.or(asked.last_event_id.as_deref()) {
        None | Some("") => After::Now,
        Some(id) => After::Position(id.parse()?),
    };
    let selectors = vec![asked.selector()?];
    let mut following = hub.get().await?.subscribe(&hub.owner, selectors, after).await?;
    let begun = Event::default().event("begun").id(following.position().to_string()).data("{}");
    let over = hub.clone().over();
    let called = if path.as_str().starts_with(BREADCRUMBS) { "breadcrumb" } else { "record" };
    let start = (Some(begun), following, hub);
    let events = stream::unfold(start, move |(first, mut following, hub)| async move {
        let event = match first {
            Some(first) => first,
            None => next(&mut following, called).await?,
        };
        // What was allowed when it began may be denied since.
        hub.permit(PermissionKey::ReadRecords).ok()?;
        Some((Ok::<_, Infallible>(event), (None, following, hub)))
    });
    let alive = KeepAlive::new().interval(SIGN_OF_LIFE);
    Ok(Sse::new(events.take_until(over)).keep_alive(alive).into_response())
}

/// The next event, of records by the name by which they were asked for.
async fn next(following: &mut Subscription, called: &str) -> Option<Event> {
    match following.next().await {
        Ok(Some(Delivery::Event { event, position })) => {
            let kind = event.kind.as_str().replacen("record", called, 1);
            let told = Event::default().event(&kind).id(position.to_string());
            let mut data = json!(*event);
            data["kind"] = json!(kind);
            Some(told.json_data(data).unwrap_or_default())
        }
        Ok(Some(Delivery::Gap { resume })) => {
            let told = Event::default().event("gap").id(resume.to_string());
            Some(told.json_data(json!({"resume": resume.to_string()})).unwrap_or_default())
        }
        Ok(None) => None,
        Err(error) => {
            tracing::warn!(%error, "a subscriber is let go; it can go on where it was");
            None
        }
    }
}
