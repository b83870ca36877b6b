//! Records and their events, behind one trait with three implementations:
//! [`SqliteRecords`] in the store's own file, [`PostgresRecords`] on a server that
//! many hubs share, and [`MemoryRecords`] for what must never be on a disk.
//!
//! A change and its event are written together or not at all, and events are
//! numbered in the order in which they were written: whoever has read the events up
//! to one number has missed none before it. An event says which record changed and
//! nothing of what is in it, so that what was deleted is gone.
//!
//! What a change makes of a record is in `change.rs`, what is too large in
//! `limits.rs`, whom a selector means in [`matching`], the same for all three. Who is told of
//! events is left to others. Time comes in as an argument.

mod change;
mod error;
pub mod limits;
pub mod matching;
mod memory;
mod page;
mod postgres;
mod sqlite;

use std::pin::Pin;

use outrigger_protocol::records::{Context, Record, RecordEvent, RecordId, Selector};

pub use change::{Change, Patch, merge};
pub use error::RecordError;
pub use memory::MemoryRecords;
pub use postgres::PostgresRecords;
pub use sqlite::SqliteRecords;

use crate::owner::Owner;

/// A boxed answer.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, RecordError>> + Send + 'a>>;

/// Where records are kept. Everything is about the records of one owner, except
/// events, which are read for all of them at once.
///
/// Dropping an answer calls the work off. A write that is called off was done or
/// was not done, and never by half.
pub trait RecordStore: Send + Sync {
    /// Keeps a new record, with version 1.
    fn create<'a>(
        &'a self,
        owner: &'a Owner,
        new: NewRecord,
        writing: Writing,
    ) -> Answer<'a, Written>;

    /// The record of that name, if there is one.
    fn read<'a>(&'a self, owner: &'a Owner, id: &'a RecordId) -> Answer<'a, Option<Record>>;

    /// Changes a record that still has this version.
    fn change<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a RecordId,
        version: u64,
        change: Change,
        writing: Writing,
    ) -> Answer<'a, Written>;

    /// Removes a record that still has this version, and its history.
    fn delete<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a RecordId,
        version: u64,
        writing: Writing,
    ) -> Answer<'a, RecordEvent>;

    /// The records that fit, the one that changed last first.
    fn search<'a>(&'a self, owner: &'a Owner, query: &'a Query) -> Answer<'a, Page>;

    /// Earlier versions of a record, the newest first: those that were kept.
    fn history<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a RecordId,
        limit: u32,
    ) -> Answer<'a, Vec<Record>>;

    /// Where the events end now.
    fn head(&self) -> Answer<'_, Place>;

    /// The events after that place, oldest first, of all owners.
    fn events_after<'a>(&'a self, place: &'a Place, limit: u32) -> Answer<'a, Vec<StoredEvent>>;
}

/// A record that isn't there yet.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRecord {
    /// Its name, which nobody has had before.
    pub id: RecordId,
    /// Its schema, for good.
    pub schema_name: String,
    /// For people.
    pub title: String,
    /// By which it is found.
    pub tags: Vec<String>,
    /// What it is about.
    pub context: Context,
    /// Who made it.
    pub made_by: String,
}

/// How a write is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Writing {
    /// When, in milliseconds since the epoch.
    pub at_ms: i64,
    /// Whether the version that it ends is kept. Not unless somebody asks for it.
    pub keeps_history: bool,
}

impl Writing {
    /// At that time, without history.
    pub fn at(at_ms: i64) -> Self {
        Writing { at_ms, keeps_history: false }
    }
}

/// A record after a change, and what is told of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// As it is now.
    pub record: Record,
    /// What is told.
    pub event: RecordEvent,
}

/// What is searched for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Query {
    /// Which records; one that says nothing means all.
    pub selector: Selector,
    /// Made by whom.
    pub made_by: Option<String>,
    /// From where on: [`Page::next`] of the page before.
    pub before: Option<u64>,
    /// The most records of a page, [`limits::PAGE`] at most; none means that.
    pub limit: Option<u32>,
}

/// A part of what was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// The one that changed last first. A record that changes meanwhile moves to the
    /// front, and is on no later page.
    pub records: Vec<Record>,
    /// Where the next page begins; none after the last one. A page can be short, or
    /// empty, and there is more: only so much is looked through at once.
    pub next: Option<u64>,
}

/// A place among the events of a store: after that event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Which store, from when it was made to when it is thrown away.
    pub life: String,
    /// The event's number; 0 before all.
    pub seq: u64,
}

/// An event and whose record it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// Whose.
    pub owner: Owner,
    /// What is told.
    pub event: RecordEvent,
}

/// How many events are kept to go on from, at least. Half as many again are there at
/// the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention(u64);

impl Retention {
    /// So many; one at least.
    pub fn of_events(count: u64) -> Self {
        Retention(count.max(1))
    }

    /// The last event to forget when there are events up to `newest` and none up to
    /// `pruned`. Now and then many at once: that costs less than one each time.
    pub(crate) fn prunes(self, pruned: u64, newest: u64) -> Option<u64> {
        let excess = newest.saturating_sub(pruned).saturating_sub(self.0);
        (excess > self.0 / 2).then(|| newest - self.0)
    }
}

impl Default for Retention {
    /// Some hours of many writers, some days of few.
    fn default() -> Self {
        Retention(100_000)
    }
}

/// Whether events can be read from that place on.
pub(crate) fn check_place(
    place: &Place,
    life: &str,
    pruned: u64,
    newest: u64,
) -> Result<(), RecordError> {
    if place.life != life || place.seq > newest {
        return Err(RecordError::OtherLife { seq: place.seq });
    }
    if place.seq < pruned {
        return Err(RecordError::EventsPruned { seq: place.seq, oldest: pruned });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_bounded_and_enough_of_them_are_always_there() {
        for keep in [1, 2, 3, 10, 1000] {
            let retention = Retention::of_events(keep);
            let mut pruned = 0;
            for newest in 1..5000 {
                pruned = retention.prunes(pruned, newest).unwrap_or(pruned);
                let there = newest - pruned;
                assert!(there >= keep.min(newest) && there <= keep + keep / 2, "{keep} {newest}");
            }
        }
    }

    #[test]
    fn a_place_of_another_life_and_one_that_was_pruned_are_told_apart() {
        let check = |life: &str, seq| check_place(&Place { life: life.into(), seq }, "a", 5, 9);
        assert!(check("a", 5).is_ok() && check("a", 9).is_ok());
        assert_eq!(check("a", 4).unwrap_err().code(), "events_pruned");
        assert_eq!(check("a", 10).unwrap_err().code(), "events_other_life");
        assert_eq!(check("b", 7).unwrap_err().code(), "events_other_life");
    }
}
