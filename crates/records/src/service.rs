//! The way to all records: which store a record is in, how long is waited for it, and
//! that others hear of every change.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use outrigger_bus::{Bus, Notice};
use outrigger_protocol::records::{Context, Record, RecordEvent, RecordId, Selector};
use outrigger_store::Owner;
use outrigger_store::records::{
    Answer, Change, MemoryRecords, NewRecord, Place, RecordError, RecordStore, Retention,
    StoredEvent, Writing,
};
use serde_json::Value;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

use crate::agents::Doings;
use crate::error::RecordsError;
use crate::fan_out::FanOut;
use crate::follow;
use crate::position::{Position, Source};
use crate::schemas;
use crate::subscription::{After, Subscription};
use crate::withheld::Withheld;

/// The life of a store that nobody has reached yet. None is called so.
const NOWHERE: &str = "nowhere";

/// What can be chosen about records.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What this hub is called, over restarts. Each of those that share their records has
    /// a name of its own.
    pub hub: String,
    /// How long anything may take that waits for a store.
    pub deadline: Duration,
    /// Events that wait for a subscriber before it is let go.
    pub queue: usize,
    /// Subscriptions at once.
    pub subscriptions: usize,
    /// How often the durable store is looked into though nobody told of anything: other
    /// hubs write too, and their notices can be lost. None where there are no others.
    pub look_every: Option<Duration>,
    /// Events of volatile records to go on from.
    pub volatile_events: Retention,
    /// Schemas whose records are in memory alone.
    pub volatile_schemas: BTreeSet<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            hub: "local".to_owned(),
            deadline: Duration::from_secs(5),
            queue: 256,
            subscriptions: 10_000,
            look_every: None,
            volatile_events: Retention::of_events(1_000),
            volatile_schemas: schemas::volatile().map(str::to_owned).collect(),
        }
    }
}

/// A record that isn't there yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Its schema, for good. It says whether the record is volatile.
    pub schema_name: String,
    /// For people.
    pub title: String,
    /// By which it is found.
    pub tags: Vec<String>,
    /// What it is about.
    pub context: Context,
    /// Who makes it, for good.
    pub made_by: String,
}

/// Whether the version that a change ends is kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum History {
    /// It is gone.
    #[default]
    Off,
    /// It can be read later.
    On,
}

/// All records that this process reaches. A clone is the same; they end with
/// [`close`](Records::close), or when the last clone is gone.
#[derive(Clone)]
pub struct Records {
    pub(crate) shared: Arc<Shared>,
    _alive: Arc<Alive>,
}

/// Subscriptions and the work in the background have the rest too.
struct Alive(Arc<Shared>);

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.end();
    }
}

pub(crate) struct Shared {
    durable: Arc<dyn RecordStore>,
    volatile: MemoryRecords,
    pub(crate) bus: Arc<dyn Bus>,
    pub(crate) settings: Settings,
    fan_out: Mutex<FanOut>,
    wake_durable: Notify,
    wake_volatile: Notify,
    followers: watch::Sender<u64>,
    withheld: Withheld,
    pub(crate) ended: CancellationToken,
    /// What agents have in hand.
    doings: Mutex<Doings>,
    /// Held while an agent is made or changed: no two have one name.
    pub(crate) defining: tokio::sync::Mutex<()>,
}

impl Records {
    /// Over that store and that bus. Events are followed from now on; those of a server
    /// that isn't there yet, as soon as it is.
    pub async fn start(
        durable: Arc<dyn RecordStore>,
        bus: Arc<dyn Bus>,
        settings: Settings,
    ) -> Result<Self, RecordsError> {
        let volatile = MemoryRecords::new(settings.volatile_events)?;
        let limit = settings.deadline;
        let head = match tokio::time::timeout(limit, durable.head()).await {
            // Whoever reads events finds that this is no place of it, and goes on from its own.
            Err(_) | Ok(Err(RecordError::Unreachable { .. })) => {
                Place { life: NOWHERE.into(), seq: 0 }
            }
            Ok(head) => head?,
        };
        let reached = Position { durable: head, volatile: volatile.head().await? };
        let shared = Arc::new(Shared {
            durable,
            volatile,
            bus,
            settings,
            fan_out: Mutex::new(FanOut::new(reached)),
            wake_durable: Notify::new(),
            wake_volatile: Notify::new(),
            followers: watch::Sender::new(0),
            withheld: Withheld::default(),
            ended: CancellationToken::new(),
            doings: Mutex::default(),
            defining: tokio::sync::Mutex::default(),
        });
        for source in Source::BOTH {
            tokio::spawn(follow::follow(shared.clone(), source));
        }
        tokio::spawn(follow::listen(shared.clone()));
        Ok(Records { _alive: Arc::new(Alive(shared.clone())), shared })
    }

