//! The other end of the API: one request of a command to the running hub, with the
//! machine's own token.

use std::time::Duration;

use axum::body::Body;
use http::{Method, Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

use crate::home::TokenKind;
use crate::reach::ConnectError;
use crate::settings::Settings;

/// More than any answer has.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// How much longer than a question to the user may wait the hub may take.
const GRACE: Duration = Duration::from_secs(10);

/// Sends a request and reads the answer: its status, and its body as JSON, or as
/// text where it is none.
pub async fn request(
    settings: &Settings,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Result<(StatusCode, Value), ConnectError> {
    let limit = Duration::from_secs(settings.ask_seconds) + GRACE;
    let silent = ConnectError::Silent { port: settings.port };
    tokio::time::timeout(limit, send(settings, method, path, body)).await.map_err(|_| silent)?
}

async fn send(
    settings: &Settings,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Result<(StatusCode, Value), ConnectError> {
    let port = settings.port;
    let not_a_hub = |reason: String| ConnectError::NotAHub { port, reason };
    let stream = TcpStream::connect(("127.0.0.1", port)).await;
    let stream = stream.map_err(|_| ConnectError::NotRunning { port })?;
    let token = settings.home.existing_token(TokenKind::Agent)?;
    let token = token.ok_or(ConnectError::AnotherHome { port })?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake::<_, Body>(TokioIo::new(stream))
            .await
            .map_err(|error| not_a_hub(error.to_string()))?;
    let connection = tokio::spawn(connection);
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, format!("127.0.0.1:{port}"))
        .header(header::AUTHORIZATION, format!("Bearer {}", token.reveal()))
        .header(header::CONTENT_TYPE, "application/json")
        .body(body.map_or_else(Body::empty, |body| Body::from(body.to_string())))
        .map_err(|error| not_a_hub(error.to_string()))?;
    let answer = sender.send_request(request).await;
    let answer = answer.map_err(|error| not_a_hub(error.to_string()))?;
    let status = answer.status();
    if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::TOO_MANY_REQUESTS) {
        return Err(ConnectError::AnotherHome { port });
    }
    let bytes = axum::body::to_bytes(Body::new(answer.into_body()), MOST_BYTES).await;
    let bytes = bytes.map_err(|error| not_a_hub(error.to_string()))?;
    connection.abort();
    let value = serde_json::from_slice(&bytes)
        .unwrap_or_else(|_| Value::from(String::from_utf8_lossy(&bytes).trim()));
    Ok((status, value))
}
