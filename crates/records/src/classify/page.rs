//! Reads a context once, into what signs are looked for in. Whatever is missing or of
//! another type is not there. Of what has no end, the beginning is read.

use std::collections::HashMap;

use serde_json::{Map, Value};
use url::Url;

/// How much is read of the text, and how many of the rest.
const LETTERS: usize = 5_000;
const LINKS: usize = 50;
const HEADINGS: usize = 200;
const ELEMENTS: usize = 2_000;
/// Letters of an attribute, a heading or the name of a link: whoever needs more says
/// nothing.
const NAME: usize = 300;
/// Bytes of all words of one place together.
const WORDS: usize = 40_000;
/// Letters of a line that is not a paragraph.
const SHORT: usize = 90;

/// A page, as far as it tells what kind it is.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// Host, path and query, as words.
    pub(crate) address: Words,
    /// Values of the query by their keys.
    pub(crate) query: HashMap<String, String>,
    /// How the path ends: `pdf`.
    pub(crate) extension: String,
    /// Title and headings, as words.
    pub(crate) head: Words,
    pub(crate) headings: Vec<String>,
    /// What controls are called, as words.
    pub(crate) controls: Words,
    /// What links are called.
    pub(crate) links: Vec<String>,
    /// The text, line by line.
    pub(crate) lines: Vec<String>,
    /// Lines that are no paragraphs and what links are called, as words.
    pub(crate) labels: Words,
    pub(crate) fields: Vec<Field>,
    pub(crate) images: usize,
    /// How many controls have a role, by the role.
    pub(crate) roles: HashMap<String, usize>,
    /// How many controls have a tag, by the tag.
    pub(crate) tags: HashMap<String, usize>,
    /// How many can be written in, without being fields.
    pub(crate) editable: usize,
}

/// A field that a person fills in. Radio buttons of one name are one field.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) kind: String,
    /// Name, placeholder and label, as words.
    pub(crate) names: Words,
    pub(crate) autocomplete: String,
    pub(crate) is_required: bool,
}

impl Page {
    pub(crate) fn read(context: &Value) -> Self {
        let content = &context["content"];
        let mut page = Page::default();
        page.read_address(context["url"].as_str().unwrap_or_default());
        page.headings = items(&content["headings"])
            .take(HEADINGS)
            .map(|heading| text(heading).trim().to_lowercase())
            .collect();
        let title = text(&context["title"]);
        page.head = Words::of([title].into_iter().chain(page.headings.iter().map(String::as_str)));
        page.links = items(&content["links"])
            .take(LINKS)
            .map(|link| text(&link["text"]).trim().to_lowercase())
            .collect();
        page.read_text(content["mainText"].as_str().unwrap_or_default());
        page.images = items(&content["images"]).take(LINKS).count();
        page.read_elements(&context["dom"]["interactiveElements"]);
        page.read_forms(&content["forms"]);
        page
    }

    fn read_address(&mut self, address: &str) {
        let Ok(url) = Url::parse(beginning(address, LETTERS)) else { return };
        let host = url.host_str().unwrap_or_default();
        let path = url.path().to_lowercase();
        self.extension = path.rsplit_once('.').map(|(_, end)| end.to_owned()).unwrap_or_default();
        for (key, value) in url.query_pairs().take(LINKS) {
            self.query.insert(key.to_lowercase(), value.to_lowercase());
        }
        let fragment = url.fragment().unwrap_or_default();
        self.address = Words::of([host, path.as_str(), url.query().unwrap_or_default(), fragment]);
    }

    fn read_text(&mut self, main: &str) {
        let main = beginning(main, LETTERS);
        self.lines = main
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect();
        let short = self.lines.iter().filter(|line| line.chars().count() <= SHORT);
        self.labels = Words::of(short.chain(&self.links).map(String::as_str));
    }

    fn read_elements(&mut self, elements: &Value) {
        let mut names = Vec::new();
        let elements = elements.as_object().into_iter().flat_map(Map::values);
        for element in elements.take(ELEMENTS) {
            let tag = text(&element["tag"]).to_lowercase();
            let attributes = &element["attributes"];
            let role = text(&attributes["role"]).to_lowercase();
            let told = ["aria-label", "title", "placeholder", "alt"];
            names.extend(told.map(|name| text(&attributes[name])));
            if matches!(text(&attributes["type"]), "submit" | "button") {
                names.push(text(&attributes["value"]));
            }
            if matches!(tag.as_str(), "input" | "select" | "textarea") {
                self.add_field(&tag, attributes);
            } else if matches!(text(&attributes["contenteditable"]), "true" | "plaintext-only") {
                self.editable += 1;
            }
            *self.roles.entry(role).or_default() += 1;
            *self.tags.entry(tag).or_default() += 1;
        }
        self.controls = Words::of(names);
    }

