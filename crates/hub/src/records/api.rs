//! `/api/v1/records`, and `/api/v1/breadcrumbs`, which is the same collection: records
//! as JSON. A change names the version that it is made of, in `If-Match` or as
//! `version`. What a record may be is `outrigger-records`' to say.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Extension, FromRequestParts, MatchedPath, Path, Query, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use outrigger_guard::{Denial, PermissionKey, Scope};
use outrigger_protocol::records::{Record, RecordId};
use outrigger_records::schemas;
use outrigger_records::view;
use outrigger_records::{Change, FoundFrom, History, NewContents, Patch, Search};
use outrigger_store::records::limits;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::asked::Asked;
use super::bodies::{
    AtVersion, ChangedBody, EarlierVersions, FoundRecords, KnownSchema, KnownSchemas, NewBody,
};
use super::failure::Failure;
use super::noting::Noting;
use super::{HubRecords, agents, events};
use crate::credentials::Credential;
use crate::gate::Sender;
use crate::openapi;
use crate::problem::Problem;

/// Where records are, and where they are once more.
const RECORDS: &str = "/api/v1/records";
pub(super) const BREADCRUMBS: &str = "/api/v1/breadcrumbs";

/// Earlier versions of a record that are told at once.
const MOST_HISTORY: u32 = 10;

/// The routes.
pub(crate) fn routes(records: Arc<HubRecords>) -> OpenApiRouter {
    let collection = || {
        OpenApiRouter::new()
            .routes(routes!(search, create))
            .routes(routes!(shown, replace, merge, remove))
            .routes(routes!(full))
            .routes(routes!(history))
    };
    let events = || OpenApiRouter::new().routes(routes!(events::follow));
    let mut same = collection().nest("/events", events());
    openapi::rename(same.get_openapi_mut(), "record", "breadcrumb");
    OpenApiRouter::new()
        .nest(RECORDS, collection())
        .nest(BREADCRUMBS, same)
        .nest("/api/v1/events", events())
        .merge(agents::routes())
        .route_layer(axum::middleware::from_fn_with_state(records.clone(), as_permitted))
        .routes(routes!(all_schemas))
        .routes(routes!(one_schema))
        .with_state(records)
}

/// What the user denies to agents is denied here, too; and what is asked is noted, as
/// calls are.
async fn as_permitted(
    State(hub): OfHub,
    Extension(sender): Extension<Sender>,
    path: MatchedPath,
    request: Request,
    next: Next,
) -> Response {
    let is_reading = request.method().is_safe();
    let key = if is_reading { PermissionKey::ReadRecords } else { PermissionKey::WriteRecords };
    let noting = Noting::begin(&sender, request.method(), &path, key.clone());
    let permitted = match hub.permit(key) {
        Ok(()) => Ok(()),
        // Where nothing is known, the store says best why.
        Err(denial @ Denial::NoMemory { .. }) => match hub.get().await {
            Ok(_) => Err(Failure::Denied(denial)),
            Err(error) => Err(error.into()),
        },
        Err(denial) => Err(Failure::Denied(denial)),
    };
    let is_permitted = permitted.is_ok();
    let response = match permitted {
        Ok(()) => next.run(request).await,
        Err(failure) => failure.into_response(),
    };
    hub.note(noting.ended(is_permitted, &response));
    response
}

type OfHub = State<Arc<HubRecords>>;

/// The name of a record, as an address has it.
struct Named(RecordId);

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let id = Path::<String>::from_request_parts(parts, state).await;
        let Path(id) = id.map_err(|error| Failure::Id(error.body_text()))?;
        RecordId::parse(&id).map(Named).ok_or(Failure::Id(id))
    }
}

