//! Selectors as agents write them: CSS, `text=`, `role=`, `xpath=`, `target=`, or a ref;
//! and as people are told what is looked for.

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

/// `the button “Buy” (found by its role and name)`: what is looked for, before anybody
/// looks. Whoever wrote the selector chose the words in it, and so it is said by what.
pub fn in_words(selector: &Selector) -> String {
    match selector {
        Selector::Text { text, exact: true, .. } => {
            format!("what says “{text}” (found by its text)")
        }
        Selector::Text { text, exact: false, .. } => {
            format!("what says “{text}” among other words (found by its text)")
        }
        Selector::Role { role, name } if name.is_empty() => {
            format!("the {role} (found by its role)")
        }
        Selector::Role { role, name } => {
            format!("the {role} “{name}” (found by its role and name)")
        }
        Selector::Css(css) => format!("what the CSS selector {css} finds"),
        Selector::Xpath(path) => format!("what the XPath {path} finds"),
        Selector::Node(_) => "an element that was found before".to_owned(),
        Selector::Known(known) => known_in_words(known),
    }
}

fn known_in_words(Known { role, name, text, heading, selector }: &Known) -> String {
    let mut words = format!("the {}", role.as_deref().unwrap_or("element"));
    let mut by: Vec<&str> = role.iter().map(|_| "role").collect();
    if let Some(name) = name {
        words.push_str(&format!(" “{name}”"));
        by.push("name");
    }
    if let Some(text) = text {
        words.push_str(&format!(" that says “{text}”"));
        by.push("text");
    }
    if let Some(heading) = heading {
        words.push_str(&format!(" under “{heading}”"));
        by.push("heading");
    }
    match (by.split_last(), selector) {
        (None, Some(css)) => return format!("what the CSS selector {css} finds"),
        (None, None) => {}
        (Some((last, [])), _) => words.push_str(&format!(" (found by its {last})")),
        (Some((last, others)), _) => {
            words.push_str(&format!(" (found by its {} and {last})", others.join(", ")));
        }
    }
    words
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
        Some(whole) => Selector::Text { text: whole.to_owned(), exact: true, choices: false },
        None => Selector::Text { text: text.to_owned(), exact: false, choices: false },
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
        Wanted::Matching(Selector::Text { text: text.into(), exact, choices: false })
    }

    #[test]
    fn what_is_looked_for_is_said_in_words() {
        for (written, words) in [
            ("text=\"Sign in\"", "what says “Sign in” (found by its text)"),
            ("text=Sign", "what says “Sign” among other words (found by its text)"),
            ("role=button[name=Go]", "the button “Go” (found by its role and name)"),
            ("role=button", "the button (found by its role)"),
            ("#go", "what the CSS selector #go finds"),
            ("//a", "what the XPath //a finds"),
            (
                r##"target={"role":"button","name":"Buy","heading":"Cart","selector":"#b"}"##,
                "the button “Buy” under “Cart” (found by its role, name and heading)",
            ),
            (r#"target={"text":"Buy"}"#, "the element that says “Buy” (found by its text)"),
            (r##"target={"selector":"#b"}"##, "what the CSS selector #b finds"),
        ] {
            let Wanted::Matching(selector) = Wanted::read(written) else { panic!("{written}") };
            assert_eq!(in_words(&selector), words, "{written}");
        }
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
