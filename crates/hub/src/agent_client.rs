//! The other end of `/agent`: a connection that outlives restarts of the hub. `outrigger mcp` and every command that calls a tool go
//! through here.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use outrigger_dispatch::arguments::refuse_too_large;
use outrigger_dispatch::road::DEFAULT_TIMEOUT;
use outrigger_dispatch::{Call, Notices};
use outrigger_protocol::ErrorCode;
use outrigger_protocol::agent::{
    CallReply, Content, DynamicTool, FromAgent, Hello, Query, SessionOrder, ToAgent,
};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::Message;

use crate::following::{Following, Resource, Unfollowable};
use crate::mcp::Backend;
use crate::reach::{ConnectError, Socket, open, reach};
use crate::settings::Settings;

/// How much longer than a call's own deadline the hub may take to say so.
const HUB_GRACE: Duration = Duration::from_secs(5);

/// A connection to the hub that comes back by itself.
pub struct AgentClient {
    outgoing: mpsc::UnboundedSender<Outgoing>,
    tools: RwLock<Vec<DynamicTool>>,
    changes: watch::Sender<u64>,
    counter: AtomicU64,
}

/// A call on its way out.
struct CallFrame {
    tool: String,
    arguments: Value,
    client: Option<String>,
}

/// Whoever waits for a call, and is told what it waits for.
struct Waiter {
    reply: oneshot::Sender<CallReply>,
    notices: Notices,
}

enum Outgoing {
    Call { id: u64, call: CallFrame, waiting: Waiter },
    Cancel { id: u64 },
    Query { id: u64, what: Query, answer: oneshot::Sender<Value> },
    Order { id: u64, session: String, order: SessionOrder, answer: oneshot::Sender<Value> },
    Follow { id: u64, address: String, followed: Followed },
    Unfollow { id: u64 },
}

/// Whoever follows something, over restarts of the hub.
struct Followed {
    address: String,
    changes: mpsc::Sender<()>,
    /// Until the hub said yes or no for the first time.
    begun: Option<oneshot::Sender<Result<(), Unfollowable>>>,
}

impl AgentClient {
    /// Connects to a running hub, or says why that can't be; does not start one.
    pub async fn connect(settings: &Settings, hello: Hello) -> Result<Arc<Self>, ConnectError> {
        let socket = open(settings).await?;
        Ok(Self::spawn(settings.clone(), hello, Some(socket), false))
    }

    /// Connects in the background and starts a hub if there is none. Calls wait
    /// until it is there.
    pub fn connect_or_start(settings: &Settings, hello: Hello) -> Arc<Self> {
        Self::spawn(settings.clone(), hello, None, true)
    }

    fn spawn(
        settings: Settings,
        hello: Hello,
        socket: Option<Socket>,
        may_start: bool,
    ) -> Arc<Self> {
        let (outgoing, queue) = mpsc::unbounded_channel();
        let client = Arc::new(AgentClient {
            outgoing,
            tools: RwLock::default(),
            changes: watch::Sender::new(0),
            counter: AtomicU64::new(1),
        });
        let keeper = Keeper {
            settings,
            hello,
            may_start,
            client: Arc::downgrade(&client),
            waiting: Mutex::default(),
        };
        tokio::spawn(keeper.run(queue, socket));
        client
    }

    /// Asks the hub about itself.
    pub async fn status(&self) -> Option<Value> {
        let (answer, answered) = oneshot::channel();
        let id = self.next_id();
        self.outgoing.send(Outgoing::Query { id, what: Query::Status, answer }).ok()?;
        tokio::time::timeout(HUB_GRACE, answered).await.ok()?.ok()
    }

    /// Orders something about a session.
    pub async fn order(&self, session: String, order: SessionOrder) -> Option<Value> {
        let (answer, answered) = oneshot::channel();
        let id = self.next_id();
        self.outgoing.send(Outgoing::Order { id, session, order, answer }).ok()?;
        tokio::time::timeout(HUB_GRACE, answered).await.ok()?.ok()
    }

    /// Runs a tool. Dropping the future cancels the call.
    pub async fn call_tool(&self, tool: String, arguments: Value, notices: Notices) -> CallReply {
        self.send_call(CallFrame { tool, arguments, client: None }, notices).await
    }

    async fn send_call(&self, call: CallFrame, notices: Notices) -> CallReply {
        // The hub would say the same, but so large a frame ends the connection.
        if let Err(fault) = refuse_too_large(&call.arguments) {
            return failed(fault.code(), &fault.to_string());
        }
        // The hub keeps the deadline; this is for a hub that keeps nothing.
        let asked = call.arguments.get("timeoutMs").and_then(Value::as_u64);
        let patience = asked.map_or(DEFAULT_TIMEOUT, Duration::from_millis) + HUB_GRACE;
        let (reply, mut replied) = oneshot::channel();
        let (signs, mut of_life) = Notices::channel();
        let id = self.next_id();
        let waiting = Waiter { reply, notices: signs };
        let _ = self.outgoing.send(Outgoing::Call { id, call, waiting });
        let call_off = CallOff { outgoing: &self.outgoing, id, armed: true };
        // The user's time is not the call's: while the hub says that it waits for the
        // user, it keeps its word.
        let mut limit = Instant::now() + patience;
        let reply = loop {
            tokio::select! {
                reply = &mut replied => break reply,
                Some(words) = of_life.recv() => {
                    notices.tell(&words);
                    limit = Instant::now() + patience;
                }
                () = tokio::time::sleep_until(limit) => {
                    let message = "The hub does not answer, so it is unknown whether this \
                                   happened. `outrigger doctor` looks into it.";
                    return failed(ErrorCode::OutcomeUnknown, message);
                }
            }
        };
        call_off.disarm();
        reply.unwrap_or_else(|_| failed(ErrorCode::LinkLost, "The hub can't be reached."))
    }

