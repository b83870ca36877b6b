//! For tests: whether the time that a function takes grows with the length of
//! its text and no faster. Told from a ratio, since nobody knows how fast or
//! how busy the machine is.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Bytes of the shorter text; the longer one is so many times as long.
const SHORT: usize = 6_000;
const TIMES: usize = 16;
/// Quadratic time would make the longer text take 256 times as long. Between
/// that and 16 there is room for a busy machine, and a few more tries.
const AT_MOST: u32 = 90;
const TRIES: usize = 8;

/// Fails unless the function takes linear time on repetitions of each piece.
pub(crate) fn assert_linear<T>(pieces: &[&str], function: impl Fn(&str) -> T) {
    for piece in pieces {
        let short = piece.repeat(SHORT / piece.len());
        let long = short.repeat(TIMES);
        let mut measured = Vec::new();
        let is_linear = (0..TRIES).any(|_| {
            let (small, large) =
                (best_of_three(&short, &function), best_of_three(&long, &function));
            measured.push((small, large));
            large < small * AT_MOST
        });
        assert!(is_linear, "{piece:?} took {measured:?}");
    }
}

fn best_of_three<T>(text: &str, function: impl Fn(&str) -> T) -> Duration {
    let run = |_| {
        let started = Instant::now();
        black_box(function(black_box(text)));
        started.elapsed()
    };
    (0..3).map(run).min().unwrap_or_default()
}
