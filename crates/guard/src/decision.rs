//! The decision. A [`Grant`] can be made here and nowhere else, and whatever
//! reaches a browser asks for one: what the guard hasn't seen can't run.

use std::fmt;
use std::sync::{PoisonError, RwLock};

use crate::address::Reach;
use crate::consequence::Consequence;
use crate::denial::Denial;
use crate::key::PermissionKey;
use crate::origin::Origin;
use crate::pattern::{OriginPattern, ToolPattern};
use crate::plan::Plan;
use crate::policy::{Policy, Term, ruling};
use crate::trust::{Trust, TrustLists};

/// Whose browser it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Launched by the hub with an empty profile that is thrown away after.
    ThrowAway,
    /// A person's own.
    Personal,
}

/// What a call wants to touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// What it would do.
    pub key: PermissionKey,
    /// On pages of this origin.
    pub origin: Origin,
    /// In whose browser.
    pub profile: Profile,
}

impl Access {
    /// What is about records and about no browser.
    pub fn to_records(key: PermissionKey) -> Self {
        Access { key, origin: Origin::of(""), profile: Profile::Personal }
    }
}

/// Proof that the guard allowed exactly this access.
#[derive(Debug)]
pub struct Grant {
    access: Access,
    by: Reason,
}

impl Grant {
    /// What was allowed.
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// Why it was.
    pub fn reason(&self) -> Reason {
        self.by
    }
}

/// Why something is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// There is nothing to protect.
    ThrowAway,
    /// A question to the user, who decides.
    UserDecides,
    /// A session may open, choose and close tabs of its own.
    OwnTabs,
    /// Records are there for whoever has a token; what the user is followed by is the
    /// user's to switch on.
    OwnRecords,
    /// The user decided so before.
    Policy,
    /// The user was asked.
    Answer(AnswerTerm),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::ThrowAway => "throw_away",
            Reason::UserDecides => "user_decides",
            Reason::OwnTabs => "own_tabs",
            Reason::OwnRecords => "own_records",
            Reason::Policy => "policy",
            Reason::Answer(AnswerTerm::Once) => "allow_once",
            Reason::Answer(AnswerTerm::Session) => "allow_session",
            Reason::Answer(AnswerTerm::Always) => "allow_always",
        })
    }
}

/// What the guard says to a call.
#[derive(Debug)]
pub enum Verdict {
    /// Go on.
    Granted(Grant),
    /// No.
    Denied(Denial),
    /// Only the user can say.
    Open(Question),
}

/// What only the user can decide. It can't be copied, and an answer uses it up:
/// one yes is for one call.
#[derive(Debug)]
pub struct Question {
    access: Access,
    why: Why,
}

/// Why the user is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// Nothing is decided about it yet.
    Undecided,
    /// It is asked each time: code of the agent's is run in the user's name.
    RunsCode,
    /// It is asked each time: it can't be taken back.
    CannotBeUndone(Consequence),
    /// It is asked each time: the user is to see it before a model does.
    SeenFirst,
}

/// How long an answer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerTerm {
    /// This time.
    Once,
    /// Until the agent session ends.
    Session,
    /// Until it is taken back.
    Always,
}

/// What the user says to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// Whether it may happen.
    pub allow: bool,
    /// For how long that holds.
    pub term: AnswerTerm,
}

impl Question {
    /// What is asked for.
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// Why it is asked.
    pub fn why(&self) -> Why {
        self.why
    }

    /// Whether an answer holds for this time alone. A no may last all the same.
    pub fn is_each_time(&self) -> bool {
        self.why != Why::Undecided
    }

    /// What an answer lays down for later calls.
    pub fn lays_down(&self, answer: Answer, session: &str, now_ms: i64) -> Option<Policy> {
        let Access { key, origin, .. } = &self.access;
        let term = match answer.term {
            AnswerTerm::Once => return None,
            AnswerTerm::Session => Term::Session(session.to_owned()),
            AnswerTerm::Always => Term::Lasting,
        };
        if (answer.allow && self.is_each_time()) || origin.is_opaque() {
            return None;
        }
        Some(Policy {
            tools: ToolPattern::One(key.to_string()),
            origins: OriginPattern::One(origin.clone()),
            allows: answer.allow,
            term,
            updated_at: now_ms,
        })
    }

