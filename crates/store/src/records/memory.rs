//! Records in memory, for what must never be on a disk. They end with the process,
//! and so does the life of their events.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use outrigger_protocol::records::{Record, RecordEvent, RecordId};

use super::change::{check_version, told, told_gone};
use super::page::Filling;
use super::{
    Answer, Change, NewRecord, Page, Place, Query, RecordError, RecordStore, Retention,
    StoredEvent, Writing, Written, check_place, limits,
};
use crate::owner::Owner;
use crate::secret::random_text;

/// The most bytes of all records together, earlier versions included.
const BYTES: usize = 64 << 20;

/// A store in memory.
pub struct MemoryRecords {
    life: String,
    retention: Retention,
    /// The most bytes of all records together.
    room: usize,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    records: HashMap<Owner, HashMap<RecordId, Entry>>,
    events: VecDeque<StoredEvent>,
    seq: u64,
    bytes: usize,
}

struct Entry {
    record: Record,
    /// Of its last event.
    seq: u64,
    /// Oldest first.
    earlier: VecDeque<Record>,
}

impl MemoryRecords {
    /// An empty one.
    pub fn new(retention: Retention) -> Result<Self, RecordError> {
        let life = random_text::<9>()?;
        Ok(MemoryRecords { life, retention, room: BYTES, kept: Mutex::default() })
    }

    /// Whether there is such a record, told at once.
    pub fn has(&self, owner: &Owner, id: &RecordId) -> bool {
        self.kept().find(owner, id).is_some()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // Nothing below can panic between two changes that belong together.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn create_now(
        &self,
        owner: &Owner,
        new: NewRecord,
        writing: Writing,
    ) -> Result<Written, RecordError> {
        let record = new.into_record(writing.at_ms)?;
        let mut kept = self.kept();
        if kept.find(owner, &record.id).is_some() {
            return Err(RecordError::AlreadyThere { id: record.id });
        }
        kept.make_room(weight(&record), 0, self.room)?;
        let event = kept.tell(owner, self.retention, |seq| told(&record, seq, true));
        let entry = Entry { record: record.clone(), seq: event.seq, earlier: VecDeque::new() };
        kept.records.entry(owner.clone()).or_default().insert(record.id.clone(), entry);
        Ok(Written { record, event })
    }

    fn change_now(
        &self,
        owner: &Owner,
        id: &RecordId,
        version: u64,
        change: Change,
        writing: Writing,
    ) -> Result<Written, RecordError> {
        let mut kept = self.kept();
        let entry = kept.find(owner, id).ok_or_else(|| RecordError::NotFound { id: id.clone() })?;
        check_version(&entry.record, version)?;
        let record = change.apply(&entry.record, writing.at_ms)?;
        let ends = match (writing.keeps_history, entry.earlier.front()) {
            (false, _) => weight(&entry.record),
            (true, Some(oldest)) if entry.earlier.len() as u64 >= limits::HISTORY => weight(oldest),
            (true, _) => 0,
        };
        kept.make_room(weight(&record), ends, self.room)?;
        let event = kept.tell(owner, self.retention, |seq| told(&record, seq, true));
        if let Some(entry) = kept.records.get_mut(owner).and_then(|of| of.get_mut(id)) {
            let before = std::mem::replace(&mut entry.record, record.clone());
            entry.seq = event.seq;
            if writing.keeps_history {
                entry.earlier.push_back(before);
                if entry.earlier.len() as u64 > limits::HISTORY {
                    entry.earlier.pop_front();
                }
            }
        }
        Ok(Written { record, event })
    }

    fn delete_now(
        &self,
        owner: &Owner,
        id: &RecordId,
        version: u64,
        writing: Writing,
    ) -> Result<RecordEvent, RecordError> {
        let mut kept = self.kept();
        let not_found = || RecordError::NotFound { id: id.clone() };
        check_version(&kept.find(owner, id).ok_or_else(not_found)?.record, version)?;
        let of_owner = kept.records.get_mut(owner);
        let entry = of_owner.and_then(|of| of.remove(id)).ok_or_else(not_found)?;
        let versions = entry.earlier.iter().chain([&entry.record]);
        kept.bytes -= versions.map(weight).sum::<usize>();
        // By its tags it could still be told what it was about.
        for told in kept.events.iter_mut().filter(|told| told.event.id == *id) {
            told.event.tags.clear();
        }
        let gone = |seq| told_gone(&entry.record, writing.at_ms, seq, true);
        Ok(kept.tell(owner, self.retention, gone))
    }

    fn search_now(&self, owner: &Owner, query: &Query) -> Result<Page, RecordError> {
        limits::check_query(query)?;
        let kept = self.kept();
        let of_owner = kept.records.get(owner).into_iter().flat_map(HashMap::values);
        let mut entries: Vec<&Entry> = of_owner
            .filter(|entry| query.before.is_none_or(|before| entry.seq < before))
            .filter(|entry| query.made_by.as_ref().is_none_or(|by| *by == entry.record.owner))
            .filter(|entry| super::matching::matches_labels_of(&query.selector, &entry.record))
            .collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.seq));
        let mut page = Filling::new(query);
        for entry in entries {
            if page.is_full() {
                return Ok(page.stopped());
            }
            page.offer(entry.record.clone(), entry.seq);
        }
        Ok(page.ended())
    }

    fn events_now(&self, place: &Place, limit: u32) -> Result<Vec<StoredEvent>, RecordError> {
        let kept = self.kept();
        let pruned = kept.seq - kept.events.len() as u64;
        check_place(place, &self.life, pruned, kept.seq)?;
        let limit = limit.min(limits::EVENTS) as usize;
        let first = usize::try_from(place.seq - pruned).unwrap_or(usize::MAX);
        Ok(kept.events.iter().skip(first).take(limit).cloned().collect())
    }
}

