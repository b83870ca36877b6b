//! Page facts in, text for a model out: the page as a person would read it,
//! with a handle on whatever can be used. Pure functions, no I/O.
//!
//! [`refs`] gives elements the names an agent uses, [`render`] writes the page
//! as lines, [`budget`] chooses between them and leaves handles on the rest
//! ([`sections`]), [`find`] searches them, [`diff`] compares two looks.

pub mod budget;
pub mod diff;
mod element;
pub mod find;
pub mod line;
pub mod refs;
pub mod render;
pub mod sections;
pub mod tokens;

use outrigger_protocol::facts::PageFacts;

pub use budget::fit;
pub use diff::diff;
pub use find::find;
pub use line::Line;
pub use refs::{ElementKey, Ref, RefTable};
pub use render::render;
pub use sections::{SectionName, SectionTable};

/// One frame of a page, as the page script reported it.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The browser's id of its document.
    pub document: String,
    /// What is in it.
    pub facts: PageFacts,
}
