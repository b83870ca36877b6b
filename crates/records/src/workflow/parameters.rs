//! What a workflow is given, and what that makes of its texts: `{{name}}` stands for
//! the parameter of that name. There is no other language in it, and what a parameter
//! holds is never read again.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Parameter, Workflow};

/// What the parameters of one run are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given(BTreeMap<String, String>);

/// Why a workflow can't be run with what it was given. Names are told, values never.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadParameters {
    /// Something must be given.
    #[error("`{name}` must be given")]
    Missing {
        /// Which.
        name: String,
    },
    /// There is no such parameter.
    #[error("`{name}` is no parameter of it")]
    Unknown {
        /// What was given.
        name: String,
    },
    /// Neither a text nor a number nor yes or no.
    #[error("`{name}` must be a text")]
    NoText {
        /// Which.
        name: String,
    },
    /// A step names what the workflow doesn't take.
    #[error("one of its steps has {{{{{name}}}}} in it, which is no parameter of it")]
    Undeclared {
        /// What it names.
        name: String,
    },
}

impl Given {
    /// Takes what was given, and the defaults of the rest.
    pub fn of(workflow: &Workflow, params: &Map<String, Value>) -> Result<Self, BadParameters> {
        let declared = &workflow.parameters;
        if let Some(name) = params.keys().find(|name| !declared.contains_key(*name)) {
            return Err(BadParameters::Unknown { name: shortened(name) });
        }
        let mut given = BTreeMap::new();
        for (name, parameter) in declared {
            given.insert(name.clone(), value_of(name, parameter, params.get(name))?);
        }
        Ok(Given(given))
    }

    /// The text with its parameters in it.
    pub fn fill(&self, text: &str) -> Result<String, BadParameters> {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, name, after)) = next_parameter(rest) {
            let undeclared = || BadParameters::Undeclared { name: name.to_owned() };
            filled.push_str(before);
            filled.push_str(self.0.get(name).ok_or_else(undeclared)?);
            rest = after;
        }
        filled.push_str(rest);
        Ok(filled)
    }
}

fn value_of(
    name: &str,
    parameter: &Parameter,
    given: Option<&Value>,
) -> Result<String, BadParameters> {
    let name = || name.to_owned();
    match given {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Number(number)) => Ok(number.to_string()),
        Some(Value::Bool(is_so)) => Ok(is_so.to_string()),
        Some(Value::Null) | None if parameter.is_required() => {
            Err(BadParameters::Missing { name: name() })
        }
        Some(Value::Null) | None => Ok(parameter.default.clone().unwrap_or_default()),
        Some(_) => Err(BadParameters::NoText { name: name() }),
    }
}

/// The text up to the next `{{name}}`, the name, and the text after it.
fn next_parameter(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(at) = text[from..].find("{{").map(|at| from + at) {
        let inside = &text[at + 2..];
        if let Some(end) = inside.find("}}") {
            let name = inside[..end].trim();
            if is_name(name) {
                return Some((&text[..at], name, &inside[end + 2..]));
            }
        }
        from = at + 1;
    }
    None
}

/// Whether a text would be read as having a parameter in it.
pub(super) fn has_parameter(text: &str) -> bool {
    next_parameter(text).is_some()
}

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

fn shortened(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_control()).take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn workflow(parameters: &Value) -> Workflow {
        let steps = json!([{"action": "reload"}]);
        serde_json::from_value(json!({"name": "a", "parameters": parameters, "steps": steps}))
            .unwrap()
    }

    fn given(parameters: &Value, params: &Value) -> Result<Given, BadParameters> {
        Given::of(&workflow(parameters), params.as_object().unwrap())
    }

    #[test]
    fn a_parameter_is_what_was_given_or_its_default() {
        let parameters = json!({"to": {}, "cups": {"default": "1"}, "note": {"required": false}});
        let given = given(&parameters, &json!({"to": "Bern", "cups": 2})).unwrap();
        assert_eq!(given.fill("{{cups}} to {{ to }}{{note}}!").unwrap(), "2 to Bern!");
    }

    #[test]
    fn what_is_missing_or_unknown_is_named() {
        let refused = |params: Value| given(&json!({"to": {}}), &params).unwrap_err().to_string();
        assert_eq!(refused(json!({})), "`to` must be given");
        assert_eq!(refused(json!({"to": null})), "`to` must be given");
        assert_eq!(refused(json!({"to": "a", "too": "b"})), "`too` is no parameter of it");
        assert_eq!(refused(json!({"to": ["a"]})), "`to` must be a text");
        let must = json!({"to": {"required": true, "default": "x"}});
        assert!(given(&must, &json!({})).is_err(), "who must say it can't leave it out");
    }

    #[test]
    fn a_value_is_never_read_as_a_template() {
        let given = given(&json!({"a": {}, "b": {}}), &json!({"a": "{{b}}", "b": "{{"})).unwrap();
        assert_eq!(given.fill("{{a}} {{b}}").unwrap(), "{{b}} {{");
    }

    #[test]
    fn braces_that_name_nothing_stay_and_names_of_nothing_are_refused() {
        let given = given(&json!({"a": {}}), &json!({"a": "x"})).unwrap();
        for text in ["{{}}", "{{A}}", "{{a", "{ {a} }", "{{a b}}", "{% a %}", "{{a.b}}"] {
            assert_eq!(given.fill(text).unwrap(), text);
        }
        assert_eq!(given.fill("{{{a}}}").unwrap(), "{x}");
        let error = given.fill("{{b}}").unwrap_err().to_string();
        assert_eq!(error, "one of its steps has {{b}} in it, which is no parameter of it");
    }
}
