//! Tools that are nothing but calls of other tools, in order. Each call goes
//! the whole road by itself, with a decision and a log entry of its own; the
//! first that fails ends the sequence.

use std::sync::Arc;

use outrigger_protocol::agent::CallReply;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::arguments;
use crate::calls::{Calls, Step};
use crate::fault::Fault;
use crate::reply::{Reply, render};
use crate::tool::Definition;

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

/// Runs the steps until one fails. What failed comes first then, and how far the
/// sequence came.
pub(crate) async fn run(steps: Vec<Step>, calls: &Calls) -> CallReply {
    let count = steps.len();
    let mut told = Reply::default();
    for (before, step) in steps.into_iter().enumerate() {
        match calls.run(step).await {
            Ok(reply) => told = told.then(reply),
            Err(fault) => return stopped(fault, told, (before, count)),
        }
    }
    render(Ok(told))
}

fn stopped(fault: Fault, told: Reply, (before, count): (usize, usize)) -> CallReply {
    let mut reply = render(Err(fault));
    if count > 1 {
        let note = match before {
            0 => "Nothing of it was carried out.".to_owned(),
            before => format!("Carried out before it: {before}; what they told is below."),
        };
        let said = Reply::said(format!("This was step {} of {count}. {note}", before + 1));
        reply.content.extend(render(Ok(said.then(told))).content);
    }
    reply
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrigger_protocol::ErrorCode;

    #[test]
    fn a_failed_step_comes_first_and_says_which_it_was() {
        let no = || Fault::tool(ErrorCode::Covered, "no");
        let alone = stopped(no(), Reply::default(), (0, 1));
        assert_eq!(alone.text(), "covered: no");
        let whole = stopped(no(), Reply::said("one"), (1, 3));
        assert_eq!(whole.error, Some(ErrorCode::Covered));
        assert!(whole.text().starts_with("covered: no\nThis was step 2 of 3. "), "{whole:?}");
        assert!(whole.text().ends_with("\none"), "{whole:?}");
    }
}
