//! A written page: lines, and what choosing between them needs to know.

use std::ops::Range;

use crate::borders::Border;
use crate::find::apart;
use crate::marks::without_focus;
use crate::tokens::estimate;

/// A page as lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// All of it, in reading order.
    pub lines: Vec<Line>,
    /// Tails of long runs of alike items, which are told by a handle. In order
    /// and apart from each other.
    pub folds: Vec<Fold>,
}

impl Written {
    /// There is one run, and nothing else but the line that it goes with.
    pub fn is_one_run(&self) -> bool {
        matches!(self.folds.as_slice(), [fold] if fold.lines == (1..self.lines.len()))
    }
}

/// The tail of a long run of alike items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// Its lines.
    pub lines: Range<usize>,
    /// How many items that are.
    pub items: usize,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// As a model reads it.
    pub text: String,
    /// Level of the heading it is.
    pub heading: Option<u8>,
    /// Something of it is in the viewport.
    pub is_in_view: bool,
    /// About what it costs.
    pub tokens: usize,
    /// How many bytes stand before its own words: landmarks, bullets, hashes.
    pub lead: usize,
    /// More of what the line before it says: the rest of many options.
    pub is_aside: bool,
    /// It says where a frame begins or ends.
    pub border: Option<Border>,
}

impl Line {
    /// A line of text.
    pub fn new(text: String, heading: Option<u8>, is_in_view: bool) -> Self {
        let tokens = estimate(&text);
        Line { text, heading, is_in_view, tokens, lead: 0, is_aside: false, border: None }
    }

    /// As a model reads it, but for the names that we gave to elements.
    pub fn without_refs(&self) -> String {
        apart(self).0
    }

    /// As a model reads it, but for what it says of the focus.
    pub fn without_focus(&self) -> String {
        without_focus(&self.text)
    }

    /// The words without what stands before them.
    pub(crate) fn words(&self) -> &str {
        self.text.get(self.lead..).unwrap_or(&self.text)
    }
}

/// What lines cost together.
pub fn cost(lines: &[Line]) -> usize {
    lines.iter().map(|line| line.tokens).sum()
}
