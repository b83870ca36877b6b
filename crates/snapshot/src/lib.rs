//! Page facts in, text for a model out: the page as a person would read it,
//! with a handle on whatever can be used. Pure functions, no I/O.
//!
//! [`refs`] gives elements the names an agent uses, [`render`] writes the page,
//! [`find`] searches it.

mod element;
pub mod find;
pub mod refs;
pub mod render;

use outrigger_protocol::facts::PageFacts;

pub use find::find;
pub use refs::{ElementKey, Ref, RefTable};
pub use render::render;

/// One frame of a page, as the page script reported it.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The browser's id of its document.
    pub document: String,
    /// What is in it.
    pub facts: PageFacts,
}
