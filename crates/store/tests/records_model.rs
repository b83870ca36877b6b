//! Whatever is done to records, all three stores answer as a simple model does.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod ground;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ground::Ground;
use outrigger_protocol::records::{Context, Record, RecordEventKind, RecordId, Selector};
use outrigger_store::Owner;
use outrigger_store::records::{
    Change, MemoryRecords, NewRecord, Patch, PostgresRecords, Query, RecordStore, Retention,
    SqliteRecords, Writing,
};
use outrigger_testkit::PostgresServer;
use proptest::prelude::*;
use serde_json::{Value, json};

#[derive(Debug, Clone)]
enum Step {
    Create { slot: u8, number: i64, tag: u8 },
    Replace { slot: u8, stale: bool, number: i64, tag: u8, keeps: bool },
    Merge { slot: u8, stale: bool, patch: Value, keeps: bool },
    Delete { slot: u8, stale: bool },
    Read { slot: u8 },
    Search { tag: u8, above: i64, limit: u32 },
    History { slot: u8 },
}

fn step() -> impl Strategy<Value = Step> {
    let (slot, number, tag) = (0..3_u8, -3..3_i64, 0..3_u8);
    let stale = proptest::bool::weighted(0.2);
    let value = prop_oneof![
        Just(json!(null)),
        number.clone().prop_map(|number| json!(number)),
        Just(json!({"inner": {"a": null, "b": 1}})),
        Just(json!(["x", null])),
    ];
    let patch = ("[nm]", value).prop_map(|(key, value)| json!({ key: value }));
    prop_oneof![
        3 => (slot.clone(), number.clone(), tag.clone())
            .prop_map(|(slot, number, tag)| Step::Create { slot, number, tag }),
        4 => (slot.clone(), stale, number.clone(), tag.clone(), any::<bool>()).prop_map(
            |(slot, stale, number, tag, keeps)| Step::Replace { slot, stale, number, tag, keeps }
        ),
        4 => (slot.clone(), stale, patch, any::<bool>())
            .prop_map(|(slot, stale, patch, keeps)| Step::Merge { slot, stale, patch, keeps }),
        1 => (slot.clone(), stale).prop_map(|(slot, stale)| Step::Delete { slot, stale }),
        1 => slot.clone().prop_map(|slot| Step::Read { slot }),
        2 => (tag, number, 1..3_u32)
            .prop_map(|(tag, above, limit)| Step::Search { tag, above, limit }),
        1 => slot.prop_map(|slot| Step::History { slot }),
    ]
}

fn id(slot: u8) -> RecordId {
    RecordId::of_bits(u128::from(slot))
}

fn tags(tag: u8) -> Vec<String> {
    vec!["every".into(), format!("tag {tag}")]
}

fn context(number: i64) -> Context {
    Context::from_iter([("n".to_owned(), json!(number))])
}

fn object(value: &Value) -> Context {
    value.as_object().unwrap().clone()
}

fn query(tag: u8, above: i64, limit: u32) -> Query {
    let selector = json!({
        "schema_name": "note.v1", "any_tags": [format!("tag {tag}"), "nobody's"],
        "all_tags": ["every"], "context_match": [{"path": "n", "op": "gt", "value": above}],
    });
    let selector: Selector = serde_json::from_value(selector).unwrap();
    Query { selector, made_by: Some("me".into()), before: None, limit: Some(limit) }
}

/// Simple enough to be right: what is there, by when it changed last.
#[derive(Default)]
struct Model {
    records: BTreeMap<u8, (Record, u64)>,
    earlier: BTreeMap<u8, Vec<Record>>,
    told: Vec<(RecordEventKind, RecordId, u64)>,
    clock: i64,
}

impl Model {
    fn apply(&mut self, step: &Step) -> String {
        self.clock += 1;
        match step {
            Step::Create { slot, number, tag } => {
                if self.records.contains_key(slot) {
                    return "record_exists".into();
                }
                let record = Record {
                    id: id(*slot),
                    schema_name: "note.v1".into(),
                    title: "made".into(),
                    tags: tags(*tag),
                    context: context(*number),
                    version: 1,
                    created_at: self.clock,
                    updated_at: self.clock,
                    owner: "me".into(),
                };
                self.put(*slot, record)
            }
            Step::Replace { slot, stale, number, tag, keeps } => {
                self.change(*slot, *stale, *keeps, |record| {
                    record.title = "replaced".into();
                    record.tags = tags(*tag);
                    record.context = context(*number);
                })
            }
            Step::Merge { slot, stale, patch, keeps } => {
                self.change(*slot, *stale, *keeps, |record| {
                    let merged = merge(&Value::Object(record.context.clone()), patch);
                    record.context = object(&merged);
                })
            }
            Step::Delete { slot, stale } => match self.records.get(slot) {
                None => "record_not_found".into(),
                Some(_) if *stale => "version_mismatch".into(),
                Some((record, _)) => {
                    let gone = (RecordEventKind::Deleted, id(*slot), record.version + 1);
                    self.told.push(gone.clone());
                    self.records.remove(slot);
                    self.earlier.remove(slot);
                    format!("gone {}", gone.2)
                }
            },
            Step::Read { slot } => {
                format!("{:?}", self.records.get(slot).map(|(record, _)| record))
            }
            Step::Search { tag, above, limit } => {
                let mut found: Vec<_> = self.records.values().collect();
                found.sort_by_key(|(_, seq)| std::cmp::Reverse(*seq));
                let found = found.into_iter().map(|(record, _)| record).filter(|record| {
                    record.tags.contains(&format!("tag {tag}"))
                        && record.context.get("n").and_then(Value::as_i64) > Some(*above)
                });
                let found: Vec<_> = found.take(*limit as usize).collect();
                format!("{found:?}")
            }
            Step::History { slot } => {
                let earlier = self.earlier.get(slot).into_iter().flatten().rev();
                format!("{:?}", earlier.collect::<Vec<_>>())
            }
        }
    }

