//! The user at the helm: whether a session may begin a call, and when it must
//! end one. The road asks before and during every call; whoever keeps the
//! sessions answers.

use std::pin::Pin;

use tokio::time::Instant;

use crate::tool::Caller;

/// A boxed answer.
pub type Word<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Why a session may not begin a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// It was paused, and was not resumed in time.
    Paused,
    /// It was stopped.
    Stopped,
}

/// What the user says about sessions.
pub trait Helm: Send + Sync {
    /// Comes back once the caller's session may begin a call; a paused one
    /// waits until the deadline.
    fn admit<'a>(&'a self, caller: &'a Caller, deadline: Instant) -> Word<'a, Result<(), Hold>>;

    /// Comes back when the caller's session is stopped.
    fn stopped<'a>(&'a self, caller: &'a Caller) -> Word<'a, ()>;
}
