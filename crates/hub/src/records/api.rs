//! `/api/v1/records`, and `/api/v1/breadcrumbs`, which is the same collection: records
//! as JSON. A change names the version that it is made of, in `If-Match` or as
//! `version`. What a record may be is `outrigger-records`' to say.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, Query, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use outrigger_dispatch::journal::NotKept;
use outrigger_guard::{Denial, PermissionKey, Scope};
use outrigger_protocol::records::{Context, ContextCondition, Record, RecordId, Selector};
use outrigger_records::schemas::{self, SchemaError};
use outrigger_records::view::{self, ViewError};
use outrigger_records::{Change, FoundFrom, History, NewContents, Patch, RecordsError, Search};
use outrigger_store::records::RecordError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{HubRecords, NoRecords, events};
use crate::credentials::Credential;
use crate::gate::Sender;

/// Earlier versions of a record that are told at once.
const MOST_HISTORY: u32 = 10;

/// The routes.
pub(crate) fn routes(records: Arc<HubRecords>) -> Router {
    let collection = || {
        Router::new()
            .route("/", get(search).post(create))
            .route("/{id}", get(shown).put(replace).patch(merge).delete(remove))
            .route("/{id}/full", get(full))
            .route("/{id}/history", get(history))
    };
    Router::new()
        .nest("/api/v1/records", collection())
        .nest("/api/v1/breadcrumbs", collection())
        .route("/api/v1/events", get(events::follow))
        .route_layer(axum::middleware::from_fn_with_state(records.clone(), as_permitted))
        .route("/api/v1/schemas", get(all_schemas))
        .route("/api/v1/schemas/{name}", get(one_schema))
        .with_state(records)
}

/// What the user denies to agents is denied here, too.
async fn as_permitted(
    State(hub): OfHub,
    request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let is_reading = request.method().is_safe();
    let key = if is_reading { PermissionKey::ReadRecords } else { PermissionKey::WriteRecords };
    match hub.permit(key) {
        Ok(()) => Ok(next.run(request).await),
        Err(denial) => {
            // Where nothing is known, the store says best why.
            if matches!(denial, Denial::NoMemory { .. }) {
                hub.get().await?;
            }
            Err(Failure::Denied(denial))
        }
    }
}

