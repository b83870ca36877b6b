//! The hash chain of the activity log: what a row's hash is made of, and whether
//! a log is the one that was written. It has no key: it shows what was changed by
//! accident or by hand, not what was made anew by somebody who can write the file
//! and knows this page.

use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::activity::ActivityEntry;
use crate::owner::Owner;
use crate::secret::Hash;

/// What the hash of a row covers, beside the hash before it. A change of it needs
/// another word here, or old rows would look changed.
const FORM: &[u8] = b"outrigger-activity-1";

/// What became of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is as it was written.
    Verified {
        /// How many entries it has.
        entries: u64,
    },
    /// It is not, from some entry on.
    Broken {
        /// The first entry that isn't as it was, or isn't there.
        seq: i64,
        /// What about it.
        why: Break,
    },
}

/// How a log isn't as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// The entry was removed.
    Missing,
    /// It says something else than it did.
    Changed,
    /// It doesn't follow the one before it.
    OutOfPlace,
    /// It was never appended.
    Added,
    /// Where the log begins and ends isn't known.
    NoAnchor,
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Break::Missing => "the entry was removed",
            Break::Changed => "the entry was changed",
            Break::OutOfPlace => "the entry doesn't follow the one before it",
            Break::Added => "the entry was added by hand",
            Break::NoAnchor => "the log's beginning or end was removed",
        })
    }
}

/// A row's place in the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) seq: i64,
    pub(crate) hash: Hash,
}

impl Place {
    /// The place of the entry that comes next.
    pub(crate) fn next(&self, owner: &Owner, entry: &ActivityEntry) -> Place {
        let seq = self.seq.saturating_add(1);
        Place { seq, hash: hash(&self.hash, seq, owner, entry) }
    }
}

/// A row as it is in the log.
pub(crate) struct Row {
    pub(crate) seq: i64,
    pub(crate) owner: Owner,
    pub(crate) entry: ActivityEntry,
    pub(crate) previous: Vec<u8>,
    pub(crate) hash: Vec<u8>,
}

/// Goes along a log, from its start to its head.
pub(crate) struct Walk {
    start: Place,
    last: Place,
    head: Place,
}

impl Walk {
    pub(crate) fn new(start: Place, head: Place) -> Self {
        Walk { start, last: start, head }
    }

    /// The next row, in the order of their numbers.
    pub(crate) fn step(&mut self, row: &Row) -> Result<(), Verdict> {
        let expected = self.last.next(&row.owner, &row.entry);
        let broken = |seq, why| Err(Verdict::Broken { seq, why });
        if row.seq > expected.seq && expected.seq <= self.head.seq {
            broken(expected.seq, Break::Missing)
        } else if row.seq < expected.seq || row.seq > self.head.seq {
            broken(row.seq, Break::Added)
        } else if row.previous != self.last.hash {
            broken(row.seq, Break::OutOfPlace)
        } else if row.hash != expected.hash {
            broken(row.seq, Break::Changed)
        } else {
            self.last = expected;
            Ok(())
        }
    }

    /// After the last row.
    pub(crate) fn end(&self) -> Verdict {
        if self.last == self.head {
            let entries = self.last.seq.saturating_sub(self.start.seq);
            Verdict::Verified { entries: u64::try_from(entries).unwrap_or(0) }
        } else if self.last.seq < self.head.seq {
            Verdict::Broken { seq: self.last.seq.saturating_add(1), why: Break::Missing }
        } else {
            // Whoever changed the last entry made its hash anew.
            Verdict::Broken { seq: self.last.seq, why: Break::Changed }
        }
    }
}

/// Every value goes in with its length or in eight bytes, so that no two rows
/// are written alike.
fn hash(previous: &Hash, seq: i64, owner: &Owner, entry: &ActivityEntry) -> Hash {
    let mut digest = Sha256::new();
    digest.update(previous);
    digest.update(FORM);
    digest.update(seq.to_be_bytes());
    digest.update(entry.at_ms.to_be_bytes());
    for text in [
        Some(&owner.user),
        Some(&owner.workspace),
        Some(&entry.client),
        Some(&entry.session),
        Some(&entry.tool),
        entry.key.as_ref(),
        entry.origin.as_ref(),
        entry.decision.as_ref(),
        Some(&entry.outcome),
    ] {
        match text {
            None => digest.update([0]),
            Some(text) => {
                digest.update([1]);
                digest.update((text.len() as u64).to_be_bytes());
                digest.update(text.as_bytes());
            }
        }
    }
    for number in [entry.duration_ms, entry.characters, entry.tabs, entry.bytes] {
        digest.update(number.to_be_bytes());
    }
    digest.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_entry() -> impl Strategy<Value = (Owner, ActivityEntry)> {
        let texts = prop::collection::vec("[ab]{0,2}", 6);
        let maybe = prop::collection::vec(prop::option::of("[ab]{0,2}"), 3);
        let numbers = prop::collection::vec(0_u64..3, 4);
        (texts, maybe, numbers, 0_i64..3).prop_map(|(texts, maybe, numbers, at_ms)| {
            let owner = Owner { user: texts[0].clone(), workspace: texts[1].clone() };
            let entry = ActivityEntry {
                at_ms,
                client: texts[2].clone(),
                session: texts[3].clone(),
                tool: texts[4].clone(),
                key: maybe[0].clone(),
                origin: maybe[1].clone(),
                decision: maybe[2].clone(),
                outcome: texts[5].clone(),
                duration_ms: numbers[0],
                characters: numbers[1],
                tabs: numbers[2],
                bytes: numbers[3],
            };
            (owner, entry)
        })
    }

    proptest! {
        #[test]
        fn two_rows_have_one_hash_only_if_they_are_the_same(
            one in any_entry(), other in any_entry(), seq in 1_i64..3, other_seq in 1_i64..3,
        ) {
            let hash = |seq, row: &(Owner, ActivityEntry)| hash(&[0; 32], seq, &row.0, &row.1);
            let is_same = one == other && seq == other_seq;
            prop_assert_eq!(hash(seq, &one) == hash(other_seq, &other), is_same);
        }
    }
}
