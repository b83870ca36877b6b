//! Writes one frame. One pass over the facts in document order with a stack of
//! open ancestors, so neither depth nor size of a page can do more than take
//! linear time.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use outrigger_protocol::facts::{Element, Node, flags};

use crate::Frame;
use crate::columns::Columns;
use crate::duplicates::told_elsewhere;
use crate::element::{control, link, more_options, unusable};
use crate::folding::{Asides, TEXT, UNIQUE};
use crate::forging::{is_line_end, unforged_beginning, unforged_line};
use crate::landmarks::prefix;
use crate::line::Line;
use crate::long_lines::{Piece, cut};
use crate::render::Scribe;

/// A list item with no more letters than this may share its line.
const SHORT_ITEM: usize = 48;
/// A text with no more letters than this may be a part of many alike items.
const SHORT_TEXT: usize = 80;

/// Landmarks in landmarks are told up to so many letters.
const MOST_LANDMARKS: usize = 400;

pub(crate) struct FrameWriter<'a, 'b> {
    scribe: &'b mut Scribe<'a>,
    frame: &'a Frame,
    index: usize,
    depth: usize,
    /// The frame itself is in the viewport of the main one.
    is_shown: bool,
    line: String,
    /// Where on the line its parts begin, and how many of them are controls.
    pieces: Vec<Piece>,
    controls: usize,
    /// Roles of the controls on the line, hashed: what makes lines alike.
    roles: DefaultHasher,
    /// What goes with the line, and has no room on it.
    asides: Vec<Asides>,
    /// Level of the heading that the next line is.
    heading: Option<u8>,
    /// What the next line starts with, once something is on it.
    landmarks: String,
    marker: String,
    list_depth: usize,
    /// Of the next item of each open list, where its items are numbered, and
    /// how far it is from each to the next.
    numbers: Vec<Option<(i32, i32)>>,
    /// Inside a table row, cells are joined on one line.
    row_depth: usize,
    columns: Columns,
    /// Option children of lists, by the index of the list.
    options: Vec<Vec<&'a Element>>,
    is_told_elsewhere: Vec<bool>,
}

/// An ancestor of what is being written.
struct Open<'a> {
    index: usize,
    element: &'a Element,
    first_line: usize,
}

impl<'a, 'b> FrameWriter<'a, 'b> {
    pub(crate) fn new(
        scribe: &'b mut Scribe<'a>,
        index: usize,
        is_shown: bool,
        depth: usize,
    ) -> Self {
        let frame = &scribe.frames[index];
        let nodes = &frame.facts.nodes;
        FrameWriter {
            scribe,
            frame,
            index,
            depth,
            is_shown,
            line: String::new(),
            pieces: Vec::new(),
            controls: 0,
            roles: DefaultHasher::new(),
            asides: Vec::new(),
            heading: None,
            landmarks: String::new(),
            marker: String::new(),
            list_depth: 0,
            numbers: Vec::new(),
            row_depth: 0,
            columns: Columns::default(),
            options: options(nodes),
            is_told_elsewhere: told_elsewhere(nodes, &frame.facts.url),
        }
    }

    pub(crate) fn write(mut self) {
        let frame = self.frame;
        let mut open: Vec<Open<'a>> = Vec::new();
        for (index, node) in frame.facts.nodes.iter().enumerate() {
            while open.last().is_some_and(|last| i32::try_from(last.index) != Ok(node.parent())) {
                if let Some(last) = open.pop() {
                    self.leave(&last);
                }
            }
            match node {
                Node::Text { text, .. } => {
                    let is_in_view =
                        open.last().is_some_and(|last| last.element.has(flags::IN_VIEWPORT));
                    self.text(text, is_in_view);
                }
                Node::Element(element) => {
                    self.enter(index, element);
                    let first_line = self.scribe.output.len();
                    open.push(Open { index, element, first_line });
                }
            }
        }
        while let Some(last) = open.pop() {
            self.leave(&last);
        }
        self.end_line();
    }

