//! The fence holds around anything, screened or not:
//! `cargo +nightly fuzz run fence -- -dict=fence.dict -max_total_time=60`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use outrigger_guard::fence::fence;
use outrigger_guard::fence::invariants::{has_look_alike, holds};
use outrigger_guard::screening::screen;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for inside in [text.as_ref(), screen(&text).text.as_ref()] {
        let fenced = fence(inside, "7", "x.example", "now");
        assert!(holds(&fenced, "7"), "{fenced:?}");
        // What has no bracket, not even an escaped or a distant one, has no tag.
        if inside.is_ascii() && !inside.contains(['<', '[', '(', '{', '&', '%', '\\']) {
            assert!(!has_look_alike(inside));
            assert!(fenced.contains(inside.trim_end_matches('\n')), "{fenced:?}");
        }
    }
    assert!(holds(&fence("", "7", &text, "now"), "7"));
});
