//! Filling fields through the extension's `fill`, for whichever tool: the order,
//! and what to say of fields that did not take their values.

use outrigger_dispatch::Fault;
use outrigger_dispatch::fault::PageWords;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::Settled;
use outrigger_protocol::filling::{FieldOrder, FieldOutcome, FillParams, Filled};
use outrigger_protocol::link::Refusal;
use outrigger_snapshot::{ElementKey, Ref};
use serde::Deserialize;
use serde_json::Value;

use crate::error::BrowserError;
use crate::link::LinkError;
use crate::page::{Page, Patience, host, step};
use crate::turns::Turn;

/// A field and what it is to hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Its name, for the reply.
    pub name: Ref,
    /// Where it is.
    pub element: ElementKey,
    /// What to put in.
    pub values: Vec<String>,
    /// Files are given to it, by other means.
    pub files: bool,
}

/// How to fill.
#[derive(Debug, Clone, Copy, Default)]
pub struct Manner {
    /// Only what has options to choose from is meant.
    pub choose: bool,
    /// Submit the form after.
    pub submit: bool,
}

/// Fills fields in one round trip. Fields that did not take their values are a
/// fault; the others stay filled.
pub async fn fill(
    page: &Page<'_>,
    turn: &Turn,
    fields: &[Field],
    manner: Manner,
) -> Result<Settled, Fault> {
    let orders = fields.iter().map(|field| FieldOrder {
        document_id: field.element.document.clone(),
        node: field.element.node,
        values: field.values.clone(),
        files: field.files,
    });
    let params = FillParams {
        tab_id: page.tab,
        origin: page.origin().to_string(),
        fields: orders.collect(),
        choose: manner.choose,
        submit: manner.submit,
    };
    let patience = if manner.submit { Patience::Submission } else { Patience::Input };
    let (settled, results) = page
        .act_patiently(turn, vec![step("fill", params)], patience)
        .await
        .map_err(|error| with_field(error, fields))?;
    let filled = results.first().unwrap_or(&Value::Null);
    let filled =
        Filled::deserialize(filled).map_err(|error| page.wrong_shape("fill", error.to_string()))?;
    let not_taken: Vec<(&Field, &FieldOutcome)> =
        fields.iter().zip(&filled.fields).filter(|(_, outcome)| !outcome.took).collect();
    if not_taken.is_empty() && filled.fields.len() == fields.len() {
        return Ok(settled);
    }
    Err(fault_of(&not_taken, fields.len(), manner, &settled))
}

/// Says which field it was that stopped everything.
fn with_field(error: BrowserError, fields: &[Field]) -> Fault {
    let detail = |name: &str| match &error {
        BrowserError::Link { error: LinkError::Refused(refusal), .. } => {
            let number = refusal.details.as_ref()?.get(name)?.as_u64()?;
            usize::try_from(number).ok()
        }
        _ => None,
    };
    let field = detail("field").and_then(|index| fields.get(index));
    let filled = detail("filled").unwrap_or_default();
    let mut fault = Fault::from(error);
    if let (Some(field), Fault::Tool { message, .. }) = (field, &mut fault) {
        let so_far = match filled {
            0 if fields.len() == 1 => String::new(),
            0 => " Nothing was filled.".to_owned(),
            some => format!(" At least {some} of {} fields were filled.", fields.len()),
        };
        *message = format!("{}: {message}{so_far}", field.name);
    }
    fault
}

/// What each field holds that did not take its value. A secret is not shown.
fn fault_of(
    not_taken: &[(&Field, &FieldOutcome)],
    total: usize,
    manner: Manner,
    settled: &Settled,
) -> Fault {
    let mut said = Vec::new();
    let mut shown = Vec::new();
    let mut code = ErrorCode::NotEditable;
    for (Field { name, .. }, outcome) in not_taken {
        let reason = outcome.refusal.as_ref();
        let by = reason.and_then(|refusal| refusal.details.as_ref()?.get("by")?.as_str());
        code = reason.and_then(Refusal::known_code).unwrap_or(code);
        match reason {
            Some(refusal) => said.push(format!("{name}: {}", plain(&refusal.error))),
            None if outcome.held.is_some() => {
                said.push(format!("{name} did not take its value; what it holds is below."));
            }
            None => said.push(format!("{name} did not take its value.")),
        }
        let words = by.or(outcome.held.as_deref());
        shown.extend(words.map(|words| format!("{name}: {words}")));
    }
    let others = total - not_taken.len();
    if others > 0 {
        said.push(format!("The other {others} of {total} fields are filled."));
    }
    if manner.submit {
        said.push("Nothing was submitted.".to_owned());
    }
    let page = (!shown.is_empty())
        .then(|| PageWords { domain: host(&settled.tab.url), text: shown.join("\n") });
    Fault::Tool { code, message: said.join(" "), page }
}

/// The extension's own sentence, without what could open or close a fence.
fn plain(sentence: &str) -> String {
    sentence.chars().filter(|c| !matches!(c, '<' | '>') && !c.is_control()).take(400).collect()
}