    fn put(&mut self, slot: u8, record: Record) -> String {
        let kind = match record.version {
            1 => RecordEventKind::Created,
            _ => RecordEventKind::Updated,
        };
        self.told.push((kind, id(slot), record.version));
        let said = format!("{record:?}");
        self.records.insert(slot, (record, self.told.len() as u64));
        said
    }

    fn change(
        &mut self,
        slot: u8,
        stale: bool,
        keeps: bool,
        change: impl FnOnce(&mut Record),
    ) -> String {
        let Some((record, _)) = self.records.get(&slot) else { return "record_not_found".into() };
        if stale {
            return "version_mismatch".into();
        }
        let mut changed = record.clone();
        if keeps {
            self.earlier.entry(slot).or_default().push(record.clone());
        }
        change(&mut changed);
        changed.version += 1;
        changed.updated_at = self.clock;
        self.put(slot, changed)
    }
}

/// As RFC 7396 writes it down.
fn merge(target: &Value, patch: &Value) -> Value {
    let Value::Object(patch) = patch else { return patch.clone() };
    let mut target = target.as_object().cloned().unwrap_or_default();
    for (key, value) in patch {
        if value.is_null() {
            target.shift_remove(key);
        } else {
            let before = target.get(key).cloned().unwrap_or(Value::Null);
            target.insert(key.clone(), merge(&before, value));
        }
    }
    Value::Object(target)
}

async fn apply(store: &dyn RecordStore, owner: &Owner, step: &Step, clock: i64) -> String {
    let version = async |slot: u8, stale: bool| {
        let record = store.read(owner, &id(slot)).await.unwrap();
        record.map_or(1, |record| record.version) + u64::from(stale)
    };
    let writing = |keeps_history| Writing { at_ms: clock, keeps_history };
    let said = match step.clone() {
        Step::Create { slot, number, tag } => {
            let new = NewRecord {
                id: id(slot),
                schema_name: "note.v1".into(),
                title: "made".into(),
                tags: tags(tag),
                context: context(number),
                made_by: "me".into(),
            };
            store
                .create(owner, new, writing(false))
                .await
                .map(|written| format!("{:?}", written.record))
        }
        Step::Replace { slot, stale, number, tag, keeps } => {
            let change = Change::Replace {
                title: "replaced".into(),
                tags: tags(tag),
                context: context(number),
            };
            let (id, version) = (id(slot), version(slot, stale).await);
            let changed = store.change(owner, &id, version, change, writing(keeps));
            changed.await.map(|written| format!("{:?}", written.record))
        }
        Step::Merge { slot, stale, patch, keeps } => {
            let change = Change::Merge(Patch { context: Some(object(&patch)), ..Patch::default() });
            let (id, version) = (id(slot), version(slot, stale).await);
            let changed = store.change(owner, &id, version, change, writing(keeps));
            changed.await.map(|written| format!("{:?}", written.record))
        }
        Step::Delete { slot, stale } => {
            let version = version(slot, stale).await;
            let gone = store.delete(owner, &id(slot), version, writing(false)).await;
            gone.map(|event| format!("gone {}", event.version))
        }
        Step::Read { slot } => {
            store.read(owner, &id(slot)).await.map(|record| format!("{record:?}"))
        }
        Step::Search { tag, above, limit } => {
            let page = store.search(owner, &query(tag, above, limit)).await;
            page.map(|page| format!("{:?}", page.records))
        }
        Step::History { slot } => {
            store.history(owner, &id(slot), 1000).await.map(|earlier| format!("{earlier:?}"))
        }
    };
    said.unwrap_or_else(|error| error.code().to_owned())
}

#[test]
fn all_stores_answer_as_the_model_does() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (ground, postgres) = (Ground::new(), PostgresServer::start());
    let stores: Vec<(&str, Arc<dyn RecordStore>)> = runtime.block_on(async {
        let kept = Retention::default();
        let patience = Duration::from_secs(30);
        let server = PostgresRecords::connect(&postgres.url(), patience, kept).await.unwrap();
        let stores: [(&str, Arc<dyn RecordStore>); 3] = [
            ("memory", Arc::new(MemoryRecords::new(kept).unwrap())),
            ("SQLite", Arc::new(SqliteRecords::new(ground.open().await, kept))),
            ("PostgreSQL", Arc::new(server)),
        ];
        stores.into()
    });
    let cases = AtomicU64::new(0);
    let config =
        ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(steps in proptest::collection::vec(step(), 1..25))| {
        // Each case has records of its own.
        let case = cases.fetch_add(1, Ordering::Relaxed);
        let owner = Owner { user: format!("user {case}"), workspace: "default".into() };
        for (name, store) in &stores {
            runtime.block_on(async {
                let begin = store.head().await.unwrap();
                let mut model = Model::default();
                for (place, step) in steps.iter().enumerate() {
                    let expected = model.apply(step);
                    let said = apply(&**store, &owner, step, model.clock).await;
                    assert_eq!(said, expected, "{name}, step {place}: {step:?}");
                }
                let events = store.events_after(&begin, 1000).await.unwrap();
                assert!(events.iter().all(|stored| stored.owner == owner), "{name}");
                let seqs = events.iter().map(|stored| stored.event.seq);
                let expected = (begin.seq + 1..).take(events.len());
                assert!(seqs.eq(expected), "{name}: numbers without a hole");
                let told: Vec<_> = events
                    .into_iter()
                    .map(|stored| (stored.event.kind, stored.event.id, stored.event.version))
                    .collect();
                assert_eq!(told, model.told, "{name}");
            });
        }
    });
}
