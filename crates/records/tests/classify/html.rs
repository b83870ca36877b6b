//! Makes the context of a page from its HTML, as the tracker does in a browser: the
//! same fields, the same limits, and no more of an element than its tag, its attributes
//! and where it is.

use scraper::{ElementRef, Html, Node, Selector};
use serde_json::{Map, Value, json};

const LETTERS: usize = 5_000;
const LINKS: usize = 50;
const IMAGES: usize = 20;

/// What begins a line of its own, as far as styles are known. In a row of buttons or of
/// links each is one, as they are where such rows are laid out today.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "button",
    "center",
    "dd",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "legend",
    "label",
    "li",
    "main",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "section",
    "select",
    "table",
    "tr",
    "ul",
    "br",
];
/// Where links are part of a sentence.
const SENTENCES: &[&str] =
    &["p", "li", "td", "th", "span", "blockquote", "dd", "em", "b", "i", "h1", "h2", "h3", "h4"];
const UNSEEN: &[&str] =
    &["script", "style", "noscript", "template", "textarea", "svg", "head", "iframe", "video"];
const ROLES: &[&str] = &[
    "button", "checkbox", "link", "menuitem", "option", "radio", "slider", "switch", "tab",
    "textbox", "treeitem",
];

/// The context of a page.
pub(crate) fn context(url: &str, html: &str) -> Value {
    let page = Html::parse_document(html);
    json!({
        "url": url,
        "domain": url.split('/').nth(2).unwrap_or_default(),
        "title": all(&page, "title").first().map(|title| said(*title)).unwrap_or_default(),
        "dom": {"interactiveElements": elements(&page)},
        "content": {
            "mainText": lines(&page).chars().take(LETTERS).collect::<String>(),
            "headings": all(&page, "h1,h2,h3,h4,h5,h6").into_iter().map(said)
                .filter(|heading| !heading.is_empty()).take(200).collect::<Vec<_>>(),
            "links": all(&page, "a[href]").into_iter().take(LINKS)
                .map(|link| json!({"text": said(link), "href": link.attr("href")})).collect::<Vec<_>>(),
            "images": all(&page, "img[src]").into_iter().take(IMAGES)
                .map(|image| json!({"alt": image.attr("alt").unwrap_or_default(), "src": image.attr("src")}))
                .collect::<Vec<_>>(),
            "forms": all(&page, "form").into_iter().take(50).map(form).collect::<Vec<_>>(),
        },
    })
}

fn all<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    let selector = Selector::parse(selector).expect("a selector of ours");
    page.select(&selector).collect()
}

fn said(element: ElementRef<'_>) -> String {
    let words: String = element.text().collect();
    words.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(1_000).collect()
}

fn form(form: ElementRef<'_>) -> Value {
    let selector = Selector::parse("input,select,textarea").expect("a selector of ours");
    let inputs: Vec<Value> = form
        .select(&selector)
        .map(|input| {
            let kind = match input.value().name() {
                "input" => input.attr("type").unwrap_or("text"),
                other => other,
            };
            json!({
                "type": kind,
                "name": input.attr("name").unwrap_or_default(),
                "placeholder": input.attr("placeholder").unwrap_or_default(),
                "required": input.attr("required").is_some(),
                "autocomplete": input.attr("autocomplete").unwrap_or_default(),
            })
        })
        .collect();
    json!({
        "action": form.attr("action").unwrap_or_default(),
        "method": form.attr("method").unwrap_or("get"),
        "inputs": inputs,
    })
}

fn elements(page: &Html) -> Map<String, Value> {
    let is_interactive = |element: &ElementRef<'_>| {
        let role = element.attr("role").unwrap_or_default();
        match element.value().name() {
            "button" | "select" | "textarea" | "summary" => true,
            "a" => element.attr("href").is_some(),
            "input" => element.attr("type") != Some("hidden"),
            "video" | "audio" => element.attr("controls").is_some(),
            _ => {
                ROLES.contains(&role)
                    || element.attr("tabindex").is_some()
                    || element.attr("contenteditable") == Some("true")
            }
        }
    };
    all(page, "body *")
        .into_iter()
        .filter(is_interactive)
        .enumerate()
        .map(|(index, element)| {
            // What is in a field never leaves the page.
            let is_told = |name: &str| {
                name != "value" || matches!(element.attr("type"), Some("submit" | "button"))
            };
            let attributes: Map<String, Value> = element
                .value()
                .attrs()
                .filter(|(name, _)| is_told(name))
                .map(|(name, value)| (name.to_owned(), value.into()))
                .collect();
            let tag = element.value().name();
            let told =
                json!({"tag": tag, "attributes": attributes, "xpath": format!("//{tag}[{index}]")});
            (index.to_string(), told)
        })
        .collect()
}

/// The text as a browser's `innerText` has it, near enough.
fn lines(page: &Html) -> String {
    let mut text = String::new();
    write(page.root_element(), &mut text);
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn write(element: ElementRef<'_>, text: &mut String) {
    let name = element.value().name();
    if UNSEEN.contains(&name) || element.attr("hidden").is_some() {
        return;
    }
    let parent =
        element.parent().and_then(ElementRef::wrap).map_or("", |parent| parent.value().name());
    let is_block = BLOCKS.contains(&name) || (name == "a" && !SENTENCES.contains(&parent));
    if is_block {
        text.push('\n');
    }
    for child in element.children() {
        match (child.value(), ElementRef::wrap(child)) {
            (_, Some(inner)) => write(inner, text),
            (Node::Text(words), _) if name == "pre" => text.push_str(words),
            (Node::Text(words), _) => text.push_str(&words.replace('\n', " ")),
            _ => {}
        }
    }
    match name {
        "td" | "th" => text.push(' '),
        _ if is_block => text.push('\n'),
        _ => {}
    }
}
