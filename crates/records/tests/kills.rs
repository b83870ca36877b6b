//! A hub is killed at any moment, under load: what it said is written is there, no
//! version goes back, and whoever followed goes on where it was and misses nothing. A
//! sample here, the full count with `make verify`; `OUTRIGGER_SEED` chooses other
//! moments.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod ground;

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use ground::{Dice, PATIENCE, all, change, count, create, next_event, settings, start};
use outrigger_protocol::records::RecordId;
use outrigger_records::{After, Position, Records};
use outrigger_store::records::{PostgresRecords, RecordStore, Retention, SqliteRecords};
use outrigger_store::{Owner, Store};
use outrigger_testkit::PostgresServer;
use serde_json::json;

/// Set for the hub that is killed: where its records are.
const PLACE: &str = "OUTRIGGER_RECORDS_TO_WRITE";
const WRITERS: usize = 4;

async fn open(place: &str) -> Records {
    let store: Arc<dyn RecordStore> = if place.starts_with("postgres:") {
        let connected = PostgresRecords::connect(place, PATIENCE, Retention::default()).await;
        Arc::new(connected.unwrap())
    } else {
        let store = Store::open(place.as_ref()).await.unwrap();
        Arc::new(SqliteRecords::new(store, Retention::default()))
    };
    start(store, settings()).await
}

/// In one piece, whoever else speaks.
fn say(words: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("\n{words}\n").as_bytes()).unwrap();
    out.flush().unwrap();
}

/// No test by itself: the hub that works until it is killed.
#[tokio::test(flavor = "multi_thread")]
async fn works_until_it_is_killed() {
    let Ok(place) = std::env::var(PLACE) else { return };
    let records = open(&place).await;
    let owner = Owner::local();
    let mut following = records.subscribe(&owner, all(), After::Now).await.unwrap();
    say(&format!("seen {} 0", following.position()));
    for writer in 0..WRITERS {
        let records = records.clone();
        tokio::spawn(async move {
            let mut record = create(&records, "note.v1", json!({"n": 1})).await;
            loop {
                say(&format!("written {} {}", record.id, record.version));
                record = change(&records, &record, json!({"n": record.version + 1})).await;
                if writer == 0 && record.version % 10 == 0 {
                    create(&records, ground::PAGE, json!({})).await;
                }
            }
        });
    }
    loop {
        let (event, position) = next_event(&mut following).await;
        say(&format!("seen {position} {}", event.seq));
    }
}

/// What the hub said before it was killed.
#[derive(Default)]
struct Said {
    written: HashMap<RecordId, u64>,
    seen: Option<Position>,
    words: usize,
}

impl Said {
    fn hear(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["written", id, version] => {
                let version = version.parse().unwrap();
                let before = self.written.insert(RecordId::parse(id).unwrap(), version);
                assert!(before.is_none_or(|before| before < version));
            }
            ["seen", position, _] => self.seen = Some(position.parse().unwrap()),
            _ => return,
        }
        self.words += 1;
    }
}

struct Hub(Child);

impl Hub {
    fn start(place: &str) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "works_until_it_is_killed", "--nocapture"]);
        command.env(PLACE, place).stdout(Stdio::piped());
        Hub(command.spawn().unwrap())
    }

    /// Kills it some time after it said so much.
    fn kill(mut self, after: usize, and: Duration) -> Said {
        let mut lines = BufReader::new(self.0.stdout.take().unwrap()).lines();
        let mut said = Said::default();
        while said.words < after {
            said.hear(&lines.next().expect("it goes on").unwrap());
        }
        std::thread::sleep(and);
        self.0.kill().unwrap();
        self.0.wait().unwrap();
        // The last line may be cut off.
        let rest: Vec<String> = lines.map_while(Result::ok).collect();
        for line in &rest[..rest.len().saturating_sub(1)] {
            said.hear(line);
        }
        said
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        // Ended already, unless the test failed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

async fn kill_again_and_again(place: &str) {
    let mut dice = Dice::new();
    let owner = Owner::local();
    // Of all rounds: no version goes back in a later one either.
    let mut versions: HashMap<RecordId, u64> = HashMap::new();
    for round in 0..count(5, 100) {
        let hub = Hub::start(place);
        let after = 1 + dice.below(60) as usize;
        let said = hub.kill(after, Duration::from_micros(dice.below(20_000)));

        let records = open(place).await;
        for (id, version) in &said.written {
            let record = records.read(&owner, id).await.unwrap();
            assert!(record.version >= *version, "round {round}: {id} {version}");
            assert_eq!(record.context["n"], record.version, "round {round}: {id}");
            versions.insert(id.clone(), record.version);
        }
        for (id, version) in &versions {
            assert_eq!(records.read(&owner, id).await.unwrap().version, *version, "round {round}");
        }
        // One more, so that there is an end to wait for.
        let last = create(&records, "note.v1", json!({"n": 1})).await;
        let seen = said.seen.expect("it follows before it writes");
        let mut expected = seen.durable.seq;
        let mut following = records.subscribe(&owner, all(), After::Position(seen)).await.unwrap();
        let mut told: HashMap<RecordId, u64> = HashMap::new();
        loop {
            let (event, _) = next_event(&mut following).await;
            expected += 1;
            assert_eq!(event.seq, expected, "round {round}: every event, in order");
            let before = told.insert(event.id.clone(), event.version);
            assert!(before.is_none_or(|before| before + 1 == event.version), "round {round}");
            if event.id == last.id {
                break;
            }
        }
        for (id, version) in told {
            assert_eq!(records.read(&owner, &id).await.unwrap().version, version, "round {round}");
        }
        records.close();
    }
    assert!(!versions.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_a_hub_on_sqlite_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    kill_again_and_again(folder.path().join("store.db").to_str().unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_a_hub_on_postgresql_is_killed() {
    let server = PostgresServer::start();
    kill_again_and_again(&server.url()).await;
}
