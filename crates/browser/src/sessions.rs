//! Agent sessions: one agent's work with its tabs. Whose a tab is, is decided
//! here and nowhere else; whether a session may go on is in `standing.rs`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use outrigger_protocol::helm::{GroupColour, SessionGroup, Standing};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::claims::{Claim, Claims};
use crate::standing::{Control, Order};

/// Longer names of clients are cut where people see them.
const LONGEST_NAME: usize = 40;

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
    /// The tabs it opened, and those that were shared with it.
    pub tabs: Claims,
    /// Since when.
    pub started: SystemTime,
    /// How many calls it made.
    pub calls: u64,
    /// When the last of them ended.
    pub last_call: Instant,
    /// Nobody will say that it is over.
    pub is_open_ended: bool,
    /// The tools that it runs now, the latest last.
    pub running: Vec<String>,
    /// Whether a browser of its own was asked for.
    pub own_browser: OwnBrowser,
    /// Whether its tabs go into a window of its own.
    pub own_window: bool,
    /// The colour of its tab group.
    pub colour: GroupColour,
    /// Whether it may go on.
    pub control: Control,
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

/// Whose a tab is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The session.
    pub session: String,
    /// Its client's name, as people are shown it.
    pub client: String,
}

impl Session {
    /// The client's name as people are shown it: one short line.
    pub fn shown_client(&self) -> String {
        // Letters that can't be seen, or turn others around, would pass for another's.
        let is_plain = |c: &char| c.is_alphanumeric() || c.is_ascii_punctuation() || *c == ' ';
        let plain: String = self.client.chars().filter(is_plain).collect();
        let mut name: String = plain.trim().chars().take(LONGEST_NAME).collect();
        if name.is_empty() {
            name.push_str("agent");
        }
        name
    }

    fn lose(&mut self, key: &TabKey) {
        self.tabs.remove(key);
        if self.current.as_ref() == Some(key) {
            self.current = self.tabs.iter().next_back().cloned();
        }
    }
}

/// All sessions, by name.
#[derive(Debug, Default)]
pub struct Sessions {
    sessions: Mutex<BTreeMap<String, Session>>,
    begun: AtomicUsize,
    own_windows: AtomicBool,
    /// Sessions that ended while they were held: one that comes back under its
    /// name is held as before.
    held_over: Mutex<BTreeMap<String, Order>>,
    /// The user stopped everything.
    pub(crate) everything_stopped: watch::Sender<bool>,
    changes: watch::Sender<u64>,
}

impl Sessions {
    /// Looks at, or changes, a session; one that is new to us begins here.
    pub fn with<R>(&self, name: &str, client: &str, change: impl FnOnce(&mut Session) -> R) -> R {
        let changed = {
            let mut sessions = self.lock();
            let session =
                sessions.entry(name.to_owned()).or_insert_with(|| self.begin(name, client));
            change(session)
        };
        self.announce();
        changed
    }

    fn begin(&self, name: &str, client: &str) -> Session {
        let turn = self.begun.fetch_add(1, Ordering::Relaxed);
        let held = self.held_over.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
        Session {
            client: client.to_owned(),
            current: None,
            tabs: Claims::default(),
            started: SystemTime::now(),
            calls: 0,
            last_call: Instant::now(),
            is_open_ended: false,
            running: Vec::new(),
            own_browser: OwnBrowser::No,
            own_window: self.own_windows.load(Ordering::Relaxed),
            colour: GroupColour::ALL[turn % GroupColour::ALL.len()],
            control: Control::new(held.unwrap_or_default()),
        }
    }

    /// Gives every session that begins from now on a window of its own.
    pub fn give_own_windows(&self) {
        self.own_windows.store(true, Ordering::Relaxed);
    }

    /// A session, if there is one of that name.
    pub fn get(&self, name: &str) -> Option<Session> {
        self.lock().get(name).cloned()
    }

    /// Whose tab it is.
    pub fn owner(&self, key: &TabKey) -> Option<Owner> {
        let sessions = self.lock();
        let (name, session) = sessions.iter().find(|(_, session)| session.tabs.contains(key))?;
        Some(Owner { session: name.clone(), client: session.shown_client() })
    }

    /// Since when a tab is shared with whoever has it; none for one that they opened.
    pub fn shared_since(&self, key: &TabKey) -> Option<SystemTime> {
        self.lock().values().find_map(|session| session.tabs.shared_since(key))
    }

    /// Which tab group a session's new tabs go into.
    pub fn group(&self, name: &str) -> Option<SessionGroup> {
        let session = self.get(name)?;
        Some(SessionGroup {
            session: name.to_owned(),
            title: session.shown_client(),
            colour: session.colour,
            own_window: session.own_window,
        })
    }