    /// Makes a record.
    pub async fn create(&self, owner: &Owner, draft: Draft) -> Result<Record, RecordsError> {
        self.create_as(owner, new_id()?, draft).await
    }

    /// Makes an action. What it says to type is in no record: whoever carries it out is
    /// given it, once. What it says of the hub to which it was written is the hub's word.
    pub(crate) async fn create_action(
        &self,
        owner: &Owner,
        mut draft: Draft,
    ) -> Result<Record, RecordsError> {
        let id = new_id()?;
        self.shared.withheld.keep(&id, &mut draft.context)?;
        draft.context.insert("hub".into(), self.shared.settings.hub.clone().into());
        let made = self.create_as(owner, id.clone(), draft).await;
        if made.is_err() {
            self.shared.withheld.take(&id);
        }
        made
    }

    /// What an action that was made here says to type, once. None after a restart.
    pub fn take_text(&self, action: &RecordId) -> Option<String> {
        self.shared.withheld.take(action)
    }

    /// Whether what an action says to type is here.
    pub fn has_text(&self, action: &RecordId) -> bool {
        self.shared.withheld.has(action)
    }

    /// Whether an action was written here: what its author knows of browsers, it knows
    /// from here.
    pub fn was_written_here(&self, action: &Record) -> bool {
        action.context.get("hub").and_then(Value::as_str) == Some(&*self.shared.settings.hub)
    }

    /// Makes the record of that name. Of several who try, one makes it.
    pub async fn create_as(
        &self,
        owner: &Owner,
        id: RecordId,
        draft: Draft,
    ) -> Result<Record, RecordsError> {
        let is_volatile = self.shared.settings.volatile_schemas.contains(&draft.schema_name);
        let source = if is_volatile { Source::Volatile } else { Source::Durable };
        let new = NewRecord {
            id,
            schema_name: draft.schema_name,
            title: draft.title,
            tags: draft.tags,
            context: draft.context,
            made_by: draft.made_by,
        };
        let making = self.shared.store(source).create(owner, new, Writing::at(now_ms()));
        let written = self.shared.written(making).await?;
        self.shared.tell(owner, written.event);
        Ok(written.record)
    }

    /// The record of that name.
    pub async fn read(&self, owner: &Owner, id: &RecordId) -> Result<Record, RecordsError> {
        let found = self.shared.read_from(self.shared.source_of(owner, id), owner, id).await?;
        Ok(found.ok_or_else(|| RecordError::NotFound { id: id.clone() })?)
    }

    /// Changes a record that still has this version; otherwise the error says which one
    /// it has.
    pub async fn change(
        &self,
        owner: &Owner,
        id: &RecordId,
        version: u64,
        change: Change,
        history: History,
    ) -> Result<Record, RecordsError> {
        let writing = Writing { at_ms: now_ms(), keeps_history: history == History::On };
        let store = self.shared.store(self.shared.source_of(owner, id));
        let written =
            self.shared.written(store.change(owner, id, version, change, writing)).await?;
        self.shared.tell(owner, written.event);
        Ok(written.record)
    }

    /// Removes a record that still has this version, and its history.
    pub async fn delete(
        &self,
        owner: &Owner,
        id: &RecordId,
        version: u64,
    ) -> Result<(), RecordsError> {
        let store = self.shared.store(self.shared.source_of(owner, id));
        let removing = store.delete(owner, id, version, Writing::at(now_ms()));
        let event = self.shared.written(removing).await?;
        self.shared.tell(owner, event);
        Ok(())
    }

    /// Earlier versions of a record, the newest first: those that were kept.
    pub async fn history(
        &self,
        owner: &Owner,
        id: &RecordId,
        limit: u32,
    ) -> Result<Vec<Record>, RecordsError> {
        let store = self.shared.store(self.shared.source_of(owner, id));
        self.shared.read_within(store.history(owner, id, limit)).await
    }

