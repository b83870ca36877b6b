//! Why a call may not run, in words for a model.

use crate::key::PermissionKey;

/// Why a call may not run. Where is not said in any of them: it would tell what the
/// user has open.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Denial {
    /// No linked browser can show a question.
    #[error(
        "{key} was not allowed: it needs the user's permission, and no linked browser has \
         Outrigger's panel to ask for it in. Use a throw-away browser instead (start with \
         `--launch`), or have the user link a browser with the full extension"
    )]
    NobodyToAsk {
        /// What was wanted.
        key: PermissionKey,
    },
    /// The user decided so before.
    #[error(
        "{key} is not allowed here: the user decided so before. Go on without; the user can change \
         it with `outrigger policy`"
    )]
    ByPolicy {
        /// What was wanted.
        key: PermissionKey,
    },
    /// The user wants no agent there.
    #[error("The user has blocked this site for agents. Go on without it")]
    Blocked,
    /// The user was asked.
    #[error(
        "{key} was not allowed: the user said no. Don't ask for the same again; go on without, or \
         end here"
    )]
    ByUser {
        /// What was wanted.
        key: PermissionKey,
    },
    /// The user was asked, and did not answer.
    #[error(
        "{key} was not allowed: the user was asked and did not answer in time, which counts as no. \
         Tell the user what you need before you call again"
    )]
    NoAnswer {
        /// What was wanted.
        key: PermissionKey,
    },
    /// A session asks for more than it may at once.
    #[error(
        "{key} was not asked for: the user has not answered this session's earlier questions. Wait \
         for their answers first"
    )]
    TooManyQuestions {
        /// What was wanted.
        key: PermissionKey,
    },
    /// More than the user could read.
    #[error(
        "{key} was not asked for: the call brings along more text than the user could read before \
         agreeing to it. Do it in smaller parts"
    )]
    TooLongToShow {
        /// What was wanted.
        key: PermissionKey,
    },
    /// The page became another one while the user was asked.
    #[error(
        "The page changed while the user was asked, so the answer is about another one, and nothing \
         was done. Look at the page and call again"
    )]
    ChangedMeanwhile,
    /// What the user decided can't be read or kept.
    #[error(
        "{key} was not allowed: what the user allows can't be read or kept ({reason}). Nothing is \
         done in a person's browser until that is mended; `outrigger doctor` tells more"
    )]
    NoMemory {
        /// What was wanted.
        key: PermissionKey,
        /// What is wrong.
        reason: String,
    },
}

impl Denial {
    /// For the log.
    pub fn word(&self) -> &'static str {
        match self {
            Denial::NobodyToAsk { .. } => "nobody_to_ask",
            Denial::ByPolicy { .. } => "denied_by_policy",
            Denial::Blocked => "blocked",
            Denial::ByUser { .. } => "denied",
            Denial::NoAnswer { .. } => "no_answer",
            Denial::TooManyQuestions { .. } => "too_many_questions",
            Denial::TooLongToShow { .. } => "too_long_to_show",
            Denial::ChangedMeanwhile => "changed_meanwhile",
            Denial::NoMemory { .. } => "no_memory",
        }
    }
}
