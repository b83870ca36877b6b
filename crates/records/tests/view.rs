//! A view of a page's context, as a subscriber gets it: the example that fixes the shape
//! of hints, and what each mode and each kind of mistake leads to.

use outrigger_records::schemas;
use outrigger_records::view::{Limits, ViewError, view};
use serde_json::{Map, Value, json};

/// The hints of the example, word for word: clients are written from it.
fn hints() -> Value {
    json!({
        "mode": "merge",
        "transform": {
            "summary": {
                "type": "template",
                "template": "The user is viewing '{{context.title}}' at {{context.domain}}. The page has {{context.content.headings.length}} sections and {{context.content.links.length}} links."
            },
            "interactive_summary": {
                "type": "template",
                "template": "There are {{context.dom.interactiveElements.length}} interactive elements on this page that the user can click or interact with."
            },
            "page_text": {"type": "extract", "value": "$.content.mainText"},
            "page_structure": {
                "type": "literal",
                "literal": {
                    "headings": "{{context.content.headings}}",
                    "key_links": "{{context.content.links}}",
                    "forms_present": "{{context.content.forms.length > 0}}"
                }
            }
        },
        "exclude": ["dom.map", "session.extensionId", "session.tabId", "session.windowId"]
    })
}

fn headings() -> Vec<String> {
    let named = ["Introduction", "Architecture", "Quick Start"].map(str::to_owned);
    named.into_iter().chain((4..=12).map(|number| format!("Section {number}"))).collect()
}

fn links() -> Vec<Value> {
    let named = [
        json!({"text": "Get Started", "href": "/docs/quick-start"}),
        json!({"text": "API Reference", "href": "/docs/api"}),
    ];
    let others = (3..=45).map(|number| json!({"text": format!("Link {number}"), "href": "/x"}));
    named.into_iter().chain(others).collect()
}

fn context() -> Value {
    let elements: Map<String, Value> = (0..23)
        .map(|index| {
            let element = json!({"tag": "a", "attributes": {}, "xpath": format!("/a[{index}]")});
            (index.to_string(), element)
        })
        .collect();
    json!({
        "url": "https://github.com/rcrt/docs",
        "domain": "github.com",
        "title": "RCRT Documentation",
        "favicon": "",
        "viewport": {"width": 1920, "height": 1080},
        "dom": {"rootId": "1", "map": {"1": {"tagName": "html"}}, "interactiveElements": elements},
        "content": {
            "mainText": "RCRT is a breadcrumb-centric event-driven system...",
            "headings": headings(),
            "links": links(),
            "images": [],
            "forms": [{"action": "/search", "method": "get", "inputs": []}],
        },
        "meta": {"description": "", "keywords": ["docs"]},
        "session": {
            "extensionId": "x", "userId": "u", "capturedAt": "2026-01-01T00:00:00Z",
            "tabId": 7, "windowId": 1
        },
        "llm_hints": hints(),
    })
}

fn viewed(context: &Value) -> Result<Value, ViewError> {
    let fields = json!({"title": "Browser: RCRT Documentation", "tags": ["browser:context"]});
    view(&fields.as_object().cloned().unwrap_or_default(), context, &Limits::default())
}

fn with_hints(hints: Value) -> Value {
    let mut context = context();
    context["llm_hints"] = hints;
    context
}

#[test]
fn the_example_shows_every_key_as_it_is_written() {
    let view = viewed(&context()).unwrap();
    let whole = context();
    for (pointer, expected) in [
        (
            "/summary",
            json!(
                "The user is viewing 'RCRT Documentation' at github.com. The page has 12 sections \
                 and 45 links."
            ),
        ),
        (
            "/interactive_summary",
            json!(
                "There are 23 interactive elements on this page that the user can click or \
                 interact with."
            ),
        ),
        ("/page_text", json!("RCRT is a breadcrumb-centric event-driven system...")),
        ("/page_structure/headings", json!(headings())),
        ("/page_structure/key_links", json!(links())),
        ("/page_structure/forms_present", json!(true)),
        ("/url", json!("https://github.com/rcrt/docs")),
        ("/domain", json!("github.com")),
        ("/title", json!("RCRT Documentation")),
        ("/viewport", json!({"width": 1920, "height": 1080})),
        ("/content", whole["content"].clone()),
        ("/meta", whole["meta"].clone()),
    ] {
        assert_eq!(view.pointer(pointer), Some(&expected), "{pointer}");
    }
}

#[test]
fn the_example_fits_the_schema_of_pages() {
    assert_eq!(schemas::check("browser.page.context.v1", &context()), Ok(()));
}

#[test]
fn the_example_shows_nothing_that_it_excludes() {
    let view = viewed(&context()).unwrap();
    for absent in
        ["/dom/map", "/session/extensionId", "/session/tabId", "/session/windowId", "/llm_hints"]
    {
        assert_eq!(view.pointer(absent), None, "{absent}");
    }
    assert_eq!(view.pointer("/session/userId"), Some(&json!("u")));
    assert_eq!(view.pointer("/dom/rootId"), Some(&json!("1")));
}

