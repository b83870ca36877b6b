//! What the hub remembers over restarts: what the user decided, and what was done.
//! Where that can't be read or kept, the guard is closed until it can; whoever mends
//! that is in `log_keeper.rs`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, Weak};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use outrigger_browser::Desk;
use outrigger_dispatch::helm::Word;
use outrigger_dispatch::journal::{Entry, NotKept};
use outrigger_dispatch::{Caller, Journal};
use outrigger_guard::Guard;
use outrigger_guard::change::{PolicyChange, trust_loosens};
use outrigger_guard::policy::Policy;
use outrigger_guard::trust::{Trust, TrustLists};
use outrigger_protocol::helm::{ListedSite, Rule, Rules, SiteList};
use outrigger_store::activity::ActivityEntry;
use outrigger_store::trust::{ListedDomain, Standing};
use outrigger_store::{Owner, Store, StoreError};
use tokio::sync::{Mutex as Turns, Notify, mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::change_log::{self, Author, Change, Sanction};
use crate::log_keeper::{FORGET_EVERY, Keeper, Line};
use crate::settings::Settings;

/// More unwritten entries than this, and nothing is allowed any more.
const MOST_UNWRITTEN: usize = 16 * 1024;

/// Longer names of clients and sessions are cut in the log.
const LONGEST_NAME: usize = 64;

/// How long a call waits to hear whether it can be logged.
const PROOF: Duration = Duration::from_secs(4);

/// Keeps something by what the user decided, and is to keep to it when that changes.
pub(crate) trait Heedful: Send + Sync {
    /// Judges it anew. A change is answered after that.
    fn heed(&self) -> Word<'_, ()>;
}

/// What is remembered, and where.
pub(crate) struct Memory {
    path: PathBuf,
    /// Another one where the file was replaced; why there is none, otherwise.
    store: RwLock<Result<Store, NotKept>>,
    /// Why nothing can be kept at present. The guard is closed for as long.
    fault: Mutex<Option<NotKept>>,
    /// Wakes whoever mends that.
    pub(crate) failed: Notify,
    guard: Arc<Guard>,
    entries: mpsc::Sender<Line>,
    /// How many entries found no room, and stand in no log yet.
    pub(crate) lost: AtomicU64,
    pub(crate) owner: Owner,
    /// What the settings say of sites, beside what is stored.
    set: SetTrust,
    /// What was read last, for the user to see, and where that is shown.
    known: RwLock<Rules>,
    desk: Weak<Desk>,
    /// One change at a time: what it loosens depends on those before it.
    changing: Turns<()>,
    /// Wakes whoever goes on only as long as it may.
    recalled: watch::Sender<()>,
    heedful: OnceLock<Weak<dyn Heedful>>,
}

/// Sites that the settings list.
#[derive(Debug, Clone)]
pub(crate) struct SetTrust {
    pub(crate) trusted: Vec<String>,
    pub(crate) blocked: Vec<String>,
}

impl Memory {
    /// Opens the store of this home, tells the guard what it says, and begins to log.
    pub(crate) async fn open(
        settings: &Settings,
        guard: Arc<Guard>,
        desk: &Arc<Desk>,
        tasks: &TaskTracker,
        end: CancellationToken,
    ) -> Arc<Self> {
        let path = settings.home.store_path();
        let store = Store::open(&path).await.map_err(not_kept);
        let (entries, unwritten) = mpsc::channel(MOST_UNWRITTEN);
        let fault = store.as_ref().err().cloned();
        let set = SetTrust {
            trusted: settings.trusted_domains.clone(),
            blocked: settings.blocked_domains.clone(),
        };
        let memory = Arc::new(Memory {
            path,
            store: RwLock::new(store),
            fault: Mutex::new(fault.clone()),
            failed: Notify::new(),
            guard,
            entries,
            lost: AtomicU64::new(0),
            owner: Owner::local(),
            set,
            known: RwLock::default(),
            desk: Arc::downgrade(desk),
            changing: Turns::default(),
            recalled: watch::Sender::new(()),
            heedful: OnceLock::new(),
        });
        // What the settings block is blocked though nothing else can be read.
        memory.guard.set_trust(memory.lists(&[]));
        match fault {
            None => memory.recall().await,
            Some(reason) => memory.fail(reason),
        }
        let (days, forget_every) = (settings.log_days, FORGET_EVERY);
        let keeper = Keeper { memory: memory.clone(), days, forget_every };
        keeper.forget().await;
        tasks.spawn(keeper.run(unwritten, end));
        memory
    }

    /// The store, or why there is none.
    pub(crate) fn store(&self) -> Result<Store, NotKept> {
        self.store.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells the guard all that was decided. Closes it where that can't be read.
    pub(crate) async fn recall(&self) {
        if let Err(reason) = self.read().await {
            self.fail(reason);
        }
        self.recalled.send_replace(());
        if let Some(heedful) = self.heedful.get().and_then(Weak::upgrade) {
            heedful.heed().await;
        }
    }

    /// Changes whenever the guard was told anew what was decided.
    pub(crate) fn recalled(&self) -> watch::Receiver<()> {
        self.recalled.subscribe()
    }

    /// Has it judge anew with every change from now on. There is one for good.
    pub(crate) fn is_heeded_by(&self, heedful: Weak<dyn Heedful>) {
        let _ = self.heedful.set(heedful);
    }

    async fn read(&self) -> Result<(), NotKept> {
        let store = self.store()?;
        let trust = store.trust(&self.owner).await.map_err(not_kept)?;
        let policies = store.policies(&self.owner).await.map_err(not_kept)?;
        // The guard opens with what it is told, and must not where nothing can be kept.
        let fault = self.lock();
        if let Some(reason) = &*fault {
            return Err(reason.clone());
        }
        self.guard.set_trust(self.lists(&trust));
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = shown(&policies, &trust);
        self.guard.set_lasting(policies);
        drop(fault);
        if let Some(desk) = self.desk.upgrade() {
            desk.requests.refresh();
        }
        Ok(())
    }

    /// What the user decided for good, for the user to see.
    pub(crate) fn known(&self) -> Rules {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn lists(&self, stored: &[ListedDomain]) -> TrustLists {
        let listed = |wanted: Standing, set: &'_ [String]| -> Vec<String> {
            let of_it = stored.iter().filter(move |listed| listed.standing == wanted);
            of_it.map(|listed| &listed.domain).chain(set).cloned().collect()
        };
        let trusted = listed(Standing::Trusted, &self.set.trusted);
        let blocked = listed(Standing::Blocked, &self.set.blocked);
        TrustLists::new(trusted.iter().map(String::as_str), blocked.iter().map(String::as_str))
    }

    /// The store and whose rows in it are this hub's, or why there is none.
    pub(crate) fn owned(&self) -> Result<(Store, &Owner), NotKept> {
        Ok((self.store()?, &self.owner))
    }

    /// Keeps lasting policies, all of them or none.
    pub(crate) async fn keep(&self, caller: &Caller, policies: &[Policy]) -> Result<(), NotKept> {
        let changes = policies.iter().cloned().map(PolicyChange::Put).collect();
        let author = Author::agent(caller);
        self.change_policies(&author, changes, Sanction::Answered).await.map(drop)
    }

    /// All lasting policies.
    pub(crate) async fn policies(&self) -> Result<Vec<Policy>, NotKept> {
        let store = self.store()?;
        store.policies(&self.owner).await.map_err(not_kept)
    }

    /// All sites that the user listed, and those that the settings do.
    pub(crate) async fn listed(&self) -> Result<(Vec<ListedDomain>, &SetTrust), NotKept> {
        let store = self.store()?;
        Ok((store.trust(&self.owner).await.map_err(not_kept)?, &self.set))
    }

    /// Changes policies, and hands back what loosens something and is not confirmed.
    pub(crate) async fn change_policies(
        &self,
        author: &Author,
        changes: Vec<PolicyChange>,
        sanction: Sanction,
    ) -> Result<Vec<PolicyChange>, NotKept> {
        let _alone = self.changing.lock().await;
        let changed = self.write_policies(author, changes, sanction).await;
        self.recall().await;
        changed
    }

    async fn write_policies(
        &self,
        author: &Author,
        changes: Vec<PolicyChange>,
        sanction: Sanction,
    ) -> Result<Vec<PolicyChange>, NotKept> {
        let store = self.store()?;
        let before = store.policies(&self.owner).await.map_err(not_kept)?;
        let is_unasked = sanction == Sanction::Unasked;
        let loosens = |change: &PolicyChange| is_unasked && change.loosens(&before);
        let (left, changes): (Vec<_>, Vec<_>) = changes.into_iter().partition(loosens);
        let written = store.change_policies(&self.owner, &changes).await.map_err(not_kept);
        for change in &changes {
            self.note_change(author, &Change::Policy(change), sanction.word(), of(&written));
        }
        written?;
        for change in &changes {
            if let PolicyChange::Put(policy) = change
                && !policy.allows
            {
                self.guard.revoke(policy);
            }
        }
        Ok(left)
    }

    /// Lists a site, or takes it off its list. False where that loosens something and
    /// is not confirmed.
    pub(crate) async fn change_trust(
        &self,
        author: &Author,
        domain: &str,
        trust: Trust,
        sanction: Sanction,
    ) -> Result<bool, NotKept> {
        let _alone = self.changing.lock().await;
        let store = self.store()?;
        let listed = store.trust(&self.owner).await.map_err(not_kept)?;
        let before = listed.iter().find(|listed| listed.domain == domain);
        let before = before.map_or(Trust::Unknown, |listed| match listed.standing {
            Standing::Trusted => Trust::Trusted,
            Standing::Blocked => Trust::Blocked,
        });
        if sanction == Sanction::Unasked && trust_loosens(before, trust) {
            return Ok(false);
        }
        let standing = match trust {
            Trust::Trusted => Some(Standing::Trusted),
            Trust::Blocked => Some(Standing::Blocked),
            Trust::Unknown => None,
        };
        let changed = match standing {
            Some(standing) => store.put_trust(&self.owner, domain, standing, now_ms()).await,
            None => store.remove_trust(&self.owner, domain).await.map(drop),
        };
        let changed = changed.map_err(not_kept);
        self.note_change(author, &Change::Site { domain, trust }, sanction.word(), of(&changed));
        self.recall().await;
        changed.map(|()| true)
    }

    /// Notes a change: what was decided about it, and what came of it.
    pub(crate) fn note_change(
        &self,
        author: &Author,
        change: &Change<'_>,
        decision: &str,
        outcome: &str,
    ) {
        self.take_down(change_log::entry(author, change, decision, outcome));
    }

    /// Takes an entry of the log in. One that finds no room is counted.
    fn take_down(&self, logged: ActivityEntry) {
        tracing::info!(
            target: "outrigger::activity",
            client = logged.client, session = logged.session, tool = logged.tool,
            key = logged.key, origin = logged.origin, decision = logged.decision,
            outcome = logged.outcome, ms = logged.duration_ms, bytes = logged.bytes,
        );
        if self.entries.try_send(Line::Entry(logged)).is_err() {
            self.lost.fetch_add(1, Ordering::SeqCst);
            let words = "the activity log can't be written as fast as it grows".to_owned();
            self.fail(NotKept { code: "log_full", words });
        }
    }

    /// Nothing is allowed until this is mended.
    pub(crate) fn fail(&self, reason: NotKept) {
        let mut fault = self.lock();
        if fault.as_ref() != Some(&reason) {
            tracing::error!(%reason, "nothing can be kept; nothing is allowed");
        }
        self.guard.close(reason.words.clone());
        *fault = Some(reason);
        self.failed.notify_one();
    }

    /// Opens the store anew: another file may be there now.
    pub(crate) async fn reopen(&self) -> Result<Store, NotKept> {
        let store = Store::open(&self.path).await.map_err(not_kept)?;
        store.prove_writable(now_ms()).await.map_err(not_kept)?;
        *self.store.write().unwrap_or_else(PoisonError::into_inner) = Ok(store.clone());
        Ok(store)
    }

    /// It can be kept again what is done.
    pub(crate) async fn go_on(&self) {
        *self.lock() = None;
        self.recall().await;
        if self.lock().is_none() {
            tracing::warn!("what is done can be kept again");
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Option<NotKept>> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn shown(policies: &[Policy], sites: &[ListedDomain]) -> Rules {
    let rule = |policy: &Policy| Rule {
        tools: policy.tools.to_string(),
        origins: policy.origins.to_string(),
        allow: policy.allows,
    };
    let site = |listed: &ListedDomain| ListedSite {
        domain: listed.domain.clone(),
        list: match listed.standing {
            Standing::Trusted => SiteList::Trusted,
            Standing::Blocked => SiteList::Blocked,
        },
    };
    let (policies, sites) = (policies.iter().map(rule), sites.iter().map(site));
    Rules { policies: policies.collect(), sites: sites.collect() }
}

/// What the store says, for whoever asked: others know nothing of stores.
// By value, so that it fits `map_err`.
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn not_kept(error: StoreError) -> NotKept {
    NotKept { code: error.code(), words: error.to_string() }
}

impl Journal for Memory {
    fn note(&self, entry: Entry) {
        self.take_down(logged(&entry));
    }

    fn written<'a>(&'a self) -> Word<'a, ()> {
        Box::pin(async move {
            if self.lock().is_some() {
                return;
            }
            let (written, heard) = oneshot::channel();
            let asking = async {
                if self.entries.send(Line::Awaited(written)).await.is_ok() {
                    let _ = heard.await;
                }
            };
            // A store that takes longer fails the next proof, which closes the guard; the
            // entry waits until it can be written.
            let _ = tokio::time::timeout(PROOF, asking).await;
        })
    }

    fn is_ready<'a>(&'a self) -> Word<'a, Result<(), NotKept>> {
        Box::pin(async move {
            if let Some(reason) = self.lock().clone() {
                return Err(reason);
            }
            let store = self.store()?;
            let proof = store.prove_writable(now_ms());
            let proven = match tokio::time::timeout(PROOF, proof).await {
                Ok(proven) => proven.map_err(not_kept),
                Err(_) => Err(NotKept {
                    code: "store_silent",
                    words: format!("the store {} does not answer", self.path.display()),
                }),
            };
            proven.inspect_err(|reason| self.fail(reason.clone()))
        })
    }
}

/// What came of something, for the log.
fn of(changed: &Result<(), NotKept>) -> &'static str {
    changed.as_ref().err().map_or("ok", |fault| fault.code)
}

fn logged(entry: &Entry) -> ActivityEntry {
    let since = entry.at.duration_since(UNIX_EPOCH).unwrap_or_default();
    ActivityEntry {
        at_ms: i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        client: short_name(&entry.caller.client),
        session: short_name(&entry.caller.session),
        tool: entry.tool.clone(),
        key: entry.access.as_ref().map(|access| access.key.to_string()),
        origin: entry.access.as_ref().map(|access| access.origin.to_string()),
        decision: entry.decision.clone(),
        outcome: entry.outcome.clone(),
        duration_ms: u64::try_from(entry.duration.as_millis()).unwrap_or(u64::MAX),
        characters: entry.characters as u64,
        tabs: entry.tabs as u64,
        bytes: entry.bytes as u64,
    }
}

/// What a client calls itself, without what would be more than a name.
pub(crate) fn short_name(said: &str) -> String {
    let plain = said.chars().filter(|letter| !letter.is_control());
    plain.take(LONGEST_NAME).collect()
}

/// Milliseconds since the epoch.
pub(crate) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
