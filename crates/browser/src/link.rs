//! How a request reaches an extension and its answer comes back.

use std::future::Future;
use std::pin::Pin;

use outrigger_guard::Grant;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::link::Refusal;
use serde_json::Value;
use tokio::time::Instant;

/// A boxed answer.
pub type Answer<'a> = Pin<Box<dyn Future<Output = Result<Value, LinkError>> + Send + 'a>>;

/// An extension's connection.
pub trait Link: Send + Sync {
    /// Asks the extension for something. Nothing is asked without a grant.
    /// Dropping the answer calls the request off.
    fn request<'a>(
        &'a self,
        grant: &'a Grant,
        capability: &'a str,
        payload: Value,
        deadline: Instant,
    ) -> Answer<'a>;
}

/// Why no answer came.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LinkError {
    /// The connection was gone before the request was sent.
    #[error("the browser's connection was lost before the call was sent")]
    LostBefore,
    /// The connection went away while the request was out.
    #[error("the browser's connection was lost in mid-call")]
    LostMeanwhile,
    /// The extension said no.
    #[error("{}", .0.error)]
    Refused(Box<Refusal>),
    /// The answer had another shape than agreed.
    #[error("the extension's answer to {capability} has the wrong shape: {reason}")]
    WrongShape {
        /// What was asked.
        capability: String,
        /// What is wrong with the answer.
        reason: String,
    },
}

impl LinkError {
    /// The stable code. `acting` calls that were out when the connection went
    /// may have run; reading ones have lost nothing.
    pub fn code(&self, acting: bool) -> ErrorCode {
        match self {
            LinkError::LostMeanwhile if acting => ErrorCode::OutcomeUnknown,
            LinkError::LostBefore | LinkError::LostMeanwhile => ErrorCode::LinkLost,
            LinkError::Refused(refusal) => {
                refusal.known_code().unwrap_or(ErrorCode::CapabilityFailed)
            }
            LinkError::WrongShape { .. } => ErrorCode::MalformedFrame,
        }
    }
}