/// Why a request changes or tells nothing.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error("The body is not understood: {0}.")]
    Body(String),
    #[error("The query is not understood: {0}.")]
    Query(String),
    #[error("{0:?} is no id of a record.")]
    Id(String),
    #[error("Say which version the change is made of, in If-Match or as `version`.")]
    NoVersion,
    #[error("{0:?} is no version. Send the record's number as it came, as in If-Match: \"3\".")]
    Version(String),
    #[error("This token is for reading. Use one of the scope act or admin.")]
    OutOfScope,
    #[error("{0}.")]
    Denied(Denial),
    #[error("There is no schema {0:?}. See /api/v1/schemas.")]
    NoSchema(String),
    #[error("{0}.")]
    Schema(#[from] SchemaError),
    #[error("{0}.")]
    View(#[from] ViewError),
    #[error("{0}.")]
    Records(#[from] RecordsError),
    #[error("{0}.")]
    Store(NotKept),
}

impl From<NoRecords> for Failure {
    fn from(error: NoRecords) -> Self {
        match error {
            NoRecords::Records(error) => Failure::Records(error),
            NoRecords::Schema(error) => Failure::Schema(error),
            NoRecords::Store(error) => Failure::Store(error),
        }
    }
}

impl Failure {
    fn status_and_code(&self) -> (StatusCode, &'static str) {
        use StatusCode as S;
        match self {
            Failure::Body(_) => (S::BAD_REQUEST, "bad_body"),
            Failure::Query(_) => (S::BAD_REQUEST, "bad_query"),
            Failure::Id(_) => (S::BAD_REQUEST, "bad_id"),
            Failure::NoVersion => (S::PRECONDITION_REQUIRED, "version_required"),
            Failure::Version(_) => (S::BAD_REQUEST, "bad_version"),
            Failure::OutOfScope => (S::FORBIDDEN, "out_of_scope"),
            Failure::Denied(_) => (S::FORBIDDEN, "not_allowed"),
            Failure::NoSchema(_) => (S::NOT_FOUND, "unknown_schema"),
            Failure::Schema(error) => (S::UNPROCESSABLE_ENTITY, error.code()),
            Failure::View(error) => (S::UNPROCESSABLE_ENTITY, error.code()),
            Failure::Store(error) => (S::SERVICE_UNAVAILABLE, error.code),
            Failure::Records(error) => (status_of(error), error.code()),
        }
    }
}

fn status_of(error: &RecordsError) -> StatusCode {
    match error {
        RecordsError::Store(error) => match error {
            RecordError::NotFound { .. } => StatusCode::NOT_FOUND,
            RecordError::VersionMismatch { .. } | RecordError::AlreadyThere { .. } => {
                StatusCode::CONFLICT
            }
            RecordError::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            RecordError::Bad { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            RecordError::MemoryFull { .. } => StatusCode::INSUFFICIENT_STORAGE,
            RecordError::OtherLife { .. } | RecordError::EventsPruned { .. } => StatusCode::GONE,
            _ => StatusCode::SERVICE_UNAVAILABLE,
        },
        RecordsError::BadPosition
        | RecordsError::MeansEverything
        | RecordsError::Selectors { .. } => StatusCode::BAD_REQUEST,
        RecordsError::Schema(_) => StatusCode::UNPROCESSABLE_ENTITY,
        RecordsError::NotYours { .. } => StatusCode::FORBIDDEN,
        RecordsError::TooManySubscriptions { .. } => StatusCode::TOO_MANY_REQUESTS,
        RecordsError::TooSlow { .. }
        | RecordsError::OutcomeUnknown { .. }
        | RecordsError::NoRandomness(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, code) = self.status_and_code();
        let mut body = json!({"error": self.to_string(), "code": code});
        if let Failure::Records(RecordsError::Store(RecordError::VersionMismatch {
            current, ..
        })) = &self
        {
            body["current_version"] = json!(current);
        }
        (status, Json(body)).into_response()
    }
}

type OfHub = State<Arc<HubRecords>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewBody {
    schema_name: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    context: Context,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangedBody {
    version: Option<u64>,
    title: Option<String>,
    tags: Option<Vec<String>>,
    context: Option<Context>,
    /// Keep the version that this ends.
    #[serde(default)]
    keep_history: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AtVersion {
    version: Option<u64>,
}

/// What records are asked for, in an address. Lists are written with commas.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    schema_name: Option<String>,
    /// One of these; `tag` is the same for a single one.
    any_tags: Option<String>,
    tag: Option<String>,
    all_tags: Option<String>,
    /// A JSON list of conditions.
    context_match: Option<String>,
    owner: Option<String>,
    from: Option<String>,
    limit: Option<u32>,
    /// For events: where to go on. The header of that name counts first.
    pub(super) last_event_id: Option<String>,
}

impl Asked {
    pub(super) fn selector(&self) -> Result<Selector, Failure> {
        let words = |list: &Option<String>| -> Vec<String> {
            let each = list.iter().flat_map(|list| list.split(','));
            each.map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        let context_match: Vec<ContextCondition> = match &self.context_match {
            None => Vec::new(),
            Some(text) => serde_json::from_str(text)
                .map_err(|error| Failure::Query(format!("context_match: {error}")))?,
        };
        let mut any_tags = words(&self.any_tags);
        any_tags.extend(words(&self.tag));
        let (schema_name, all_tags) = (self.schema_name.clone(), words(&self.all_tags));
        Ok(Selector { schema_name, any_tags, all_tags, context_match })
    }
}

async fn search(
    State(hub): OfHub,
    asked: Result<Query<Asked>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<Value>, Failure> {
    let Query(asked) = asked.map_err(|error| Failure::Query(error.body_text()))?;
    let from: Option<FoundFrom> = asked.from.as_deref().map(str::parse).transpose()?;
    let (selector, made_by) = (asked.selector()?, asked.owner.clone());
    let search = Search { selector, made_by, from, limit: asked.limit };
    let found = hub.get().await?.search(&hub.owner, &search).await?;
    let next = found.next.map(|next| next.to_string());
    Ok(Json(json!({"items": found.records, "next": next})))
}

async fn create(
    State(hub): OfHub,
    Extension(sender): Extension<Sender>,
    body: Bytes,
) -> Result<Response, Failure> {
    let made_by = writer(&sender)?;
    let NewBody { schema_name, title, tags, context } = parsed(&body)?;
    let new = NewContents { schema_name, title, tags, context };
    let record = hub.get().await?.writer(&hub.owner, made_by).create(new).await?;
    Ok((StatusCode::CREATED, tagged(&record), Json(record)).into_response())
}

async fn shown(State(hub): OfHub, Path(id): Path<String>) -> Result<Response, Failure> {
    let record = hub.get().await?.read(&hub.owner, &named(id)?).await?;
    let headers = tagged(&record);
    Ok((headers, Json(view::shown(record)?)).into_response())
}

async fn full(State(hub): OfHub, Path(id): Path<String>) -> Result<Response, Failure> {
    let record = hub.get().await?.read(&hub.owner, &named(id)?).await?;
    Ok((tagged(&record), Json(record)).into_response())
}

async fn history(State(hub): OfHub, Path(id): Path<String>) -> Result<Json<Value>, Failure> {
    let records = hub.get().await?;
    let id = named(id)?;
    records.read(&hub.owner, &id).await?;
    let versions = records.history(&hub.owner, &id, MOST_HISTORY).await?;
    Ok(Json(json!({"items": versions})))
}

async fn replace(
    State(hub): OfHub,
    Extension(sender): Extension<Sender>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Failure> {
    let body: ChangedBody = parsed(&body)?;
    let replace = |before: &Record, body: ChangedBody| Change::Replace {
        title: body.title.unwrap_or_else(|| before.title.clone()),
        tags: body.tags.unwrap_or_default(),
        context: body.context.unwrap_or_default(),
    };
    changed(&hub, &sender, id, &headers, body, replace).await
}

async fn merge(
    State(hub): OfHub,
    Extension(sender): Extension<Sender>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Failure> {
    let body: ChangedBody = parsed(&body)?;
    let merge = |_: &Record, body: ChangedBody| {
        Change::Merge(Patch { title: body.title, tags: body.tags, context: body.context })
    };
    changed(&hub, &sender, id, &headers, body, merge).await
}

async fn changed(
    hub: &HubRecords,
    sender: &Sender,
    id: String,
    headers: &HeaderMap,
    body: ChangedBody,
    change: impl FnOnce(&Record, ChangedBody) -> Change,
) -> Result<Response, Failure> {
    let made_by = writer(sender)?;
    let id = named(id)?;
    let version = version_of(headers, body.version)?;
    let history = if body.keep_history { History::On } else { History::Off };
    let records = hub.get().await?;
    let writer = records.writer(&hub.owner, made_by);
    let record = writer.change(&id, version, |before| change(before, body), history).await?;
    Ok((tagged(&record), Json(record)).into_response())
}

async fn remove(
    State(hub): OfHub,
    Extension(sender): Extension<Sender>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<StatusCode, Failure> {
    let made_by = writer(&sender)?;
    let id = named(id)?;
    let said = if body.is_empty() { None } else { parsed::<AtVersion>(&body)?.version };
    let version = version_of(&headers, said)?;
    hub.get().await?.writer(&hub.owner, made_by).remove(&id, version).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Who writes, if that may be.
fn writer(sender: &Sender) -> Result<String, Failure> {
    let credential = sender.credential.as_ref().filter(|shown| shown.scope >= Scope::Act);
    credential.map(Credential::holder_name).ok_or(Failure::OutOfScope)
}

async fn all_schemas() -> Json<Value> {
    let each = schemas::list().iter();
    let items = each.map(|schema| json!({"name": schema.name, "volatile": schema.is_volatile}));
    Json(json!({"items": items.collect::<Vec<_>>()}))
}

async fn one_schema(Path(name): Path<String>) -> Result<Json<&'static Value>, Failure> {
    let schema = schemas::get(&name).ok_or(Failure::NoSchema(name))?;
    Ok(Json(&schema.document))
}

fn named(id: String) -> Result<RecordId, Failure> {
    RecordId::parse(&id).ok_or(Failure::Id(id))
}

/// `"3"`, `W/"3"` or 3, as clients send it.
fn version_of(headers: &HeaderMap, said: Option<u64>) -> Result<u64, Failure> {
    let Some(value) = headers.get(header::IF_MATCH) else {
        return said.ok_or(Failure::NoVersion);
    };
    let text = value.to_str().unwrap_or_default();
    let bare = text.trim().trim_start_matches("W/").trim_matches('"');
    let version = bare.parse().map_err(|_| Failure::Version(text.chars().take(40).collect()))?;
    match said {
        Some(other) if other != version => {
            Err(Failure::Body(format!("it says version {other}, and If-Match says {version}")))
        }
        _ => Ok(version),
    }
}

fn tagged(record: &Record) -> [(header::HeaderName, HeaderValue); 1] {
    let tag = format!("\"{}\"", record.version);
    // Digits in quotes are a header's value.
    [(header::ETAG, HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"0\"")))]
}

fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(body).map_err(|error| Failure::Body(error.to_string()))
}
