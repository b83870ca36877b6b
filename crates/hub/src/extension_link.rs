//! `/extension` (and `/`): an extension's connections, from handshake to close,
//! and when one follows on from the one before. What is asked over them is in
//! `extension_requests.rs`.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use outrigger_browser::browsers::Introduction;
use outrigger_browser::{Desk, LinkedBrowser, tools};
use outrigger_dispatch::Catalogue;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::codes::{CloseCode, REUSED_REASON};
use outrigger_protocol::context::ContextReport;
use outrigger_protocol::helm::HELM_VERSION;
use outrigger_protocol::link::{
    BrowserEvent, FromExtension, Handshake, HandshakeAck, KEEPALIVE_MS, PROTOCOL, ToExtension,
};
use outrigger_store::extension_sessions::Family;
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use crate::credentials::{Credential, Credentials};
use crate::extension_files::own_origin;
use crate::extension_requests::ExtensionRequests;
use crate::gate::Sender;
use crate::pairing::{Pairing, Proof, Unproven};
use crate::records::tracking::{self, Browser, PageTracking};
use crate::short_hash::short_hash;

/// The credential must come within this, and nothing is answered before it.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(5);

/// A link that says nothing for this long is dead: three missed pings.
const SILENCE_LIMIT: Duration = Duration::from_millis(3 * KEEPALIVE_MS as u64);

/// Frames waiting for a slow socket; requests beyond that are refused as lost.
const QUEUE: usize = 1024;

/// Whoever takes no frame for this long reads no more.
pub(crate) const WRITE_LIMIT: Duration = Duration::from_secs(20);

/// An extension that remembers what it was asked gets this long to come back:
/// Chrome wakes a worker that died with the next alarm, within 30 s.
const RETURN_LIMIT: Duration = Duration::from_secs(35);

/// The user's eyes are not quicker; a busy session changes a hundred times a second.
const HELM_PACE: Duration = Duration::from_millis(40);

/// Every extension connection of this hub.
pub(crate) struct ExtensionLinks {
    desk: Arc<Desk>,
    catalogue: Arc<Catalogue>,
    pairing: Arc<Pairing>,
    credentials: Arc<Credentials>,
    tracking: Arc<PageTracking>,
    sockets: Arc<Semaphore>,
    connected: Mutex<HashMap<Key, Connection>>,
    counter: AtomicU64,
    shutdown: CancellationToken,
}

/// A connection and the extension at its other end.
struct Connection {
    extension: Arc<Extension>,
    /// Another connection took its place.
    replaced: CancellationToken,
}

/// An extension, over all its connections.
struct Extension {
    browser: Arc<LinkedBrowser>,
    requests: Arc<ExtensionRequests>,
    /// What it remembers of requests; without it nothing can be sent again.
    memory: Option<String>,
}

/// What a link was let in with, and lives by.
enum LetInBy {
    /// The token of a launched browser, which ends with it.
    Launch,
    /// The pairing token, as it was then.
    Pairing(String),
    /// A login, as it was then.
    Login(Credential, Box<Family>),
}

/// Which extension: by origin and client id, so that a reconnect replaces its
/// predecessor.
type Key = (String, String);

impl ExtensionLinks {
    pub(crate) fn new(
        desk: Arc<Desk>,
        catalogue: Arc<Catalogue>,
        pairing: Arc<Pairing>,
        credentials: Arc<Credentials>,
        tracking: Arc<PageTracking>,
        sockets: Arc<Semaphore>,
        shutdown: CancellationToken,
    ) -> Self {
        ExtensionLinks {
            desk,
            catalogue,
            pairing,
            credentials,
            tracking,
            sockets,
            connected: Mutex::default(),
            counter: AtomicU64::new(1),
            shutdown,
        }
    }

