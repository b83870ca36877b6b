//! Writes a page as lines of markdown. One pass over the facts in document
//! order with a stack of open ancestors, so neither depth nor size of a page
//! can do more than take linear time.

use outrigger_protocol::facts::{Element, Node, flags};

use crate::Frame;
use crate::element::{control, link};
use crate::line::Line;
use crate::refs::RefTable;

/// The page as lines, the main frame first, each other frame under a line of
/// its own. Gives every control of it a ref.
pub fn render(frames: &[Frame], refs: &mut RefTable) -> Vec<Line> {
    let mut lines = Vec::new();
    for (index, frame) in frames.iter().enumerate() {
        let written = FrameWriter::new(frame, refs).write();
        if index > 0 && !written.is_empty() {
            let is_in_view = written.iter().any(|line| line.is_in_view);
            lines.push(Line::new(format!("frame {}:", frame.facts.url), None, is_in_view));
        }
        lines.extend(written);
    }
    lines
}

struct FrameWriter<'a> {
    frame: &'a Frame,
    refs: &'a mut RefTable,
    lines: Vec<Line>,
    line: String,
    /// Something on the line so far is in the viewport.
    is_in_view: bool,
    /// Level of the heading that the next line is.
    heading: Option<u8>,
    /// What the next line starts with, once something is on it.
    marker: String,
    list_depth: usize,
    /// Inside a table row, cells are joined on one line.
    row_depth: usize,
    /// Option children of lists, by the index of the list.
    options: Vec<Vec<&'a Element>>,
}

impl<'a> FrameWriter<'a> {
    fn new(frame: &'a Frame, refs: &'a mut RefTable) -> Self {
        let nodes = &frame.facts.nodes;
        let mut options = vec![Vec::new(); nodes.len()];
        for node in nodes {
            if let Node::Element(element) = node
                && element.role == "option"
                && let Ok(parent) = usize::try_from(element.parent)
                && parent < nodes.len()
                && matches!(&nodes[parent], Node::Element(list) if list.tag == "select")
            {
                options[parent].push(element);
            }
        }
        FrameWriter {
            frame,
            refs,
            lines: Vec::new(),
            line: String::new(),
            is_in_view: false,
            heading: None,
            marker: String::new(),
            list_depth: 0,
            row_depth: 0,
            options,
        }
    }

    fn write(mut self) -> Vec<Line> {
        let frame = self.frame;
        let mut open: Vec<(i32, &Element)> = Vec::new();
        for (index, node) in frame.facts.nodes.iter().enumerate() {
            while open.last().is_some_and(|(at, _)| *at != node.parent()) {
                if let Some((_, element)) = open.pop() {
                    self.leave(element);
                }
            }
            match node {
                Node::Text { text, .. } => {
                    self.text(text);
                    let holder = open.last();
                    self.is_in_view |=
                        holder.is_some_and(|(_, holder)| holder.has(flags::IN_VIEWPORT));
                }
                Node::Element(element) => {
                    self.enter(index, element);
                    open.push((i32::try_from(index).unwrap_or(i32::MAX), element));
                }
            }
        }
        while let Some((_, element)) = open.pop() {
            self.leave(element);
        }
        self.end_line();
        self.lines
    }

    fn enter(&mut self, index: usize, element: &Element) {
        if self.starts_line(element) {
            self.end_line();
        }
        match element.role.as_str() {
            "heading" if self.row_depth == 0 => {
                let level = element.state.level.unwrap_or(2).clamp(1, 6);
                self.heading = Some(level);
                self.marker = format!("{} ", "#".repeat(level.into()));
            }
            "list" => self.list_depth += 1,
            // In a row everything is on one line, which has no room for a bullet.
            "listitem" if self.row_depth == 0 => {
                self.marker =
                    format!("{}- ", "  ".repeat(self.list_depth.saturating_sub(1).min(8)));
            }
            "row" => self.row_depth += 1,
            "cell" | "gridcell" | "columnheader" | "rowheader" if self.row_depth > 0 => {
                self.word("|");
            }
            "img" if !element.has(flags::CONTROL) && !element.name.is_empty() => {
                self.word(&format!("![{}]", crate::element::fold(&element.name)));
                self.is_in_view |= element.has(flags::IN_VIEWPORT);
            }
            "option" if !element.has(flags::CONTROL) => {}
            _ => {}
        }
        if element.has(flags::CONTROL) && element.id != 0 {
            let name = self.refs.name(&self.frame.document, element.id);
            let written = if element.role == "link" {
                link(element, name)
            } else {
                if is_field(element) && self.row_depth == 0 && self.line.ends_with('>') {
                    // A field after another control is a field of its own, with its own line.
                    self.end_line();
                }
                control(element, name, &self.options[index])
            };
            self.word(&written);
            self.is_in_view |= element.has(flags::IN_VIEWPORT);
        }
    }

    fn leave(&mut self, element: &Element) {
        match element.role.as_str() {
            "list" => self.list_depth = self.list_depth.saturating_sub(1),
            "row" => {
                self.row_depth = self.row_depth.saturating_sub(1);
                if self.line.starts_with('|') {
                    self.word("|");
                }
            }
            _ => {}
        }
        if self.starts_line(element) {
            self.end_line();
        }
    }

