//! Any JSON with expressions in its texts. A text that is one expression becomes the
//! value of it, whatever its type. Keys stay as they are.

use serde_json::{Map, Value};

use super::Limits;
use super::error::Fault;
use super::size::json_bytes;
use super::template::Sandbox;

/// The literal with the values of its expressions. Takes them from what is left of them.
pub(super) fn interpolate(
    literal: &Value,
    sandbox: &Sandbox<'_>,
    left: &mut Limits,
    limits: &Limits,
) -> Result<Value, Fault> {
    left.entry_bytes = limits.entry_bytes;
    fill(literal, sandbox, left, limits)
}

fn fill(
    literal: &Value,
    sandbox: &Sandbox<'_>,
    left: &mut Limits,
    limits: &Limits,
) -> Result<Value, Fault> {
    match literal {
        Value::String(text) if text.contains("{{") || text.contains("{%") => {
            left.expressions = left
                .expressions
                .checked_sub(1)
                .ok_or(Fault::TooManyExpressions { limit: limits.expressions })?;
            let value = sandbox.evaluate(text)?;
            left.entry_bytes = json_bytes(&value, left.entry_bytes)
                .and_then(|bytes| left.entry_bytes.checked_sub(bytes))
                .ok_or(Fault::TooLarge { limit: limits.entry_bytes })?;
            Ok(value)
        }
        Value::Array(items) => items.iter().map(|item| fill(item, sandbox, left, limits)).collect(),
        Value::Object(map) => {
            let mut filled = Map::new();
            for (key, value) in map {
                filled.insert(key.clone(), fill(value, sandbox, left, limits)?);
            }
            Ok(Value::Object(filled))
        }
        plain => Ok(plain.clone()),
    }
}
