//! Any tool as a command, made from its one definition: `outrigger click e3`.
//! What to act on comes first, then required arguments in the order of the schema;
//! all others come as `--name value`.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use outrigger_dispatch::{Definition, ToolProfile, ToolSet, schema};
use outrigger_hub::{Settings, catalogue};
use serde_json::{Map, Value};

use super::call::call_tool;
use crate::output::Output;

pub(crate) async fn run(
    settings: &Settings,
    words: &[String],
    output: Output,
) -> anyhow::Result<ExitCode> {
    let (name, rest) = words.split_first().context("a command is missing")?;
    let definition = find(name)?;
    if rest.iter().any(|word| word == "--help" || word == "-h") {
        output.say(&format!("{}\n{}", definition.description, usage(name, &definition)));
        return Ok(ExitCode::SUCCESS);
    }
    let mut arguments = read(name, &definition, rest)?;
    // Where to put a picture is between the person and this program.
    let file = arguments.remove("out").and_then(|path| path.as_str().map(PathBuf::from));
    call_tool(settings, &definition.name, Value::Object(arguments), file, output).await
}

fn find(name: &str) -> anyhow::Result<Definition> {
    let known = catalogue::listing().listed(&ToolProfile::everything());
    let wanted = name.replace('-', "_");
    let found = known
        .iter()
        .find(|tool| tool.name == wanted || tool.name == format!("browser_{wanted}").as_str());
    match found {
        Some(tool) => Ok(tool.clone()),
        None => {
            let names: Vec<String> = known
                .iter()
                .filter(|tool| tool.set != ToolSet::Compat)
                .map(|tool| tool.name.trim_start_matches("browser_").replace('_', "-"))
                .collect();
            bail!(
                "there is no command {name:?}. `outrigger --help` lists the commands; tools are: {}",
                names.join(", ")
            );
        }
    }
}

fn required(definition: &Definition) -> Vec<String> {
    let names = definition.input_schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Whether the tool takes a target: then the word before the required ones is
/// a ref or a selector.
fn takes_target(definition: &Definition) -> bool {
    let properties = &definition.input_schema["properties"];
    ["ref", "selector", "x", "y"].iter().all(|name| properties.get(name).is_some())
}

fn usage(name: &str, definition: &Definition) -> String {
    let target = takes_target(definition).then(|| " [ref or selector]".to_owned());
    let required = required(definition).into_iter().map(|n| format!(" <{n}>"));
    let places: Vec<String> = target.into_iter().chain(required).collect();
    let all = schema::in_words(&definition.input_schema);
    let is_saved = ["browser_screenshot", "browser_pdf"].contains(&definition.name.as_ref());
    let out = if is_saved { " [--out FILE]" } else { "" };
    format!("Usage: outrigger {name}{} [--name value …]{out}\nTakes: {all}", places.concat())
}

fn read(
    name: &str,
    definition: &Definition,
    words: &[String],
) -> anyhow::Result<Map<String, Value>> {
    let mut arguments = Map::new();
    let mut placed = VecDeque::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let Some(flag) = word.strip_prefix("--") else {
            placed.push_back(word);
            continue;
        };
        let (key, value) = match flag.split_once('=') {
            Some((key, value)) => (key, Some(value.to_owned())),
            // A switch may stand alone.
            None if is_switch(definition, flag)
                && !words.as_slice().first().is_some_and(is_yes_or_no) =>
            {
                (flag, Some("true".to_owned()))
            }
            None => (flag, words.next().cloned()),
        };
        let key = named(definition, key);
        let value = value
            .with_context(|| format!("--{flag} needs a value. {}", usage(name, definition)))?;
        let value = typed(definition, &key, value);
        match (arguments.get_mut(&key), value) {
            // Said again, a list becomes longer.
            (Some(Value::Array(items)), Value::Array(more)) => items.extend(more),
            (_, value) => {
                arguments.insert(key, value);
            }
        }
    }
    let mut places = required(definition);
    places.retain(|place| !arguments.contains_key(place));
    if takes_target(definition) && placed.len() > places.len() {
        // A selector that is a ref means that ref.
        places.insert(0, "selector".to_owned());
    }
    for place in places {
        let Some(word) = placed.pop_front() else { break };
        let value = typed(definition, &place, word.clone());
        arguments.insert(place, value);
    }
    if let Some(word) = placed.front() {
        bail!("{word:?} is one word too many. {}", usage(name, definition));
    }
    Ok(arguments)
}

