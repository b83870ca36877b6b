//! The guard: which address may be opened ([`address`]), what the user decided
//! beforehand ([`policy`], in terms of [`pattern`]) and who may change that
//! ([`change`]), what an agent asks for at once ([`plan`]), what can't be taken back
//! ([`consequence`], and of a page's own tools [`page_tool`]), which site passes for
//! another ([`trust`]), whether a call may run ([`decision`], by the names of [`key`];
//! if not, [`denial`] says why) and what a credential is good for ([`scope`]), and how
//! page content is handed to a model ([`screening`], then [`fence`]; of traffic what
//! [`headers`] leaves).
//!
//! Pure functions: nothing here reads a clock, a file or a socket. Asking the user is
//! not the guard's work: it says what is to be asked, and what an answer allows.

pub mod address;
pub mod change;
pub mod consequence;
pub mod decision;
pub mod denial;
pub mod fence;
pub mod headers;
pub mod key;
pub mod origin;
#[cfg(test)]
mod pace;
pub mod page_tool;
pub mod pattern;
pub mod place;
pub mod plan;
pub mod policy;
pub mod scope;
pub mod screening;
pub mod trust;

pub use address::{Address, AddressRefusal, Reach};
pub use decision::{
    Access, Answer, AnswerTerm, Grant, Guard, Profile, Question, Reason, Verdict, Why,
};
pub use denial::Denial;
pub use key::PermissionKey;
pub use origin::Origin;
pub use scope::Scope;
