//! Records, in whichever store they are.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod ground;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ground::{Ground, NOW, other};
use outrigger_protocol::records::{Context, Record, RecordId, Selector};
use outrigger_store::Owner;
use outrigger_store::records::{
    Change, MemoryRecords, NewRecord, Patch, Place, PostgresRecords, Query, RecordError,
    RecordStore, Retention, SqliteRecords, Writing, limits,
};
use outrigger_testkit::PostgresServer;
use serde_json::{Value, json};

/// All three, and what they stand on.
struct Stores {
    ground: Ground,
    postgres: PostgresServer,
    retention: Retention,
}

impl Stores {
    fn new(retention: Retention) -> Self {
        Stores { ground: Ground::new(), postgres: PostgresServer::start(), retention }
    }

    async fn sqlite(&self) -> Arc<dyn RecordStore> {
        Arc::new(SqliteRecords::new(self.ground.open().await, self.retention))
    }

    async fn postgres(&self) -> Arc<dyn RecordStore> {
        let patience = Duration::from_secs(30);
        let url = self.postgres.url();
        let connected = PostgresRecords::connect(&url, patience, self.retention);
        Arc::new(connected.await.unwrap())
    }

    async fn all(&self) -> [(&'static str, Arc<dyn RecordStore>); 3] {
        [
            ("memory", Arc::new(MemoryRecords::new(self.retention).unwrap())),
            ("SQLite", self.sqlite().await),
            ("PostgreSQL", self.postgres().await),
        ]
    }
}

fn object(value: Value) -> Context {
    match value {
        Value::Object(object) => object,
        other => panic!("{other} is no object"),
    }
}

fn new(number: u128, context: Value) -> NewRecord {
    NewRecord {
        id: RecordId::of_bits(number),
        schema_name: "note.v1".into(),
        title: format!("number {number}"),
        tags: vec!["note".into(), format!("parity:{}", number % 2)],
        context: object(context),
        made_by: "me".into(),
    }
}

async fn create(store: &dyn RecordStore, number: u128, context: Value) -> Record {
    let made = store.create(&Owner::local(), new(number, context), Writing::at(NOW)).await;
    made.unwrap().record
}

fn merge(context: Value) -> Change {
    let context = Some(object(context));
    Change::Merge(Patch { context, ..Patch::default() })
}

fn selector(text: Value) -> Selector {
    serde_json::from_value(text).unwrap()
}

#[tokio::test]
async fn what_is_too_large_or_too_deep_is_refused_and_nothing_is_told() {
    let stores = Stores::new(Retention::default());
    let deep = (0..100).fold(json!(1), |inner, _| json!({ "a": inner }));
    for (name, store) in stores.all().await {
        let owner = Owner::local();
        for (context, what) in
            [(json!({"text": "x".repeat(10_000_000)}), "bytes"), (deep.clone(), "levels")]
        {
            let made = store.create(&owner, new(1, context.clone()), Writing::at(NOW)).await;
            let error = made.unwrap_err();
            assert_eq!(error.code(), "record_too_large", "{name}");
            assert!(error.to_string().contains(what), "{name}: {error}");
            let record = match store.read(&owner, &RecordId::of_bits(2)).await.unwrap() {
                Some(record) => record,
                None => create(&*store, 2, json!({"a": 1})).await,
            };
            let change =
                store.change(&owner, &record.id, 1, merge(context), Writing::at(NOW)).await;
            assert_eq!(change.unwrap_err().code(), "record_too_large", "{name}");
        }
        // Two that fit can be too much together.
        let half = |key: &str| json!({ key: "x".repeat(limits::CONTEXT / 2 + 100) });
        let record = create(&*store, 3, half("one")).await;
        let change = store.change(&owner, &record.id, 1, merge(half("other")), Writing::at(NOW));
        assert_eq!(change.await.unwrap_err().code(), "record_too_large", "{name}");
        assert_eq!(store.head().await.unwrap().seq, 2, "{name}");
    }
}

#[tokio::test]
async fn a_change_of_another_version_is_refused_with_the_current_one() {
    let stores = Stores::new(Retention::default());
    for (name, store) in stores.all().await {
        let owner = Owner::local();
        let record = create(&*store, 1, json!({"n": 1})).await;
        let change = || merge(json!({"n": 2}));
        store.change(&owner, &record.id, 1, change(), Writing::at(NOW)).await.unwrap();
        for version in [0, 1, 3, u64::MAX] {
            let again = store.change(&owner, &record.id, version, change(), Writing::at(NOW)).await;
            let error = again.unwrap_err();
            assert!(matches!(error, RecordError::VersionMismatch { current: 2, .. }), "{name}");
            let gone = store.delete(&owner, &record.id, version, Writing::at(NOW)).await;
            assert_eq!(gone.unwrap_err().code(), "version_mismatch", "{name}");
        }
    }
}

#[tokio::test]
async fn nobody_sees_or_changes_the_records_of_another_owner() {
    let stores = Stores::new(Retention::default());
    for (name, store) in stores.all().await {
        let record = create(&*store, 1, json!({})).await;
        assert_eq!(store.read(&other(), &record.id).await.unwrap(), None, "{name}");
        let found = store.search(&other(), &Query::default()).await.unwrap();
        assert_eq!(found.records, [], "{name}");
        let change =
            store.change(&other(), &record.id, 1, merge(json!({})), Writing::at(NOW)).await;
        assert_eq!(change.unwrap_err().code(), "record_not_found", "{name}");
        let gone = store.delete(&other(), &record.id, 1, Writing::at(NOW)).await;
        assert_eq!(gone.unwrap_err().code(), "record_not_found", "{name}");
        // The same name is another record there.
        store.create(&other(), new(1, json!({})), Writing::at(NOW)).await.unwrap();
        store.delete(&other(), &record.id, 1, Writing::at(NOW)).await.unwrap();
        assert_eq!(store.read(&Owner::local(), &record.id).await.unwrap(), Some(record), "{name}");
    }
}

#[tokio::test]
async fn pages_of_a_search_have_every_record_once_the_latest_change_first() {
    let stores = Stores::new(Retention::default());
    for (name, store) in stores.all().await {
        for number in 0..90 {
            create(&*store, number, json!({"n": number as u64})).await;
        }
        let owner = Owner::local();
        let first = RecordId::of_bits(0);
        store.change(&owner, &first, 1, merge(json!({"n": 90})), Writing::at(NOW)).await.unwrap();
        let odd = json!({"all_tags": ["note", "parity:1"], "schema_name": "note.v1"});
        let above = json!({"context_match": [{"path": "n", "op": "gt", "value": 69}]});
        for (selector, expected) in [
            (json!({}), std::iter::once(0).chain((1..90).rev()).collect::<Vec<u128>>()),
            (odd, (0..90).rev().filter(|n| n % 2 == 1).collect()),
            (above, std::iter::once(0).chain((70..90).rev()).collect()),
            (json!({"schema_name": "other.v1"}), vec![]),
            (json!({"any_tags": ["absent"]}), vec![]),
        ] {
            let mut query =
                Query { selector: self::selector(selector), limit: Some(7), ..Query::default() };
            let mut found = Vec::new();
            loop {
                let page = store.search(&owner, &query).await.unwrap();
                assert!(page.records.len() <= 7, "{name}");
                found.extend(page.records.into_iter().map(|record| record.id));
                query.before = page.next;
                if query.before.is_none() {
                    break;
                }
            }
            let expected: Vec<_> = expected.into_iter().map(RecordId::of_bits).collect();
            assert_eq!(found, expected, "{name} {:?}", query.selector);
        }
    }
}

#[tokio::test]
async fn a_page_is_bounded_however_large_its_records_are() {
    let stores = Stores::new(Retention::default());
    for (name, store) in stores.all().await {
        for number in 0..8 {
            create(&*store, number, json!({"text": "x".repeat(1_000_000)})).await;
        }
        let page = store.search(&Owner::local(), &Query::default()).await.unwrap();
        assert_eq!(page.records.len(), 5, "{name}");
        let query = Query { before: page.next, ..Query::default() };
        let page = store.search(&Owner::local(), &query).await.unwrap();
        assert_eq!((page.records.len(), page.next), (3, None), "{name}");
    }
}

#[tokio::test]
async fn history_is_kept_where_it_is_asked_for_bounded_and_gone_with_its_record() {
    let stores = Stores::new(Retention::default());
    for (name, store) in stores.all().await {
        let owner = Owner::local();
        let record = create(&*store, 1, json!({"n": 1})).await;
        for version in 1..=limits::HISTORY + 20 {
            let writing = Writing { at_ms: NOW, keeps_history: version != 2 };
            let change = merge(json!({"n": version + 1}));
            store.change(&owner, &record.id, version, change, writing).await.unwrap();
            if version == 5 {
                let earlier = store.history(&owner, &record.id, 1000).await.unwrap();
                let versions: Vec<_> = earlier.iter().map(|record| record.version).collect();
                assert_eq!(versions, [5, 4, 3, 1], "{name}");
                assert!(
                    earlier.iter().all(|record| record.context["n"] == record.version),
                    "{name}"
                );
            }
        }
        let earlier = store.history(&owner, &record.id, 1000).await.unwrap();
        assert_eq!(earlier.len() as u64, limits::HISTORY, "{name}");
        assert_eq!(earlier[0].version, limits::HISTORY + 20, "{name}");
        let version = limits::HISTORY + 21;
        store.delete(&owner, &record.id, version, Writing::at(NOW)).await.unwrap();
        assert_eq!(store.history(&owner, &record.id, 1000).await.unwrap(), [], "{name}");
        create(&*store, 1, json!({})).await;
        assert_eq!(store.history(&owner, &record.id, 1000).await.unwrap(), [], "{name}");
    }
}

#[tokio::test]
async fn old_events_are_forgotten_and_whoever_asks_for_them_is_told() {
    let stores = Stores::new(Retention::of_events(10));
    for (name, store) in stores.all().await {
        let begin = store.head().await.unwrap();
        for number in 0..100 {
            create(&*store, number, json!({})).await;
        }
        let error = store.events_after(&begin, 1000).await.unwrap_err();
        let RecordError::EventsPruned { seq: 0, oldest } = error else { panic!("{name}: {error}") };
        assert!((84..=90).contains(&oldest), "{name}: {oldest}");
        let life = begin.life.clone();
        let rest =
            store.events_after(&Place { life: life.clone(), seq: oldest }, 1000).await.unwrap();
        assert!(rest.iter().map(|stored| stored.event.seq).eq(oldest + 1..=100), "{name}");
        for place in [Place { life, seq: 101 }, Place { life: "another".into(), seq: 95 }] {
            let error = store.events_after(&place, 1).await.unwrap_err();
            assert_eq!(error.code(), "events_other_life", "{name}");
        }
    }
}

const INCREMENTS: u64 = 10_000;

/// Many raise one number, each from what it has read, and again if somebody was
/// faster. Says what it took.
async fn raise_together(store: Arc<dyn RecordStore>) -> String {
    const WRITERS: u64 = 64;
    let owner = Owner::local();
    let began = Instant::now();
    let record = create(&*store, 1, json!({"n": 0})).await;
    let left = Arc::new(AtomicU64::new(INCREMENTS));
    let writers = (0..WRITERS).map(|writer| {
        let (store, owner, id, left) =
            (store.clone(), owner.clone(), record.id.clone(), left.clone());
        tokio::spawn(async move {
            let (mut successes, mut mismatches) = (0, 0);
            let mut dice = writer;
            let take = |left: u64| left.checked_sub(1);
            while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok() {
                for attempt in 0_u32.. {
                    let seen = store.read(&owner, &id).await.unwrap().unwrap();
                    let n = seen.context["n"].as_u64().unwrap();
                    let change = merge(json!({"n": n + 1}));
                    match store.change(&owner, &id, seen.version, change, Writing::at(NOW)).await {
                        Ok(written) => {
                            assert_eq!(written.record.context["n"], n + 1);
                            successes += 1;
                            break;
                        }
                        Err(error) => assert_eq!(error.code(), "version_mismatch", "{error}"),
                    }
                    mismatches += 1;
                    // Out of each other's way, the more so the slower the machine is, or one in
                    // 64 succeeds.
                    dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let pause = (dice >> 33) % (64 << attempt.min(6));
                    tokio::time::sleep(Duration::from_millis(pause)).await;
                }
            }
            (successes, mismatches)
        })
    });
    let (mut successes, mut mismatches) = (0, 0);
    for writer in writers.collect::<Vec<_>>() {
        let (succeeded, failed) = writer.await.unwrap();
        successes += succeeded;
        mismatches += failed;
    }
    assert_eq!(successes, INCREMENTS);
    let after = store.read(&owner, &record.id).await.unwrap().unwrap();
    assert_eq!(after.version, successes + 1);
    assert_eq!(after.context["n"], successes);
    assert_eq!(store.head().await.unwrap().seq, successes + 1);
    format!("{successes} increments and {mismatches} mismatches in {:?}", began.elapsed())
}

#[tokio::test(flavor = "multi_thread")]
async fn no_update_of_64_writers_is_lost_in_sqlite() {
    let ground = Ground::new();
    let store = SqliteRecords::new(ground.open().await, Retention::default());
    println!("SQLite: {}", raise_together(Arc::new(store)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_update_of_64_writers_is_lost_in_postgresql() {
    let postgres = PostgresServer::start();
    let patience = Duration::from_secs(60);
    let store = PostgresRecords::connect(&postgres.url(), patience, Retention::default()).await;
    println!("PostgreSQL: {}", raise_together(Arc::new(store.unwrap())).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_reads_events_while_many_write_misses_none_and_sees_them_in_order() {
    let stores = Stores::new(Retention::default());
    for (name, store) in stores.all().await {
        const RECORDS: u128 = 8;
        const CHANGES: u64 = 40;
        let mut place = store.head().await.unwrap();
        let writers: Vec<_> = (0..RECORDS)
            .map(|number| {
                let store = store.clone();
                tokio::spawn(async move {
                    let record = create(&*store, number, json!({})).await;
                    for version in 1..=CHANGES {
                        let change = merge(json!({"n": version}));
                        let (owner, writing) = (Owner::local(), Writing::at(NOW));
                        let changed = store.change(&owner, &record.id, version, change, writing);
                        changed.await.unwrap();
                    }
                })
            })
            .collect();
        let total = u64::try_from(RECORDS).unwrap() * (CHANGES + 1);
        let mut versions = std::collections::HashMap::new();
        while place.seq < total {
            // Whatever is seen is all there will ever be before it.
            for stored in store.events_after(&place, 1000).await.unwrap() {
                assert_eq!(stored.event.seq, place.seq + 1, "{name}");
                place.seq = stored.event.seq;
                let version = versions.entry(stored.event.id).or_insert(0);
                *version += 1;
                assert_eq!(stored.event.version, *version, "{name}");
            }
            tokio::task::yield_now().await;
        }
        for writer in writers {
            writer.await.unwrap();
        }
    }
}

#[tokio::test]
async fn records_outlive_the_store_that_wrote_them_unless_they_are_volatile() {
    let stores = Stores::new(Retention::default());
    let mut heads = Vec::new();
    for (_, store) in stores.all().await {
        create(&*store, 1, json!({"text": "a word that is looked for"})).await;
        heads.push(store.head().await.unwrap());
    }
    for ((name, store), head) in stores.all().await.into_iter().zip(heads) {
        let found = store.read(&Owner::local(), &RecordId::of_bits(1)).await.unwrap();
        assert_eq!(found.is_some(), name != "memory", "{name}");
        let events = store.events_after(&head, 10).await;
        assert_eq!(events.is_ok(), name != "memory", "{name}");
    }
}

#[tokio::test]
async fn what_is_deleted_is_in_no_event() {
    let ground = Ground::new();
    let store = SqliteRecords::new(ground.open().await, Retention::default());
    let record = create(&store, 1, json!({"text": "a word that is looked for"})).await;
    store.delete(&Owner::local(), &record.id, 1, Writing::at(NOW)).await.unwrap();
    let begin = Place { life: store.head().await.unwrap().life, seq: 0 };
    let events = store.events_after(&begin, 10).await.unwrap();
    assert_eq!(events.len(), 2);
    assert!(!format!("{events:?}").contains("looked for"));
}

#[tokio::test]
async fn order_and_texts_of_a_context_come_back_as_they_were_sent() {
    let stores = Stores::new(Retention::default());
    let text = r#"{"z":1,"a":{"y":[1.5,1e300,-0.0,18446744073709551615],"b":"\u0000\ud83e\udd80 ü"},"m":null}"#;
    for (name, store) in stores.all().await {
        let context: Context = serde_json::from_str(text).unwrap();
        let made = create(&*store, 1, Value::Object(context.clone())).await;
        assert_eq!(made.context, context, "{name}");
        let read = store.read(&Owner::local(), &made.id).await.unwrap().unwrap();
        assert_eq!(
            serde_json::to_string(&read.context).unwrap(),
            serde_json::to_string(&context).unwrap(),
            "{name}"
        );
    }
}
