//! A page as the tree of its roles, for whoever thinks in those.

use outrigger_protocol::facts::{Element, Node, flags};

use crate::Frame;
use crate::element::fold;
use crate::forging::quoted;
use crate::line::Line;
use crate::placement::Places;
use crate::refs::RefTable;

/// A node's own text is told up to about so much.
const CONTENT_BYTES: usize = 100;

/// What is deeper than this is indented no further.
const DEEPEST_INDENT: usize = 50;

/// Which nodes a tree holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only these roles; any if empty.
    pub roles: Vec<String>,
    /// Only what can be used.
    pub controls_only: bool,
    /// Leave out what is deeper than this among those that are shown.
    pub deepest: Option<usize>,
}

/// One line a node, indented by depth.
pub fn tree(frames: &[Frame], refs: &mut RefTable, filter: &Filter) -> Vec<Line> {
    let mut lines = Vec::new();
    let places = Places::of(frames);
    for frame in frames.iter().filter(|frame| !places.is_hidden(&frame.facts)) {
        // Depth of each node among those that are shown; a parent comes first.
        let mut depths: Vec<usize> = Vec::with_capacity(frame.facts.nodes.len());
        let in_view = in_view(&frame.facts.nodes);
        let contents = if filter.takes_text() { Vec::new() } else { contents(&frame.facts.nodes) };
        for (index, node) in frame.facts.nodes.iter().enumerate() {
            let parent = usize::try_from(node.parent()).ok();
            let depth = parent.and_then(|at| depths.get(at)).copied().unwrap_or(0);
            let written = match node {
                Node::Element(element) => {
                    let content = contents.get(index).map(String::as_str).unwrap_or_default();
                    element_line(frame, element, content, refs, filter)
                        .map(|line| (line, in_view[index]))
                }
                Node::Text { text, .. } if filter.takes_text() && !text.trim().is_empty() => {
                    Some((format!("text {}", quoted(&fold(text))), false))
                }
                Node::Text { .. } => None,
            };
            depths.push(depth + usize::from(written.is_some()));
            if let Some((text, is_in_view)) = written
                && filter.deepest.is_none_or(|deepest| depth < deepest)
            {
                let indent = "  ".repeat(depth.min(DEEPEST_INDENT));
                lines.push(Line::new(format!("{indent}{text}"), None, is_in_view));
            }
        }
    }
    lines
}

impl Filter {
    fn takes_text(&self) -> bool {
        self.roles.is_empty() && !self.controls_only
    }

    fn takes(&self, element: &Element) -> bool {
        let has_role = self.roles.is_empty() || self.roles.contains(&element.role);
        has_role && (!self.controls_only || element.has(flags::CONTROL))
    }
}

/// Whether each node, or anything in it, is in view: where an element holds no
/// text itself, the page was not asked where it is.
fn in_view(nodes: &[Node]) -> Vec<bool> {
    let mut in_view = vec![false; nodes.len()];
    for (index, node) in nodes.iter().enumerate().rev() {
        if let Node::Element(element) = node {
            in_view[index] |= element.has(flags::IN_VIEWPORT);
        }
        let Ok(parent) = usize::try_from(node.parent()) else { continue };
        if in_view[index] && parent < index {
            in_view[parent] = true;
        }
    }
    in_view
}

/// What stands directly in each node, for a tree in which text has no lines of
/// its own.
fn contents(nodes: &[Node]) -> Vec<String> {
    let mut contents = vec![String::new(); nodes.len()];
    for node in nodes {
        let Ok(parent) = usize::try_from(node.parent()) else { continue };
        let Some(content) = contents.get_mut(parent).filter(|text| text.len() < CONTENT_BYTES)
        else {
            continue;
        };
        content.push_str(match node {
            Node::Text { text, .. } => text,
            Node::Element(element) => element.label(),
        });
    }
    contents
}

fn element_line(
    frame: &Frame,
    element: &Element,
    content: &str,
    refs: &mut RefTable,
    filter: &Filter,
) -> Option<String> {
    if element.role.is_empty() || !filter.takes(element) {
        return None;
    }
    let mut text = element.role.clone();
    if element.id != 0 {
        text.push_str(&format!(" {}", refs.name(&frame.document, element.id)));
    }
    let name = if element.label().is_empty() { content } else { element.label() };
    if !name.trim().is_empty() {
        text.push_str(&format!(" {}", quoted(&fold(name))));
    }
    crate::element::states(element, &mut text);
    if let Some(level) = element.state.level {
        text.push_str(&format!(" level={level}"));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrigger_protocol::facts::PageFacts;

    fn told(filter: &Filter) -> Vec<String> {
        let nodes = serde_json::from_str(
            r#"[[-1,"nav","navigation","Main",2],[0,"ul","list"],[1,"li","listitem"],[2,"a","link","Home",1,1],
                [-1,"h1","heading","",2,0,[0,0,0,0],{"level":1}],[4,"Tea"],
                [-1,"button","button","Go",1,2,[0,0,0,0],{"disabled":true}]]"#,
        )
        .unwrap();
        let facts = PageFacts { nodes, ..PageFacts::default() };
        let frame = Frame { document: "d".into(), facts };
        let lines = tree(&[frame], &mut RefTable::above(0), filter);
        lines.into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn what_holds_something_in_view_is_in_view() {
        let nodes: Vec<Node> = serde_json::from_str(
            r#"[[-1,"ul","list"],[0,"li","listitem"],[1,"a","link","Home",5,1],
                [0,"li","listitem"],[3,"a","link","Far",1,2],[-1,"p","paragraph","",6],[5,"Near"]]"#,
        )
        .unwrap();
        assert_eq!(in_view(&nodes), [true, true, true, false, false, true, false]);
    }

    #[test]
    fn a_tree_is_indented_by_what_is_shown_of_it() {
        assert_eq!(
            told(&Filter::default()),
            [
                "navigation \"Main\"",
                "  list",
                "    listitem",
                "      link e1 \"Home\"",
                "heading level=1",
                "  text \"Tea\"",
                "button e2 \"Go\" disabled"
            ]
        );
        let roles = vec!["navigation".to_owned(), "link".to_owned()];
        let filter = Filter { roles, ..Filter::default() };
        assert_eq!(told(&filter), ["navigation \"Main\"", "  link e1 \"Home\""]);
        let filter = Filter { roles: vec!["heading".to_owned()], ..Filter::default() };
        assert_eq!(told(&filter), ["heading \"Tea\" level=1"]);
        let filter = Filter { controls_only: true, deepest: Some(1), ..Filter::default() };
        assert_eq!(told(&filter), ["link e1 \"Home\"", "button e2 \"Go\" disabled"]);
    }
}
