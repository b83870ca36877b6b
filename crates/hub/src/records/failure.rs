//! Why a request about records comes to nothing, and how that is told over HTTP.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use outrigger_bus::BusError;
use outrigger_dispatch::journal::NotKept;
use outrigger_guard::Denial;
use outrigger_records::RecordsError;
use outrigger_records::schemas::SchemaError;
use outrigger_records::view::ViewError;
use outrigger_store::records::RecordError;

use super::NoRecords;
use crate::problem::Problem;

/// Why a request changes or tells nothing.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error("The body is not understood: {0}.")]
    Body(String),
    #[error("The query is not understood: {0}.")]
    Query(String),
    #[error("{0:?} is no id of a record.")]
    Id(String),
    #[error("Say which version the change is made of, in If-Match or as `version`.")]
    NoVersion,
    #[error("{0:?} is no version. Send the record's number as it came, as in If-Match: \"3\".")]
    Version(String),
    #[error("This token is for reading. Use one of the scope act or admin.")]
    OutOfScope,
    #[error("{0}.")]
    Denied(Denial),
    #[error("There is no schema {0:?}. See /api/v1/schemas.")]
    NoSchema(String),
    #[error("{0}.")]
    Schema(#[from] SchemaError),
    #[error("{0}.")]
    View(#[from] ViewError),
    #[error("{0}.")]
    Records(#[from] RecordsError),
    #[error("{0}.")]
    Bus(BusError),
    #[error("{0}.")]
    Store(NotKept),
}

impl From<NoRecords> for Failure {
    fn from(error: NoRecords) -> Self {
        match error {
            NoRecords::Records(error) => Failure::Records(error),
            NoRecords::Schema(error) => Failure::Schema(error),
            NoRecords::Store(error) => Failure::Store(error),
            NoRecords::Bus(error) => Failure::Bus(error),
        }
    }
}

impl Failure {
    fn status_and_code(&self) -> (StatusCode, &'static str) {
        use StatusCode as S;
        match self {
            Failure::Body(_) => (S::BAD_REQUEST, "bad_body"),
            Failure::Query(_) => (S::BAD_REQUEST, "bad_query"),
            Failure::Id(_) => (S::BAD_REQUEST, "bad_id"),
            Failure::NoVersion => (S::PRECONDITION_REQUIRED, "version_required"),
            Failure::Version(_) => (S::BAD_REQUEST, "bad_version"),
            Failure::OutOfScope => (S::FORBIDDEN, "out_of_scope"),
            Failure::Denied(_) => (S::FORBIDDEN, "not_allowed"),
            Failure::NoSchema(_) => (S::NOT_FOUND, "unknown_schema"),
            Failure::Schema(error) => (S::UNPROCESSABLE_ENTITY, error.code()),
            Failure::View(error) => (S::UNPROCESSABLE_ENTITY, error.code()),
            Failure::Store(error) => (S::SERVICE_UNAVAILABLE, error.code),
            Failure::Records(error) => (status_of(error), error.code()),
            Failure::Bus(error) => (S::SERVICE_UNAVAILABLE, error.code()),
        }
    }
}

fn status_of(error: &RecordsError) -> StatusCode {
    match error {
        RecordsError::Store(error) => match error {
            RecordError::NotFound { .. } => StatusCode::NOT_FOUND,
            RecordError::VersionMismatch { .. } | RecordError::AlreadyThere { .. } => {
                StatusCode::CONFLICT
            }
            RecordError::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            RecordError::Bad { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            RecordError::MemoryFull { .. } => StatusCode::INSUFFICIENT_STORAGE,
            RecordError::OtherLife { .. } | RecordError::EventsPruned { .. } => StatusCode::GONE,
            _ => StatusCode::SERVICE_UNAVAILABLE,
        },
        RecordsError::BadPosition
        | RecordsError::MeansEverything
        | RecordsError::Selectors { .. } => StatusCode::BAD_REQUEST,
        RecordsError::Schema(_) | RecordsError::BadAgent { .. } | RecordsError::ReservedTag => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        RecordsError::AgentExists { .. } => StatusCode::CONFLICT,
        RecordsError::NoAgent { .. } => StatusCode::NOT_FOUND,
        RecordsError::NotYours { .. } | RecordsError::Final { .. } => StatusCode::FORBIDDEN,
        RecordsError::TooManySubscriptions { .. } => StatusCode::TOO_MANY_REQUESTS,
        RecordsError::TooSlow { .. }
        | RecordsError::OutcomeUnknown { .. }
        | RecordsError::NoRandomness(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, code) = self.status_and_code();
        let mut problem = Problem::new(code, self.to_string());
        if let Failure::Records(RecordsError::Store(RecordError::VersionMismatch {
            current, ..
        })) = &self
        {
            problem.current_version = Some(*current);
        }
        (status, Json(problem)).into_response()
    }
}