    /// The user gives a session a tab. Whoever had it has it no more.
    pub fn share(&self, name: &str, key: &TabKey) -> bool {
        let known = {
            let mut sessions = self.lock();
            let known = sessions.contains_key(name);
            if known {
                give(&mut sessions, name, key);
            }
            known
        };
        self.announce();
        known
    }

    /// The tab is gone, or the user's alone.
    pub fn take_back(&self, key: &TabKey) {
        self.lock().values_mut().for_each(|session| session.lose(key));
        self.announce();
    }

    /// Chrome put one tab in the place of another.
    pub fn rename(&self, old: &TabKey, new: &TabKey) {
        for session in self.lock().values_mut() {
            session.tabs.rename(old, new);
            if session.current.as_ref() == Some(old) {
                session.current = Some(new.clone());
            }
        }
        self.announce();
    }

    /// A browser says in which session's group a tab is. The user put it there,
    /// or took it out; or we did ourselves, and knew.
    pub fn see(&self, key: &TabKey, group: Option<&str>) {
        {
            let mut sessions = self.lock();
            let group = group.filter(|name| sessions.contains_key(*name));
            match group {
                Some(name) => {
                    give(&mut sessions, name, key);
                    if let Some(session) = sessions.get_mut(name) {
                        session.tabs.set_grouped(key);
                    }
                }
                None => {
                    let was_in_its_group =
                        sessions.values_mut().find(|session| session.tabs.is_grouped(key));
                    if let Some(session) = was_in_its_group {
                        session.lose(key);
                    }
                }
            }
        }
        self.announce();
    }

    /// Forgets the tabs of a browser that are not among these.
    pub fn keep_tabs(&self, browser: &str, there: &[i64]) {
        for session in self.lock().values_mut() {
            let gone = |key: &&TabKey| key.browser == browser && !there.contains(&key.tab);
            let gone: Vec<TabKey> = session.tabs.iter().filter(gone).cloned().collect();
            gone.iter().for_each(|key| session.lose(key));
        }
        self.announce();
    }

    /// Notes that a session runs a tool, until the guard is dropped.
    pub fn at_work<'a>(&'a self, name: &str, client: &str, tool: &str) -> AtWork<'a> {
        self.with(name, client, |session| {
            session.calls += 1;
            client.clone_into(&mut session.client);
            session.running.push(tool.to_owned());
        });
        AtWork { sessions: self, name: name.to_owned(), tool: tool.to_owned() }
    }

    /// Ends a session.
    pub fn end(&self, name: &str) -> Option<Session> {
        let ended = self.lock().remove(name);
        if let Some(order) = ended.as_ref().map(|session| session.control.now())
            && order.standing != Standing::Working
        {
            let mut held = self.held_over.lock().unwrap_or_else(PoisonError::into_inner);
            held.insert(name.to_owned(), order);
        }
        self.announce();
        ended
    }

    /// Sessions that nobody will end, and that called nothing for that long.
    pub fn idle(&self, now: Instant, time: Duration) -> Vec<String> {
        let sessions = self.lock();
        let idle = sessions.iter().filter(|(_, session)| {
            session.is_open_ended
                && session.running.is_empty()
                && now.saturating_duration_since(session.last_call) >= time
        });
        idle.map(|(name, _)| name.clone()).collect()
    }

    /// Every session, by name.
    pub fn all(&self) -> Vec<(String, Session)> {
        self.lock().iter().map(|(name, session)| (name.clone(), session.clone())).collect()
    }

    /// Fires whenever something may have changed.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    pub(crate) fn announce(&self) {
        self.changes.send_modify(|version| *version += 1);
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Session>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes a tab this session's and nobody else's.
fn give(sessions: &mut BTreeMap<String, Session>, name: &str, key: &TabKey) {
    for (other, session) in sessions.iter_mut() {
        if other == name {
            session.tabs.add(key.clone(), Claim::shared());
            session.current.get_or_insert_with(|| key.clone());
        } else {
            session.lose(key);
        }
    }
}

