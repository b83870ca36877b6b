//! `/auth/session`: the login of an extension. The pairing token, which the user
//! pasted, is exchanged once for a pair: an access token that lives shortly, and a
//! refresh token for the next pair.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::{Extension, Json};
use http::{HeaderMap, StatusCode};
use outrigger_store::extension_sessions::{Refreshed, RevocationReason, TokenPair};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::credentials::{Credentials, Holder};
use crate::gate::Sender;
use crate::memory::now_ms;
use crate::pairing::{Pairing, Unproven};
use crate::problem::Problem;
use crate::request_head::bearer;
use crate::tokens_api::{Refused, parsed};

type Logins = State<(Arc<Credentials>, Arc<Pairing>)>;

/// The routes.
pub(crate) fn routes(credentials: Arc<Credentials>, pairing: Arc<Pairing>) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(begin))
        .routes(routes!(refresh))
        .routes(routes!(show, end))
        .with_state((credentials, pairing))
}

/// Which browser asks, as in its handshake.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Begin {
    #[schema(max_length = 200)]
    client_id: String,
}

/// What the next pair is asked for with.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Refresh {
    refresh_token: String,
}

/// A pair of tokens. Times are milliseconds since 1970.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Pair {
    /// `Bearer`.
    token_type: &'static str,
    /// What is shown with a request.
    access_token: String,
    expires_at: i64,
    /// In seconds.
    expires_in: i64,
    /// What the next pair is asked for with, once.
    refresh_token: String,
    refresh_expires_at: i64,
}

/// A login. Times are milliseconds since 1970.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Login {
    user: LoginUser,
    /// Of the extension.
    origin: String,
    client_id: String,
    created_at: i64,
    expires_at: i64,
    refresh_expires_at: i64,
}

/// Whose a login is.
#[derive(Serialize, ToSchema)]
struct LoginUser {
    id: String,
    workspace: String,
}

/// Begins a login of an extension that shows the pairing token.
#[utoipa::path(
    post,
    path = "/auth/session/extension-token",
    operation_id = "begin_login",
    tag = "logins",
    security(("pairing" = [])),
    request_body = Begin,
    responses((status = 200, description = "The first pair.", body = Pair))
)]
async fn begin(
    State((credentials, pairing)): Logins,
    Extension(sender): Extension<Sender>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Pair>, Refused> {
    let Begin { client_id } = parsed(&body)?;
    let origin = sender.origin.clone().unwrap_or_default();
    let word = bearer(&headers).unwrap_or_default();
    pairing.prove_pairing(word, &client_id, &origin).map_err(|unproven| match unproven {
        Unproven::TooManyWrongTokens => Refused::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too_many_tokens",
            "Too many wrong pairing tokens were sent. Try again in a minute.",
        ),
        Unproven::WrongToken | Unproven::NoMemory => Refused::new(
            StatusCode::UNAUTHORIZED,
            "invalid_token",
            "This is not the pairing token. `outrigger pair` shows it.",
        ),
    })?;
    let_in(&sender);
    let pair = credentials.begin_login(&origin, &client_id, word).await;
    let pair = pair.map_err(Refused::no_memory)?;
    tracing::info!(family = pair.family, "an extension logged in");
    Ok(Json(told(&pair)))
}

/// Gives the next pair for a refresh token, which is good for once.
#[utoipa::path(
    post,
    path = "/auth/session/refresh",
    operation_id = "refresh_login",
    tag = "logins",
    security(()),
    request_body = Refresh,
    responses((status = 200, description = "The next pair.", body = Pair))
)]
async fn refresh(
    State((credentials, _)): Logins,
    Extension(sender): Extension<Sender>,
    body: Bytes,
) -> Result<Json<Pair>, Refused> {
    let Refresh { refresh_token } = parsed(&body)?;
    let refreshed = credentials.refresh(&refresh_token).await.map_err(Refused::no_memory)?;
    let (code, error) = match refreshed {
        Refreshed::Rotated(pair) => {
            let_in(&sender);
            return Ok(Json(told(&pair)));
        }
        Refreshed::Reused { .. } => (
            "refresh_reused",
            "This refresh token was used before, so the login was ended. Pair the browser again.",
        ),
        Refreshed::Revoked => ("login_ended", "The login was ended. Pair the browser again."),
        Refreshed::Expired => ("login_expired", "The login has expired. Pair the browser again."),
        Refreshed::Unknown => return Err(unknown(&credentials, &refresh_token)),
    };
    Err(Refused::new(StatusCode::UNAUTHORIZED, code, error))
}

/// Shows the login of an access token.
#[utoipa::path(
    get,
    path = "/auth/session",
    operation_id = "show_login",
    tag = "logins",
    security(("login" = [])),
    responses(
        (status = 200, description = "The login.", body = Login),
        (status = 404, description = "There is no such login.", body = Problem),
    )
)]
async fn show(
    State((credentials, _)): Logins,
    Extension(sender): Extension<Sender>,
) -> Result<Json<Login>, Refused> {
    let id = login_of(&sender)?;
    let logins = credentials.logins().await.map_err(Refused::no_memory)?;
    let Some(login) = logins.into_iter().find(|login| login.id == id) else {
        return Err(Refused::new(
            StatusCode::NOT_FOUND,
            "login_unknown",
            "There is no such login.",
        ));
    };
    Ok(Json(Login {
        user: LoginUser { id: login.owner.user, workspace: login.owner.workspace },
        origin: login.extension_origin,
        client_id: login.instance,
        created_at: login.created_at,
        expires_at: login.access_expires_at,
        refresh_expires_at: login.refresh_expires_at,
    }))
}

/// Ends the login of an access token.
#[utoipa::path(
    delete,
    path = "/auth/session",
    operation_id = "end_login",
    tag = "logins",
    security(("login" = [])),
    responses((status = 204, description = "It is over."))
)]
async fn end(
    State((credentials, _)): Logins,
    Extension(sender): Extension<Sender>,
) -> Result<StatusCode, Refused> {
    let id = login_of(&sender)?;
    let why = RevocationReason::SignedOut;
    credentials.end_login(&id, why).await.map_err(Refused::no_memory)?;
    Ok(StatusCode::NO_CONTENT)
}

fn login_of(sender: &Sender) -> Result<String, Refused> {
    match sender.credential.as_ref().map(|credential| &credential.holder) {
        Some(Holder::Extension(id)) => Ok(id.clone()),
        _ => {
            let error = "This token is of no extension's login. Show an access token.";
            Err(Refused::new(StatusCode::FORBIDDEN, "not_a_login", error))
        }
    }
}

/// What whoever shows a refresh token is told that nobody was given. A right one counts
/// however many of those there were: no stranger shuts an extension out.
fn unknown(credentials: &Credentials, word: &str) -> Refused {
    if credentials.is_guessed_at(word) {
        return Refused::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too_many_tokens",
            "Too many wrong refresh tokens were sent. Try again in a minute.",
        );
    }
    let error = "There is no such login. Pair the browser again.";
    Refused::new(StatusCode::UNAUTHORIZED, "login_unknown", error)
}

fn let_in(sender: &Sender) {
    if let Some(stranger) = &sender.stranger {
        stranger.let_in();
    }
}

fn told(pair: &TokenPair) -> Pair {
    Pair {
        token_type: "Bearer",
        access_token: pair.access.reveal().to_owned(),
        expires_at: pair.access_expires_at,
        expires_in: pair.access_expires_at.saturating_sub(now_ms()) / 1000,
        refresh_token: pair.refresh.reveal().to_owned(),
        refresh_expires_at: pair.refresh_expires_at,
    }
}
