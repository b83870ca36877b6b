//! Where a call finds its browser and its tab. The rules: an explicit `browser`
//! or `tab` wins; then what the session worked in last; then the only browser
//! there is. Never a guess between several. A session works in its own tabs.

use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Caller, Shown};
use outrigger_guard::{Access, Address, AddressRefusal, Origin, PermissionKey, Profile};
use outrigger_protocol::helm::{Rules, SiteList};
use outrigger_snapshot::{ElementKey, Ref};
use tokio::time::Instant;

use crate::browsers::{Browsers, LinkedBrowser};
use crate::error::BrowserError;
use crate::sessions::{OwnBrowser, Sessions, TabKey};
use crate::uploads::UploadRoots;
use crate::user_requests::UserRequests;

/// An extension finds a hub that has just started within its longest pause
/// between two attempts; until then "no browser" may only mean "not yet".
const LINKING_GRACE: Duration = Duration::from_secs(6);

/// Browsers and sessions, and the way from a call to a tab.
pub struct Desk {
    /// The linked browsers.
    pub browsers: Browsers,
    /// The agent sessions.
    pub sessions: Arc<Sessions>,
    /// What agents ask of the user.
    pub requests: UserRequests,
    hub_port: AtomicU16,
    uploads: OnceLock<UploadRoots>,
    rule_book: OnceLock<Arc<dyn RuleBook>>,
    opened_at: Instant,
}

/// Whoever keeps what the user decided for good.
pub trait RuleBook: Send + Sync {
    /// What was decided.
    fn rules(&self) -> Rules;

    /// Carries out what the user orders about it.
    fn change(&self, change: RuleChange);
}

/// What the user orders about what was decided for good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleChange {
    /// It no longer holds.
    Forget {
        /// Pattern of permission keys.
        tools: String,
        /// Pattern of origins.
        origins: String,
    },
    /// A site goes on a list, or on none.
    List {
        /// The site.
        domain: String,
        /// Which list.
        list: Option<SiteList>,
    },
}

/// The browser a call goes to, and the tab, if the session has one yet.
pub struct TabTarget {
    /// The browser.
    pub browser: Arc<LinkedBrowser>,
    /// The tab.
    pub tab: Option<i64>,
}

/// An element a call goes to.
pub struct ElementTarget {
    /// The browser.
    pub browser: Arc<LinkedBrowser>,
    /// The tab.
    pub tab: i64,
    /// Where the element is.
    pub element: ElementKey,
}

impl Default for Desk {
    fn default() -> Self {
        Desk {
            browsers: Browsers::default(),
            sessions: Arc::default(),
            requests: UserRequests::default(),
            hub_port: AtomicU16::new(0),
            uploads: OnceLock::new(),
            rule_book: OnceLock::new(),
            opened_at: Instant::now(),
        }
    }
}

impl Desk {
    /// Says which port the hub listens on; its address is never a target.
    pub fn set_hub_port(&self, port: u16) {
        self.hub_port.store(port, Ordering::Relaxed);
    }

    /// Says who keeps what the user decided; once, before any call.
    pub fn keep_rules_in(&self, book: Arc<dyn RuleBook>) {
        let _ = self.rule_book.set(book);
    }

    /// Whoever keeps what the user decided.
    pub(crate) fn rule_book(&self) -> Option<&Arc<dyn RuleBook>> {
        self.rule_book.get()
    }

    /// Says below which folders files may be uploaded; once, before any call.
    pub fn allow_uploads(&self, roots: UploadRoots) {
        let _ = self.uploads.set(roots);
    }

    /// Which files may be uploaded.
    pub fn uploads(&self) -> UploadRoots {
        self.uploads.get().cloned().unwrap_or_default()
    }

    /// Judges an address.
    pub fn address(&self, text: &str) -> Result<Address, AddressRefusal> {
        Address::judge(text, self.hub_port.load(Ordering::Relaxed))
    }

    /// Refuses a page of the hub's own, which nobody looks into.
    pub fn refuse_hub(&self, url: &str) -> Result<(), BrowserError> {
        match self.address(url) {
            Err(AddressRefusal::Hub(hub)) => Err(BrowserError::AtTheHub(hub)),
            _ => Ok(()),
        }
    }

    /// Aims at the tab a call means.
    pub async fn aim(
        &self,
        circumstances: &Circumstances,
        key: PermissionKey,
    ) -> Result<Aim<TabTarget>, BrowserError> {
        let browser = self.browser(circumstances).await?;
        let tab = self.tab(circumstances, &browser)?;
        let facts = tab.and_then(|id| browser.tab(id));
        let url = facts.as_ref().map_or("about:blank", |facts| facts.url.as_str());
        if key.looks_or_acts_inside() {
            self.refuse_hub(url)?;
        }
        let access = Access { key, origin: Origin::of(url), profile: browser.profile };
        let shown = shown_in(&browser);
        Ok(Aim { target: TabTarget { browser, tab }, access, shown })
    }

