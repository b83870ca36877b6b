//! The user's consent in the hub: questions go to the panel of the browser that
//! they are about, and those about no browser to all of them.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::select_all;
use outrigger_browser::Desk;
use outrigger_browser::permission::{Ask, Unanswered};
use outrigger_dispatch::helm::Word;
use outrigger_dispatch::journal::NotKept;
use outrigger_dispatch::{Caller, Consent, Shown};
use outrigger_guard::plan::Plan;
use outrigger_guard::policy::Policy;
use outrigger_guard::{Answer, Denial, Guard, Question};

use crate::memory::Memory;

/// Asks in every browser of the user's at once. The first answer counts, and the
/// question is gone from the others then; a browser that can't show it, or where nobody
/// answers, is none.
pub(crate) async fn ask_everywhere(
    desk: &Desk,
    question: &Ask,
    time: Duration,
) -> Result<Answer, Unanswered> {
    let browsers = desk.askable();
    let mut asked: Vec<_> = browsers
        .iter()
        .map(|browser| Ask { browser: browser.id.clone(), ..question.clone() })
        .map(|ask| Box::pin(desk.ask_user(ask, time)))
        .collect();
    let mut said = Err(Unanswered::NobodyToAsk);
    while !asked.is_empty() && said.is_err() {
        let (one, _, others) = select_all(asked).await;
        (said, asked) = (one, others);
    }
    said
}

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

    fn ask_plan<'a>(
        &'a self,
        caller: &'a Caller,
        plan: &'a Plan,
        shown: &'a Shown,
    ) -> Word<'a, Result<Answer, Denial>> {
        let warned = plan.origins().iter().map(|origin| (origin, self.guard.warnings(origin)));
        let several = plan.origins().len() > 1;
        let warnings =
            warned.flat_map(|(origin, warnings)| {
                warnings.into_iter().map(move |warning| {
                    if several { format!("{origin}: {warning}") } else { warning }
                })
            });
        Box::pin(self.desk.ask_plan(caller, plan, shown, warnings.collect(), self.time))
    }

    fn keep<'a>(
        &'a self,
        caller: &'a Caller,
        policies: &'a [Policy],
    ) -> Word<'a, Result<(), NotKept>> {
        Box::pin(self.memory.keep(caller, policies))
    }
}
