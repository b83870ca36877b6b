//! The native-messaging host: what a browser starts for its extension, so that the
//! user pastes no token. It finds the hub or starts one, opens an extension link there
//! on behalf of the extension, and carries frames both ways as they are. One thing it
//! adds: a handshake without a credential gets the pairing token, which the extension
//! itself never sees. Who may be served is the rule of `pairing.rs`, how a frame is cut
//! that of `protocol/src/native.rs`.

use std::io;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use outrigger_protocol::codes::CloseCode;
use outrigger_protocol::link::MAX_FRAME_BYTES;
use outrigger_protocol::native::{HostMessage, chunks_of};
use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite,
    AsyncWriteExt as _, BufReader,
};
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode as Standard;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use crate::home::{HomeError, TokenKind};
use crate::pairing::may_pair;
use crate::reach::{ConnectError, Socket, open_link, reach};
use crate::settings::Settings;

/// The handshake must come within this; no hub is looked for before it.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(5);

/// A browser that no longer reads must not keep the host.
const FAREWELL: Duration = Duration::from_secs(1);

/// What begins the first argument that a browser starts its host with.
const EXTENSION_SCHEME: &str = "chrome-extension://";

/// The host can't go on.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// Somebody else's extension.
    #[error("{origin:?} is not served. `outrigger pair --origin` lets another extension in")]
    NotServed {
        /// Whose.
        origin: String,
    },
    /// Nothing was said.
    #[error("no handshake came within 5 s")]
    NoHandshake,
    /// A length of nothing.
    #[error("a message of no length came, which no browser sends")]
    Empty,
    /// Longer than a frame of the link may be.
    #[error("a message of {bytes} bytes came; {MAX_FRAME_BYTES} are the most")]
    TooLarge {
        /// As it says of itself.
        bytes: usize,
    },
    /// The pipe ended in the middle.
    #[error("a message ended in the middle")]
    Truncated,
    /// No text, or no JSON.
    #[error("a message came that is not JSON")]
    NotJson,
    /// The pipe is broken.
    #[error("the browser can't be read from: {0}")]
    Pipe(io::Error),
    /// The folder.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// No hub.
    #[error(transparent)]
    Hub(#[from] ConnectError),
}

impl HostError {
    /// The close code that the extension is told.
    pub fn close_code(&self) -> u16 {
        match self {
            HostError::NotServed { .. } => CloseCode::NotServed as u16,
            HostError::NoHandshake => CloseCode::HandshakeTimeout as u16,
            HostError::TooLarge { .. } => Standard::Size.into(),
            HostError::Empty | HostError::Truncated | HostError::NotJson | HostError::Pipe(_) => {
                Standard::Invalid.into()
            }
            HostError::Home(_) | HostError::Hub(_) => CloseCode::NoHub as u16,
        }
    }
}

/// Whether a program that is started with this argument is meant as a host.
pub fn is_extension(argument: &str) -> bool {
    argument.starts_with(EXTENSION_SCHEME)
}

/// How a link ended that nothing was wrong with.
enum End {
    /// The browser closed the pipe.
    ByBrowser,
    /// The hub, with its code and reason.
    ByHub(u16, String),
}

/// Serves the extension that the browser names, until the browser closes the pipe or
/// the hub ends the link.
pub async fn serve<R, W>(
    settings: &Settings,
    extension: &str,
    input: R,
    output: W,
) -> Result<(), HostError>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let (messages, queue) = mpsc::channel(1);
    let carrying = async {
        let ended = carry(settings, extension, BufReader::new(input), &messages).await;
        match &ended {
            Ok(End::ByBrowser) => {}
            Ok(End::ByHub(code, reason)) => farewell(&messages, *code, reason).await,
            Err(error) => farewell(&messages, error.close_code(), &error.to_string()).await,
        }
        drop(messages);
        ended
    };
    let mut writing = std::pin::pin!(write(output, queue));
    let ended = tokio::select! {
        ended = carrying => ended,
        // The browser reads no more.
        () = &mut writing => return Ok(()),
    };
    if !matches!(ended, Ok(End::ByBrowser)) {
        // What was begun is ended, or nobody could read the last word.
        let _ = tokio::time::timeout(FAREWELL, writing).await;
    }
    ended.map(|_| ())
}

