//! The other end of `/api`: one request to a running hub of this home, for commands.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use futures_util::StreamExt as _;
use http::{Method, Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

use crate::home::TokenKind;
use crate::mcp::MOST_BODY_BYTES;
use crate::port_owner::is_anothers;
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
    let response = send(settings, method, path, body).await?;
    read(settings.port, response).await
}

/// Follows server-sent events until they end. Each is told with its kind and data.
pub async fn follow(
    settings: &Settings,
    path: &str,
    mut tell: impl FnMut(&str, &str),
) -> Result<(), FollowError> {
    let response = send(settings, Method::GET, path, None).await?;
    if !response.status().is_success() {
        let answer = read(settings.port, response).await?;
        let words = answer.body["error"].as_str().unwrap_or("the hub refused it");
        return Err(FollowError::Refused(words.trim_end_matches('.').to_owned()));
    }
    let mut pieces = Body::new(response.into_body()).into_data_stream();
    let mut unread = Vec::new();
    while let Some(Ok(piece)) = pieces.next().await {
        unread.extend_from_slice(&piece);
        while let Some(end) = unread.windows(2).position(|pair| pair == b"\n\n") {
            let event: Vec<u8> = unread.drain(..end + 2).collect();
            let text = String::from_utf8_lossy(&event);
            let field = |name: &str| {
                let value = text.lines().find_map(|line| line.strip_prefix(name));
                value.unwrap_or_default().trim_start()
            };
            if !field("event:").is_empty() {
                tell(field("event:"), field("data:"));
            }
        }
    }
    Ok(())
}

/// Events can't be followed.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// There is no hub.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// In the hub's words.
    #[error("{0}")]
    Refused(String),
}

async fn send(
    settings: &Settings,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Result<http::Response<hyper::body::Incoming>, ConnectError> {
    let port = settings.port;
    let stream = TcpStream::connect(("127.0.0.1", port))
        .await
        .map_err(|_| ConnectError::NotRunning { port })?;
    if is_anothers(port) {
        return Err(ConnectError::AnotherUser { port });
    }
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
    answered
        .map_err(|_| ConnectError::Silent { port })?
        .map_err(|_| ConnectError::NotRunning { port })
}

async fn read(
    port: u16,
    response: http::Response<hyper::body::Incoming>,
) -> Result<ApiAnswer, ConnectError> {
    let status = response.status();
    if status == StatusCode::NO_CONTENT {
        return Ok(ApiAnswer { is_ok: true, body: Value::Null });
    }
    let not_a_hub = |reason: String| ConnectError::NotAHub { port, reason };
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
