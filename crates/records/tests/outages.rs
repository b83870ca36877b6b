//! PostgreSQL and NATS go away and come back: writes fail with a reason in time, and
//! whoever follows records misses nothing. Here for a moment, with `make verify` for
//! half a minute.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod ground;

use std::sync::Arc;
use std::time::{Duration, Instant};

use ground::{
    PATIENCE, all, change, count, create, next_event, postgres, settings, start, try_change,
};
use outrigger_bus::NatsBus;
use outrigger_records::{After, Records, Settings};
use outrigger_store::Owner;
use outrigger_store::records::{PostgresRecords, RecordStore, Retention};
use outrigger_testkit::{NatsServer, PostgresServer, eventually};
use serde_json::json;

async fn hub(store: Arc<dyn RecordStore>, nats: &NatsServer, settings: Settings) -> Records {
    let bus = NatsBus::connect(&nats.url(), PATIENCE).await.unwrap();
    Records::start(store, Arc::new(bus), settings).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn without_postgresql_a_write_fails_in_time_and_nothing_is_lost_when_it_is_back() {
    let mut server = PostgresServer::start();
    let (url, patience) = (server.url(), Duration::from_millis(500));
    // One waits for a connection not nearly as long as for an answer: the error can say
    // that nothing was done.
    let store = PostgresRecords::connect(&url, patience, Retention::default()).await.unwrap();
    let records = start(Arc::new(store), settings()).await;
    let owner = Owner::local();
    let mut following = records.subscribe(&owner, all(), After::Now).await.unwrap();
    let mut record = create(&records, "note.v1", json!({"n": 0})).await;
    assert_eq!(next_event(&mut following).await.0.version, 1);

    server.stop();
    let gone = Instant::now();
    for _ in 0..3 {
        let began = Instant::now();
        let error = try_change(&records, &record, json!({"n": "lost"})).await.unwrap_err();
        assert_eq!(error.code(), "database_unreachable", "{error}");
        assert!(error.to_string().contains("DATABASE_URL"), "{error}");
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    }
    assert_eq!(records.read(&owner, &record.id).await.unwrap_err().code(), "database_unreachable");
    tokio::time::sleep(Duration::from_secs(count(0, 30))).await;
    server.resume();
    println!("PostgreSQL was gone for {:?}", gone.elapsed());

    eventually("it is written to again", || async {
        match try_change(&records, &record, json!({"n": 1})).await {
            Ok(changed) => Some(changed),
            Err(error) => {
                assert_eq!(error.code(), "database_unreachable", "{error}");
                None
            }
        }
    })
    .await;
    record = records.read(&owner, &record.id).await.unwrap();
    assert_eq!((record.version, &record.context["n"]), (2, &json!(1)));
    for n in 2..10 {
        record = change(&records, &record, json!({ "n": n })).await;
    }
    for version in 2..=10 {
        assert_eq!(next_event(&mut following).await.0.version, version);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_answer_is_waited_for_until_the_deadline_and_no_longer() {
    let server = PostgresServer::start();
    let store = postgres(&server).await;
    let deadline = Duration::from_secs(3);
    let records = start(store, Settings { deadline, ..settings() }).await;
    let record = create(&records, "note.v1", json!({})).await;
    // Somebody else holds what every write needs.
    let lock = server.hold("UPDATE record_head SET seq = seq");
    let began = Instant::now();
    let error = try_change(&records, &record, json!({"n": 1})).await.unwrap_err();
    assert_eq!(error.code(), "outcome_unknown", "{error}");
    assert!(error.to_string().contains("read the record"), "{error}");
    assert!(began.elapsed() >= deadline && began.elapsed() < deadline * 5);
    drop(lock);
    // It was called off, and nobody is held up by it.
    eventually("it is written to again", || async {
        let record = records.read(&Owner::local(), &record.id).await.ok()?;
        try_change(&records, &record, json!({"n": 2})).await.ok()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_hub_writes_while_nats_is_gone_another_tells_when_it_is_back() {
    let (server, mut nats) = (PostgresServer::start(), NatsServer::start());
    // Neither looks by itself: it is the bus that wakes them.
    let one = hub(postgres(&server).await, &nats, settings()).await;
    let other = hub(postgres(&server).await, &nats, settings()).await;
    let mut following = other.subscribe(&Owner::local(), all(), After::Now).await.unwrap();
    let mut record = create(&one, "note.v1", json!({"n": 0})).await;
    assert_eq!(next_event(&mut following).await.0.version, 1);

    nats.stop();
    eventually("it is known", || async {
        (!one.is_bus_connected() && !other.is_bus_connected()).then_some(())
    })
    .await;
    for n in 1..=20 {
        let began = Instant::now();
        record = change(&one, &record, json!({ "n": n })).await;
        assert!(began.elapsed() < Duration::from_secs(10), "a write waits for no bus");
    }
    tokio::time::sleep(Duration::from_secs(count(0, 30))).await;
    nats.resume();
    for version in 2..=21 {
        assert_eq!(next_event(&mut following).await.0.version, version);
    }
    record = change(&one, &record, json!({"n": 21})).await;
    assert_eq!(next_event(&mut following).await.0.version, record.version);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hub_that_looks_by_itself_hears_of_others_without_any_bus() {
    let server = PostgresServer::start();
    let looking = Settings { look_every: Some(Duration::from_millis(100)), ..settings() };
    // Each has a bus that reaches nobody else.
    let one = start(postgres(&server).await, settings()).await;
    let other = start(postgres(&server).await, looking).await;
    let mut following = other.subscribe(&Owner::local(), all(), After::Now).await.unwrap();
    let record = create(&one, "note.v1", json!({})).await;
    assert_eq!(next_event(&mut following).await.0.id, record.id);
}
