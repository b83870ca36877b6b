//! The bus: tells whoever follows records that there is something new, in this
//! process ([`LocalBus`]) or in all hubs of a team ([`NatsBus`]).
//!
//! It wakes and carries, and is never relied on: a notice may be lost, come twice or
//! come late. The order of events and where to go on from is the store's business.
//! NATS is here and nowhere else.

mod error;
mod local;
mod nats;
mod subject;

use outrigger_protocol::records::RecordEvent;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

pub use error::BusError;
pub use local::LocalBus;
pub use nats::NatsBus;
pub use subject::{ALL_SUBJECTS, subject};

/// Notices that wait for a listener before it is told that it missed some.
const WAITING: usize = 1024;

/// A way to tell others.
pub trait Bus: Send + Sync {
    /// Tells all listeners. It waits for nobody, and nobody is told whether it
    /// worked: what is not heard is found in the store.
    fn publish(&self, notice: Notice);

    /// Hears what is told from now on.
    fn listen(&self) -> Listener;

    /// Whether others can be reached now.
    fn is_connected(&self) -> bool;
}

/// An event, and where it is to be found. It says nothing of what is in a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// Of which workspace.
    pub workspace: String,
    /// Of which user there.
    pub user: String,
    /// In the store of that life.
    pub life: String,
    /// What happened.
    pub event: RecordEvent,
}

/// What a listener hears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// This happened.
    Notice(Arc<Notice>),
    /// Something may have happened: look into the store.
    Missed,
}

/// Whoever hears. Dropping it ends that.
pub struct Listener(broadcast::Receiver<Heard>);

impl Listener {
    /// What comes next; none when the bus has ended.
    pub async fn next(&mut self) -> Option<Heard> {
        match self.0.recv().await {
            Ok(heard) => Some(heard),
            Err(RecvError::Lagged(_)) => Some(Heard::Missed),
            Err(RecvError::Closed) => None,
        }
    }
}
