//! A line of a written page, with what choosing between lines needs to know.

use crate::tokens::estimate;

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
}

impl Line {
    /// A line of text.
    pub fn new(text: String, heading: Option<u8>, is_in_view: bool) -> Self {
        let tokens = estimate(&text);
        Line { text, heading, is_in_view, tokens }
    }
}

/// What lines cost together.
pub fn cost(lines: &[Line]) -> usize {
    lines.iter().map(|line| line.tokens).sum()
}
