//! `/api/v1/agents`: which agents there are and what waits for them, what one of them is
//! handed out (as server-sent events), and how far it has come.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Extension, Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use http::HeaderMap;
use outrigger_guard::PermissionKey;
use outrigger_protocol::records::{RecordId, Selector};
use outrigger_records::agents::{Acknowledged, AgentQueue, Cut, Handed};
use outrigger_records::{Records, view};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::HubRecords;
use super::api::{parsed, writer};
use super::failure::Failure;
use crate::gate::Sender;
use crate::problem::Problem;

/// A line now and then, so that a connection which is gone is found out.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// How often the place of an agent is moved on that gets nothing.
const SETTLE_EVERY: Duration = Duration::from_secs(60);

/// In place of a position: all that waits is to be left out.
const NOW: &str = "now";

/// The routes.
pub(super) fn routes() -> OpenApiRouter<Arc<HubRecords>> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(serve)).routes(routes!(acknowledge))
}

/// All agents.
#[derive(Serialize, ToSchema)]
struct KnownAgents {
    items: Vec<KnownAgent>,
}

/// An agent, and what waits for it.
#[derive(Serialize, ToSchema)]
struct KnownAgent {
    agent_id: String,
    /// The record that defines it.
    record: RecordId,
    /// Which records wake it.
    #[schema(value_type = Vec<Object>)]
    selectors: Vec<Selector>,
    /// How many records wait for it; there may be more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    waiting: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    or_more: Option<bool>,
    /// Why that can't be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<String>,
}

/// Lists agents, and how many records wait for each.
#[utoipa::path(
    get,
    path = "/api/v1/agents",
    operation_id = "list_agents",
    tag = "agents",
    responses(
        (status = 200, description = "All agents that records define.", body = KnownAgents),
    )
)]
async fn list(State(hub): State<Arc<HubRecords>>) -> Result<Json<KnownAgents>, Failure> {
    let records = hub.get().await?;
    let mut items = Vec::new();
    for agent in records.agents(&hub.owner).await? {
        let waiting = records.waiting(&hub.owner, &agent).await;
        let error = waiting.as_ref().err().map(|error| format!("{error}."));
        let waiting = waiting.ok();
        items.push(KnownAgent {
            agent_id: agent.agent_id,
            record: agent.record,
            selectors: agent.selectors,
            or_more: waiting.as_ref().map(|waiting| waiting.or_more),
            waiting: waiting.map(|waiting| waiting.records),
            error,
        });
    }
    Ok(Json(KnownAgents { items }))
}

/// How far an agent has come.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AckBody {
    /// The id of an event, or `now`: all that waits is to be left out.
    #[schema(
        pattern = "^(now|[A-Za-z0-9_-]{1,64}[.][0-9]{1,18}[.][A-Za-z0-9_-]{1,64}[.][0-9]{1,18})$"
    )]
    position: String,
}

/// Where an agent is.
#[derive(Serialize, ToSchema)]
struct AgentPosition {
    position: String,
}

/// Notes how far an agent has come.
#[utoipa::path(
    post,
    path = "/api/v1/agents/{agent_id}/ack",
    operation_id = "acknowledge_items",
    tag = "agents",
    params(
        ("agent_id" = String, Path, description = "Its name.", pattern = "^[a-z0-9][a-z0-9_-]{0,63}$"),
    ),
    request_body = AckBody,
    responses(
        (status = 200, description = "Where it is now.", body = AgentPosition),
        (status = 404, description = "There is no such agent.", body = Problem),
        (status = 409, description = "Somebody else noted it at the same time.", body = Problem),
        (status = 410, description = "That place is no more.", body = Problem),
    )
)]
async fn acknowledge(
    State(hub): State<Arc<HubRecords>>,
    Extension(sender): Extension<Sender>,
    agent_id: Result<Path<String>, PathRejection>,
    body: Bytes,
) -> Result<Json<AgentPosition>, Failure> {
    writer(&sender)?;
    let agent_id = named(agent_id)?;
    let AckBody { position } = parsed(&body)?;
    let acknowledged = match position.as_str() {
        NOW => Acknowledged::All,
        place => Acknowledged::Until(place.parse()?),
    };
    let position = hub.get().await?.acknowledge(&hub.owner, &agent_id, acknowledged).await?;
    Ok(Json(AgentPosition { position: position.to_string() }))
}

