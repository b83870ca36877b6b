//! What an answer lacks: noted while a call runs, by whoever meets it, and told after
//! whatever the tool answers.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::fault::Fault;
use crate::reply::Reply;

/// Sentences of ours, each told once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gaps(Arc<Mutex<BTreeSet<String>>>);

impl Gaps {
    pub(crate) fn note(&self, sentence: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(sentence);
    }

    /// The outcome of the call with them.
    pub(crate) fn told_with(&self, outcome: Result<Reply, Fault>) -> Result<Reply, Fault> {
        let gaps = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        match outcome {
            Ok(reply) => Ok(gaps.into_iter().fold(reply, Reply::and_said)),
            // What was not found may be where nobody could look.
            Err(Fault::Tool { code, message, page }) => {
                let add = |said: String, gap| format!("{}. {gap}", said.trim_end_matches('.'));
                Err(Fault::Tool { code, message: gaps.into_iter().fold(message, add), page })
            }
            denied => denied,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::Part;
    use outrigger_protocol::ErrorCode;

    #[test]
    fn a_gap_is_told_once_after_an_answer_and_after_an_error() {
        let gaps = Gaps::default();
        gaps.note("A frame is missing.".to_owned());
        gaps.note("A frame is missing.".to_owned());
        let reply = gaps.told_with(Ok(Reply::said("Found."))).unwrap();
        let told: Vec<_> = reply.parts().iter().map(|part| format!("{part:?}")).collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(matches!(&reply.parts()[1], Part::Said(words) if words == "A frame is missing."));
        gaps.note("A frame is missing.".to_owned());
        let fault = gaps.told_with(Err(Fault::tool(ErrorCode::NotFound, "Nothing matches.")));
        let Err(Fault::Tool { message, .. }) = fault else { panic!("an error") };
        assert_eq!(message, "Nothing matches. A frame is missing.");
    }
}
