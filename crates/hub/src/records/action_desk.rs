//! One desk for each author: what can be done here is, one after the other and in its
//! order, and nobody waits for somebody else's. What can't be done here yet lies beside
//! and holds up nothing that came later.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use outrigger_protocol::records::{Record, RecordEvent, RecordEventKind, RecordId};
use outrigger_records::Records;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

use super::actions::Actions;
use super::other_hubs::OtherHubs;
use super::whose_action::{LOOK_EVERY, Turn, insist, is_gone};

/// Actions of one author that wait for their turn, and as many that can't be done yet.
const WAITING: usize = 100;
/// How often is asked whether somebody else took on what can't be done here.
const ASK_EVERY: Duration = Duration::from_secs(2);

/// All of them.
pub(super) struct Desks {
    actions: Arc<Actions>,
    authors: HashMap<String, mpsc::Sender<RecordId>>,
}

impl Desks {
    pub(super) fn new(actions: Arc<Actions>) -> Self {
        Desks { actions, authors: HashMap::new() }
    }

    pub(super) fn hear(&mut self, event: &RecordEvent) {
        if event.kind == RecordEventKind::Created {
            self.take(event.id.clone(), &event.owner);
        }
    }

    pub(super) fn take(&mut self, id: RecordId, author: &str) {
        let desk = self.authors.entry(author.to_owned()).or_insert_with(|| {
            let (sender, queue) = mpsc::channel(WAITING);
            let (actions, author) = (self.actions.clone(), author.to_owned());
            let stopped = actions.shared.shutdown.clone();
            let (waiting, others) = (Vec::new(), OtherHubs::default());
            let desk = Desk { actions, author, queue, waiting, others };
            self.actions.shared.tasks.spawn(stopped.run_until_cancelled_owned(desk.work()));
            sender
        });
        if desk.try_send(id).is_err() {
            tracing::warn!(author, "more actions wait than are listened to; one is left out");
        }
    }
}

/// An action that is not begun.
pub(super) struct Waiting {
    pub(super) action: Record,
    /// When it came to this hub.
    since: Instant,
    /// When somebody was asked about it last; none before it was passed over.
    asked: Option<Instant>,
}

struct Desk {
    actions: Arc<Actions>,
    author: String,
    queue: mpsc::Receiver<RecordId>,
    /// In the order in which they came.
    waiting: Vec<Waiting>,
    others: OtherHubs,
}

impl Desk {
    async fn work(mut self) {
        let mut browsers = self.actions.shared.desk.browsers.changes();
        loop {
            // What was read just now need not be looked at again before it is begun.
            let mut just_read = None;
            tokio::select! {
                id = self.queue.recv(), if self.waiting.len() < WAITING => match id {
                    Some(id) => {
                        self.receive(&id).await;
                        just_read = Some(id);
                    }
                    // Whoever follows the records from now on takes up what waits here.
                    None => return,
                },
                _ = timeout(LOOK_EVERY, browsers.changed()), if !self.waiting.is_empty() => {}
            }
            let Ok(records) = self.actions.records.get().await else { continue };
            while let Some(waiting) = self.next_to_do(&records).await {
                let is_open = just_read.take().is_some_and(|id| id == waiting.action.id)
                    || self.actions.is_open(&records, &waiting).await;
                if is_open && self.actions.carry_out(&records, &waiting.action).await {
                    self.others.lose_author();
                } else {
                    self.leave(&records, waiting.action.id);
                }
            }
            self.drop_what_is_taken(&records).await;
        }
    }

    async fn receive(&mut self, id: &RecordId) {
        let Ok(records) = self.actions.records.get().await else { return };
        let owner = &self.actions.records.owner;
        match insist(|| records.read(owner, id), is_gone).await {
            Some(action) => {
                self.waiting.push(Waiting { action, since: Instant::now(), asked: None });
            }
            // It was removed before its turn, or nobody can read it in time.
            None => drop(records.take_text(id)),
        }
    }

    /// The first that this hub is to take on. All are judged by one look, so that none
    /// overtakes another that needs the same; and none overtakes one that only waits for
    /// other hubs to let it pass.
    async fn next_to_do(&mut self, records: &Records) -> Option<Waiting> {
        if self.waiting.is_empty() {
            return None;
        }
        let sight = self.actions.look(records, &self.author).await;
        for number in 0..self.waiting.len() {
            let Waiting { action, since, .. } = &self.waiting[number];
            match self.actions.turn(records, &sight, action) {
                Turn::Ours => return Some(self.waiting.remove(number)),
                Turn::OursIfOthersLetPass => {
                    let before = self.waiting[..number].iter().map(|waiting| &waiting.action.id);
                    self.others.look(&self.actions, records, before).await;
                    let is_let_pass = self.others.let_pass(*since, sight.at);
                    return is_let_pass.then(|| self.waiting.remove(number));
                }
                Turn::NotYet => {}
            }
        }
        None
    }

    /// Somebody else took it on, or it was removed.
    fn leave(&mut self, records: &Records, id: RecordId) {
        records.take_text(&id);
        self.others.take(id);
    }

    async fn drop_what_is_taken(&mut self, records: &Records) {
        let mut left = Vec::with_capacity(self.waiting.len());
        for mut waiting in std::mem::take(&mut self.waiting) {
            let is_due = waiting.asked.is_none_or(|asked| asked.elapsed() >= ASK_EVERY);
            if is_due && !self.actions.is_open(records, &waiting).await {
                self.leave(records, waiting.action.id);
                continue;
            }
            if is_due {
                waiting.asked = Some(Instant::now());
            }
            left.push(waiting);
        }
        self.waiting = left;
    }
}
