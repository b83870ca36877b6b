//! Which of several hubs takes an action on, where they share their records: one that
//! has what the action needs. A hub that has not leaves it to others for as long as the
//! action is fresh; then anybody answers it, with why it was not done. A hub that shares
//! with nobody takes on whatever comes.

use std::time::Duration;

use outrigger_protocol::records::Record;
use outrigger_records::schemas::PAGE_CONTEXT;
use outrigger_records::{Records, RecordsError};
use outrigger_store::records::RecordError;
use tokio::time::{Instant, sleep, timeout_at};

use super::action_author::Author;
use super::action_desk::Waiting;
use super::actions::{Actions, FRESH, age, result_of};
use super::meant_browser::{Here, Meant, meant, named};

/// What a hub may keep back of an action's time, to say that nobody could.
const TO_ANSWER: Duration = Duration::from_secs(5);
/// How often is looked whether somebody took it on, or can be taken on here by now.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(250);

/// How far a hub is the one to carry an action out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fitness {
    /// The author works in a browser that is linked here, or names it; or it was written
    /// here, where the author knows tabs and pages from, and one that is here fits.
    Works,
    /// Any browser will do, and one is here.
    Could,
    /// Something that the action needs is not here; or what it means by the number of a
    /// tab or an element is known to another hub, and would be something else here.
    Cannot,
}

/// What there is here for one author, at one moment.
pub(super) struct Sight {
    pub(super) at: Instant,
    is_known: bool,
    may_act: bool,
    /// Or on the hub alone that an action was written to.
    is_same_everywhere: bool,
    browsers: Vec<Here>,
}

/// Whether a hub is to take an action on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// It is.
    Ours,
    /// It is, unless another hub begins it, or is at what came before.
    OursIfOthersLetPass,
    /// It is for others, or for later.
    NotYet,
}

impl Actions {
    pub(super) async fn look(&self, records: &Records, author: &str) -> Sight {
        let at = Instant::now();
        let Some(author) = Author::named(author) else {
            let (is_known, may_act, browsers) = (false, false, Vec::new());
            return Sight { at, is_known, may_act, is_same_everywhere: true, browsers };
        };
        let may_act = author.may_still_act(&self.shared.credentials).await;
        let browsers = self.browsers_of(records, &author).await;
        let is_same_everywhere = author.is_same_everywhere();
        Sight { at, is_known: true, may_act, is_same_everywhere, browsers }
    }

    /// The browsers that are linked here and open to an author.
    pub(super) async fn browsers_of(&self, records: &Records, author: &Author) -> Vec<Here> {
        let pages = self.all(records, PAGE_CONTEXT).await.unwrap_or_default();
        let session = author.session();
        let current = self.shared.desk.sessions.get(&session).and_then(|session| session.current);
        let mut browsers = self.shared.desk.browsers.all();
        browsers.retain(|browser| browser.is_open_to(&session));
        let here = browsers.iter().map(|browser| {
            let mut told = pages.iter();
            let page = told.find(|page| extension_of(page) == Some(&browser.extension_id));
            Here {
                link: browser.id.clone(),
                extension_id: browser.extension_id.clone(),
                words: browser.describe(),
                tabs: browser.tabs().iter().map(|tab| tab.id).collect(),
                is_connected: browser.link.is_connected(),
                is_current: current.as_ref().is_some_and(|key| key.browser == browser.id),
                page: page.cloned(),
            }
        });
        here.collect()
    }

    /// The same, once the one that is named is among them or will not come by itself.
    pub(super) async fn browsers_for(
        &self,
        records: &Records,
        author: &Author,
        name: Option<&str>,
    ) -> Vec<Here> {
        let mut changes = self.shared.desk.browsers.changes();
        let until = self.shared.desk.linking_until();
        loop {
            let browsers = self.browsers_of(records, author).await;
            let is_there =
                name.is_none_or(|name| browsers.iter().any(|here| here.extension_id == name));
            if is_there || !matches!(timeout_at(until, changes.changed()).await, Ok(Ok(()))) {
                return browsers;
            }
        }
    }

