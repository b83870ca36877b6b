//! How one element is written: `[name](e3)` for a link,
//! `<role e7 "name" state…>` for every other control, and without a ref for
//! what can be seen but not used.

use std::fmt::Write as _;

use outrigger_guard::headers::redact_url;
use outrigger_protocol::facts::{Element, flags};

use crate::folding::Asides;
use crate::forging::{in_brackets, quoted};
use crate::line::Line;
use crate::marks::is_of_role;
use crate::refs::Ref;
use crate::render::Detail;

/// How many options of a list are spelled out.
const OPTIONS_SHOWN: usize = 12;
/// Of the rest, so many share a line.
const OPTIONS_A_LINE: usize = 20;

/// What says whose options stand on a line.
pub(crate) const OPTIONS_OF: &str = "options of ";

/// The end of an address, where it stands for a name that is missing.
const ADDRESS_LETTERS: usize = 24;

/// A link as `[name](ref)`.
pub(crate) fn link(element: &Element, name: Ref, detail: Detail) -> String {
    let text = fold(element.label());
    let text = if text.is_empty() { destination(element) } else { text };
    let mut out = format!("[{}]({name}", in_brackets(&text));
    states(element, &mut out);
    place(element, detail, &mut out);
    out.push(')');
    out
}

/// Any other control, with the options of a list beside it.
pub(crate) fn control(
    element: &Element,
    name: Ref,
    options: &[&Element],
    detail: Detail,
) -> String {
    let role = if element.role.is_empty() { element.tag.as_str() } else { element.role.as_str() };
    // A page may call its elements whatever it likes.
    let role = if role.bytes().all(is_of_role) { role } else { "generic" };
    let mut out = format!("<{role} {name}");
    if !element.label().is_empty() {
        let _ = write!(out, " {}", quoted(&fold(element.label())));
    }
    states(element, &mut out);
    if !options.is_empty() {
        let shown: Vec<String> =
            options.iter().take(OPTIONS_SHOWN).map(|option| quoted(&fold(&option.name))).collect();
        let _ = write!(out, " options={}", shown.join("|"));
        let count = count(element, options);
        if count > OPTIONS_SHOWN {
            let _ = write!(out, " +{} more", count - OPTIONS_SHOWN);
        }
    }
    place(element, detail, &mut out);
    out.push('>');
    out
}

/// The options for which there is no room in the control itself, as lines that
/// say whose they are; none where there is.
pub(crate) fn more_options(element: &Element, name: Ref, options: &[&Element]) -> Option<Asides> {
    let rest = options.get(OPTIONS_SHOWN..).filter(|rest| !rest.is_empty())?;
    let lines = rest.chunks(OPTIONS_A_LINE).map(|chunk| {
        let names: Vec<String> = chunk.iter().map(|option| quoted(&fold(&option.name))).collect();
        let text = format!("{OPTIONS_OF}{name}: {}", names.join("|"));
        Line { is_aside: true, ..Line::new(text, None, false) }
    });
    let mut lines: Vec<Line> = lines.collect();
    let untold = count(element, options) - options.len();
    if untold > 0 {
        let text = format!("{untold} more {OPTIONS_OF}{name} are not told");
        lines.push(Line { is_aside: true, ..Line::new(text, None, false) });
    }
    Some(Asides { lines, items: rest.len() + untold })
}

/// Of a list without end the page tells the number, but not all of them.
fn count(element: &Element, options: &[&Element]) -> usize {
    let all = element.state.options.and_then(|count| usize::try_from(count).ok());
    all.unwrap_or_default().max(options.len())
}

/// What is no control and no text: a picture, a meter, a film that plays.
pub(crate) fn unusable(element: &Element) -> Option<String> {
    let name = fold(&element.name);
    match element.role.as_str() {
        "img" if !name.is_empty() => Some(format!("![{}]", in_brackets(&name))),
        "meter" | "progressbar" | "scrollbar" | "video" | "audio" | "canvas" | "object" => {
            let mut out = format!("<{}", element.role);
            if !name.is_empty() {
                let _ = write!(out, " {}", quoted(&name));
            }
            states(element, &mut out);
            out.push('>');
            Some(out)
        }
        // Said of what is in it.
        "iframe" if element.has(flags::HIDDEN) => None,
        _ if element.has(flags::HIDDEN) => Some("(hidden)".to_owned()),
        _ if element.state.busy == Some(true) => Some("(busy)".to_owned()),
        _ if element.state.scrollable == Some(true) => Some("(scrolls)".to_owned()),
        _ => None,
    }
}

/// The states that are set, each after a blank.
pub(crate) fn states(element: &Element, out: &mut String) {
    let state = &element.state;
    if let Some(kind) = &state.kind {
        let _ = write!(out, " type={}", fold(kind));
    }
    if element.has(flags::SECRET) {
        out.push_str(" secret");
    } else if let Some(value) = state.value.as_deref().filter(|value| !value.is_empty()) {
        if matches!(element.role.as_str(), "video" | "audio") {
            let _ = write!(out, " {value}");
        } else {
            let _ = write!(out, " value={}", quoted(value));
        }
    } else if let Some(hint) = state.placeholder.as_deref().filter(|hint| *hint != element.name) {
        let _ = write!(out, " placeholder={}", quoted(hint));
    }
    // Without a name, they are what it is called.
    if let Some(words) = state.shows.as_ref().filter(|_| !element.name.is_empty()) {
        let _ = write!(out, " shows={}", quoted(&fold(words)));
    }
    match state.checked.as_deref() {
        Some("true") => out.push_str(" checked"),
        Some("mixed") => out.push_str(" mixed"),
        _ => {}
    }
    match state.expanded {
        Some(true) => out.push_str(" expanded"),
        Some(false) => out.push_str(" collapsed"),
        None => {}
    }
    for (is_set, word) in [
        (state.selected == Some(true), "selected"),
        (state.disabled == Some(true), "disabled"),
        (state.required == Some(true), "required"),
        (state.invalid == Some(true), "invalid"),
        (state.focused == Some(true), "focused"),
        (state.busy == Some(true), "busy"),
        (state.current.as_deref().is_some_and(|current| current != "false"), "current"),
        (state.scrollable == Some(true), "scrollable"),
        (element.has(flags::HIDDEN), "hidden"),
        (element.has(flags::COVERED), "covered"),
    ] {
        if is_set {
            let _ = write!(out, " {word}");
        }
    }
}

fn place(element: &Element, detail: Detail, out: &mut String) {
    if detail.boxes {
        let [x, y, width, height] = element.rect;
        let _ = write!(out, " @{x},{y},{width}×{height}");
    }
}

/// Where a link without a name leads: the last part of its address, without
/// the secrets in it.
fn destination(element: &Element) -> String {
    let href = redact_url(element.state.href.as_deref().unwrap_or_default());
    let path = href.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let tail = path.rsplit('/').next().filter(|tail| !tail.is_empty());
    let tail = tail.unwrap_or(if href.is_empty() { element.tag.as_str() } else { &href });
    if tail.chars().count() <= ADDRESS_LETTERS {
        return tail.to_owned();
    }
    tail.chars().take(ADDRESS_LETTERS - 1).chain(['…']).collect()
}

/// One blank for every run of white space, none at the ends.
pub(crate) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
