//! `/agent`: the connection of a process that serves one agent.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::{SinkExt as _, StreamExt as _};
use outrigger_browser::sessions::OwnBrowser;
use outrigger_browser::standing::{By, OrderError};
use outrigger_dispatch::{Call, Caller, Notices};
use outrigger_guard::Scope;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::agent::{FromAgent, Hello, Launch, Query, SessionOrder, ToAgent};
use outrigger_protocol::codes::CloseCode;
use outrigger_protocol::helm::Standing;
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::task::{AbortHandle, JoinSet};
use tokio_util::sync::CancellationToken;

use crate::credentials::Credential;
use crate::extension_link::WRITE_LIMIT;
use crate::following::{Following, MOST_FOLLOWED, Resource, Unfollowable};
use crate::mcp::dynamic_tools;
use crate::server::Shared;
use crate::status::status;

/// Frames waiting for an agent that is slow to read. Nothing more is read from
/// it, and no call of its own ends, until it has taken some.
const QUEUE: usize = 64;

/// Calls of one agent at a time; the next frame is read when one has ended.
const MAX_CALLS: usize = 256;

/// A peer that no longer reads must not hold the hub up.
const FAREWELL: Duration = Duration::from_secs(1);

/// How many agents are connected; a hub that was started for them ends after
/// the last one.
#[derive(Debug, Default)]
pub(crate) struct AgentCount {
    now: AtomicUsize,
    changed: tokio::sync::Notify,
}

impl AgentCount {
    /// Waits until nobody has been connected for the time given.
    pub(crate) async fn idle_for(&self, time: Duration) {
        loop {
            let changed = self.changed.notified();
            if self.now.load(Ordering::SeqCst) == 0 {
                if tokio::time::timeout(time, changed).await.is_err() {
                    return;
                }
            } else {
                changed.await;
            }
        }
    }

    fn enter(self: &Arc<Self>) -> Presence {
        self.now.fetch_add(1, Ordering::SeqCst);
        self.changed.notify_waiters();
        Presence(self.clone())
    }
}

struct Presence(Arc<AgentCount>);

impl Drop for Presence {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Ordering::SeqCst);
        self.0.changed.notify_waiters();
    }
}

/// Serves one connection to its end.
pub(crate) async fn serve(shared: Arc<Shared>, credential: Credential, socket: WebSocket) {
    let _presence = shared.agents.enter();
    let (mut sink, mut stream) = socket.split();
    let (outgoing, mut queue) = mpsc::channel::<ToAgent>(QUEUE);
    let writer = async {
        while let Some(frame) = queue.recv().await {
            let text = serde_json::to_string(&frame).unwrap_or_default();
            let sent = sink.send(Message::text(text));
            if !matches!(tokio::time::timeout(WRITE_LIMIT, sent).await, Ok(Ok(()))) {
                return;
            }
        }
    };
    let reader = async {
        let mut agent: Option<Agent> = None;
        while let Some(Ok(message)) = stream.next().await {
            let Message::Text(text) = message else { continue };
            match serde_json::from_str::<FromAgent>(&text) {
                Ok(FromAgent::Hello(hello)) if agent.is_none() => {
                    agent = Agent::greet(&shared, &credential, hello, &outgoing).await;
                }
                Ok(frame) => match &mut agent {
                    Some(agent) => agent.handle(frame).await,
                    None => complain(&outgoing, "Say hello first").await,
                },
                Err(error) => complain(&outgoing, &error.to_string()).await,
            }
        }
    };
    let mut farewell = None;
    tokio::select! {
        () = writer => {}
        () = reader => {}
        () = shared.shutdown.cancelled() => {}
        () = credential.ended() => {
            let (code, reason) = (CloseCode::Revoked as u16, CloseCode::Revoked.reason());
            farewell = Some(Message::Close(Some(CloseFrame { code, reason: reason.into() })));
        }
    }
    if let Some(farewell) = farewell {
        let _ = tokio::time::timeout(FAREWELL, sink.send(farewell)).await;
    }
}

async fn complain(outgoing: &mpsc::Sender<ToAgent>, error: &str) {
    let complaint = ToAgent::Complaint { error: error.to_owned(), code: ErrorCode::MalformedFrame };
    let _ = outgoing.send(complaint).await;
}

/// An agent that said hello.
struct Agent {
    shared: Arc<Shared>,
    hello: Hello,
    credential: Credential,
    outgoing: mpsc::Sender<ToAgent>,
    /// Dropped with the agent, and with them whatever they asked of a browser.
    calls: JoinSet<()>,
    running: HashMap<u64, AbortHandle>,
    /// What it follows; dropped with the agent as well.
    follows: JoinSet<()>,
    followed: HashMap<u64, AbortHandle>,
    /// How many calls were made; a browser that ended is launched again for
    /// the next one.
    made: watch::Sender<u64>,
    /// Ends what lives as long as the connection: the launched browser and the
    /// news about tools.
    gone: CancellationToken,
}

