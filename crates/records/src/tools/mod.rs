//! The tools for records, one file a family. They go the same road as all others; what
//! is in a record may be a page's words, and is fenced.

mod agents;
mod context;
mod faults;
mod reading;
mod workflows;
mod writing;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use outrigger_dispatch::{Aim, Catalogue, Fault, Shown};
use outrigger_guard::{Access, PermissionKey};
use outrigger_store::Owner;

use crate::Records;

/// Where tools find records. They may have to be opened first, and may not be there.
pub trait RecordsHome: Send + Sync + 'static {
    /// Whose they are.
    fn owner(&self) -> &Owner;

    /// The records, or why there are none.
    fn records(&self) -> Opening<'_>;

    /// Whether they may still be read: what was allowed when a call began to wait may be
    /// denied since.
    fn may_be_read(&self) -> Result<(), Fault>;

    /// Why nothing is told of what the user looks at, where nothing is.
    fn unseen(&self) -> Unseen;
}

/// Why nothing is told of what the user looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unseen {
    /// No browser is linked that could tell it.
    NoBrowser,
    /// The user lets no agent follow it.
    Off,
    /// What is in front may not be told.
    LeftOut,
    /// A browser is linked, and has told nothing yet.
    NotYet,
}

/// Records that are being opened.
pub type Opening<'a> = Pin<Box<dyn Future<Output = Result<Records, Fault>> + Send + 'a>>;

/// Registers every tool for records, in the order clients list them.
pub fn register(catalogue: &mut Catalogue, home: &Arc<dyn RecordsHome>) {
    catalogue.register(context::ContextGet(home.clone()));
    catalogue.register(reading::RecordsSearch(home.clone()));
    catalogue.register(reading::RecordGet(home.clone()));
    catalogue.register(writing::RecordPut(home.clone()));
    catalogue.register(agents::AgentNext(home.clone()));
    workflows::register(catalogue, home);
}

/// What a call to records touches: none of the browsers.
fn aim_at_records(key: PermissionKey) -> Aim<()> {
    Aim { target: (), access: Access::to_records(key), shown: Shown::default() }
}
