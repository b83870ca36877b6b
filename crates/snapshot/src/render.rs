//! Writes a page as lines of markdown, every frame where it stands.

use std::collections::HashMap;

use outrigger_protocol::facts::Element;

use crate::Frame;
use crate::element::{fold, quoted};
use crate::folding::Output;
use crate::line::{Line, Written};
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
}

/// The page as lines, each frame in place of the element that holds it. Gives
/// every control of it a ref.
pub fn render(frames: &[Frame], refs: &mut RefTable, detail: Detail) -> Written {
    let mut scribe = Scribe {
        frames,
        placed: places(frames),
        is_written: vec![false; frames.len()],
        refs,
        detail,
        output: Output::default(),
    };
    if !frames.is_empty() {
        scribe.frame(0, true, 0);
    }
    // Frames whose place can't be known come last, each under a line of its own.
    for index in 0..frames.len() {
        if !scribe.is_written[index] && !detail.placed_only {
            scribe.framed(index, "", true, 0);
        }
    }
    scribe.output.finish()
}

/// Where each frame is, by its path from the main one.
pub(crate) fn places(frames: &[Frame]) -> HashMap<&[u32], usize> {
    let placed = frames.iter().enumerate().skip(1);
    placed.filter_map(|(index, frame)| Some((frame.facts.path.as_deref()?, index))).collect()
}

/// Writes frames into one output.
pub(crate) struct Scribe<'a> {
    pub(crate) frames: &'a [Frame],
    placed: HashMap<&'a [u32], usize>,
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
        let (Some(path), Some(at)) = (&self.frames[outer].facts.path, holder.state.frame) else {
            return;
        };
        let mut path = path.clone();
        path.push(at);
        let inner = self.placed.get(path.as_slice()).copied();
        if let Some(inner) = inner.filter(|inner| !self.is_written[*inner])
            && depth < DEEPEST_FRAME
        {
            self.framed(inner, &fold(&holder.name), is_in_view, depth + 1);
        }
    }

    /// A frame between two lines that say so, unless there is nothing in it.
    fn framed(&mut self, index: usize, name: &str, is_in_view: bool, depth: usize) {
        let site = &self.frames[index].facts.origin;
        let name = if name.is_empty() { String::new() } else { format!(" {}", quoted(name)) };
        let head = Line::new(format!("frame{name} {site}:"), None, is_in_view);
        let start = self.output.len();
        self.output.push(head, 0);
        self.frame(index, is_in_view, depth);
        if self.output.len() == start + 1 {
            self.output.pop();
        } else {
            self.output.push(Line::new("(end of frame)".to_owned(), None, is_in_view), 0);
        }
    }
}