impl Agent {
    /// None where its session can't be called as it says.
    async fn greet(
        shared: &Arc<Shared>,
        credential: &Credential,
        mut hello: Hello,
        outgoing: &mpsc::Sender<ToAgent>,
    ) -> Option<Self> {
        hello.session = match credential.session_name(&hello.session) {
            Ok(name) => name,
            Err(reserved) => {
                let (error, code) = (format!("{reserved}."), ErrorCode::InvalidArguments);
                let _ = outgoing.send(ToAgent::Complaint { error, code }).await;
                return None;
            }
        };
        if credential.scope < Scope::Act && hello.launch.take().is_some() {
            let error = "A token for reading launches no browser".to_owned();
            let _ = outgoing.send(ToAgent::Complaint { error, code: ErrorCode::OutOfScope }).await;
        }
        let gone = shared.shutdown.child_token();
        shared.desk.sessions.with(&hello.session, &hello.client, |session| {
            if hello.launch.is_some() {
                session.own_browser = OwnBrowser::Asked;
            }
            session.own_window |= hello.own_window;
            session.is_open_ended = !hello.ends_with_connection;
        });
        shared.desk.welcome_session(&hello.session);
        let calls = watch::Sender::new(0);
        if let Some(launch) = hello.launch {
            let own = OwnBrowserKeeper {
                shared: shared.clone(),
                session: hello.session.clone(),
                launch,
                gone: gone.clone(),
            };
            tokio::spawn(own.keep(calls.subscribe()));
        }
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let tools = dynamic_tools(shared.road.catalogue());
        let _ = outgoing.send(ToAgent::Welcome { version, tools }).await;
        tokio::spawn(tell_changes(shared.clone(), outgoing.clone(), gone.clone()));
        Some(Agent {
            shared: shared.clone(),
            hello,
            credential: credential.clone(),
            outgoing: outgoing.clone(),
            calls: JoinSet::new(),
            running: HashMap::new(),
            follows: JoinSet::new(),
            followed: HashMap::new(),
            made: calls,
            gone,
        })
    }

    async fn handle(&mut self, frame: FromAgent) {
        while self.calls.try_join_next().is_some() {}
        match frame {
            FromAgent::Hello(_) => complain(&self.outgoing, "Hello was said already").await,
            FromAgent::Call { id, tool, arguments, client } => {
                if self.calls.len() >= MAX_CALLS {
                    self.calls.join_next().await;
                }
                self.made.send_modify(|calls| *calls += 1);
                let caller = Caller {
                    session: self.hello.session.clone(),
                    client: client.unwrap_or_else(|| self.hello.client.clone()),
                    scope: self.credential.scope,
                    holder: self.credential.holder_name(),
                };
                let (shared, outgoing) = (self.shared.clone(), self.outgoing.clone());
                let running = self.calls.spawn(async move {
                    let (notices, told) = Notices::channel();
                    let call = shared.call(Call { tool, arguments, caller, notices });
                    let reply = tokio::select! {
                        reply = call => reply,
                        never = pass_on(told, id, &outgoing) => match never {},
                    };
                    let _ = outgoing.send(ToAgent::Reply { id, reply }).await;
                });
                self.running.retain(|_, call| !call.is_finished());
                self.running.insert(id, running);
            }
            FromAgent::Cancel { id } => {
                if let Some(call) = self.running.remove(&id) {
                    call.abort();
                }
            }
            FromAgent::Follow { id, address } => {
                while self.follows.try_join_next().is_some() {}
                self.followed.retain(|_, task| !task.is_finished());
                let (shared, outgoing) = (self.shared.clone(), self.outgoing.clone());
                let is_too_much = self.followed.len() >= MOST_FOLLOWED;
                let task = self.follows.spawn(async move {
                    let refusal = follow(&shared, &outgoing, id, &address, is_too_much).await;
                    let Unfollowable { code, message: error } = refusal;
                    let _ = outgoing.send(ToAgent::Unfollowed { id, error, code }).await;
                });
                if let Some(earlier) = self.followed.insert(id, task) {
                    earlier.abort();
                }
            }
            FromAgent::Unfollow { id } => {
                if let Some(task) = self.followed.remove(&id) {
                    task.abort();
                }
            }
            FromAgent::Query { id, what: Query::Status } => {
                let value = status(&self.shared).await;
                let _ = self.outgoing.send(ToAgent::Answer { id, value }).await;
            }
            FromAgent::Order { id, session, order } => {
                let value = if self.credential.scope >= Scope::Act {
                    carry_out(&self.shared, &self.credential, &session, order)
                } else {
                    json!({"error": "A token for reading gives no orders."})
                };
                let _ = self.outgoing.send(ToAgent::Answer { id, value }).await;
            }
        }
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        self.gone.cancel();
        if self.hello.ends_with_connection {
            self.shared.clone().end_session(self.hello.session.clone());
        }
    }
}

