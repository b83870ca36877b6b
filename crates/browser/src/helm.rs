//! The user at the helm: what browsers report is taken in here, what the user
//! orders there is carried out, and what the user is shown is put together.

use std::sync::Arc;

use outrigger_guard::{Answer, AnswerTerm, Profile};
use outrigger_protocol::helm::{
    self, AgentSession, HELM_VERSION, HelmState, RequestKind, Rules, Standing, UserCommand,
};
use outrigger_protocol::link::{BrowserEvent, TabFacts};

use crate::browsers::LinkedBrowser;
use crate::desk::{Desk, RuleChange};
use crate::sessions::{Session, TabKey};
use crate::standing::By;
use crate::user_requests::Said;

/// Chrome's word for a debugging bar that the user cancelled.
const BAR_CANCELLED: &str = "canceled_by_user";

impl Desk {
    /// A browser is linked, perhaps again: tabs may have gone or changed hands
    /// meanwhile.
    pub fn welcome(&self, browser: &LinkedBrowser) {
        let tabs = browser.tabs();
        let there: Vec<i64> = tabs.iter().map(|tab| tab.id).collect();
        self.sessions.keep_tabs(&browser.id, &there);
        for tab in &tabs {
            self.see(browser, tab);
        }
    }

    /// A session begins, perhaps again after the hub was away: the tabs that stand
    /// in its group are its own, and browsers may have told of them before it came.
    pub fn welcome_session(&self, name: &str) {
        for browser in self.browsers.all() {
            for tab in browser.tabs().iter().filter(|tab| tab.session.as_deref() == Some(name)) {
                self.see(&browser, tab);
            }
        }
    }

    /// Takes in what happened in a browser.
    pub fn hear(&self, browser: &LinkedBrowser, event: BrowserEvent) {
        match &event {
            BrowserEvent::TabCreated(tab)
            | BrowserEvent::TabUpdated(tab)
            | BrowserEvent::TabActivated(tab) => self.see(browser, tab),
            BrowserEvent::TabRemoved(gone) => {
                self.sessions.take_back(&key(browser, gone.tab_id));
            }
            BrowserEvent::TabReplaced(replacement) => {
                let old = key(browser, replacement.old_tab_id);
                self.sessions.rename(&old, &key(browser, replacement.tab.id));
            }
            BrowserEvent::DebuggerDetached(detached) => {
                if detached.reason == BAR_CANCELLED {
                    self.pause_owner(&key(browser, detached.tab_id));
                }
            }
            // Which tab is in front is known to the browser.
            BrowserEvent::WindowFocused(_) => {}
            BrowserEvent::UserCommand(command) => {
                if browser.is_users_voice {
                    self.obey(browser, command.clone());
                } else {
                    tracing::warn!(browser = browser.id, "an order that is not the user's");
                }
            }
            // Kept elsewhere: it is about no tab of a session.
            BrowserEvent::PageContext(_) => {}
        }
        browser.hear(event);
    }

    fn see(&self, browser: &LinkedBrowser, tab: &TabFacts) {
        // Another extension can't say whose a tab is.
        let group = tab.session.as_deref().filter(|_| browser.is_users_voice);
        self.sessions.see(&key(browser, tab.id), group);
    }

    fn pause_owner(&self, tab: &TabKey) {
        let Some(owner) = self.sessions.owner(tab) else { return };
        let held = self.sessions.get(&owner.session).map(|session| session.control.now());
        // A stopped session is not loosened by it.
        if held.is_some_and(|order| order.standing == Standing::Working) {
            let paused = self.sessions.order(&owner.session, Standing::Paused, By::DebuggingBar);
            tracing::info!(session = owner.session, ?paused, "the debugging bar was cancelled");
        }
    }

    fn obey(&self, browser: &LinkedBrowser, command: UserCommand) {
        tracing::info!(browser = browser.id, "the user orders");
        let order = |session: &str, standing| {
            if let Err(error) = self.sessions.order(session, standing, By::User) {
                tracing::info!(session, %error, "an order for nobody");
            }
        };
        match command {
            UserCommand::Pause { session } => order(&session, Standing::Paused),
            UserCommand::Resume { session } => order(&session, Standing::Working),
            UserCommand::Stop { session } => order(&session, Standing::Stopped),
            UserCommand::StopEverything => self.sessions.stop_everything(true),
            UserCommand::GoOn => self.sessions.stop_everything(false),
            UserCommand::Share { session, tab_id } => {
                self.share(&session, &key(browser, tab_id));
            }
            UserCommand::TakeBack { tab_id } => self.sessions.take_back(&key(browser, tab_id)),
            UserCommand::Accept { request, tab_id } => {
                let tab = tab_id.map(|tab| key(browser, tab));
                self.accept(request, tab);
            }
            UserCommand::Refuse { request } => self.refuse(request),
            UserCommand::ForgetRule { tools, origins } => {
                self.change_rules(browser, RuleChange::Forget { tools, origins });
            }
            UserCommand::ListSite { domain, list } => {
                self.change_rules(browser, RuleChange::List { domain, list });
            }
            UserCommand::Decide { request, allow, term } => {
                self.decide(browser, request, Answer { allow, term: term_of(term) });
            }
        }
    }

