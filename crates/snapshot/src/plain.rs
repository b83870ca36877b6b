//! The words of a page and nothing else: what a person would read aloud.

use outrigger_protocol::facts::{Element, Node, PageFacts, flags};

use crate::Frame;
use crate::element::fold;
use crate::placement::Places;
use crate::render::DEEPEST_FRAME;

/// The text of all frames, one line for each line of the page, every frame
/// where it stands; those whose place can't be known come last, those that a
/// person can't see are left out.
pub fn plain(frames: &[Frame]) -> String {
    let is_read = vec![false; frames.len()];
    let mut reader =
        Reader { frames, places: Places::of(frames), is_read, words: Words::default() };
    for (index, frame) in frames.iter().enumerate() {
        if !reader.places.is_hidden(&frame.facts) {
            reader.frame(index, 0);
        }
    }
    reader.words.lines.join("\n")
}

struct Reader<'a> {
    frames: &'a [Frame],
    places: Places<'a>,
    is_read: Vec<bool>,
    words: Words,
}

impl<'a> Reader<'a> {
    fn frame(&mut self, index: usize, depth: usize) {
        if std::mem::replace(&mut self.is_read[index], true) {
            return;
        }
        let facts: &'a PageFacts = &self.frames[index].facts;
        let mut open: Vec<(usize, &'a Element)> = Vec::new();
        for (at, node) in facts.nodes.iter().enumerate() {
            while open.last().is_some_and(|(at, _)| i32::try_from(*at) != Ok(node.parent())) {
                if let Some((_, element)) = open.pop() {
                    self.words.border(element);
                }
            }
            match node {
                Node::Text { text, .. } => self.words.text(text),
                Node::Element(element) => {
                    self.words.border(element);
                    let words = spoken(element);
                    // A control in another one was read as a part of that.
                    let is_read = open.iter().any(|(_, outer)| {
                        outer.has(flags::CONTROL) && spoken(outer).contains(words.as_str())
                    });
                    if !is_read {
                        self.words.push(&fold(&words));
                    }
                    self.inner_frame(facts, element, depth);
                    open.push((at, element));
                }
            }
        }
        self.words.end_line();
    }

    /// The frame that an element holds, if it holds one.
    fn inner_frame(&mut self, outer: &PageFacts, holder: &Element, depth: usize) {
        let inner = holder.state.frame.and_then(|index| self.places.inner(outer, index));
        if let Some(inner) = inner
            && depth < DEEPEST_FRAME
        {
            self.words.end_line();
            self.frame(inner, depth + 1);
        }
    }
}

/// What can be read on an element itself: a control's words and value, the
/// title of a group of fields. Other names are for those who can't see.
fn spoken(element: &Element) -> String {
    let is_read = element.has(flags::CONTROL) || element.tag == "fieldset";
    if !is_read || element.has(flags::PICTURE) {
        return String::new();
    }
    let words = element.state.shows.as_deref().unwrap_or(&element.name);
    let value = element.state.value.as_deref().filter(|_| !element.has(flags::SECRET));
    match value.filter(|value| !value.is_empty()) {
        None => words.to_owned(),
        Some(value) if words.is_empty() => value.to_owned(),
        Some(value) => format!("{words}: {value}"),
    }
}

#[derive(Default)]
struct Words {
    lines: Vec<String>,
    line: String,
}

impl Words {
    fn push(&mut self, words: &str) {
        self.line.push_str(words);
    }

    /// White space that is left of a text has a meaning: lines, indents.
    fn text(&mut self, text: &str) {
        for (nth, line) in text.split('\n').enumerate() {
            if nth > 0 {
                self.end_line();
            }
            let is_after_blank = self.line.is_empty() || self.line.ends_with(' ');
            let is_folded = nth == 0 && is_after_blank && !line.starts_with("  ");
            self.line.push_str(if is_folded { line.trim_start_matches(' ') } else { line });
        }
    }

