//! The other end of `/api`: one request to a running hub of this home, for commands.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use http::{Method, Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

use crate::home::TokenKind;
use crate::mcp::MOST_BODY_BYTES;
use crate::reach::ConnectError;
use crate::settings::Settings;

/// Longer than any question waits for the user's answer.
const LIMIT: Duration = Duration::from_secs(660);

/// What a hub answered.
pub struct ApiAnswer {
    /// Whether it did what was asked.
    pub is_ok: bool,
    /// What it says.
    pub body: Value,
}

/// Asks, and waits for the answer. Starts no hub.
pub async fn request(
    settings: &Settings,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Result<ApiAnswer, ConnectError> {
    let port = settings.port;
    let stream = TcpStream::connect(("127.0.0.1", port))
        .await
        .map_err(|_| ConnectError::NotRunning { port })?;
    let Some(token) = settings.home.existing_token(TokenKind::Agent)? else {
        return Err(ConnectError::AnotherHome { port });
    };
    let not_a_hub = |reason: String| ConnectError::NotAHub { port, reason };
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, format!("127.0.0.1:{port}"))
        .header(header::AUTHORIZATION, format!("Bearer {}", token.reveal()))
        .header(header::CONTENT_TYPE, "application/json")
        .body(body.map_or_else(Body::empty, |body| Body::from(body.to_string())))
        .map_err(|error| not_a_hub(error.to_string()))?;
    let asking = async {
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
        // Ends with the sender.
        tokio::spawn(connection);
        sender.send_request(request).await
    };
    let answered = tokio::time::timeout(LIMIT, asking).await;
    let response = answered
        .map_err(|_| ConnectError::Silent { port })?
        .map_err(|_| ConnectError::NotRunning { port })?;
    let status = response.status();
    let read = to_bytes(Body::new(response.into_body()), MOST_BODY_BYTES).await;
    let body = read.ok().and_then(|body| serde_json::from_slice(&body).ok());
    let body = body.ok_or_else(|| match status {
        // 429: wrong as well, and not the first one. The gate says no JSON.
        StatusCode::UNAUTHORIZED | StatusCode::TOO_MANY_REQUESTS => {
            ConnectError::AnotherHome { port }
        }
        _ => not_a_hub(format!("it answers {status} without JSON")),
    })?;
    Ok(ApiAnswer { is_ok: status.is_success(), body })
}
