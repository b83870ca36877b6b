//! Living records: what a model is shown of one ([`view`]), and what its context must
//! look like ([`schemas`]).
//!
//! These are pure functions: nothing in them reads a clock, a file or a socket.

pub mod schemas;
pub mod view;
