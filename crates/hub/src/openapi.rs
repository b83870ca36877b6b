//! `GET /api/v1/openapi.json`: what the HTTP interface takes and gives, for programs
//! that make clients and tests of it. A handler is described where it stands; here is
//! what holds for all of them: which credential is shown, and how the gate says no.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::IntoResponse;
use http::header;
use utoipa::openapi::path::{Operation, Parameter, ParameterIn, PathItem};
use utoipa::openapi::schema::ArrayItems;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Content, Header, Info, OpenApi, Ref, RefOr, Response, Schema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::problem::Problem;

/// What a program shows, and what an extension does.
const TOKEN: &str = "token";
const PAIRING: &str = "pairing";
const LOGIN: &str = "login";

/// How the gate says no, to whatever is asked.
const REFUSALS: [(&str, &str); 7] = [
    ("400", "The request is not understood, or a token is in its address."),
    ("401", "The bearer token is missing, wrong or no longer good."),
    ("403", "The token, the host or the origin is not one that may do this."),
    ("408", "The body did not come in time."),
    ("413", "The body, or a part of it, is too large."),
    ("429", "Too much at once, or too many wrong tokens."),
    ("503", "What is asked for can't be read or kept now, or too many connections are open."),
];

/// The routes, and one more that describes them all.
pub(crate) fn described(own: OpenApiRouter) -> Router {
    let itself: OpenApiRouter<Bytes> = OpenApiRouter::new().routes(routes!(document));
    let (itself, its_description) = itself.split_for_parts();
    let (own, mut description) = own.split_for_parts();
    description.merge(its_description);
    complete(&mut description);
    // Nothing in it could fail to be written.
    let text = Bytes::from(description.to_json().unwrap_or_default());
    own.merge(itself.with_state(text))
}

/// Gives operations that are there under a second name ids of their own.
pub(crate) fn rename(routes: &mut OpenApi, from: &str, to: &str) {
    for operation in routes.paths.paths.values_mut().flat_map(operations) {
        let renamed = operation.operation_id.as_ref().map(|id| id.replace(from, to));
        operation.operation_id = renamed;
    }
}

/// This description.
#[utoipa::path(
    get,
    path = "/api/v1/openapi.json",
    operation_id = "describe",
    tag = "description",
    responses((status = 200, description = "The description, as OpenAPI 3.1.", body = Object))
)]
async fn document(State(text): State<Bytes>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], text)
}

fn complete(description: &mut OpenApi) {
    let mut info = Info::new("Outrigger", env!("CARGO_PKG_VERSION"));
    info.description = Some(
        "Living records, and what the user decided beforehand, on this machine's own hub. Every \
         request shows a token; `outrigger token new` makes one."
            .to_owned(),
    );
    description.info = info;
    let scheme = |words: &str| {
        let mut http = Http::new(HttpAuthScheme::Bearer);
        http.description = Some(words.to_owned());
        SecurityScheme::Http(http)
    };
    let components = description.components.get_or_insert_default();
    components.add_security_scheme(TOKEN, scheme("A token of a program, or the machine's own."));
    components.add_security_scheme(PAIRING, scheme("The pairing token, for an extension."));
    components.add_security_scheme(LOGIN, scheme("The access token of an extension's login."));
    description.security = Some(vec![SecurityRequirement::new(TOKEN, [""; 0])]);
    for item in description.paths.paths.values_mut() {
        let takes_bodies = [&item.post, &item.put, &item.patch].into_iter().any(Option::is_some);
        operations(item).for_each(|operation| finish(operation, takes_bodies));
    }
}

fn finish(operation: &mut Operation, takes_bodies: bool) {
    let responses = &mut operation.responses.responses;
    for (status, words) in REFUSALS {
        responses.entry(status.to_owned()).or_insert_with(|| problem(words));
    }
    if takes_bodies && operation.request_body.is_some() {
        let words = "The body does not call itself JSON.";
        responses.entry("415".to_owned()).or_insert_with(|| problem(words));
    }
    for (status, name, words) in [
        ("401", "WWW-Authenticate", "What kind of token is wanted."),
        ("429", "Retry-After", "After how many seconds to come again."),
    ] {
        if let Some(RefOr::T(response)) = responses.get_mut(status) {
            let mut header = Header::default();
            header.description = Some(words.to_owned());
            response.headers.insert(name.to_owned(), RefOr::T(header));
        }
    }
    let parameters = operation.parameters.iter_mut().flatten();
    parameters.filter_map(parameter_of).for_each(as_json);
}

fn parameter_of(parameter: &mut RefOr<Parameter>) -> Option<&mut Parameter> {
    match parameter {
        RefOr::T(parameter) => Some(parameter),
        RefOr::Ref(_) => None,
    }
}

/// A list of objects has no other form in an address than that of JSON.
fn as_json(parameter: &mut Parameter) {
    let Some(RefOr::T(Schema::Array(list))) = &parameter.schema else { return };
    let ArrayItems::RefOrSchema(items) = &list.items else { return };
    let is_of_objects = matches!(**items, RefOr::Ref(_) | RefOr::T(Schema::OneOf(_)));
    if parameter.parameter_in != ParameterIn::Query || !is_of_objects {
        return;
    }
    let content = Content::new(parameter.schema.take());
    parameter.content.insert("application/json".to_owned(), RefOr::T(content));
}

fn problem(words: &str) -> RefOr<Response> {
    let name = <Problem as utoipa::ToSchema>::name();
    let content = Content::new(Some(Ref::from_schema_name(name)));
    let mut response = Response::new(words);
    response.content.insert("application/json".to_owned(), RefOr::T(content));
    RefOr::T(response)
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let PathItem { get, put, post, delete, patch, .. } = item;
    [get, put, post, delete, patch].into_iter().flatten()
}