    /// Serves one connection to its end.
    pub(crate) async fn serve(&self, socket: WebSocket, sender: Sender) {
        let (mut sink, mut stream) = socket.split();
        let greeted = tokio::select! {
            greeted = tokio::time::timeout(HANDSHAKE_LIMIT, greeting(&mut stream)) => greeted,
            () = sent_away(&sender) => return,
        };
        let handshake = match greeted {
            Ok(Some(handshake)) => handshake,
            Ok(None) => return,
            Err(_) => return close(&mut sink, CloseCode::HandshakeTimeout).await,
        };
        if handshake.protocol != PROTOCOL {
            return close(&mut sink, CloseCode::UnsupportedProtocol).await;
        }
        let origin = sender.origin.unwrap_or_default();
        let (proof, let_in_by) = match self.prove(&handshake, &origin).await {
            Ok(proven) => proven,
            Err(Unproven::WrongToken) => {
                return close(&mut sink, CloseCode::InvalidPairingToken).await;
            }
            Err(Unproven::TooManyWrongTokens) => {
                let why = "Too many wrong pairing tokens; try again in a minute";
                return finish(&mut sink, frame(close_code::AGAIN, why)).await;
            }
            Err(Unproven::NoMemory) => {
                let why = "No token can be checked; try again";
                return finish(&mut sink, frame(close_code::AGAIN, why)).await;
            }
        };
        let Ok(_place) = self.sockets.clone().try_acquire_owned() else {
            let why = "Too many connections are open; try again";
            return finish(&mut sink, frame(close_code::AGAIN, why)).await;
        };
        if let Some(stranger) = sender.stranger {
            stranger.let_in();
        }
        let key = (origin, handshake.client_id.clone());
        self.link(sink, stream, *handshake, proof, let_in_by, key).await;
    }

    /// What the handshake's credential proves, and what the link lives by.
    async fn prove(
        &self,
        handshake: &Handshake,
        origin: &str,
    ) -> Result<(Proof, LetInBy), Unproven> {
        let Some(word) = &handshake.access_token else {
            let proof = self.pairing.prove(handshake, origin)?;
            let by = match proof.launch {
                Some(_) => LetInBy::Launch,
                None => LetInBy::Pairing(handshake.pairing_token.clone().unwrap_or_default()),
            };
            return Ok((proof, by));
        };
        let family = self.credentials.check_access(word).await.map_err(|error| {
            tracing::error!(%error, "an access token can't be checked");
            Unproven::NoMemory
        })?;
        // Good in the browser that it was given to, and nowhere else.
        let family = family.filter(|family| {
            family.extension_origin == origin && family.instance == handshake.client_id
        });
        match family {
            Some(family) => {
                let login = self.credentials.of_family(&family);
                Ok((Proof::personal(), LetInBy::Login(login, Box::new(family))))
            }
            None => Err(self.pairing.refuse_access(word)),
        }
    }

    async fn link(
        &self,
        mut sink: SplitSink<WebSocket, Message>,
        mut stream: SplitStream<WebSocket>,
        handshake: Handshake,
        proof: Proof,
        let_in_by: LetInBy,
        key: Key,
    ) {
        let (extension, replaced, resumed) = self.welcome(&key, handshake, proof);
        let link_id = extension.browser.id.clone();
        let tracked = Browser::new(&extension.browser);
        let ack = ToExtension::Ack(HandshakeAck {
            status: "connected".to_owned(),
            bridge_version: env!("CARGO_PKG_VERSION").to_owned(),
            link_id: link_id.clone(),
            keepalive_ms: KEEPALIVE_MS,
            resumed,
        });
        let (outgoing, queue) = mpsc::channel(QUEUE);
        let (mut reason, mut is_revoked) = (None, false);
        if sink.send(Message::text(ack.to_text())).await.is_ok() {
            extension.requests.attach(outgoing.clone());
            self.desk.welcome(&extension.browser);
            if !resumed {
                self.desk.browsers.add(extension.browser.clone());
                tools::register_extensions(&self.catalogue, &self.desk, &self.desk.browsers);
            }
            tracing::info!(
                link = link_id,
                browser = extension.browser.describe(),
                resumed,
                "linked"
            );
            let (looks, reports) = mpsc::channel(tracking::QUEUE);
            reason = tokio::select! {
                () = write(&mut sink, queue) => None,
                reason = read(&mut stream, &self.desk, &extension, &outgoing, &looks) => reason,
                () = self.tracking.keep(&tracked, reports, &outgoing) => None,
                () = tell_helm(&self.desk, &extension.browser, &outgoing) => None,
                () = replaced.cancelled() => Some(frame(CloseCode::Replaced as u16, CloseCode::Replaced.reason())),
                () = self.shutdown.cancelled() => Some(going_away()),
                why = self.withdrawn(&let_in_by) => {
                    is_revoked = true;
                    Some(why)
                }
            };
        }
        extension.requests.detach(&outgoing);
        tracing::info!(link = link_id, "connection lost");
        if let Some(frame) = reason {
            finish(&mut sink, frame).await;
        }
        drop((sink, stream));
        let may_return = extension.memory.is_some() && !is_revoked;
        if may_return && self.is_taken_up(&extension, &replaced, &let_in_by).await {
            return;
        }
        if self.forget(&key, &extension, &replaced) {
            self.tracking.forget(&tracked).await;
        }
    }

