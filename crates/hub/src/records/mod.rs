//! Living records in the hub: over its store, or the servers of a team, for its one
//! owner. [`api`], [`events`] and [`agents`] are the way to them over HTTP, [`tracking`]
//! writes the one that says what the user looks at, [`actions`] carries out what records
//! ask for. What records are is the business of `outrigger-records`.

mod action_author;
mod action_desk;
pub(crate) mod actions;
mod agents;
pub(crate) mod api;
mod asked;
mod bodies;
pub(crate) mod events;
mod failure;
mod meant_browser;
mod noting;
mod other_hubs;
mod page_hints;
pub(crate) mod tracking;
mod whose_action;

use std::sync::Arc;
use std::time::Duration;

use outrigger_browser::Desk;
use outrigger_bus::{Bus, BusError, LocalBus, NatsBus};
use outrigger_dispatch::Fault;
use outrigger_dispatch::journal::{Entry, Journal as _, NotKept};
use outrigger_guard::{Access, Denial, Guard, PermissionKey, Verdict};
use outrigger_protocol::ErrorCode;
use outrigger_protocol::records::RecordId;
use outrigger_records::schemas::SchemaError;
use outrigger_records::tools::{Opening, RecordsHome, Unseen};
use outrigger_records::{Records, RecordsError, Settings};
use outrigger_store::records::{
    PostgresRecords, RecordError, RecordStore, Retention, SqliteRecords,
};
use outrigger_store::{Owner, Store};
use tokio::sync::{Mutex, OnceCell};
use tokio_util::sync::CancellationToken;

use self::tracking::PageTracking;
use crate::memory::Memory;
use crate::server_address::ServerAddress;

/// How long a connection to the database is waited for; less than for an answer, so
/// that whoever asks hears that nothing was done.
const PATIENCE: Duration = Duration::from_secs(2);

/// Other hubs write too, and what they tell can be lost: after this long it is found.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// As which session the guard is asked: none that an agent could have.
const SESSION: &str = "outrigger:records";

/// The records of this hub.
pub(crate) struct HubRecords {
    /// What it is called, before a restart too.
    pub(crate) hub: String,
    memory: Arc<Memory>,
    guard: Arc<Guard>,
    pub(crate) owner: Owner,
    /// When the hub stops, whoever follows records is told no more.
    pub(crate) shutdown: CancellationToken,
    servers: Servers,
    nats: OnceCell<Arc<NatsBus>>,
    /// Over what they were opened.
    open: Mutex<Option<(Ground, Records)>>,
}

/// Servers that records are kept on and told over, where hubs share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Servers {
    pub(crate) database: Option<ServerAddress>,
    pub(crate) bus: Option<ServerAddress>,
}

/// Where records are kept.
enum Ground {
    /// Another file may be put in its place.
    File(Store),
    Server(ServerAddress),
}

impl Ground {
    fn is_same(&self, other: &Ground) -> bool {
        match (self, other) {
            (Ground::File(one), Ground::File(other)) => one.is_same(other),
            (Ground::Server(one), Ground::Server(other)) => one == other,
            _ => false,
        }
    }
}