/// The argument of that name, written with `-` or `_`.
fn named(definition: &Definition, flag: &str) -> String {
    let underscored = flag.replace('-', "_");
    let is_known = definition.input_schema["properties"].get(&underscored).is_some();
    if is_known { underscored } else { flag.to_owned() }
}

fn is_switch(definition: &Definition, flag: &str) -> bool {
    let property = &definition.input_schema["properties"][named(definition, flag)];
    property.get("type").and_then(Value::as_str) == Some("boolean")
}

fn is_yes_or_no(word: &String) -> bool {
    word == "true" || word == "false"
}

/// Words stay words where the schema wants a string, and are a list where it wants one:
/// of words with commas between, or of one thing that may have commas in it, like a
/// path or a label of several words. Otherwise they are JSON.
fn typed(definition: &Definition, key: &str, text: String) -> Value {
    let property = &definition.input_schema["properties"][key];
    if property.get("type").and_then(Value::as_str) == Some("string") {
        return Value::String(text);
    }
    if property.get("type").and_then(Value::as_str) == Some("array") {
        return match serde_json::from_str(&text) {
            Ok(list @ Value::Array(_)) => list,
            _ if property["items"]["type"] == "string" && !text.contains(char::is_whitespace) => {
                text.split(',').map(Value::from).collect()
            }
            Ok(value @ Value::Object(_)) => Value::Array(vec![value]),
            _ => Value::Array(vec![Value::String(text)]),
        };
    }
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_target_comes_first_then_required_arguments_in_order_and_the_rest_by_name() {
        let definition = find("type").unwrap();
        let read =
            read("type", &definition, &words("e7 12 --submit --clear false --timeoutMs 500"))
                .unwrap();
        let expected = serde_json::json!({"selector": "e7", "text": "12", "submit": true, "clear": false, "timeoutMs": 500});
        assert_eq!(Value::Object(read), expected);
        let read = super::read("type", &definition, &words("Ada --ref e7")).unwrap();
        assert_eq!(Value::Object(read), serde_json::json!({"ref": "e7", "text": "Ada"}));
    }

    #[test]
    fn a_list_is_said_in_words() {
        let list = |tool: &str, said: &str| {
            Value::Object(read(tool, &find(tool).unwrap(), &words(said)).unwrap())
        };
        let expected = serde_json::json!({"selector": "e1", "files": ["tea, green.txt"]});
        let path = ["e1", "tea, green.txt"].map(str::to_owned);
        let given = read("upload", &find("upload").unwrap(), &path).unwrap();
        assert_eq!(Value::Object(given), expected);
        let styles = "get-computed-styles";
        for said in ["color,width", "color --properties width", r#"["color","width"]"#] {
            let read = list(styles, &format!("e1 --properties {said}"));
            assert_eq!(read["properties"], serde_json::json!(["color", "width"]), "{said}");
        }
        let label = ["e1", "Paris, France"].map(str::to_owned);
        let chosen = read("select-option", &find("select-option").unwrap(), &label).unwrap();
        assert_eq!(chosen["values"], serde_json::json!(["Paris, France"]));
    }

    #[test]
    fn a_word_too_many_is_answered_with_how_to_say_it() {
        let definition = find("press-key").unwrap();
        let error = read("press-key", &definition, &words("e1 a b")).unwrap_err().to_string();
        assert!(error.contains("Usage: outrigger press-key [ref or selector] <key>"), "{error}");
        assert!(find("sing").unwrap_err().to_string().contains("press-key"));
    }
}
