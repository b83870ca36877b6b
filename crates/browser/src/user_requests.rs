//! What agents ask of the user: to do something by hand, to share a tab, or to
//! allow something. A request stays until the user answers, the agent gives it up
//! or its session ends; an agent that stopped waiting finds the answer when it asks
//! again. A permission is for one call, and goes with it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use std::time::{SystemTime, UNIX_EPOCH};

use outrigger_guard::Answer;
use outrigger_protocol::helm::{PermissionQuestion, RequestKind, UserRequest};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::sessions::TabKey;

/// A session that asks for more at once is told to wait.
const MOST_OF_A_SESSION: usize = 3;

/// The same of permissions: as many calls may wait side by side.
const MOST_QUESTIONS: usize = 8;

/// Longer wishes are cut: the panel is a narrow place.
const LONGEST_WISH: usize = 500;

/// What the user said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// Done.
    Done,
    /// Have this tab.
    Given(TabKey),
    /// A permission is given, or not.
    Decided(Answer),
    /// No.
    Refused,
}

/// Whose a request is and what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// The session.
    pub session: String,
    /// The client's name, as people are shown it.
    pub client: String,
    /// What kind.
    pub kind: RequestKind,
    /// The agent's words; of a permission, ours.
    pub what: String,
    /// What is to be decided, and in which browser alone.
    pub question: Option<(String, PermissionQuestion)>,
}

#[derive(Debug)]
struct Open {
    wish: Wish,
    said: watch::Sender<Option<Said>>,
}

/// Every request that is not over.
#[derive(Debug)]
pub struct UserRequests {
    open: Mutex<(u64, BTreeMap<u64, Arc<Open>>)>,
    changes: watch::Sender<u64>,
}

impl Default for UserRequests {
    /// Numbers go on from those of an earlier hub, so that an answer to one of its
    /// questions is none to ours.
    fn default() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let first = u64::try_from(since.as_millis()).unwrap_or_default();
        UserRequests {
            open: Mutex::new((first, BTreeMap::new())),
            changes: watch::Sender::default(),
        }
    }
}

/// A session asks for too much at once.
#[derive(Debug, PartialEq, Eq)]
pub struct TooMany;

impl UserRequests {
    /// Asks, or goes on asking the same, until the user answers or the deadline
    /// passes. `None`: not yet; the request stays. Dropped before that, the
    /// request is given up.
    pub async fn ask(&self, mut wish: Wish, deadline: Instant) -> Result<Option<Said>, TooMany> {
        let is_long = wish.what.chars().count() > LONGEST_WISH;
        wish.what = wish.what.chars().filter(|c| !c.is_control()).take(LONGEST_WISH).collect();
        if is_long {
            wish.what.push('…');
        }
        let (id, open) = self.place(wish)?;
        // Another call's answer is not this one's, and no recording begins or goes on
        // without the call that it is for.
        let is_of_call = matches!(
            open.wish.kind,
            RequestKind::Permission | RequestKind::Record | RequestKind::Recording
        );
        let mut asking = Asking { requests: self, id, over: true };
        let mut said = open.said.subscribe();
        let answer = tokio::time::timeout_at(deadline, said.wait_for(Option::is_some)).await;
        match answer {
            Ok(said) => Ok(said.ok().and_then(|said| said.clone())),
            Err(_) => {
                asking.over = is_of_call;
                Ok(None)
            }
        }
    }

    fn place(&self, wish: Wish) -> Result<(u64, Arc<Open>), TooMany> {
        let placed = {
            let mut guard = self.lock();
            let (last, open) = &mut *guard;
            let is_permission = wish.kind == RequestKind::Permission;
            if let Some((id, same)) = open.iter().find(|(_, open)| open.wish == wish)
                && !is_permission
            {
                return Ok((*id, same.clone()));
            }
            let alike = open.values().filter(|open| {
                let other = &open.wish;
                other.session == wish.session
                    && (other.kind == RequestKind::Permission) == is_permission
            });
            let most = if is_permission { MOST_QUESTIONS } else { MOST_OF_A_SESSION };
            if alike.count() >= most {
                return Err(TooMany);
            }
            *last += 1;
            let placed = Arc::new(Open { wish, said: watch::Sender::new(None) });
            open.insert(*last, placed.clone());
            (*last, placed)
        };
        self.announce();
        Ok(placed)
    }