/// Tells an extension why it isn't served, where not even that could be found out.
pub async fn refuse(reason: &str, output: impl AsyncWrite + Unpin) {
    let (messages, queue) = mpsc::channel(1);
    farewell(&messages, CloseCode::NoHub as u16, reason).await;
    drop(messages);
    let _ = tokio::time::timeout(FAREWELL, write(output, queue)).await;
}

async fn carry(
    settings: &Settings,
    extension: &str,
    mut input: impl AsyncBufRead + Unpin,
    messages: &mpsc::Sender<Utf8Bytes>,
) -> Result<End, HostError> {
    // A browser writes the origin with a path.
    let origin = extension.strip_suffix('/').unwrap_or(extension);
    if !may_pair(&settings.home, origin)? {
        return Err(HostError::NotServed { origin: origin.to_owned() });
    }
    let handshake = tokio::time::timeout(HANDSHAKE_LIMIT, read_handshake(&mut input)).await;
    let Some(mut handshake) = handshake.map_err(|_| HostError::NoHandshake)?? else {
        return Ok(End::ByBrowser);
    };
    let (presence, link) = tokio::select! {
        opened = connect(settings, origin) => opened?,
        () = closed(&mut input) => return Ok(End::ByBrowser),
    };
    if !has_credential(&handshake) {
        let (token, _) = settings.home.token(TokenKind::Pairing)?;
        handshake.insert("pairingToken".to_owned(), token.reveal().into());
    }
    let (mut sink, mut stream) = link.split();
    let up = async {
        let _ = sink.send(Message::text(Value::Object(handshake).to_string())).await;
        while let Some(text) = read_message(&mut input).await? {
            // A hub that has gone is seen from the other side, with why.
            let _ = sink.send(Message::text(text)).await;
        }
        let _ = tokio::time::timeout(FAREWELL, sink.close()).await;
        Ok(End::ByBrowser)
    };
    let down = async {
        loop {
            match stream.next().await {
                Some(Ok(Message::Text(frame))) => send(messages, frame).await,
                Some(Ok(Message::Close(Some(frame)))) => {
                    return Ok(End::ByHub(frame.code.into(), frame.reason.to_string()));
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Binary(_))) => {}
                _ => return Ok(End::ByHub(Standard::Abnormal.into(), String::new())),
            }
        }
    };
    let ended = tokio::select! { ended = up => ended, ended = down => ended };
    drop(presence);
    ended
}

/// A link of this hub's, and a connection as an agent has it: a hub that was started for
/// whoever needs it stays as long. No program of another user is told a token.
async fn connect(settings: &Settings, origin: &str) -> Result<(Socket, Socket), HostError> {
    let presence = reach(settings, true).await?;
    let link = open_link(settings, origin).await?;
    Ok((presence, link))
}

/// Comes when the browser closed the pipe, unless it says more before.
async fn closed(input: &mut (impl AsyncBufRead + Unpin)) {
    if !input.fill_buf().await.is_ok_and(<[u8]>::is_empty) {
        std::future::pending::<()>().await;
    }
}

/// The first message that is a handshake; the hub, too, passes over what is before it.
async fn read_handshake(
    input: &mut (impl AsyncRead + Unpin),
) -> Result<Option<Map<String, Value>>, HostError> {
    while let Some(text) = read_message(input).await? {
        if let Ok(frame) = serde_json::from_str::<Map<String, Value>>(&text)
            && frame.get("type").is_some_and(|kind| kind == "handshake")
        {
            return Ok(Some(frame));
        }
    }
    Ok(None)
}

fn has_credential(handshake: &Map<String, Value>) -> bool {
    let is_there = |name| handshake.get(name).is_some_and(|value: &Value| !value.is_null());
    is_there("pairingToken") || is_there("accessToken")
}