    /// Inside a row, blocks don't break the line.
    fn starts_line(&self, element: &Element) -> bool {
        match element.role.as_str() {
            "row" => self.row_depth <= 1,
            _ if self.row_depth > 0 => false,
            "heading" | "list" | "listitem" | "table" | "paragraph" => true,
            _ => element.has(flags::BLOCK),
        }
    }

    fn text(&mut self, text: &str) {
        let blank_before = text.starts_with(char::is_whitespace);
        let blank_after = text.ends_with(char::is_whitespace);
        let folded = crate::element::fold(text);
        if blank_before || folded.is_empty() {
            self.blank();
        }
        self.line.push_str(&folded);
        if blank_after && !folded.is_empty() {
            self.blank();
        }
    }

    fn word(&mut self, word: &str) {
        if self.line.ends_with(['>', ')', ']', '|'])
            || word.starts_with('|')
            || word.starts_with('<')
        {
            self.blank();
        }
        if self.line.ends_with('|') {
            self.blank();
        }
        self.line.push_str(word);
        if word == "|" {
            self.blank();
        }
    }

    fn blank(&mut self) {
        if !self.line.is_empty() && !self.line.ends_with(' ') {
            self.line.push(' ');
        }
    }

    fn end_line(&mut self) {
        let content = std::mem::take(&mut self.line);
        let content = content.trim();
        if content.is_empty() {
            return;
        }
        let marker = std::mem::take(&mut self.marker);
        let (heading, is_in_view) = (self.heading.take(), std::mem::take(&mut self.is_in_view));
        self.lines.push(Line::new(format!("{marker}{content}"), heading, is_in_view));
    }
}

fn is_field(element: &Element) -> bool {
    const FIELDS: [&str; 6] =
        ["textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox"];
    FIELDS.contains(&element.role.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use outrigger_protocol::facts::PageFacts;

    fn page(nodes: &str) -> Frame {
        let nodes = serde_json::from_str(nodes).unwrap();
        Frame { document: "d".into(), facts: PageFacts { nodes, ..PageFacts::default() } }
    }

    fn texts(lines: &[Line]) -> Vec<&str> {
        lines.iter().map(|line| line.text.as_str()).collect()
    }

    fn text(nodes: &str) -> String {
        texts(&render(&[page(nodes)], &mut RefTable::above(0))).join("\n")
    }

    #[test]
    fn a_sentence_keeps_its_links_inline() {
        let nodes = r#"[[-1,"h1","heading","",2,0,[0,0,0,0],{"level":1}],[0,"Mozilla"],
            [-1,"p","paragraph","",2],[2,"From "],[2,"a","link","Wikipedia",5,3],[2,", the free"]]"#;
        assert_eq!(text(nodes), "# Mozilla\nFrom [Wikipedia](e1), the free");
    }

    #[test]
    fn a_field_shows_value_and_states_and_a_secret_shows_neither() {
        let nodes = r#"[[-1,"input","textbox","Search",1,1,[0,0,0,0],{"value":"fi\"re","focused":true}],
            [-1,"input","textbox","Password",17,2,[0,0,0,0],{"required":true}]]"#;
        assert_eq!(
            text(nodes),
            "<textbox e1 \"Search\" value=\"fi\\\"re\" focused>\n<textbox e2 \"Password\" secret required>"
        );
    }

    #[test]
    fn tables_are_tables_and_lists_are_lists() {
        let nodes = r#"[[-1,"table","table"],[0,"tr","row"],[1,"td","cell"],[2,"Founded"],[1,"td","cell"],[4,"1998"],
            [-1,"ul","list"],[6,"li","listitem"],[7,"a","link","One",1,1],[7,"ul","list"],[9,"li","listitem"],[10,"Two"]]"#;
        assert_eq!(text(nodes), "| Founded | 1998 |\n- [One](e1)\n  - Two");
    }

    #[test]
    fn a_list_in_a_table_cell_stays_in_its_row() {
        let nodes = r#"[[-1,"table","table"],[0,"tr","row"],[1,"td","cell"],[2,"ul","list"],[3,"li","listitem"],[4,"One"],
            [3,"li","listitem"],[6," Two"],[-1,"p","paragraph","",2],[8,"After"]]"#;
        assert_eq!(text(nodes), "| One Two |\nAfter");
    }

    #[test]
    fn a_choice_names_its_options() {
        let nodes = r#"[[-1,"select","combobox","Size",1,1,[0,0,0,0],{"value":"M"}],
            [0,"option","option","S"],[0,"option","option","M",0,0,[0,0,0,0],{"selected":true}]]"#;
        assert_eq!(text(nodes), "<combobox e1 \"Size\" value=\"M\" options=\"S\"|\"M\">");
    }

    #[test]
    fn a_page_nested_a_hundred_thousand_deep_is_written_all_the_same() {
        let mut nodes: Vec<Node> = (0..100_000)
            .map(|i| {
                Node::Element(Element {
                    parent: i - 1,
                    tag: "div".into(),
                    flags: flags::BLOCK,
                    ..Element::default()
                })
            })
            .collect();
        nodes.push(Node::Text { parent: 99_999, text: "deep".into() });
        let frame =
            Frame { document: "d".into(), facts: PageFacts { nodes, ..PageFacts::default() } };
        assert_eq!(texts(&render(&[frame], &mut RefTable::above(0))), ["deep"]);
    }
}
