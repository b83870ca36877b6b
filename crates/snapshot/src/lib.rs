//! Page facts in, text for a model out: the page as a person would read it,
//! with a handle on whatever can be used. Pure functions, no I/O.
//!
//! [`refs`] gives elements the names an agent uses, [`render`] writes the page
//! as lines (one frame: `writer`; one element: `element`; long runs: `folding`;
//! what only we may say: `forging`),
//! [`budget`] chooses between them and leaves handles on the rest
//! ([`sections`]), [`find`] searches them, [`diff`] compares two looks. [`plain`]
//! gives the words alone, [`tree`] the roles, [`placement`] where frames are.

mod borders;
pub mod budget;
mod columns;
pub mod diff;
mod duplicates;
mod element;
pub mod find;
mod folding;
mod forging;
mod landmarks;
pub mod line;
mod long_lines;
mod marks;
pub mod placement;
pub mod plain;
pub mod refs;
pub mod render;
pub mod sections;
pub mod tokens;
pub mod tree;
mod writer;

use outrigger_protocol::facts::PageFacts;

pub use borders::Border;
pub use budget::{fit, open};
pub use diff::diff;
pub use find::{Found, find};
pub use forging::{is_line_end, unforged};
pub use line::{Line, Written};
pub use plain::plain;
pub use refs::{ElementKey, Ref, RefTable};
pub use render::{Detail, render};
pub use sections::{SectionName, SectionTable};
pub use tree::tree;

/// One frame of a page, as the page script reported it.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The browser's id of its document.
    pub document: String,
    /// What is in it.
    pub facts: PageFacts,
}
