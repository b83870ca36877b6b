//! The user's consent: whoever calls for something that nobody decided about
//! waits here until the user did. Asking and keeping are others' work; that an
//! answer counts once, and for what was asked, is seen to here.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use outrigger_guard::consequence::Consequence;
use outrigger_guard::plan::Plan;
use outrigger_guard::policy::{Policy, Term};
use outrigger_guard::{
    Access, Answer, AnswerTerm, Denial, Grant, PermissionKey, Profile, Question, Verdict,
};
use outrigger_protocol::helm::{Detail, Picture};
use serde_json::{Map, Value};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::fault::Fault;
use crate::helm::Word;
use crate::journal::{Decisions, NotKept};
use crate::notices::{Notices, Wait};
use crate::road::Road;
use crate::tool::Caller;

/// What a question is about, beside what the guard asks: for people to read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// The browser that it would happen in, which is the one to ask in.
    pub browser: String,
    /// The element, as the page calls it.
    pub element: Option<String>,
    /// What the call brings along; its arguments, where a tool says no better.
    pub with: Vec<Detail>,
    /// What the agent would get.
    pub picture: Option<Picture>,
}

/// All that a call brings along, so that no tool can forget to show something. What
/// it acts on is shown by its own words.
pub(crate) fn brought(arguments: &Map<String, Value>) -> Vec<Detail> {
    let shown = arguments.iter().filter(|(name, _)| *name != "ref");
    let details = shown.map(|(name, value)| {
        let label = match name.as_str() {
            "url" => "Address",
            "function" => "Code",
            "text" => "Text",
            "files" => "Files",
            other => other,
        };
        Detail { label: label.to_owned(), text: in_words(value) }
    });
    details.collect()
}

/// Without what the words for an element say already.
pub(crate) fn beside(element: Option<&str>, brought: &[Detail]) -> Vec<Detail> {
    let is_said = |detail: &&Detail| {
        element.is_some() && matches!(detail.label.as_str(), "selector" | "x" | "y")
    };
    brought.iter().filter(|detail| !is_said(detail)).cloned().collect()
}

/// Lists on lines, objects as their parts; of encoded bytes only how many.
fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(in_words).collect::<Vec<_>>().join("\n"),
        Value::Object(parts) => {
            let parts = parts.iter().map(|(name, value)| match (name.as_str(), value) {
                ("base64", Value::String(bytes)) => format!("{} bytes", bytes.len() / 4 * 3),
                _ => format!("{name}: {}", in_words(value)),
            });
            parts.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// Whoever can ask the user, and keep what was said.
pub trait Consent: Send + Sync {
    /// Asks, and waits for the answer. None within the time for it is a denial.
    fn ask<'a>(
        &'a self,
        caller: &'a Caller,
        question: &'a Question,
        shown: &'a Shown,
    ) -> Word<'a, Result<Answer, Denial>>;

    /// The same for all of a plan at once.
    fn ask_plan<'a>(
        &'a self,
        caller: &'a Caller,
        plan: &'a Plan,
        shown: &'a Shown,
    ) -> Word<'a, Result<Answer, Denial>>;

    /// Keeps lasting policies, all of them or none; the answer counts only once that is
    /// done.
    fn keep<'a>(
        &'a self,
        caller: &'a Caller,
        policies: &'a [Policy],
    ) -> Word<'a, Result<(), NotKept>>;
}

/// Until when a call must be over. The user's time is not the call's.
#[derive(Debug)]
pub struct CallTime(watch::Sender<Instant>);

impl CallTime {
    /// Until then.
    pub fn until(deadline: Instant) -> Self {
        CallTime(watch::Sender::new(deadline))
    }

    /// When it must be over, as far as is known now.
    pub fn deadline(&self) -> Instant {
        *self.0.borrow()
    }

    /// Comes back when it is over.
    pub async fn passed(&self) {
        let mut changes = self.0.subscribe();
        loop {
            let deadline = *changes.borrow_and_update();
            tokio::select! {
                () = tokio::time::sleep_until(deadline) => return,
                // Whoever could change it is here, so it can't be closed.
                _ = changes.changed() => {}
            }
        }
    }

    /// From now on it must be over then.
    pub(crate) fn set(&self, deadline: Instant) {
        self.0.send_replace(deadline);
    }
}