    /// The request of that number, if it still waits for an answer.
    pub fn wish(&self, id: u64) -> Option<Wish> {
        let guard = self.lock();
        guard.1.get(&id).filter(|open| open.said.borrow().is_none()).map(|open| open.wish.clone())
    }

    /// The user answers.
    pub fn answer(&self, id: u64, said: Said) {
        let open = self.lock().1.get(&id).cloned();
        if let Some(open) = open {
            open.said.send_replace(Some(said));
        }
        self.announce();
    }

    /// A session is over, and so is what it asked for.
    pub fn forget(&self, session: &str) {
        self.lock().1.retain(|_, open| open.wish.session != session);
        self.announce();
    }

    /// Those that wait for an answer in this browser, oldest first. A permission is
    /// given where it would be used.
    pub fn waiting(&self, browser: &str) -> Vec<UserRequest> {
        let guard = self.lock();
        let is_here =
            |open: &Open| open.wish.question.as_ref().is_none_or(|(own, _)| own == browser);
        let waiting = guard.1.iter().filter(|(_, open)| open.said.borrow().is_none());
        let told = waiting.filter(|(_, open)| is_here(open)).map(|(id, open)| {
            let Wish { session, client, kind, what, question } = open.wish.clone();
            let question = question.map(|(_, question)| question);
            UserRequest { id: *id, session, client, kind, what, question }
        });
        told.collect()
    }

    /// Fires whenever something may have changed.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// What the user is shown beside them changed.
    pub fn refresh(&self) {
        self.announce();
    }

    fn announce(&self) {
        self.changes.send_modify(|version| *version += 1);
    }

    fn lock(&self) -> MutexGuard<'_, (u64, BTreeMap<u64, Arc<Open>>)> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the request back when nobody will ask for its answer any more.
struct Asking<'a> {
    requests: &'a UserRequests,
    id: u64,
    over: bool,
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        if self.over {
            self.requests.lock().1.remove(&self.id);
            self.requests.announce();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn wish(what: &str) -> Wish {
        Wish {
            session: "s".into(),
            client: "c".into(),
            kind: RequestKind::Human,
            what: what.into(),
            question: None,
        }
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_millis(20)
    }

    #[tokio::test]
    async fn an_answer_that_comes_late_is_found_by_asking_again() {
        let requests = UserRequests::default();
        assert_eq!(requests.ask(wish("log in"), soon()).await, Ok(None));
        let [waiting] = &requests.waiting("b")[..] else { panic!("it stays") };
        requests.answer(waiting.id, Said::Done);
        assert!(requests.waiting("b").is_empty(), "answered is out of sight");
        assert_eq!(requests.ask(wish("log in"), soon()).await, Ok(Some(Said::Done)));
        assert_eq!(requests.ask(wish("log in"), soon()).await, Ok(None), "and then it is another");
    }

    #[tokio::test]
    async fn a_request_that_is_called_off_is_taken_back() {
        let requests = UserRequests::default();
        let far = Instant::now() + Duration::from_secs(60);
        let asking = requests.ask(wish("log in"), far);
        assert!(tokio::time::timeout(Duration::from_millis(5), asking).await.is_err());
        assert!(requests.waiting("b").is_empty());
    }

    #[tokio::test]
    async fn a_session_that_asks_for_too_much_is_told_so() {
        let requests = UserRequests::default();
        for what in ["a", "b", "c"] {
            assert_eq!(requests.ask(wish(what), soon()).await, Ok(None));
        }
        assert_eq!(requests.ask(wish("d"), soon()).await, Err(TooMany));
        assert_eq!(requests.ask(wish("a"), soon()).await, Ok(None), "going on is no new one");
        requests.forget("s");
        assert_eq!(requests.ask(wish("d"), soon()).await, Ok(None));
    }
}
