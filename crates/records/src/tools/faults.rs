//! What goes wrong with records, as a model is told.

use outrigger_dispatch::Fault;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::records::RecordId;
use outrigger_store::records::RecordError;

use crate::error::RecordsError;

impl From<RecordsError> for Fault {
    fn from(error: RecordsError) -> Self {
        let code = match &error {
            RecordsError::Store(error) => match error {
                RecordError::NotFound { .. } => ErrorCode::NotFound,
                RecordError::VersionMismatch { .. } => ErrorCode::VersionMismatch,
                RecordError::AlreadyThere { .. } | RecordError::Bad { .. } => ErrorCode::BadRecord,
                RecordError::TooLarge { .. } => ErrorCode::TooLarge,
                RecordError::OutcomeUnknown { .. } => ErrorCode::OutcomeUnknown,
                _ => ErrorCode::NoRecords,
            },
            RecordsError::Schema(_)
            | RecordsError::NotYours { .. }
            | RecordsError::Final { .. }
            | RecordsError::BadAgent { .. }
            | RecordsError::AgentExists { .. }
            | RecordsError::ReservedTag => ErrorCode::BadRecord,
            RecordsError::NoAgent { .. } => ErrorCode::NotFound,
            RecordsError::OutcomeUnknown { .. } => ErrorCode::OutcomeUnknown,
            RecordsError::BadPosition
            | RecordsError::MeansEverything
            | RecordsError::Selectors { .. } => ErrorCode::InvalidArguments,
            RecordsError::TooSlow { .. }
            | RecordsError::TooManySubscriptions { .. }
            | RecordsError::NoRandomness(_) => ErrorCode::NoRecords,
        };
        let said = error.to_string();
        let mut letters = said.chars();
        let first = letters.next().map(char::to_uppercase).into_iter().flatten();
        Fault::tool(code, format!("{}.", first.chain(letters).collect::<String>()))
    }
}

/// The name of a record, as a client says it.
pub(super) fn named(id: &str) -> Result<RecordId, Fault> {
    RecordId::parse(id).ok_or_else(|| {
        let message = "This is no id of a record. Use one that records_search told.";
        Fault::tool(ErrorCode::InvalidArguments, message)
    })
}
