//! Why there is no view, in words for whoever wrote the hints.

use std::fmt::{self, Display};

/// What the sandbox has; a test asks it.
pub(super) const FILTERS: &str = "length, join, upper, lower, truncate, default, first and last";

/// What is wrong with a record's hints, or with what they make of its context.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// Not the shape of hints.
    #[error("{path} is wrong: {problem}. See `llm_hints` in the schema browser.page.context.v1")]
    BadHints {
        /// Where in the context.
        path: String,
        /// What about it.
        problem: String,
    },
    /// A transform of a kind that nobody knows.
    #[error(
        "llm_hints.transform.{key} has the unknown type {kind:?}. Use template, extract or literal"
    )]
    UnknownType {
        /// Which entry.
        key: String,
        /// What it says.
        kind: String,
    },
    /// A mode that nobody knows.
    #[error("llm_hints.mode is {mode:?}. Use merge or replace")]
    UnknownMode {
        /// What it says.
        mode: String,
    },
    /// More entries than a view may have.
    #[error("llm_hints.{list} has {count} entries. Use at most {limit}")]
    TooManyEntries {
        /// `transform` or `exclude`.
        list: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// One entry can't be carried out.
    #[error("llm_hints.transform.{key}: {fault}")]
    Entry {
        /// Which entry.
        key: String,
        /// Why not.
        fault: Fault,
    },
    /// All of it together is too much.
    #[error("the view has more than {limit} bytes. Exclude what a model doesn't need")]
    ViewTooLarge {
        /// How many there may be.
        limit: usize,
    },
    /// Nested too deep to be looked at safely.
    #[error("the context is nested deeper than {limit} levels. Make it flatter")]
    TooDeep {
        /// How many there may be.
        limit: usize,
    },
}

/// What is wrong with one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Longer than a template or a path may be.
    SourceTooLong {
        /// How many bytes it may have.
        limit: usize,
    },
    /// It uses what views don't offer.
    NotOffered {
        /// As it is written there.
        what: String,
    },
    /// It is no template.
    BadTemplate {
        /// What about it.
        problem: String,
    },
    /// It fails on this context.
    Failed {
        /// Why.
        problem: String,
    },
    /// It goes on for too long.
    TooManySteps {
        /// How many it may take.
        limit: u64,
    },
    /// Literals with more texts to fill in than they may have.
    TooManyExpressions {
        /// How many they may have.
        limit: usize,
    },
    /// It yields too much.
    TooLarge {
        /// How many bytes it may yield.
        limit: usize,
    },
    /// It is no JSONPath.
    BadPath {
        /// What about it.
        problem: String,
    },
    /// On this context it could take too long.
    PathTooCostly {
        /// How many steps it may take.
        limit: u64,
    },
}

impl Fault {
    /// The error of the entry with this key.
    pub(super) fn of(self, key: &str) -> ViewError {
        ViewError::Entry { key: key.chars().take(60).collect(), fault: self }
    }

    fn code(&self) -> &'static str {
        match self {
            Fault::SourceTooLong { .. } => "view_source_too_long",
            Fault::NotOffered { .. } => "view_not_offered",
            Fault::BadTemplate { .. } => "view_bad_template",
            Fault::Failed { .. } => "view_template_failed",
            Fault::TooManySteps { .. } => "view_too_many_steps",
            Fault::TooManyExpressions { .. } => "view_too_many_expressions",
            Fault::TooLarge { .. } => "view_entry_too_large",
            Fault::BadPath { .. } => "view_bad_path",
            Fault::PathTooCostly { .. } => "view_path_too_costly",
        }
    }
}

impl Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::SourceTooLong { limit } => {
                write!(out, "it is longer than {limit} bytes. Write a shorter one")
            }
            Fault::NotOffered { what } => write!(
                out,
                "{what} is not offered in views. Use values, `for`, `if`, `.length`, comparisons \
                 with a number or a text, and the filters {FILTERS}"
            ),
            Fault::BadTemplate { problem } => {
                write!(out, "it is no template: {problem}. Correct it")
            }
            Fault::Failed { problem } => {
                write!(out, "it fails on this context: {problem}. Correct it")
            }
            Fault::TooManySteps { limit } => {
                write!(out, "it takes more than {limit} steps. Loop over less")
            }
            Fault::TooManyExpressions { limit } => {
                write!(out, "literals have expressions in more than {limit} texts. Use fewer")
            }
            Fault::TooLarge { limit } => {
                write!(out, "it yields more than {limit} bytes. Take less")
            }
            Fault::BadPath { problem } => {
                write!(out, "it is no JSONPath: {problem}. Write one such as $.content.mainText")
            }
            Fault::PathTooCostly { limit } => write!(
                out,
                "on this context all paths together could take more than {limit} steps. Name the \
                 way, with fewer `..` and filters"
            ),
        }
    }
}

impl ViewError {
    /// A word for programs, which stays the same.
    pub fn code(&self) -> &'static str {
        match self {
            ViewError::BadHints { .. } => "view_bad_hints",
            ViewError::UnknownType { .. } => "view_unknown_type",
            ViewError::UnknownMode { .. } => "view_unknown_mode",
            ViewError::TooManyEntries { .. } => "view_too_many_entries",
            ViewError::Entry { fault, .. } => fault.code(),
            ViewError::ViewTooLarge { .. } => "view_too_large",
            ViewError::TooDeep { .. } => "view_too_deep",
        }
    }
}
