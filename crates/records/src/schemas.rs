//! What a context must look like, by the name of its schema. The schemas are files in
//! `schemas/`, one each, and are the only place that says so; what is volatile is stated
//! in them as `x-volatile`.
//!
//! Names that begin like ours must be ours. Any other name is somebody's own: its
//! contexts are taken as they are.

use std::sync::{LazyLock, OnceLock};

use jsonschema::Validator;
use jsonschema::error::ValidationErrorKind;
use serde_json::Value;

/// Every schema, by the name that records give.
const FILES: &[(&str, &str)] = &[
    (AGENT_CURSOR, include_str!("../schemas/agent.cursor.v1.json")),
    (AGENT_DEFINITION, include_str!("../schemas/agent.def.v1.json")),
    ("browser.action.result.v1", include_str!("../schemas/browser.action.result.v1.json")),
    ("browser.action.v1", include_str!("../schemas/browser.action.v1.json")),
    ("browser.page.context.v1", include_str!("../schemas/browser.page.context.v1.json")),
    ("browser.workflow.v1", include_str!("../schemas/browser.workflow.v1.json")),
    ("page.comment.v1", include_str!("../schemas/page.comment.v1.json")),
    ("page.hint.v1", include_str!("../schemas/page.hint.v1.json")),
];

/// Agents, and how far they have come.
pub const AGENT_DEFINITION: &str = "agent.def.v1";
pub(crate) const AGENT_CURSOR: &str = "agent.cursor.v1";

/// What the user looks at.
pub const PAGE_CONTEXT: &str = "browser.page.context.v1";

/// What names of ours begin with.
pub const RESERVED_PREFIXES: &[&str] = &["agent.", "browser.", "page."];

static SCHEMAS: LazyLock<Vec<Schema>> =
    LazyLock::new(|| FILES.iter().map(|(name, text)| Schema::read(name, text)).collect());

/// A schema that this program knows.
#[derive(Debug)]
pub struct Schema {
    /// What records call it.
    pub name: &'static str,
    /// Whether its records are kept in memory only, never on disk.
    pub is_volatile: bool,
    /// Whether its records are written by this program alone.
    pub is_own: bool,
    /// Whether its records are never changed by clients.
    pub is_final: bool,
    /// The schema itself, to be served.
    pub document: Value,
    /// Made when it is first needed: most hubs check contexts of few schemas.
    validator: OnceLock<Validator>,
}

/// Why a context isn't taken. The context's own words are not repeated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// It doesn't fit the schema.
    #[error("{path} doesn't fit {schema}: {problem}. See the schema for what is wanted there")]
    Mismatch {
        /// Which schema.
        schema: &'static str,
        /// Where in the record.
        path: String,
        /// What is wrong.
        problem: String,
    },
    /// A name that only we give.
    #[error(
        "{name:?} is no schema of this program, and names that begin with `{prefix}` are its own. \
         Use one that it knows, or a name that begins otherwise"
    )]
    Reserved {
        /// The name.
        name: String,
        /// What it begins with.
        prefix: &'static str,
    },
}

impl SchemaError {
    /// A word for programs, which stays the same.
    pub fn code(&self) -> &'static str {
        match self {
            SchemaError::Mismatch { .. } => "schema_mismatch",
            SchemaError::Reserved { .. } => "schema_reserved",
        }
    }
}

/// Every schema that this program knows, by name.
pub fn list() -> &'static [Schema] {
    &SCHEMAS
}

/// The schema of this name.
pub fn get(name: &str) -> Option<&'static Schema> {
    list().iter().find(|schema| schema.name == name)
}

/// Whether records of this schema are kept in memory only.
pub fn is_volatile(name: &str) -> bool {
    get(name).is_some_and(|schema| schema.is_volatile)
}

/// Whether records of this schema are written by this program alone.
pub fn is_own(name: &str) -> bool {
    get(name).is_some_and(|schema| schema.is_own)
}

/// Whether records of this schema stay as they were made.
pub fn is_final(name: &str) -> bool {
    get(name).is_some_and(|schema| schema.is_final)
}

/// The names of those whose records are kept in memory only.
pub fn volatile() -> impl Iterator<Item = &'static str> {
    list().iter().filter(|schema| schema.is_volatile).map(|schema| schema.name)
}

/// Whether a record of this schema may have this context.
pub fn check(name: &str, context: &Value) -> Result<(), SchemaError> {
    if let Some(schema) = get(name) {
        return schema.check(context);
    }
    match RESERVED_PREFIXES.iter().find(|prefix| name.starts_with(**prefix)) {
        Some(prefix) => {
            Err(SchemaError::Reserved { name: name.chars().take(100).collect(), prefix })
        }
        None => Ok(()),
    }
}

impl Schema {
    #[expect(clippy::expect_used, reason = "the files are ours, and a test reads every one")]
    fn read(name: &'static str, text: &str) -> Self {
        let document: Value = serde_json::from_str(text).expect("a schema is JSON");
        let is_volatile = document["x-volatile"] == true;
        let is_own = document["x-own"] == true;
        let is_final = document["x-final"] == true;
        Schema { name, is_volatile, is_own, is_final, document, validator: OnceLock::new() }
    }

