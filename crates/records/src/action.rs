//! What a `browser.action.v1` asks for, as a call of a tool: which one, with what, in
//! which tab. An element is meant by its index in the page that the author was told,
//! by its path or by its text; all that is said must agree, and what was told of an
//! element must still hold of it, so that a page that changed meanwhile is not acted in.

use outrigger_protocol::records::Context;
use serde_json::{Map, Value, json};

/// What an action's records are.
pub const ACTION: &str = "browser.action.v1";
/// What the records are that answer them.
pub const RESULT: &str = "browser.action.result.v1";

/// How far one scrolls that says only where to, in pixels.
const STRIDE: i64 = 600;
/// So many letters of what was told of an element are looked for in it.
const LETTERS: usize = 80;
/// Blanks as XPath can take them out of a text.
const BLANKS: &str = " \t\r\n\u{a0}";

/// A call that carries an action out.
#[derive(Debug, Clone, PartialEq)]
pub struct Deed {
    /// The tool.
    pub tool: &'static str,
    /// Its arguments. Those after the first are for an element that the ones before
    /// did not find.
    pub attempts: Vec<Map<String, Value>>,
    /// In that tab of the page that was told; otherwise where the author works.
    pub tab: Option<i64>,
    /// What it acts on is known from what the author was told of a page.
    pub is_of_page: bool,
}

/// Why an action can't be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoDeed {
    /// An index, and no page that was told.
    #[error(
        "highlightIndex counts the elements of a page that is followed, and none is. Follow \
         browser.page.context.v1 first, or name the element by xpath or text"
    )]
    NoPage,
    /// No such index.
    #[error("the page that is followed has no element {0}. Read its record again")]
    NoElement(u64),
    /// What is said of the target doesn't fit together.
    #[error("{0} does not agree with highlightIndex: the page changed. Read its record again")]
    Disagrees(&'static str),
    /// The record is not what its schema says.
    #[error("it is not what browser.action.v1 says")]
    Malformed,
}

/// What carries the action out, for an author that was told this page.
pub fn deed(action: &Context, page: Option<&Context>) -> Result<Deed, NoDeed> {
    let text = |name: &str| action.get(name).and_then(Value::as_str);
    let target = action.get("target").and_then(Value::as_object);
    let (selectors, is_of_page) = match target {
        Some(target) => selectors(target, page)?,
        None => (Vec::new(), false),
    };
    let with = |arguments: Value| match arguments {
        Value::Object(arguments) => arguments,
        _ => Map::new(),
    };
    let kind = text("action").ok_or(NoDeed::Malformed)?;
    let (tool, own) = match kind {
        "click" => ("browser_click", json!({})),
        "hover" => ("browser_hover", json!({})),
        "type" => ("browser_type", json!({"text": text("text").ok_or(NoDeed::Malformed)?})),
        "select" => {
            let option = text("option").ok_or(NoDeed::Malformed)?;
            ("browser_select_option", json!({"values": [option]}))
        }
        "press" => ("browser_press_key", json!({"key": text("key").ok_or(NoDeed::Malformed)?})),
        "scroll" => ("browser_scroll", scroll(text("direction"), target.is_some())),
        "navigate" => ("browser_navigate", json!({"url": text("url").ok_or(NoDeed::Malformed)?})),
        "back" => ("browser_go_back", json!({})),
        _ => return Err(NoDeed::Malformed),
    };
    let own = with(own);
    let attempts = if selectors.is_empty() {
        vec![own]
    } else {
        let found_by = |selector: String| {
            let mut arguments = own.clone();
            arguments.insert("selector".to_owned(), selector.into());
            arguments
        };
        selectors.into_iter().map(found_by).collect()
    };
    let said = action.get("tabId").and_then(Value::as_i64);
    let told = if is_of_page { page.and_then(tab_of) } else { None };
    match (said, told) {
        (Some(said), Some(told)) if said != told => Err(NoDeed::Disagrees("tabId")),
        _ => Ok(Deed { tool, attempts, tab: said.or(told), is_of_page }),
    }
}