    fn enter(&mut self, index: usize, element: &'a Element) {
        if self.starts_line(element) {
            self.end_line();
        }
        if !element.has(flags::CONTROL)
            && let Some(prefix) = prefix(&self.frame.facts.nodes, index, element)
        {
            self.landmark(&prefix);
        }
        match element.role.as_str() {
            "heading" if self.row_depth == 0 => {
                let level = element.state.level.unwrap_or(2).clamp(1, 6);
                self.heading = Some(level);
                self.marker = format!("{} ", "#".repeat(level.into()));
            }
            "list" => {
                self.list_depth += 1;
                let step = if element.state.reversed == Some(true) { -1 } else { 1 };
                self.numbers.push(element.state.start.map(|first| (first, step)));
            }
            // In a row everything is on one line, which has no room for a bullet.
            "listitem" if self.row_depth == 0 => {
                let indent = "  ".repeat(self.list_depth.saturating_sub(1).min(8));
                self.marker = match self.number(element) {
                    Some(number) => format!("{indent}{number}. "),
                    None => format!("{indent}- "),
                };
            }
            "table" | "grid" | "treegrid" => self.columns.begin_table(),
            "row" => {
                self.row_depth += 1;
                self.columns.begin_row();
            }
            "cell" | "gridcell" | "columnheader" | "rowheader" if self.row_depth > 0 => {
                // What a cell beside or above takes of the row stands empty.
                for _ in 0..=self.columns.begin_cell(element) {
                    self.word("|", false);
                }
            }
            _ => {}
        }
        if self.is_told_elsewhere[index] {
            return;
        }
        if element.has(flags::CONTROL) && element.id != 0 {
            self.control(index, element);
        } else if let Some(written) = unusable(element) {
            self.word(&written, element.has(flags::IN_VIEWPORT));
        }
    }

    fn leave(&mut self, last: &Open<'_>) {
        let element = last.element;
        match element.role.as_str() {
            "list" => {
                self.list_depth = self.list_depth.saturating_sub(1);
                self.numbers.pop();
            }
            "table" | "grid" | "treegrid" => self.columns.end_table(),
            "row" => {
                self.columns.end_row();
                self.row_depth = self.row_depth.saturating_sub(1);
                if self.line.starts_with('|') {
                    self.word("|", false);
                }
            }
            // An `<object>` may hold a page as well.
            role if role == "iframe" || element.state.frame.is_some() => {
                self.end_line();
                let is_in_view = self.is_shown && element.has(flags::IN_VIEWPORT);
                self.scribe.inner_frame(self.index, element, is_in_view, self.depth);
            }
            _ => {}
        }
        if self.starts_line(element) {
            self.end_line();
        }
        // An empty landmark is none, and its word is not for what follows.
        if last.first_line == self.scribe.output.len() && self.line.is_empty() {
            self.landmarks.clear();
        }
        let is_item = matches!(element.role.as_str(), "listitem" | "article" | "treeitem");
        if is_item || (element.role == "row" && self.row_depth == 0) {
            let lines = last.first_line..self.scribe.output.len();
            self.scribe.output.item(self.index, element.parent, lines);
        }
    }

    /// The number that an item has in its list, if it has one.
    fn number(&mut self, item: &Element) -> Option<i32> {
        let (next, step) = self.numbers.last_mut()?.as_mut()?;
        let number = item.state.start.unwrap_or(*next);
        *next = number.saturating_add(*step);
        Some(number)
    }

    fn control(&mut self, index: usize, element: &Element) {
        let name = self.scribe.refs.name(&self.frame.document, element.id);
        let written = if element.role == "link" {
            self.in_cell(link(element, name, self.scribe.detail).into()).into_owned()
        } else {
            if is_field(element) && self.row_depth == 0 && self.line.ends_with('>') {
                // A field after another control is a field of its own, with its own line.
                self.end_line();
            }
            control(element, name, &self.options[index], self.scribe.detail)
        };
        if self.controls < 4 {
            element.role.hash(&mut self.roles);
        }
        self.controls += 1;
        self.asides.extend(more_options(element, name, &self.options[index]));
        self.word(&written, element.has(flags::IN_VIEWPORT));
        if let Some(piece) = self.pieces.last_mut() {
            piece.is_control = true;
        }
    }