/// The next message; none when the pipe was closed between two.
async fn read_message(input: &mut (impl AsyncRead + Unpin)) -> Result<Option<String>, HostError> {
    let mut head = [0; 4];
    let mut filled = 0;
    while filled < head.len() {
        match input.read(&mut head[filled..]).await.map_err(HostError::Pipe)? {
            0 if filled == 0 => return Ok(None),
            0 => return Err(HostError::Truncated),
            more => filled += more,
        }
    }
    let bytes = u32::from_ne_bytes(head) as usize;
    let mut body = Vec::new();
    read_body(input, bytes, &mut body).await?;
    let text = String::from_utf8(body).map_err(|_| HostError::NotJson)?;
    serde_json::from_str::<IgnoredAny>(&text).map_err(|_| HostError::NotJson)?;
    Ok(Some(text))
}

/// As many bytes as were promised. Room is made for those that come, not for a promise.
async fn read_body(
    input: &mut (impl AsyncRead + Unpin),
    bytes: usize,
    body: &mut Vec<u8>,
) -> Result<(), HostError> {
    if bytes == 0 {
        return Err(HostError::Empty);
    }
    if bytes > MAX_FRAME_BYTES {
        return Err(HostError::TooLarge { bytes });
    }
    let read = input.take(bytes as u64).read_to_end(body).await.map_err(HostError::Pipe)?;
    if read < bytes { Err(HostError::Truncated) } else { Ok(()) }
}

/// Sends a frame of the hub to the browser, in parts if it is large.
async fn send(messages: &mpsc::Sender<Utf8Bytes>, frame: Utf8Bytes) {
    let mut is_cut = false;
    for chunk in chunks_of(&frame) {
        is_cut = true;
        let _ = messages.send(chunk.to_text().into()).await;
    }
    if !is_cut {
        let _ = messages.send(frame).await;
    }
}

/// Says why it is over, if it still can.
async fn farewell(messages: &mpsc::Sender<Utf8Bytes>, code: u16, reason: &str) {
    let closed = HostMessage::Closed { code, reason: reason.to_owned() }.to_text();
    let _ = tokio::time::timeout(FAREWELL, messages.send(closed.into())).await;
}

/// Writes messages to the browser until there are no more, or nobody takes them.
async fn write(mut output: impl AsyncWrite + Unpin, mut queue: mpsc::Receiver<Utf8Bytes>) {
    while let Some(message) = queue.recv().await {
        if write_message(&mut output, &message).await.is_err() {
            return;
        }
    }
}

