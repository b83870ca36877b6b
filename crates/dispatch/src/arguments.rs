//! Reads arguments: first those that every tool accepts, then the tool's own.
//! A wrong one is named, with what was expected.

use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::fault::Fault;
use crate::schema::in_words;
use crate::tool::{Common, Definition};

/// No call runs longer than this, whatever it asks for.
pub(crate) const LONGEST: Duration = Duration::from_secs(600);

/// What a call may carry: files of 16 MiB as base64, and some words.
const MOST_BYTES: usize = 24 * 1024 * 1024;

/// Refuses arguments that nobody carries in one piece.
pub fn refuse_too_large(arguments: &Value) -> Result<(), Fault> {
    let bytes = size(arguments);
    if bytes <= MOST_BYTES { Ok(()) } else { Err(Fault::TooLarge { bytes, most: MOST_BYTES }) }
}

/// About as many bytes as it takes to write a value down.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(items) => items.iter().map(|item| size(item) + 1).sum::<usize>() + 2,
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| name.len() + size(field) + 4).sum::<usize>() + 2
        }
        _ => 8,
    }
}

/// Takes what every tool accepts out of the arguments.
pub(crate) fn common(
    definition: &Definition,
    arguments: Value,
) -> Result<(Common, Map<String, Value>), Fault> {
    refuse_too_large(&arguments)?;
    let mut own = match arguments {
        Value::Object(object) => object,
        Value::Null => Map::new(),
        _ => return Err(invalid(definition, "The arguments must be a JSON object".to_owned())),
    };
    let mut shared = Map::new();
    for name in ["tab", "tabId", "timeoutMs", "browser"] {
        let is_its_own = definition.input_schema["properties"].get(name).is_some();
        if !is_its_own && let Some(value) = own.remove(name) {
            shared.insert(name.to_owned(), value);
        }
    }
    let read: Shared = parse(definition, shared)?;
    let timeout = read.timeout_ms.map(Duration::from_millis).map(|asked| asked.min(LONGEST));
    Ok((Common { tab: read.tab, browser: read.browser, timeout }, own))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shared {
    #[serde(alias = "tabId")]
    tab: Option<i64>,
    browser: Option<String>,
    timeout_ms: Option<u64>,
}

/// Reads the tool's own arguments.
pub(crate) fn parse<P: DeserializeOwned>(
    definition: &Definition,
    arguments: Map<String, Value>,
) -> Result<P, Fault> {
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let path = error.path().to_string();
        let reason = error.into_inner().to_string();
        let problem =
            if path == "." { capitalised(&reason) } else { format!("`{path}`: {reason}") };
        invalid(definition, problem)
    })
}

/// A fault for arguments of the right types that make no sense together.
pub fn invalid(definition: &Definition, problem: String) -> Fault {
    Fault::InvalidArguments {
        tool: definition.name.to_string(),
        problem,
        expected: in_words(&definition.input_schema),
    }
}

fn capitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
