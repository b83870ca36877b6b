//! Keeps the connection to the hub: makes it again after the hub went, and knows who waits
//! for what over it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::{SinkExt as _, StreamExt as _};
use outrigger_protocol::ErrorCode;
use outrigger_protocol::agent::{DynamicTool, FromAgent, Hello, ToAgent};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio_tungstenite::tungstenite::Message;

use super::{AgentClient, CallFrame, Followed, Outgoing, Waiter, failed};
use crate::following::Unfollowable;
use crate::reach::{ConnectError, Socket, reach};
use crate::settings::Settings;

/// Keeps the connection.
pub(super) struct Keeper {
    pub(super) settings: Settings,
    pub(super) hello: Hello,
    pub(super) may_start: bool,
    pub(super) client: std::sync::Weak<AgentClient>,
    pub(super) waiting: Mutex<Waiting>,
}

#[derive(Default)]
pub(super) struct Waiting {
    calls: HashMap<u64, Waiter>,
    queries: HashMap<u64, oneshot::Sender<Value>>,
    followed: HashMap<u64, Followed>,
}

impl Keeper {
    pub(super) async fn run(
        self,
        mut queue: mpsc::UnboundedReceiver<Outgoing>,
        first: Option<Socket>,
    ) {
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