    /// Fields of forms, where there are more than among the controls: those may be only
    /// what is in sight.
    fn read_forms(&mut self, forms: &Value) {
        let seen = std::mem::take(&mut self.fields);
        let inputs = items(forms).flat_map(|form| items(&form["inputs"]));
        for input in inputs.take(ELEMENTS) {
            self.add_field("input", input);
        }
        if self.fields.len() < seen.len() {
            self.fields = seen;
        }
    }

    fn add_field(&mut self, tag: &str, attributes: &Value) {
        let kind = match (tag, text(&attributes["type"])) {
            ("select" | "textarea", _) => tag.to_owned(),
            (_, "") => "text".to_owned(),
            (_, kind) => kind.to_lowercase(),
        };
        if matches!(kind.as_str(), "hidden" | "submit" | "button" | "image" | "reset") {
            return;
        }
        let name = text(&attributes["name"]);
        let names =
            Words::of([name, text(&attributes["placeholder"]), text(&attributes["aria-label"])]);
        let is_same = |field: &Field| field.kind == "radio" && field.names == names;
        if kind == "radio" && self.fields.last().is_some_and(is_same) {
            return;
        }
        let autocomplete = text(&attributes["autocomplete"]).to_lowercase();
        // A form says whether; of an element the attribute is there or not.
        let is_required = matches!(&attributes["required"], Value::Bool(true) | Value::String(_));
        self.fields.push(Field { kind, names, autocomplete, is_required });
    }

    pub(crate) fn role(&self, role: &str) -> usize {
        self.roles.get(role).copied().unwrap_or_default()
    }

    pub(crate) fn tag(&self, tag: &str) -> usize {
        self.tags.get(tag).copied().unwrap_or_default()
    }

    /// Letters in paragraphs: long lines that end like sentences.
    pub(crate) fn prose(&self) -> usize {
        let is_prose = |line: &&String| {
            line.ends_with(['.', '!', '?', '…', '”', '"', '»', ':', '。'])
                || line.chars().filter(|c| matches!(c, '.' | ',')).count() >= 3
        };
        let lengths = self.lines.iter().filter(is_prose).map(|line| line.chars().count());
        lengths.filter(|length| *length > SHORT).sum()
    }

    pub(crate) fn letters(&self) -> usize {
        self.lines.iter().map(|line| line.chars().count()).sum()
    }
}

/// Text as lower-case words with one space around each, so that phrases can be looked
/// for whole.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Words(String);

impl Words {
    pub(crate) fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut words = String::from(" ");
        for text in texts {
            if words.len() > WORDS {
                break;
            }
            for c in text.chars().take(LETTERS) {
                if c.is_alphanumeric() {
                    words.extend(c.to_lowercase());
                } else if !words.ends_with(' ') {
                    words.push(' ');
                }
            }
            // Words of two texts are no phrase.
            words.push_str(" | ");
        }
        Words(words)
    }

    /// Whether the phrase is among them.
    pub(crate) fn has(&self, phrase: &str) -> bool {
        self.0.match_indices(phrase).any(|(at, _)| {
            self.0[..at].ends_with(' ') && self.0[at + phrase.len()..].starts_with(' ')
        })
    }

    /// How many of the phrases are.
    pub(crate) fn count(&self, phrases: &[&str]) -> usize {
        phrases.iter().filter(|phrase| self.has(phrase)).count()
    }
}

/// A text, or its beginning where it is long.
fn text(value: &Value) -> &str {
    beginning(value.as_str().unwrap_or_default(), NAME)
}

fn beginning(text: &str, letters: usize) -> &str {
    text.char_indices().nth(letters).map_or(text, |(end, _)| &text[..end])
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn phrases_are_found_whole_and_not_across_texts() {
        let words = Words::of(["Sign in!", "to Überblick"]);
        assert!(words.has("sign in"));
        assert!(words.has("überblick"));
        assert!(!words.has("in to"));
        assert!(!words.has("ign in"));
        assert!(!words.has("blick"));
    }

    #[test]
    fn radio_buttons_of_one_name_are_one_field() {
        let radio = |name: &str| json!({"type": "radio", "name": name, "placeholder": ""});
        let inputs = json!([radio("a"), radio("a"), radio("b"), {"type": "submit"}, {"name": "c"}]);
        let page = Page::read(&json!({"content": {"forms": [{"inputs": inputs}]}}));
        let kinds: Vec<_> = page.fields.iter().map(|field| field.kind.as_str()).collect();
        assert_eq!(kinds, ["radio", "radio", "text"]);
    }

    #[test]
    fn only_paragraphs_are_prose() {
        let long = "A sentence with quite a few words in it, so that nobody takes it for a label \
                    or for the name of anything.";
        let page = |text: &str| Page::read(&json!({"content": {"mainText": text}}));
        assert_eq!(page(&format!("Home\n{long}\nMore")).prose(), long.chars().count());
        assert_eq!(page("Home\nMore\nShort one.").prose(), 0);
    }
}
