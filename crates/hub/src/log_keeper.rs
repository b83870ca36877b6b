//! Writes the activity log: entries together, so that no call waits for the disk.
//! What keeps it from being written is mended here, too; the guard is closed for as
//! long. What goes into it, `memory.rs` knows.

use std::sync::Arc;
use std::time::Duration;

use outrigger_dispatch::journal::NotKept;
use outrigger_store::Store;
use outrigger_store::activity::ActivityEntry;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::memory::{Memory, not_kept};

/// How long entries are gathered, and how many are taken at once.
const TOGETHER: Duration = Duration::from_millis(100);
const MOST_TOGETHER: usize = 512;

/// Between two attempts to open the store and write what could not be written.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// Writes the log, and mends what keeps it from being written.
pub(crate) struct Keeper(pub(crate) Arc<Memory>);

impl Keeper {
    /// Until the hub ends.
    pub(crate) async fn run(
        self,
        mut unwritten: mpsc::Receiver<ActivityEntry>,
        end: CancellationToken,
    ) {
        let mut batch = Vec::new();
        loop {
            let is_over = end.is_cancelled();
            let received = tokio::select! {
                () = self.0.failed.notified(), if !is_over => {
                    self.write(&[], &end).await;
                    continue;
                }
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
        let memory = &self.0;
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

    async fn append(
        &self,
        store: Result<Store, NotKept>,
        batch: &[ActivityEntry],
    ) -> Result<(), NotKept> {
        store?.append(&self.0.owner, batch).await.map_err(not_kept)
    }
}
