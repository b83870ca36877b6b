//! A program that writes is killed at any moment: what it was told is written is
//! there, and nothing is there by half. A sample here, the full count with
//! `make verify`; `OUTRIGGER_SEED` chooses other moments.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod ground;

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use ground::{Ground, NOW, entries, policy};
use outrigger_store::activity::Verdict;
use outrigger_store::{Owner, Store};

/// Set for the program that is killed.
const FILE: &str = "OUTRIGGER_STORE_TO_WRITE";
/// What it says when something is written.
const WRITTEN: &str = "written ";
/// Entries of a batch.
const BATCH: i64 = 3;

fn rounds(sample: u64, full: u64) -> u64 {
    if std::env::var("OUTRIGGER_VERIFY").as_deref() == Ok("full") { full } else { sample }
}

fn origin(number: i64) -> String {
    format!("https://site-{number}.example")
}

/// No test by itself: the program that writes until it is killed.
#[tokio::test]
async fn writes_until_it_is_killed() {
    let Some(path) = std::env::var_os(FILE) else { return };
    let store = Store::open(path.as_ref()).await.unwrap();
    let owner = Owner::local();
    let first = store.policies(&owner).await.unwrap().len() as i64;
    for number in first.. {
        store
            .put_policy(&owner, &policy("tab_action:*", &origin(number), true, NOW))
            .await
            .unwrap();
        store.append(&owner, &entries(1..=BATCH)).await.unwrap();
        println!("{WRITTEN}{}", number + 1);
    }
}

struct Writer(Child);

impl Writer {
    fn start(ground: &Ground) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "writes_until_it_is_killed", "--nocapture"]);
        command.env(FILE, ground.path()).stdout(Stdio::piped());
        Writer(command.spawn().unwrap())
    }

    /// Kills it some time after it said that so much is written. Gives what it said last.
    fn kill(mut self, after: usize, and: Duration) -> i64 {
        let mut lines = BufReader::new(self.0.stdout.take().unwrap()).lines();
        let mut last = 0;
        let mut read = |line: String| {
            // The test's own words may stand before ours.
            let number = line.split(WRITTEN).nth(1).map(|number| number.parse::<i64>().unwrap());
            last = number.unwrap_or(last);
            number.is_some()
        };
        let mut said = 0;
        while said < after {
            said += usize::from(read(lines.next().expect("it goes on writing").unwrap()));
        }
        std::thread::sleep(and);
        self.0.kill().unwrap();
        self.0.wait().unwrap();
        for line in lines {
            read(line.unwrap());
        }
        last
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Ended already, unless the test failed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn nothing_is_lost_or_written_by_half_when_the_program_is_killed() {
    let seed = std::env::var("OUTRIGGER_SEED").ok().and_then(|seed| seed.parse().ok());
    let mut dice: u64 = seed.unwrap_or(20_270_115);
    let mut below = |sides: u64| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) % sides
    };
    let ground = Ground::new();
    let mut batches = 0;
    for round in 0..rounds(5, 100) {
        let writer = Writer::start(&ground);
        let after = below(8) as usize;
        let told = writer.kill(after, Duration::from_micros(below(20_000)));

        let store = ground.open().await;
        let owner = Owner::local();
        let policies = store.policies(&owner).await.unwrap();
        let count = policies.len() as i64;
        let expected: Vec<_> =
            (0..count).map(|number| policy("tab_action:*", &origin(number), true, NOW)).collect();
        assert_eq!(policies, expected, "round {round}");
        assert!(told == 0 || count == told || count == told + 1, "round {round}: {count} {told}");

        let logged = store.newest_activity(&owner).await.unwrap().unwrap_or(0);
        assert_eq!(logged % BATCH, 0, "round {round}: {logged} entries");
        let verdict = store.verify_activity().await.unwrap();
        assert_eq!(verdict, Verdict::Verified { entries: logged as u64 }, "round {round}");
        assert!(logged / BATCH >= batches, "round {round}");
        batches = logged / BATCH;
        store.close().await;
    }
    assert!(batches > 0);
}