    #[expect(clippy::expect_used, reason = "the files are ours, and a test reads every one")]
    fn validator(&self) -> &Validator {
        self.validator.get_or_init(|| {
            jsonschema::draft202012::new(&self.document).expect("a schema is a schema")
        })
    }

    fn check(&self, context: &Value) -> Result<(), SchemaError> {
        let Err(error) = self.validator().validate(context) else { return Ok(()) };
        let problem = match error.kind() {
            ValidationErrorKind::Required { property } => {
                format!("`{}` is missing", property.as_str().unwrap_or_default())
            }
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                let names: Vec<String> =
                    unexpected.iter().map(|name| name.chars().take(60).collect()).collect();
                format!("nothing is called `{}` there", names.join("`, `"))
            }
            ValidationErrorKind::MinProperties { .. } => "there is nothing in it".to_owned(),
            ValidationErrorKind::FalseSchema => "it must not be there".to_owned(),
            _ => error.masked_with("it").to_string(),
        };
        let path = dotted(error.instance_path().as_str());
        Err(SchemaError::Mismatch { schema: self.name, path, problem })
    }
}

/// `/content/links/3` as `context.content.links[3]`.
fn dotted(pointer: &str) -> String {
    let mut path = "context".to_owned();
    for part in pointer.split('/').skip(1) {
        if !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) {
            path.push_str(&format!("[{part}]"));
        } else {
            path.push('.');
            path.extend(part.replace("~1", "/").replace("~0", "~").chars().take(100));
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use serde_json::json;

    use super::*;

    fn problem(name: &str, context: &Value) -> String {
        check(name, context).unwrap_err().to_string()
    }

    #[test]
    fn every_file_of_the_folder_is_a_schema_that_is_known() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
        let files: BTreeSet<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let known: BTreeSet<String> =
            list().iter().map(|schema| format!("{}.json", schema.name)).collect();
        assert_eq!(files, known);
        for schema in list() {
            schema.validator();
            let document = &schema.document;
            assert_eq!(document["$id"], format!("urn:outrigger:schema:{}", schema.name));
            assert!(document["x-volatile"].is_boolean(), "{} says nothing", schema.name);
            assert!(RESERVED_PREFIXES.iter().any(|prefix| schema.name.starts_with(prefix)));
            jsonschema::draft202012::meta::validate(document).unwrap();
        }
    }

    #[test]
    fn what_follows_from_pages_is_volatile_and_nothing_else_is() {
        let volatile: Vec<_> =
            list().iter().filter(|schema| schema.is_volatile).map(|schema| schema.name).collect();
        assert_eq!(volatile, ["browser.page.context.v1", "page.hint.v1"]);
        assert!(is_volatile("browser.page.context.v1"));
        assert!(!is_volatile("browser.action.v1"));
        assert!(!is_volatile("somebody.elses.v1"));
        let own: Vec<_> =
            list().iter().filter(|schema| schema.is_own).map(|schema| schema.name).collect();
        assert_eq!(
            own,
            [
                "agent.cursor.v1",
                "browser.action.result.v1",
                "browser.page.context.v1",
                "page.hint.v1"
            ]
        );
        assert!(is_own("page.hint.v1") && !is_own("browser.action.v1"));
        assert!(is_final("browser.action.v1") && !is_final("browser.workflow.v1"));
    }

    #[test]
    fn names_that_begin_like_ours_must_be_ours() {
        assert_eq!(check("chat.message.v1", &json!({"anything": [1]})), Ok(()));
        assert_eq!(check("pages.of.mine", &json!(null)), Ok(()));
        for name in ["browser.page.context.v2", "agent.x", "page."] {
            assert_eq!(check(name, &json!({})).unwrap_err().code(), "schema_reserved", "{name}");
        }
        assert_eq!(
            problem("page.note.v1", &json!({})),
            "\"page.note.v1\" is no schema of this program, and names that begin with `page.` are \
             its own. Use one that it knows, or a name that begins otherwise"
        );
    }

    #[test]
    fn a_page_that_was_just_opened_fits() {
        let context = json!({
            "url": "about:blank", "domain": "loading", "title": "Loading...",
            "session": {"extensionId": "a", "userId": "b", "capturedAt": "c"}
        });
        assert_eq!(check("browser.page.context.v1", &context), Ok(()));
    }

    #[test]
    fn a_page_has_so_much_text_so_many_links_and_images_at_most() {
        let page =
            |content: Value| json!({"url": "u", "domain": "d", "title": "t", "content": content});
        let link = json!({"text": "a", "href": "b"});
        let image = json!({"alt": "a", "src": "b"});
        for (key, within, beyond) in [
            ("mainText", json!("é".repeat(5_000)), json!("é".repeat(5_001))),
            ("links", json!(vec![link.clone(); 50]), json!(vec![link; 51])),
            ("images", json!(vec![image.clone(); 20]), json!(vec![image; 21])),
        ] {
            let name = "browser.page.context.v1";
            assert_eq!(check(name, &page(json!({key: within}))), Ok(()));
            let told = problem(name, &page(json!({key: beyond})));
            assert!(
                told.starts_with(&format!("context.content.{key} doesn't fit {name}: it ")),
                "{told}"
            );
            assert!(told.len() < 200, "{told}");
        }
    }

    #[test]
    fn what_pages_have_without_limit_fits_in_any_length() {
        let picture = format!("data:image/png;base64,{}", "A".repeat(100_000));
        let page = json!({
            "url": format!("https://a.example/?{}", "x".repeat(20_000)), "domain": "d", "title": "t",
            "favicon": picture,
            "content": {
                "headings": vec!["h"; 300],
                "images": [{"alt": "", "src": picture}],
                "links": [{"text": "a".repeat(3_000), "href": "b"}],
            },
            "meta": {"description": "", "keywords": [""], "ogImage": picture},
        });
        assert_eq!(check("browser.page.context.v1", &page), Ok(()));
    }

    #[test]
    fn a_value_of_a_field_is_never_part_of_a_page() {
        let input = json!({"type": "password", "name": "p", "placeholder": "", "value": "secret"});
        let form = json!({"action": "", "method": "post", "inputs": [input]});
        let page = json!({"url": "u", "domain": "d", "title": "t", "content": {"forms": [form]}});
        assert_eq!(
            problem("browser.page.context.v1", &page),
            "context.content.forms[0].inputs[0].value doesn't fit browser.page.context.v1: it must \
             not be there. See the schema for what is wanted there"
        );
    }

    #[test]
    fn the_action_and_the_agent_of_the_examples_fit() {
        let action = json!({
            "action": "click",
            "target": {"highlightIndex": 5, "xpath": "/html/body/div/a[1]", "text": "Get Started"}
        });
        assert_eq!(check("browser.action.v1", &action), Ok(()));
        let agent = json!({
            "agent_id": "page-assistant",
            "model": "openrouter/anthropic/claude-3.5-sonnet",
            "system_prompt": "You help.",
            "subscriptions": {"selectors": [
                {"schema_name": "browser.page.context.v1", "any_tags": ["browser:active-tab"]},
                {"schema_name": "chat.message.v1", "any_tags": ["user:message"]}
            ]},
            "capabilities": {
                "can_create_breadcrumbs": true, "can_read_browser_context": true,
                "can_suggest_actions": true
            }
        });
        assert_eq!(check("agent.def.v1", &agent), Ok(()));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place_in_plain_words() {
        for (name, context, told) in [
            (
                "browser.action.v1",
                json!({}),
                "context doesn't fit browser.action.v1: `action` is missing",
            ),
            (
                "browser.action.v1",
                json!({"action": "click"}),
                "context doesn't fit browser.action.v1: `target` is missing",
            ),
            (
                "browser.action.v1",
                json!({"action": "click", "target": {}}),
                "context.target doesn't fit browser.action.v1: there is nothing in it",
            ),
            (
                "browser.action.v1",
                json!({"action": "back", "tagret": {}}),
                "context doesn't fit browser.action.v1: nothing is called `tagret` there",
            ),
            (
                "browser.action.v1",
                json!({"action": "type", "target": {"text": "a"}}),
                "context doesn't fit browser.action.v1: `text` is missing",
            ),
            (
                "browser.action.v1",
                json!([]),
                "context doesn't fit browser.action.v1: it is not of type \"object\"",
            ),
            (
                "browser.action.result.v1",
                json!({"action_id": "a", "status": "failed"}),
                "context doesn't fit browser.action.result.v1: `code` is missing",
            ),
            (
                "agent.def.v1",
                json!({"agent_id": "a", "subscriptions": {"selectors": []}}),
                "context.subscriptions.selectors doesn't fit agent.def.v1: it has less than 1 item",
            ),
            (
                "browser.workflow.v1",
                json!({"name": "a", "steps": [{"action": "extract", "target": {"text": "a"}}]}),
                "context.steps[0] doesn't fit browser.workflow.v1: `into` is missing",
            ),
            (
                "page.comment.v1",
                json!({"url": "u", "text": ""}),
                "context.text doesn't fit page.comment.v1: it is shorter than 1 character",
            ),
            (
                "page.hint.v1",
                json!({"hint": "a", "page_kind": "song", "text": "t", "url": "u"}),
                "context.page_kind doesn't fit page.hint.v1: it is not one of",
            ),
        ] {
            let problem = problem(name, &context);
            assert!(problem.starts_with(told), "{problem}\nis not\n{told}");
        }
    }

    #[test]
    fn a_workflow_with_a_parameter_and_a_result_fits() {
        let workflow = json!({
            "name": "find-train",
            "parameters": {"to": {"description": "Where to", "required": true}},
            "steps": [
                {"action": "navigate", "url": "https://trains.example/"},
                {"action": "type", "target": {"role": "textbox", "name": "To"}, "text": "{{to}}"},
                {"action": "click", "target": {"role": "button", "name": "Search", "heading": "Plan"}},
                {"action": "extract", "target": {"selector": ".price"}, "into": "price"}
            ]
        });
        assert_eq!(check("browser.workflow.v1", &workflow), Ok(()));
    }
}
