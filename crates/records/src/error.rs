//! What goes wrong with records, in words that say what to do about it.

use std::time::Duration;

use outrigger_store::records::RecordError;

use crate::schemas::SchemaError;

/// The records can't be read, changed or followed as asked.
#[derive(Debug, thiserror::Error)]
pub enum RecordsError {
    /// The store says no.
    #[error(transparent)]
    Store(#[from] RecordError),
    /// No answer in time, and nothing was to be changed.
    #[error("the records did not answer within {limit:?}. Try again")]
    TooSlow {
        /// How long they had.
        limit: Duration,
    },
    /// No answer in time to a change.
    #[error(
        "the records did not answer within {limit:?}. The change was made or it was not; read \
         the record, and make it again if its version is the old one"
    )]
    OutcomeUnknown {
        /// How long they had.
        limit: Duration,
    },
    /// Nothing that a place among the events is written as.
    #[error(
        "this is no place among the events. Send the id of an event as it came, or none to \
         follow from now on"
    )]
    BadPosition,
    /// Nobody could keep up with it, and nobody needs it.
    #[error(
        "a selector says nothing and would mean every record. Name a schema_name, tags or a \
         condition"
    )]
    MeansEverything,
    /// No selector, or too many.
    #[error("a subscription has {found} selectors. Give it one at least and {limit} at most")]
    Selectors {
        /// How many there are.
        found: usize,
        /// The most there may be.
        limit: usize,
    },
    /// As many as there may be.
    #[error("there are {limit} subscriptions already. End some that nobody needs")]
    TooManySubscriptions {
        /// The most there may be.
        limit: usize,
    },
    /// It doesn't fit its schema.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// It is as it was made, or it is no more.
    #[error("records of {schema_name} are not changed. Remove it and make another one")]
    Final {
        /// Which.
        schema_name: String,
    },
    /// Only Outrigger itself writes such records.
    #[error("records of {schema_name} are written by Outrigger itself, and by nobody else")]
    NotYours {
        /// Of which schema.
        schema_name: String,
    },
    /// A definition of an agent that makes no sense.
    #[error("the agent can't be so: {problem}")]
    BadAgent {
        /// What is wrong.
        problem: String,
    },
    /// Its name is taken.
    #[error("there is an agent {agent_id} already. Change that one, or give this one another name")]
    AgentExists {
        /// The name.
        agent_id: String,
    },
    /// No such agent.
    #[error("there is no agent {agent_id}. Make a record of agent.def.v1 with that agent_id first")]
    NoAgent {
        /// The name.
        agent_id: String,
    },
    /// A tag that only the hub sets.
    #[error("tags that begin with `hops:` say which agent wrote a record. Leave them out")]
    ReservedTag,
    /// The system gives none.
    #[error("the system gives no randomness: {0}. No record can be named without it")]
    NoRandomness(String),
}

impl RecordsError {
    /// Stable, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            RecordsError::Store(error) => error.code(),
            RecordsError::TooSlow { .. } => "deadline",
            RecordsError::OutcomeUnknown { .. } => "outcome_unknown",
            RecordsError::BadPosition => "events_bad_position",
            RecordsError::MeansEverything => "selector_means_everything",
            RecordsError::Selectors { .. } => "selector_count",
            RecordsError::TooManySubscriptions { .. } => "too_many_subscriptions",
            RecordsError::Schema(error) => error.code(),
            RecordsError::Final { .. } => "record_final",
            RecordsError::NotYours { .. } => "not_yours",
            RecordsError::BadAgent { .. } => "agent_invalid",
            RecordsError::AgentExists { .. } => "agent_exists",
            RecordsError::NoAgent { .. } => "agent_not_found",
            RecordsError::ReservedTag => "tag_reserved",
            RecordsError::NoRandomness(_) => "records_no_randomness",
        }
    }
}