    /// The answer, which uses the question up.
    pub fn answered(self, answer: Answer) -> Result<Grant, Denial> {
        let Question { access, .. } = self;
        if answer.allow {
            Ok(Grant { access, by: Reason::Answer(answer.term) })
        } else {
            Err(Denial::ByUser { key: access.key })
        }
    }
}

/// What was decided beforehand.
#[derive(Debug, Default)]
struct Rules {
    policies: Vec<Policy>,
    trust: TrustLists,
    /// Why nothing is known of it.
    fault: Option<String>,
}

/// Decides, from what the user decided before.
#[derive(Debug, Default)]
pub struct Guard {
    rules: RwLock<Rules>,
}

impl Guard {
    /// A throw-away profile has nothing to protect; elsewhere nothing happens
    /// that nobody allowed. What the user blocked is blocked in every browser.
    /// Asking is open to everybody: the user answers.
    pub fn decide(&self, access: Access, session: &str) -> Verdict {
        if access.key == PermissionKey::AskUser {
            return Verdict::Granted(Grant { access, by: Reason::UserDecides });
        }
        let rules = self.rules.read().unwrap_or_else(PoisonError::into_inner);
        if rules.trust.trust(&access.origin) == Trust::Blocked {
            return Verdict::Denied(Denial::Blocked);
        }
        if access.profile == Profile::ThrowAway {
            return Verdict::Granted(Grant { access, by: Reason::ThrowAway });
        }
        if let Some(reason) = rules.fault.clone() {
            return Verdict::Denied(Denial::NoMemory { key: access.key, reason });
        }
        let allowed = rules.allowed(&access, session);
        if allowed == Some(false) {
            return Verdict::Denied(Denial::ByPolicy { key: access.key });
        }
        if access.key == PermissionKey::Evaluate {
            return Verdict::Open(Question { access, why: Why::RunsCode });
        }
        if access.key == PermissionKey::Tabs {
            return Verdict::Granted(Grant { access, by: Reason::OwnTabs });
        }
        if access.key.is_about_records() {
            return Verdict::Granted(Grant { access, by: Reason::OwnRecords });
        }
        match allowed {
            Some(_) => Verdict::Granted(Grant { access, by: Reason::Policy }),
            None => Verdict::Open(Question { access, why: Why::Undecided }),
        }
    }

    /// Whether all of a plan is allowed already. What was denied beforehand is not
    /// asked for again, in a plan either.
    pub fn weighs(&self, plan: &Plan, profile: Profile, session: &str) -> Result<bool, Denial> {
        let mut is_allowed = true;
        for access in plan.accesses(profile) {
            match self.decide(access, session) {
                Verdict::Granted(_) => {}
                Verdict::Open(_) => is_allowed = false,
                Verdict::Denied(denial) => return Err(denial),
            }
        }
        Ok(is_allowed)
    }

    /// Why it would be refused without asking, if it would.
    pub fn denies(&self, access: Access, session: &str) -> Option<Denial> {
        match self.decide(access, session) {
            Verdict::Denied(denial) => Some(denial),
            Verdict::Granted(_) | Verdict::Open(_) => None,
        }
    }

    /// Whether it would be allowed without asking.
    pub fn allows(&self, access: Access, session: &str) -> bool {
        matches!(self.decide(access, session), Verdict::Granted(_))
    }

    /// What an allowed call turns out to do, which can't be taken back: asked for
    /// each time. None where there is nothing to protect.
    pub fn confirm(&self, granted: &Grant, consequence: Consequence) -> Option<Question> {
        let access = granted.access.clone();
        let protects = access.profile == Profile::Personal;
        protects.then_some(Question { access, why: Why::CannotBeUndone(consequence) })
    }

    /// What an allowed call found, and the user is to see before anybody gets it. None
    /// where there is nothing to protect.
    pub fn show_first(&self, granted: &Grant) -> Option<Question> {
        let access = granted.access.clone();
        let protects = access.profile == Profile::Personal;
        protects.then_some(Question { access, why: Why::SeenFirst })
    }

    /// From now on this holds, in place of what was decided about the same.
    pub fn learn(&self, policy: Policy) {
        let mut rules = self.rules.write().unwrap_or_else(PoisonError::into_inner);
        rules.policies.retain(|known| !policy.replaces(known));
        rules.policies.push(policy);
    }

