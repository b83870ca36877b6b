//! How a request reaches an extension and its answer comes back.

use std::future::Future;
use std::pin::Pin;

use outrigger_guard::Grant;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::PageFunction;
use outrigger_protocol::link::Refusal;
use serde::Deserialize as _;
use serde_json::Value;
use tokio::time::Instant;

/// A boxed answer.
pub type Answer<'a> = Pin<Box<dyn Future<Output = Result<Value, LinkError>> + Send + 'a>>;

/// What an extension is asked for.
pub struct Request<'a> {
    /// Which capability.
    pub capability: &'a str,
    /// What it takes.
    pub payload: Value,
    /// When an answer is too late.
    pub deadline: Instant,
    /// It changes something, and must not run twice.
    pub once: bool,
}

/// The way to an extension, over as many connections as it takes.
pub trait Link: Send + Sync {
    /// Asks the extension for something. Nothing is asked without a grant.
    /// Dropping the answer calls the request off.
    fn request<'a>(&'a self, grant: &'a Grant, request: Request<'a>) -> Answer<'a>;

    /// Whether there is a connection now. Without one, requests wait for the
    /// extension to come back.
    fn is_connected(&self) -> bool;
}

/// Whether asking twice does no more than asking once. Whatever isn't known to
/// be so counts as changing something.
pub fn is_repeatable(capability: &str, payload: &Value) -> bool {
    match capability {
        "script" => {
            PageFunction::deserialize(&payload["function"]).is_ok_and(PageFunction::is_repeatable)
        }
        "batch" => payload["steps"].as_array().is_some_and(|steps| {
            steps.iter().all(|step| {
                is_repeatable(step["type"].as_str().unwrap_or_default(), &step["payload"])
            })
        }),
        "capture_screen" | "console" | "downloads" | "extract_dom" | "list_tabs" | "network"
        | "pdf" | "screenshot" | "settle" | "wait" => true,
        _ => false,
    }
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_looks_or_makes_ready_may_be_asked_twice() {
        assert!(is_repeatable("settle", &json!({})));
        assert!(is_repeatable("script", &json!({"function": "facts"})));
        assert!(!is_repeatable("script", &json!({"function": "unheardOf"})));
        assert!(!is_repeatable("tabs", &json!({"action": "open"})));
        assert!(!is_repeatable("cdp", &json!({"method": "Input.insertText"})));
        assert!(!is_repeatable("somebody_elses", &json!({})));
        let looking = json!({"type": "script", "payload": {"function": "prepare"}});
        let typing = json!({"type": "cdp", "payload": {"method": "Input.insertText"}});
        assert!(is_repeatable("batch", &json!({"steps": [looking]})));
        assert!(!is_repeatable("batch", &json!({"steps": [looking, typing]})));
    }
}
