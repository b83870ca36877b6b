//! `/extension` (and `/`): an extension's connection, from handshake to close.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use outrigger_browser::browsers::Introduction;
use outrigger_browser::link::Answer;
use outrigger_browser::{Desk, Link, LinkError, LinkedBrowser, tools};
use outrigger_dispatch::Catalogue;
use outrigger_guard::Grant;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::codes::CloseCode;
use outrigger_protocol::link::{
    FromExtension, Handshake, HandshakeAck, KEEPALIVE_MS, PROTOCOL, Refusal, Reply, ToExtension,
};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::pairing::{Pairing, Proof};

/// The credential must come within this, and nothing is answered before it.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(5);

/// A link that says nothing for this long is dead: three missed pings.
const SILENCE_LIMIT: Duration = Duration::from_millis(3 * KEEPALIVE_MS as u64);

/// Frames waiting for a slow socket; requests beyond that are refused as lost.
const QUEUE: usize = 1024;

/// Every extension connection of this hub.
pub(crate) struct ExtensionLinks {
    desk: Arc<Desk>,
    catalogue: Arc<Catalogue>,
    pairing: Arc<Pairing>,
    /// By origin and client id, so that a reconnect replaces its predecessor.
    connected: Mutex<HashMap<(String, String), Connection>>,
    counter: AtomicU64,
    shutdown: CancellationToken,
}

struct Connection {
    link_id: String,
    close: CancellationToken,
}

impl ExtensionLinks {
    pub(crate) fn new(
        desk: Arc<Desk>,
        catalogue: Arc<Catalogue>,
        pairing: Arc<Pairing>,
        shutdown: CancellationToken,
    ) -> Self {
        let (connected, counter) = (Mutex::default(), AtomicU64::new(1));
        ExtensionLinks { desk, catalogue, pairing, connected, counter, shutdown }
    }

    /// Serves one connection to its end.
    pub(crate) async fn serve(&self, socket: WebSocket, origin: Option<String>) {
        let (mut sink, mut stream) = socket.split();
        let greeted = tokio::time::timeout(HANDSHAKE_LIMIT, greeting(&mut stream)).await;
        let handshake = match greeted {
            Ok(Some(handshake)) => handshake,
            Ok(None) => return,
            Err(_) => return close(&mut sink, CloseCode::HandshakeTimeout).await,
        };
        if handshake.protocol != PROTOCOL {
            return close(&mut sink, CloseCode::UnsupportedProtocol).await;
        }
        let Some(proof) = self.pairing.prove(&handshake) else {
            tracing::warn!(client = handshake.client_id, "a handshake with a wrong token");
            return close(&mut sink, CloseCode::InvalidPairingToken).await;
        };
        let key = (origin.unwrap_or_default(), handshake.client_id.clone());
        self.link(sink, stream, *handshake, proof, key).await;
    }

    async fn link(
        &self,
        mut sink: SplitSink<WebSocket, Message>,
        mut stream: SplitStream<WebSocket>,
        handshake: Handshake,
        proof: Proof,
        key: (String, String),
    ) {
        let link_id = format!("link-{}", self.counter.fetch_add(1, Ordering::Relaxed));
        let ack = ToExtension::Ack(HandshakeAck {
            status: "connected".to_owned(),
            bridge_version: env!("CARGO_PKG_VERSION").to_owned(),
            link_id: link_id.clone(),
            keepalive_ms: KEEPALIVE_MS,
        });
        if sink.send(Message::text(ack.to_text())).await.is_err() {
            return;
        }
        let replaced = self.replace(key.clone(), &link_id);
        let (outgoing, queue) = mpsc::channel(QUEUE);
        let socket = Arc::new(SocketLink::new(outgoing.clone()));
        let introduction = Introduction {
            id: link_id.clone(),
            info: handshake.browser,
            extension_version: handshake.extension_version,
            profile: proof.profile,
            launch: proof.launch,
            reserved_for: proof.reserved_for,
            capabilities: handshake.capabilities,
        };
        let browser = Arc::new(LinkedBrowser::new(introduction, handshake.tabs, socket.clone()));
        tracing::info!(link = link_id, browser = browser.describe(), "linked");
        self.desk.browsers.add(browser.clone());
        tools::register_extensions(&self.catalogue, &self.desk, &self.desk.browsers);

        let reason = tokio::select! {
            () = write(&mut sink, queue) => None,
            reason = read(&mut stream, &browser, &socket, &outgoing) => reason,
            () = replaced.cancelled() => Some(frame(CloseCode::Replaced as u16, CloseCode::Replaced.reason())),
            () = self.shutdown.cancelled() => Some(going_away()),
        };
        self.desk.browsers.remove(&link_id);
        tools::register_extensions(&self.catalogue, &self.desk, &self.desk.browsers);
        socket.lose_all();
        self.forget(&key, &link_id);
        tracing::info!(link = link_id, "unlinked");
        if let Some(frame) = reason {
            finish(&mut sink, frame).await;
        }
    }

