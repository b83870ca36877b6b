//! Whether sessions may go on: paused, resumed and stopped by the user, one by
//! one or all at once. The road asks here before and during every call.

use outrigger_dispatch::helm::{Helm, Hold, Word};
use outrigger_dispatch::tool::Caller;
use outrigger_protocol::helm::Standing;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::sessions::Sessions;

/// Who gave an order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum By {
    /// A shell, where agents may have a hand in it.
    #[default]
    Shell,
    /// The user, in the extension's own pages.
    User,
    /// The user, by cancelling the debugging bar.
    DebuggingBar,
}

/// What was last ordered about a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Order {
    /// Whether it may go on.
    pub standing: Standing,
    /// Who said so.
    pub by: By,
}

/// A session's standing, for whoever waits for it.
#[derive(Debug, Clone, Default)]
pub struct Control(watch::Sender<Order>);

impl Control {
    pub(crate) fn new(order: Order) -> Self {
        Control(watch::Sender::new(order))
    }

    /// As it is now.
    pub fn now(&self) -> Order {
        *self.0.borrow()
    }
}

/// Why an order was not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// No such session.
    #[error("There is no session of that name. `outrigger sessions` lists them")]
    NoSession,
    /// Clients may have one name.
    #[error(
        "Several sessions are of a client of that name. Say which one, as `outrigger sessions` \
         lists them in its first column"
    )]
    SeveralSessions,
    /// An agent with a shell must not undo what its user did.
    #[error(
        "The user held this session in the browser, and only there it can be let go on: in \
         Outrigger's panel or popup"
    )]
    HeldInBrowser,
}

impl Sessions {
    /// The session that a person means: by its own name, or by its client's.
    pub fn meant_by(&self, said: &str) -> Result<String, OrderError> {
        if self.get(said).is_some() {
            return Ok(said.to_owned());
        }
        let all = self.all().into_iter();
        let mut named = all
            .filter(|(_, session)| session.shown_client().eq_ignore_ascii_case(said))
            .map(|(name, _)| name);
        match (named.next(), named.next()) {
            (Some(name), None) => Ok(name),
            (Some(_), Some(_)) => Err(OrderError::SeveralSessions),
            (None, _) => Err(OrderError::NoSession),
        }
    }

    /// Pauses, resumes or stops a session.
    pub fn order(&self, name: &str, standing: Standing, by: By) -> Result<(), OrderError> {
        let control = self.get(name).ok_or(OrderError::NoSession)?.control;
        let held = control.now();
        let loosens = standing == Standing::Working
            || (standing == Standing::Paused && held.standing == Standing::Stopped);
        let held_in_browser = held.by != By::Shell && held.standing != Standing::Working;
        if by == By::Shell && loosens && (held_in_browser || self.is_everything_stopped()) {
            return Err(OrderError::HeldInBrowser);
        }
        // What the user holds stays in the user's hand, also when a shell tightens it.
        let by = if by == By::Shell && held_in_browser { held.by } else { by };
        control.0.send_replace(Order { standing, by });
        self.announce();
        Ok(())
    }

    /// Stops every session, and those that come later; or takes that back.
    /// Sessions that were held one by one stay held.
    pub fn stop_everything(&self, stopped: bool) {
        self.everything_stopped.send_replace(stopped);
        self.announce();
    }

    /// Whether everything is stopped.
    pub fn is_everything_stopped(&self) -> bool {
        *self.everything_stopped.borrow()
    }

    async fn until(&self, name: &str, mut enough: impl FnMut(Standing) -> bool) -> Standing {
        let mut everything = self.everything_stopped.subscribe();
        // A session that ended meanwhile is in nobody's hands any more.
        let control = self.get(name).map(|session| session.control).unwrap_or_default();
        let mut own = control.0.subscribe();
        loop {
            let all = *everything.borrow_and_update();
            let standing = if all { Standing::Stopped } else { own.borrow_and_update().standing };
            if enough(standing) {
                return standing;
            }
            // Neither sender is dropped before this returns.
            tokio::select! {
                _ = everything.changed() => {}
                _ = own.changed() => {}
            }
        }
    }
}

impl Helm for Sessions {
    fn admit<'a>(&'a self, caller: &'a Caller, deadline: Instant) -> Word<'a, Result<(), Hold>> {
        Box::pin(async move {
            let decided = self.until(&caller.session, |standing| standing != Standing::Paused);
            match tokio::time::timeout_at(deadline, decided).await {
                Ok(Standing::Stopped) => Err(Hold::Stopped),
                Ok(_) => Ok(()),
                Err(_) => Err(Hold::Paused),
            }
        })
    }