/// Finds records.
#[utoipa::path(
    get,
    path = "/",
    operation_id = "search_records",
    tag = "records",
    params(
        Asked,
        ("owner" = Option<String>, Query, nullable = false, pattern = "^[^\\u0000]*$", max_length = 256, description = "Made by whom."),
        ("from" = Option<String>, Query, nullable = false, pattern = "^[dv][0-9]{0,18}$", description = "The `next` of the page before."),
        ("limit" = Option<u32>, Query, nullable = false, minimum = 1, maximum = 200, description = "Records of a page."),
    ),
    responses(
        (status = 200, description = "Those that fit, the one that changed last first.", body = FoundRecords),
        (status = 422, description = "It can't be kept as it is.", body = Problem),
    )
)]
async fn search(
    State(hub): OfHub,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Json<FoundRecords>, Failure> {
    let asked = Asked::read(asked)?;
    Asked::refuse(&[("last_event_id", asked.last_event_id.is_some())])?;
    if !asked.limit.is_none_or(|limit| (1..=limits::PAGE).contains(&limit)) {
        return Err(Failure::Query(format!("limit is from 1 to {}", limits::PAGE)));
    }
    let from: Option<FoundFrom> = asked.from.as_deref().map(str::parse).transpose()?;
    let (selector, made_by) = (asked.selector()?, asked.owner.clone());
    let search = Search { selector, made_by, from, limit: asked.limit };
    let found = hub.get().await?.search(&hub.owner, &search).await?;
    let next = found.next.map(|next| next.to_string());
    Ok(Json(FoundRecords { items: found.records, next }))
}

/// Makes a record.
#[utoipa::path(
    post,
    path = "/",
    operation_id = "create_record",
    tag = "records",
    params(
        ("Outrigger-Agent" = Option<String>, Header, nullable = false, pattern = "^[a-z0-9][a-z0-9_-]{0,63}$", description = "The agent that is served by whoever writes."),
    ),
    request_body = NewBody,
    responses(
        (status = 201, description = "It is made.", body = Record, headers(("ETag" = String, description = "Its version, for If-Match."), ("Location" = String, description = "Where it is."))),
        (status = 404, description = "There is no such agent.", body = Problem),
        (status = 409, description = "There is an agent of that name.", body = Problem),
        (status = 422, description = "It can't be kept as it is.", body = Problem),
        (status = 507, description = "The memory for records is used up.", body = Problem),
    )
)]
async fn create(
    State(hub): OfHub,
    Extension(sender): Extension<Sender>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Failure> {
    let made_by = writer(&sender)?;
    let NewBody { schema_name, title, tags, context } = parsed(&body)?;
    let new = NewContents { schema_name, title, tags, context };
    let records = hub.get().await?;
    let writer = records.writer(&hub.owner, made_by).for_agent(agent_of(&headers)).await?;
    let record = writer.create(new).await?;
    let place = [(header::LOCATION, format!("{RECORDS}/{}", record.id))];
    Ok((StatusCode::CREATED, place, tagged(&record), Json(record)).into_response())
}

/// Shows a record as its hints say.
#[utoipa::path(
    get,
    path = "/{id}",
    operation_id = "show_record",
    tag = "records",
    params(
        ("id" = RecordId, Path, description = "Its name."),
    ),
    responses(
        (status = 200, description = "The record, with its context as its hints say.", body = Record, headers(("ETag" = String, description = "Its version, for If-Match."))),
        (status = 404, description = "There is no such record.", body = Problem),
        (status = 422, description = "Its hints ask for more than is given.", body = Problem),
    )
)]
async fn shown(State(hub): OfHub, Named(id): Named) -> Result<Response, Failure> {
    let record = hub.get().await?.read(&hub.owner, &id).await?;
    let headers = tagged(&record);
    Ok((headers, Json(view::shown(record)?)).into_response())
}

/// Reads a record as it is kept.
#[utoipa::path(
    get,
    path = "/{id}/full",
    operation_id = "read_record",
    tag = "records",
    params(
        ("id" = RecordId, Path, description = "Its name."),
    ),
    responses(
        (status = 200, description = "The record as it is kept.", body = Record, headers(("ETag" = String, description = "Its version, for If-Match."))),
        (status = 404, description = "There is no such record.", body = Problem),
    )
)]
async fn full(State(hub): OfHub, Named(id): Named) -> Result<Response, Failure> {
    let record = hub.get().await?.read(&hub.owner, &id).await?;
    Ok((tagged(&record), Json(record)).into_response())
}