    /// Makes this the connection of its extension and ends the one before.
    fn replace(&self, key: (String, String), link_id: &str) -> CancellationToken {
        let close = CancellationToken::new();
        let connection = Connection { link_id: link_id.to_owned(), close: close.clone() };
        if let Some(previous) = self.lock().insert(key, connection) {
            previous.close.cancel();
        }
        close
    }

    fn forget(&self, key: &(String, String), link_id: &str) {
        let mut connected = self.lock();
        if connected.get(key).is_some_and(|connection| connection.link_id == link_id) {
            connected.remove(key);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(String, String), Connection>> {
        self.connected.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The first frame that is a handshake. Anything before it goes unanswered.
async fn greeting(stream: &mut SplitStream<WebSocket>) -> Option<Box<Handshake>> {
    while let Some(Ok(message)) = stream.next().await {
        if let Message::Text(text) = message {
            match FromExtension::parse(&text) {
                Ok(FromExtension::Handshake(handshake)) => return Some(handshake),
                Ok(_) => {}
                Err(error) => tracing::debug!(%error, "no handshake"),
            }
        }
    }
    None
}

async fn write(sink: &mut SplitSink<WebSocket, Message>, mut queue: mpsc::Receiver<ToExtension>) {
    while let Some(frame) = queue.recv().await {
        if sink.send(Message::text(frame.to_text())).await.is_err() {
            return;
        }
    }
}

/// Reads until the connection ends; gives the close frame to end it with.
async fn read(
    stream: &mut SplitStream<WebSocket>,
    browser: &LinkedBrowser,
    socket: &SocketLink,
    outgoing: &mpsc::Sender<ToExtension>,
) -> Option<CloseFrame> {
    loop {
        let text = match tokio::time::timeout(SILENCE_LIMIT, stream.next()).await {
            Err(_) => return Some(frame(close_code::AWAY, "No sign of life")),
            Ok(None | Some(Ok(Message::Close(_)))) => return None,
            Ok(Some(Err(error))) => {
                let too_big = error.to_string().to_lowercase().contains("too long");
                tracing::warn!(%error, "an extension's connection broke");
                return too_big.then(|| frame(close_code::SIZE, "The frame is too large"));
            }
            Ok(Some(Ok(Message::Text(text)))) => text,
            Ok(Some(Ok(Message::Binary(_)))) => {
                complain(outgoing, "Frames are JSON text, not binary", ErrorCode::MalformedFrame);
                continue;
            }
            Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => continue,
        };
        match FromExtension::parse(&text) {
            Ok(FromExtension::Reply(reply)) => socket.answer(reply),
            Ok(FromExtension::Event(Some(event))) => browser.hear(*event),
            Ok(FromExtension::Event(None) | FromExtension::Pong) => {}
            Ok(FromExtension::Ping) => {
                let _ = outgoing.try_send(ToExtension::Pong);
            }
            Ok(FromExtension::Handshake(_)) => {
                complain(outgoing, "The handshake was made already", ErrorCode::MalformedFrame);
            }
            Err(error) => complain(outgoing, &error.to_string(), error.code()),
        }
    }
}

fn complain(outgoing: &mpsc::Sender<ToExtension>, error: &str, code: ErrorCode) {
    tracing::debug!(error, %code, "a frame that made no sense");
    let complaint = ToExtension::Complaint { error: error.to_owned(), code };
    // A full queue means a peer that doesn't read; it won't read this either.
    let _ = outgoing.try_send(complaint);
}

fn frame(code: u16, reason: &'static str) -> CloseFrame {
    CloseFrame { code, reason: reason.into() }
}

fn going_away() -> CloseFrame {
    frame(close_code::AWAY, "The hub is stopping")
}

async fn close(sink: &mut SplitSink<WebSocket, Message>, code: CloseCode) {
    finish(sink, frame(code as u16, code.reason())).await;
}

async fn finish(sink: &mut SplitSink<WebSocket, Message>, frame: CloseFrame) {
    let farewell = sink.send(Message::Close(Some(frame)));
    // A peer that no longer reads must not hold the hub up.
    let _ = tokio::time::timeout(Duration::from_secs(1), farewell).await;
}

/// The way to one extension.
struct SocketLink {
    outgoing: mpsc::Sender<ToExtension>,
    pending: Mutex<Option<Pending>>,
    /// Makes ids unique over restarts of the hub: an id is an idempotency key.
    prefix: String,
    counter: AtomicU64,
}

type Pending = HashMap<String, oneshot::Sender<Result<Value, Refusal>>>;

impl SocketLink {
    fn new(outgoing: mpsc::Sender<ToExtension>) -> Self {
        let mut bytes = [0u8; 4];
        if let Err(error) = getrandom::fill(&mut bytes) {
            tracing::warn!(%error, "no randomness for message ids");
        }
        SocketLink {
            outgoing,
            pending: Mutex::new(Some(HashMap::new())),
            prefix: format!("msg-{:08x}", u32::from_ne_bytes(bytes)),
            counter: AtomicU64::new(1),
        }
    }

    fn answer(&self, reply: Reply) {
        let waiting = self.lock().as_mut().and_then(|pending| pending.remove(&reply.id));
        match waiting {
            Some(waiting) => drop(waiting.send(reply.outcome)),
            // Cancelled or timed out meanwhile.
            None => tracing::debug!(id = reply.id, "an answer nobody waits for"),
        }
    }

    /// Ends every request that is out, and any that would come.
    fn lose_all(&self) {
        drop(self.lock().take());
    }

    fn lock(&self) -> MutexGuard<'_, Option<Pending>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn ask(&self, kind: &str, payload: Value, deadline: Instant) -> Result<Value, LinkError> {
        let id = format!("{}-{}", self.prefix, self.counter.fetch_add(1, Ordering::Relaxed));
        let (waiting, answer) = oneshot::channel();
        match self.lock().as_mut() {
            Some(pending) => pending.insert(id.clone(), waiting),
            None => return Err(LinkError::LostBefore),
        };
        let left = deadline.saturating_duration_since(Instant::now());
        let request = ToExtension::Request {
            kind: kind.to_owned(),
            payload,
            id: id.clone(),
            deadline_ms: u64::try_from(left.as_millis()).unwrap_or(u64::MAX),
        };
        let unanswered = CallOff { link: self, id };
        if self.outgoing.try_send(request).is_err() {
            return Err(LinkError::LostBefore);
        }
        let outcome = answer.await.map_err(|_| LinkError::LostMeanwhile)?;
        drop(unanswered);
        outcome.map_err(|refusal| LinkError::Refused(Box::new(refusal)))
    }
}

impl Link for SocketLink {
    fn request<'a>(
        &'a self,
        _grant: &'a Grant,
        capability: &'a str,
        payload: Value,
        deadline: Instant,
    ) -> Answer<'a> {
        Box::pin(self.ask(capability, payload, deadline))
    }
}

/// Dropped before the answer came, it tells the extension to stop.
struct CallOff<'a> {
    link: &'a SocketLink,
    id: String,
}

impl Drop for CallOff<'_> {
    fn drop(&mut self) {
        let was_out = self.link.lock().as_mut().is_some_and(|p| p.remove(&self.id).is_some());
        if was_out {
            let _ = self.link.outgoing.try_send(ToExtension::Cancel { id: self.id.clone() });
        }
    }
}
