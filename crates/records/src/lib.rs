//! Living records: what a model is shown of one ([`view`]), what its context must look
//! like ([`schemas`]), what kind of page it is about ([`classify`]) and what is worth
//! saying about that unasked ([`hints`]).
//!
//! These are pure functions: nothing in them reads a clock, a file or a socket.

pub mod classify;
pub mod hints;
pub mod schemas;
pub mod view;
