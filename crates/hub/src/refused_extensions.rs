//! Extensions of other origins that wanted in: the user shall see them, to let one
//! in that is meant to be there, or to find one that isn't.

use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::memory::now_ms;

/// More are of no use to anybody; the one that came longest ago goes.
const MOST: usize = 16;

/// Longer is no origin of an extension.
const LONGEST: usize = 100;

/// Which extensions were refused since the hub started.
#[derive(Default)]
pub(crate) struct RefusedExtensions(Mutex<Vec<Refused>>);

struct Refused {
    origin: String,
    times: u64,
    last_at: i64,
}

impl RefusedExtensions {
    /// Notes that an origin was refused, if it is an extension's.
    pub(crate) fn note(&self, origin: &str) {
        let id = origin.split_once("-extension://").map(|(_, id)| id).unwrap_or_default();
        let is_plain = !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !is_plain || origin.len() > LONGEST {
            return;
        }
        let mut refused = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let times = match refused.iter().position(|known| known.origin == origin) {
            Some(at) => refused.remove(at).times + 1,
            None => 1,
        };
        if refused.len() == MOST {
            refused.remove(0);
        }
        refused.push(Refused { origin: origin.to_owned(), times, last_at: now_ms() });
    }

    /// For the user, the latest first.
    pub(crate) fn told(&self) -> Value {
        let refused = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let latest_first = refused.iter().rev();
        latest_first
            .map(|one| json!({"origin": one.origin, "times": one.times, "lastAt": one.last_at}))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_remembered_and_nothing_else() {
        let refused = RefusedExtensions::default();
        for origin in ["https://evil.example", "chrome-extension://", "null", "x-extension://<b>"] {
            refused.note(origin);
        }
        assert_eq!(refused.told(), json!([]));
        for number in 0..40 {
            refused.note(&format!("chrome-extension://e{number}"));
        }
        refused.note("chrome-extension://e30");
        let told = refused.told();
        assert_eq!(told.as_array().unwrap().len(), MOST);
        assert_eq!(
            (&told[0]["origin"], &told[0]["times"]),
            (&json!("chrome-extension://e30"), &json!(2))
        );
    }
}