    /// Whose turn it is, by that look.
    pub(super) fn turn(&self, records: &Records, sight: &Sight, action: &Record) -> Turn {
        let age = age(action.created_at);
        match self.fitness(records, sight, action) {
            Fitness::Works => Turn::Ours,
            // It is old: that it was not done is said by anybody.
            Fitness::Could if age >= FRESH => Turn::Ours,
            Fitness::Could => Turn::OursIfOthersLetPass,
            // Whoever could do it says first what became of it.
            Fitness::Cannot if age + TO_ANSWER / 2 >= FRESH => Turn::Ours,
            Fitness::Cannot => Turn::NotYet,
        }
    }

    fn fitness(&self, records: &Records, sight: &Sight, action: &Record) -> Fitness {
        if !self.records.is_shared() || !sight.is_known {
            return Fitness::Works;
        }
        let is_typed = action.context.contains_key("text");
        if !sight.is_same_everywhere && !records.was_written_here(action) {
            return Fitness::Cannot;
        }
        if !sight.may_act || (is_typed && !records.has_text(&action.id)) {
            return Fitness::Cannot;
        }
        let mut connected = sight.browsers.iter().filter(|here| here.is_connected);
        match meant(&sight.browsers, &action.context) {
            Meant::Nobody => Fitness::Cannot,
            Meant::One(here) if !here.is_connected => Fitness::Cannot,
            Meant::One(_) | Meant::Several(_) if self.is_said(records, action) => Fitness::Works,
            Meant::One(_) | Meant::Several(_) => Fitness::Cannot,
            Meant::Any if connected.clone().any(|here| here.is_current) => Fitness::Works,
            Meant::Any if connected.next().is_some() => Fitness::Could,
            Meant::Any => Fitness::Cannot,
        }
    }

    /// Whether it can be known here what it means by the number of a tab or an element.
    pub(super) fn is_said(&self, records: &Records, action: &Record) -> bool {
        !self.records.is_shared()
            || named(&action.context).is_some()
            || records.was_written_here(action)
    }

    /// Whether it is there and nobody has taken it on, as far as can be known.
    pub(super) async fn is_open(&self, records: &Records, waiting: &Waiting) -> bool {
        let (owner, id) = (&self.records.owner, &waiting.action.id);
        let Some(result) = result_of(id) else { return false };
        match records.read(owner, &result).await {
            Ok(_) => false,
            answer if is_gone(&answer) => !is_gone(&records.read(owner, id).await),
            Err(_) => true,
        }
    }
}

/// The extension that tells a page.
fn extension_of(page: &Record) -> Option<&str> {
    page.context.get("session")?.get("extensionId")?.as_str()
}

/// Whether there is no such record; one that can't be read now may be there.
pub(super) fn is_gone(read: &Result<Record, RecordsError>) -> bool {
    matches!(read, Err(RecordsError::Store(RecordError::NotFound { .. })))
}

/// Whether somebody took it on before.
pub(super) fn is_taken(made: &Result<Record, RecordsError>) -> bool {
    matches!(made, Err(RecordsError::Store(RecordError::AlreadyThere { .. })))
}

/// What comes of it, tried again for as long as an action is fresh: the store may be
/// away for a moment. `None` where there is nothing to wait for.
pub(super) async fn insist<F>(
    attempt: impl Fn() -> F,
    is_final: impl Fn(&Result<Record, RecordsError>) -> bool,
) -> Option<Record>
where
    F: Future<Output = Result<Record, RecordsError>>,
{
    let begun = Instant::now();
    loop {
        let outcome = attempt().await;
        if is_final(&outcome) {
            return None;
        }
        match outcome {
            Ok(record) => return Some(record),
            Err(error) if begun.elapsed() > FRESH => {
                tracing::warn!(%error, "an action is not taken on");
                return None;
            }
            Err(_) => sleep(LOOK_EVERY).await,
        }
    }
}