/// Why there are no records to be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoRecords {
    #[error("{0}")]
    Store(NotKept),
    #[error(transparent)]
    Records(#[from] RecordsError),
    #[error(transparent)]
    Bus(#[from] BusError),
    #[error("it is not what its schema says: {0}")]
    Schema(SchemaError),
}

impl HubRecords {
    pub(crate) fn new(
        hub: String,
        memory: Arc<Memory>,
        guard: Arc<Guard>,
        servers: Servers,
        shutdown: CancellationToken,
    ) -> Self {
        let (owner, nats, open) = (Owner::local(), OnceCell::new(), Mutex::default());
        HubRecords { hub, memory, guard, owner, shutdown, servers, nats, open }
    }

    /// Notes a request in the activity log.
    pub(crate) fn note(&self, entry: Entry) {
        self.memory.note(entry);
    }

    /// Whether the user lets programs do that. What goes the road is asked there.
    pub(crate) fn permit(&self, key: PermissionKey) -> Result<(), Denial> {
        match self.guard.decide(Access::to_records(key.clone()), SESSION) {
            Verdict::Granted(_) => Ok(()),
            Verdict::Denied(denial) => Err(denial),
            // What is about records is never asked for.
            Verdict::Open(_) => Err(Denial::NobodyToAsk { key }),
        }
    }

    /// Comes when the user lets programs do that no more.
    pub(crate) async fn denied(&self, key: PermissionKey) {
        let mut recalled = self.memory.recalled();
        while self.permit(key.clone()).is_ok() {
            if recalled.changed().await.is_err() {
                return;
            }
        }
    }

    /// Comes when nobody is told of records any more. Whoever hears nothing is let go,
    /// too: what is followed is read for it.
    pub(crate) async fn over(self: Arc<Self>) {
        tokio::select! {
            () = self.shutdown.cancelled() => {}
            () = self.denied(PermissionKey::ReadRecords) => {}
        }
    }

    /// Whether other hubs may have the same records.
    fn is_shared(&self) -> bool {
        self.servers.database.is_some()
    }

    /// The records, over the server or the store that there is now.
    pub(crate) async fn get(&self) -> Result<Records, NoRecords> {
        let ground = match &self.servers.database {
            Some(address) => Ground::Server(address.clone()),
            None => Ground::File(self.memory.store().map_err(NoRecords::Store)?),
        };
        let mut open = self.open.lock().await;
        match &*open {
            Some((over, records)) if over.is_same(&ground) => return Ok(records.clone()),
            Some((_, records)) => records.close(),
            None => {}
        }
        let records = start(&self.hub, &ground, self.bus().await?).await?;
        *open = Some((ground, records.clone()));
        Ok(records)
    }

    /// One connection for good, which comes back by itself; without a server nobody else
    /// is to be told.
    async fn bus(&self) -> Result<Arc<dyn Bus>, BusError> {
        let Some(address) = &self.servers.bus else { return Ok(Arc::new(LocalBus::default())) };
        let start = async || NatsBus::start(address.reveal()).await.map(Arc::new);
        Ok(self.nats.get_or_try_init(start).await?.clone())
    }

    /// What is wrong with the servers now, for people.
    pub(crate) async fn troubles(&self) -> Vec<String> {
        let mut troubles = Vec::new();
        if self.servers.database.is_none() && self.servers.bus.is_none() {
            return troubles;
        }
        let records = match self.get().await {
            Ok(records) => records,
            Err(error) => return vec![format!("Records can't be read or written: {error}.")],
        };
        // Whether there is such a record doesn't matter: the server has to say so.
        match records.read(&self.owner, &RecordId::of_bits(0)).await {
            Ok(_) | Err(RecordsError::Store(RecordError::NotFound { .. })) => {}
            Err(error) => troubles.push(format!("Records can't be read or written: {error}.")),
        }
        if let Some(address) = &self.servers.bus
            && !records.is_bus_connected()
        {
            troubles.push(format!(
                "The NATS server {address} is not connected, so that other hubs hear of changed \
                 records late. See whether it runs and whether NATS_URL is right."
            ));
        }
        troubles
    }
}

/// The records as tools find them, and what can be said of the page that is looked at.
pub(crate) struct RecordsOfTools {
    pub(crate) records: Arc<HubRecords>,
    pub(crate) tracking: Arc<PageTracking>,
    pub(crate) desk: Arc<Desk>,
}

impl RecordsHome for RecordsOfTools {
    fn owner(&self) -> &Owner {
        &self.records.owner
    }

    fn records(&self) -> Opening<'_> {
        let failed = |error: NoRecords| Fault::tool(ErrorCode::NoRecords, format!("{error}."));
        Box::pin(async move { self.records.get().await.map_err(failed) })
    }

    fn may_be_read(&self) -> Result<(), Fault> {
        Ok(self.records.permit(PermissionKey::ReadRecords)?)
    }

    fn unseen(&self) -> Unseen {
        if self.desk.browsers.all().is_empty() { Unseen::NoBrowser } else { self.tracking.unseen() }
    }
}

async fn start(hub: &str, ground: &Ground, bus: Arc<dyn Bus>) -> Result<Records, RecordsError> {
    let kept = Retention::default();
    let mut settings = Settings { hub: hub.to_owned(), ..Settings::default() };
    let durable: Arc<dyn RecordStore> = match ground {
        Ground::File(store) => Arc::new(SqliteRecords::new(store.clone(), kept)),
        Ground::Server(address) => {
            settings.look_every = Some(LOOK_EVERY);
            Arc::new(PostgresRecords::start(address.reveal(), PATIENCE, kept)?)
        }
    };
    Records::start(durable, bus, settings).await
}
