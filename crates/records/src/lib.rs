//! Living records: what a model is shown of one ([`view`]), what its context must look
//! like ([`schemas`]), and what kind of page it is about ([`classify`]).
//!
//! These are pure functions: nothing in them reads a clock, a file or a socket.

pub mod classify;
pub mod schemas;
pub mod view;