    fn share(&self, session: &str, tab: &TabKey) {
        if !self.sessions.share(session, tab) {
            tracing::info!(session, "a tab for nobody");
        }
    }

    fn accept(&self, request: u64, tab: Option<TabKey>) {
        let Some(wish) = self.requests.wish(request) else { return };
        match (wish.kind, tab) {
            (RequestKind::Human | RequestKind::Record | RequestKind::Recording, _) => {
                self.requests.answer(request, Said::Done);
            }
            (RequestKind::Tab, Some(tab)) => {
                self.share(&wish.session, &tab);
                self.requests.answer(request, Said::Given(tab));
            }
            (RequestKind::Tab, None) => tracing::warn!(request, "no tab was given"),
            (RequestKind::Permission, _) => tracing::warn!(request, "no decision"),
        }
    }

    fn refuse(&self, request: u64) {
        let is_permission =
            self.requests.wish(request).is_some_and(|wish| wish.kind == RequestKind::Permission);
        let no = Answer { allow: false, term: AnswerTerm::Once };
        let said = if is_permission { Said::Decided(no) } else { Said::Refused };
        self.requests.answer(request, said);
    }

    /// A throw-away browser has no user who decides for good.
    fn change_rules(&self, browser: &LinkedBrowser, change: RuleChange) {
        match self.rule_book() {
            Some(book) if browser.profile == Profile::Personal => book.change(change),
            _ => tracing::warn!(browser = browser.id, "what was decided can't be changed there"),
        }
    }

    /// Counts only from the browser that the question is about.
    fn decide(&self, browser: &LinkedBrowser, request: u64, answer: Answer) {
        let asked = self.requests.wish(request).and_then(|wish| wish.question);
        match asked {
            Some((own, _)) if own == browser.id => {
                self.requests.answer(request, Said::Decided(answer));
            }
            _ => tracing::warn!(request, browser = browser.id, "an answer that nobody asked for"),
        }
    }

    fn rules_for(&self, browser: &str) -> Option<Rules> {
        let browsers = self.browsers.all();
        let is_own = |one: &&Arc<LinkedBrowser>| {
            one.id == browser && one.is_users_voice && one.profile == Profile::Personal
        };
        browsers.iter().find(is_own).and_then(|_| self.rule_book().map(|book| book.rules()))
    }

    /// How things stand, for the user of this browser.
    pub fn helm_state(&self, browser: &str) -> HelmState {
        let sessions = self.sessions.all().into_iter();
        // A connection that never called anything is nobody's work.
        let at_work = sessions.filter(|(_, session)| session.calls > 0);
        HelmState {
            version: HELM_VERSION,
            everything_stopped: self.sessions.is_everything_stopped(),
            sessions: at_work.map(|(name, session)| shown(name, &session, browser)).collect(),
            requests: self.requests.waiting(browser),
            rules: self.rules_for(browser),
        }
    }
}

fn shown(name: String, session: &Session, browser: &str) -> AgentSession {
    let order = session.control.now();
    let (here, elsewhere): (Vec<&TabKey>, Vec<&TabKey>) =
        session.tabs.iter().partition(|key| key.browser == browser);
    AgentSession {
        session: name,
        client: session.shown_client(),
        colour: session.colour,
        standing: order.standing,
        bar_cancelled: order.standing == Standing::Paused && order.by == By::DebuggingBar,
        doing: session.running.last().cloned(),
        tabs: here.iter().map(|key| key.tab).collect(),
        tabs_elsewhere: u32::try_from(elsewhere.len()).unwrap_or(u32::MAX),
    }
}

fn term_of(term: helm::AnswerTerm) -> AnswerTerm {
    match term {
        helm::AnswerTerm::Once => AnswerTerm::Once,
        helm::AnswerTerm::Session => AnswerTerm::Session,
        helm::AnswerTerm::Always => AnswerTerm::Always,
    }
}

fn key(browser: &LinkedBrowser, tab: i64) -> TabKey {
    TabKey { browser: browser.id.clone(), tab }
}