/// Reads earlier versions of a record.
#[utoipa::path(
    get,
    path = "/{id}/history",
    operation_id = "read_record_history",
    tag = "records",
    params(
        ("id" = RecordId, Path, description = "Its name."),
    ),
    responses(
        (status = 200, description = "Those that were kept, ten at most.", body = EarlierVersions),
        (status = 404, description = "There is no such record.", body = Problem),
    )
)]
async fn history(State(hub): OfHub, Named(id): Named) -> Result<Json<EarlierVersions>, Failure> {
    let records = hub.get().await?;
    records.read(&hub.owner, &id).await?;
    let items = records.history(&hub.owner, &id, MOST_HISTORY).await?;
    Ok(Json(EarlierVersions { items }))
}

/// Puts all of it in place of what is there.
#[utoipa::path(
    put,
    path = "/{id}",
    operation_id = "replace_record",
    tag = "records",
    params(
        ("id" = RecordId, Path, description = "Its name."),
        ("If-Match" = Option<String>, Header, nullable = false, pattern = r#"^(W/)?("[0-9]{1,18}"|[0-9]{1,18})$"#, description = "The version that the change is made of, such as `\"3\"`."),
        ("Outrigger-Agent" = Option<String>, Header, nullable = false, pattern = "^[a-z0-9][a-z0-9_-]{0,63}$", description = "The agent that is served by whoever writes."),
    ),
    request_body = ChangedBody,
    responses(
        (status = 200, description = "As it is now.", body = Record, headers(("ETag" = String, description = "Its version, for If-Match."))),
        (status = 404, description = "There is no such record.", body = Problem),
        (status = 409, description = "It has another version, which is told.", body = Problem),
        (status = 422, description = "It can't be kept as it is.", body = Problem),
        (status = 428, description = "No version is named.", body = Problem),
        (status = 507, description = "The memory for records is used up.", body = Problem),
    )
)]
async fn replace(
    State(hub): OfHub,
    Extension(sender): Extension<Sender>,
    Named(id): Named,
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

/// Changes what is named; `context` is a JSON merge patch.
#[utoipa::path(
    patch,
    path = "/{id}",
    operation_id = "change_record",
    tag = "records",
    params(
        ("id" = RecordId, Path, description = "Its name."),
        ("If-Match" = Option<String>, Header, nullable = false, pattern = r#"^(W/)?("[0-9]{1,18}"|[0-9]{1,18})$"#, description = "The version that the change is made of, such as `\"3\"`."),
        ("Outrigger-Agent" = Option<String>, Header, nullable = false, pattern = "^[a-z0-9][a-z0-9_-]{0,63}$", description = "The agent that is served by whoever writes."),
    ),
    request_body = ChangedBody,
    responses(
        (status = 200, description = "As it is now.", body = Record, headers(("ETag" = String, description = "Its version, for If-Match."))),
        (status = 404, description = "There is no such record.", body = Problem),
        (status = 409, description = "It has another version, which is told.", body = Problem),
        (status = 422, description = "It can't be kept as it is.", body = Problem),
        (status = 428, description = "No version is named.", body = Problem),
        (status = 507, description = "The memory for records is used up.", body = Problem),
    )
)]
async fn merge(
    State(hub): OfHub,
    Extension(sender): Extension<Sender>,
    Named(id): Named,
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
    id: RecordId,
    headers: &HeaderMap,
    body: ChangedBody,
    change: impl FnOnce(&Record, ChangedBody) -> Change,
) -> Result<Response, Failure> {
    let made_by = writer(sender)?;
    let versions = versions_of(headers, body.version)?;
    let history = if body.keep_history { History::On } else { History::Off };
    let records = hub.get().await?;
    let writer = records.writer(&hub.owner, made_by).for_agent(agent_of(headers)).await?;
    let record = writer.change(&id, &versions, |before| change(before, body), history).await?;
    Ok((tagged(&record), Json(record)).into_response())
}

