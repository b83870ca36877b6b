//! How one control is written: `[name](e3)` for a link,
//! `<role e7 "name" state…>` for everything else.

use std::fmt::Write as _;

use outrigger_protocol::facts::{Element, flags};

use crate::refs::Ref;

/// How many options of a list are spelled out.
const OPTIONS_SHOWN: usize = 12;

/// A link as `[name](ref)`.
pub(crate) fn link(element: &Element, name: Ref) -> String {
    let text = fold(&element.name);
    let text = if text.is_empty() { element.tag.clone() } else { text };
    let mut out = format!("[{}]({name}", text.replace('\\', "\\\\").replace(']', "\\]"));
    states(element, &mut out);
    out.push(')');
    out
}

/// Any other control, with the options of a list beside it.
pub(crate) fn control(element: &Element, name: Ref, options: &[&Element]) -> String {
    let role = if element.role.is_empty() { element.tag.as_str() } else { element.role.as_str() };
    let mut out = format!("<{role} {name}");
    if !element.name.is_empty() {
        let _ = write!(out, " {}", quoted(&fold(&element.name)));
    }
    states(element, &mut out);
    if !options.is_empty() {
        let shown: Vec<String> =
            options.iter().take(OPTIONS_SHOWN).map(|option| quoted(&fold(&option.name))).collect();
        let _ = write!(out, " options={}", shown.join("|"));
        if options.len() > OPTIONS_SHOWN {
            let _ = write!(out, " +{} more", options.len() - OPTIONS_SHOWN);
        }
    }
    out.push('>');
    out
}

fn states(element: &Element, out: &mut String) {
    let state = &element.state;
    if element.has(flags::SECRET) {
        out.push_str(" secret");
    } else if let Some(value) = state.value.as_deref().filter(|value| !value.is_empty()) {
        let _ = write!(out, " value={}", quoted(value));
    } else if let Some(hint) = state.placeholder.as_deref().filter(|hint| *hint != element.name) {
        let _ = write!(out, " placeholder={}", quoted(hint));
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
        (state.selected, "selected"),
        (state.disabled, "disabled"),
        (state.required, "required"),
        (state.invalid, "invalid"),
        (state.focused, "focused"),
    ] {
        if is_set == Some(true) {
            let _ = write!(out, " {word}");
        }
    }
}

/// In double quotes, escaped as in JSON.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// One blank for every run of white space, none at the ends.
pub(crate) fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
