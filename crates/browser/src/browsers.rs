//! The linked browsers and what is known of their tabs. Extensions report
//! every change of a tab, so that a call finds its tab and origin without
//! asking the browser.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{SystemTime, UNIX_EPOCH};

use outrigger_guard::{Origin, Profile};
use outrigger_protocol::facts::Node;
use outrigger_protocol::link::{BrowserEvent, BrowserInfo, Capability, TabFacts};
use outrigger_snapshot::{ElementKey, Frame, Line, RefTable, SectionTable};
use tokio::sync::watch;

use crate::link::Link;
use crate::told_labels::ToldLabels;
use crate::turns::Turns;

/// Longer names of elements are cut where a person is shown them.
const LONGEST_NAME: usize = 120;

/// What a handshake and its credential say of a browser.
#[derive(Debug, Clone)]
pub struct Introduction {
    /// Short name, as `browser` arguments and `outrigger sessions` use it.
    pub id: String,
    /// What records call its extension, over restarts too.
    pub extension_id: String,
    /// Which browser it says it is.
    pub info: BrowserInfo,
    /// Version of its extension.
    pub extension_version: String,
    /// Whose profile it runs.
    pub profile: Profile,
    /// Which launch of the hub it is from.
    pub launch: Option<u64>,
    /// The one session it was launched for, if it was.
    pub reserved_for: Option<String>,
    /// What its extension can do.
    pub capabilities: Vec<Capability>,
    /// It is our own extension: what it says of the user, the user said.
    pub is_users_voice: bool,
    /// It shows its user the agent sessions and their requests.
    pub has_panel: bool,
}

/// One browser with our extension, or a peer that speaks its protocol.
pub struct LinkedBrowser {
    introduction: Introduction,
    /// The way to it.
    pub link: Arc<dyn Link>,
    tabs: Mutex<BTreeMap<i64, Tab>>,
    /// Windows that the user was in, the last one first.
    windows: Mutex<Vec<i64>>,
}

impl std::ops::Deref for LinkedBrowser {
    type Target = Introduction;

    fn deref(&self) -> &Introduction {
        &self.introduction
    }
}

struct Tab {
    facts: TabFacts,
    view: Arc<Mutex<TabView>>,
    turns: Turns,
    /// When it came to the site that it is at, as far as is known.
    since_ms: f64,
}

impl Tab {
    fn new(facts: TabFacts) -> Self {
        let view = TabView::above(facts.ref_floor);
        Tab { view, turns: Turns::default(), facts, since_ms: now_ms() }
    }

    fn learn(&mut self, facts: TabFacts) {
        if Origin::of(&self.facts.url) != Origin::of(&facts.url) {
            self.since_ms = now_ms();
        }
        self.facts = facts;
    }
}

/// Milliseconds since the epoch, as pages count them.
fn now_ms() -> f64 {
    ms_since_epoch(SystemTime::now())
}

pub(crate) fn ms_since_epoch(time: SystemTime) -> f64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64() * 1000.0
}

/// What agents have been shown of a tab.
pub struct TabView {
    /// The names they were given for its elements.
    pub refs: RefTable,
    /// The names they were given for parts of the page.
    pub sections: SectionTable,
    /// Origins of the documents those elements are in.
    pub origins: BTreeMap<String, Origin>,
    /// The page as it was looked at last.
    pub last_look: Vec<Line>,
    /// What the page was called then.
    pub last_title: String,
    /// What that was written from, unless it is much.
    pub last_frames: Option<Arc<Vec<Frame>>>,
    /// What agents know of its labels where that is not what the page looked like last.
    pub labels: ToldLabels,
    main_document: String,
}

impl TabView {
    fn above(floor: u32) -> Arc<Mutex<Self>> {
        let view = TabView {
            refs: RefTable::above(floor),
            sections: SectionTable::default(),
            origins: BTreeMap::new(),
            last_look: Vec::new(),
            last_title: String::new(),
            last_frames: None,
            labels: ToldLabels::default(),
            main_document: String::new(),
        };
        Arc::new(Mutex::new(view))
    }

