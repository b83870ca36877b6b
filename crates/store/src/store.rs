//! The file: who may read it, how it is opened, and how it is written. One
//! connection writes, so that writers of one program wait for each other; those of
//! other programs are waited for, for [`PATIENCE`].

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Connection as _, Sqlite, Transaction};

use crate::clock::{self, Clock};
use crate::error::StoreError;
use crate::migrations;

/// Between two attempts to open what is locked.
const SHORT_WHILE: Duration = Duration::from_millis(20);

/// How long another program may take to write.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a proof waits for its turn.
const ITS_TURN: Duration = Duration::from_millis(500);
/// How many read at once.
const READERS: u32 = 4;

/// The store of a hub. A clone is the same store.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

struct Shared {
    path: PathBuf,
    /// Which file was opened: another one may be put in its place.
    file: Option<FileId>,
    writer: SqlitePool,
    /// Shows that the file takes a write, without waiting for the disk.
    prover: SqlitePool,
    readers: SqlitePool,
    clock: Clock,
}

impl Store {
    /// Opens the store at that path, and makes it if there is none. One that another
    /// program is making at this moment is waited for: SQLite itself waits for
    /// locks, but not while a file gets its log.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let began = std::time::Instant::now();
        loop {
            match Self::open_at_once(path).await {
                Err(StoreError::Locked { .. }) if began.elapsed() < PATIENCE => {
                    tokio::time::sleep(SHORT_WHILE).await;
                }
                opened => return opened,
            }
        }
    }

    async fn open_at_once(path: &Path) -> Result<Self, StoreError> {
        make(path).map_err(|source| StoreError::of_file(path, source))?;
        // Those beside it get the mode of the file itself, whoever makes them.
        for file in [path.to_owned(), beside(path, "-wal"), beside(path, "-shm")] {
            refuse_exposed(&file)?;
        }
        let file = file_id(path);
        let options = SqliteConnectOptions::new()
            .filename(path)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(PATIENCE);
        let pool = pool();
        let fails = |error| StoreError::of(path, error);

        let writer = pool.clone().max_connections(1).connect_with(options.clone()).await;
        let writer = writer.map_err(fails)?;
        let mut writing = writer.begin_with("BEGIN IMMEDIATE").await.map_err(fails)?;
        let migrated = migrations::run(&mut writing).await;
        migrated.map_err(|error| StoreError::of_migration(path, error))?;
        let latest = clock::latest(&mut writing).await.map_err(fails)?;
        writing.commit().await.map_err(fails)?;

        let proving = options.clone().synchronous(SqliteSynchronous::Normal);
        let prover = pool.clone().max_connections(1).connect_lazy_with(proving);
        let reading = options.pragma("query_only", "ON");
        let readers = pool.max_connections(READERS).connect_lazy_with(reading);
        let clock = Clock::new(latest);
        let path = path.to_owned();
        Ok(Store { shared: Arc::new(Shared { path, file, writer, prover, readers, clock }) })
    }

    /// Opens the store at that path to look into it, beside a hub that may be at
    /// work there. None if there is no store. Whatever would write is refused.
    pub async fn open_to_read(path: &Path) -> Result<Option<Self>, StoreError> {
        match fs::metadata(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(StoreError::of_file(path, source)),
            Ok(_) => refuse_exposed(path)?,
        }
        let options =
            SqliteConnectOptions::new().filename(path).read_only(true).busy_timeout(PATIENCE);
        let fails = |error| StoreError::of(path, error);
        let readers = pool().max_connections(1).connect_with(options).await.map_err(fails)?;
        let mut reading = readers.acquire().await.map_err(fails)?;
        let found = migrations::newest(&mut reading).await.map_err(fails)?;
        drop(reading);
        // One that was made and has nothing in it yet.
        let Some(found) = found else { return Ok(None) };
        if found > migrations::KNOWN {
            let (path, known) = (path.to_owned(), migrations::KNOWN);
            return Err(StoreError::NewerSchema { path, found, known });
        }
        let (file, path) = (file_id(path), path.to_owned());
        let (writer, prover, clock) = (readers.clone(), readers.clone(), Clock::new(0));
        let shared = Shared { path, file, writer, prover, readers, clock };
        Ok(Some(Store { shared: Arc::new(shared) }))
    }

    /// Whether what is written now will be found again: the file is still the one
    /// that is at its path, and takes a write. It doesn't wait until the disk has that,
    /// as whatever is to be kept does: it is the time and nothing else.
    pub async fn prove_writable(&self, now: i64) -> Result<(), StoreError> {
        if file_id(&self.shared.path) != self.shared.file {
            return Err(StoreError::Replaced { path: self.shared.path.clone() });
        }
        // In turn with those who write here: SQLite itself lets nobody go first. Not for
        // long, since one that hangs is what this is to find out.
        let turn = tokio::time::timeout(ITS_TURN, self.shared.writer.acquire()).await;
        let proving = self.shared.prover.acquire().await;
        let proven = self.write_time(&mut *proving.map_err(self.fails())?, now).await;
        drop(turn);
        proven
    }

    /// Whether both are one store, and not the same file opened anew.
    pub fn is_same(&self, other: &Store) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// Ends all work with the file. Whatever was answered is written already.
    pub async fn close(&self) {
        self.shared.readers.close().await;
        self.shared.prover.close().await;
        self.shared.writer.close().await;
    }

    /// A transaction that writes. Nobody else writes until it ends, and nothing of
    /// it is written unless it is committed.
    pub(crate) async fn write(&self) -> Result<Transaction<'static, Sqlite>, StoreError> {
        self.shared.writer.begin_with("BEGIN IMMEDIATE").await.map_err(self.fails())
    }

    /// A look at what was committed.
    pub(crate) fn readers(&self) -> &SqlitePool {
        &self.shared.readers
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.shared.clock
    }

    /// What the database says, in our words.
    pub(crate) fn fails(&self) -> impl Fn(sqlx::Error) -> StoreError {
        |error| StoreError::of(&self.shared.path, error)
    }

    /// What is wrong with a row, or with the database.
    pub(crate) fn misreads(&self, table: &'static str) -> impl Fn(sqlx::Error) -> StoreError {
        move |error| match error {
            sqlx::Error::Decode(problem) => self.bad_row(table, &problem.to_string()),
            sqlx::Error::ColumnDecode { source, .. } => self.bad_row(table, &source.to_string()),
            other => StoreError::of(&self.shared.path, other),
        }
    }

    /// A row that nothing follows from.
    pub(crate) fn bad_row(&self, table: &'static str, problem: &str) -> StoreError {
        StoreError::BadRow { path: self.shared.path.clone(), table, problem: problem.to_owned() }
    }
}

