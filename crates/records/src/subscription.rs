//! One subscriber's way through the events: first what it missed, read from the store
//! at its own pace, then what comes, from a queue. Between the two there is neither a
//! hole nor a double: it gets its queue at the moment at which it has read as far as
//! everybody was told.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use outrigger_protocol::records::{RecordEvent, Selector};
use outrigger_store::Owner;
use outrigger_store::records::{limits, matching};

use crate::error::RecordsError;
use crate::fan_out::{Known, Queue, is_meant};
use crate::position::{Position, Source};
use crate::service::Shared;

/// The most selectors of one subscription.
pub(crate) const SELECTORS: usize = 16;

/// From where on somebody wants to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum After {
    /// What happens from now on.
    Now,
    /// All that happened after that.
    Position(Position),
}

/// What a subscriber gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivery {
    /// A record changed.
    Event {
        /// What happened.
        event: Arc<RecordEvent>,
        /// From where to go on once this is dealt with.
        position: Position,
    },
    /// It was too slow, and more happened than was kept for it. The subscription has
    /// ended; another one from that position gets all of it.
    Gap {
        /// From where to go on.
        resume: Position,
    },
}

/// The events that somebody asked for, in order. Dropping it ends that.
pub struct Subscription {
    shared: Arc<Shared>,
    owner: Owner,
    selectors: Arc<[Selector]>,
    position: Position,
    /// Read from the store and not handed out yet.
    read: VecDeque<Arc<RecordEvent>>,
    /// Up to where has been read.
    reading: Position,
    phase: Phase,
}

enum Phase {
    CatchingUp,
    Live(Queue),
    Ended,
}

impl Subscription {
    pub(crate) async fn start(
        shared: Arc<Shared>,
        owner: &Owner,
        selectors: Vec<Selector>,
        after: After,
    ) -> Result<Self, RecordsError> {
        if selectors.is_empty() || selectors.len() > SELECTORS {
            let found = selectors.len();
            return Err(RecordsError::Selectors { found, limit: SELECTORS });
        }
        for selector in &selectors {
            if matching::means_everything(selector) {
                return Err(RecordsError::MeansEverything);
            }
            limits::check_selector(selector)?;
        }
        let reached = shared.fan_out().reached.clone();
        let is_new = after == After::Now;
        let position = match after {
            After::Now => reached.clone(),
            After::Position(position) => position.in_this_life(&reached),
        };
        let mut subscription = Subscription {
            shared,
            owner: owner.clone(),
            selectors: selectors.into(),
            reading: position.clone(),
            position,
            read: VecDeque::new(),
            phase: Phase::CatchingUp,
        };
        if is_new {
            while !subscription.go_live()? {
                // Something was told meanwhile, and now is later.
                subscription.reading = subscription.shared.fan_out().reached.clone();
                subscription.position = subscription.reading.clone();
            }
        } else {
            // A place that is no good is told now, not later.
            for source in Source::BOTH {
                subscription.read_from(source).await?;
            }
        }
        Ok(subscription)
    }

    /// The next delivery; none after a gap, and when the records end. After an error it
    /// can be called again and goes on where it was. Nothing is lost if it is dropped.
    pub async fn next(&mut self) -> Result<Option<Delivery>, RecordsError> {
        loop {
            if let Some(event) = self.read.pop_front() {
                return Ok(Some(self.hand_out(event)));
            }
            match &mut self.phase {
                Phase::CatchingUp => {
                    self.position = self.reading.clone();
                    if !self.go_live()? {
                        for source in Source::BOTH {
                            self.read_from(source).await?;
                        }
                    }
                }
                Phase::Live(queue) => {
                    if let Some(event) = queue.events.recv().await {
                        return Ok(Some(self.hand_out(event)));
                    }
                    let is_behind = queue.is_behind.load(Ordering::Acquire);
                    self.phase = Phase::Ended;
                    if is_behind {
                        return Ok(Some(Delivery::Gap { resume: self.position.clone() }));
                    }
                }
                Phase::Ended => return Ok(None),
            }
        }
    }

    /// From where to go on if it ended now. It moves on with events that nobody asked
    /// for too, so that a place is not forgotten because little happens.
    pub fn position(&mut self) -> Position {
        if let Phase::Live(queue) = &self.phase
            && self.read.is_empty()
        {
            // Whoever tells holds this while it fills the queue.
            let fan_out = self.shared.fan_out();
            if queue.events.is_empty() && !queue.is_behind.load(Ordering::Acquire) {
                for source in Source::BOTH {
                    let reached = fan_out.reached.of(source);
                    if reached.seq > self.position.of(source).seq {
                        *self.position.of_mut(source) = reached.clone();
                    }
                }
            }
        }
        self.position.clone()
    }

    fn hand_out(&mut self, event: Arc<RecordEvent>) -> Delivery {
        let source = if event.volatile { Source::Volatile } else { Source::Durable };
        self.position.of_mut(source).seq = event.seq;
        Delivery::Event { event, position: self.position.clone() }
    }

    /// Gets a queue, if it has read as far as everybody was told.
    fn go_live(&mut self) -> Result<bool, RecordsError> {
        let mut fan_out = self.shared.fan_out();
        let is_there = Source::BOTH.into_iter().all(|source| {
            let (reached, reading) = (fan_out.reached.of(source), self.reading.of(source));
            reached.life == reading.life && reached.seq <= reading.seq
        });
        if is_there && !self.shared.ended.is_cancelled() {
            let limit = self.shared.settings.subscriptions;
            if fan_out.len() >= limit {
                return Err(RecordsError::TooManySubscriptions { limit });
            }
            let room = self.shared.settings.queue;
            let queue = fan_out.add(&self.owner, &self.selectors, &self.reading, room);
            drop(fan_out);
            self.phase = Phase::Live(queue);
            self.shared.followers_changed();
            return Ok(true);
        }
        if self.shared.ended.is_cancelled() {
            drop(fan_out);
            self.phase = Phase::Ended;
            return Ok(true);
        }
        Ok(false)
    }

    /// Reads some of what was missed. It counts only once all of it is read.
    async fn read_from(&mut self, source: Source) -> Result<(), RecordsError> {
        let place = self.reading.of(source).clone();
        let events = self.shared.events_after(source, &place, limits::EVENTS).await?;
        let Some(last) = events.last().map(|last| last.event.seq) else { return Ok(()) };
        let mut meant = Vec::new();
        for stored in events.into_iter().filter(|stored| stored.owner == self.owner) {
            let is_one = match is_meant(&self.selectors, &stored.event, &Known::Nothing) {
                Some(is_one) => is_one,
                None => {
                    let id = &stored.event.id;
                    let record = self.shared.read_from(source, &self.owner, id).await?;
                    let known = Known::Record(record.as_ref());
                    is_meant(&self.selectors, &stored.event, &known) == Some(true)
                }
            };
            if is_one {
                meant.push(Arc::new(stored.event));
            }
        }
        self.read.extend(meant);
        self.reading.of_mut(source).seq = last;
        Ok(())
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Phase::Live(queue) = &self.phase {
            self.shared.fan_out().remove(queue.number);
            self.shared.followers_changed();
        }
    }
}
