//! Policies: what the user decided beforehand, and which of those decisions a
//! call falls under. The most specific one counts; of two alike the later one,
//! and of two at the same time the denial.

use std::cmp::Ordering;
use std::fmt;

use crate::key::PermissionKey;
use crate::origin::Origin;
use crate::pattern::{BadPattern, OriginPattern, ToolPattern};

/// What the user answers when asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// This time.
    AllowOnce,
    /// Not this time.
    DenyOnce,
    /// From now on.
    AllowAlways,
    /// Never.
    DenyAlways,
}

impl Decision {
    /// All of them, in the order in which people are shown them.
    pub const ALL: [Decision; 4] =
        [Decision::AllowOnce, Decision::AllowAlways, Decision::DenyOnce, Decision::DenyAlways];

    /// As it is written on the wire and in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Decision::AllowOnce => "allow_once",
            Decision::DenyOnce => "deny_once",
            Decision::AllowAlways => "allow_always",
            Decision::DenyAlways => "deny_always",
        }
    }

    /// Back from that.
    pub fn parse(text: &str) -> Option<Self> {
        Decision::ALL.into_iter().find(|decision| decision.as_str() == text)
    }

    /// Whether it lets the call run.
    pub fn allows(self) -> bool {
        matches!(self, Decision::AllowOnce | Decision::AllowAlways)
    }

    /// Whether it holds for later calls, too.
    pub fn is_lasting(self) -> bool {
        matches!(self, Decision::AllowAlways | Decision::DenyAlways)
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How long a policy holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Term {
    /// Until somebody takes it back.
    Lasting,
    /// For this agent session.
    Session(String),
}

/// A decision made beforehand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// About what.
    pub tools: ToolPattern,
    /// Where.
    pub origins: OriginPattern,
    /// Whether it may happen.
    pub allows: bool,
    /// For how long.
    pub term: Term,
    /// Milliseconds since the epoch.
    pub updated_at: i64,
}

impl Policy {
    /// From the words in which people and the API write one.
    pub fn parse(
        tools: &str,
        origins: &str,
        allows: bool,
        updated_at: i64,
    ) -> Result<Self, BadPattern> {
        let (tools, origins) = (tools.parse()?, origins.parse()?);
        Ok(Policy { tools, origins, allows, term: Term::Lasting, updated_at })
    }

    /// Whether a call of that session falls under it.
    pub fn applies(&self, key: &PermissionKey, origin: &Origin, session: &str) -> bool {
        let is_in_term = match &self.term {
            Term::Lasting => true,
            Term::Session(own) => own == session,
        };
        is_in_term && self.tools.takes(key) && self.origins.takes(origin)
    }

    /// Where first, then what, then for whom: what is decided for a site counts
    /// more than what is decided for a kind of act on all sites.
    fn weight(&self) -> impl Ord + use<'_> {
        let is_of_session = matches!(self.term, Term::Session(_));
        let place = (self.origins.specificity(), self.tools.specificity(), is_of_session);
        (place, self.updated_at, !self.allows)
    }

    /// Which of two that both apply counts: the greater one.
    pub fn precedence(&self, other: &Policy) -> Ordering {
        self.weight().cmp(&other.weight())
    }

    /// Whether it decides about the same as another one, so that one is enough.
    pub fn replaces(&self, other: &Policy) -> bool {
        self.tools == other.tools && self.origins == other.origins && self.term == other.term
    }
}

