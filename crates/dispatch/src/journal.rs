//! The activity log: who, what, where, how it was decided and how it ended, how
//! long, how much. Never content.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use outrigger_guard::{Access, Profile};
use outrigger_protocol::agent::{CallReply, Content};
use tokio::time::Instant;

use crate::helm::Word;
use crate::tool::Caller;

/// One call, from its beginning to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// When it ended.
    pub at: SystemTime,
    /// Who called.
    pub caller: Caller,
    /// What: a name of the catalogue, and never a client's own words.
    pub tool: String,
    /// What it would touch; known once the call has its aim.
    pub access: Option<Access>,
    /// What allowed it, or how it was denied; then what the user said to whatever it
    /// turned out to do.
    pub decision: Option<String>,
    /// `ok`, or the code of what went wrong.
    pub outcome: String,
    /// How long it took.
    pub duration: Duration,
    /// How much text the answer has.
    pub characters: usize,
    /// How many tabs it tells of.
    pub tabs: usize,
    /// How large its pictures and files are.
    pub bytes: usize,
}

/// Why something can't be read, kept or noted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{words}")]
pub struct NotKept {
    /// For programs; it stays the same.
    pub code: &'static str,
    /// What is wrong, and what to do.
    pub words: String,
}

/// Whoever keeps the log.
pub trait Journal: Send + Sync {
    /// Takes an entry in; it must not wait.
    fn note(&self, entry: Entry);

    /// Comes when all that was noted so far is written, or can't be in time.
    fn written<'a>(&'a self) -> Word<'a, ()>;

    /// Whether what is done now can be noted; what can't be is not done where there
    /// is something to protect. Otherwise why, and what to do.
    fn is_ready<'a>(&'a self) -> Word<'a, Result<(), NotKept>>;
}

/// What becomes known of a call on its way.
#[derive(Debug, Default)]
pub struct Trace {
    pub(crate) access: OnceLock<Access>,
    pub(crate) decisions: Decisions,
}

/// All that was decided about a call, the first first. A clone is the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Decisions(Arc<Mutex<Vec<String>>>);

impl Decisions {
    pub(crate) fn note(&self, decision: impl Into<String>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(decision.into());
    }

    fn told(&self) -> Option<String> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (!all.is_empty()).then(|| all.join(", "))
    }
}

/// Notes a call when it ends; one that is dropped is noted as cancelled.
pub(crate) struct Noting<'a> {
    journal: &'a dyn Journal,
    started: Instant,
    caller: Caller,
    tool: String,
    pub(crate) trace: Trace,
    finished: AtomicBool,
}

impl<'a> Noting<'a> {
    pub(crate) fn begin(journal: &'a dyn Journal, caller: &Caller, tool: &str) -> Self {
        Noting {
            journal,
            started: Instant::now(),
            caller: caller.clone(),
            tool: tool.to_owned(),
            trace: Trace::default(),
            finished: AtomicBool::new(false),
        }
    }

    pub(crate) fn finish(&self, outcome: &str, reply: &CallReply, tabs: usize) {
        self.finished.store(true, Ordering::Relaxed);
        let (mut characters, mut bytes) = (0, 0);
        for piece in &reply.content {
            match piece {
                Content::Text { text } => characters += text.chars().count(),
                Content::Image { data, .. } | Content::File { data, .. } => {
                    bytes += data.len() / 4 * 3;
                }
            }
        }
        self.note(outcome, (characters, tabs, bytes));
    }

    /// Waits until what acted where there is something to protect is written: whoever is
    /// told that it was done finds it in the log, though the hub is killed then.
    pub(crate) async fn keep(&self, acts: bool) {
        let access = self.trace.access.get();
        if acts && access.is_some_and(|access| access.profile == Profile::Personal) {
            self.journal.written().await;
        }
    }

    /// Each step of a sequence is noted by itself, and the sequence is not.
    pub(crate) fn leave_to_steps(self) {
        self.finished.store(true, Ordering::Relaxed);
    }

    fn note(&self, outcome: &str, (characters, tabs, bytes): (usize, usize, usize)) {
        self.journal.note(Entry {
            at: SystemTime::now(),
            caller: self.caller.clone(),
            tool: self.tool.clone(),
            access: self.trace.access.get().cloned(),
            decision: self.trace.decisions.told(),
            outcome: outcome.to_owned(),
            duration: self.started.elapsed(),
            characters,
            tabs,
            bytes,
        });
    }
}

impl Drop for Noting<'_> {
    fn drop(&mut self) {
        if !self.finished.load(Ordering::Relaxed) {
            self.note("cancelled", (0, 0, 0));
        }
    }
}