    /// A landmark begins with the line after, or with this one if it is empty.
    fn landmark(&mut self, prefix: &str) {
        if self.row_depth == 0 {
            self.end_line();
            if !self.landmarks.ends_with(prefix) && self.landmarks.len() < MOST_LANDMARKS {
                self.landmarks.push_str(prefix);
            }
        } else {
            self.word(prefix.trim_end(), false);
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

    /// The page folds white space itself, so what there is of it has a meaning.
    fn text(&mut self, text: &str, is_in_view: bool) {
        for (nth, line) in text.split(is_line_end).enumerate() {
            if nth > 0 && self.breaks_in_text() {
                self.end_line();
            } else if nth > 0 {
                self.blank();
            }
            self.line_of_text(line, nth > 0, is_in_view);
        }
    }

    /// A heading and a row are one line, however many the page makes of them.
    fn breaks_in_text(&self) -> bool {
        self.row_depth == 0 && self.heading.is_none()
    }

    fn line_of_text(&mut self, text: &str, is_indented: bool, is_in_view: bool) {
        let words = text.trim();
        let blanks = &text[..text.len() - text.trim_start().len()];
        let keeps_blanks = (is_indented || blanks.len() > 1) && self.breaks_in_text();
        if self.line.is_empty() && keeps_blanks {
            self.line.push_str(blanks);
        } else if !blanks.is_empty() {
            self.blank();
        }
        if words.is_empty() {
            return;
        }
        self.piece(is_in_view);
        let words = self.in_cell(words.into());
        self.line.push_str(&words);
        if text.ends_with(char::is_whitespace) {
            self.blank();
        }
    }

    /// In a row, a bar stands between cells only.
    fn in_cell<'w>(&self, words: Cow<'w, str>) -> Cow<'w, str> {
        let is_ambiguous = self.row_depth > 0 && words.contains('|');
        if is_ambiguous { words.replace('|', "\\|").into() } else { words }
    }

    fn word(&mut self, word: &str, is_in_view: bool) {
        if self.line.ends_with(['>', ')', ']', '|'])
            || word.starts_with('|')
            || word.starts_with('<')
        {
            self.blank();
        }
        self.piece(is_in_view);
        self.line.push_str(word);
        if matches!(word, "|" | "(busy)" | "(hidden)" | "(scrolls)") {
            self.blank();
        }
    }

    fn piece(&mut self, is_in_view: bool) {
        let is_in_view = is_in_view && self.is_shown;
        self.pieces.push(Piece { at: self.line.len(), is_in_view, is_control: false });
    }

    fn blank(&mut self) {
        if !self.line.is_empty() && !self.line.ends_with(' ') {
            self.line.push(' ');
        }
    }

    fn end_line(&mut self) {
        let content = std::mem::take(&mut self.line);
        let mut pieces = std::mem::take(&mut self.pieces);
        let roles = std::mem::replace(&mut self.roles, DefaultHasher::new());
        let asides = std::mem::take(&mut self.asides);
        let controls = std::mem::take(&mut self.controls);
        if content.chars().all(|c| c.is_whitespace() || c == '|') {
            return;
        }
        let landmarks = std::mem::take(&mut self.landmarks);
        let marker = std::mem::take(&mut self.marker);
        let heading = self.heading.take();
        let is_single = controls == 1 && pieces.len() == 1 && content.len() <= SHORT_ITEM;
        let mut lead = format!("{landmarks}{marker}");
        let content = unforged_line(content, &mut pieces);
        for part in cut(&content, &pieces) {
            let text = unforged_beginning(part.text);
            let mut line = Line::new(format!("{lead}{text}"), heading, part.is_in_view);
            line.lead = lead.len();
            let shape = shape(&line, &marker, controls, &roles);
            self.scribe.output.push(line, shape);
            // What follows is the same line, only cut.
            lead.clear();
        }
        if is_single && marker.ends_with("- ") {
            self.scribe.output.note_single(landmarks.len() + marker.len());
        }
        if !asides.is_empty() {
            let items = asides.iter().map(|of_one| of_one.items).sum();
            let lines = asides.into_iter().flat_map(|of_one| of_one.lines).collect();
            self.scribe.output.add_asides(Asides { lines, items });
        }
    }
}

/// What makes a line like another: its indent and the roles of its controls.
/// Long text is like nothing else.
fn shape(line: &Line, marker: &str, controls: usize, roles: &DefaultHasher) -> u64 {
    if controls == 0 {
        let is_short = line.heading.is_none() && line.text.len() <= SHORT_TEXT;
        return if is_short { TEXT } else { UNIQUE };
    }
    let mut hasher = roles.clone();
    marker.trim_matches(|c: char| c.is_ascii_digit()).hash(&mut hasher);
    hasher.finish().max(TEXT + 1)
}

fn options(nodes: &[Node]) -> Vec<Vec<&Element>> {
    let mut options = vec![Vec::new(); nodes.len()];
    for node in nodes {
        if let Node::Element(element) = node
            && element.role == "option"
            && let Ok(parent) = usize::try_from(element.parent)
            && parent < nodes.len()
            && matches!(&nodes[parent], Node::Element(list) if list.tag == "select")
        {
            options[parent].push(element.as_ref());
        }
    }
    options
}

fn is_field(element: &Element) -> bool {
    const FIELDS: [&str; 6] =
        ["textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox"];
    FIELDS.contains(&element.role.as_str())
}