/// Tells an agent of every change at an address, until that can't be or is over.
async fn follow(
    shared: &Shared,
    outgoing: &mpsc::Sender<ToAgent>,
    id: u64,
    address: &str,
    is_too_much: bool,
) -> Unfollowable {
    let refused = |code, message: &str| Unfollowable { code, message: message.to_owned() };
    if is_too_much {
        let message = format!("{MOST_FOLLOWED} resources are followed already. Let some go.");
        return Unfollowable { code: ErrorCode::InvalidArguments, message };
    }
    let Some(resource) = Resource::parse(address) else {
        return refused(ErrorCode::NotFound, "There is no such resource.");
    };
    let mut following = match Following::start(shared.records.clone(), resource).await {
        Ok(following) => following,
        Err(refusal) => return refusal,
    };
    let _ = outgoing.send(ToAgent::Following { id }).await;
    while following.changed().await {
        let _ = outgoing.send(ToAgent::Changed { id }).await;
    }
    refused(ErrorCode::NotAllowed, "It can't be followed any more.")
}

/// Passes on what a call waits for, until it waits no more.
async fn pass_on(
    mut told: mpsc::Receiver<String>,
    id: u64,
    outgoing: &mpsc::Sender<ToAgent>,
) -> Infallible {
    while let Some(message) = told.recv().await {
        let _ = outgoing.send(ToAgent::Notice { id, message }).await;
    }
    std::future::pending().await
}

/// Carries out what a shell orders about a session. One that it may order nothing
/// is not there for it.
fn carry_out(
    shared: &Shared,
    credential: &Credential,
    session: &str,
    order: SessionOrder,
) -> Value {
    let standing = match order {
        SessionOrder::Pause => Standing::Paused,
        SessionOrder::Resume => Standing::Working,
        SessionOrder::Stop => Standing::Stopped,
    };
    let sessions = &shared.desk.sessions;
    let ordered = sessions.meant_by(session).and_then(|session| {
        if !credential.may_order(&session) {
            return Err(OrderError::NoSession);
        }
        sessions.order(&session, standing, By::Shell).map(|()| session)
    });
    match ordered {
        Ok(session) => json!({"session": session, "standing": standing}),
        Err(error) => json!({"error": format!("{error}.")}),
    }
}

/// Keeps the browser that was launched for one agent.
struct OwnBrowserKeeper {
    shared: Arc<Shared>,
    session: String,
    launch: Launch,
    gone: CancellationToken,
}

impl OwnBrowserKeeper {
    /// Launches, and launches again for the first call after the browser ended
    /// or could not be launched: closing its window shall not open another.
    async fn keep(self, mut calls: watch::Receiver<u64>) {
        loop {
            calls.mark_unchanged();
            let run = self.shared.launcher.run(
                self.launch,
                Some(self.session.clone()),
                self.gone.clone(),
            );
            let outcome = run.await;
            if self.gone.is_cancelled() {
                return;
            }
            if let Err(error) = outcome {
                tracing::error!(%error, "launching a browser failed");
                self.set(OwnBrowser::Failed(error.to_string()));
            }
            tokio::select! {
                () = self.gone.cancelled() => return,
                changed = calls.changed() => if changed.is_err() { return },
            }
            self.set(OwnBrowser::Asked);
        }
    }

    fn set(&self, own: OwnBrowser) {
        self.shared.desk.sessions.with(&self.session, "", |session| session.own_browser = own);
        self.shared.desk.browsers.announce();
    }
}

async fn tell_changes(
    shared: Arc<Shared>,
    outgoing: mpsc::Sender<ToAgent>,
    gone: CancellationToken,
) {
    let mut changes = shared.road.catalogue().changes();
    loop {
        tokio::select! {
            () = gone.cancelled() => return,
            changed = changes.changed() => if changed.is_err() { return },
        }
        let tools = dynamic_tools(shared.road.catalogue());
        if outgoing.send(ToAgent::Tools { tools }).await.is_err() {
            return;
        }
    }
}
