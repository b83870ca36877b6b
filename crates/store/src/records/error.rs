//! What goes wrong with records, in words that say what to do about it.

use outrigger_protocol::records::RecordId;

use crate::error::StoreError;

/// The records can't be read or changed as asked. Nothing was done then, except
/// perhaps with [`OutcomeUnknown`](Self::OutcomeUnknown).
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// No such record, or not one of this owner.
    #[error("there is no record {id}. It may have been deleted; search for it")]
    NotFound {
        /// Its name.
        id: RecordId,
    },
    /// Somebody else was faster.
    #[error(
        "the record {id} has version {current} now. Read it, make the change again, and send it \
         with that version"
    )]
    VersionMismatch {
        /// Which record.
        id: RecordId,
        /// Its version.
        current: u64,
    },
    /// The name is taken.
    #[error("there is a record {id} already. Update it, or make one with another id")]
    AlreadyThere {
        /// The name.
        id: RecordId,
    },
    /// More than is taken.
    #[error("{what}: {found}, and at most {limit} are taken. Send less of it")]
    TooLarge {
        /// Of what, with its unit.
        what: &'static str,
        /// How much it is.
        found: usize,
        /// The most it may be.
        limit: usize,
    },
    /// What nobody can store or find again.
    #[error("{what} {problem}")]
    Bad {
        /// Which value.
        what: &'static str,
        /// What about it, and what to do.
        problem: &'static str,
    },
    /// The memory that volatile records may take is used up.
    #[error("volatile records take more than {limit} bytes. Delete some that nobody needs")]
    MemoryFull {
        /// The most they may take.
        limit: usize,
    },
    /// A place among the events of another store, or of one that was put back to an
    /// earlier time.
    #[error(
        "the events up to {seq} are not of this store. Read the records again and follow the \
         events from now on"
    )]
    OtherLife {
        /// Where somebody wants to go on.
        seq: u64,
    },
    /// Too long ago.
    #[error(
        "the events after {seq} are no longer kept, only those after {oldest}. Read the records \
         again and follow the events from now on"
    )]
    EventsPruned {
        /// Where somebody wants to go on.
        seq: u64,
        /// Where one can.
        oldest: u64,
    },
    /// Nobody there.
    #[error(
        "the database {server} can't be reached: {detail}. See whether it runs and whether \
         DATABASE_URL is right, and try again"
    )]
    Unreachable {
        /// Which one, without its password.
        server: String,
        /// What was met.
        detail: String,
    },
    /// It was lost when it was about to answer.
    #[error(
        "the database {server} was lost while it wrote: {detail}. The change was made or it was \
         not; read the record, and make it again if its version is the old one"
    )]
    OutcomeUnknown {
        /// Which one, without its password.
        server: String,
        /// What was met.
        detail: String,
    },
    /// It said no.
    #[error("the database {server} failed: {detail}. Try again, and report it if it fails again")]
    Failed {
        /// Which one, without its password.
        server: String,
        /// What it said.
        detail: String,
    },
    /// A later version of this program has used it.
    #[error(
        "the database {server} has schema {found}, and this program knows those up to {known}. \
         Use the newer program that wrote it"
    )]
    NewerSchema {
        /// Which one, without its password.
        server: String,
        /// Its schema.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// The file of the store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl RecordError {
    /// Stable, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            RecordError::NotFound { .. } => "record_not_found",
            RecordError::VersionMismatch { .. } => "version_mismatch",
            RecordError::AlreadyThere { .. } => "record_exists",
            RecordError::TooLarge { .. } => "record_too_large",
            RecordError::Bad { .. } => "record_invalid",
            RecordError::MemoryFull { .. } => "records_memory_full",
            RecordError::OtherLife { .. } => "events_other_life",
            RecordError::EventsPruned { .. } => "events_pruned",
            RecordError::Unreachable { .. } => "database_unreachable",
            RecordError::OutcomeUnknown { .. } => "outcome_unknown",
            RecordError::Failed { .. } => "database_failed",
            RecordError::NewerSchema { .. } => "database_newer_schema",
            RecordError::Store(error) => error.code(),
        }
    }
}
