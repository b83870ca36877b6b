//! Landmarks and groups: each is a short word before the first line in it.

use outrigger_protocol::facts::{Element, Node, flags};

use crate::element::fold;
use crate::forging::quoted;

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

/// Headings that hold more than this are no landmark's name.
const LONGEST_HEADING: usize = 100;

/// What stands before the first line of an element: `nav: `, `group "Size": `.
/// A name that is the heading on that line is not said twice: `region: ## News`.
pub(crate) fn prefix(nodes: &[Node], index: usize, element: &Element) -> Option<String> {
    let (word, is_said_unnamed) = word(&element.role)?;
    let name = fold(&element.name);
    if name.is_empty() {
        return is_said_unnamed.then(|| format!("{word}: "));
    }
    if begins_with_heading(nodes, index, &name) {
        return Some(format!("{word}: "));
    }
    Some(format!("{word} {}: ", quoted(&name)))
}

/// Whether the first that is to be read in an element is a heading of these words.
fn begins_with_heading(nodes: &[Node], index: usize, words: &str) -> bool {
    for (at, node) in inside(nodes, index) {
        match node {
            Node::Element(inner) if inner.role == "heading" => return spoken(nodes, at) == words,
            Node::Element(inner) if inner.name.is_empty() && !inner.has(flags::CONTROL) => {}
            Node::Text { text, .. } if text.trim().is_empty() => {}
            _ => return false,
        }
    }
    false
}

/// The words of a heading, whatever they are in; of a very long one the first.
fn spoken(nodes: &[Node], heading: usize) -> String {
    let words: Vec<&str> = inside(nodes, heading)
        .take(LONGEST_HEADING)
        .map(|(_, node)| match node {
            Node::Text { text, .. } => text.as_str(),
            Node::Element(element) => element.label(),
        })
        .collect();
    let own = match &nodes[heading] {
        Node::Element(element) if words.is_empty() => element.label(),
        _ => "",
    };
    fold(&format!("{own}{}", words.concat()))
}

/// What is in an element, at any depth: it comes right after it.
fn inside(nodes: &[Node], index: usize) -> impl Iterator<Item = (usize, &Node)> {
    let is_inside =
        move |node: &&Node| usize::try_from(node.parent()).is_ok_and(|parent| parent >= index);
    nodes[index + 1..]
        .iter()
        .take_while(is_inside)
        .enumerate()
        .map(move |(at, node)| (index + 1 + at, node))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefix_of(nodes: &str) -> Option<String> {
        let nodes: Vec<Node> = serde_json::from_str(nodes).unwrap();
        let Node::Element(first) = &nodes[0] else { panic!("no element") };
        prefix(&nodes, 0, first)
    }

    #[test]
    fn a_name_that_is_the_heading_of_the_first_line_is_not_said_twice() {
        for (nodes, said) in [
            (
                r#"[[-1,"section","region","News"],[0,"h2","heading",""],[1,"News"],[0,"x"]]"#,
                "region: ",
            ),
            (
                r#"[[-1,"div","dialog","Tea  time"],[0,"div","",""],[1,"h2","heading",""],[2,"a","link","Tea time",1,1]]"#,
                "dialog: ",
            ),
            (
                r#"[[-1,"section","region","News"],[0,"Old"],[0,"h2","heading",""],[2,"News"]]"#,
                "region \"News\": ",
            ),
            (
                r#"[[-1,"section","region","News"],[0,"h2","heading",""],[1,"News of today"]]"#,
                "region \"News\": ",
            ),
            (
                r#"[[-1,"section","region","News"],[-1,"h2","heading",""],[1,"News"]]"#,
                "region \"News\": ",
            ),
        ] {
            assert_eq!(prefix_of(nodes).as_deref(), Some(said), "{nodes}");
        }
    }
}
