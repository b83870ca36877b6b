//! Reads `llm_hints`: which entries there are and of what type. What an entry does is
//! the business of its own module.

use serde_json::{Map, Value};

use super::Limits;
use super::error::ViewError;
use super::exclude::Path;

/// What becomes of the rest of the context.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// It is shown beside what was made.
    #[default]
    Merge,
    /// Only what was made is shown.
    Replace,
}

/// How one entry is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transform<'a> {
    /// Text with expressions in it.
    Template(&'a str),
    /// What a JSONPath leads to in the context.
    Extract(&'a str),
    /// Any JSON, with expressions in its texts.
    Literal(&'a Value),
}

/// Hints that were understood.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Instructions<'a> {
    pub(super) mode: Mode,
    pub(super) transforms: Vec<(&'a str, Transform<'a>)>,
    pub(super) exclude: Vec<Path<'a>>,
}

impl<'a> Instructions<'a> {
    pub(super) fn read(hints: &'a Value, limits: &Limits) -> Result<Self, ViewError> {
        let hints = object("llm_hints", hints)?;
        let mode = match hints.get("mode") {
            None => Mode::default(),
            Some(Value::String(mode)) if mode == "merge" => Mode::Merge,
            Some(Value::String(mode)) if mode == "replace" => Mode::Replace,
            Some(Value::String(mode)) => {
                return Err(ViewError::UnknownMode { mode: excerpt(mode) });
            }
            Some(_) => return Err(bad("llm_hints.mode", "it is not a text")),
        };
        Ok(Instructions {
            mode,
            transforms: transforms(hints.get("transform"), limits)?,
            exclude: exclude(hints.get("exclude"), limits)?,
        })
    }
}

fn transforms<'a>(
    value: Option<&'a Value>,
    limits: &Limits,
) -> Result<Vec<(&'a str, Transform<'a>)>, ViewError> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let entries = object("llm_hints.transform", value)?;
    few_enough("transform", entries.len(), limits)?;
    entries.iter().map(|(key, entry)| Ok((key.as_str(), transform(key, entry)?))).collect()
}

fn transform<'a>(key: &str, entry: &'a Value) -> Result<Transform<'a>, ViewError> {
    let path = format!("llm_hints.transform.{}", excerpt(key));
    let entry = object(&path, entry)?;
    let needed =
        |name: &str| entry.get(name).ok_or_else(|| bad(&path, &format!("it has no `{name}`")));
    let text = |name: &str| {
        needed(name)?.as_str().ok_or_else(|| bad(&format!("{path}.{name}"), "it is not a text"))
    };
    match text("type")? {
        "template" => Ok(Transform::Template(text("template")?)),
        "extract" => Ok(Transform::Extract(text("value")?)),
        "literal" => Ok(Transform::Literal(needed("literal")?)),
        other => Err(ViewError::UnknownType { key: excerpt(key), kind: excerpt(other) }),
    }
}

fn exclude<'a>(value: Option<&'a Value>, limits: &Limits) -> Result<Vec<Path<'a>>, ViewError> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let paths =
        value.as_array().ok_or_else(|| bad("llm_hints.exclude", "it is not a list of paths"))?;
    few_enough("exclude", paths.len(), limits)?;
    let read = |(index, path): (usize, &'a Value)| match path.as_str() {
        Some(text) => Path::read(index, text),
        None => Err(bad(&format!("llm_hints.exclude[{index}]"), "it is not a text")),
    };
    paths.iter().enumerate().map(read).collect()
}

fn object<'a>(path: &str, value: &'a Value) -> Result<&'a Map<String, Value>, ViewError> {
    value.as_object().ok_or_else(|| bad(path, "it is not an object"))
}

fn few_enough(list: &'static str, count: usize, limits: &Limits) -> Result<(), ViewError> {
    if count > limits.entries {
        return Err(ViewError::TooManyEntries { list, count, limit: limits.entries });
    }
    Ok(())
}

fn bad(path: &str, problem: &str) -> ViewError {
    ViewError::BadHints { path: path.to_owned(), problem: problem.to_owned() }
}

/// What an error repeats of somebody's words.
fn excerpt(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn code(hints: &Value) -> &'static str {
        Instructions::read(hints, &Limits::default()).map_or_else(|error| error.code(), |_| "ok")
    }

    #[test]
    fn hints_without_anything_in_them_are_fine() {
        let nothing = json!({});
        let read = Instructions::read(&nothing, &Limits::default()).unwrap();
        assert_eq!(read, Instructions::default());
    }

    #[test]
    fn what_is_wrong_is_told_by_its_code() {
        for (hints, expected) in [
            (json!([]), "view_bad_hints"),
            (json!({"mode": "mix"}), "view_unknown_mode"),
            (json!({"mode": 1}), "view_bad_hints"),
            (json!({"transform": []}), "view_bad_hints"),
            (json!({"transform": {"a": 1}}), "view_bad_hints"),
            (json!({"transform": {"a": {}}}), "view_bad_hints"),
            (json!({"transform": {"a": {"type": "script"}}}), "view_unknown_type"),
            (json!({"transform": {"a": {"type": "template"}}}), "view_bad_hints"),
            (json!({"transform": {"a": {"type": "extract", "value": 1}}}), "view_bad_hints"),
            (json!({"exclude": "dom"}), "view_bad_hints"),
            (json!({"exclude": [1]}), "view_bad_hints"),
            (json!({"exclude": vec!["a"; 65]}), "view_too_many_entries"),
        ] {
            assert_eq!(code(&hints), expected, "{hints}");
        }
    }

    #[test]
    fn an_error_names_the_entry_and_what_to_use_instead() {
        let hints = json!({"transform": {"summary": {"type": "jq"}}});
        let error = Instructions::read(&hints, &Limits::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "llm_hints.transform.summary has the unknown type \"jq\". Use template, extract or literal"
        );
    }
}
