//! Living records in the hub: over its store, for its one owner. [`api`] and
//! [`events`] are the way to them over HTTP, [`tracking`] writes the one that says
//! what the user looks at. What records are is the business of `outrigger-records`.

pub(crate) mod api;
mod asked;
mod bodies;
pub(crate) mod events;
mod failure;
pub(crate) mod tracking;

use std::sync::Arc;

use outrigger_bus::LocalBus;
use outrigger_dispatch::journal::NotKept;
use outrigger_records::schemas::SchemaError;
use outrigger_records::{Records, RecordsError, Settings};
use outrigger_store::records::{Retention, SqliteRecords};
use outrigger_store::{Owner, Store};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use crate::memory::Memory;

/// The records of this hub.
pub(crate) struct HubRecords {
    memory: Arc<Memory>,
    pub(crate) owner: Owner,
    /// When the hub stops, whoever follows records is told no more.
    pub(crate) shutdown: CancellationToken,
    /// Over which store they were opened: another file may be put in its place.
    open: Mutex<Option<(Store, Records)>>,
}

/// Why there are no records to be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoRecords {
    #[error("{0}")]
    Store(NotKept),
    #[error(transparent)]
    Records(#[from] RecordsError),
    #[error("it is not what its schema says: {0}")]
    Schema(SchemaError),
}

impl HubRecords {
    pub(crate) fn new(memory: Arc<Memory>, shutdown: CancellationToken) -> Self {
        HubRecords { memory, owner: Owner::local(), shutdown, open: Mutex::default() }
    }

    /// The records, over the store that there is now.
    pub(crate) async fn get(&self) -> Result<Records, NoRecords> {
        let store = self.memory.store().map_err(NoRecords::Store)?;
        let mut open = self.open.lock().await;
        match &*open {
            Some((of, records)) if of.is_same(&store) => return Ok(records.clone()),
            Some((_, records)) => records.close(),
            None => {}
        }
        let durable = Arc::new(SqliteRecords::new(store.clone(), Retention::default()));
        let records =
            Records::start(durable, Arc::new(LocalBus::default()), Settings::default()).await?;
        *open = Some((store, records.clone()));
        Ok(records)
    }
}
