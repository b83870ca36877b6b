//! A page that reports events which are not a person's, in a real Chromium: either the
//! browser's own events tell it, or the answer says that they didn't.

use outrigger_testkit::{Kit, reference};
use serde_json::json;

const PAGE: &str = r#"<!doctype html><title>Events</title>
<input aria-label="Name"><input aria-label="Day" type="date"><input aria-label="Loud" type="range" min="0" max="9">
<select aria-label="Tea"><option>Green<option>Black</select><input aria-label="Sure" type="checkbox">
<div aria-label="Notes" contenteditable role="textbox">.</div><button>Go</button>
<script>
window.odd = new Set();
for (const type of ['pointerdown', 'mousedown', 'click', 'keydown', 'keyup', 'beforeinput', 'input', 'change'])
    addEventListener(type, (event) => event.isTrusted || odd.add(type), true);
</script>"#;

#[tokio::test]
async fn events_are_the_browsers_own_or_the_answer_says_that_they_are_not() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let at = |name: &str| reference(&seen, name);
    let fill = |name: &str, value: serde_json::Value| json!({"fields": [{"ref": at(name), "value": value}]});
    let take = json!({"function": "() => { const told = [...odd].sort(); odd.clear(); return told.join(' ') || 'none' }"});
    for (tool, arguments, expected) in [
        ("browser_click", json!({"ref": at("Go")}), "none"),
        ("browser_press_key", json!({"key": "a"}), "none"),
        ("browser_type", json!({"ref": at("Name"), "text": "Ada", "slowly": true}), "none"),
        ("browser_type", json!({"ref": at("Notes"), "text": "tea"}), "none"),
        ("browser_type", json!({"ref": at("Name"), "text": "Ada"}), "beforeinput"),
        ("browser_fill_form", fill("Sure", json!(true)), "none"),
        ("browser_fill_form", fill("Name", json!("Bob")), "beforeinput"),
        ("browser_fill_form", fill("Day", json!("2026-01-31")), "change input"),
        ("browser_fill_form", fill("Loud", json!(7)), "change input"),
        ("browser_select_option", json!({"ref": at("Tea"), "values": ["Black"]}), "change input"),
    ] {
        let said = client.ok(tool, arguments.clone()).await;
        let odd = client.ok("browser_evaluate", take.clone()).await;
        assert!(odd.contains(&format!("\"{expected}\"")), "{tool} {arguments}: {odd}");
        let is_told = said.contains("a script helped");
        assert_eq!(is_told, expected != "none", "{tool} {arguments}: {said}");
    }
}