/// A call that a session runs.
pub struct AtWork<'a> {
    sessions: &'a Sessions,
    name: String,
    tool: String,
}

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        if let Some(session) = self.sessions.lock().get_mut(&self.name)
            && let Some(at) = session.running.iter().position(|tool| *tool == self.tool)
        {
            session.running.remove(at);
            session.last_call = Instant::now();
        }
        self.sessions.announce();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(tab: i64) -> TabKey {
        TabKey { browser: "link-1".into(), tab }
    }

    fn open(sessions: &Sessions, name: &str, tab: i64) {
        sessions.with(name, name, |session| {
            session.tabs.insert(key(tab));
            session.current = Some(key(tab));
        });
    }

    fn owner(sessions: &Sessions, tab: i64) -> Option<String> {
        sessions.owner(&key(tab)).map(|owner| owner.session)
    }

    #[test]
    fn a_tab_that_is_dragged_into_a_group_is_shared_and_dragged_out_taken_back() {
        let sessions = Sessions::default();
        sessions.with("a", "a", |_| ());
        sessions.see(&key(1), None);
        assert_eq!(owner(&sessions, 1), None);
        sessions.see(&key(1), Some("a"));
        assert_eq!(owner(&sessions, 1).as_deref(), Some("a"));
        assert_eq!(sessions.get("a").unwrap().current, Some(key(1)), "it had none before");
        sessions.see(&key(1), None);
        assert_eq!(owner(&sessions, 1), None);
        assert_eq!(sessions.get("a").unwrap().current, None);
    }

    #[test]
    fn a_tab_that_was_never_in_a_group_is_not_lost_for_it() {
        let sessions = Sessions::default();
        open(&sessions, "a", 1);
        sessions.see(&key(1), None);
        assert_eq!(owner(&sessions, 1).as_deref(), Some("a"), "a popup has no group");
    }

    #[test]
    fn a_tab_is_one_sessions_only_and_an_unknown_one_gets_none() {
        let sessions = Sessions::default();
        open(&sessions, "a", 1);
        sessions.with("b", "b", |_| ());
        assert!(sessions.share("b", &key(1)));
        assert_eq!(owner(&sessions, 1).as_deref(), Some("b"));
        assert!(!sessions.share("nobody", &key(1)));
        sessions.see(&key(1), Some("nobody"));
        assert_eq!(owner(&sessions, 1).as_deref(), Some("b"));
    }

    #[test]
    fn a_shared_tab_is_told_from_one_that_the_session_opened() {
        let sessions = Sessions::default();
        open(&sessions, "a", 1);
        sessions.see(&key(1), Some("a"));
        sessions.share("a", &key(2));
        let opened: Vec<_> = sessions.get("a").unwrap().tabs.opened().cloned().collect();
        assert_eq!(opened, [key(1)]);
        assert_eq!(sessions.shared_since(&key(1)), None);
        let since = sessions.shared_since(&key(2)).unwrap();
        sessions.see(&key(2), Some("a"));
        assert_eq!(sessions.shared_since(&key(2)), Some(since), "it is not shared anew");
    }

    #[test]
    fn after_a_reconnect_only_tabs_that_are_still_there_are_kept() {
        let sessions = Sessions::default();
        open(&sessions, "a", 1);
        open(&sessions, "a", 2);
        sessions.keep_tabs("link-1", &[1]);
        sessions.keep_tabs("link-2", &[]);
        assert_eq!((owner(&sessions, 1).as_deref(), owner(&sessions, 2)), (Some("a"), None));
        assert_eq!(sessions.get("a").unwrap().current, Some(key(1)));
    }

    #[test]
    fn a_session_that_nobody_ends_is_idle_once_it_called_nothing_for_long() {
        let sessions = Sessions::default();
        for (name, is_open_ended) in [("shell", true), ("mcp", false)] {
            sessions.with(name, name, |session| session.is_open_ended = is_open_ended);
        }
        let (now, minute) = (Instant::now(), Duration::from_secs(60));
        assert_eq!(sessions.idle(now, minute), [""; 0]);
        assert_eq!(
            sessions.idle(now + minute, minute),
            ["shell"],
            "the other one's client ends it"
        );
        let at_work = sessions.at_work("shell", "shell", "browser_wait");
        assert_eq!(sessions.idle(now + 9 * minute, minute), [""; 0], "it is at work");
        drop(at_work);
        assert_eq!(sessions.idle(now + 9 * minute, minute), ["shell"]);
    }

    #[test]
    fn each_session_has_a_colour_of_its_own() {
        let sessions = Sessions::default();
        let colour = |name: &str| sessions.with(name, "", |session| session.colour);
        assert_ne!(colour("a"), colour("b"));
        assert_eq!(colour("a"), colour("a"));
    }

    #[test]
    fn a_clients_name_is_shown_as_one_short_line() {
        let sessions = Sessions::default();
        let shown = |client: &str| sessions.with(client, client, |s| s.shown_client());
        assert_eq!(shown("claude\ncode"), "claudecode");
        assert_eq!(shown(" "), "agent");
        assert_eq!(shown(&"x".repeat(99)).len(), 40);
    }
}