    /// Comes when what the link lives by is good no more, with how to say so.
    async fn withdrawn(&self, let_in_by: &LetInBy) -> CloseFrame {
        match let_in_by {
            LetInBy::Launch => std::future::pending().await,
            LetInBy::Pairing(word) => {
                self.pairing.withdrawn(word).await;
                let code = CloseCode::InvalidPairingToken;
                frame(code as u16, code.reason())
            }
            LetInBy::Login(login, family) => {
                tokio::select! {
                    () = login.ended() => {}
                    () = self.credentials.outdated(family) => {}
                }
                let is_reused = self.credentials.was_reused(login).await;
                let why = if is_reused { REUSED_REASON } else { CloseCode::Revoked.reason() };
                frame(CloseCode::Revoked as u16, why)
            }
        }
    }

    /// The extension of a handshake: the one that was connected before, if it
    /// still remembers what it was asked, or a new one. Ends the connection
    /// before this one.
    fn welcome(
        &self,
        key: &Key,
        handshake: Handshake,
        proof: Proof,
    ) -> (Arc<Extension>, CancellationToken, bool) {
        let replaced = CancellationToken::new();
        let mut connected = self.lock();
        let previous = connected.remove(key);
        if let Some(previous) = &previous {
            previous.replaced.cancel();
        }
        let same = previous.as_ref().map(|previous| previous.extension.clone()).filter(|before| {
            before.memory.is_some()
                && before.memory == handshake.memory
                && before.browser.profile == proof.profile
                && before.browser.launch == proof.launch
        });
        let (resumed, window) = (same.is_some(), handshake.window);
        let extension = match same {
            Some(extension) => {
                extension.browser.learn_all(handshake.tabs);
                extension
            }
            None => {
                let number = self.counter.fetch_add(1, Ordering::Relaxed);
                let is_ours = key.0 == own_origin();
                Arc::new(Extension::new(format!("link-{number}"), handshake, proof, is_ours))
            }
        };
        if let Some(window) = window {
            extension.browser.focus(window);
        }
        let connection = Connection { extension: extension.clone(), replaced: replaced.clone() };
        connected.insert(key.clone(), connection);
        drop(connected);
        if let Some(previous) = previous.filter(|_| !resumed) {
            self.give_up(&previous.extension);
        }
        (extension, replaced, resumed)
    }

    /// Waits for an extension that lost its connection. False: it won't come.
    async fn is_taken_up(
        &self,
        extension: &Extension,
        replaced: &CancellationToken,
        let_in_by: &LetInBy,
    ) -> bool {
        tokio::select! {
            () = replaced.cancelled() => true,
            _ = self.withdrawn(let_in_by) => false,
            () = tokio::time::sleep(RETURN_LIMIT) => false,
            () = self.desk.browsers.gone(&extension.browser.id) => false,
            () = self.shutdown.cancelled() => false,
        }
    }

    /// Forgets an extension, unless another connection took this one's place.
    fn forget(&self, key: &Key, extension: &Extension, replaced: &CancellationToken) -> bool {
        let mut connected = self.lock();
        if replaced.is_cancelled() {
            return false;
        }
        connected.remove(key);
        drop(connected);
        self.give_up(extension);
        true
    }