async fn write_message(output: &mut (impl AsyncWrite + Unpin), text: &str) -> io::Result<()> {
    let bytes = u32::try_from(text.len()).map_err(io::Error::other)?;
    output.write_all(&bytes.to_ne_bytes()).await?;
    output.write_all(text.as_bytes()).await?;
    output.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(length: u32, body: &[u8]) -> Vec<u8> {
        [&length.to_ne_bytes(), body].concat()
    }

    async fn read(mut bytes: &[u8]) -> Result<Option<String>, HostError> {
        read_message(&mut bytes).await
    }

    #[tokio::test]
    async fn messages_are_read_one_after_the_other_until_the_pipe_is_closed() {
        let bytes = [message(2, b"{}"), message(13, br#"{"id":"\ud8"}"#)].concat();
        let mut input = &bytes[..];
        assert_eq!(read_message(&mut input).await.unwrap().as_deref(), Some("{}"));
        assert!(matches!(read_message(&mut input).await, Err(HostError::NotJson)));
        assert!(read(b"").await.unwrap().is_none());
    }

    #[tokio::test]
    async fn a_message_that_is_none_ends_it_with_what_is_wrong() {
        let largest = u32::try_from(MAX_FRAME_BYTES).unwrap();
        for (bytes, code, words) in [
            (message(0, b""), 1007, "no length"),
            (message(0, b"{}"), 1007, "no length"),
            (message(u32::MAX, b"{}"), 1009, "4294967295 bytes"),
            (message(largest + 1, b"{}"), 1009, "33554433 bytes"),
            (vec![2, 0], 1007, "in the middle"),
            (message(3, b"{}"), 1007, "in the middle"),
            (message(largest, b"{}"), 1007, "in the middle"),
            (message(2, b"{{"), 1007, "not JSON"),
            (message(4, b"{}{}"), 1007, "not JSON"),
            (message(3, b"\"\xff\""), 1007, "not JSON"),
        ] {
            let error = read(&bytes).await.unwrap_err();
            assert_eq!(error.close_code(), code, "{error}");
            assert!(error.to_string().contains(words), "{error}");
        }
    }

    #[tokio::test]
    async fn no_room_is_made_for_what_is_only_promised() {
        let mut body = Vec::new();
        let read = read_body(&mut &b"{}"[..], MAX_FRAME_BYTES, &mut body).await;
        assert!(matches!(read, Err(HostError::Truncated)));
        assert!(body.capacity() < 64 * 1024, "{}", body.capacity());
    }

    #[tokio::test]
    async fn a_handshake_is_looked_for_behind_whatever_comes_first() {
        let bytes =
            [message(4, b"null"), message(15, br#"{"type":"ping"}"#), message(2, b"[]")].concat();
        assert!(read_handshake(&mut &bytes[..]).await.unwrap().is_none());
        let text = br#"{"type":"handshake","accessToken":null}"#;
        let bytes = [bytes, message(u32::try_from(text.len()).unwrap(), text)].concat();
        let mut handshake = read_handshake(&mut &bytes[..]).await.unwrap().unwrap();
        assert!(!has_credential(&handshake));
        handshake.insert("accessToken".to_owned(), "word".into());
        assert!(has_credential(&handshake));
    }

    #[tokio::test]
    async fn only_our_extension_and_one_that_the_user_named_are_served() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::at(crate::Home::at(folder.path()), 0);
        let friend = format!("chrome-extension://{}", "f".repeat(32));
        settings.home.add_paired_origin(&friend).unwrap();
        let own = crate::extension_files::own_origin();
        let asked = |extension: String| {
            let settings = settings.clone();
            async move {
                let mut said = Vec::new();
                let served = serve(&settings, &extension, &b""[..], &mut said).await;
                (served, said)
            }
        };
        for served in [format!("{own}/"), own.clone(), format!("{friend}/")] {
            let (served, said) = asked(served).await;
            assert!(served.is_ok() && said.is_empty(), "{served:?}");
        }
        for other in
            ["", "chrome-extension://", &format!("{own}//"), &format!("{own}.evil"), &own[1..]]
        {
            let (served, said) = asked(other.to_owned()).await;
            assert!(matches!(served, Err(HostError::NotServed { .. })), "{other}");
            let said = String::from_utf8_lossy(&said[4..]).into_owned();
            assert!(said.contains("4006") && said.contains("pair --origin"), "{said}");
        }
    }

    #[tokio::test]
    async fn a_browser_that_reads_nothing_does_not_keep_the_host() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::at(crate::Home::at(folder.path()), 0);
        let (pipe, _unread) = tokio::io::duplex(8);
        let serving = serve(&settings, "chrome-extension://stranger/", &b""[..], pipe);
        let served = tokio::time::timeout(3 * FAREWELL, serving).await.expect("it ends");
        assert!(matches!(served, Err(HostError::NotServed { .. })));
    }

    #[tokio::test]
    async fn what_was_begun_is_ended_before_the_last_word() {
        let (pipe, mut browser) = tokio::io::duplex(8);
        let (messages, queue) = mpsc::channel(1);
        let writing = tokio::spawn(write(pipe, queue));
        send(&messages, "{\"type\":\"helm\"}".into()).await;
        farewell(&messages, 1001, "why").await;
        drop(messages);
        let mut read = Vec::new();
        browser.read_to_end(&mut read).await.unwrap();
        writing.await.unwrap();
        let mut input = &read[..];
        let mut next = async || read_message(&mut input).await.unwrap();
        assert_eq!(next().await.unwrap(), "{\"type\":\"helm\"}");
        assert!(next().await.unwrap().contains("native_closed"));
        assert_eq!(next().await, None);
    }
}
