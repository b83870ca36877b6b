//! What a definition of an agent must be beside what its schema says: selectors that
//! mean something, and no more of them than can be followed.

use outrigger_protocol::records::{Context, Record, RecordId, Selector};
use outrigger_store::records::{limits, matching};
use serde_json::Value;

use crate::error::RecordsError;
use crate::subscription::SELECTORS;

/// An agent, as far as it matters here.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentDefinition {
    /// The record that says so.
    pub record: RecordId,
    /// Its name.
    pub agent_id: String,
    /// Which records it wants.
    pub selectors: Vec<Selector>,
}

impl AgentDefinition {
    /// Reads one.
    pub fn read(record: &Record) -> Result<Self, RecordsError> {
        let (agent_id, selectors) = check(&record.context)?;
        Ok(AgentDefinition { record: record.id.clone(), agent_id, selectors })
    }
}

/// The name and the selectors of a definition that fits its schema.
pub(crate) fn check(context: &Context) -> Result<(String, Vec<Selector>), RecordsError> {
    let bad = |problem: String| RecordsError::BadAgent { problem };
    let agent_id = context.get("agent_id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let said =
        context.get("subscriptions").and_then(|subscriptions| subscriptions.get("selectors"));
    let said = said.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if said.is_empty() || said.len() > SELECTORS {
        let found = said.len();
        return Err(RecordsError::Selectors { found, limit: SELECTORS });
    }
    let mut selectors = Vec::new();
    for (place, value) in said.iter().enumerate() {
        let selector: Selector = serde_json::from_value(value.clone())
            .map_err(|error| bad(format!("selector {place} is not understood: {error}")))?;
        if matching::means_everything(&selector) {
            return Err(RecordsError::MeansEverything);
        }
        limits::check_selector(&selector)
            .map_err(|error| bad(format!("selector {place}: {error}")))?;
        selectors.push(selector);
    }
    Ok((agent_id, selectors))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn code(selectors: &Value) -> &'static str {
        let context = json!({"agent_id": "a", "subscriptions": {"selectors": selectors}});
        check(context.as_object().unwrap()).map_or_else(|error| error.code(), |_| "ok")
    }

    #[test]
    fn selectors_must_be_understood_and_mean_something() {
        assert_eq!(code(&json!([{"schema_name": "note.v1"}])), "ok");
        assert_eq!(code(&json!([])), "selector_count");
        assert_eq!(code(&json!(vec![json!({"schema_name": "a"}); 17])), "selector_count");
        assert_eq!(code(&json!([{"any_tags": []}])), "selector_means_everything");
        assert_eq!(code(&json!([{"schema_name": "a", "context_match": {}}])), "agent_invalid");
        let condition = json!({"path": "a..b", "op": "eq", "value": 1});
        assert_eq!(code(&json!([{"context_match": [condition]}])), "agent_invalid");
    }
}
