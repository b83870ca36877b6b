//! Changing what the user decided beforehand. What tightens is done at once; what
//! loosens waits until the user confirms it in a browser of theirs, whoever asks:
//! an agent that has a shell has our token as well.

use std::sync::Arc;
use std::time::Duration;

use outrigger_browser::Desk;
use outrigger_browser::permission::{Ask, Unanswered, place_of};
use outrigger_dispatch::journal::NotKept;
use outrigger_guard::change::PolicyChange;
use outrigger_guard::pattern::{OriginPattern, ToolPattern};
use outrigger_guard::trust::Trust;
use outrigger_guard::{Answer, Guard, Origin};
use outrigger_protocol::helm::{Beyond, Detail, Place};

use crate::change_log::{Author, Change, Sanction, UNCHANGED};
use crate::consent::ask_everywhere;
use crate::memory::Memory;

/// Whose questions these are; no agent session is called so.
const ASKER: &str = "outrigger:rules";

/// All that is known of whoever asks.
const CLIENT: &str = "A program with your agent token";

/// More than this nobody reads before confirming.
pub(crate) const MOST_AT_ONCE: usize = 20;

/// Why something was not changed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotChanged {
    #[error(
        "This loosens what you decided, so you have to confirm it in Outrigger's panel, and no \
         browser of yours is linked. Open yours with the full extension in it, and try again."
    )]
    NobodyToAsk,
    #[error("This was not confirmed: you said no in the browser. Nothing was loosened.")]
    Refused,
    #[error(
        "This was not confirmed in time in the browser, which counts as no. Try again, and answer \
         in Outrigger's panel."
    )]
    NoAnswer,
    #[error("Too many changes wait to be confirmed in the browser. Answer those first.")]
    TooMany,
    #[error("What you decide can't be read or kept: {0}. `outrigger doctor` tells more.")]
    Memory(NotKept),
}

impl NotChanged {
    /// A stable code.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            NotChanged::NobodyToAsk => "nobody_to_ask",
            NotChanged::Refused => "refused",
            NotChanged::NoAnswer => "no_answer",
            NotChanged::TooMany => "too_many_questions",
            NotChanged::Memory(fault) => fault.code,
        }
    }
}

/// Why not all policies were changed, and which were all the same.
#[derive(Debug, thiserror::Error)]
#[error("{why}{}", in_words(.kept))]
pub(crate) struct NotAllChanged {
    pub(crate) why: NotChanged,
    kept: Vec<PolicyChange>,
}

/// Whoever changes what the user decided.
pub(crate) struct Rules {
    pub(crate) memory: Arc<Memory>,
    pub(crate) desk: Arc<Desk>,
    pub(crate) guard: Arc<Guard>,
    /// How long a question waits for its answer.
    pub(crate) time: Duration,
}

impl Rules {
    /// Changes policies; all that tighten first, whatever becomes of the others.
    pub(crate) async fn change(
        &self,
        author: &Author,
        changes: Vec<PolicyChange>,
    ) -> Result<(), NotAllChanged> {
        let nothing = |why| NotAllChanged { why, kept: Vec::new() };
        let all = changes.clone();
        let change = |changes, sanction| {
            let (memory, author) = (self.memory.clone(), author.clone());
            to_the_end(async move { memory.change_policies(&author, changes, sanction).await })
        };
        let left = change(changes, Sanction::Unasked).await.map_err(nothing)?;
        if left.is_empty() {
            return Ok(());
        }
        let kept = all.into_iter().filter(|change| !left.contains(change)).collect();
        let about = left.iter().map(Change::Policy).collect();
        let changed = match self.confirmed(author, about, self.policy_question(&left)).await {
            Ok(()) => change(left, Sanction::Confirmed).await.map(drop),
            Err(why) => Err(why),
        };
        changed.map_err(|why| NotAllChanged { why, kept })
    }

    /// Changes how far a site is trusted.
    pub(crate) async fn change_trust(
        &self,
        author: &Author,
        domain: &str,
        trust: Trust,
    ) -> Result<(), NotChanged> {
        let change = |sanction| {
            let (memory, author, domain) = (self.memory.clone(), author.clone(), domain.to_owned());
            to_the_end(async move { memory.change_trust(&author, &domain, trust, sanction).await })
        };
        if change(Sanction::Unasked).await? {
            return Ok(());
        }
        let about = vec![Change::Site { domain, trust }];
        self.confirmed(author, about, self.trust_question(domain, trust)).await?;
        change(Sanction::Confirmed).await.map(drop)
    }