/// The guard, and whoever asks the user for it, for one call.
#[derive(Clone)]
pub struct Authority {
    pub(crate) road: Road,
    pub(crate) time: Arc<CallTime>,
    pub(crate) caller: Caller,
    pub(crate) notices: Notices,
    pub(crate) decisions: Decisions,
}

impl fmt::Debug for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authority").field("caller", &self.caller).finish_non_exhaustive()
    }
}

/// What became of a question.
pub(crate) struct Permitted {
    pub(crate) grant: Grant,
    /// The user was asked meanwhile, so that everything may be another.
    pub(crate) was_asked: bool,
}

impl Authority {
    /// The guard's grant, after asking the user where only the user can say.
    pub(crate) async fn permit(&self, access: Access, shown: &Shown) -> Result<Permitted, Denial> {
        match self.road.guard.decide(access, &self.caller.session) {
            Verdict::Granted(grant) => {
                self.require_log(grant.access()).await?;
                Ok(Permitted { grant, was_asked: false })
            }
            Verdict::Denied(denial) => Err(denial),
            Verdict::Open(question) => {
                let grant = self.ask(question, shown).await?;
                Ok(Permitted { grant, was_asked: true })
            }
        }
    }

    /// What an allowed call turns out to do, and can't be taken back, is asked for.
    pub(crate) async fn confirm(
        &self,
        grant: &Grant,
        consequence: Consequence,
        shown: &Shown,
    ) -> Result<(), Denial> {
        match self.road.guard.confirm(grant, consequence) {
            Some(question) => self.ask_further(question, shown).await,
            None => Ok(()),
        }
    }

    /// What an allowed call found is shown to the user before anybody gets it.
    pub(crate) async fn show_first(&self, grant: &Grant, shown: &Shown) -> Result<(), Denial> {
        match self.road.guard.show_first(grant) {
            Some(question) => self.ask_further(question, shown).await,
            None => Ok(()),
        }
    }

    /// Of a call that is allowed already.
    async fn ask_further(&self, question: Question, shown: &Shown) -> Result<(), Denial> {
        let answered = self.ask(question, shown).await;
        self.decisions.note(answered.as_ref().map_or_else(Denial::word, |_| "confirmed"));
        answered.map(drop)
    }

    /// The user may have paused or stopped the session while a question was open, or while
    /// the call waited: an answer allows a call, and lets no session go on.
    pub(crate) async fn readmit(&self) -> Result<(), Fault> {
        let admitted = self.road.helm.admit(&self.caller, self.time.deadline());
        Ok(self.notices.during(Wait::Resumption, admitted).await?)
    }

    /// Why it would be refused without asking, if it would.
    pub(crate) fn denies(&self, access: Access) -> Option<Denial> {
        self.road.guard.denies(access, &self.caller.session)
    }

    /// Whether it would be allowed without asking.
    pub(crate) fn allows(&self, access: Access) -> bool {
        self.road.guard.allows(access, &self.caller.session)
    }

    /// What can't be logged isn't done, unless there is nothing to protect or the
    /// user is only asked for something.
    async fn require_log(&self, access: &Access) -> Result<(), Denial> {
        let Access { key, profile, .. } = access;
        if *profile == Profile::ThrowAway || *key == PermissionKey::AskUser {
            return Ok(());
        }
        let ready = self.road.journal.is_ready().await;
        ready.map_err(|fault| no_memory(key, fault))
    }

    async fn ask(&self, question: Question, shown: &Shown) -> Result<Grant, Denial> {
        // Nobody is asked for what can't be done anyway.
        self.require_log(question.access()).await?;
        let asking = self.road.consent.ask(&self.caller, &question, shown);
        let answer = self.in_the_users_time(asking).await?;
        let policy = question.lays_down(answer, &self.caller.session, now_ms());
        self.lay_down(policy.into_iter().collect(), &question.access().key).await?;
        let grant = question.answered(answer)?;
        self.require_log(grant.access()).await?;
        Ok(grant)
    }

