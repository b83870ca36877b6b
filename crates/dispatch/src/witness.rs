//! Whoever writes down what a session does, so that it can be done again. The road
//! tells of every call that succeeded; what the call acted on, its tool notes on the
//! way, and only while somebody wants to know.

use std::sync::{Arc, Mutex, PoisonError};

use outrigger_protocol::inspection::Described;
use serde_json::{Map, Value};

use crate::tool::Caller;

/// A call that did what was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Deed {
    /// Who called.
    pub caller: Caller,
    /// The tool.
    pub tool: String,
    /// Whether it can change anything.
    pub acts: bool,
    /// Its own arguments.
    pub arguments: Map<String, Value>,
    /// What it acted on, in the order of its arguments; as far as it may be told.
    pub on: Vec<Described>,
}

/// Whoever is told.
pub trait Witness: Send + Sync {
    /// Whether it follows this session. Asked before every call; it must not wait.
    fn follows(&self, session: &str) -> bool;

    /// Takes a call in; it must not wait.
    fn saw(&self, deed: Deed);
}

/// What a call acts on, as long as somebody follows it. A clone is the same.
#[derive(Debug, Clone, Default)]
pub struct Sight(Option<Arc<Mutex<Vec<Described>>>>);

impl Sight {
    /// Of a call that somebody follows.
    pub(crate) fn open() -> Self {
        Sight(Some(Arc::default()))
    }

    /// Whether anybody wants to know what the call acts on, and hasn't been told yet.
    pub fn is_wanted(&self) -> bool {
        let list = self.0.as_ref();
        list.is_some_and(|list| list.lock().unwrap_or_else(PoisonError::into_inner).is_empty())
    }

    /// Tells all that the call acts on.
    pub fn tell(&self, on: Vec<Described>) {
        if let Some(list) = &self.0 {
            *list.lock().unwrap_or_else(PoisonError::into_inner) = on;
        }
    }

    pub(crate) fn taken(&self) -> Vec<Described> {
        let list = self.0.as_ref();
        let take = |list: &Arc<Mutex<Vec<_>>>| {
            std::mem::take(&mut *list.lock().unwrap_or_else(PoisonError::into_inner))
        };
        list.map(take).unwrap_or_default()
    }
}