    /// The user denied something for good: what sessions were allowed of it is over.
    pub fn revoke(&self, denial: &Policy) {
        let is_denied = |known: &Policy| match (&known.tools, &known.origins) {
            (ToolPattern::One(key), OriginPattern::One(origin)) => {
                let key = PermissionKey::parse(key);
                key.is_some_and(|key| denial.tools.takes(&key)) && denial.origins.takes(origin)
            }
            // A session is never allowed more than one thing in one place at once.
            _ => false,
        };
        let mut rules = self.rules.write().unwrap_or_else(PoisonError::into_inner);
        let is_lasting = |known: &Policy| known.term == Term::Lasting;
        rules.policies.retain(|known| is_lasting(known) || !known.allows || !is_denied(known));
    }

    /// A session is over, and with it what holds for it.
    pub fn forget_session(&self, session: &str) {
        let mut rules = self.rules.write().unwrap_or_else(PoisonError::into_inner);
        rules.policies.retain(|known| known.term != Term::Session(session.to_owned()));
    }

    /// All lasting policies are these now.
    pub fn set_lasting(&self, policies: Vec<Policy>) {
        let mut rules = self.rules.write().unwrap_or_else(PoisonError::into_inner);
        rules.policies.retain(|known| known.term != Term::Lasting);
        rules.policies.extend(policies);
        rules.fault = None;
    }

    /// What the user decided can't be read; nothing is allowed until it can.
    pub fn close(&self, reason: String) {
        self.rules.write().unwrap_or_else(PoisonError::into_inner).fault = Some(reason);
    }

    /// Why nothing is allowed at present, if that is so.
    pub fn closed_because(&self) -> Option<String> {
        self.rules.read().unwrap_or_else(PoisonError::into_inner).fault.clone()
    }

    /// Whom the user trusts, and whom not.
    pub fn set_trust(&self, trust: TrustLists) {
        self.rules.write().unwrap_or_else(PoisonError::into_inner).trust = trust;
    }

    /// What to tell the user of a place, beside its name.
    pub fn warnings(&self, origin: &Origin) -> Vec<String> {
        let rules = self.rules.read().unwrap_or_else(PoisonError::into_inner);
        let reach = match Reach::of(origin.as_str()) {
            Reach::Public => None,
            Reach::Nowhere => Some("This page has no address of its own. It is of no site."),
            Reach::LocalNetwork => Some("This is in your own network, not on the web."),
            Reach::ThisMachine => Some("This is a program on your own machine, not on the web."),
        };
        let likeness = rules.trust.look_alike(origin).map(|likeness| likeness.to_string());
        reach.map(str::to_owned).into_iter().chain(likeness).collect()
    }
}

