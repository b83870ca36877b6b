//! Landmarks and groups: each is a short word before the first line in it.

use outrigger_protocol::facts::Element;

use crate::element::{fold, quoted};

/// The word for a role, and whether it is said even without a name.
fn word(role: &str) -> Option<(&'static str, bool)> {
    Some(match role {
        "navigation" => ("nav", true),
        "banner" => ("header", true),
        "contentinfo" => ("footer", true),
        "complementary" => ("aside", true),
        "main" => ("main", true),
        "search" => ("search", true),
        "dialog" | "alertdialog" => ("dialog", true),
        "alert" => ("alert", true),
        "status" => ("status", true),
        "log" => ("log", true),
        "tablist" => ("tabs", true),
        "menu" | "menubar" => ("menu", true),
        "listbox" => ("listbox", true),
        "tree" | "treegrid" => ("tree", true),
        "tooltip" => ("tooltip", true),
        "form" => ("form", false),
        "region" => ("region", false),
        "group" | "radiogroup" => ("group", false),
        "toolbar" => ("toolbar", false),
        "tabpanel" => ("panel", false),
        "table" | "grid" => ("table", false),
        "feed" => ("feed", false),
        _ => return None,
    })
}

/// What stands before the first line of an element: `nav: `, `group "Size": `.
pub(crate) fn prefix(element: &Element) -> Option<String> {
    let (word, is_said_unnamed) = word(&element.role)?;
    let name = fold(&element.name);
    if name.is_empty() {
        return is_said_unnamed.then(|| format!("{word}: "));
    }
    Some(format!("{word} {}: ", quoted(&name)))
}
