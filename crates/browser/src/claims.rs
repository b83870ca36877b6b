//! The tabs of one session: how it came by each, and whether it stands in the
//! session's tab group.

use std::collections::BTreeMap;
use std::time::SystemTime;

use crate::sessions::TabKey;

/// How a session came by a tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    opened: bool,
    since: SystemTime,
    /// It was seen in the session's tab group, so that leaving it means something.
    grouped: bool,
}

impl Claim {
    /// The session opened it.
    pub fn opened() -> Claim {
        Claim { opened: true, since: SystemTime::now(), grouped: false }
    }

    /// The user gave it.
    pub fn shared() -> Claim {
        Claim { opened: false, ..Claim::opened() }
    }
}

/// The tabs of one session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Claims(BTreeMap<TabKey, Claim>);

impl Claims {
    /// A tab that the session opened, or chose where nobody minds.
    pub fn insert(&mut self, key: TabKey) {
        self.0.entry(key).or_insert_with(Claim::opened).opened = true;
    }

    /// A tab; one that it has stays as it is.
    pub fn add(&mut self, key: TabKey, claim: Claim) {
        self.0.entry(key).or_insert(claim);
    }

    /// Gives one up.
    pub fn remove(&mut self, key: &TabKey) {
        self.0.remove(key);
    }

    /// Whether it is one of them.
    pub fn contains(&self, key: &TabKey) -> bool {
        self.0.contains_key(key)
    }

    /// All of them.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &TabKey> {
        self.0.keys()
    }

    /// Those that the session opened itself.
    pub fn opened(&self) -> impl Iterator<Item = &TabKey> {
        self.0.iter().filter(|(_, claim)| claim.opened).map(|(key, _)| key)
    }

    /// Since when one is shared; none for one that the session opened itself.
    pub fn shared_since(&self, key: &TabKey) -> Option<SystemTime> {
        self.0.get(key).filter(|claim| !claim.opened).map(|claim| claim.since)
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// None.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn is_grouped(&self, key: &TabKey) -> bool {
        self.0.get(key).is_some_and(|claim| claim.grouped)
    }

    pub(crate) fn set_grouped(&mut self, key: &TabKey) {
        if let Some(claim) = self.0.get_mut(key) {
            claim.grouped = true;
        }
    }

    pub(crate) fn rename(&mut self, old: &TabKey, new: &TabKey) {
        if let Some(claim) = self.0.remove(old) {
            self.0.insert(new.clone(), claim);
        }
    }
}

impl Extend<TabKey> for Claims {
    fn extend<T: IntoIterator<Item = TabKey>>(&mut self, keys: T) {
        keys.into_iter().for_each(|key| self.insert(key));
    }
}
