//! Writes the activity log, entries together, and forgets what is too old. What keeps
//! it from being written is mended here, too; the guard is closed for as long. What goes
//! into it, `memory.rs` knows.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use outrigger_dispatch::journal::NotKept;
use outrigger_store::Store;
use outrigger_store::activity::ActivityEntry;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, interval_at, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::memory::{Memory, not_kept, now_ms};

/// How long entries are gathered, and how many are taken at once.
const TOGETHER: Duration = Duration::from_millis(100);
const MOST_TOGETHER: usize = 512;

/// Between two attempts to open the store and write what could not be written.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// How often what is too old is looked for.
pub(crate) const FORGET_EVERY: Duration = Duration::from_secs(60 * 60);

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// What comes to be written.
pub(crate) enum Line {
    Entry(ActivityEntry),
    /// Somebody waits until all that came before is written.
    Awaited(oneshot::Sender<()>),
}

impl Line {
    fn is_awaited(&self) -> bool {
        matches!(self, Line::Awaited(_))
    }
}

/// Writes the log, and mends what keeps it from being written.
pub(crate) struct Keeper {
    pub(crate) memory: Arc<Memory>,
    /// How long entries are kept.
    pub(crate) days: u64,
    pub(crate) forget_every: Duration,
}

impl Keeper {
    /// Until the hub ends.
    pub(crate) async fn run(self, mut unwritten: mpsc::Receiver<Line>, end: CancellationToken) {
        let mut lines = Vec::new();
        let mut forgetting = interval_at(Instant::now() + self.forget_every, self.forget_every);
        loop {
            let is_over = end.is_cancelled();
            let received = tokio::select! {
                () = self.memory.failed.notified(), if !is_over => {
                    self.write(&[], &end).await;
                    continue;
                }
                _ = forgetting.tick(), if !is_over => {
                    self.forget().await;
                    continue;
                }
                received = unwritten.recv_many(&mut lines, MOST_TOGETHER) => received,
                () = end.cancelled(), if !is_over => continue,
                // What was called before the end is noted by now.
                () = tokio::time::sleep(TOGETHER), if is_over => 0,
            };
            if received == 0 {
                return;
            }
            let until = Instant::now() + TOGETHER;
            while !is_over && !lines.iter().any(Line::is_awaited) {
                let more = unwritten.recv_many(&mut lines, MOST_TOGETHER);
                match timeout_at(until, more).await {
                    Ok(received) if received > 0 => {}
                    _ => break,
                }
            }
            let (mut batch, mut waiting) = (Vec::new(), Vec::new());
            for line in lines.drain(..) {
                match line {
                    Line::Entry(entry) => batch.push(entry),
                    Line::Awaited(written) => waiting.push(written),
                }
            }
            self.write(&batch, &end).await;
            for written in waiting {
                let _ = written.send(());
            }
        }
    }

    /// Removes what is older than entries are kept.
    pub(crate) async fn forget(&self) {
        let Ok(store) = self.memory.store() else { return };
        let age = i64::try_from(self.days).unwrap_or(i64::MAX).saturating_mul(DAY_MS);
        if let Err(error) = store.prune_activity_before(now_ms().saturating_sub(age)).await {
            tracing::warn!(%error, "old entries of the activity log stay");
        }
    }

    /// Until it is written: what can't be logged doesn't happen.
    async fn write(&self, batch: &[ActivityEntry], end: &CancellationToken) {
        let memory = &self.memory;
        let mut left = batch;
        match self.append(memory.store(), left).await {
            Ok(()) => left = &[],
            Err(reason) => memory.fail(reason),
        }
        while memory.lock().is_some() {
            tokio::select! {
                () = tokio::time::sleep(TRY_AGAIN) => {}
                () = end.cancelled() => return,
            }
            match self.append(memory.reopen().await, left).await {
                Ok(()) => {
                    left = &[];
                    memory.go_on().await;
                }
                Err(reason) => memory.fail(reason),
            }
        }
    }

