//! Writes a page as lines of markdown, every frame where it stands.

use outrigger_protocol::facts::{Element, PageFacts, flags};

use crate::Frame;
use crate::borders::{Border, END_OF_FRAME};
use crate::element::fold;
use crate::folding::Output;
use crate::forging::quoted;
use crate::line::{Line, Written};
use crate::placement::Places;
use crate::refs::RefTable;
use crate::writer::FrameWriter;

/// Frames in frames beyond this are not looked into.
pub(crate) const DEEPEST_FRAME: usize = 32;

/// What is told of a page beside its words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Detail {
    /// Where controls are, as `@x,y,width×height`.
    pub boxes: bool,
    /// Only frames that stand in what is told.
    pub placed_only: bool,
    /// Also frames that a person can't see.
    pub hidden: bool,
}

/// The page as lines, each frame in place of the element that holds it. Gives
/// every control of it a ref.
pub fn render(frames: &[Frame], refs: &mut RefTable, detail: Detail) -> Written {
    let mut scribe = Scribe {
        frames,
        places: Places::of(frames),
        is_written: vec![false; frames.len()],
        refs,
        detail,
        output: Output::default(),
    };
    if !frames.is_empty() {
        scribe.frame(0, true, 0);
    }
    // Frames whose place can't be known come last, each under a line of its own.
    for (index, frame) in frames.iter().enumerate() {
        let is_hidden = scribe.places.is_hidden(&frame.facts);
        let is_left_out = detail.placed_only || (is_hidden && !detail.hidden);
        if !scribe.is_written[index] && !is_left_out {
            scribe.framed(index, Head { name: "", is_hidden }, !is_hidden, 0);
        }
    }
    scribe.output.finish()
}

/// What is said of a frame before what is in it.
#[derive(Clone, Copy)]
struct Head<'n> {
    name: &'n str,
    is_hidden: bool,
}

/// Writes frames into one output.
pub(crate) struct Scribe<'a> {
    pub(crate) frames: &'a [Frame],
    places: Places<'a>,
    is_written: Vec<bool>,
    pub(crate) refs: &'a mut RefTable,
    pub(crate) detail: Detail,
    pub(crate) output: Output,
}

impl Scribe<'_> {
    fn frame(&mut self, index: usize, is_in_view: bool, depth: usize) {
        self.is_written[index] = true;
        FrameWriter::new(self, index, is_in_view, depth).write();
    }

    /// The frame that an element of another frame holds.
    pub(crate) fn inner_frame(
        &mut self,
        outer: usize,
        holder: &Element,
        is_in_view: bool,
        depth: usize,
    ) {
        let Some(index) = holder.state.frame else { return };
        let inner = self.places.inner(&self.frames[outer].facts, index);
        if let Some(inner) = inner.filter(|inner| !self.is_written[*inner])
            && depth < DEEPEST_FRAME
        {
            let head = Head { name: &fold(&holder.name), is_hidden: holder.has(flags::HIDDEN) };
            self.framed(inner, head, is_in_view, depth + 1);
        }
    }

    /// A frame between two lines that say so, unless there is nothing in it.
    fn framed(&mut self, index: usize, head: Head<'_>, is_in_view: bool, depth: usize) {
        let Head { name, is_hidden } = head;
        let site = site(&self.frames[index].facts);
        let name = if name.is_empty() { String::new() } else { format!(" {}", quoted(name)) };
        let hidden = if is_hidden { "(hidden) " } else { "" };
        let border = |text: String, border: Border| Line {
            border: Some(border),
            ..Line::new(text, None, is_in_view)
        };
        let head = border(format!("{hidden}frame{name} {site}:"), Border::Opens);
        let start = self.output.len();
        self.output.push(head, 0);
        self.frame(index, is_in_view, depth);
        if self.output.len() == start + 1 {
            self.output.pop();
        } else {
            self.output.push(border(END_OF_FRAME.to_owned(), Border::Closes), 0);
        }
    }
}

/// Whose a frame is; one that the page around it wrote has no site, but an address that
/// says so.
fn site(facts: &PageFacts) -> &str {
    let address = facts.url.split(['?', '#']).next().unwrap_or_default();
    let is_written = facts.origin == "null" && address.starts_with("about:");
    if is_written { address } else { &facts.origin }
}