/// The tab of a page's context.
pub fn tab_of(page: &Context) -> Option<i64> {
    page.get("session")?.get("tabId")?.as_i64()
}

/// Down unless it says otherwise; an element alone is scrolled into view.
fn scroll(direction: Option<&str>, has_target: bool) -> Value {
    match direction {
        None if has_target => json!({}),
        Some("up") => json!({"by": {"y": -STRIDE}}),
        Some("left") => json!({"by": {"x": -STRIDE}}),
        Some("right") => json!({"by": {"x": STRIDE}}),
        _ => json!({"by": {"y": STRIDE}}),
    }
}

/// By what the element is found, the surest way first; and whether the page says so.
fn selectors(
    target: &Map<String, Value>,
    page: Option<&Context>,
) -> Result<(Vec<String>, bool), NoDeed> {
    let said = |name: &str| target.get(name).and_then(Value::as_str);
    if let Some(index) = target.get("highlightIndex").and_then(Value::as_u64) {
        let elements = page.and_then(|page| page.get("dom")?.get("interactiveElements"));
        let element = elements.ok_or(NoDeed::NoPage)?.get(index.to_string());
        let element = element.ok_or(NoDeed::NoElement(index))?;
        let told = |name: &str| element.get(name).and_then(Value::as_str).unwrap_or_default();
        if said("xpath").is_some_and(|path| path != told("xpath")) {
            return Err(NoDeed::Disagrees("xpath"));
        }
        let (whole, part) = (packed(told("text")), said("text").map(packed));
        if part.is_some_and(|part| !whole.contains(&part)) {
            return Err(NoDeed::Disagrees("text"));
        }
        return Ok((vec![by_path(told("xpath"), told("text"))], true));
    }
    match (said("xpath"), said("text")) {
        (Some(path), text) => Ok((vec![by_path(path, text.unwrap_or_default())], false)),
        (None, Some(text)) => Ok((vec![format!("text=\"{text}\""), format!("text={text}")], false)),
        (None, None) => Err(NoDeed::Malformed),
    }
}

/// The element at a path, if it still says that.
fn by_path(path: &str, text: &str) -> String {
    let wanted: String = packed(text).chars().take(LETTERS).collect();
    if wanted.is_empty() {
        return format!("xpath={path}");
    }
    let wanted = quoted(&wanted);
    let says =
        |place: &str| format!("contains(translate({place}, {}, ''), {wanted})", quoted(BLANKS));
    let holds = [".", "@aria-label", "@title", "@value"].map(says).join(" or ");
    format!("xpath=({path})[{holds}]")
}

/// Without blanks, which a page's text has elsewhere than what is shown of it; and
/// without the sign that it was cut.
fn packed(text: &str) -> String {
    let whole = text.strip_suffix('…').unwrap_or(text);
    whole.chars().filter(|letter| !letter.is_whitespace()).collect()
}

