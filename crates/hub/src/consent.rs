//! The user's consent in the hub: questions go to the panel of the browser that
//! they are about.

use std::sync::Arc;
use std::time::Duration;

use outrigger_browser::Desk;
use outrigger_dispatch::helm::Word;
use outrigger_dispatch::{Caller, Consent, Shown};
use outrigger_guard::policy::Policy;
use outrigger_guard::{Answer, Denial, Guard, Question};

use crate::memory::Memory;

/// Whoever asks the user, and keeps what was said.
pub(crate) struct UserConsent {
    pub(crate) desk: Arc<Desk>,
    pub(crate) guard: Arc<Guard>,
    pub(crate) memory: Arc<Memory>,
    /// How long a question waits for its answer.
    pub(crate) time: Duration,
}

impl Consent for UserConsent {
    fn ask<'a>(
        &'a self,
        caller: &'a Caller,
        question: &'a Question,
        shown: &'a Shown,
    ) -> Word<'a, Result<Answer, Denial>> {
        let warnings = self.guard.warnings(&question.access().origin);
        Box::pin(self.desk.ask_permission(caller, question, shown, warnings, self.time))
    }

    fn keep<'a>(&'a self, policy: &'a Policy) -> Word<'a, Result<(), String>> {
        Box::pin(self.memory.keep(policy))
    }
}
