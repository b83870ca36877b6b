//! `/api/v1/tokens`: the tokens of programs, made, listed and taken back. One that
//! is good for more than reading the user confirms in the browser, whoever asks for
//! it: an agent with a shell must not grant itself anything.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use http::StatusCode;
use outrigger_browser::permission::{Ask, Unanswered};
use outrigger_dispatch::journal::NotKept;
use outrigger_guard::Scope;
use outrigger_protocol::helm::Detail;
use outrigger_store::tokens::{NAME_LIMIT, TokenInfo};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::change_log::{Author, Change, Sanction, UNCHANGED};
use crate::consent::ask_everywhere;
use crate::credentials::{Credential, Holder};
use crate::gate::Sender;
use crate::problem::Problem;
use crate::server::Shared;

/// Whose questions these are; no agent session is called so.
const ASKER: &str = "outrigger:tokens";

/// What a token is called whose maker did not say.
const UNNAMED: &str = "unnamed";

/// The store takes it, but not all of it; whoever asked can send less.
const TOO_LONG: &str = "store_too_long";

/// Where tokens are.
pub(crate) const TOKENS: &str = "/api/v1/tokens";

/// The routes.
pub(crate) fn routes(shared: Arc<Shared>) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(list, make)).routes(routes!(revoke)).with_state(shared)
}

/// Why a request about tokens or logins comes to nothing.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    /// What happened and what to try.
    pub(crate) error: String,
}

impl Refused {
    pub(crate) fn new(status: StatusCode, code: &'static str, error: impl Into<String>) -> Self {
        Refused { status, code, error: error.into() }
    }

    /// The store can't say or keep anything.
    // By value, so that it fits `map_err`.
    #[allow(clippy::needless_pass_by_value)]
    pub(crate) fn no_memory(fault: NotKept) -> Self {
        if fault.code == TOO_LONG {
            return Refused::arguments(format!("{fault}."));
        }
        Refused::new(StatusCode::SERVICE_UNAVAILABLE, fault.code, format!("{fault}."))
    }

    /// What is asked for makes no sense.
    pub(crate) fn arguments(error: impl Into<String>) -> Self {
        Refused::new(StatusCode::BAD_REQUEST, "invalid_arguments", error)
    }
}

/// What a body says.
pub(crate) fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refused> {
    let bad = |error| Refused::arguments(format!("The body is not understood: {error}."));
    serde_json::from_slice(body).map_err(bad)
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.status, Json(Problem::new(self.code, self.error))).into_response()
    }
}

/// What a token shall be.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Wanted {
    /// What it is called.
    #[serde(default)]
    #[schema(required = false, max_length = 200)]
    name: String,
    /// What it is good for; `read` if nobody says.
    #[schema(pattern = "^(read|act|admin)$")]
    scope: Option<String>,
    /// As people write it: `30d`, `12h`.
    #[schema(pattern = "^[1-9][0-9]{0,3}(s|m|h|d|w)$")]
    expires: Option<String>,
}

/// A token, without its word.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ToldToken {
    id: i64,
    name: String,
    /// `read`, `act` or `admin`.
    scope: &'static str,
    /// Milliseconds since 1970, as all of these.
    created_at: i64,
    expires_at: Option<i64>,
    revoked_at: Option<i64>,
    last_used_at: Option<i64>,
}

/// All tokens, those that are good for nothing any more included.
#[derive(Serialize, ToSchema)]
struct Tokens {
    tokens: Vec<ToldToken>,
}

/// A token that was just made.
#[derive(Serialize, ToSchema)]
struct MadeToken {
    #[serde(flatten)]
    told: ToldToken,
    /// What a program shows. It is told this once.
    token: String,
}

/// A token that is good for nothing any more.
#[derive(Serialize, ToSchema)]
struct RevokedToken {
    id: i64,
    revoked: bool,
}

/// Lists tokens.
#[utoipa::path(
    get,
    path = TOKENS,
    operation_id = "list_tokens",
    tag = "tokens",
    responses((status = 200, description = "All there are.", body = Tokens))
)]
async fn list(State(shared): State<Arc<Shared>>) -> Result<Json<Tokens>, Refused> {
    let tokens = shared.credentials.tokens().await.map_err(Refused::no_memory)?;
    Ok(Json(Tokens { tokens: tokens.into_iter().map(told).collect() }))
}

/// Makes a token; for more than reading, the user is asked first.
#[utoipa::path(
    post,
    path = TOKENS,
    operation_id = "make_token",
    tag = "tokens",
    request_body = Wanted,
    responses((status = 201, description = "It is made.", body = MadeToken))
)]
async fn make(
    State(shared): State<Arc<Shared>>,
    Extension(sender): Extension<Sender>,
    body: Bytes,
) -> Result<(StatusCode, Json<MadeToken>), Refused> {
    let wanted: Wanted = parsed(&body)?;
    let credential = sender.credential.as_ref().ok_or_else(out_of_scope)?;
    let bad = |error: String| Refused::arguments(error);
    let word = wanted.scope.as_deref().unwrap_or("read");
    let scope = Scope::parse(word)
        .ok_or_else(|| bad(format!("{word:?} is no scope. It is read, act or admin.")))?;
    let lifetime = wanted.expires.as_deref().map(humantime::parse_duration).transpose();
    let lifetime =
        lifetime.map_err(|error| bad(format!("expires is no time: {error}. Write 30d or 12h.")))?;
    if wanted.name.chars().count() > NAME_LIMIT {
        return Err(bad(format!("The name is too long. Use at most {NAME_LIMIT} characters.")));
    }
    let name: String = wanted.name.chars().filter(|letter| !letter.is_control()).collect();
    let name = if name.trim().is_empty() { UNNAMED } else { name.trim() };
    let (author, mut sanction) = (Author::of(&sender), Sanction::Unasked);
    let note = |id: Option<i64>, decision: &str, outcome: &str| {
        shared.memory.note_change(&author, &Change::NewToken { id, scope }, decision, outcome);
    };
    if scope > Scope::Read {
        let confirmed = confirm(&shared, credential, name, scope, lifetime).await;
        confirmed.inspect_err(|refused| note(None, refused.code, UNCHANGED))?;
        sanction = Sanction::Confirmed;
    }
    let made = shared.credentials.new_token(name, scope, lifetime).await;
    let made = made.inspect_err(|fault| note(None, sanction.word(), fault.code));
    let (info, secret) = made.map_err(Refused::no_memory)?;
    note(Some(info.id), sanction.word(), "ok");
    let token = secret.reveal().to_owned();
    Ok((StatusCode::CREATED, Json(MadeToken { told: told(info), token })))
}

