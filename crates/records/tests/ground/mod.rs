//! What the tests here stand on: records over a store in a folder of its own, and
//! what is written to them.
#![allow(clippy::unwrap_used, clippy::expect_used, dead_code, unreachable_pub)]

use std::sync::Arc;
use std::time::Duration;

use outrigger_bus::LocalBus;
use outrigger_protocol::records::{Context, Record, RecordEvent, Selector};
use outrigger_records::{
    Change, Delivery, Draft, History, Patch, Position, Records, RecordsError, Settings,
    Subscription,
};
use outrigger_store::records::{PostgresRecords, RecordStore, Retention, SqliteRecords};
use outrigger_store::{Owner, Store};
use outrigger_testkit::PostgresServer;
use serde_json::{Value, json};

/// A busy machine takes its time.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// A schema that is in memory alone.
pub const PAGE: &str = "browser.page.context.v1";

/// A folder for one store.
pub struct Ground {
    pub folder: tempfile::TempDir,
}

impl Ground {
    pub fn new() -> Self {
        Ground { folder: tempfile::tempdir().unwrap() }
    }

    pub async fn store(&self, retention: Retention) -> Arc<dyn RecordStore> {
        let store = Store::open(&self.folder.path().join("store.db")).await.unwrap();
        Arc::new(SqliteRecords::new(store, retention))
    }

    pub async fn records(&self, settings: Settings) -> Records {
        start(self.store(Retention::default()).await, settings).await
    }
}

pub async fn postgres(server: &PostgresServer) -> Arc<dyn RecordStore> {
    let url = server.url();
    let connected = PostgresRecords::connect(&url, PATIENCE, Retention::default()).await;
    Arc::new(connected.unwrap())
}

pub async fn start(store: Arc<dyn RecordStore>, settings: Settings) -> Records {
    Records::start(store, Arc::new(LocalBus::default()), settings).await.unwrap()
}

/// With a deadline that a busy machine keeps.
pub fn settings() -> Settings {
    Settings { deadline: PATIENCE, ..Settings::default() }
}

fn object(value: Value) -> Context {
    match value {
        Value::Object(object) => object,
        other => panic!("{other} is no object"),
    }
}

pub fn draft(schema_name: &str, context: Value) -> Draft {
    Draft {
        schema_name: schema_name.into(),
        title: "a title".into(),
        tags: vec!["test".into()],
        context: object(context),
        made_by: "me".into(),
    }
}

pub async fn create(records: &Records, schema_name: &str, context: Value) -> Record {
    records.create(&Owner::local(), draft(schema_name, context)).await.unwrap()
}

pub fn merge(context: Value) -> Change {
    let context = Some(object(context));
    Change::Merge(Patch { context, ..Patch::default() })
}

pub async fn try_change(
    records: &Records,
    record: &Record,
    context: Value,
) -> Result<Record, RecordsError> {
    let (owner, change) = (Owner::local(), merge(context));
    records.change(&owner, &record.id, record.version, change, History::Off).await
}

pub async fn change(records: &Records, record: &Record, context: Value) -> Record {
    try_change(records, record, context).await.unwrap()
}

pub fn selector(text: Value) -> Selector {
    serde_json::from_value(text).unwrap()
}

/// All that the tests write.
pub fn all() -> Vec<Selector> {
    vec![selector(json!({"any_tags": ["test"]}))]
}

pub async fn next(subscription: &mut Subscription) -> Delivery {
    let next = tokio::time::timeout(PATIENCE, subscription.next()).await;
    next.expect("a delivery in time").unwrap().expect("a delivery")
}

pub async fn next_event(subscription: &mut Subscription) -> (Arc<RecordEvent>, Position) {
    match next(subscription).await {
        Delivery::Event { event, position } => (event, position),
        gap => panic!("{gap:?}"),
    }
}

/// Dice that fall the same way each time, unless `OUTRIGGER_SEED` says otherwise.
pub struct Dice(u64);

impl Dice {
    pub fn new() -> Self {
        let seed = std::env::var("OUTRIGGER_SEED").ok().and_then(|seed| seed.parse().ok());
        Dice(seed.unwrap_or(20_261_116))
    }

    pub fn below(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// A sample, or the full count with `make verify`.
pub fn count(sample: u64, full: u64) -> u64 {
    if std::env::var("OUTRIGGER_VERIFY").as_deref() == Ok("full") { full } else { sample }
}