/// A text in XPath, which knows no escapes.
fn quoted(text: &str) -> String {
    if !text.contains('\'') {
        return format!("'{text}'");
    }
    let parts: Vec<String> = text.split('\'').map(|part| format!("'{part}'")).collect();
    format!("concat({})", parts.join(", \"'\", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(value: Value) -> Context {
        match value {
            Value::Object(fields) => fields,
            other => panic!("{other}"),
        }
    }

    fn page() -> Context {
        context(json!({
            "url": "https://tea.test/", "session": {"tabId": 7},
            "dom": {"interactiveElements": {
                "0": {"tag": "a", "attributes": {}, "xpath": "/html/body/a[1]", "text": "Get Started"},
                "1": {"tag": "input", "attributes": {}, "xpath": "/html/body/input[1]", "text": ""},
            }}
        }))
    }

    fn of(action: Value) -> Result<Deed, NoDeed> {
        deed(&context(action), Some(&page()))
    }

    fn first(deed: Deed) -> Value {
        Value::Object(deed.attempts.into_iter().next().unwrap())
    }

    #[test]
    fn every_kind_of_action_is_a_call() {
        let by_text = |more: Value| {
            let mut all = json!({"selector": "text=\"Go\""});
            all.as_object_mut().unwrap().extend(context(more));
            all
        };
        let target = || json!({"text": "Go"});
        for (action, tool, arguments) in [
            (json!({"action": "click", "target": target()}), "browser_click", by_text(json!({}))),
            (json!({"action": "hover", "target": target()}), "browser_hover", by_text(json!({}))),
            (
                json!({"action": "type", "target": target(), "text": "a"}),
                "browser_type",
                by_text(json!({"text": "a"})),
            ),
            (
                json!({"action": "select", "target": target(), "option": "b"}),
                "browser_select_option",
                by_text(json!({"values": ["b"]})),
            ),
            (
                json!({"action": "press", "key": "Enter"}),
                "browser_press_key",
                json!({"key": "Enter"}),
            ),
            (json!({"action": "scroll"}), "browser_scroll", json!({"by": {"y": 600}})),
            (json!({"action": "scroll", "target": target()}), "browser_scroll", by_text(json!({}))),
            (
                json!({"action": "scroll", "direction": "left"}),
                "browser_scroll",
                json!({"by": {"x": -600}}),
            ),
            (
                json!({"action": "navigate", "url": "https://a.test"}),
                "browser_navigate",
                json!({"url": "https://a.test"}),
            ),
            (json!({"action": "back"}), "browser_go_back", json!({})),
        ] {
            let deed = of(action.clone()).unwrap();
            assert_eq!((deed.tool, deed.tab, deed.is_of_page), (tool, None, false), "{action}");
            assert_eq!(first(deed), arguments, "{action}");
        }
    }

    #[test]
    fn an_index_means_the_element_that_was_told_and_still_says_the_same() {
        let deed = of(json!({"action": "click", "target": {"highlightIndex": 0}})).unwrap();
        assert_eq!((deed.tab, deed.is_of_page), (Some(7), true));
        let selector = first(deed)["selector"].as_str().unwrap().to_owned();
        assert!(
            selector.starts_with("xpath=(/html/body/a[1])[contains(translate(., "),
            "{selector}"
        );
        assert!(selector.contains("'GetStarted'"), "{selector}");
        let all = json!({"highlightIndex": 0, "xpath": "/html/body/a[1]", "text": "Get"});
        assert!(of(json!({"action": "click", "target": all})).is_ok());
        let deed = of(json!({"action": "click", "target": {"highlightIndex": 1}})).unwrap();
        assert_eq!(first(deed), json!({"selector": "xpath=/html/body/input[1]"}));
    }

    #[test]
    fn what_does_not_agree_is_refused() {
        for (target, error) in [
            (json!({"highlightIndex": 9}), NoDeed::NoElement(9)),
            (json!({"highlightIndex": 0, "xpath": "/html"}), NoDeed::Disagrees("xpath")),
            (json!({"highlightIndex": 0, "text": "Delete"}), NoDeed::Disagrees("text")),
        ] {
            assert_eq!(of(json!({"action": "click", "target": target})), Err(error));
        }
        let elsewhere = json!({"action": "click", "target": {"highlightIndex": 0}, "tabId": 8});
        assert_eq!(of(elsewhere), Err(NoDeed::Disagrees("tabId")));
        let index = context(json!({"action": "click", "target": {"highlightIndex": 0}}));
        assert_eq!(deed(&index, None), Err(NoDeed::NoPage));
        assert_eq!(of(json!({"action": "sing"})), Err(NoDeed::Malformed));
    }

    #[test]
    fn quotes_of_both_kinds_are_found_by_xpath() {
        assert_eq!(quoted("a\"b"), "'a\"b'");
        assert_eq!(quoted("a'b\""), "concat('a', \"'\", 'b\"')");
        assert_eq!(packed(" Get\u{a0} Started… "), "GetStarted…");
        assert_eq!(packed("Get Started…"), "GetStarted");
    }
}
