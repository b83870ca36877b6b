//! Workflows: steps in the browser that can be taken again. What one is, read from a
//! record's context; what its parameters make of its steps ([`parameters`]); which
//! call a step stands for ([`step`]); and how a session's calls become one
//! ([`recorder`]). Running them is the tools' business.

pub mod parameters;
pub mod recorder;
mod recording;
pub mod step;

use std::collections::BTreeMap;

use outrigger_protocol::records::Context;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::schemas::{self, SchemaError};
use step::WorkflowStep;

/// The schema of their records.
pub const SCHEMA: &str = "browser.workflow.v1";

/// The most steps of one.
pub const MOST_STEPS: usize = 500;

/// The context of a workflow's record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Workflow {
    /// By which it is run.
    pub name: String,
    /// What it does.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What it takes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Parameter>,
    /// What it does, in order.
    pub steps: Vec<WorkflowStep>,
}

/// What a workflow takes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// What it is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Without a default it must be given, unless this says otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// What it is if it isn't given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

impl Parameter {
    /// Whether nothing can be done without it.
    pub fn is_required(&self) -> bool {
        self.required.unwrap_or(self.default.is_none())
    }
}

/// Why a context is no workflow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoWorkflow {
    /// It doesn't fit the schema.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// It fits, and can't be read all the same.
    #[error("it can't be read as a workflow ({0})")]
    Unreadable(String),
}

impl Workflow {
    /// Reads one; the schema is the judge.
    pub fn read(context: &Context) -> Result<Self, NoWorkflow> {
        let context = Value::Object(context.clone());
        schemas::check(SCHEMA, &context)?;
        serde_json::from_value(context).map_err(|error| NoWorkflow::Unreadable(error.to_string()))
    }

    /// The context of its record.
    pub fn context(&self) -> Result<Context, NoWorkflow> {
        let unreadable = |error: serde_json::Error| NoWorkflow::Unreadable(error.to_string());
        let value = serde_json::to_value(self).map_err(unreadable)?;
        schemas::check(SCHEMA, &value)?;
        serde_json::from_value(value).map_err(unreadable)
    }
}

/// Whether a workflow may be called so.
pub fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    bytes.next().is_some_and(is_plain)
        && name.len() <= 64
        && bytes.all(|byte| is_plain(byte) || byte == b'-' || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(context: &Value) -> Result<Workflow, NoWorkflow> {
        Workflow::read(context.as_object().unwrap())
    }

    #[test]
    fn a_workflow_is_written_as_it_is_read() {
        let context = json!({
            "name": "find-train",
            "parameters": {"to": {"description": "Where to", "required": true}},
            "steps": [
                {"action": "navigate", "url": "https://trains.example/"},
                {"action": "type", "target": {"role": "textbox", "name": "To"}, "text": "{{to}}"},
                {"action": "select", "target": {"name": "Class"}, "option": ["1st", "2nd"]},
                {"action": "scroll", "direction": "down"},
                {"action": "extract", "target": {"selector": ".price"}, "into": "price"}
            ]
        });
        let workflow = read(&context).unwrap();
        assert_eq!(Value::Object(workflow.context().unwrap()), context);
    }

    #[test]
    fn what_the_schema_refuses_is_no_workflow() {
        for steps in [
            json!([]),
            json!([{"action": "wait"}]),
            json!([{"action": "scroll"}]),
            json!([{"action": "click"}]),
            json!([{"action": "fill", "target": {"name": "a"}}]),
            json!([{"action": "evaluate", "text": "1"}]),
        ] {
            let error = read(&json!({"name": "a", "steps": steps})).unwrap_err();
            assert!(matches!(error, NoWorkflow::Schema(_)), "{error}");
        }
    }

    #[test]
    fn names_are_those_of_the_schema() {
        for name in ["a", "find-train", "2nd_try"] {
            assert!(is_name(name), "{name}");
            let step = json!([{"action": "reload"}]);
            assert!(read(&json!({"name": name, "steps": step})).is_ok());
        }
        for name in ["", "-a", "A", "a b", &"a".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }
}
