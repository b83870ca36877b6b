//! The other end of `/agent`: a connection that outlives restarts of the hub, which
//! [`keeper`] keeps. `outrigger mcp` and every command that calls a tool go through here.

mod keeper;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use outrigger_dispatch::arguments::refuse_too_large;
use outrigger_dispatch::road::DEFAULT_TIMEOUT;
use outrigger_dispatch::{Call, Notices};
use outrigger_protocol::ErrorCode;
use outrigger_protocol::agent::{CallReply, Content, DynamicTool, Hello, Query, SessionOrder};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use crate::following::{Following, Resource, Unfollowable};
use crate::mcp::Backend;
use crate::reach::{ConnectError, Socket, open};
use crate::settings::Settings;

use keeper::Keeper;

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
