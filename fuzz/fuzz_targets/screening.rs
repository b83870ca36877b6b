//! Screening leaves nothing invisible that does no work, points only at lines
//! that exist, and has nothing to remove from what it has screened:
//! `cargo +nightly fuzz run screening -- -max_total_time=60`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use outrigger_guard::screening::screen;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let once = screen(&text);
    let lines = once.text.split('\n').count();
    for flag in &once.flags {
        assert!((1..=lines).contains(&flag.line), "{flag:?} of {lines} lines");
        assert!(flag.excerpt.chars().count() <= 80);
    }
    assert!(once.flags.len() == 5 || once.unlisted == 0);
    let twice = screen(&once.text);
    assert_eq!(twice.text, once.text);
    assert_eq!(twice.removed.total(), 0, "{:?}", once.text);
    assert!(!once.text.contains(['\r', '\u{202e}', '\u{feff}', '\u{ad}', '\u{1b}']));
    if let Some(remark) = once.remark() {
        assert!(remark.is_ascii() && !remark.contains('\n') && remark.len() < 400, "{remark}");
    }
});
