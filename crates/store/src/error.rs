//! What goes wrong with a store, in words that say what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use sqlx::migrate::MigrateError;

use crate::migrations::KNOWN;

/// The store can't do what it was asked to. Nothing of it was done then.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another program is writing, and doesn't stop.
    #[error(
        "the store {path} is locked by another program. See with `fuser {path}` which one, let \
         it finish or end it, and try again"
    )]
    Locked {
        /// The store.
        path: PathBuf,
    },
    /// It can be read and not written.
    #[error(
        "the store {path} is read-only. Make the file and its folder writable for yourself, or set \
         OUTRIGGER_HOME to a folder that is"
    )]
    ReadOnly {
        /// The store.
        path: PathBuf,
    },
    /// No room.
    #[error("the disk of the store {path} is full. Make room on it and try again")]
    DiskFull {
        /// The store.
        path: PathBuf,
    },
    /// Its bytes are not what was written.
    #[error(
        "the store {path} is damaged: {detail}. Put a copy of it in its place, or move it away and \
         a new one is made; what the user decided has to be decided again then"
    )]
    Corrupt {
        /// The store.
        path: PathBuf,
        /// As SQLite says it.
        detail: String,
    },
    /// Another file is where it was, or none.
    #[error(
        "the store {path} was moved away or replaced. Put it back, or let the hub open what is \
         there now"
    )]
    Replaced {
        /// Where it was.
        path: PathBuf,
    },
    /// The disk refuses.
    #[error(
        "the store {path} can't be read or written: {detail}. See whether its disk is full or \
         failing, and try again"
    )]
    DiskFails {
        /// The store.
        path: PathBuf,
        /// As SQLite says it.
        detail: String,
    },
    /// A later version of this program has used it.
    #[error(
        "the store {path} has schema {found}, and this program knows those up to {known}. Use the \
         newer program that wrote it"
    )]
    NewerSchema {
        /// The store.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// Others than its owner may read or write it.
    #[error("{path} is open to others (mode {mode:03o}). Close it with `chmod 600 {path}`")]
    Exposed {
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// It can't be made or opened.
    #[error(
        "the store {path} can't be opened: {source}. Set OUTRIGGER_HOME to a folder where it can"
    )]
    Unusable {
        /// The store.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A row says something that nobody wrote, so that nothing follows from it.
    #[error(
        "a row of {table} in the store {path} can't be understood: {problem}. Correct or remove it \
         with `sqlite3 {path}`"
    )]
    BadRow {
        /// The store.
        path: PathBuf,
        /// Where.
        table: &'static str,
        /// What about it.
        problem: String,
    },
    /// What is decided for a session ends with it.
    #[error("a policy of the session {session} is not stored. Store only those that last")]
    NotLasting {
        /// Which session.
        session: String,
    },
    /// It would not be read as what was written.
    #[error("{pattern:?} is no pattern that can be stored. Make it by parsing what people write")]
    BadPattern {
        /// As it would be written.
        pattern: String,
    },
    /// Not a domain.
    #[error("{name:?} is no name of a site. Write one such as example.com")]
    BadDomain {
        /// What was given.
        name: String,
    },
    /// Longer than anybody needs.
    #[error("{what} is too long. Use at most {limit} characters")]
    TooLong {
        /// Which value.
        what: &'static str,
        /// The most it may have.
        limit: usize,
    },
    /// The system gives none.
    #[error("the system gives no randomness: {0}. No token can be made without it")]
    NoRandomness(String),
    /// Anything else.
    #[error("the store {path} failed: {source}. Try again, and report it if it fails again")]
    Failed {
        /// The store.
        path: PathBuf,
        /// Why.
        source: sqlx::Error,
    },
}

impl StoreError {
    /// A word for programs, which stays the same.
    pub fn code(&self) -> &'static str {
        match self {
            StoreError::Locked { .. } => "store_locked",
            StoreError::ReadOnly { .. } => "store_read_only",
            StoreError::DiskFull { .. } => "store_disk_full",
            StoreError::Corrupt { .. } => "store_corrupt",
            StoreError::Replaced { .. } => "store_replaced",
            StoreError::DiskFails { .. } => "store_disk_fails",
            StoreError::NewerSchema { .. } => "store_newer_schema",
            StoreError::Exposed { .. } => "store_exposed",
            StoreError::Unusable { .. } => "store_unusable",
            StoreError::BadRow { .. } => "store_bad_row",
            StoreError::NotLasting { .. } => "store_not_lasting",
            StoreError::BadPattern { .. } => "store_bad_pattern",
            StoreError::BadDomain { .. } => "store_bad_domain",
            StoreError::TooLong { .. } => "store_too_long",
            StoreError::NoRandomness(_) => "store_no_randomness",
            StoreError::Failed { .. } => "store_failed",
        }
    }

    /// What the database says, in our words.
    pub(crate) fn of(path: &Path, error: sqlx::Error) -> Self {
        let path = path.to_owned();
        let detail = error.to_string();
        match primary_code(&error) {
            Some(5 | 6) => StoreError::Locked { path },
            Some(8) => StoreError::ReadOnly { path },
            Some(13) => StoreError::DiskFull { path },
            Some(10) => StoreError::DiskFails { path, detail },
            Some(11 | 26) => StoreError::Corrupt { path, detail },
            Some(14) => StoreError::Unusable { path, source: io::Error::other(detail) },
            // Somebody of this program waits for the lock, and everybody else for them.
            _ if matches!(error, sqlx::Error::PoolTimedOut) => StoreError::Locked { path },
            _ => StoreError::Failed { path, source: error },
        }
    }

    /// What keeps a file from being opened, in our words.
    pub(crate) fn of_file(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                StoreError::ReadOnly { path }
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                StoreError::DiskFull { path }
            }
            _ => StoreError::Unusable { path, source },
        }
    }

    /// What keeps a schema from being brought up to date.
    pub(crate) fn of_migration(path: &Path, error: MigrateError) -> Self {
        match error {
            MigrateError::VersionMissing(found) => {
                StoreError::NewerSchema { path: path.to_owned(), found, known: KNOWN }
            }
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
                StoreError::of(path, error)
            }
            other => StoreError::Corrupt { path: path.to_owned(), detail: other.to_string() },
        }
    }
}

/// SQLite's result code, without what it adds to it: <https://sqlite.org/rescode.html>.
fn primary_code(error: &sqlx::Error) -> Option<i32> {
    let code = error.as_database_error()?.code()?;
    Some(code.parse::<i32>().ok()? & 0xff)
}
