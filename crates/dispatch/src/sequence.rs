//! Tools that are nothing but calls of other tools, in order. Each call goes
//! the whole road by itself, with a decision and a log entry of its own; the
//! first that fails ends the sequence.

use std::sync::Arc;

use outrigger_protocol::agent::{CallReply, Content};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::arguments;
use crate::fault::Fault;
use crate::tool::Definition;

/// One call of a sequence.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The tool.
    pub tool: &'static str,
    /// Its own arguments; those that every tool takes are added.
    pub arguments: Map<String, Value>,
}

/// A tool that is made of others.
pub trait Sequence: Send + Sync + 'static {
    /// What it takes.
    type Params: DeserializeOwned + JsonSchema + Send + Sync + 'static;

    /// What clients see.
    fn definition(&self) -> Definition;

    /// The calls it stands for.
    fn steps(&self, params: Self::Params) -> Result<Vec<Step>, Fault>;
}

/// Any of them.
pub(crate) trait AnySequence: Send + Sync {
    fn definition(&self) -> &Definition;

    fn steps(&self, arguments: Map<String, Value>) -> Result<Vec<Step>, Fault>;
}

struct Registered<S> {
    sequence: S,
    definition: Definition,
}

pub(crate) fn erase<S: Sequence>(sequence: S) -> Arc<dyn AnySequence> {
    let definition = sequence.definition();
    Arc::new(Registered { sequence, definition })
}

impl<S: Sequence> AnySequence for Registered<S> {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn steps(&self, arguments: Map<String, Value>) -> Result<Vec<Step>, Fault> {
        self.sequence.steps(arguments::parse(&self.definition, arguments)?)
    }
}

/// The reply to the whole, from those to its steps. Only the last can have
/// failed; it comes first then, and says how far the sequence came.
pub(crate) fn joined(mut replies: Vec<CallReply>, count: usize) -> CallReply {
    let done = replies.len();
    let error = replies.last().and_then(|reply| reply.error);
    if error.is_some() && count > 1 {
        let note = match done - 1 {
            0 => "Nothing of it was carried out.".to_owned(),
            before => format!("Carried out before it: {before}; what they told is below."),
        };
        let text = format!("This was step {done} of {count}. {note}");
        let mut failed = replies.pop().unwrap_or_default();
        failed.content.push(Content::Text { text });
        replies.insert(0, failed);
    }
    let content = replies.into_iter().flat_map(|reply| reply.content).collect();
    CallReply { content, error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrigger_protocol::ErrorCode;

    fn reply(text: &str, error: Option<ErrorCode>) -> CallReply {
        CallReply { content: vec![Content::Text { text: text.to_owned() }], error }
    }

    #[test]
    fn what_the_steps_told_is_told_in_their_order() {
        let whole = joined(vec![reply("one", None), reply("two", None)], 2);
        assert_eq!((whole.text().as_str(), whole.error), ("one\ntwo", None));
    }

    #[test]
    fn a_failed_step_comes_first_and_says_which_it_was() {
        let no = || reply("covered: no", Some(ErrorCode::Covered));
        assert_eq!(joined(vec![no()], 1), no());
        let whole = joined(vec![reply("one", None), no()], 3);
        assert_eq!(whole.error, Some(ErrorCode::Covered));
        assert!(whole.text().starts_with("covered: no\nThis was step 2 of 3. "), "{whole:?}");
        assert!(whole.text().ends_with("\none"), "{whole:?}");
    }
}
