//! How the page of a search is filled: which records are on it, and when it is full.
//! Stores hand over what could fit, in their order.

use outrigger_protocol::records::Record;

use super::{Page, Query, limits, matching};

/// A page that is being filled.
pub(super) struct Filling<'q> {
    query: &'q Query,
    limit: usize,
    records: Vec<Record>,
    bytes: usize,
    looked_through: usize,
    last: u64,
}

impl<'q> Filling<'q> {
    pub(super) fn new(query: &'q Query) -> Self {
        let limit = query.limit.unwrap_or(limits::PAGE).clamp(1, limits::PAGE) as usize;
        Filling { query, limit, records: Vec::new(), bytes: 0, looked_through: 0, last: 0 }
    }

    /// Takes a record that changed last with that event, if it is asked for.
    pub(super) fn offer(&mut self, record: Record, seq: u64) {
        self.looked_through += 1;
        self.last = seq;
        if matching::matches(&self.query.selector, &record) {
            self.bytes += limits::size(&record.context);
            self.records.push(record);
        }
    }

    /// Whether no more is to be offered.
    pub(super) fn is_full(&self) -> bool {
        self.records.len() >= self.limit
            || self.bytes >= limits::PAGE_BYTES
            || self.looked_through >= limits::LOOKED_THROUGH
    }

    /// The page, if more could have been offered.
    pub(super) fn stopped(self) -> Page {
        Page { records: self.records, next: Some(self.last) }
    }

    /// The page, if there was no more to offer.
    pub(super) fn ended(self) -> Page {
        Page { records: self.records, next: None }
    }

    /// Where to go on reading.
    pub(super) fn last(&self) -> Option<u64> {
        (self.looked_through > 0).then_some(self.last).or(self.query.before)
    }
}
