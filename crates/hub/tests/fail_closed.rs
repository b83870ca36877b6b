//! Where what the user decided can't be read, or what is done can't be logged, nothing
//! is done in a person's browser; a throw-away one goes on. Once it can be again, so
//! does everything, without a restart. (A full and a read-only disk are in
//! `crates/cli/tests/fail_closed.rs`, where the hub is a process of its own.)

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use outrigger_hub::home::Token;
use outrigger_store::activity::Verdict;
use outrigger_store::{Owner, Store};
use outrigger_testkit::{Answer, Kit, McpClient, Peer, eventually};
use serde_json::json;
use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;

/// The store, and what SQLite puts beside it.
const FILES: [&str; 3] = ["outrigger.db", "outrigger.db-wal", "outrigger.db-shm"];

/// A person's browser and a throw-away one, of one hub.
struct Ground {
    kit: Kit,
    client: McpClient,
    /// The links, the person's first.
    links: [String; 2],
    /// How often something was asked of the person's browser.
    asked: Arc<AtomicUsize>,
    _throw_away: Peer,
}

async fn link(port: u16, name: &str, token: &str) -> (Peer, String) {
    let mut peer = Peer::connect(port).await;
    peer.send(&Peer::handshake(name, token, &json!([]))).await;
    let ack = peer.receive().await;
    let link = ack["linkId"].as_str().unwrap().to_owned();
    (peer, link)
}

impl Ground {
    async fn around(kit: Kit) -> Self {
        let port = kit.settings.port;
        let (mut person, persons) = link(port, "person", kit.hub().pairing_token().reveal()).await;
        let token = Token::generate().unwrap();
        kit.hub().expect_throw_away(token.clone());
        let (throw_away, other) = link(port, "other", token.reveal()).await;
        let asked = Arc::new(AtomicUsize::new(0));
        let count = asked.clone();
        tokio::spawn(async move {
            while let Ok(frame) = person.next().await {
                count.fetch_add(usize::from(frame.get("deadlineMs").is_some()), Ordering::SeqCst);
            }
        });
        let client = kit.client().await;
        Ground { kit, client, links: [persons, other], asked, _throw_away: throw_away }
    }

    fn path(&self) -> PathBuf {
        self.kit.settings.home.store_path()
    }

    async fn list(&self, link: usize) -> Answer {
        let list = json!({"action": "list", "browser": self.links[link]});
        self.client.call("browser_tabs", list).await
    }

    /// Whatever is called is refused, with the reason and what to do, and only there.
    async fn is_closed(&self, words: &[&str]) {
        let calls = [
            ("browser_tabs", json!({"action": "list", "browser": self.links[0]})),
            ("browser_tabs", json!({"action": "open", "browser": self.links[0]})),
            (
                "browser_tabs",
                json!({"action": "open", "browser": self.links[0],
                "url": "https://example.com/"}),
            ),
        ];
        for (tool, arguments) in calls {
            let said = self.client.refused(tool, arguments, "not_allowed").await;
            for words in words.iter().chain(&["Nothing is done in a person's browser"]) {
                assert!(said.contains(words), "{words}: {said}");
            }
        }
        assert_eq!(self.asked.load(Ordering::SeqCst), 0, "nothing was asked of the browser");
        let other = self.list(1).await;
        assert!(!other.failed, "a throw-away browser goes on: {}", other.text);
    }

    async fn opens_again(&self) {
        eventually("the guard opens again", || async {
            (!self.list(0).await.failed).then_some(())
        })
        .await;
    }
}

/// Moves the store from one folder to the other, with what is beside it.
fn move_store(from: &Path, to: &Path) {
    for file in FILES {
        if from.join(file).exists() {
            fs::rename(from.join(file), to.join(file)).unwrap();
        }
    }
}

fn write_notes(path: &Path) {
    fs::write(path, "These are somebody's notes, and no database. ".repeat(100)).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

#[tokio::test]
async fn a_store_that_fails_while_the_hub_runs_closes_the_guard_until_it_works_again() {
    let ground = Ground::around(Kit::start().await).await;
    ground.opens_again().await;
    let options = SqliteConnectOptions::new().filename(ground.path());
    let mut stranger = options.connect().await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut stranger).await.unwrap();
    ground.is_closed(&["locked by another program", "fuser"]).await;
    sqlx::query("ROLLBACK").execute(&mut stranger).await.unwrap();
    ground.opens_again().await;
    drop(stranger);

    let home = ground.kit.settings.home.path().to_owned();
    let aside = tempfile::tempdir().unwrap();
    move_store(&home, aside.path());
    write_notes(&ground.path());
    let first = ground.list(0).await;
    assert!(first.text.contains("was moved away or replaced"), "{}", first.text);
    eventually("it is looked at anew", || async {
        ground.list(0).await.text.contains("is damaged").then_some(())
    })
    .await;
    ground.is_closed(&["is damaged", "Put a copy of it in its place"]).await;
    move_store(aside.path(), &home);
    ground.opens_again().await;

    // What happened meanwhile is in the log, which is whole.
    let home = ground.kit.stop().await;
    let store = Store::open(&home.path().join(FILES[0])).await.unwrap();
    let Verdict::Verified { entries } = store.verify_activity().await.unwrap() else {
        panic!("it is broken")
    };
    let logged = store.latest_activity(&Owner::local(), None, 10_000).await.unwrap();
    assert_eq!(logged.len() as u64, entries);
    let refused = |logged: &&outrigger_store::activity::LoggedEntry| {
        logged.entry.decision.as_deref() == Some("no_memory")
    };
    assert!(logged.iter().filter(refused).count() >= 7, "{logged:?}");
}

#[tokio::test]
async fn a_hub_that_starts_without_its_store_opens_the_guard_once_it_is_there() {
    let mut kit = Kit::start().await;
    let home = kit.settings.home.path().to_owned();
    let path = kit.settings.home.store_path();
    let aside = tempfile::tempdir().unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    kit.restart().await;
    let ground = Ground::around(kit).await;
    ground.is_closed(&["is open to others", "chmod 600"]).await;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    ground.opens_again().await;

    let mut kit = ground.kit;
    kit.restart().await;
    move_store(&home, aside.path());
    write_notes(&path);
    kit.restart().await;
    let ground = Ground::around(kit).await;
    ground.is_closed(&["is damaged"]).await;
    move_store(aside.path(), &home);
    ground.opens_again().await;
}
