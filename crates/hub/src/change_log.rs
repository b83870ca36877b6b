//! What is noted of changes of policies, sites and tokens: who made them, about what,
//! and whether the user confirmed it. Never a secret. The entries stand in the activity
//! log among those of calls; no tool is called as they are.

use outrigger_dispatch::Caller;
use outrigger_guard::Scope;
use outrigger_guard::change::PolicyChange;
use outrigger_guard::trust::Trust;
use outrigger_store::activity::ActivityEntry;

use crate::credentials::Credential;
use crate::gate::Sender;
use crate::memory::{now_ms, short_name};

/// The session of whoever has none; no agent's is called so.
const NO_SESSION: &str = "outrigger:changes";

/// What came of a change that the user did not confirm.
pub(crate) const UNCHANGED: &str = "unchanged";

/// Who changes something.
#[derive(Debug, Clone)]
pub(crate) struct Author {
    client: String,
    session: String,
}

impl Author {
    /// The user, in the extension's own pages.
    pub(crate) fn user() -> Self {
        Author { client: "user".to_owned(), session: NO_SESSION.to_owned() }
    }

    /// Whoever sent a request: a command, or a program, by its credential.
    pub(crate) fn of(sender: &Sender) -> Self {
        // The gate lets nobody change anything without one.
        let client =
            sender.credential.as_ref().map_or_else(|| "nobody".to_owned(), Credential::holder_name);
        Author { client, session: NO_SESSION.to_owned() }
    }

    /// An agent, whose question the user answered.
    pub(crate) fn agent(caller: &Caller) -> Self {
        Author { client: short_name(&caller.client), session: short_name(&caller.session) }
    }
}

/// What lets a change be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sanction {
    /// Nothing. It tightens, or isn't made.
    Unasked,
    /// The user was asked whether to make it.
    Confirmed,
    /// It is what the user said to an agent's question.
    Answered,
    /// The user made it.
    Pressed,
}

impl Sanction {
    /// For the log.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Sanction::Unasked => "unasked",
            Sanction::Confirmed => "confirmed",
            Sanction::Answered => "answered",
            Sanction::Pressed => "pressed",
        }
    }
}

/// What is changed.
#[derive(Debug)]
pub(crate) enum Change<'a> {
    Policy(&'a PolicyChange),
    Site {
        domain: &'a str,
        trust: Trust,
    },
    /// Without a number where none was made.
    NewToken {
        id: Option<i64>,
        scope: Scope,
    },
    RevokedToken {
        id: i64,
    },
}

/// The entry for a change: what was decided about it, and what came of it.
pub(crate) fn entry(
    author: &Author,
    change: &Change<'_>,
    decision: &str,
    outcome: &str,
) -> ActivityEntry {
    let token = |id: i64| format!("token {id}");
    let (tool, key, origin) = match change {
        Change::Policy(change) => {
            let tool = match change {
                PolicyChange::Put(policy) if policy.allows => "policy:allow",
                PolicyChange::Put(_) => "policy:deny",
                PolicyChange::Remove { .. } => "policy:remove",
            };
            (tool, Some(change.tools().to_string()), Some(change.origins().to_string()))
        }
        Change::Site { domain, trust } => {
            let tool = match trust {
                Trust::Trusted => "trust:add",
                Trust::Blocked => "trust:block",
                Trust::Unknown => "trust:remove",
            };
            (tool, None, Some((*domain).to_owned()))
        }
        Change::NewToken { id, scope } => {
            ("token:new", Some(scope.as_str().to_owned()), id.map(token))
        }
        Change::RevokedToken { id } => ("token:revoke", None, Some(token(*id))),
    };
    ActivityEntry {
        at_ms: now_ms(),
        client: author.client.clone(),
        session: author.session.clone(),
        tool: tool.to_owned(),
        key,
        origin,
        decision: Some(decision.to_owned()),
        outcome: outcome.to_owned(),
        duration_ms: 0,
        characters: 0,
        tabs: 0,
        bytes: 0,
    }
}
