//! A plan: all that an agent is about to do and where, asked for in one question.
//! It names each act and each site, so that the user can see what is allowed.

use crate::decision::{Access, Answer, AnswerTerm, Profile};
use crate::key::PermissionKey;
use crate::origin::Origin;
use crate::pattern::{BadPattern, OriginPattern, ToolPattern};
use crate::policy::{Policy, Term};

/// More than this nobody reads before answering.
const MOST: usize = 12;

/// Why a plan is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPlan {
    /// Not an act, or not a site.
    #[error(transparent)]
    Pattern(#[from] BadPattern),
    /// More than one site, or more than one kind of act, in one word.
    #[error("{0:?} stands for several; a plan names each of them")]
    Several(String),
    /// Asked each time.
    #[error(
        "{0} can't be part of a plan, since the user is asked each time; leave it out and call for \
         it when you need it"
    )]
    EachTime(PermissionKey),
    /// Nothing, or too much.
    #[error("{what} has {count} entries, and a plan has 1 to {MOST}")]
    Count {
        /// Of which list.
        what: &'static str,
        /// How many.
        count: usize,
    },
}

/// What an agent is about to do, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    keys: Vec<PermissionKey>,
    origins: Vec<Origin>,
}

impl Plan {
    /// From an agent's words. What is named twice is in it once.
    pub fn parse(keys: &[String], origins: &[String]) -> Result<Self, BadPlan> {
        let keys = each("keys", keys, key_of)?;
        let origins = each("origins", origins, origin_of)?;
        Ok(Plan { keys, origins })
    }

    /// What would be done.
    pub fn keys(&self) -> &[PermissionKey] {
        &self.keys
    }

    /// Where.
    pub fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// Each act on each site.
    pub fn accesses(&self, profile: Profile) -> impl Iterator<Item = Access> {
        self.pairs().map(move |(key, origin)| Access {
            key: key.clone(),
            origin: origin.clone(),
            profile,
        })
    }

    /// What an answer lays down for later calls. A plan is for more than one call, so
    /// that a yes for this time is one for this session.
    pub fn lays_down(&self, answer: Answer, session: &str, now_ms: i64) -> Vec<Policy> {
        let term = match (answer.allow, answer.term) {
            (false, AnswerTerm::Once) => return Vec::new(),
            (_, AnswerTerm::Always) => Term::Lasting,
            (_, AnswerTerm::Once | AnswerTerm::Session) => Term::Session(session.to_owned()),
        };
        let policies = self.pairs().map(|(key, origin)| Policy {
            tools: ToolPattern::One(key.to_string()),
            origins: OriginPattern::One(origin.clone()),
            allows: answer.allow,
            term: term.clone(),
            updated_at: now_ms,
        });
        policies.collect()
    }

    fn pairs(&self) -> impl Iterator<Item = (&PermissionKey, &Origin)> {
        self.origins.iter().flat_map(|origin| self.keys.iter().map(move |key| (key, origin)))
    }
}

fn each<T: PartialEq>(
    what: &'static str,
    words: &[String],
    read: impl Fn(&str) -> Result<T, BadPlan>,
) -> Result<Vec<T>, BadPlan> {
    if words.is_empty() || words.len() > MOST {
        return Err(BadPlan::Count { what, count: words.len() });
    }
    let mut all = Vec::new();
    for word in words {
        let one = read(word)?;
        if !all.contains(&one) {
            all.push(one);
        }
    }
    Ok(all)
}

fn key_of(word: &str) -> Result<PermissionKey, BadPlan> {
    let ToolPattern::One(name) = word.parse()? else {
        return Err(BadPlan::Several(word.to_owned()));
    };
    match PermissionKey::parse(&name) {
        Some(key @ PermissionKey::Evaluate) => Err(BadPlan::EachTime(key)),
        Some(key) => Ok(key),
        None => Err(BadPattern::Tool(name).into()),
    }
}

fn origin_of(word: &str) -> Result<Origin, BadPlan> {
    match word.parse()? {
        OriginPattern::One(origin) => Ok(origin),
        _ => Err(BadPlan::Several(word.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(keys: &[&str], origins: &[&str]) -> Result<Plan, BadPlan> {
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        Plan::parse(&owned(keys), &owned(origins))
    }

    #[test]
    fn a_plan_names_each_act_and_each_site() {
        let origin = "https://a.example";
        for (keys, origins, word) in [
            (&["tab_read:*"][..], &[origin][..], "names each"),
            (&["*"], &[origin], "names each"),
            (&["tab_read:dom"], &["*"], "names each"),
            (&["tab_read:dom"], &["https://*"], "names each"),
            (&["tab_read:dom"], &["*.a.example"], "names each"),
            (&["tab_read:dom"], &["a.example"], "is no site"),
            (&["tab_read:dom"], &["https://a.example/x"], "beyond an origin"),
            (&["click"], &[origin], "no kind of act"),
            (&["tab_action:evaluate"], &[origin], "asked each time"),
            (&[], &[origin], "1 to 12"),
            (&["tab_read:dom"], &[origin; 13], "1 to 12"),
        ] {
            let refusal = plan(keys, origins).unwrap_err().to_string();
            assert!(refusal.contains(word), "{keys:?} {origins:?}: {refusal}");
        }
    }

    #[test]
    fn an_answer_lays_down_each_act_on_each_site_for_its_time() {
        let plan = plan(
            &["tab_read:dom", "tab_action:click", "tab_read:dom", "ext:notes"],
            &["https://a.example", "https://A.example:443/", "https://b.example"],
        )
        .unwrap();
        let laid = |allow, term| plan.lays_down(Answer { allow, term }, "s", 7);
        let own = Term::Session("s".to_owned());
        for (allow, term, expected) in [
            (true, AnswerTerm::Once, Some(&own)),
            (true, AnswerTerm::Session, Some(&own)),
            (true, AnswerTerm::Always, Some(&Term::Lasting)),
            (false, AnswerTerm::Always, Some(&Term::Lasting)),
            (false, AnswerTerm::Once, None),
        ] {
            let laid = laid(allow, term);
            assert_eq!(laid.len(), if expected.is_some() { 6 } else { 0 });
            let as_said =
                |policy: &Policy| policy.allows == allow && Some(&policy.term) == expected;
            assert!(laid.iter().all(as_said), "{laid:?}");
        }
        assert_eq!(plan.accesses(Profile::Personal).count(), 6);
    }
}