    /// The number of the walk by which that main document was told, if what it told
    /// is kept.
    pub fn walk_of(&self, document: &str) -> Option<u32> {
        let main = self.last_frames.as_ref()?.first()?;
        (main.document == document).then_some(main.facts.walk)?
    }

    /// An element as it was told last, if what was told is kept.
    pub fn words_of(&self, key: &ElementKey) -> Option<String> {
        let frame =
            self.last_frames.as_ref()?.iter().find(|frame| frame.document == key.document)?;
        let told = frame.facts.nodes.iter().find_map(|node| match node {
            Node::Element(element) if element.id == key.node => Some(element),
            _ => None,
        })?;
        let role = if told.role.is_empty() { &told.tag } else { &told.role };
        let mut name: String = told.label().chars().take(LONGEST_NAME).collect();
        if name.len() < told.label().len() {
            name.push('…');
        }
        Some(format!("{role} “{name}”"))
    }

    /// Whether agents were shown this very page.
    pub fn has_shown(&self, frames: &[Frame]) -> bool {
        let is_same = frames.first().is_some_and(|main| main.document == self.main_document);
        is_same && !self.last_look.is_empty()
    }

    /// Forgets what is no longer on the page, and learns where the frames are.
    pub fn look(&mut self, frames: &[Frame]) {
        let main = frames.first().map(|frame| frame.document.clone()).unwrap_or_default();
        if main != self.main_document {
            self.sections.forget();
            self.labels.forget();
            self.main_document = main;
        }
        self.refs.keep_documents(frames.iter().map(|frame| frame.document.as_str()));
        let origins =
            frames.iter().map(|frame| (frame.document.clone(), Origin::of(&frame.facts.origin)));
        self.origins = origins.collect();
    }
}

impl LinkedBrowser {
    /// A browser whose handshake named these tabs.
    pub fn new(introduction: Introduction, tabs: Vec<TabFacts>, link: Arc<dyn Link>) -> Self {
        let tabs = tabs.into_iter().map(|facts| (facts.id, Tab::new(facts)));
        let tabs = Mutex::new(tabs.collect());
        LinkedBrowser { introduction, link, tabs, windows: Mutex::default() }
    }

    /// A tab by its number.
    pub fn tab(&self, id: i64) -> Option<TabFacts> {
        self.lock().get(&id).map(|tab| tab.facts.clone())
    }

    /// Every tab, by number.
    pub fn tabs(&self) -> Vec<TabFacts> {
        self.lock().values().map(|tab| tab.facts.clone()).collect()
    }

    /// The tab that the user is looking at, or looked at last: in front in the window
    /// that they were in last. A window of our own only asks about it.
    pub fn tab_in_front(&self) -> Option<TabFacts> {
        let is_ours = |tab: &TabFacts| tab.url.starts_with("chrome-extension:");
        let tabs = self.tabs().into_iter().filter(|tab| tab.active && !is_ours(tab));
        let windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let age = |tab: &TabFacts| {
            windows.iter().position(|window| *window == tab.window_id).unwrap_or(windows.len())
        };
        tabs.min_by_key(age)
    }

    /// The user went to this window.
    pub fn focus(&self, window: i64) {
        let tabs = self.tabs();
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        // Those without tabs are closed by now.
        windows.retain(|old| *old != window && tabs.iter().any(|tab| tab.window_id == *old));
        windows.insert(0, window);
    }

    /// When a tab came to the site that it is at, in milliseconds since the epoch.
    pub fn here_since(&self, id: i64) -> Option<f64> {
        self.lock().get(&id).map(|tab| tab.since_ms)
    }

    /// What agents have been shown of a tab.
    pub fn view(&self, id: i64) -> Option<Arc<Mutex<TabView>>> {
        self.lock().get(&id).map(|tab| tab.view.clone())
    }