    /// Asks for it; what is not confirmed is noted as such.
    async fn confirmed(
        &self,
        author: &Author,
        about: Vec<Change<'_>>,
        question: Ask,
    ) -> Result<(), NotChanged> {
        let reason = match ask_everywhere(&self.desk, &question, self.time).await {
            Ok(Answer { allow: true, .. }) => return Ok(()),
            Ok(Answer { allow: false, .. }) => NotChanged::Refused,
            Err(Unanswered::NobodyToAsk) => NotChanged::NobodyToAsk,
            Err(Unanswered::NoAnswer) => NotChanged::NoAnswer,
            Err(Unanswered::TooMany | Unanswered::TooLong) => NotChanged::TooMany,
        };
        for change in &about {
            self.memory.note_change(author, change, reason.code(), UNCHANGED);
        }
        Err(reason)
    }

    /// Several are shown one by one: all acts beside all sites would say more than is
    /// asked for.
    fn policy_question(&self, changes: &[PolicyChange]) -> Ask {
        let warnings = changes.iter().flat_map(|change| self.warnings(change));
        let mut warnings: Vec<String> = warnings.collect();
        warnings.dedup();
        let ask = Ask { warnings, ..self.question("Change what agents may do") };
        match changes {
            [change] => Ask {
                what: match change {
                    PolicyChange::Put(_) => "Always allow this, for every agent".to_owned(),
                    PolicyChange::Remove { .. } => {
                        "Take back that you never allow this, for every agent".to_owned()
                    }
                },
                keys: vec![change.tools().to_string()],
                places: vec![pattern_place(change.origins())],
                ..ask
            },
            several => Ask { with: several.iter().map(detail).collect(), ..ask },
        }
    }

    fn trust_question(&self, domain: &str, trust: Trust) -> Ask {
        let (what, warning) = match trust {
            Trust::Trusted => ("Trust this site", None),
            _ => (
                "Take this site off your list, for every agent",
                Some("If it is blocked now, agents can be allowed to go there after that."),
            ),
        };
        let origin = Origin::of(&format!("https://{domain}"));
        let warnings = self.guard.warnings(&origin).into_iter();
        let place = Place { origin: domain.to_owned(), ..place_of(&origin) };
        Ask {
            places: vec![place],
            warnings: warnings.chain(warning.map(str::to_owned)).collect(),
            ..self.question(what)
        }
    }

    fn question(&self, what: &str) -> Ask {
        Ask {
            browser: String::new(),
            session: ASKER.to_owned(),
            client: CLIENT.to_owned(),
            what: what.to_owned(),
            keys: Vec::new(),
            places: Vec::new(),
            with: Vec::new(),
            each_time: true,
            beyond: Some(Beyond::Rules),
            warnings: Vec::new(),
        }
    }

    fn warnings(&self, change: &PolicyChange) -> Vec<String> {
        let mut warnings = match change.origins() {
            OriginPattern::One(origin) => self.guard.warnings(origin),
            OriginPattern::Domain { domain, .. } => {
                self.guard.warnings(&Origin::of(&format!("https://{domain}")))
            }
            OriginPattern::Scheme(scheme) => vec![format!("This is for every {scheme} site.")],
            OriginPattern::Any => vec!["This is for every site.".to_owned()],
        };
        if *change.tools() == ToolPattern::Any {
            warnings.push("This is for all that agents can do.".to_owned());
        }
        warnings
    }
}

/// Whoever asked for a change may be gone before it is made; what is stored then must
/// hold all the same.
async fn to_the_end<T: Send + 'static>(
    change: impl Future<Output = Result<T, NotKept>> + Send + 'static,
) -> Result<T, NotChanged> {
    let broken_off = |error: tokio::task::JoinError| {
        Err(NotKept { code: "store_failed", words: error.to_string() })
    };
    tokio::spawn(change).await.unwrap_or_else(broken_off).map_err(NotChanged::Memory)
}

/// What holds now, though others of the same list do not.
fn in_words(kept: &[PolicyChange]) -> String {
    let word = |change: &PolicyChange| {
        let verb = match change {
            PolicyChange::Put(policy) if policy.allows => "allow",
            PolicyChange::Put(_) => "deny",
            PolicyChange::Remove { .. } => "nothing about",
        };
        format!("{verb} {} on {}", change.tools(), change.origins())
    };
    if kept.is_empty() {
        return String::new();
    }
    let words: Vec<String> = kept.iter().map(word).collect();
    format!(" What loosens nothing was done and holds: {}.", words.join("; "))
}

fn detail(change: &PolicyChange) -> Detail {
    let label = match change {
        PolicyChange::Put(_) => "Always allow",
        PolicyChange::Remove { .. } => "No longer deny",
    };
    let text = format!("{} on {}", change.tools(), change.origins());
    Detail { label: label.to_owned(), text }
}

fn pattern_place(origins: &OriginPattern) -> Place {
    let whole = origins.to_string();
    match origins {
        OriginPattern::One(origin) => place_of(origin),
        OriginPattern::Domain { domain, .. } => {
            let Place { reads_as, .. } = place_of(&Origin::of(&format!("https://{domain}")));
            Place { domain: whole.clone(), origin: whole, reads_as }
        }
        _ => Place { domain: whole.clone(), origin: whole, reads_as: None },
    }
}