    fn next_id(&self) -> u64 {
        self.counter.fetch_add(1, Ordering::Relaxed)
    }

    fn set_tools(&self, tools: Vec<DynamicTool>) {
        let mut known = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        if *known != tools {
            *known = tools;
            drop(known);
            self.changes.send_modify(|version| *version += 1);
        }
    }
}

impl Backend for AgentClient {
    async fn call(&self, call: Call) -> CallReply {
        let Call { tool, arguments, caller, notices } = call;
        let call = CallFrame { tool, arguments, client: Some(caller.client) };
        self.send_call(call, notices).await
    }

    fn dynamic_tools(&self) -> Vec<DynamicTool> {
        self.tools.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    async fn follow(&self, resource: &Resource) -> Result<Following, Unfollowable> {
        let (told, changes) = mpsc::channel(1);
        let (begun, has_begun) = oneshot::channel();
        let (following, end) = Following::from_elsewhere(changes);
        let (id, address) = (self.next_id(), resource.to_string());
        let followed = Followed { address: address.clone(), changes: told, begun: Some(begun) };
        let _ = self.outgoing.send(Outgoing::Follow { id, address, followed });
        let outgoing = self.outgoing.downgrade();
        tokio::spawn(async move {
            end.cancelled().await;
            if let Some(outgoing) = outgoing.upgrade() {
                let _ = outgoing.send(Outgoing::Unfollow { id });
            }
        });
        let unreachable = || Unfollowable {
            code: ErrorCode::LinkLost,
            message: "The hub can't be reached.".to_owned(),
        };
        let answered = tokio::time::timeout(DEFAULT_TIMEOUT, has_begun).await;
        answered.map_err(|_| unreachable())?.map_err(|_| unreachable())??;
        Ok(following)
    }
}

struct CallOff<'a> {
    outgoing: &'a mpsc::UnboundedSender<Outgoing>,
    id: u64,
    armed: bool,
}

impl CallOff<'_> {
    fn disarm(mut self) {
        self.armed = false;
    }
}

impl Drop for CallOff<'_> {
    fn drop(&mut self) {
        if self.armed {
            let _ = self.outgoing.send(Outgoing::Cancel { id: self.id });
        }
    }
}

fn failed(code: ErrorCode, message: &str) -> CallReply {
    let text = format!("{code}: {message}");
    CallReply { content: vec![Content::Text { text }], error: Some(code) }
}

/// Keeps the connection.
struct Keeper {
    settings: Settings,
    hello: Hello,
    may_start: bool,
    client: std::sync::Weak<AgentClient>,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    calls: HashMap<u64, Waiter>,
    queries: HashMap<u64, oneshot::Sender<Value>>,
    followed: HashMap<u64, Followed>,
}

impl Keeper {
    async fn run(self, mut queue: mpsc::UnboundedReceiver<Outgoing>, first: Option<Socket>) {
        let mut next = first;
        // What was asked while there was no hub.
        let mut asked = None;
        loop {
            let socket = match next.take() {
                Some(socket) => socket,
                None => match reach(&self.settings, self.may_start).await {
                    Ok(socket) => socket,
                    Err(error) => {
                        tracing::error!(%error, "no hub");
                        match asked.take() {
                            // Told after an attempt of its own, never with an old reason.
                            Some(call) => refuse(call, &error, &mut queue),
                            None => match queue.recv().await {
                                Some(call) => asked = Some(call),
                                None => return,
                            },
                        }
                        continue;
                    }
                },
            };
            if !self.serve(socket, &mut queue, asked.take()).await {
                return;
            }
            self.lose_calls();
            if !self.may_start {
                return;
            }
        }
    }

    /// Serves one connection; false when the client itself is gone.
    async fn serve(
        &self,
        socket: Socket,
        queue: &mut mpsc::UnboundedReceiver<Outgoing>,
        asked: Option<Outgoing>,
    ) -> bool {
        let (mut sink, mut stream) = socket.split();
        let hello = text(&FromAgent::Hello(self.hello.clone()));
        if sink.send(hello).await.is_err() {
            return true;
        }
        for frame in self.followed_before() {
            if sink.send(text(&frame)).await.is_err() {
                return true;
            }
        }
        if let Some(asked) = asked
            && sink.send(text(&self.note(asked))).await.is_err()
        {
            return true;
        }
        loop {
            tokio::select! {
                outgoing = queue.recv() => {
                    let Some(outgoing) = outgoing else {
                        let _ = sink.close().await;
                        return false;
                    };
                    if sink.send(text(&self.note(outgoing))).await.is_err() {
                        return true;
                    }
                }
                message = stream.next() => match message {
                    Some(Ok(Message::Text(text))) => self.hear(&text),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    _ => return true,
                },
            }
        }
    }