    fn blank(&mut self) {
        if !self.line.is_empty() && !self.line.ends_with(' ') {
            self.line.push(' ');
        }
    }

    /// Where an element begins or ends.
    fn border(&mut self, element: &Element) {
        let is_line = matches!(
            element.role.as_str(),
            "heading" | "list" | "listitem" | "table" | "row" | "paragraph"
        );
        if is_line || element.has(flags::BLOCK) {
            self.end_line();
        } else if is_apart(element) {
            self.blank();
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        if !line.trim().is_empty() {
            self.lines.push(line.trim_end().to_owned());
        }
    }
}

/// On one line with its neighbours, but no part of the same words.
fn is_apart(element: &Element) -> bool {
    let role = element.role.as_str();
    let is_cell = matches!(role, "cell" | "gridcell" | "columnheader" | "rowheader");
    is_cell || (element.has(flags::CONTROL) && !matches!(role, "link" | "generic"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_read_where_it_stands() {
        let frame = |path: Option<&[u32]>, nodes: &str| {
            let nodes = serde_json::from_str(nodes).unwrap();
            let path = path.map(<[u32]>::to_vec);
            Frame { document: "d".into(), facts: PageFacts { nodes, path, ..PageFacts::default() } }
        };
        let holder = r#"[-1,"iframe","iframe","",0,0,[0,0,9,9],{"frame":0}]"#;
        let frames = [
            frame(Some(&[]), &format!(r#"[[-1,"Before"],{holder},[-1,"After"]]"#)),
            frame(None, r#"[[-1,"Lost"]]"#),
            frame(Some(&[0, 0]), r#"[[-1,"Innermost"]]"#),
            frame(Some(&[0]), &format!(r#"[[-1,"Inner"],{holder}]"#)),
            frame(Some(&[1]), &format!(r#"[[-1,"Unseen"],{holder}]"#)),
            frame(Some(&[1, 0]), r#"[[-1,"Unseen too"]]"#),
        ];
        assert_eq!(plain(&frames), "Before\nInner\nInnermost\nAfter\nLost");
    }

    #[test]
    fn a_control_in_another_one_is_read_once() {
        let nodes = serde_json::from_str(
            r#"[[-1,"summary","button","More link",1,1],[0,"a","link","link",1,2],
                [-1,"a","link","other",1,3]]"#,
        )
        .unwrap();
        let facts = PageFacts { nodes, ..PageFacts::default() };
        let frame = Frame { document: "d".into(), facts };
        assert_eq!(plain(&[frame]), "More link other");
    }

    #[test]
    fn lines_and_indents_stay() {
        let nodes = serde_json::from_str(
            r#"[[-1,"p","paragraph","",2],[0,"12 Main St\nSpringfield"],
                [-1,"pre","","",2],[2,"if x:\n    return  1\n\n"],[2,"a","link","help",1,1],[2,"\nend"]]"#,
        )
        .unwrap();
        let facts = PageFacts { nodes, ..PageFacts::default() };
        let frame = Frame { document: "d".into(), facts };
        assert_eq!(plain(&[frame]), "12 Main St\nSpringfield\nif x:\n    return  1\nhelp\nend");
    }

    #[test]
    fn a_page_is_read_without_marks_and_without_secrets() {
        let nodes = serde_json::from_str(
            r#"[[-1,"h1","heading","",2],[0,"Tea"],[-1,"p","paragraph","",2],[2,"We sell "],
                [2,"a","link","good tea",1,1],[2,"."],[-1,"input","textbox","Name",1,2,[0,0,0,0],{"value":"Ann"}],
                [-1,"input","textbox","Pin",17,3,[0,0,0,0],{"value":"1234"}],[-1,"img","img","A cup"]]"#,
        )
        .unwrap();
        let facts = PageFacts { nodes, ..PageFacts::default() };
        let frame = Frame { document: "d".into(), facts };
        assert_eq!(plain(&[frame]), "Tea\nWe sell good tea.\nName: Ann Pin");
    }
}
