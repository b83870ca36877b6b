//! The guard: which address may be opened ([`address`]), what the user decided
//! beforehand ([`policy`], in terms of [`pattern`]) and who may change that
//! ([`change`]), what an agent asks for at once ([`plan`]), what can't be taken back
//! ([`consequence`]), which site passes for another ([`trust`]), whether a call may
//! run ([`decision`]) and what a credential is good for ([`scope`]), and how page content is handed to a model ([`screening`],
//! then [`fence`]; of traffic what [`headers`] leaves).
//!
//! Pure functions: nothing here reads a clock, a file or a socket. Asking the
//! user is not the guard's work; it says that nobody allowed the call, and why.

pub mod address;
pub mod change;
pub mod consequence;
pub mod decision;
pub mod fence;
pub mod headers;
pub mod origin;
#[cfg(test)]
mod pace;
pub mod pattern;
pub mod place;
pub mod plan;
pub mod policy;
pub mod scope;
pub mod screening;
pub mod trust;

pub use address::{Address, AddressRefusal, Reach};
pub use decision::{
    Access, Answer, AnswerTerm, Denial, Grant, Guard, PermissionKey, Profile, Question, Reason,
    Verdict, Why,
};
pub use origin::Origin;
pub use scope::Scope;
