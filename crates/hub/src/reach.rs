//! Finding the hub of this home, or starting one; and telling apart the ways in
//! which that can fail.

use std::fs;
use std::io;
use std::process::Stdio;
use std::time::Duration;

use http::HeaderName;
use http::header::{AUTHORIZATION, ORIGIN};
use outrigger_protocol::link::MAX_FRAME_BYTES;
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio_tungstenite::tungstenite;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::home::{HomeError, TokenKind};
use crate::port_owner::is_anothers;
use crate::settings::Settings;

/// How long a hub may take to answer after it was started.
const START_LIMIT: Duration = Duration::from_secs(10);

/// The first pause between two attempts, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(500));

/// An open agent link, or extension link.
pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// No hub can be reached.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The folder.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// Nobody listens.
    #[error("no hub answers on port {port}. Start one with `outrigger up`")]
    NotRunning {
        /// Where.
        port: u16,
    },
    /// A hub of somebody else.
    #[error(
        "the hub on port {port} does not know this token: it belongs to another OUTRIGGER_HOME. \
         Use that one, or another OUTRIGGER_PORT"
    )]
    AnotherHome {
        /// Where.
        port: u16,
    },
    /// Somebody else's program.
    #[error(
        "what listens on port {port} belongs to another user of this machine, and is told nothing. \
         Choose another OUTRIGGER_PORT"
    )]
    AnotherUser {
        /// Where.
        port: u16,
    },
    /// Not a hub at all.
    #[error("what listens on port {port} is not a hub ({reason}). Choose another OUTRIGGER_PORT")]
    NotAHub {
        /// Where.
        port: u16,
        /// What it did.
        reason: String,
    },
    /// It was there, and says nothing.
    #[error("the hub on port {port} does not answer. End it and run `outrigger up` again")]
    Silent {
        /// Where.
        port: u16,
    },
    /// It can't be started.
    #[error("the hub could not be started: {reason}")]
    CouldNotStart {
        /// Why.
        reason: String,
    },
}

/// Finds the hub, or starts one where that is wanted.
pub(crate) async fn reach(settings: &Settings, may_start: bool) -> Result<Socket, ConnectError> {
    if may_start {
        // Made here or by the hub, whoever is first: both know it then.
        settings.home.token(TokenKind::Agent)?;
    }
    let started = tokio::time::Instant::now();
    let mut pause = PAUSES.0;
    let mut hub: Option<Child> = None;
    loop {
        let error = match open(settings).await {
            Ok(socket) => return Ok(socket),
            Err(error @ ConnectError::NotRunning { .. }) => error,
            Err(error) => return Err(error),
        };
        if !may_start {
            return Err(error);
        }
        let ended = hub.as_mut().is_some_and(|hub| !matches!(hub.try_wait(), Ok(None)));
        if hub.is_none() || ended {
            if ended && started.elapsed() > START_LIMIT / 4 {
                return Err(ConnectError::CouldNotStart { reason: last_words(settings) });
            }
            hub = Some(
                start_hub(settings)
                    .map_err(|error| ConnectError::CouldNotStart { reason: error.to_string() })?,
            );
        }
        if started.elapsed() > START_LIMIT {
            let reason = format!("it did not answer within 10 s. {}", last_words(settings));
            return Err(ConnectError::CouldNotStart { reason });
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSES.1);
    }
}

/// A hub of its own group, so that Ctrl-C here doesn't end it under other
/// agents; it ends by itself after the last of them.
fn start_hub(settings: &Settings) -> io::Result<Child> {
    settings.home.prepare().map_err(io::Error::other)?;
    let log = private_file(&settings.home.log_path())?;
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(["up", "--until-idle", "--port", &settings.port.to_string()])
        .env("OUTRIGGER_HOME", settings.home.path())
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log);
    #[cfg(unix)]
    command.process_group(0);
    command.spawn()
}

fn last_words(settings: &Settings) -> String {
    let path = settings.home.log_path();
    let text = fs::read_to_string(&path).unwrap_or_default();
    let last = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    format!("{} (log: {})", last.trim(), path.display())
}

/// A file that only its owner can read.
fn private_file(path: &std::path::Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Opens the agent link, and tells apart the ways in which that can fail.
pub(crate) async fn open(settings: &Settings) -> Result<Socket, ConnectError> {
    let port = settings.port;
    let Some(token) = settings.home.existing_token(TokenKind::Agent)? else {
        // Without a token no hub of this home has ever run.
        return match TcpStream::connect(("127.0.0.1", port)).await {
            Ok(_) => Err(ConnectError::AnotherHome { port }),
            Err(_) => Err(ConnectError::NotRunning { port }),
        };
    };
    upgrade(port, "/agent", AUTHORIZATION, &format!("Bearer {}", token.reveal())).await
}

/// Opens the extension link, as the browser of this extension would.
pub(crate) async fn open_link(settings: &Settings, origin: &str) -> Result<Socket, ConnectError> {
    upgrade(settings.port, "/extension", ORIGIN, origin).await
}

async fn upgrade(
    port: u16,
    path: &str,
    header: HeaderName,
    value: &str,
) -> Result<Socket, ConnectError> {
    let stream = TcpStream::connect(("127.0.0.1", port))
        .await
        .map_err(|_| ConnectError::NotRunning { port })?;
    if is_anothers(port) {
        return Err(ConnectError::AnotherUser { port });
    }
    let _ = stream.set_nodelay(true);
    let not_a_hub = |reason: String| ConnectError::NotAHub { port, reason };
    let mut request = format!("ws://127.0.0.1:{port}{path}")
        .into_client_request()
        .map_err(|error| not_a_hub(error.to_string()))?;
    let value = value.parse().map_err(|_| not_a_hub("the token is not a token".to_owned()))?;
    request.headers_mut().insert(header, value);
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_FRAME_BYTES))
        .max_frame_size(Some(MAX_FRAME_BYTES));
    let stream = MaybeTlsStream::Plain(stream);
    let opening = tokio_tungstenite::client_async_with_config(request, stream, Some(config));
    match tokio::time::timeout(Duration::from_secs(5), opening).await {
        Ok(Ok((socket, _))) => Ok(socket),
        // 429: wrong as well, and not the first one.
        Ok(Err(tungstenite::Error::Http(response)))
            if matches!(response.status().as_u16(), 401 | 429) =>
        {
            Err(ConnectError::AnotherHome { port })
        }
        // A hub that is just ending accepts and then resets.
        Ok(Err(tungstenite::Error::Io(_))) => Err(ConnectError::NotRunning { port }),
        Ok(Err(error)) => Err(not_a_hub(error.to_string())),
        Err(_) => Err(not_a_hub("it does not answer".to_owned())),
    }
}