    /// Asks for all of a plan, unless it is allowed or denied already. What can't be
    /// taken back, and code of the agent's, is asked for each time all the same.
    pub(crate) async fn ask_plan(
        &self,
        plan: &Plan,
        profile: Profile,
        shown: &Shown,
    ) -> Result<PlanStanding, Denial> {
        let standing = self.standing_of(plan, profile, shown).await;
        match &standing {
            Ok(PlanStanding::AllowedBefore) => {}
            Ok(PlanStanding::AllowedForSession) => self.decisions.note("allow_session"),
            Ok(PlanStanding::AllowedForGood) => self.decisions.note("allow_always"),
            Err(denial) => self.decisions.note(denial.word()),
        }
        standing
    }

    async fn standing_of(
        &self,
        plan: &Plan,
        profile: Profile,
        shown: &Shown,
    ) -> Result<PlanStanding, Denial> {
        if self.road.guard.weighs(plan, profile, &self.caller.session)? {
            return Ok(PlanStanding::AllowedBefore);
        }
        let asking = self.road.consent.ask_plan(&self.caller, plan, shown);
        let answer = self.in_the_users_time(asking).await?;
        // A denial that lasts is about all of it; the first key stands for the rest.
        let key = plan.keys().first().cloned().unwrap_or(PermissionKey::AskUser);
        self.lay_down(plan.lays_down(answer, &self.caller.session, now_ms()), &key).await?;
        match answer {
            Answer { allow: false, .. } => Err(Denial::ByUser { key }),
            Answer { term: AnswerTerm::Always, .. } => Ok(PlanStanding::AllowedForGood),
            _ => Ok(PlanStanding::AllowedForSession),
        }
    }

    /// While the user thinks, the call's own time stands still.
    async fn in_the_users_time<T>(&self, asking: impl Future<Output = T>) -> T {
        let asked_at = Instant::now();
        let left = self.time.deadline().saturating_duration_since(asked_at);
        self.time.set(asked_at + FOR_EVER);
        let said = self.notices.during(Wait::Permission, asking).await;
        self.time.set(Instant::now() + left);
        said
    }

    /// Kept first, where it is to last; it counts after that. One answer is of one
    /// term.
    async fn lay_down(&self, policies: Vec<Policy>, key: &PermissionKey) -> Result<(), Denial> {
        if policies.iter().any(|policy| policy.term == Term::Lasting) {
            let kept = self.road.consent.keep(&self.caller, &policies).await;
            kept.map_err(|fault| no_memory(key, fault))?;
        }
        for policy in policies {
            if !policy.allows && policy.term == Term::Lasting {
                // What was allowed for a session would count more than it.
                self.road.guard.revoke(&policy);
            }
            self.road.guard.learn(policy);
        }
        Ok(())
    }
}

/// How it stands with a plan that may be carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanStanding {
    /// Nobody had to be asked.
    AllowedBefore,
    /// The user said yes, for this agent session.
    AllowedForSession,
    /// The user said yes, until it is taken back.
    AllowedForGood,
}

/// Longer than any question is asked.
const FOR_EVER: Duration = Duration::from_secs(60 * 60);

fn no_memory(key: &PermissionKey, fault: NotKept) -> Denial {
    Denial::NoMemory { key: key.clone(), reason: fault.words }
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn all_that_a_call_brings_along_is_shown() {
        let arguments = json!({
            "ref": "e3", "text": "a\nb", "url": "https://example.com/?q=1", "clear": true,
            "files": ["/tmp/a.txt", {"name": "b.bin", "base64": "AAAAAAAA"}],
        });
        let Value::Object(arguments) = arguments else { unreachable!() };
        let shown = brought(&arguments);
        let told: Vec<String> =
            shown.iter().map(|detail| format!("{}={}", detail.label, detail.text)).collect();
        assert_eq!(
            told,
            [
                "Text=a\nb",
                "Address=https://example.com/?q=1",
                "clear=true",
                "Files=/tmp/a.txt\nname: b.bin, 6 bytes",
            ]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_calls_time_stands_still_while_the_user_thinks() {
        let time = CallTime::until(Instant::now() + Duration::from_secs(1));
        let left = async {
            time.set(Instant::now() + FOR_EVER);
            tokio::time::sleep(Duration::from_secs(30)).await;
            time.set(Instant::now() + Duration::from_secs(1));
        };
        let begun = Instant::now();
        tokio::join!(left, time.passed());
        assert_eq!(begun.elapsed().as_secs(), 31);
    }
}
