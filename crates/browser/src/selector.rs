//! Selectors as agents write them: CSS, `text=`, `role=`, `xpath=`, `target=`, or a ref.

use outrigger_protocol::inspection::{Known, Selector};
use outrigger_snapshot::Ref;

/// What a selector means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// The element of a ref.
    Ref(Ref),
    /// Whatever matches.
    Matching(Selector),
}

impl Wanted {
    /// Reads a selector. CSS is the browser's to check.
    pub fn read(text: &str) -> Self {
        let text = text.trim();
        if let Ok(name) = text.parse() {
            return Wanted::Ref(name);
        }
        Wanted::Matching(read(text))
    }
}

fn read(text: &str) -> Selector {
    let (kind, rest) = text.split_once('=').unwrap_or_default();
    match kind.trim() {
        "text" => by_text(rest.trim()),
        "role" => by_role(rest.trim()),
        "xpath" => Selector::Xpath(rest.trim().to_owned()),
        "css" => Selector::Css(rest.trim().to_owned()),
        "target" => by_all_that_is_known(text, rest),
        _ if text.starts_with("//") || text.starts_with("(//") => Selector::Xpath(text.to_owned()),
        _ => Selector::Css(text.to_owned()),
    }
}

/// `text=Sign in` for a part, `text="Sign in"` for all of it.
fn by_text(text: &str) -> Selector {
    match unquoted(text) {
        Some(whole) => Selector::Text { text: whole.to_owned(), exact: true },
        None => Selector::Text { text: text.to_owned(), exact: false },
    }
}

/// `role=button`, `role=button[name="Go"]`, `role=button Go`.
fn by_role(text: &str) -> Selector {
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (role, rest) = text.split_at(end);
    let rest = rest.trim();
    let bracketed = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let name = bracketed.and_then(|inside| inside.trim().strip_prefix("name"));
    let name = name.map_or(rest, |name| name.trim_start_matches(['*', '=', ' ']));
    let name = unquoted(name.trim()).unwrap_or(name.trim());
    Selector::Role { role: role.to_lowercase(), name: name.to_owned() }
}

/// `target={"role":"button","name":"Go"}`, as steps of workflows say it.
fn by_all_that_is_known(text: &str, json: &str) -> Selector {
    match serde_json::from_str::<Known>(json) {
        Ok(known) if known != Known::default() => Selector::Known(known),
        // The browser says that it is no selector.
        _ => Selector::Css(text.to_owned()),
    }
}

fn unquoted(text: &str) -> Option<&str> {
    ['"', '\''].into_iter().find_map(|quote| {
        let inside = text.strip_prefix(quote)?.strip_suffix(quote)?;
        (!inside.is_empty()).then_some(inside)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(role: &str, name: &str) -> Wanted {
        Wanted::Matching(Selector::Role { role: role.into(), name: name.into() })
    }

    fn known(role: &str, name: &str) -> Wanted {
        let (role, name) = (Some(role.to_owned()), Some(name.to_owned()));
        Wanted::Matching(Selector::Known(Known { role, name, ..Known::default() }))
    }

    fn text(text: &str, exact: bool) -> Wanted {
        Wanted::Matching(Selector::Text { text: text.into(), exact })
    }

    #[test]
    fn every_way_to_name_an_element_is_understood() {
        let css = |css: &str| Wanted::Matching(Selector::Css(css.into()));
        let xpath = |path: &str| Wanted::Matching(Selector::Xpath(path.into()));
        for (written, meant) in [
            ("e12", Wanted::Ref("e12".parse().unwrap())),
            ("e12x", css("e12x")),
            ("a[href='/x=1']", css("a[href='/x=1']")),
            ("input[name=text]", css("input[name=text]")),
            ("css=e12", css("e12")),
            ("text=Sign in", text("Sign in", false)),
            ("text=\"Sign in\"", text("Sign in", true)),
            ("text='Sign in'", text("Sign in", true)),
            ("role=button", role("button", "")),
            ("role=button[name=\"Go on\"]", role("button", "Go on")),
            ("role=button[name='Go']", role("button", "Go")),
            ("role=Button Go", role("button", "Go")),
            ("//div[@id='x']", xpath("//div[@id='x']")),
            ("(//a)[2]", xpath("(//a)[2]")),
            ("xpath=//a[.='text=b']", xpath("//a[.='text=b']")),
            (r#"target={"role":"link","name":"a=b"}"#, known("link", "a=b")),
            ("target={}", css("target={}")),
            (r#"target={"colour":"red"}"#, css(r#"target={"colour":"red"}"#)),
        ] {
            assert_eq!(Wanted::read(written), meant, "{written}");
        }
    }
}