/// Takes a token back; whatever it has open is closed.
#[utoipa::path(
    delete,
    path = "/api/v1/tokens/{id}",
    operation_id = "revoke_token",
    tag = "tokens",
    params(("id" = i64, Path, description = "Its number.")),
    responses(
        (status = 200, description = "It is good for nothing any more.", body = RevokedToken),
        (status = 404, description = "There is no such token.", body = Problem),
    )
)]
async fn revoke(
    State(shared): State<Arc<Shared>>,
    Extension(sender): Extension<Sender>,
    id: Result<Path<i64>, PathRejection>,
) -> Result<Json<RevokedToken>, Refused> {
    let Path(id) = id.map_err(|error| Refused::arguments(format!("{}.", error.body_text())))?;
    let is_revoked = shared.credentials.revoke_token(id).await.map_err(Refused::no_memory)?;
    if !is_revoked {
        let error = format!(
            "There is no token {id} that could be revoked. `outrigger token list` shows which there are."
        );
        return Err(Refused::new(StatusCode::NOT_FOUND, "not_found", error));
    }
    let holder = Holder::Token(id);
    shared.mcp_sessions.end(&holder).await;
    // Last: the answer to whoever revokes their own token is let out before.
    shared.credentials.end(&holder);
    let (author, change) = (Author::of(&sender), Change::RevokedToken { id });
    shared.memory.note_change(&author, &change, Sanction::Unasked.word(), "ok");
    Ok(Json(RevokedToken { id, revoked: true }))
}

/// Lets only those through who may change tokens and what the user decided.
pub(crate) async fn administrators_only(
    Extension(sender): Extension<Sender>,
    request: Request,
    next: Next,
) -> Result<Response, Refused> {
    let (method, path) = (request.method(), request.uri().path());
    let may = |credential: &Credential| credential.may_administer(method, path);
    if !sender.credential.as_ref().is_some_and(may) {
        return Err(out_of_scope());
    }
    Ok(next.run(request).await)
}

fn out_of_scope() -> Refused {
    let error = "This token is not for changing tokens or what the user decided. Use one of the \
                 scope admin, or `outrigger` in a shell of your own.";
    Refused::new(StatusCode::FORBIDDEN, "out_of_scope", error)
}

/// Asks the user.
async fn confirm(
    shared: &Shared,
    credential: &Credential,
    name: &str,
    scope: Scope,
    lifetime: Option<Duration>,
) -> Result<(), Refused> {
    let client = match &credential.holder {
        Holder::Token(id) => format!("Token {id}"),
        Holder::Machine | Holder::Extension(_) => "A program on this machine".to_owned(),
    };
    let detail = |label: &str, text: String| Detail { label: label.to_owned(), text };
    let until = match lifetime {
        Some(lifetime) => format!("{} from now", humantime::format_duration(lifetime)),
        None => "you revoke it".to_owned(),
    };
    let (what, warning) = match scope {
        Scope::Admin => (
            "Make a token for acting, and for changing tokens and policies",
            "Whoever has it can act wherever you allow it, and ask you for more",
        ),
        _ => ("Make a token for acting", "Whoever has it can act wherever you allow it"),
    };
    let ask = Ask {
        browser: String::new(),
        session: ASKER.to_owned(),
        client,
        what: what.to_owned(),
        keys: Vec::new(),
        places: Vec::new(),
        with: vec![detail("Name", name.to_owned()), detail("Good until", until)],
        each_time: true,
        beyond: None,
        warnings: vec![warning.to_owned()],
    };
    let (code, error) = match ask_everywhere(&shared.desk, &ask, shared.ask_time).await {
        Ok(answer) if answer.allow => return Ok(()),
        Ok(_) => ("user_refused", "The user said no, and no token was made."),
        Err(Unanswered::NobodyToAsk) => (
            "nobody_to_ask",
            "A token for more than reading has to be confirmed in your browser, and none is linked \
             that could ask you. Pair yours (`outrigger pair`) and try again, or make a token with \
             the scope read.",
        ),
        Err(Unanswered::NoAnswer) => (
            "no_answer",
            "Nobody answered in Outrigger's panel in time, and no token was made. Try again, and \
             answer there.",
        ),
        Err(Unanswered::TooMany | Unanswered::TooLong) => (
            "too_many_questions",
            "Too many questions wait in Outrigger's panel. Answer them, and try again.",
        ),
    };
    Err(Refused::new(StatusCode::FORBIDDEN, code, error))
}

fn told(info: TokenInfo) -> ToldToken {
    ToldToken {
        id: info.id,
        name: info.name,
        scope: info.scope.as_str(),
        created_at: info.created_at,
        expires_at: info.expires_at,
        revoked_at: info.revoked_at,
        last_used_at: info.last_used_at,
    }
}