    fn give_up(&self, extension: &Extension) {
        self.desk.browsers.remove(&extension.browser.id);
        tools::register_extensions(&self.catalogue, &self.desk, &self.desk.browsers);
        extension.requests.end();
        tracing::info!(link = extension.browser.id, "unlinked");
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Connection>> {
        self.connected.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Extension {
    fn new(link_id: String, handshake: Handshake, proof: Proof, is_ours: bool) -> Self {
        let introduction = Introduction {
            id: link_id,
            extension_id: short_hash(&handshake.client_id),
            info: handshake.browser,
            extension_version: handshake.extension_version,
            profile: proof.profile,
            launch: proof.launch,
            reserved_for: proof.reserved_for,
            capabilities: handshake.capabilities,
            is_users_voice: is_ours,
            has_panel: is_ours && handshake.helm == HELM_VERSION,
        };
        let requests = Arc::new(ExtensionRequests::new());
        let browser = LinkedBrowser::new(introduction, handshake.tabs, requests.clone());
        Extension { browser: Arc::new(browser), requests, memory: handshake.memory }
    }
}

/// Comes when a connection that has shown nothing yet must go.
async fn sent_away(sender: &Sender) {
    match &sender.stranger {
        Some(stranger) => stranger.sent_away().await,
        None => std::future::pending().await,
    }
}

/// The first frame that is a handshake. Anything before it goes unanswered.
async fn greeting(stream: &mut SplitStream<WebSocket>) -> Option<Box<Handshake>> {
    while let Some(Ok(message)) = stream.next().await {
        if let Message::Text(text) = message {
            match FromExtension::parse(&text) {
                Ok(FromExtension::Handshake(handshake)) => return Some(handshake),
                Ok(_) => {}
                Err(error) => tracing::debug!(code = %error.code(), "no handshake"),
            }
        }
    }
    None
}

/// Writes until the connection ends, or its other end has stopped to read.
async fn write(sink: &mut SplitSink<WebSocket, Message>, mut queue: mpsc::Receiver<ToExtension>) {
    while let Some(frame) = queue.recv().await {
        let sent = sink.send(Message::text(frame.to_text()));
        if !matches!(tokio::time::timeout(WRITE_LIMIT, sent).await, Ok(Ok(()))) {
            return;
        }
    }
}

/// Reads until the connection ends; gives the close frame to end it with.
async fn read(
    stream: &mut SplitStream<WebSocket>,
    desk: &Desk,
    extension: &Extension,
    outgoing: &mpsc::Sender<ToExtension>,
    looks: &mpsc::Sender<ContextReport>,
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
            Ok(FromExtension::Reply(reply)) => extension.requests.answer(reply),
            Ok(FromExtension::Event(Some(event))) => match *event {
                // What the user looks at is told by our own extension alone.
                BrowserEvent::PageContext(report) if extension.browser.is_users_voice => {
                    let _ = looks.send(report).await;
                }
                event => desk.hear(&extension.browser, event),
            },
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

/// Tells the extension how the agent sessions stand, whenever that changed.
async fn tell_helm(desk: &Desk, browser: &LinkedBrowser, outgoing: &mpsc::Sender<ToExtension>) {
    if !browser.has_panel {
        return std::future::pending().await;
    }
    let (mut sessions, mut requests) = (desk.sessions.changes(), desk.requests.changes());
    let mut told = None;
    loop {
        let state = desk.helm_state(&browser.id);
        if told.as_ref() != Some(&state) {
            // Where the queue is full, the next change tells of this one too.
            let _ = outgoing.try_send(ToExtension::Helm(Box::new(state.clone())));
            told = Some(state);
        }
        tokio::select! {
            _ = sessions.changed() => {}
            _ = requests.changed() => {}
        }
        tokio::time::sleep(HELM_PACE).await;
    }
}

fn complain(outgoing: &mpsc::Sender<ToExtension>, error: &str, code: ErrorCode) {
    // What is wrong with a frame is told in its own words, which aren't for the log.
    tracing::debug!(%code, "a frame that made no sense");
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