/// About how many bytes a record takes.
fn weight(record: &Record) -> usize {
    const ROW: usize = 256;
    let tags: usize = record.tags.iter().map(String::len).sum();
    limits::size(&record.context) + record.title.len() + tags + ROW
}

impl Kept {
    fn find(&self, owner: &Owner, id: &RecordId) -> Option<&Entry> {
        self.records.get(owner)?.get(id)
    }

    /// Counts what comes and what goes, if that fits.
    fn make_room(&mut self, comes: usize, goes: usize, room: usize) -> Result<(), RecordError> {
        let bytes = self.bytes + comes - goes;
        if comes > goes && bytes > room {
            return Err(RecordError::MemoryFull { limit: room });
        }
        self.bytes = bytes;
        Ok(())
    }

    fn tell(
        &mut self,
        owner: &Owner,
        retention: Retention,
        event: impl FnOnce(u64) -> RecordEvent,
    ) -> RecordEvent {
        self.seq += 1;
        let event = event(self.seq);
        self.events.push_back(StoredEvent { owner: owner.clone(), event: event.clone() });
        let pruned = self.seq - self.events.len() as u64;
        if let Some(up_to) = retention.prunes(pruned, self.seq) {
            let count = usize::try_from(up_to - pruned).unwrap_or(usize::MAX);
            self.events.drain(..count.min(self.events.len()));
        }
        event
    }
}

impl RecordStore for MemoryRecords {
    fn create<'a>(
        &'a self,
        owner: &'a Owner,
        new: NewRecord,
        writing: Writing,
    ) -> Answer<'a, Written> {
        Box::pin(async move { self.create_now(owner, new, writing) })
    }

    fn read<'a>(&'a self, owner: &'a Owner, id: &'a RecordId) -> Answer<'a, Option<Record>> {
        Box::pin(async move { Ok(self.kept().find(owner, id).map(|entry| entry.record.clone())) })
    }

    fn change<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a RecordId,
        version: u64,
        change: Change,
        writing: Writing,
    ) -> Answer<'a, Written> {
        Box::pin(async move { self.change_now(owner, id, version, change, writing) })
    }

    fn delete<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a RecordId,
        version: u64,
        writing: Writing,
    ) -> Answer<'a, RecordEvent> {
        Box::pin(async move { self.delete_now(owner, id, version, writing) })
    }

    fn search<'a>(&'a self, owner: &'a Owner, query: &'a Query) -> Answer<'a, Page> {
        Box::pin(async move { self.search_now(owner, query) })
    }

    fn history<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a RecordId,
        limit: u32,
    ) -> Answer<'a, Vec<Record>> {
        Box::pin(async move {
            let kept = self.kept();
            let earlier =
                kept.find(owner, id).into_iter().flat_map(|entry| entry.earlier.iter().rev());
            Ok(earlier.take(limit as usize).cloned().collect())
        })
    }

    fn head(&self) -> Answer<'_, Place> {
        Box::pin(async move { Ok(Place { life: self.life.clone(), seq: self.kept().seq }) })
    }

    fn events_after<'a>(&'a self, place: &'a Place, limit: u32) -> Answer<'a, Vec<StoredEvent>> {
        Box::pin(async move { self.events_now(place, limit) })
    }
}

#[cfg(test)]
mod tests {
    use outrigger_protocol::records::Context;
    use serde_json::json;

    use super::*;

    fn large(number: u128) -> NewRecord {
        NewRecord {
            id: RecordId::of_bits(number),
            schema_name: "note.v1".into(),
            title: String::new(),
            tags: Vec::new(),
            context: Context::from_iter([("text".into(), json!("x".repeat(1000)))]),
            made_by: "me".into(),
        }
    }

    #[tokio::test]
    async fn memory_is_bounded_and_what_is_deleted_makes_room() {
        let owner = Owner::local();
        let mut store = MemoryRecords::new(Retention::default()).unwrap();
        store.room = 10_000;
        let mut made = 0;
        let error = loop {
            match store.create(&owner, large(made), Writing::at(1)).await {
                Ok(_) => made += 1,
                Err(error) => break error,
            }
        };
        assert_eq!(error.code(), "records_memory_full");
        // A thousand letters each, and what a record takes beside them.
        assert_eq!(made, 7);
        let smaller = Change::Replace { title: "s".into(), tags: vec![], context: Context::new() };
        store.change(&owner, &RecordId::of_bits(0), 1, smaller, Writing::at(2)).await.unwrap();
        store.create(&owner, large(made), Writing::at(3)).await.unwrap();
        for number in 0..=made {
            let version = if number == 0 { 2 } else { 1 };
            let id = RecordId::of_bits(number);
            store.delete(&owner, &id, version, Writing::at(4)).await.unwrap();
        }
        assert_eq!(store.kept().bytes, 0);
    }
}
