//! Requests to one extension, over as many connections as it takes. A request
//! that is out when a connection ends is sent again on the next one under the
//! same id, which is its idempotency key: the extension answers from memory
//! what must not run twice. Whether the next one may follow on is decided in
//! `extension_link.rs`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use outrigger_browser::link::{Answer, Request};
use outrigger_browser::{Link, LinkError};
use outrigger_guard::Grant;
use outrigger_protocol::link::{Reply, ToExtension};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

/// What was never sent is given up this long before its deadline, so that the
/// answer can say that nothing happened.
const MARGIN: Duration = Duration::from_millis(50);

/// The requests of one extension.
pub(crate) struct ExtensionRequests {
    state: Mutex<State>,
    /// Makes ids unique over restarts of the hub.
    prefix: String,
    counter: AtomicU64,
}

#[derive(Default)]
struct State {
    /// The connection of the moment.
    outgoing: Option<mpsc::Sender<ToExtension>>,
    /// By number, so that they are sent again in their order.
    pending: BTreeMap<u64, Pending>,
    is_over: bool,
}

struct Pending {
    kind: String,
    payload: Value,
    deadline: Instant,
    once: bool,
    was_sent: bool,
    waiting: oneshot::Sender<Result<Value, LinkError>>,
}

impl ExtensionRequests {
    pub(crate) fn new() -> Self {
        let mut bytes = [0u8; 4];
        if let Err(error) = getrandom::fill(&mut bytes) {
            tracing::warn!(%error, "no randomness for message ids");
        }
        ExtensionRequests {
            state: Mutex::default(),
            prefix: format!("msg-{:08x}-", u32::from_ne_bytes(bytes)),
            counter: AtomicU64::new(1),
        }
    }

    /// A connection is there: whatever is out goes over it.
    pub(crate) fn attach(&self, outgoing: mpsc::Sender<ToExtension>) {
        let mut state = self.lock();
        state.outgoing = Some(outgoing);
        for number in state.pending.keys().copied().collect::<Vec<_>>() {
            self.send(&mut state, number);
        }
    }

    /// This connection is gone; another one may have taken its place already.
    pub(crate) fn detach(&self, outgoing: &mpsc::Sender<ToExtension>) {
        let mut state = self.lock();
        if state.outgoing.as_ref().is_some_and(|current| current.same_channel(outgoing)) {
            state.outgoing = None;
        }
    }

    /// The extension won't come back: ends what is out, and what would come.
    pub(crate) fn end(&self) {
        let pending = {
            let mut state = self.lock();
            state.is_over = true;
            state.outgoing = None;
            std::mem::take(&mut state.pending)
        };
        for request in pending.into_values() {
            let error =
                if request.was_sent { LinkError::LostMeanwhile } else { LinkError::LostBefore };
            // Whoever asked may have gone meanwhile.
            let _ = request.waiting.send(Err(error));
        }
    }

    /// An answer came.
    pub(crate) fn answer(&self, reply: Reply) {
        let number = reply.id.strip_prefix(&self.prefix).and_then(|number| number.parse().ok());
        let waiting = number.and_then(|number: u64| self.lock().pending.remove(&number));
        match waiting {
            Some(request) => {
                let refused = |refusal| LinkError::Refused(Box::new(refusal));
                let _ = request.waiting.send(reply.outcome.map_err(refused));
            }
            // Cancelled or timed out meanwhile, or answered twice.
            None => tracing::debug!("an answer nobody waits for"),
        }
    }

    fn send(&self, state: &mut State, number: u64) {
        let State { outgoing: Some(outgoing), pending, .. } = state else { return };
        let Some(request) = pending.get_mut(&number) else { return };
        let left = request.deadline.saturating_duration_since(Instant::now());
        let frame = ToExtension::Request {
            kind: request.kind.clone(),
            payload: request.payload.clone(),
            id: self.id(number),
            deadline_ms: u64::try_from(left.as_millis()).unwrap_or(u64::MAX),
            once: request.once,
        };
        match outgoing.try_send(frame) {
            Ok(()) => request.was_sent = true,
            // It is closing: the next connection gets it.
            Err(mpsc::error::TrySendError::Closed(_)) => {}
            Err(mpsc::error::TrySendError::Full(_)) => {
                let error =
                    if request.was_sent { LinkError::LostMeanwhile } else { LinkError::LostBefore };
                if let Some(request) = pending.remove(&number) {
                    let _ = request.waiting.send(Err(error));
                }
            }
        }
    }

    fn id(&self, number: u64) -> String {
        format!("{}{number}", self.prefix)
    }

    async fn ask(&self, request: Request<'_>) -> Result<Value, LinkError> {
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        let (waiting, mut answer) = oneshot::channel();
        let deadline = request.deadline;
        let pending = Pending {
            kind: request.capability.to_owned(),
            payload: request.payload,
            deadline,
            once: request.once,
            was_sent: false,
            waiting,
        };
        {
            let mut state = self.lock();
            if state.is_over {
                return Err(LinkError::LostBefore);
            }
            state.pending.insert(number, pending);
            self.send(&mut state, number);
        }
        let _unanswered = CallOff { requests: self, number };
        let in_time = tokio::time::timeout_at(deadline - MARGIN, &mut answer).await;
        let outcome = match in_time {
            Ok(outcome) => outcome,
            Err(_) if !self.was_sent(number) => return Err(LinkError::LostBefore),
            Err(_) => answer.await,
        };
        outcome.unwrap_or(Err(LinkError::LostMeanwhile))
    }

    fn was_sent(&self, number: u64) -> bool {
        self.lock().pending.get(&number).is_none_or(|request| request.was_sent)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Link for ExtensionRequests {
    fn request<'a>(&'a self, _grant: &'a Grant, request: Request<'a>) -> Answer<'a> {
        Box::pin(self.ask(request))
    }

    fn is_connected(&self) -> bool {
        self.lock().outgoing.is_some()
    }
}

/// Dropped before the answer came, it tells the extension to stop.
struct CallOff<'a> {
    requests: &'a ExtensionRequests,
    number: u64,
}

impl Drop for CallOff<'_> {
    fn drop(&mut self) {
        let mut state = self.requests.lock();
        let was_out = state.pending.remove(&self.number).is_some();
        if let (true, Some(outgoing)) = (was_out, &state.outgoing) {
            let _ = outgoing.try_send(ToExtension::Cancel { id: self.requests.id(self.number) });
        }
    }
}