    /// Follows the records that one of the selectors means.
    pub async fn subscribe(
        &self,
        owner: &Owner,
        selectors: Vec<Selector>,
        after: After,
    ) -> Result<Subscription, RecordsError> {
        Subscription::start(self.shared.clone(), owner, selectors, after).await
    }

    /// Whether somebody follows records of that schema, by its name or by tags, of which
    /// they have these. What nobody follows need not be kept up to date.
    pub fn is_followed(&self, owner: &Owner, schema_name: &str, tags: &[String]) -> bool {
        self.shared.fan_out().is_followed(owner, schema_name, tags)
    }

    /// Changes whenever somebody begins or ends to follow records.
    pub fn followers(&self) -> watch::Receiver<u64> {
        self.shared.followers.subscribe()
    }

    /// Whether the bus reaches others now.
    pub fn is_bus_connected(&self) -> bool {
        self.shared.bus.is_connected()
    }

    /// Ends all subscriptions. Whatever was answered is kept already.
    pub fn close(&self) {
        self.shared.end();
    }
}

fn new_id() -> Result<RecordId, RecordsError> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(|error| RecordsError::NoRandomness(error.to_string()))?;
    Ok(RecordId::of_bits(u128::from_le_bytes(bits)))
}

impl Shared {
    fn end(&self) {
        self.ended.cancel();
        self.fan_out().end();
    }

    pub(crate) fn fan_out(&self) -> MutexGuard<'_, FanOut> {
        self.fan_out.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn doings(&self) -> MutexGuard<'_, Doings> {
        self.doings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn wake(&self, source: Source) {
        match source {
            Source::Durable => self.wake_durable.notify_one(),
            Source::Volatile => self.wake_volatile.notify_one(),
        }
    }

    /// Until there may be something new.
    pub(crate) async fn woken(&self, source: Source) {
        match (source, self.settings.look_every) {
            (Source::Volatile, _) => self.wake_volatile.notified().await,
            (Source::Durable, None) => self.wake_durable.notified().await,
            (Source::Durable, Some(pause)) => {
                // Woken or not, it is time to look.
                let _ = tokio::time::timeout(pause, self.wake_durable.notified()).await;
            }
        }
    }

    pub(crate) fn followers_changed(&self) {
        self.followers.send_modify(|changes| *changes += 1);
    }

    pub(crate) async fn read_from(
        &self,
        source: Source,
        owner: &Owner,
        id: &RecordId,
    ) -> Result<Option<Record>, RecordsError> {
        self.read_within(self.store(source).read(owner, id)).await
    }

    pub(crate) async fn events_after(
        &self,
        source: Source,
        place: &Place,
        limit: u32,
    ) -> Result<Vec<StoredEvent>, RecordsError> {
        self.read_within(self.store(source).events_after(place, limit)).await
    }

    pub(crate) async fn head(&self, source: Source) -> Result<Place, RecordsError> {
        self.read_within(self.store(source).head()).await
    }

    pub(crate) fn store(&self, source: Source) -> &dyn RecordStore {
        match source {
            Source::Durable => &*self.durable,
            Source::Volatile => &self.volatile,
        }
    }

    fn source_of(&self, owner: &Owner, id: &RecordId) -> Source {
        if self.volatile.has(owner, id) { Source::Volatile } else { Source::Durable }
    }

    /// An answer, if it comes in time.
    pub(crate) async fn read_within<T>(&self, answer: Answer<'_, T>) -> Result<T, RecordsError> {
        let limit = self.settings.deadline;
        let answered = tokio::time::timeout(limit, answer).await;
        Ok(answered.map_err(|_| RecordsError::TooSlow { limit })??)
    }

    /// What became of a change, if that is known in time.
    async fn written<T>(&self, answer: Answer<'_, T>) -> Result<T, RecordsError> {
        let limit = self.settings.deadline;
        match tokio::time::timeout(limit, answer).await {
            Ok(answered) => Ok(answered?),
            Err(_) => {
                // If it was made after all, others are to hear of it.
                self.wake(Source::Durable);
                Err(RecordsError::OutcomeUnknown { limit })
            }
        }
    }

    /// Has a change told, here and elsewhere.
    fn tell(&self, owner: &Owner, event: RecordEvent) {
        let source = if event.volatile { Source::Volatile } else { Source::Durable };
        let life = self.fan_out().reached.of(source).life.clone();
        self.wake(source);
        let Owner { user, workspace } = owner.clone();
        self.bus.publish(Notice { workspace, user, life, event });
    }
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
