//! Who is told of an event, and that nobody waits for anybody: each subscriber has a
//! queue of its own, and one whose queue is full is let go. It finds the rest in the
//! store.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use outrigger_protocol::records::{Record, RecordEvent, RecordEventKind, Selector};
use outrigger_store::Owner;
use outrigger_store::records::{Place, StoredEvent, matching};
use tokio::sync::mpsc;

use crate::position::{Position, Source};

/// All subscribers, and up to where they have been told.
pub(crate) struct FanOut {
    pub(crate) reached: Position,
    subscribers: HashMap<u64, Subscriber>,
    last_number: u64,
}

struct Subscriber {
    owner: Owner,
    selectors: Arc<[Selector]>,
    /// What it has seen by itself before it was here.
    from: Position,
    queue: mpsc::Sender<Arc<RecordEvent>>,
    is_behind: Arc<AtomicBool>,
}

/// A subscriber's end of its queue.
pub(crate) struct Queue {
    pub(crate) number: u64,
    pub(crate) events: mpsc::Receiver<Arc<RecordEvent>>,
    /// Set before the queue ends, if it ends because it was full.
    pub(crate) is_behind: Arc<AtomicBool>,
}

/// What is known of the record that an event is about.
pub(crate) enum Known<'r> {
    /// Nobody has looked.
    Nothing,
    /// As it is now; none if it is gone.
    Record(Option<&'r Record>),
}

impl FanOut {
    pub(crate) fn new(reached: Position) -> Self {
        FanOut { reached, subscribers: HashMap::new(), last_number: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.subscribers.len()
    }

    /// Takes in a subscriber that has seen all that others were told.
    pub(crate) fn add(
        &mut self,
        owner: &Owner,
        selectors: &Arc<[Selector]>,
        from: &Position,
        room: usize,
    ) -> Queue {
        self.last_number += 1;
        let (queue, events) = mpsc::channel(room);
        let is_behind = Arc::new(AtomicBool::new(false));
        let subscriber = Subscriber {
            owner: owner.clone(),
            selectors: selectors.clone(),
            from: from.clone(),
            queue,
            is_behind: is_behind.clone(),
        };
        self.subscribers.insert(self.last_number, subscriber);
        Queue { number: self.last_number, events, is_behind }
    }

    pub(crate) fn remove(&mut self, number: u64) {
        self.subscribers.remove(&number);
    }

    /// Whether somebody asked for records of that schema, or with those tags.
    pub(crate) fn is_followed(&self, owner: &Owner, schema_name: &str, tags: &[String]) -> bool {
        let names = |selector: &Selector| match &selector.schema_name {
            Some(name) => name == schema_name,
            None => {
                let has_tags = !selector.any_tags.is_empty() || !selector.all_tags.is_empty();
                has_tags && matching::matches_labels(selector, schema_name, tags)
            }
        };
        let mut of_owner =
            self.subscribers.values().filter(|subscriber| subscriber.owner == *owner);
        of_owner.any(|subscriber| subscriber.selectors.iter().any(names))
    }

    /// Tells those who asked for it. False, and nobody is told, if the record has to be
    /// looked at before.
    pub(crate) fn tell(&mut self, source: Source, event: &StoredEvent, known: &Known<'_>) -> bool {
        let StoredEvent { owner, event } = event;
        let mut meant = Vec::new();
        for (number, subscriber) in &self.subscribers {
            if subscriber.owner != *owner || subscriber.from.of(source).seq >= event.seq {
                continue;
            }
            match is_meant(&subscriber.selectors, event, known) {
                Some(true) => meant.push(*number),
                Some(false) => {}
                None => return false,
            }
        }
        let told = Arc::new(event.clone());
        for number in meant {
            let Some(subscriber) = self.subscribers.get(&number) else { continue };
            if subscriber.queue.try_send(told.clone()).is_err() {
                subscriber.is_behind.store(true, Ordering::Release);
                self.subscribers.remove(&number);
            }
        }
        self.reached.of_mut(source).seq = event.seq;
        true
    }

    /// Ends every queue.
    pub(crate) fn end(&mut self) {
        self.subscribers.clear();
    }

    /// Goes on from another place. Everybody has missed something.
    pub(crate) fn jump(&mut self, source: Source, to: Place) {
        for (_, subscriber) in self.subscribers.drain() {
            subscriber.is_behind.store(true, Ordering::Release);
        }
        *self.reached.of_mut(source) = to;
    }
}

/// Whether one of the selectors means the event; none if that can't be told without
/// the record.
///
/// Conditions on a context are judged by the record as it is now. If it changed since,
/// another event follows, and counts. Of a record that is gone nothing is left to
/// judge, and whoever asked for its schema and tags is told.
pub(crate) fn is_meant(
    selectors: &[Selector],
    event: &RecordEvent,
    known: &Known<'_>,
) -> Option<bool> {
    let mut is_open = false;
    for selector in selectors {
        if !matching::matches_event(selector, event) {
            continue;
        }
        if selector.context_match.is_empty() || event.kind == RecordEventKind::Deleted {
            return Some(true);
        }
        match known {
            Known::Nothing => is_open = true,
            Known::Record(Some(record)) if matching::matches_context(selector, &record.context) => {
                return Some(true);
            }
            Known::Record(_) => {}
        }
    }
    if is_open { None } else { Some(false) }
}