/// A value in a row that nobody wrote.
pub(crate) fn misread(value: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("it says {value:?}").into())
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("path", &self.shared.path).finish_non_exhaustive()
    }
}

/// SQLite may end a transaction by itself, when the disk is full for one; sqlx takes
/// it for open then and could begin no other one on that connection.
fn pool() -> SqlitePoolOptions {
    SqlitePoolOptions::new().idle_timeout(None).max_lifetime(None).before_acquire(
        |connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }),
    )
}

/// Tells one file from another that is put in its place.
type FileId = (u64, u64);

#[cfg(unix)]
fn file_id(path: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn file_id(_: &Path) -> Option<FileId> {
    None
}

/// Refuses a value that is longer than anybody needs.
pub(crate) fn refuse_long(what: &'static str, value: &str, limit: usize) -> Result<(), StoreError> {
    if value.chars().count() > limit { Err(StoreError::TooLong { what, limit }) } else { Ok(()) }
}

/// An empty file that only its owner can read, if there is none; and whether the one
/// there is can be written, which SQLite finds out late.
fn make(path: &Path) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

#[cfg(unix)]
fn refuse_exposed(path: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = match fs::metadata(path) {
        Ok(metadata) => metadata.permissions().mode() & 0o777,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(StoreError::of_file(path, source)),
    };
    if mode & 0o077 == 0 {
        Ok(())
    } else {
        Err(StoreError::Exposed { path: path.to_owned(), mode })
    }
}

#[cfg(not(unix))]
fn refuse_exposed(_: &Path) -> Result<(), StoreError> {
    Ok(())
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Owner;
    use crate::activity::{ActivityEntry, Verdict};
    use outrigger_guard::policy::Policy;

    fn entries(count: usize) -> Vec<ActivityEntry> {
        let entry = ActivityEntry {
            at_ms: 1,
            client: "c".repeat(200),
            session: String::new(),
            tool: String::new(),
            key: None,
            origin: None,
            decision: None,
            outcome: "ok".into(),
            duration_ms: 0,
            characters: 0,
            tabs: 0,
            bytes: 0,
        };
        vec![entry; count]
    }

    async fn limit_pages(store: &Store, pages: u32) {
        let limit = format!("PRAGMA max_page_count = {pages}");
        let limit = sqlx::AssertSqlSafe(limit);
        sqlx::query(limit).execute(&store.shared.writer).await.unwrap();
    }

    #[tokio::test]
    async fn a_full_disk_is_told_and_nothing_is_written_by_half() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("store.db")).await.unwrap();
        let owner = Owner::local();
        store.append(&owner, &entries(2)).await.unwrap();
        // SQLite takes the size that the file has for the least limit.
        limit_pages(&store, 1).await;
        let error = store.append(&owner, &entries(2000)).await.unwrap_err();
        assert_eq!(error.code(), "store_disk_full");
        assert!(error.to_string().contains("is full. Make room"), "{error}");
        assert_eq!(store.verify_activity().await.unwrap(), Verdict::Verified { entries: 2 });

        limit_pages(&store, 1).await;
        let mut written = 0;
        let error = loop {
            let origin = format!("https://{written}.{}.example", "x".repeat(60));
            let policy = Policy::parse("*", &origin, true, 1).unwrap();
            match store.put_policy(&owner, &policy).await {
                Ok(()) => written += 1,
                Err(error) => break error,
            }
        };
        assert_eq!(error.code(), "store_disk_full");
        assert_eq!(store.policies(&owner).await.unwrap().len(), written);

        limit_pages(&store, 1_000_000).await;
        store.append(&owner, &entries(2000)).await.unwrap();
        assert_eq!(store.verify_activity().await.unwrap(), Verdict::Verified { entries: 2002 });
    }

    #[tokio::test]
    async fn what_is_committed_outlives_a_loss_of_power_and_readers_never_write() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let store = Store::open(&path).await.unwrap();
        let synchronous: i64 =
            sqlx::query_scalar("PRAGMA synchronous").fetch_one(&store.shared.writer).await.unwrap();
        assert_eq!(synchronous, 2, "full");
        let journal: String = sqlx::query_scalar("PRAGMA journal_mode")
            .fetch_one(&store.shared.writer)
            .await
            .unwrap();
        assert_eq!(journal, "wal");
        store.prove_writable(1).await.unwrap();
        let synchronous: i64 =
            sqlx::query_scalar("PRAGMA synchronous").fetch_one(&store.shared.prover).await.unwrap();
        assert_eq!(synchronous, 1, "a proof is nothing to keep");
        let refusal = sqlx::query("DELETE FROM api_tokens").execute(store.readers()).await;
        assert_eq!(StoreError::of(&path, refusal.unwrap_err()).code(), "store_read_only");
    }

    #[tokio::test]
    async fn a_write_that_is_given_up_leaves_nothing_and_holds_nobody_up() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("store.db")).await.unwrap();
        let owner = Owner::local();
        for micros in (0..4000).step_by(100) {
            let writing = entries(50);
            let writing = store.append(&owner, &writing);
            let _ = tokio::time::timeout(Duration::from_micros(micros), writing).await;
        }
        store.append(&owner, &entries(50)).await.unwrap();
        let verdict = store.verify_activity().await.unwrap();
        assert!(
            matches!(verdict, Verdict::Verified { entries } if entries >= 50 && entries % 50 == 0),
            "{verdict:?}"
        );
    }
}
