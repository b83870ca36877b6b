//! Changes of what the user decided beforehand, and which of them let anything
//! happen that could not before. Those count only once the user confirmed them:
//! whoever has a shell must not grant itself anything.

use crate::pattern::{OriginPattern, ToolPattern};
use crate::policy::Policy;
use crate::trust::Trust;

/// A change of the lasting policies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyChange {
    /// This holds from now on, in place of what was decided about the same.
    Put(Policy),
    /// Nothing is decided about that any more.
    Remove {
        /// About what.
        tools: ToolPattern,
        /// Where.
        origins: OriginPattern,
    },
}

impl PolicyChange {
    /// About what.
    pub fn tools(&self) -> &ToolPattern {
        match self {
            PolicyChange::Put(Policy { tools, .. }) | PolicyChange::Remove { tools, .. } => tools,
        }
    }

    /// Where.
    pub fn origins(&self) -> &OriginPattern {
        match self {
            PolicyChange::Put(Policy { origins, .. }) | PolicyChange::Remove { origins, .. } => {
                origins
            }
        }
    }

    /// Whether it may let anything happen that was denied, or had to be asked for,
    /// under the lasting policies before it. An allowance that others imply is taken
    /// for one that isn't: they may go, and it would stay.
    pub fn loosens(&self, before: &[Policy]) -> bool {
        let known = before
            .iter()
            .find(|policy| policy.tools == *self.tools() && policy.origins == *self.origins())
            .map(|policy| policy.allows);
        match self {
            PolicyChange::Put(policy) => policy.allows && known != Some(true),
            PolicyChange::Remove { .. } => known == Some(false),
        }
    }
}

/// Whether another standing of a site takes something away that protects the user:
/// a block, or the warning that another site passes for this one. Trust itself is
/// given by the user alone.
pub fn trust_loosens(before: Trust, after: Trust) -> bool {
    before != after && after != Trust::Blocked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::{Access, Guard, Profile, Verdict};
    use crate::key::PermissionKey;
    use crate::origin::Origin;
    use proptest::prelude::*;

    const TOOLS: [&str; 7] = [
        "*",
        "tab_read:*",
        "tab_action:*",
        "tab_action:click",
        "tab_action:scroll",
        "tab_action:evaluate",
        "tab_read:dom",
    ];
    const ORIGINS: [&str; 8] = [
        "*",
        "https://*",
        "http://*",
        "*.example.com",
        "https://*.example.com",
        "https://a.example.com",
        "http://example.com",
        "http://127.0.0.1:3000",
    ];
    const PLACES: [&str; 6] = [
        "https://a.example.com",
        "https://b.a.example.com:8443",
        "http://example.com",
        "http://other.example",
        "http://127.0.0.1:3000",
        "about:blank",
    ];

    fn policy(tools: usize, origins: usize, allows: bool, updated_at: i64) -> Policy {
        Policy::parse(TOOLS[tools], ORIGINS[origins], allows, updated_at).unwrap()
    }

    /// One policy about the same at most, as the store keeps them.
    fn any_policies() -> impl Strategy<Value = Vec<Policy>> {
        let one = (0..TOOLS.len(), 0..ORIGINS.len());
        let about = prop::collection::btree_map(one, (any::<bool>(), 0_i64..4), 0..10);
        about.prop_map(|about| {
            let each = about.into_iter();
            each.map(|((tools, origins), (allows, at))| policy(tools, origins, allows, at))
                .collect()
        })
    }

    fn any_change() -> impl Strategy<Value = PolicyChange> {
        let parts = (0..TOOLS.len(), 0..ORIGINS.len(), prop::option::of(any::<bool>()), 0_i64..6);
        parts.prop_map(|(tools, origins, put, at)| {
            let policy = policy(tools, origins, put.unwrap_or_default(), at);
            match put {
                Some(_) => PolicyChange::Put(policy),
                None => PolicyChange::Remove { tools: policy.tools, origins: policy.origins },
            }
        })
    }

    fn after(before: &[Policy], change: &PolicyChange) -> Vec<Policy> {
        let others = before.iter().filter(|policy| {
            policy.tools != *change.tools() || policy.origins != *change.origins()
        });
        let put = match change {
            PolicyChange::Put(policy) => Some(policy),
            PolicyChange::Remove { .. } => None,
        };
        others.chain(put).cloned().collect()
    }

    /// How far each access gets: denied, asked for, allowed.
    fn freedoms(policies: Vec<Policy>) -> Vec<u8> {
        let guard = Guard::default();
        guard.set_lasting(policies);
        let mut freedoms = Vec::new();
        for key in PermissionKey::ALL {
            for place in PLACES {
                let (key, origin) = (key.clone(), Origin::of(place));
                let access = Access { key, origin, profile: Profile::Personal };
                freedoms.push(match guard.decide(access, "s") {
                    Verdict::Denied(_) => 0,
                    Verdict::Open(_) => 1,
                    Verdict::Granted(_) => 2,
                });
            }
        }
        freedoms
    }

    proptest! {
        #[test]
        fn nothing_gets_further_by_a_change_that_does_not_loosen(
            before in any_policies(), change in any_change()
        ) {
            let gets_further = freedoms(before.clone())
                .into_iter()
                .zip(freedoms(after(&before, &change)))
                .any(|(before, after)| after > before);
            prop_assert!(!gets_further || change.loosens(&before), "{change:?}");
        }

        #[test]
        fn denying_and_saying_the_same_again_never_loosens(
            before in any_policies(), change in any_change()
        ) {
            if matches!(&change, PolicyChange::Put(policy) if !policy.allows) {
                prop_assert!(!change.loosens(&before));
            }
            prop_assert!(!change.loosens(&after(&before, &change)));
        }
    }

    #[test]
    fn taking_a_denial_back_loosens_and_taking_an_allowance_back_does_not() {
        let remove = |of: &Policy| PolicyChange::Remove {
            tools: of.tools.clone(),
            origins: of.origins.clone(),
        };
        let (allowed, denied) = (policy(3, 5, true, 1), policy(3, 5, false, 1));
        assert!(remove(&denied).loosens(std::slice::from_ref(&denied)));
        assert!(!remove(&allowed).loosens(std::slice::from_ref(&allowed)));
        assert!(!remove(&denied).loosens(&[]));
        assert!(PolicyChange::Put(allowed.clone()).loosens(&[denied]));
        let implied = PolicyChange::Put(allowed);
        assert!(implied.loosens(&[policy(0, 0, true, 1)]), "it would outlive what implies it");
    }

    #[test]
    fn a_site_is_blocked_by_anybody_and_let_go_by_the_user() {
        use Trust::{Blocked, Trusted, Unknown};
        for (before, after, loosens) in [
            (Unknown, Trusted, true),
            (Blocked, Unknown, true),
            (Blocked, Trusted, true),
            (Trusted, Unknown, true),
            (Unknown, Blocked, false),
            (Trusted, Blocked, false),
            (Trusted, Trusted, false),
        ] {
            assert_eq!(trust_loosens(before, after), loosens, "{before:?} {after:?}");
        }
    }
}
