//! `/api/v1/tokens`: the tokens of programs, made, listed and taken back. One that
//! is good for more than reading the user confirms in the browser, whoever asks for
//! it: an agent with a shell must not grant itself anything.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get};
use axum::{Extension, Json, Router};
use http::StatusCode;
use outrigger_browser::permission::{Ask, Unanswered};
use outrigger_dispatch::journal::NotKept;
use outrigger_guard::Scope;
use outrigger_protocol::helm::Detail;
use outrigger_store::tokens::TokenInfo;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::change_log::{Author, Change, Sanction, UNCHANGED};
use crate::consent::ask_everywhere;
use crate::credentials::{Credential, Holder};
use crate::gate::Sender;
use crate::server::Shared;

/// Whose questions these are; no agent session is called so.
const ASKER: &str = "outrigger:tokens";

/// What a token is called whose maker did not say.
const UNNAMED: &str = "unnamed";

/// Where tokens are.
pub(crate) const TOKENS: &str = "/api/v1/tokens";

/// The routes.
pub(crate) fn routes(shared: Arc<Shared>) -> Router {
    Router::new()
        .route(TOKENS, get(list).post(make))
        .route("/api/v1/tokens/{id}", delete(revoke))
        .with_state(shared)
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
        Refused::new(StatusCode::SERVICE_UNAVAILABLE, fault.code, format!("{fault}."))
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.status, Json(json!({"error": self.error, "code": self.code}))).into_response()
    }
}

/// What a token shall be.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    #[serde(default)]
    name: String,
    scope: Option<String>,
    /// As people write it: `30d`, `12h`.
    expires: Option<String>,
}

async fn list(State(shared): State<Arc<Shared>>) -> Result<Json<Value>, Refused> {
    let tokens = shared.credentials.tokens().await.map_err(Refused::no_memory)?;
    Ok(Json(json!({"tokens": tokens.iter().map(told).collect::<Vec<_>>()})))
}

async fn make(
    State(shared): State<Arc<Shared>>,
    Extension(sender): Extension<Sender>,
    Json(wanted): Json<Wanted>,
) -> Result<(StatusCode, Json<Value>), Refused> {
    let credential = sender.credential.as_ref().ok_or_else(out_of_scope)?;
    let bad = |error: String| Refused::new(StatusCode::BAD_REQUEST, "invalid_arguments", error);
    let word = wanted.scope.as_deref().unwrap_or("read");
    let scope = Scope::parse(word)
        .ok_or_else(|| bad(format!("{word:?} is no scope. It is read, act or admin.")))?;
    let lifetime = wanted.expires.as_deref().map(humantime::parse_duration).transpose();
    let lifetime =
        lifetime.map_err(|error| bad(format!("expires is no time: {error}. Write 30d or 12h.")))?;
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
    let mut told = told(&info);
    told["token"] = Value::from(secret.reveal());
    Ok((StatusCode::CREATED, Json(told)))
}

async fn revoke(
    State(shared): State<Arc<Shared>>,
    Extension(sender): Extension<Sender>,
    Path(id): Path<i64>,
) -> Result<Json<Value>, Refused> {
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
    Ok(Json(json!({"id": id, "revoked": true})))
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

fn told(info: &TokenInfo) -> Value {
    json!({
        "id": info.id,
        "name": info.name,
        "scope": info.scope.as_str(),
        "createdAt": info.created_at,
        "expiresAt": info.expires_at,
        "revokedAt": info.revoked_at,
        "lastUsedAt": info.last_used_at,
    })
}