/// The policy that a call falls under, if there is any.
pub fn ruling<'p>(
    policies: impl IntoIterator<Item = &'p Policy>,
    key: &PermissionKey,
    origin: &Origin,
    session: &str,
) -> Option<&'p Policy> {
    let applying = policies.into_iter().filter(|policy| policy.applies(key, origin, session));
    applying.max_by(|one, other| one.precedence(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn policy(tools: &str, origins: &str, allows: bool, updated_at: i64) -> Policy {
        Policy::parse(tools, origins, allows, updated_at).unwrap()
    }

    fn allowed(policies: &[Policy], key: &PermissionKey, address: &str) -> Option<bool> {
        ruling(policies, key, &Origin::of(address), "s").map(|policy| policy.allows)
    }

    #[test]
    fn the_site_counts_before_the_kind_of_act_and_both_before_time() {
        let policies = [
            policy("*", "*", true, 9),
            policy("tab_action:*", "*", false, 8),
            policy("tab_action:click", "*", true, 7),
            policy("*", "*.bank.example", false, 6),
            policy("tab_read:*", "https://*.bank.example", true, 5),
            policy("tab_action:click", "https://pay.bank.example", true, 4),
        ];
        for (key, address, expected) in [
            (PermissionKey::ReadDom, "https://other.example", true),
            (PermissionKey::Input, "https://other.example", false),
            (PermissionKey::Click, "https://other.example", true),
            (PermissionKey::Click, "https://www.bank.example", false),
            (PermissionKey::ReadDom, "https://www.bank.example", true),
            (PermissionKey::ReadDom, "http://www.bank.example", false),
            (PermissionKey::Click, "https://pay.bank.example", true),
            (PermissionKey::Input, "https://pay.bank.example", false),
        ] {
            assert_eq!(allowed(&policies, &key, address), Some(expected), "{key} {address}");
        }
        assert_eq!(allowed(&policies[1..3], &PermissionKey::ReadDom, "https://a.example"), None);
    }

    #[test]
    fn of_two_alike_the_later_one_counts_and_then_the_denial() {
        let early = policy("tab_action:click", "https://a.example", false, 1);
        let late = policy("tab_action:click", "https://a.example", true, 2);
        let same = policy("tab_action:click", "https://a.example", false, 2);
        let ruled = |policies: &[Policy]| {
            allowed(policies, &PermissionKey::Click, "https://a.example").unwrap()
        };
        assert!(ruled(&[early.clone(), late.clone()]));
        assert!(ruled(&[late.clone(), early]));
        assert!(!ruled(&[late.clone(), same.clone()]));
        assert!(!ruled(&[same, late]));
    }

    #[test]
    fn what_is_decided_for_a_session_is_nobody_elses() {
        let lasting = policy("tab_action:click", "https://a.example", false, 9);
        let term = Term::Session("mine".into());
        let own = Policy { term, allows: true, updated_at: 1, ..lasting.clone() };
        let origin = Origin::of("https://a.example");
        let ruled = |session| {
            let policies = [&lasting, &own];
            ruling(policies, &PermissionKey::Click, &origin, session).unwrap().allows
        };
        assert!(ruled("mine"));
        assert!(!ruled("another"));
    }

    #[test]
    fn decisions_are_written_as_they_are_read() {
        for decision in Decision::ALL {
            assert_eq!(Decision::parse(decision.as_str()), Some(decision));
        }
        assert_eq!(Decision::parse("allow"), None);
        assert!(Decision::AllowOnce.allows() && !Decision::AllowOnce.is_lasting());
        assert!(!Decision::DenyAlways.allows() && Decision::DenyAlways.is_lasting());
    }

    const TOOLS: [&str; 6] =
        ["*", "tab_read:*", "tab_action:*", "tab_action:click", "tab_action:input", "tab_read:dom"];
    const ORIGINS: [&str; 9] = [
        "*",
        "https://*",
        "http://*",
        "*.example.com",
        "https://*.example.com",
        "*.a.example.com",
        "https://a.example.com",
        "http://example.com",
        "https://example.com:8443",
    ];
    const PLACES: [&str; 6] = [
        "https://a.example.com/x",
        "http://example.com",
        "https://example.com:8443/",
        "https://b.a.example.com",
        "http://other.example",
        "about:blank",
    ];
    const KEYS: [PermissionKey; 3] =
        [PermissionKey::Click, PermissionKey::Input, PermissionKey::ReadDom];

    fn any_policy() -> impl Strategy<Value = Policy> {
        let term = prop_oneof![Just(Term::Lasting), "[ab]".prop_map(Term::Session),];
        let parts = (0..TOOLS.len(), 0..ORIGINS.len(), any::<bool>(), 0_i64..4, term);
        parts.prop_map(|(tools, origins, allows, updated_at, term)| Policy {
            term,
            ..policy(TOOLS[tools], ORIGINS[origins], allows, updated_at)
        })
    }

    proptest! {
        #[test]
        fn precedence_is_a_total_order(
            one in any_policy(), other in any_policy(), third in any_policy()
        ) {
            prop_assert_eq!(one.precedence(&other), other.precedence(&one).reverse());
            if one.precedence(&other).is_le() && other.precedence(&third).is_le() {
                prop_assert!(one.precedence(&third).is_le());
            }
        }

        #[test]
        fn what_does_not_apply_changes_nothing_and_order_neither(
            policies in prop::collection::vec(any_policy(), 0..8),
            key in 0..KEYS.len(), place in 0..PLACES.len(), session in "[ab]",
        ) {
            let (key, origin) = (&KEYS[key], &Origin::of(PLACES[place]));
            let ruled = |policies: &[&Policy]| {
                ruling(policies.iter().copied(), key, origin, &session).map(|policy| policy.allows)
            };
            let all: Vec<&Policy> = policies.iter().collect();
            let backwards: Vec<&Policy> = policies.iter().rev().collect();
            let applying: Vec<&Policy> =
                policies.iter().filter(|policy| policy.applies(key, origin, &session)).collect();
            prop_assert_eq!(ruled(&all), ruled(&backwards));
            prop_assert_eq!(ruled(&all), ruled(&applying));
            prop_assert_eq!(ruled(&all).is_some(), !applying.is_empty());
        }

        #[test]
        fn a_tie_is_a_denial(one in any_policy(), key in 0..KEYS.len(), place in 0..PLACES.len()) {
            let (key, origin) = (&KEYS[key], &Origin::of(PLACES[place]));
            let other = Policy { allows: !one.allows, ..one.clone() };
            for session in ["a", "b"] {
                if let Some(policy) = ruling([&one, &other], key, origin, session) {
                    prop_assert!(!policy.allows);
                }
            }
        }
    }
}
