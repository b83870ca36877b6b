//! Owns the ways a measurement can fail. Each one names what to do about it, because the message ends up in
//! the table's footnotes.

use std::{io, time::Duration};

/// Why a server, or one measurement of it, has no value in the table.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The program isn't there yet.
    #[error("not built: run {fix}")]
    NotBuilt {
        /// The command that makes it.
        fix: &'static str,
    },
    /// npm installs older packages without a word when the Node it runs on is too old for the current ones.
    #[error(
        "{package} {installed} is installed, the comparison is with {wanted}: run npm ci in bench/"
    )]
    WrongVersion {
        /// The npm package.
        package: &'static str,
        /// What `node_modules` holds.
        installed: String,
        /// What the comparison is about.
        wanted: &'static str,
    },
    /// No Chromium was found.
    #[error("no chromium on PATH: install it or set OUTRIGGER_BROWSER")]
    NoBrowser,
    /// The server said nothing for too long.
    #[error("{what}: no answer in {} s", .after.as_secs())]
    Deadline {
        /// The request.
        what: String,
        /// The deadline.
        after: Duration,
    },
    /// The server closed its output.
    #[error("{what}: the server ended; its last words: {stderr}")]
    Ended {
        /// The request that was open.
        what: String,
        /// The last line that it wrote to standard error.
        stderr: String,
    },
    /// A JSON-RPC error, or a tool result marked as an error.
    #[error("{what}: {message}")]
    Refused {
        /// The request.
        what: String,
        /// The server's reason.
        message: String,
    },
    /// The button of the static page wasn't in the snapshot, or its ref couldn't be read.
    #[error("no ref for the button {0:?} in the snapshot")]
    NoRef(&'static str),
    /// The server said it had clicked and the page saw something else.
    #[error("{wanted} clicks were reported as done, the page doesn't show as many")]
    ClicksNotSeen {
        /// How many clicks were sent.
        wanted: usize,
    },
    /// The server said it had filled the form and the page holds something else.
    #[error("the form was reported as filled, its page doesn't show it")]
    NotFilled,
    /// The page that reports how long it was blocked said nothing.
    #[error("the generated page doesn't report its heartbeat")]
    NoHeartbeat,
    /// The operating system refused something.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// Its reason.
        source: io::Error,
    },
    /// A file or an answer wasn't the JSON that it should be.
    #[error("{what}: {source}")]
    Json {
        /// What was read.
        what: &'static str,
        /// The parser's reason.
        source: serde_json::Error,
    },
}

impl Failure {
    /// For `map_err` on operations of the operating system.
    pub(crate) fn io(what: &'static str) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io { what, source }
    }

    /// For `map_err` on JSON.
    pub(crate) fn json(what: &'static str) -> impl Fn(serde_json::Error) -> Self {
        move |source| Self::Json { what, source }
    }
}
