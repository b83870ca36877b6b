//! What a model is shown of a record: its context, changed as its own `llm_hints` say.
//!
//! Hints come from whoever wrote the record, and their values from any page: so nothing
//! in them may take long or grow large. Every way to do so ends in an error that says
//! which hint it was. Values are given as they are; whoever renders them for a model
//! puts them inside the fence.

mod error;
mod exclude;
mod instructions;
mod jsonpath;
mod literal;
mod scan;
mod size;
mod template;

use outrigger_protocol::records::Record;
use serde_json::{Map, Value, json};

pub use error::{Fault, ViewError};
use exclude::copy_without;
use instructions::{Instructions, Mode, Transform};
use template::Sandbox;

/// Where the hints are in a context. They are not part of the view.
const HINTS: &str = "llm_hints";

/// How much a view may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Entries in `transform` and in `exclude`, each.
    pub entries: usize,
    /// Bytes of one template or one path, as written.
    pub source_bytes: usize,
    /// Texts with expressions in them, in all literals together.
    pub expressions: usize,
    /// Steps of one template: what a loop uses up.
    pub template_steps: u64,
    /// Steps of all paths together, at most, by their shape and that of the context.
    pub path_steps: u64,
    /// Bytes that one entry may yield.
    pub entry_bytes: usize,
    /// Bytes of the whole view.
    pub view_bytes: usize,
    /// How deep a context may be nested.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            entries: 64,
            source_bytes: 4_000,
            expressions: 64,
            template_steps: 50_000,
            path_steps: 10_000_000,
            entry_bytes: 256 * 1024,
            view_bytes: 2 * 1024 * 1024,
            depth: 100,
        }
    }
}

/// A record's context as its hints want it shown. `fields` are what else the record has
/// (`title`, `tags` and so on), for templates to use.
pub fn view(
    fields: &Map<String, Value>,
    context: &Value,
    limits: &Limits,
) -> Result<Value, ViewError> {
    if size::is_deeper_than(context, limits.depth) {
        return Err(ViewError::TooDeep { limit: limits.depth });
    }
    let Some(map) = context.as_object() else {
        return within(context.clone(), limits);
    };
    let instructions = match map.get(HINTS) {
        Some(hints) => Instructions::read(hints, limits)?,
        None => Instructions::default(),
    };
    let made = transformed(&instructions, fields, context, limits)?;
    let kept = map.iter().filter(|(key, _)| {
        instructions.mode == Mode::Merge && *key != HINTS && !made.contains_key(*key)
    });
    let shown = copy_without(made.iter().chain(kept), &instructions.exclude);
    within(Value::Object(shown), limits)
}

/// A record with its context as its hints want it.
pub fn shown(record: Record) -> Result<Value, ViewError> {
    let mut fields = Map::new();
    let Record { id, schema_name, title, tags, context, version, created_at, updated_at, owner } =
        record;
    for (name, value) in [
        ("id", json!(id)),
        ("schema_name", json!(schema_name)),
        ("title", json!(title)),
        ("tags", json!(tags)),
        ("version", json!(version)),
        ("created_at", json!(created_at)),
        ("updated_at", json!(updated_at)),
        ("owner", json!(owner)),
    ] {
        fields.insert(name.to_owned(), value);
    }
    let context = view(&fields, &Value::Object(context), &Limits::default())?;
    fields.insert("context".to_owned(), context);
    Ok(Value::Object(fields))
}

fn transformed(
    instructions: &Instructions<'_>,
    fields: &Map<String, Value>,
    context: &Value,
    limits: &Limits,
) -> Result<Map<String, Value>, ViewError> {
    if instructions.transforms.is_empty() {
        return Ok(Map::new());
    }
    let sandbox = Sandbox::new(fields, context, limits);
    let mut made = Map::new();
    // Entries are small each; together they may still be too much.
    let mut left = limits.clone();
    for (key, transform) in &instructions.transforms {
        let value = match transform {
            Transform::Template(source) => {
                sandbox.render(source).map(Value::String).map_err(|fault| fault.of(key))?
            }
            Transform::Extract(path) => jsonpath::extract(path, context, &mut left, limits)
                .map_err(|fault| fault.of(key))?,
            Transform::Literal(literal) => {
                literal::interpolate(literal, &sandbox, &mut left, limits)
                    .map_err(|fault| fault.of(key))?
            }
        };
        left.view_bytes = size::json_bytes(&value, left.view_bytes)
            .and_then(|bytes| left.view_bytes.checked_sub(bytes))
            .ok_or(ViewError::ViewTooLarge { limit: limits.view_bytes })?;
        made.insert((*key).to_owned(), value);
    }
    Ok(made)
}

fn within(shown: Value, limits: &Limits) -> Result<Value, ViewError> {
    match size::json_bytes(&shown, limits.view_bytes) {
        Some(_) => Ok(shown),
        None => Err(ViewError::ViewTooLarge { limit: limits.view_bytes }),
    }
}
