//! Living records: what a model is shown of one is a [`view`].
//!
//! That is a pure function: nothing in it reads a clock, a file or a socket.

pub mod view;