    fn note(&self, outgoing: Outgoing) -> FromAgent {
        let mut waiting = self.lock();
        match outgoing {
            Outgoing::Call { id, call, waiting: waiter } => {
                waiting.calls.insert(id, waiter);
                let CallFrame { tool, arguments, client } = call;
                FromAgent::Call { id, tool, arguments, client }
            }
            Outgoing::Cancel { id } => {
                waiting.calls.remove(&id);
                FromAgent::Cancel { id }
            }
            Outgoing::Follow { id, address, followed } => {
                waiting.followed.insert(id, followed);
                FromAgent::Follow { id, address }
            }
            Outgoing::Unfollow { id } => {
                waiting.followed.remove(&id);
                FromAgent::Unfollow { id }
            }
            Outgoing::Query { id, what, answer } => {
                waiting.queries.insert(id, answer);
                FromAgent::Query { id, what }
            }
            Outgoing::Order { id, session, order, answer } => {
                waiting.queries.insert(id, answer);
                FromAgent::Order { id, session, order }
            }
        }
    }

    fn hear(&self, text: &str) {
        let frame = match serde_json::from_str::<ToAgent>(text) {
            Ok(frame) => frame,
            Err(error) => {
                let problem = error.classify();
                return tracing::warn!(?problem, "the hub said something unknown");
            }
        };
        match frame {
            ToAgent::Welcome { tools, version } => {
                if version != env!("CARGO_PKG_VERSION") {
                    tracing::warn!(version, "the hub is of another version");
                }
                self.learn(tools);
            }
            ToAgent::Tools { tools } => self.learn(tools),
            ToAgent::Reply { id, reply } => {
                if let Some(waiting) = self.lock().calls.remove(&id) {
                    let _ = waiting.reply.send(reply);
                }
            }
            ToAgent::Notice { id, message } => {
                if let Some(waiting) = self.lock().calls.get(&id) {
                    waiting.notices.tell(&message);
                }
            }
            ToAgent::Following { id } => {
                let begun = self.lock().followed.get_mut(&id).and_then(|known| known.begun.take());
                if let Some(begun) = begun {
                    let _ = begun.send(Ok(()));
                }
            }
            ToAgent::Changed { id } => {
                if let Some(followed) = self.lock().followed.get(&id) {
                    // One that waits to be told stands for this one, too.
                    let _ = followed.changes.try_send(());
                }
            }
            ToAgent::Unfollowed { id, error, code } => {
                let followed = self.lock().followed.remove(&id);
                if let Some(begun) = followed.and_then(|followed| followed.begun) {
                    let _ = begun.send(Err(Unfollowable { code, message: error }));
                }
            }
            ToAgent::Answer { id, value } => {
                if let Some(waiting) = self.lock().queries.remove(&id) {
                    let _ = waiting.send(value);
                }
            }
            ToAgent::Complaint { code, .. } => tracing::warn!(%code, "the hub complained"),
        }
    }

    fn learn(&self, tools: Vec<DynamicTool>) {
        if let Some(client) = self.client.upgrade() {
            client.set_tools(tools);
        }
    }

    /// What was followed over another connection, to be followed over this one. What
    /// changed between the two is told as a change.
    fn followed_before(&self) -> Vec<FromAgent> {
        let waiting = self.lock();
        let frames = waiting.followed.iter().map(|(id, followed)| {
            let _ = followed.changes.try_send(());
            FromAgent::Follow { id: *id, address: followed.address.clone() }
        });
        frames.collect()
    }

    /// Answers what was out when the connection went. Whether it ran can't be
    /// known from here.
    fn lose_calls(&self) {
        let calls = {
            let mut waiting = self.lock();
            waiting.queries.clear();
            std::mem::take(&mut waiting.calls)
        };
        for Waiter { reply, .. } in calls.into_values() {
            let message = "The hub went away in mid-call, so it is unknown whether this happened. \
                           Look at the page before doing it again.";
            let _ = reply.send(failed(ErrorCode::OutcomeUnknown, message));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers the calls of one moment with why there is no hub.
fn refuse(first: Outgoing, error: &ConnectError, queue: &mut mpsc::UnboundedReceiver<Outgoing>) {
    let message = format!("{error}.");
    let mut next = Some(first);
    while let Some(outgoing) = next {
        if let Outgoing::Call { waiting, .. } = outgoing {
            let _ = waiting.reply.send(failed(ErrorCode::LinkLost, &message));
        }
        next = queue.try_recv().ok();
    }
}

fn text(frame: &FromAgent) -> Message {
    Message::text(serde_json::to_string(frame).unwrap_or_default())
}
