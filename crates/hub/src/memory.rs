//! What the hub remembers over restarts: what the user decided, and what was done.
//! Where that can't be read or kept, the guard is closed until it can.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use outrigger_dispatch::Journal;
use outrigger_dispatch::journal::Entry;
use outrigger_guard::Guard;
use outrigger_guard::policy::Policy;
use outrigger_guard::trust::TrustLists;
use outrigger_store::activity::ActivityEntry;
use outrigger_store::trust::Standing;
use outrigger_store::{Owner, Store, StoreError};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::settings::Settings;

/// Entries are written together, so that a call need not wait for the disk.
const TOGETHER: Duration = Duration::from_millis(100);
const MOST_TOGETHER: usize = 512;

/// More unwritten entries than this, and nothing is allowed any more.
const MOST_UNWRITTEN: usize = 16 * 1024;

/// Between two attempts to write what could not be written.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// What is remembered, and where.
pub(crate) struct Memory {
    store: Result<Store, String>,
    guard: Arc<Guard>,
    entries: mpsc::Sender<ActivityEntry>,
    owner: Owner,
}

impl Memory {
    /// Opens the store of this home, tells the guard what it says, and begins to log.
    pub(crate) async fn open(
        settings: &Settings,
        guard: Arc<Guard>,
        tasks: &TaskTracker,
        end: CancellationToken,
    ) -> Arc<Self> {
        let store =
            Store::open(&settings.home.store_path()).await.map_err(|error| error.to_string());
        let (entries, unwritten) = mpsc::channel(MOST_UNWRITTEN);
        let memory = Arc::new(Memory { store, guard, entries, owner: Owner::local() });
        memory.recall().await;
        memory.forget_before(settings.log_days).await;
        if let Ok(store) = &memory.store {
            let writer = Writer { store: store.clone(), memory: memory.clone() };
            tasks.spawn(writer.run(unwritten, end));
        }
        memory
    }

    async fn forget_before(&self, days: u64) {
        let Ok(store) = &self.store else { return };
        let age = i64::try_from(days).unwrap_or(i64::MAX).saturating_mul(24 * 60 * 60 * 1000);
        if let Err(error) = store.prune_activity_before(now_ms().saturating_sub(age)).await {
            tracing::warn!(%error, "old entries of the activity log stay");
        }
    }

    /// Tells the guard all that was decided. Closes it where that can't be read.
    pub(crate) async fn recall(&self) {
        if let Err(error) = self.read().await {
            tracing::error!(%error, "what the user decided can't be read; nothing is allowed");
            self.guard.close(error);
        }
    }

    async fn read(&self) -> Result<(), String> {
        let store = self.store.as_ref().map_err(Clone::clone)?;
        let trust = store.trust(&self.owner).await.map_err(words)?;
        let listed = |wanted: Standing| {
            let of_it = trust.iter().filter(move |listed| listed.standing == wanted);
            of_it.map(|listed| listed.domain.as_str())
        };
        let lists = TrustLists::new(listed(Standing::Trusted), listed(Standing::Blocked));
        let policies = store.policies(&self.owner).await.map_err(words)?;
        self.guard.set_trust(lists);
        self.guard.set_lasting(policies);
        Ok(())
    }

    /// The store and whose rows in it are this hub's, or why there is none.
    pub(crate) fn store(&self) -> Result<(&Store, &Owner), String> {
        let store = self.store.as_ref().map_err(Clone::clone)?;
        Ok((store, &self.owner))
    }

    /// Keeps a lasting policy.
    pub(crate) async fn keep(&self, policy: &Policy) -> Result<(), String> {
        let store = self.store.as_ref().map_err(Clone::clone)?;
        store.put_policy(&self.owner, policy).await.map_err(words)
    }
}

fn words(error: StoreError) -> String {
    error.to_string()
}

impl Journal for Memory {
    fn note(&self, entry: Entry) {
        let logged = logged(&entry);
        tracing::debug!(
            target: "outrigger::activity",
            client = logged.client, session = logged.session, tool = logged.tool,
            key = logged.key, origin = logged.origin, decision = logged.decision,
            outcome = logged.outcome, ms = logged.duration_ms, bytes = logged.bytes,
        );
        if self.entries.try_send(logged).is_err() && self.store.is_ok() {
            self.guard.close("the activity log can't be written".to_owned());
        }
    }
}

fn logged(entry: &Entry) -> ActivityEntry {
    let since = entry.at.duration_since(UNIX_EPOCH).unwrap_or_default();
    ActivityEntry {
        at_ms: i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        client: entry.caller.client.clone(),
        session: entry.caller.session.clone(),
        tool: entry.tool.clone(),
        key: entry.access.as_ref().map(|access| access.key.to_string()),
        origin: entry.access.as_ref().map(|access| access.origin.to_string()),
        decision: entry.decision.clone(),
        outcome: entry.outcome.clone(),
        duration_ms: u64::try_from(entry.duration.as_millis()).unwrap_or(u64::MAX),
        characters: entry.characters as u64,
        tabs: entry.tabs as u64,
        bytes: entry.bytes as u64,
    }
}

struct Writer {
    store: Store,
    memory: Arc<Memory>,
}

impl Writer {
    async fn run(self, mut unwritten: mpsc::Receiver<ActivityEntry>, end: CancellationToken) {
        let mut batch = Vec::new();
        loop {
            let is_over = end.is_cancelled();
            let received = tokio::select! {
                received = unwritten.recv_many(&mut batch, MOST_TOGETHER) => received,
                () = end.cancelled(), if !is_over => continue,
                // What was called before the end is noted by now.
                () = tokio::time::sleep(TOGETHER), if is_over => 0,
            };
            if received == 0 {
                return;
            }
            if !is_over {
                tokio::time::sleep(TOGETHER).await;
                while let Ok(entry) = unwritten.try_recv() {
                    batch.push(entry);
                }
            }
            self.write(&batch, &end).await;
            batch.clear();
        }
    }

    /// Until it is written: what can't be logged doesn't happen.
    async fn write(&self, batch: &[ActivityEntry], end: &CancellationToken) {
        let mut was_closed = false;
        while let Err(error) = self.store.append(&self.memory.owner, batch).await {
            tracing::error!(%error, "the activity log can't be written; nothing is allowed");
            self.memory.guard.close(words(error));
            was_closed = true;
            tokio::select! {
                () = tokio::time::sleep(TRY_AGAIN) => {}
                () = end.cancelled() => return,
            }
        }
        if was_closed {
            self.memory.recall().await;
        }
    }
}

/// Milliseconds since the epoch.
pub(crate) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
