//! Whoever writes a page chooses what is screened and fenced. Twice as much of
//! it must not take much more than twice as long, up to sizes that no honest
//! page has. Told from ratios, since nobody knows how fast the machine is.
//! With OUTRIGGER_VERIFY=full the longest text has four million bytes.

use std::hint::black_box;
use std::time::{Duration, Instant};

use outrigger_guard::fence::fence;
use outrigger_guard::screening::screen;

/// Bytes of the shortest text, and how often it is doubled.
const SHORTEST: usize = 40_000;
const SHORTEST_IN_FULL: usize = 500_000;
const DOUBLINGS: usize = 3;
/// Quadratic time would make it 4.
const AT_MOST: f64 = 3.0;
/// A busy machine spoils a measurement now and then, and never all of them.
const TRIES: usize = 10;

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

/// What the function takes, the better of two times.
fn seconds(run: impl Fn()) -> f64 {
    let once = || {
        let started = Instant::now();
        run();
        started.elapsed().max(Duration::from_micros(1))
    };
    once().min(once()).as_secs_f64()
}

/// Fails if no try keeps below the ratio at every doubling.
fn assert_linear(function: impl Fn(&str)) {
    let is_full = std::env::var("OUTRIGGER_VERIFY").as_deref() == Ok("full");
    let shortest = if is_full { SHORTEST_IN_FULL } else { SHORTEST };
    for (name, piece) in NASTY {
        let longest = piece.repeat((shortest << DOUBLINGS) / piece.len());
        let lengths = (0..=DOUBLINGS).map(|doubled| {
            let length = piece.len() * ((shortest << doubled) / piece.len());
            &longest[..length]
        });
        let mut tried = Vec::new();
        let is_linear = (0..TRIES).any(|_| {
            let taken: Vec<f64> = lengths.clone().map(|text| seconds(|| function(text))).collect();
            let is_linear = taken.windows(2).all(|pair| pair[1] < pair[0] * AT_MOST);
            tried.push(taken);
            is_linear
        });
        assert!(is_linear, "{name}: seconds {tried:.4?}");
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
