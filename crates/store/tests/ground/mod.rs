//! What the tests here stand on: a store in a folder of its own, and a way past it.
#![allow(clippy::unwrap_used, clippy::expect_used, dead_code, unreachable_pub)]

use std::path::{Path, PathBuf};

use outrigger_guard::policy::Policy;
use outrigger_store::activity::ActivityEntry;
use outrigger_store::{Owner, Store};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, SqliteConnection};

/// Some time in 2027.
pub const NOW: i64 = 1_800_000_000_000;
pub const MINUTE: i64 = 60_000;
pub const DAY: i64 = 24 * 60 * MINUTE;

/// A folder for one store.
pub struct Ground {
    pub folder: tempfile::TempDir,
}

impl Ground {
    pub fn new() -> Self {
        Ground { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("store.db")
    }

    pub async fn open(&self) -> Store {
        Store::open(&self.path()).await.unwrap()
    }

    /// A connection of somebody else, who knows nothing of our rules.
    pub async fn stranger(&self) -> SqliteConnection {
        stranger(&self.path()).await
    }
}

pub async fn stranger(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new().filename(path).connect().await.unwrap()
}

pub fn other() -> Owner {
    Owner { user: "somebody".into(), workspace: "else".into() }
}

pub fn policy(tools: &str, origins: &str, allows: bool, updated_at: i64) -> Policy {
    Policy::parse(tools, origins, allows, updated_at).unwrap()
}

pub fn entry(number: i64) -> ActivityEntry {
    ActivityEntry {
        at_ms: NOW + number,
        client: "a client".into(),
        session: format!("session {number}"),
        tool: "browser_click".into(),
        key: Some("tab_action:click".into()),
        origin: Some("https://example.com".into()),
        decision: (number % 2 == 0).then(|| "allow_always".into()),
        outcome: "ok".into(),
        duration_ms: 12,
        characters: 345,
        tabs: 1,
        bytes: 678,
    }
}

pub fn entries(numbers: std::ops::RangeInclusive<i64>) -> Vec<ActivityEntry> {
    numbers.map(entry).collect()
}