/// Removes a record.
#[utoipa::path(
    delete,
    path = "/{id}",
    operation_id = "remove_record",
    tag = "records",
    params(
        ("id" = RecordId, Path, description = "Its name."),
        ("If-Match" = Option<String>, Header, nullable = false, pattern = r#"^(W/)?("[0-9]{1,18}"|[0-9]{1,18})$"#, description = "The version that the change is made of, such as `\"3\"`."),
    ),
    request_body = Option<AtVersion>,
    responses(
        (status = 204, description = "It is gone."),
        (status = 404, description = "There is no such record.", body = Problem),
        (status = 409, description = "It has another version, which is told.", body = Problem),
        (status = 428, description = "No version is named.", body = Problem),
    )
)]
async fn remove(
    State(hub): OfHub,
    Extension(sender): Extension<Sender>,
    Named(id): Named,
    headers: HeaderMap,
    body: Bytes,
) -> Result<StatusCode, Failure> {
    let made_by = writer(&sender)?;
    let said = if body.is_empty() { None } else { parsed::<Option<AtVersion>>(&body)? };
    let said = said.and_then(|at| at.version);
    let versions = versions_of(&headers, said)?;
    hub.get().await?.writer(&hub.owner, made_by).remove(&id, &versions).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The agent that is served by whoever writes.
fn agent_of(headers: &HeaderMap) -> Option<&str> {
    headers.get("outrigger-agent").map(|value| value.to_str().unwrap_or_default())
}

/// Who writes, if that may be.
pub(super) fn writer(sender: &Sender) -> Result<String, Failure> {
    let credential = sender.credential.as_ref().filter(|shown| shown.scope >= Scope::Act);
    credential.map(Credential::holder_name).ok_or(Failure::OutOfScope)
}

/// Lists the schemas.
#[utoipa::path(
    get,
    path = "/api/v1/schemas",
    operation_id = "list_schemas",
    tag = "schemas",
    responses(
        (status = 200, description = "All that this program knows.", body = KnownSchemas),
    )
)]
async fn all_schemas() -> Json<KnownSchemas> {
    let each = schemas::list().iter();
    let items = each.map(|schema| KnownSchema { name: schema.name, volatile: schema.is_volatile });
    Json(KnownSchemas { items: items.collect() })
}

/// Reads a schema.
#[utoipa::path(
    get,
    path = "/api/v1/schemas/{name}",
    operation_id = "read_schema",
    tag = "schemas",
    params(
        ("name" = String, Path, description = "Its name."),
    ),
    responses(
        (status = 200, description = "The JSON Schema of a context.", body = Object),
        (status = 404, description = "There is no such schema.", body = Problem),
    )
)]
async fn one_schema(
    name: Result<Path<String>, PathRejection>,
) -> Result<Json<&'static Value>, Failure> {
    let Path(name) = name.map_err(|error| Failure::NoSchema(error.body_text()))?;
    let schema = schemas::get(&name).ok_or(Failure::NoSchema(name))?;
    Ok(Json(&schema.document))
}

/// Every version that is named: `"3"`, `W/"3"` or 3 in the header, and in the body.
fn versions_of(headers: &HeaderMap, said: Option<u64>) -> Result<Vec<u64>, Failure> {
    let in_header = headers.get(header::IF_MATCH).map(|value| {
        let text = value.to_str().unwrap_or_default();
        let bare = text.strip_prefix("W/").unwrap_or(text);
        let quoted = bare.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let digits = quoted.unwrap_or(bare);
        let is_one = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let version = is_one.then(|| digits.parse().ok()).flatten();
        version.ok_or_else(|| Failure::Version(text.chars().take(40).collect()))
    });
    let versions: Vec<u64> = in_header.transpose()?.into_iter().chain(said).collect();
    if versions.is_empty() { Err(Failure::NoVersion) } else { Ok(versions) }
}

fn tagged(record: &Record) -> [(HeaderName, HeaderValue); 1] {
    let tag = format!("\"{}\"", record.version);
    // Digits in quotes are a header's value.
    [(header::ETAG, HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"0\"")))]
}

pub(super) fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(body).map_err(|error| Failure::Body(error.to_string()))
}