    /// Who acts in a tab, one after the other.
    pub(crate) fn turns(&self, id: i64) -> Option<Turns> {
        self.lock().get(&id).map(|tab| tab.turns.clone())
    }

    /// Takes in what an answer says of a tab. It may be older than an event that came
    /// before it: a tab that was told to be complete is not loading again.
    pub fn learn_from_answer(&self, mut facts: TabFacts) {
        facts.loading &= self.tab(facts.id).is_none_or(|known| known.loading);
        self.learn(facts);
    }

    /// Takes in what an event says of a tab.
    pub fn learn(&self, facts: TabFacts) {
        let mut tabs = self.lock();
        match tabs.get_mut(&facts.id) {
            Some(tab) => tab.learn(facts),
            None => {
                tabs.insert(facts.id, Tab::new(facts));
            }
        }
    }

    /// Takes in the tabs there are after a reconnect. What was shown of those
    /// that are still there keeps its names.
    pub fn learn_all(&self, tabs: Vec<TabFacts>) {
        self.lock().retain(|id, _| tabs.iter().any(|facts| facts.id == *id));
        for facts in tabs {
            self.learn(facts);
        }
    }

    /// Takes in what happened.
    pub fn hear(&self, event: BrowserEvent) {
        match event {
            BrowserEvent::TabCreated(facts) | BrowserEvent::TabUpdated(facts) => self.learn(facts),
            BrowserEvent::TabActivated(facts) => {
                for tab in self.lock().values_mut() {
                    if tab.facts.window_id == facts.window_id {
                        tab.facts.active = false;
                    }
                }
                self.learn_from_answer(facts);
            }
            BrowserEvent::TabRemoved(gone) => {
                self.lock().remove(&gone.tab_id);
            }
            BrowserEvent::TabReplaced(replacement) => {
                let mut tabs = self.lock();
                if let Some(mut tab) = tabs.remove(&replacement.old_tab_id) {
                    tab.learn(replacement.tab);
                    tabs.insert(tab.facts.id, tab);
                }
            }
            BrowserEvent::WindowFocused(focus) => self.focus(focus.window_id),
            BrowserEvent::DebuggerDetached(detached) => {
                tracing::info!(tab = detached.tab_id, "debugger detached");
            }
            // Orders are about sessions, which are not known here.
            BrowserEvent::UserCommand(_) | BrowserEvent::PageContext(_) => {}
        }
    }

    /// Whether a session may work in it: one launched for a session is that one's.
    pub fn is_open_to(&self, session: &str) -> bool {
        self.reserved_for.as_ref().is_none_or(|owner| owner == session)
    }

