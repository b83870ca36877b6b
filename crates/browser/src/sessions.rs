//! Agent sessions: one agent's work with its tabs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// A tab of a linked browser.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TabKey {
    /// The browser.
    pub browser: String,
    /// Its number of the tab.
    pub tab: i64,
}

/// One agent's work.
#[derive(Debug, Clone)]
pub struct Session {
    /// The client's name.
    pub client: String,
    /// Where calls without `tab` go.
    pub current: Option<TabKey>,
    /// The tabs it opened.
    pub tabs: BTreeSet<TabKey>,
    /// Since when.
    pub started: SystemTime,
    /// How many calls it made.
    pub calls: u64,
    /// Whether a browser of its own was asked for.
    pub own_browser: OwnBrowser,
}

/// Whether a session has a browser that was launched for it alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnBrowser {
    /// It works in whatever is linked.
    No,
    /// It is launched, or on its way.
    Asked,
    /// It could not be launched.
    Failed(String),
}

/// All sessions, by name.
#[derive(Debug, Default)]
pub struct Sessions {
    sessions: Mutex<BTreeMap<String, Session>>,
}

impl Sessions {
    /// Looks at, or changes, a session; one that is new to us begins here.
    pub fn with<R>(&self, name: &str, client: &str, change: impl FnOnce(&mut Session) -> R) -> R {
        let mut sessions = self.lock();
        let session = sessions.entry(name.to_owned()).or_insert_with(|| Session {
            client: client.to_owned(),
            current: None,
            tabs: BTreeSet::new(),
            started: SystemTime::now(),
            calls: 0,
            own_browser: OwnBrowser::No,
        });
        change(session)
    }

    /// Whose tab it is.
    pub fn owner(&self, key: &TabKey) -> Option<String> {
        let sessions = self.lock();
        sessions
            .iter()
            .find(|(_, session)| session.tabs.contains(key))
            .map(|(name, _)| name.clone())
    }

    /// Ends a session.
    pub fn end(&self, name: &str) {
        self.lock().remove(name);
    }

    /// Every session, by name.
    pub fn all(&self) -> Vec<(String, Session)> {
        self.lock().iter().map(|(name, session)| (name.clone(), session.clone())).collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Session>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