fn named(agent_id: Result<Path<String>, PathRejection>) -> Result<String, Failure> {
    let Path(agent_id) = agent_id.map_err(|error| Failure::Id(error.body_text()))?;
    Ok(agent_id)
}

/// Hands out what wakes an agent, in order, as server-sent events.
#[utoipa::path(
    get,
    path = "/api/v1/agents/{agent_id}/events",
    operation_id = "serve_agent",
    tag = "agents",
    params(
        ("agent_id" = String, Path, description = "Its name.", pattern = "^[a-z0-9][a-z0-9_-]{0,63}$"),
        ("Last-Event-ID" = Option<String>, Header, nullable = false, pattern = "^([A-Za-z0-9_-]{1,64}[.][0-9]{1,18}[.][A-Za-z0-9_-]{1,64}[.][0-9]{1,18})?$", description = "The id of the last event that was dealt with; otherwise it goes on after what was acknowledged."),
    ),
    responses(
        (status = 200, description = "A `begun`, then an `item` for each record, a `cut` for one that is kept back, `gone` when the agent is.", content_type = "text/event-stream", body = String),
        (status = 404, description = "There is no such agent.", body = Problem),
        (status = 410, description = "The place to go on from is no more.", body = Problem),
    )
)]
async fn serve(
    State(hub): State<Arc<HubRecords>>,
    Extension(sender): Extension<Sender>,
    agent_id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    writer(&sender)?;
    let agent_id = named(agent_id)?;
    let said = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let after = said.filter(|id| !id.is_empty()).map(str::parse).transpose()?;
    let records = hub.get().await?;
    let mut queue = records.serve_agent(&hub.owner, &agent_id, after).await?;
    let begun = Event::default().event("begun").id(queue.position().to_string());
    let begun = begun.json_data(json!({"agent_id": agent_id})).unwrap_or_default();
    let over = hub.clone().over();
    let serving = Serving { hub, records, agent_id, queue };
    let events = stream::unfold((Some(begun), Some(serving)), |(first, serving)| async move {
        let serving = serving?;
        let (event, serving) = match first {
            Some(first) => (first, Some(serving)),
            None => serving.next().await?,
        };
        Some((Ok::<_, Infallible>(event), (None, serving)))
    });
    let alive = KeepAlive::new().interval(SIGN_OF_LIFE);
    Ok(Sse::new(events.take_until(over)).keep_alive(alive).into_response())
}

/// An agent that somebody serves.
struct Serving {
    hub: Arc<HubRecords>,
    records: Records,
    agent_id: String,
    queue: AgentQueue,
}

impl Serving {
    /// The next event, and whoever is served after it.
    async fn next(mut self) -> Option<(Event, Option<Self>)> {
        let handed = loop {
            match tokio::time::timeout(SETTLE_EVERY, self.queue.next()).await {
                Ok(handed) => break handed,
                Err(_) => {
                    if let Err(error) = self.queue.settle().await {
                        tracing::debug!(code = error.code(), "an agent's place stays as it was");
                    }
                }
            }
        };
        // What was allowed when it began may be denied since.
        self.hub.permit(PermissionKey::ReadRecords).ok()?;
        match handed {
            Ok(Some(handed)) => Some((told(handed), Some(self))),
            Ok(None) => {
                // The records may have ended; the agent has only if it isn't there.
                let is_there = self.records.agent(&self.hub.owner, &self.agent_id).await.is_ok();
                let gone = Event::default().event("gone");
                let data = json!({"agent_id": self.agent_id});
                (!is_there).then(|| (gone.json_data(data).unwrap_or_default(), None))
            }
            Err(error) => {
                tracing::warn!(%error, "an agent is let go; it can go on where it was");
                None
            }
        }
    }
}

fn told(handed: Handed) -> Event {
    match handed {
        Handed::Item { record, position } => {
            let (id, version) = (record.id.clone(), record.version);
            let data = view::shown(*record).unwrap_or_else(
                |error| json!({"id": id, "version": version, "error": error.to_string()}),
            );
            let event = Event::default().event("item").id(position.to_string());
            event.json_data(data).unwrap_or_default()
        }
        Handed::Cut(Cut { id, schema_name, version, hops, why, position }) => {
            let data = json!({
                "id": id, "schema_name": schema_name, "version": version, "hops": hops,
                "why": why.as_str(),
            });
            let event = Event::default().event("cut").id(position.to_string());
            event.json_data(data).unwrap_or_default()
        }
    }
}