#[test]
fn what_was_made_for_a_model_comes_first() {
    let view = viewed(&context()).unwrap();
    let first: Vec<_> = view.as_object().unwrap().keys().take(5).collect();
    let expected = ["summary", "interactive_summary", "page_text", "page_structure", "url"];
    assert_eq!(first, expected);
}

#[test]
fn replace_shows_only_what_was_made() {
    let mut hints = hints();
    hints["mode"] = json!("replace");
    hints["exclude"] = json!(["page_structure.key_links"]);
    let view = viewed(&with_hints(hints)).unwrap();
    let keys: Vec<_> = view.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["summary", "interactive_summary", "page_text", "page_structure"]);
    assert_eq!(view["page_structure"]["forms_present"], json!(true));
    assert_eq!(view["page_structure"].get("key_links"), None);
}

#[test]
fn what_was_made_wins_over_what_was_there() {
    let hints = json!({"transform": {"title": {"type": "literal", "literal": "{{tags}}"}}});
    let view = viewed(&with_hints(hints)).unwrap();
    assert_eq!(view["title"], json!(["browser:context"]));
}

#[test]
fn a_page_of_which_little_is_known_has_a_view_too() {
    let context = json!({"url": "about:blank", "title": "Loading...", "llm_hints": hints()});
    let view = viewed(&context).unwrap();
    assert_eq!(view["page_structure"]["forms_present"], json!(false));
    assert_eq!(view["page_text"], Value::Null);
    assert!(view["summary"].as_str().unwrap().ends_with("has 0 sections and 0 links."));
}

#[test]
fn a_context_without_hints_is_its_own_view() {
    let mut context = context();
    context.as_object_mut().unwrap().remove("llm_hints");
    assert_eq!(viewed(&context).unwrap(), context);
    assert_eq!(viewed(&json!([1, "{{a}}"])).unwrap(), json!([1, "{{a}}"]));
}

#[test]
fn every_kind_of_mistake_has_an_error_that_names_it() {
    let made = |transform: Value| json!({"transform": {"key": transform}});
    let template = |text: &str| made(json!({"type": "template", "template": text}));
    let looping = "{% for a in context.content.links %}{% for b in context.content.links %}\
                   {% for c in context.content.links %}{% endfor %}{% endfor %}{% endfor %}";
    for (hints, code, words) in [
        (template(looping), "view_too_many_steps", "llm_hints.transform.key: it takes more than"),
        (template("{% include 'x' %}"), "view_not_offered", "include is not offered in views"),
        (template("{{ debug() }}"), "view_not_offered", "a call is not offered in views"),
        (template("{{ a"), "view_bad_template", "it is no template: `}}` is missing"),
        (template("{{ title|nosuch }}"), "view_template_failed", "it fails on this context"),
        (template(&"x".repeat(4_001)), "view_source_too_long", "longer than 4000 bytes"),
        (
            made(json!({"type": "extract", "value": "$..*..*..*..*..*..*..*..*"})),
            "view_path_too_costly",
            "on this context all paths together could take more than",
        ),
        (made(json!({"type": "extract", "value": "content"})), "view_bad_path", "no JSONPath"),
        (made(json!({"type": "script"})), "view_unknown_type", "Use template, extract or literal"),
        (json!({"mode": "append"}), "view_unknown_mode", "Use merge or replace"),
        (json!({"exclude": ["a..b"]}), "view_bad_hints", "llm_hints.exclude[0] is wrong"),
        (
            made(json!({"type": "literal", "literal": vec!["{{title}}"; 65]})),
            "view_too_many_expressions",
            "in more than 64 texts",
        ),
    ] {
        let error = viewed(&with_hints(hints)).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn an_error_stays_short_however_long_the_names_are() {
    let long = "x".repeat(100_000);
    for transform in
        [json!({"type": "template", "template": "{{"}), json!({"type": long}), json!(1)]
    {
        let context = json!({"llm_hints": {"transform": {long.clone(): transform}}});
        let error = viewed(&context).unwrap_err().to_string();
        assert!(error.len() < 500, "{} bytes", error.len());
    }
}

#[test]
fn what_grows_beyond_its_limit_is_refused() {
    let mut context = with_hints(json!({"transform": {
        "key": {"type": "literal", "literal": vec!["{{context.content.mainText}}"; 60]}
    }}));
    context["content"]["mainText"] = json!("x".repeat(5_000));
    assert_eq!(viewed(&context).unwrap_err().code(), "view_entry_too_large");
    context["llm_hints"] = json!({});
    context["content"]["mainText"] = json!("x".repeat(3_000_000));
    assert_eq!(viewed(&context).unwrap_err().code(), "view_too_large");
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    assert_eq!(viewed(&deep).unwrap_err().code(), "view_too_deep");
}