    /// With them, how many were lost after them.
    async fn append(
        &self,
        store: Result<Store, NotKept>,
        batch: &[ActivityEntry],
    ) -> Result<(), NotKept> {
        let (store, lost) = (store?, self.memory.lost.load(Ordering::SeqCst));
        let mut batch = batch.to_vec();
        if lost > 0 {
            batch.push(ActivityEntry::lost(lost, now_ms()));
        }
        store.append(&self.memory.owner, &batch).await.map_err(not_kept)?;
        self.memory.lost.fetch_sub(lost, Ordering::SeqCst);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use outrigger_dispatch::journal::Entry;
    use outrigger_dispatch::{Caller, Journal as _};
    use outrigger_guard::Scope;
    use outrigger_store::activity::Verdict;
    use sqlx::ConnectOptions as _;
    use sqlx::sqlite::SqliteConnectOptions;
    use tokio_util::task::TaskTracker;

    use super::*;
    use crate::home::Home;
    use crate::settings::Settings;

    /// More than the hub holds unwritten.
    const MANY: u64 = 40_000;

    fn call() -> Entry {
        let caller = Caller {
            session: "s".into(),
            client: "c".into(),
            scope: Scope::Act,
            holder: "h".into(),
        };
        Entry {
            at: std::time::SystemTime::now(),
            caller,
            tool: "browser_click".into(),
            access: None,
            decision: None,
            outcome: "ok".into(),
            duration: Duration::ZERO,
            characters: 0,
            tabs: 0,
            bytes: 0,
        }
    }

    /// Looks until something holds, for half a minute at the most.
    async fn until(holds: impl AsyncFn() -> bool) {
        let looking = async {
            while !holds().await {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), looking).await.expect("it comes about");
    }

    #[tokio::test]
    async fn a_hub_that_runs_forgets_what_is_older_than_entries_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::at(Home::at(folder.path()), 0);
        let (guard, desk, tasks) = (Arc::default(), Arc::default(), TaskTracker::new());
        let end = CancellationToken::new();
        let memory = Memory::open(&settings, guard, &desk, &tasks, end.clone()).await;
        let store = memory.store().unwrap();
        let days_ago = |days: i64| ActivityEntry::lost(1, now_ms() - days * DAY_MS);
        store.append(&memory.owner, &[days_ago(40), days_ago(29)]).await.unwrap();
        let (_entries, unwritten) = mpsc::channel(1);
        let forget_every = Duration::from_millis(20);
        let keeper = Keeper { memory: memory.clone(), days: 30, forget_every };
        tasks.spawn(keeper.run(unwritten, end.clone()));
        let kept = || store.latest_activity(&memory.owner, None, 10);
        until(async || kept().await.unwrap().len() == 1).await;
        assert_eq!(kept().await.unwrap()[0].seq, 2);
        assert_eq!(store.verify_activity().await.unwrap(), Verdict::Verified { entries: 1 });
        end.cancel();
    }

    #[tokio::test]
    async fn entries_that_found_no_room_are_counted_in_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::at(Home::at(folder.path()), 0);
        let (guard, desk, tasks) = (Arc::default(), Arc::default(), TaskTracker::new());
        let end = CancellationToken::new();
        let memory = Memory::open(&settings, guard, &desk, &tasks, end.clone()).await;
        let path = settings.home.store_path();
        let mut stranger = SqliteConnectOptions::new().filename(&path).connect().await.unwrap();
        sqlx::query("BEGIN IMMEDIATE").execute(&mut stranger).await.unwrap();
        for _ in 0..MANY {
            memory.note(call());
        }
        assert!(memory.is_ready().await.is_err(), "the guard is closed");
        sqlx::query("ROLLBACK").execute(&mut stranger).await.unwrap();
        until(async || memory.lock().is_none()).await;
        end.cancel();
        tasks.close();
        tasks.wait().await;
        let store = Store::open(&path).await.unwrap();
        let lost = store.lost_activity().await.unwrap();
        let Verdict::Verified { entries } = store.verify_activity().await.unwrap() else {
            panic!("it is broken")
        };
        let told = store.latest_activity(&memory.owner, Some("outrigger"), 10).await.unwrap();
        assert!(lost > 0 && told.len() == 1, "{lost} {told:?}");
        assert_eq!(told[0].entry.outcome, format!("{lost} entries lost"));
        assert_eq!(entries - told.len() as u64 + lost, MANY, "each is written or counted");
    }
}
