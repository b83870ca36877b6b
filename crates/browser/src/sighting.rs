//! Tells whoever follows a call what it acts on: by what the elements can be found
//! again. Nobody asks the page while nobody follows, and nothing is told of a page
//! that may not be read.

use outrigger_dispatch::tool::Circumstances;
use outrigger_protocol::capabilities::{BatchStep, PageFunction, ScriptResult};
use outrigger_protocol::inspection::Described;

use crate::page::Page;
use crate::target::Pointed;

/// Tells what the call acts on, once and before it does.
pub(crate) async fn tell(circumstances: &Circumstances, page: &Page<'_>, on: &[Pointed]) {
    if !circumstances.sight.is_wanted() || !page.may_tell(page.origin()) {
        return;
    }
    let mut told = Vec::new();
    for pointed in on {
        // What can't be told makes the places of the others wrong.
        let Some(described) = described(page, pointed).await else { return };
        told.push(described);
    }
    circumstances.sight.tell(told);
}

async fn described(page: &Page<'_>, pointed: &Pointed) -> Option<Described> {
    let BatchStep { payload, .. } = page.element_step(PageFunction::Describe, pointed, false);
    let result: ScriptResult = page.request("script", payload).await.ok()?;
    let value = result.frames.into_iter().next()?.value?;
    serde_json::from_value(value).ok()
}
