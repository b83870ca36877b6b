//! Linked browsers, their tabs, the agent sessions that work in them, and the
//! browser tools: one file a family in [`tools`].
//!
//! A [`Link`](link::Link) is how to reach an extension; who carries it (a
//! WebSocket, native messaging) is the hub's business. Whatever goes through a
//! link asks for the guard's grant.

pub mod browsers;
pub mod cdp;
pub mod claims;
pub mod desk;
pub mod error;
pub mod filling;
mod frame_order;
pub mod helm;
pub mod keyboard;
pub mod link;
pub mod page;
pub mod permission;
pub mod query;
pub mod reference;
pub mod selector;
pub mod sessions;
mod sighting;
pub mod stakes;
pub mod standing;
mod steps;
pub mod target;
mod told_labels;
pub mod tools;
pub mod turns;
pub mod uploads;
pub mod user_requests;

pub use browsers::{Browsers, LinkedBrowser};
pub use desk::Desk;
pub use error::BrowserError;
pub use link::{Link, LinkError};
pub use sessions::Sessions;
