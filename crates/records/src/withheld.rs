//! What is to be typed, apart from the action that says so: in memory alone, and no
//! longer than until it is typed. No record holds it, so that no disk and no reader does.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use outrigger_protocol::records::{Context, RecordId};
use outrigger_store::records::RecordError;
use serde_json::Value;

/// The most bytes of all texts together.
const ROOM: usize = 8 << 20;

/// All texts that wait to be typed.
#[derive(Default)]
pub(crate) struct Withheld(Mutex<HashMap<RecordId, String>>);

impl Withheld {
    /// Takes the text out of an action's context.
    pub(crate) fn keep(&self, id: &RecordId, context: &mut Context) -> Result<(), RecordError> {
        let Some(Value::String(text)) = context.get_mut("text") else { return Ok(()) };
        let mut texts = self.lock();
        let held: usize = texts.values().map(String::len).sum();
        if held + text.len() > ROOM {
            return Err(RecordError::MemoryFull { limit: ROOM });
        }
        texts.insert(id.clone(), std::mem::take(text));
        Ok(())
    }

    /// Gives it out, once.
    pub(crate) fn take(&self, id: &RecordId) -> Option<String> {
        self.lock().remove(id)
    }

    pub(crate) fn has(&self, id: &RecordId) -> bool {
        self.lock().contains_key(id)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RecordId, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
