//! `/auth/session`: the login of an extension. The pairing token, which the user
//! pasted, is exchanged once for a pair: an access token that lives shortly, and a
//! refresh token for the next pair.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use http::{HeaderMap, StatusCode};
use outrigger_store::extension_sessions::{Refreshed, RevocationReason, TokenPair};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::credentials::{Credentials, Holder};
use crate::gate::{Sender, bearer};
use crate::memory::now_ms;
use crate::pairing::{Pairing, Unproven};
use crate::tokens_api::Refused;

type Logins = State<(Arc<Credentials>, Arc<Pairing>)>;

/// The routes.
pub(crate) fn routes(credentials: Arc<Credentials>, pairing: Arc<Pairing>) -> Router {
    Router::new()
        .route("/auth/session/extension-token", post(begin))
        .route("/auth/session/refresh", post(refresh))
        .route("/auth/session", get(show).delete(end))
        .with_state((credentials, pairing))
}

/// Which browser asks, as in its handshake.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Begin {
    client_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Refresh {
    refresh_token: String,
}

async fn begin(
    State((credentials, pairing)): Logins,
    Extension(sender): Extension<Sender>,
    headers: HeaderMap,
    Json(Begin { client_id }): Json<Begin>,
) -> Result<Json<Value>, Refused> {
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
    let pair = credentials.begin_login(&origin, &client_id).await.map_err(Refused::no_memory)?;
    tracing::info!(family = pair.family, "an extension logged in");
    Ok(Json(told(&pair)))
}

async fn refresh(
    State((credentials, _)): Logins,
    Extension(sender): Extension<Sender>,
    Json(Refresh { refresh_token }): Json<Refresh>,
) -> Result<Json<Value>, Refused> {
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
        Refreshed::Unknown => ("login_unknown", "There is no such login. Pair the browser again."),
    };
    Err(Refused::new(StatusCode::UNAUTHORIZED, code, error))
}

async fn show(
    State((credentials, _)): Logins,
    Extension(sender): Extension<Sender>,
) -> Result<Json<Value>, Refused> {
    let id = login_of(&sender)?;
    let logins = credentials.logins().await.map_err(Refused::no_memory)?;
    let Some(login) = logins.into_iter().find(|login| login.id == id) else {
        return Err(Refused::new(
            StatusCode::NOT_FOUND,
            "login_unknown",
            "There is no such login.",
        ));
    };
    Ok(Json(json!({
        "user": {"id": login.owner.user, "workspace": login.owner.workspace},
        "origin": login.extension_origin,
        "clientId": login.instance,
        "createdAt": login.created_at,
        "expiresAt": login.access_expires_at,
        "refreshExpiresAt": login.refresh_expires_at,
    })))
}

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

fn let_in(sender: &Sender) {
    if let Some(stranger) = &sender.stranger {
        stranger.let_in();
    }
}

fn told(pair: &TokenPair) -> Value {
    json!({
        "tokenType": "Bearer",
        "accessToken": pair.access.reveal(),
        "expiresAt": pair.access_expires_at,
        "expiresIn": pair.access_expires_at.saturating_sub(now_ms()) / 1000,
        "refreshToken": pair.refresh.reveal(),
        "refreshExpiresAt": pair.refresh_expires_at,
    })
}