impl Rules {
    fn allowed(&self, access: &Access, session: &str) -> Option<bool> {
        let Access { key, origin, .. } = access;
        // Inside the user's own walls an agent needs to be let in by name, and what has no
        // name is asked for.
        let is_within = Reach::of(origin.as_str()) != Reach::Public;
        let is_wide = |policy: &Policy| {
            matches!(policy.origins, OriginPattern::Any | OriginPattern::Scheme(_))
        };
        let counts = |policy: &&Policy| !(is_within && policy.allows && is_wide(policy));
        let ruled = |key: &PermissionKey| {
            let counting = self.policies.iter().filter(counts);
            ruling(counting, key, origin, session).map(|policy| policy.allows)
        };
        let own = ruled(key);
        if own.is_none() && key.comes_with_reading() {
            return ruled(&PermissionKey::ReadDom).filter(|allowed| *allowed);
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(key: PermissionKey, address: &str) -> Access {
        Access { key, origin: Origin::of(address), profile: Profile::Personal }
    }

    fn click() -> Access {
        access(PermissionKey::Click, "https://example.com")
    }

    fn open(guard: &Guard, access: Access) -> Question {
        match guard.decide(access, "s") {
            Verdict::Open(question) => question,
            other => panic!("{other:?}"),
        }
    }

    fn denied(guard: &Guard, access: Access) -> Denial {
        match guard.decide(access, "s") {
            Verdict::Denied(denial) => denial,
            other => panic!("{other:?}"),
        }
    }

    const YES: Answer = Answer { allow: true, term: AnswerTerm::Once };

    #[test]
    fn records_are_open_to_whoever_may_call_until_they_are_denied() {
        let guard = Guard::default();
        for key in [PermissionKey::ReadRecords, PermissionKey::WriteRecords] {
            let access = Access::to_records(key);
            let Verdict::Granted(grant) = guard.decide(access, "s") else { panic!("denied") };
            assert_eq!(grant.reason(), Reason::OwnRecords);
        }
        guard.learn(Policy {
            tools: ToolPattern::One("record:write".into()),
            origins: OriginPattern::Any,
            allows: false,
            term: Term::Lasting,
            updated_at: 1,
        });
        denied(&guard, Access::to_records(PermissionKey::WriteRecords));
        assert!(guard.allows(Access::to_records(PermissionKey::ReadRecords), "s"));
        guard.close("gone".into());
        denied(&guard, Access::to_records(PermissionKey::ReadRecords));
    }

    #[test]
    fn a_plan_is_weighed_as_its_calls_would_be() {
        let guard = Guard::default();
        let keys = ["tab_read:dom".to_owned(), "tab_action:click".to_owned()];
        let plan = Plan::parse(&keys, &["https://example.com".to_owned()]).unwrap();
        let weighed = || guard.weighs(&plan, Profile::Personal, "s");
        assert_eq!(weighed(), Ok(false));
        assert_eq!(guard.weighs(&plan, Profile::ThrowAway, "s"), Ok(true));
        let yes = Answer { allow: true, term: AnswerTerm::Once };
        plan.lays_down(yes, "s", 1).into_iter().for_each(|policy| guard.learn(policy));
        assert_eq!(weighed(), Ok(true));
        assert!(!guard.allows(click(), "another"));
        guard.forget_session("s");
        guard.learn(Policy::parse("tab_action:click", "*", false, 2).unwrap());
        assert_eq!(weighed(), Err(Denial::ByPolicy { key: PermissionKey::Click }));
    }

    #[test]
    fn the_user_may_be_asked_in_any_browser() {
        for profile in [Profile::Personal, Profile::ThrowAway] {
            let asking = Access { profile, ..access(PermissionKey::AskUser, "https://a.example") };
            assert!(Guard::default().allows(asking, "s"));
        }
    }

    #[test]
    fn a_throw_away_profile_has_nothing_to_protect() {
        let access = Access { profile: Profile::ThrowAway, ..click() };
        let Verdict::Granted(grant) = Guard::default().decide(access, "s") else { panic!() };
        assert_eq!(grant.access().key, PermissionKey::Click);
        assert!(Guard::default().confirm(&grant, Consequence::Pays).is_none());
    }

    #[test]
    fn in_a_persons_own_browser_the_user_is_asked_and_a_yes_is_for_one_call() {
        let guard = Guard::default();
        let grant = open(&guard, click()).answered(YES).unwrap();
        assert_eq!(grant.reason().to_string(), "allow_once");
        let no = Answer { allow: false, ..YES };
        let denial = open(&guard, click()).answered(no).unwrap_err();
        let text = denial.to_string();
        assert!(text.starts_with("tab_action:click was not allowed"), "{text}");
        assert!(!text.contains("example.com"), "what the user has open is not told: {text}");
    }

    #[test]
    fn an_answer_that_lasts_is_not_asked_for_again_where_it_holds() {
        let guard = Guard::default();
        let always = Answer { term: AnswerTerm::Always, ..YES };
        let policy = open(&guard, click()).lays_down(always, "s", 1).unwrap();
        assert_eq!(policy.origins.to_string(), "https://example.com");
        guard.learn(policy);
        assert!(guard.allows(click(), "another"));
        assert!(!guard.allows(access(PermissionKey::Input, "https://example.com"), "s"));
        assert!(!guard.allows(access(PermissionKey::Click, "https://example.com:8443"), "s"));
        let session = Answer { term: AnswerTerm::Session, allow: false };
        let policy = open(&guard, access(PermissionKey::Input, "https://a.example"))
            .lays_down(session, "s", 2)
            .unwrap();
        guard.learn(policy);
        let typing = || access(PermissionKey::Input, "https://a.example");
        assert!(matches!(denied(&guard, typing()), Denial::ByPolicy { .. }));
        assert!(matches!(guard.decide(typing(), "another"), Verdict::Open(_)));
        guard.forget_session("s");
        open(&guard, typing());
    }

    #[test]
    fn a_denial_for_good_ends_what_a_session_was_allowed() {
        let guard = Guard::default();
        let session = Answer { term: AnswerTerm::Session, ..YES };
        for key in [PermissionKey::Click, PermissionKey::ReadDom] {
            let asked = open(&guard, access(key, "https://example.com"));
            guard.learn(asked.lays_down(session, "s", 1).unwrap());
        }
        let denial = Policy::parse("tab_action:*", "*.example.com", false, 2).unwrap();
        guard.learn(denial.clone());
        assert!(guard.allows(click(), "s"), "what is said of a session counts more");
        guard.revoke(&denial);
        assert!(matches!(denied(&guard, click()), Denial::ByPolicy { .. }));
        assert!(guard.allows(access(PermissionKey::ReadDom, "https://example.com"), "s"));
    }

    #[test]
    fn what_has_no_origin_is_asked_for_whatever_is_allowed_everywhere_else() {
        let guard = Guard::default();
        guard.learn(Policy::parse("*", "*", true, 1).unwrap());
        assert!(guard.allows(click(), "s"));
        for address in ["about:blank", "file:///etc/passwd", "data:text/html,x", "null"] {
            let question = open(&guard, access(PermissionKey::ReadDom, address));
            let always = Answer { allow: true, term: AnswerTerm::Always };
            assert_eq!(question.lays_down(always, "s", 2), None, "{address}");
        }
        guard.learn(Policy::parse("*", "*", false, 3).unwrap());
        denied(&guard, access(PermissionKey::ReadDom, "about:blank"));
    }

    #[test]
    fn whoever_may_read_a_page_may_wait_and_scroll_in_it() {
        let guard = Guard::default();
        guard.learn(Policy::parse("tab_read:dom", "https://example.com", true, 1).unwrap());
        let at = |key| access(key, "https://example.com");
        for key in [PermissionKey::ReadDom, PermissionKey::Wait, PermissionKey::ReadInfo] {
            assert!(guard.allows(at(key), "s"));
        }
        for key in [PermissionKey::Click, PermissionKey::ReadCookies, PermissionKey::ReadScreenshot]
        {
            open(&guard, at(key));
        }
        guard.learn(Policy::parse("tab_action:scroll", "*", false, 2).unwrap());
        assert!(matches!(denied(&guard, at(PermissionKey::Scroll)), Denial::ByPolicy { .. }));
    }

    #[test]
    fn code_and_what_cannot_be_undone_is_asked_for_each_time() {
        let guard = Guard::default();
        guard.learn(Policy::parse("*", "*", true, 1).unwrap());
        let question = open(&guard, access(PermissionKey::Evaluate, "https://example.com"));
        let always = Answer { term: AnswerTerm::Always, ..YES };
        assert_eq!(question.lays_down(always, "s", 2), None);
        let never = Answer { allow: false, ..always };
        assert!(question.lays_down(never, "s", 2).is_some(), "a no may last");
        let Verdict::Granted(grant) = guard.decide(click(), "s") else { panic!() };
        let question = guard.confirm(&grant, Consequence::Deletes).unwrap();
        assert!(question.is_each_time());
    }

    #[test]
    fn inside_the_users_walls_an_agent_is_let_in_by_name_alone() {
        let guard = Guard::default();
        guard.learn(Policy::parse("*", "*", true, 1).unwrap());
        guard.learn(Policy::parse("*", "http://*", true, 1).unwrap());
        for address in ["http://127.0.0.1:3000", "http://192.168.1.1", "http://localhost"] {
            open(&guard, access(PermissionKey::Click, address));
            assert_eq!(guard.warnings(&Origin::of(address)).len(), 1);
        }
        guard.learn(Policy::parse("*", "http://192.168.1.1", true, 1).unwrap());
        assert!(guard.allows(access(PermissionKey::Click, "http://192.168.1.1"), "s"));
        assert!(guard.allows(click(), "s"));
    }

    #[test]
    fn blocked_sites_and_a_lost_memory_are_closed_whatever_is_allowed() {
        let guard = Guard::default();
        guard.learn(Policy::parse("*", "*", true, 1).unwrap());
        guard.set_trust(TrustLists::new([], ["example.com"]));
        assert_eq!(denied(&guard, click()), Denial::Blocked);
        let elsewhere = Access { profile: Profile::ThrowAway, ..click() };
        assert_eq!(denied(&guard, elsewhere), Denial::Blocked, "blocked is blocked");
        guard.close("the disk is full".into());
        let other = access(PermissionKey::Click, "https://other.example");
        assert!(denied(&guard, other.clone()).to_string().contains("the disk is full"));
        guard.set_lasting(vec![Policy::parse("*", "*", true, 1).unwrap()]);
        assert!(guard.allows(other, "s"));
    }
}
