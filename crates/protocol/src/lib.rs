//! Wire types: what the hub and the extension say to each other ([`link`]; what the
//! native-messaging host adds to that is in [`native`]),
//! what each capability of our own extension takes and gives
//! ([`capabilities`], [`pages`]), what the page script reports of a page ([`facts`]), what
//! an agent process and the hub say to each other ([`agent`]), what the user is
//! told and orders ([`helm`]) and looks at ([`context`]), what is told of living
//! records ([`records`]), and the stable error codes all of them share ([`codes`]).
//!
//! No I/O and no decisions. The extension's TypeScript types are generated from
//! here (`make types`); a test fails when they are out of date.

pub mod agent;
pub mod capabilities;
pub mod codes;
pub mod context;
pub mod diagnostics;
pub mod facts;
pub mod filling;
pub mod helm;
pub mod inspection;
pub mod link;
pub mod native;
pub mod page_state;
pub mod pages;
pub mod records;
#[cfg(feature = "typescript")]
pub mod typescript;

pub use codes::ErrorCode;
