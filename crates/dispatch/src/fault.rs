//! Why a call failed, in words for a model: what happened and what to try.

use outrigger_guard::{AddressRefusal, Denial};
use outrigger_protocol::ErrorCode;

use crate::helm::Hold;

/// A call that did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Not in the catalogue.
    #[error("There is no tool {name:?}.{hint}")]
    UnknownTool {
        /// What was asked for.
        name: String,
        /// The nearest names, as a sentence with a leading blank, or nothing.
        hint: String,
    },
    /// The arguments don't fit.
    #[error("{problem}. {tool} takes: {expected}.")]
    InvalidArguments {
        /// The tool.
        tool: String,
        /// Which argument, and what is wrong with it.
        problem: String,
        /// All it takes.
        expected: String,
    },
    /// The arguments are too large.
    #[error(
        "The arguments are {} MB, and a call carries {} MB at most; nothing was done. Give files by \
         path, and long texts in parts.",
        megabytes(*.bytes), megabytes(*.most)
    )]
    TooLarge {
        /// How large.
        bytes: usize,
        /// What is allowed.
        most: usize,
    },
    /// The caller's credential is for reading.
    #[error(
        "This client's token is for reading, and {tool} does more; nothing was done. Use a tool \
         that only reads, or have the user make a token with `outrigger token new --scope act`."
    )]
    OutOfScope {
        /// The tool.
        tool: String,
    },
    /// The guard said no.
    #[error("{0}.")]
    Denied(#[from] Denial),
    /// The address may not be opened.
    #[error("{0}.")]
    Address(#[from] AddressRefusal),
    /// The deadline passed.
    #[error("{tool} was given up after {after_ms} ms. {}", after_timeout(*.acting))]
    Timeout {
        /// The tool.
        tool: String,
        /// How long it had.
        after_ms: u64,
        /// Whether it could have changed something by then.
        acting: bool,
    },
    /// The user paused the session.
    #[error(
        "The user paused this session, and nothing was done. Call again to go on waiting; it goes \
         on when the user resumes it in Outrigger's panel, or with `outrigger sessions resume` \
         where it was paused so."
    )]
    Paused,
    /// The user stopped the session.
    #[error("The user stopped this session. {} Do nothing more in the browser until the user lets \
             you go on in Outrigger's panel.", after_stop(*.underway))]
    Stopped {
        /// Whether the call was under way and could have changed something.
        underway: bool,
    },
    /// The tool's own reason.
    #[error("{message}")]
    Tool {
        /// Stable code.
        code: ErrorCode,
        /// What happened and what to try.
        message: String,
        /// What the page says about it; shown inside the fence.
        page: Option<PageWords>,
    },
}

impl From<Hold> for Fault {
    fn from(hold: Hold) -> Self {
        match hold {
            Hold::Paused => Fault::Paused,
            Hold::Stopped => Fault::Stopped { underway: false },
        }
    }
}

/// Rounded up, so that what is too large never reads like what is allowed.
fn megabytes(bytes: usize) -> usize {
    bytes.div_ceil(1024 * 1024)
}

fn after_timeout(acting: bool) -> &'static str {
    if acting {
        "It may have happened or not: look at the page before doing it again."
    } else {
        "Nothing was changed; call again with a larger timeoutMs."
    }
}

fn after_stop(underway: bool) -> &'static str {
    if underway {
        "The call was under way: it may have happened or not."
    } else {
        "Nothing was done."
    }
}

/// Words of a page, which are never shown outside the fence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageWords {
    /// Host of the page.
    pub domain: String,
    /// The words.
    pub text: String,
}

impl Fault {
    /// A fault of a tool, without words of the page.
    pub fn tool(code: ErrorCode, message: impl Into<String>) -> Self {
        Fault::Tool { code, message: message.into(), page: None }
    }

    /// The stable code.
    pub fn code(&self) -> ErrorCode {
        match self {
            Fault::UnknownTool { .. } => ErrorCode::UnknownTool,
            Fault::InvalidArguments { .. } => ErrorCode::InvalidArguments,
            Fault::TooLarge { .. } => ErrorCode::TooLarge,
            Fault::OutOfScope { .. } => ErrorCode::OutOfScope,
            Fault::Denied(_) => ErrorCode::NotAllowed,
            Fault::Address(_) => ErrorCode::ForbiddenUrl,
            Fault::Timeout { .. } => ErrorCode::Timeout,
            Fault::Paused => ErrorCode::Paused,
            Fault::Stopped { .. } => ErrorCode::Stopped,
            Fault::Tool { code, .. } => *code,
        }
    }
}