    /// Aims at the element of a ref. The access is to the origin of its frame.
    pub async fn aim_at_element(
        &self,
        circumstances: &Circumstances,
        key: PermissionKey,
        name: Ref,
    ) -> Result<Aim<ElementTarget>, BrowserError> {
        let stale = || BrowserError::StaleRef(name.to_string());
        let TabTarget { browser, tab } = self.aim(circumstances, key.clone()).await?.target;
        let tab = tab.ok_or(BrowserError::NoCurrentTab)?;
        let view = browser.view(tab).ok_or_else(stale)?;
        let (element, origin, words) = {
            let view = view.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let element = view.refs.element(name).ok_or_else(stale)?;
            let origin = view.origins.get(&element.document).ok_or_else(stale)?.clone();
            let words = view.words_of(&element);
            (element, origin, words)
        };
        let access = Access { key, origin, profile: browser.profile };
        let shown = Shown { element: words, ..shown_in(&browser) };
        Ok(Aim { target: ElementTarget { browser, tab, element }, access, shown })
    }

    async fn browser(
        &self,
        circumstances: &Circumstances,
    ) -> Result<Arc<LinkedBrowser>, BrowserError> {
        let mut changes = self.browsers.changes();
        loop {
            changes.mark_unchanged();
            let patience = match self.choose(circumstances) {
                Ok(browser) => return Ok(browser),
                Err((error, patience)) => patience.ok_or(error)?,
            };
            let until = patience.min(circumstances.deadline - Duration::from_millis(1));
            if tokio::time::timeout_at(until, changes.changed()).await.is_err() {
                return self.choose(circumstances).map_err(|(error, _)| error);
            }
        }
    }

    /// The browser a call means, or why there is none and how long it is worth
    /// waiting for one.
    #[allow(clippy::type_complexity)]
    fn choose(
        &self,
        circumstances: &Circumstances,
    ) -> Result<Arc<LinkedBrowser>, (BrowserError, Option<Instant>)> {
        let caller = &circumstances.caller;
        let (own, current) = self.sessions.with(&caller.session, &caller.client, |session| {
            (session.own_browser.clone(), session.current.clone())
        });
        let mut open = self.browsers.all();
        open.retain(|browser| browser.is_open_to(&caller.session));
        if let Some(asked) = &circumstances.common.browser {
            let linked = describe(&open);
            let found = open.into_iter().find(|browser| browser.id == *asked);
            let unknown = BrowserError::UnknownBrowser { asked: asked.clone(), linked };
            return found.ok_or((unknown, None));
        }
        match own {
            OwnBrowser::Failed(reason) => return Err((BrowserError::LaunchFailed(reason), None)),
            OwnBrowser::Asked => {
                let mine = open.into_iter().find(|browser| browser.reserved_for.is_some());
                return mine.ok_or((BrowserError::NoBrowser, Some(circumstances.deadline)));
            }
            OwnBrowser::No => {}
        }
        if let Some(key) = current
            && let Some(browser) = open.iter().find(|browser| browser.id == key.browser)
        {
            return Ok(browser.clone());
        }
        // One that lost its connection may come back, but nothing is lost by
        // using one that is there.
        if open.iter().any(|browser| browser.link.is_connected()) {
            open.retain(|browser| browser.link.is_connected());
        }
        match open.as_slice() {
            [] => Err((BrowserError::NoBrowser, Some(self.linking_until()))),
            [only] => Ok(only.clone()),
            several => Err((BrowserError::WhichBrowser { linked: describe(several) }, None)),
        }
    }

    /// Until when a browser that is not linked may only be on its way.
    pub fn linking_until(&self) -> Instant {
        self.opened_at + LINKING_GRACE
    }

    fn tab(
        &self,
        circumstances: &Circumstances,
        browser: &LinkedBrowser,
    ) -> Result<Option<i64>, BrowserError> {
        let caller = &circumstances.caller;
        let Some(asked) = circumstances.common.tab else {
            let current =
                self.sessions.with(&caller.session, &caller.client, |s| s.current.clone());
            let here = current.filter(|key| key.browser == browser.id).map(|key| key.tab);
            return Ok(here.filter(|tab| browser.tab(*tab).is_some()));
        };
        browser.tab(asked).ok_or(BrowserError::NoTab(asked))?;
        self.refuse_others(caller, browser, asked)?;
        Ok(Some(asked))
    }

    /// Refuses a tab that is not the caller's.
    pub(crate) fn refuse_others(
        &self,
        caller: &Caller,
        browser: &LinkedBrowser,
        tab: i64,
    ) -> Result<(), BrowserError> {
        let key = TabKey { browser: browser.id.clone(), tab };
        match self.sessions.owner(&key) {
            Some(owner) if owner.session != caller.session => {
                Err(BrowserError::NotYourTab { tab, owner })
            }
            // A person's tabs are shared by that person; a throw-away browser
            // has nobody's tabs in it.
            None if browser.profile == Profile::Personal => Err(BrowserError::UsersTab(tab)),
            _ => Ok(()),
        }
    }
}

/// What the user is shown of any call there.
pub(crate) fn shown_in(browser: &LinkedBrowser) -> Shown {
    Shown { browser: browser.id.clone(), ..Shown::default() }
}

fn describe(browsers: &[Arc<LinkedBrowser>]) -> String {
    if browsers.is_empty() {
        return "none".to_owned();
    }
    browsers.iter().map(|browser| browser.describe()).collect::<Vec<_>>().join(", ")
}
