//! Schemas of arguments, trimmed to what a model needs: definitions are paid
//! for in tokens on every turn.

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value};

/// The schema of a type, with everything inlined and nothing decorative.
pub fn of<P: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<P>().to_value();
    trim(&mut schema);
    if let Value::Object(object) = &mut schema {
        object.remove("description");
        object.entry("type").or_insert_with(|| "object".into());
        object.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    }
    schema
}

fn trim(schema: &mut Value) {
    let Value::Object(object) = schema else { return };
    for decoration in ["title", "format", "default", "additionalProperties", "$schema"] {
        object.remove(decoration);
    }
    if object.get("minimum") == Some(&Value::from(0)) {
        object.remove("minimum");
    }
    // An optional argument is one that may be left out; `null` adds nothing.
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
        choices.retain(|choice| choice.get("type") != Some(&Value::from("null")));
        if choices.len() == 1
            && let Value::Object(only) = choices.remove(0)
        {
            object.remove("anyOf");
            for (key, value) in only {
                object.entry(key).or_insert(value);
            }
        }
    }
    merge_constants(object);
    for (key, value) in object.iter_mut() {
        match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => properties.values_mut().for_each(trim),
            ("items", items) => trim(items),
            ("anyOf" | "oneOf" | "allOf", Value::Array(choices)) => {
                choices.iter_mut().for_each(trim);
            }
            _ => {}
        }
    }
}

/// An enum with documented variants comes as `oneOf` of constants; a plain
/// `enum` says the same in a third of the tokens.
fn merge_constants(object: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = object.get("oneOf") else { return };
    let mut constants = Vec::new();
    for choice in choices {
        match (choice.get("const"), choice.get("enum")) {
            (Some(constant), _) => constants.push(constant.clone()),
            (None, Some(Value::Array(values))) => constants.extend(values.iter().cloned()),
            _ => return,
        }
    }
    object.remove("oneOf");
    object.insert("type".into(), "string".into());
    object.insert("enum".into(), Value::Array(constants));
}

/// What a schema takes, in one line: `url (string), wait? (load|dom|quiet)`.
pub fn in_words(schema: &Value) -> String {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return "no arguments of its own".to_owned();
    };
    if properties.is_empty() {
        return "no arguments of its own".to_owned();
    }
    let words: Vec<String> = properties
        .iter()
        .map(|(name, property)| {
            let mark = if required.contains(&name.as_str()) { "" } else { "?" };
            format!("{name}{mark} ({})", kind_in_words(property))
        })
        .collect();
    words.join(", ")
}

fn kind_in_words(property: &Value) -> String {
    if let Some(values) = property.get("enum").and_then(Value::as_array) {
        let words: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        return words.join("|");
    }
    match property.get("type").and_then(Value::as_str) {
        Some("array") => {
            let items = property.get("items").map_or_else(|| "any".to_owned(), kind_in_words);
            format!("list of {items}")
        }
        Some("integer") => "whole number".to_owned(),
        Some(kind) => kind.to_owned(),
        None => "any".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Sample {
        /// Where to.
        url: String,
        wait: Option<Wait>,
        times: Option<u32>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Wait {
        /// Documented.
        Load,
        /// This one too.
        Dom,
    }

    #[test]
    fn a_schema_says_what_a_model_needs_and_no_more() {
        let expected = serde_json::json!({
            "type": "object",
            "properties": {
                "url": {"type": "string", "description": "Where to."},
                "wait": {"enum": ["load", "dom"], "type": "string"},
                "times": {"type": "integer"},
            },
            "required": ["url"],
        });
        assert_eq!(of::<Sample>(), expected);
        assert_eq!(
            in_words(&of::<Sample>()),
            "url (string), wait? (load|dom), times? (whole number)"
        );
    }
}