    /// Whether its extension can do this.
    pub fn can(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|known| known.name == capability)
    }

    /// One line for people: "link-1 (Chromium 156, launched)".
    pub fn describe(&self) -> String {
        // A peer may call itself anything.
        let name: String =
            self.info.name.chars().filter(|c| c.is_alphanumeric() || *c == ' ').take(30).collect();
        let name = if name.trim().is_empty() { "unnamed browser" } else { name.trim() };
        let major: String =
            self.info.version.chars().take_while(char::is_ascii_digit).take(5).collect();
        let whose = match self.profile {
            Profile::ThrowAway => "throw-away",
            Profile::Personal => "personal",
        };
        format!("{} ({name} {major}, {whose})", self.id).replace("  ", " ").replace(" ,", ",")
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<i64, Tab>> {
        self.tabs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All linked browsers.
pub struct Browsers {
    linked: RwLock<Vec<Arc<LinkedBrowser>>>,
    changes: watch::Sender<u64>,
}

impl Default for Browsers {
    fn default() -> Self {
        Browsers { linked: RwLock::default(), changes: watch::Sender::new(0) }
    }
}

impl Browsers {
    /// Adds one.
    pub fn add(&self, browser: Arc<LinkedBrowser>) {
        self.linked.write().unwrap_or_else(PoisonError::into_inner).push(browser);
        self.announce();
    }

    /// Takes one away.
    pub fn remove(&self, id: &str) {
        let mut linked = self.linked.write().unwrap_or_else(PoisonError::into_inner);
        linked.retain(|browser| browser.id != id);
        drop(linked);
        self.announce();
    }

    /// Takes away the one of a launch that has ended.
    pub fn remove_launched(&self, launch: u64) {
        let mut linked = self.linked.write().unwrap_or_else(PoisonError::into_inner);
        linked.retain(|browser| browser.launch != Some(launch));
        drop(linked);
        self.announce();
    }

    /// Resolves once this one has been taken away.
    pub async fn gone(&self, id: &str) {
        let mut changes = self.changes();
        while self.all().iter().any(|browser| browser.id == id) {
            if changes.changed().await.is_err() {
                return;
            }
        }
    }

    /// All of them, oldest first.
    pub fn all(&self) -> Vec<Arc<LinkedBrowser>> {
        self.linked.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Has whoever waits for a browser look again.
    pub fn announce(&self) {
        self.changes.send_modify(|version| *version += 1);
    }

    /// Fires when one comes or goes.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use outrigger_guard::Grant;
    use outrigger_protocol::link::WindowFocus;

    use super::*;
    use crate::link::{Answer, Request};

    struct Silent;

    impl Link for Silent {
        fn request<'a>(&'a self, _: &'a Grant, _: Request<'a>) -> Answer<'a> {
            Box::pin(std::future::pending())
        }

        fn is_connected(&self) -> bool {
            false
        }
    }

    fn tab(id: i64, window_id: i64, url: &str) -> TabFacts {
        TabFacts {
            id,
            window_id,
            url: url.to_owned(),
            title: String::new(),
            active: true,
            loading: false,
            incognito: false,
            opener_tab_id: None,
            session: None,
            ref_floor: 0,
        }
    }

    fn browser(tabs: Vec<TabFacts>) -> LinkedBrowser {
        let introduction = Introduction {
            id: "link-1".into(),
            extension_id: "1".into(),
            info: BrowserInfo::default(),
            extension_version: String::new(),
            profile: Profile::Personal,
            launch: None,
            reserved_for: None,
            capabilities: Vec::new(),
            is_users_voice: true,
            has_panel: true,
        };
        LinkedBrowser::new(introduction, tabs, Arc::new(Silent))
    }

    #[test]
    fn an_answer_that_comes_late_makes_no_tab_load_again() {
        let browser = browser(vec![tab(1, 1, "https://a.test/")]);
        let loading = |loading| TabFacts { loading, ..tab(1, 1, "https://a.test/") };
        let is_loading = || browser.tab(1).is_some_and(|tab| tab.loading);
        browser.hear(BrowserEvent::TabUpdated(loading(true)));
        browser.learn_from_answer(loading(true));
        assert!(is_loading());
        browser.hear(BrowserEvent::TabUpdated(loading(false)));
        browser.learn_from_answer(loading(true));
        assert!(!is_loading());
        browser.hear(BrowserEvent::TabActivated(loading(true)));
        assert!(!is_loading());
    }

    #[test]
    fn the_tab_in_front_is_that_of_the_window_the_user_was_in_last() {
        let page = "https://a.test/";
        let ours = "chrome-extension://x/sidepanel.html?front";
        let browser = browser(vec![tab(1, 10, page), tab(2, 20, page), tab(3, 30, ours)]);
        let front = || browser.tab_in_front().map(|tab| tab.id);
        assert_eq!(front(), Some(1), "whatever there is, while nothing is known");
        for (window_id, expected) in [(20, 2), (10, 1), (20, 2), (30, 2)] {
            browser.hear(BrowserEvent::WindowFocused(WindowFocus { window_id }));
            assert_eq!(front(), Some(expected), "after window {window_id}");
        }
        browser.hear(BrowserEvent::TabRemoved(outrigger_protocol::link::TabGone { tab_id: 2 }));
        assert_eq!(front(), Some(1), "the one before");
    }
}
