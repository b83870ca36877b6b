//! Whoever writes a page chooses what is screened and fenced. Twice as much of
//! it must not take much more than twice as long, up to sizes that no honest
//! page has. Told from ratios, since nobody knows how fast the machine is.
//! With OUTRIGGER_VERIFY=full the longest text has four million bytes.

use std::hint::black_box;
use std::time::Duration;

use outrigger_guard::fence::fence;
use outrigger_guard::screening::screen;
use rustix::time::{ClockId, clock_gettime};

/// Bytes of the shortest text, and how often it is doubled.
const SHORTEST: usize = 40_000;
const SHORTEST_IN_FULL: usize = 500_000;
const DOUBLINGS: usize = 3;
/// Quadratic time would make it 4.
const AT_MOST: f64 = 3.0;
/// What disturbs a run makes it longer and never shorter: of many, the shortest counts.
const TRIES: usize = 20;

const NASTY: &[(&str, &str)] = &[
    ("nothing to be seen", "\u{200b}"),
    ("words in tags", "\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}\u{e0020}"),
    ("selectors", "\u{fe0f}\u{e0120}"),
    ("a joiner after every letter", "ی\u{200c}"),
    ("nested brackets", "<[{("),
    ("unfinished tags", "</untrusted-page-conten"),
    ("escapes of escapes", "&amp;"),
    ("marks of chats", "<|im_start|>"),
    ("triggers", "ignore all previous "),
    ("triggers that lead nowhere", "you are now a "),
    ("one long word", "a"),
    ("one long word of other scripts", "аｂ𝐜"),
    ("accents", "\u{301}"),
    ("empty lines", "\n"),
];

/// What this thread has worked so far. Not what the clock says: on a busy machine
/// a long run waits for others, and a short one doesn't.
fn worked() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Fails unless the shortest times keep below the ratio at every doubling.
fn assert_linear(function: impl Fn(&str)) {
    let is_full = std::env::var("OUTRIGGER_VERIFY").as_deref() == Ok("full");
    let shortest = if is_full { SHORTEST_IN_FULL } else { SHORTEST };
    for (name, piece) in NASTY {
        let times = |doubled: usize| (shortest << doubled) / piece.len();
        let longest = piece.repeat(times(DOUBLINGS));
        let mut best = [Duration::MAX; DOUBLINGS + 1];
        let is_linear = (0..TRIES).any(|_| {
            for (doubled, best) in best.iter_mut().enumerate() {
                let text = &longest[..times(doubled) * piece.len()];
                let before = worked();
                function(text);
                *best = (worked() - before).min(*best);
            }
            best.windows(2).all(|pair| pair[1].as_secs_f64() < pair[0].as_secs_f64() * AT_MOST)
        });
        assert!(is_linear, "{name}: {best:?}");
    }
}

#[test]
fn screening_twice_as_much_takes_about_twice_as_long() {
    assert_linear(|text| {
        black_box(screen(black_box(text)).flags.len());
    });
}

#[test]
fn fencing_twice_as_much_takes_about_twice_as_long() {
    assert_linear(|text| {
        black_box(fence(black_box(text), "7", "x.example", "now").len());
    });
}
