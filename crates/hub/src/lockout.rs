//! How many wrong tokens are listened to. Who shows them plays no part: on one
//! machine every caller has the same address, and a name or a header is whatever
//! the caller makes it. What still counts while it is shut, the callers decide.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// So many different tokens are tried by nobody who means well. The same one
/// again is no guess: a program with an old token repeats it for hours.
const TRIES: usize = 10;

/// Tries longer ago are forgotten.
const WINDOW: Duration = Duration::from_secs(60);

/// How long it stays shut.
const SHUT_FOR: Duration = Duration::from_secs(60);

/// Counts wrong tokens, and shuts after too many.
#[derive(Default)]
pub(crate) struct Lockout {
    hasher: RandomState,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// When each token was shown last, by its hash: a typo is nearly the token.
    tries: Vec<(Instant, u64)>,
    shut_until: Option<Instant>,
}

impl Lockout {
    /// Whether too many wrong tokens were shown a short while ago.
    pub(crate) fn is_shut(&self, now: Instant) -> bool {
        self.lock().shut_until.is_some_and(|until| now < until)
    }

    /// Notes a wrong token. True when it was one too many, and shuts.
    pub(crate) fn note_wrong(&self, token: &str, now: Instant) -> bool {
        let token = self.hasher.hash_one(token);
        let mut state = self.lock();
        let counts = |when: Instant| now.saturating_duration_since(when) < WINDOW;
        state.tries.retain(|(when, tried)| counts(*when) && *tried != token);
        state.tries.push((now, token));
        if state.tries.len() < TRIES {
            return false;
        }
        state.tries.clear();
        state.shut_until = Some(now + SHUT_FOR);
        true
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_different_wrong_tokens_shut_it_for_a_minute() {
        let (lockout, start) = (Lockout::default(), Instant::now());
        for number in 0..9 {
            assert!(!lockout.note_wrong(&format!("wrong-{number}"), start));
        }
        assert!(!lockout.is_shut(start));
        assert!(lockout.note_wrong("wrong-9", start), "the tenth");
        assert!(lockout.is_shut(start) && lockout.is_shut(start + Duration::from_secs(59)));
        assert!(!lockout.is_shut(start + SHUT_FOR));
    }

    #[test]
    fn an_old_token_repeated_for_hours_is_one_try() {
        let (lockout, start) = (Lockout::default(), Instant::now());
        for second in 0..10_000 {
            let now = start + Duration::from_secs(second);
            assert!(!lockout.note_wrong("old", now));
            assert!(!lockout.is_shut(now));
        }
    }

    #[test]
    fn tries_that_are_far_apart_do_not_add_up() {
        let (lockout, start) = (Lockout::default(), Instant::now());
        for number in 0..100 {
            let now = start + Duration::from_secs(7) * number;
            assert!(!lockout.note_wrong(&number.to_string(), now), "{number}");
        }
    }
}
