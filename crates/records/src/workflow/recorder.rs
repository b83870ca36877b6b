//! Recordings under way: of which sessions, by name. They are in memory alone until
//! somebody stops them; what becomes of a call is [`recording`](super::recording)'s
//! business.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use outrigger_dispatch::{Deed, Witness};

pub use super::recording::Recording;

/// More than anybody records at once. Sessions end without a word, so that the oldest
/// makes room for one more.
const MOST: usize = 64;

/// All recordings under way.
#[derive(Default)]
pub struct Recorder(Mutex<Under>);

#[derive(Default)]
struct Under {
    way: BTreeMap<String, (u64, Recording)>,
    begun: u64,
}

impl Recorder {
    /// Begins to record a session. None if it is recorded already.
    pub fn start(&self, session: &str, recording: Recording) -> Option<()> {
        let mut under = self.lock();
        if under.way.contains_key(session) {
            return None;
        }
        if under.way.len() >= MOST {
            let oldest = under.way.iter().min_by_key(|(_, (begun, _))| *begun);
            if let Some(name) = oldest.map(|(name, _)| name.clone()) {
                under.way.remove(&name);
            }
        }
        under.begun += 1;
        let begun = under.begun;
        under.way.insert(session.to_owned(), (begun, recording));
        Some(())
    }

    /// Ends the recording of a session, and gives what it has.
    pub fn stop(&self, session: &str) -> Option<Recording> {
        self.lock().way.remove(session).map(|(_, recording)| recording)
    }

    fn lock(&self) -> MutexGuard<'_, Under> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Witness for Recorder {
    fn follows(&self, session: &str) -> bool {
        self.lock().way.contains_key(session)
    }

    fn saw(&self, deed: Deed) {
        if let Some((_, recording)) = self.lock().way.get_mut(&deed.caller.session) {
            recording.take(&deed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun(recorder: &Recorder, session: &str) -> bool {
        recorder.start(session, Recording::of("a", "")).is_some()
    }

    #[test]
    fn a_session_has_one_recording_and_others_have_no_part_in_it() {
        let recorder = Recorder::default();
        assert!(begun(&recorder, "s") && !begun(&recorder, "s"));
        assert!(recorder.follows("s") && !recorder.follows("t"));
        assert!(recorder.stop("t").is_none() && recorder.stop("s").is_some());
        assert!(!recorder.follows("s"));
    }

    #[test]
    fn forgotten_recordings_make_room() {
        let recorder = Recorder::default();
        for number in 0..=MOST {
            assert!(begun(&recorder, &format!("s{number}")));
        }
        assert!(!recorder.follows("s0") && recorder.follows("s1"));
    }
}