    fn stopped<'a>(&'a self, caller: &'a Caller) -> Word<'a, ()> {
        Box::pin(async move {
            self.until(&caller.session, |standing| standing == Standing::Stopped).await;
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use outrigger_guard::Scope;

    use super::*;

    fn caller() -> Caller {
        Caller { session: "s".into(), client: "c".into(), scope: Scope::Act, holder: "h".into() }
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_millis(20)
    }

    fn sessions() -> Sessions {
        let sessions = Sessions::default();
        sessions.with("s", "c", |_| ());
        sessions
    }

    #[tokio::test]
    async fn a_paused_session_waits_and_goes_on_when_it_is_resumed() {
        let sessions = sessions();
        sessions.order("s", Standing::Paused, By::User).unwrap();
        let caller = caller();
        assert_eq!(sessions.admit(&caller, soon()).await, Err(Hold::Paused));
        let (admitted, ()) = tokio::join!(sessions.admit(&caller, soon()), async {
            sessions.order("s", Standing::Working, By::User).unwrap();
        });
        assert_eq!(admitted, Ok(()));
    }

    #[tokio::test]
    async fn a_stopped_session_is_refused_and_what_it_runs_ends() {
        let sessions = sessions();
        let caller = caller();
        tokio::join!(sessions.stopped(&caller), async {
            sessions.order("s", Standing::Stopped, By::User).unwrap();
        });
        assert_eq!(sessions.admit(&caller, soon()).await, Err(Hold::Stopped));
    }

    #[tokio::test]
    async fn stopping_everything_holds_sessions_that_come_later_too() {
        let sessions = Sessions::default();
        sessions.stop_everything(true);
        sessions.with("s", "c", |_| ());
        let caller = caller();
        assert_eq!(sessions.admit(&caller, soon()).await, Err(Hold::Stopped));
        sessions.stop_everything(false);
        assert_eq!(sessions.admit(&caller, soon()).await, Ok(()));
    }

    #[test]
    fn a_shell_cannot_undo_what_the_user_did_in_the_browser() {
        let sessions = sessions();
        for by in [By::User, By::DebuggingBar] {
            sessions.order("s", Standing::Paused, by).unwrap();
            sessions.order("s", Standing::Paused, By::Shell).unwrap();
            let resumed = sessions.order("s", Standing::Working, By::Shell);
            assert_eq!(resumed, Err(OrderError::HeldInBrowser));
            sessions.order("s", Standing::Stopped, By::Shell).unwrap();
            let resumed = sessions.order("s", Standing::Working, By::Shell);
            assert_eq!(resumed, Err(OrderError::HeldInBrowser));
            sessions.order("s", Standing::Working, By::User).unwrap();
        }
        sessions.stop_everything(true);
        let resumed = sessions.order("s", Standing::Working, By::Shell);
        assert_eq!(resumed, Err(OrderError::HeldInBrowser));
    }

    #[test]
    fn a_session_that_comes_back_under_its_name_is_held_as_before() {
        let sessions = sessions();
        sessions.order("s", Standing::Stopped, By::User).unwrap();
        sessions.end("s");
        let order = sessions.with("s", "c", |session| session.control.now());
        assert_eq!(order, Order { standing: Standing::Stopped, by: By::User });
    }

    #[test]
    fn a_session_is_meant_by_its_name_or_its_client_s() {
        let sessions = sessions();
        assert_eq!(sessions.meant_by("s"), Ok("s".to_owned()));
        assert_eq!(sessions.meant_by("C"), Ok("s".to_owned()));
        assert_eq!(sessions.meant_by("d"), Err(OrderError::NoSession));
        sessions.with("t", "c", |_| {});
        assert_eq!(sessions.meant_by("c"), Err(OrderError::SeveralSessions));
        assert_eq!(sessions.meant_by("t"), Ok("t".to_owned()));
    }

    #[test]
    fn a_shell_resumes_what_a_shell_paused() {
        let sessions = sessions();
        sessions.order("s", Standing::Paused, By::Shell).unwrap();
        sessions.order("s", Standing::Working, By::Shell).unwrap();
        assert_eq!(sessions.get("s").unwrap().control.now().standing, Standing::Working);
        assert_eq!(sessions.order("t", Standing::Paused, By::Shell), Err(OrderError::NoSession));
    }
}
