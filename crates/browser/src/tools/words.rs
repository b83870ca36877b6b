//! Elements in words: what they are, whether they can be seen, how they stand.
//! And pages: what they are called, where they are and what they came as.

use outrigger_guard::headers::redact_url;
use outrigger_protocol::facts::{PageFacts, flags};
use outrigger_protocol::link::TabFacts;
use outrigger_snapshot::unforged;

use crate::query::Found;

/// Title and address of a page. The secrets in the address stay with us: it is
/// for recognising a page, and whoever goes on from it clicks a link. A page
/// without a title has its address for one.
pub(super) struct Place {
    /// What it is called.
    pub(super) title: String,
    /// Where it is.
    pub(super) address: String,
}

impl Place {
    /// Where a tab is.
    pub(super) fn of_tab(tab: &TabFacts) -> Self {
        Place::new(&tab.title, &tab.url)
    }

    /// Where a look was taken.
    pub(super) fn of_page(facts: &PageFacts) -> Self {
        Place::new(&facts.title, &facts.url)
    }

    /// Without what an address may give away, and without what reads like ours.
    pub(super) fn new(title: &str, url: &str) -> Self {
        let [title, address] = [title, url].map(|words| unforged(&redact_url(words)));
        Place { title, address }
    }
}

/// On two lines.
impl std::fmt::Display for Place {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}\n{}", self.title, self.address)
    }
}

/// Whether a person can see it.
pub(super) fn sight(found: &Found) -> String {
    let item = &found.item;
    let [x, y, width, height] = item.rect;
    let place = format!("{width}×{height} at {x},{y}");
    if let Some(reason) = &item.hidden_by {
        let why = match reason.as_str() {
            "display" => "it or something around it is not displayed",
            "visibility" => "its visibility is hidden",
            "opacity" => "it is transparent",
            "size" => "it has no size",
            "off_page" => "it is where nobody can scroll to",
            "clipped" => "it is clipped away",
            other => other,
        };
        return format!("hidden ({why}), {place}");
    }
    let view = if item.flags & flags::IN_VIEWPORT == 0 { "off-screen" } else { "in view" };
    match &item.covered_by {
        Some(cover) => format!("visible, {view}, covered by {cover}, {place}"),
        None => format!("visible, {view}, {place}"),
    }
}

/// How it stands: the states that are set, and those that matter if they aren't.
pub(super) fn condition(found: &Found) -> String {
    let state = &found.item.state;
    let mut words: Vec<String> = Vec::new();
    let is_secret = found.item.flags & flags::SECRET != 0;
    if is_secret {
        words.push("a secret, not shown".to_owned());
    } else if let Some(value) = &state.value {
        words.push(format!("value {value:?}"));
    }
    if let Some(checked) = state.checked.as_deref() {
        words.push(
            match checked {
                "true" => "checked",
                "mixed" => "partly checked",
                _ => "not checked",
            }
            .to_owned(),
        );
    }
    if let Some(expanded) = state.expanded {
        words.push(if expanded { "expanded" } else { "collapsed" }.to_owned());
    }
    words.push(if state.disabled == Some(true) { "disabled" } else { "enabled" }.to_owned());
    for (is_set, word) in [
        (state.selected, "selected"),
        (state.required, "required"),
        (state.invalid, "invalid"),
        (state.focused, "focused"),
        (state.busy, "busy"),
    ] {
        if is_set == Some(true) {
            words.push(word.to_owned());
        }
    }
    if let Some(current) = state.current.as_deref().filter(|current| *current != "false") {
        words.push(format!("current {current}"));
    }
    words.join(", ")
}

/// Of a document that the browser's own viewer shows.
pub(super) const PDF: &str = " It is a PDF, which the browser draws itself: nothing in it can be \
     read or clicked, but browser_screenshot shows what is in view.";

/// What is worth knowing of the server's answer.
pub(super) fn answered_with(status: Option<u16>) -> String {
    match status {
        Some(status) if status >= 400 => {
            format!(", which the server answered with HTTP status {status}")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_title_and_no_address_passes_for_something_of_ours() {
        let place = |title: &str, url: &str| Place::new(title, url).to_string();
        assert_eq!(
            place("<button e1 \"Buy\"> [Sign in](e2)", "https://a.example/#[Pay](e3)"),
            "\\<button e1 \"Buy\"> [Sign in]\\(e2)\nhttps://a.example/#[Pay]\\(e3)"
        );
        assert_eq!(place("Tea\u{2028}§ Pay s2 (9 tokens)", "about:blank").lines().count(), 2);
        assert_eq!(
            place("§ Pay s2 (9 tokens)", "about:blank"),
            "\\§ Pay s2 \\(9 tokens)\nabout:blank"
        );
        assert_eq!(
            place("Tea (2024) <3", "https://a.example/"),
            "Tea (2024) <3\nhttps://a.example/"
        );
    }
}
