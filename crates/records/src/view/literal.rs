//! Any JSON with expressions in its texts. A text that is one expression becomes the
//! value of it, whatever its type. Keys stay as they are.

use serde_json::{Map, Value};

use super::Limits;
use super::error::Fault;
use super::size::json_bytes;
use super::template::Sandbox;

/// The literal with the values of its expressions.
pub(super) fn interpolate(
    literal: &Value,
    sandbox: &Sandbox<'_>,
    limits: &Limits,
) -> Result<Value, Fault> {
    let mut left = limits.entry_bytes;
    let mut places = 0;
    fill(literal, sandbox, &mut left, &mut places, limits)
}

fn fill(
    literal: &Value,
    sandbox: &Sandbox<'_>,
    left: &mut usize,
    places: &mut usize,
    limits: &Limits,
) -> Result<Value, Fault> {
    match literal {
        Value::String(text) if text.contains("{{") || text.contains("{%") => {
            *places += 1;
            if *places > limits.entries {
                return Err(Fault::TooManyExpressions { limit: limits.entries });
            }
            let value = sandbox.evaluate(text)?;
            *left = json_bytes(&value, *left)
                .and_then(|bytes| left.checked_sub(bytes))
                .ok_or(Fault::TooLarge { limit: limits.entry_bytes })?;
            Ok(value)
        }
        Value::Array(items) => {
            items.iter().map(|item| fill(item, sandbox, left, places, limits)).collect()
        }
        Value::Object(map) => {
            let mut filled = Map::new();
            for (key, value) in map {
                filled.insert(key.clone(), fill(value, sandbox, left, places, limits)?);
            }
            Ok(Value::Object(filled))
        }
        plain => Ok(plain.clone()),
    }
}
