//! How the HTTP interface says no: one JSON object, whoever says it. What is wrong
//! with a request, those who say it know.

use serde::Serialize;
use utoipa::ToSchema;

/// Why a request comes to nothing.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// What happened, and what to try.
    pub(crate) error: String,
    /// Stable, for programs.
    pub(crate) code: &'static str,
    /// The version that the record has now, if another one was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) current_version: Option<u64>,
}

impl Problem {
    pub(crate) fn new(code: &'static str, error: impl Into<String>) -> Self {
        Problem { error: error.into(), code, current_version: None }
    }
}
