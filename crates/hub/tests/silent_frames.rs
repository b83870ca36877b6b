//! Frames of other sites that answer nothing: the rest of the page is read and
//! used all the same, and what is missing is stated.

use std::time::{Duration, Instant};

use outrigger_testkit::{Kit, McpClient, Pages, eventually};
use serde_json::{Value, json};

/// How long it may take to find out that a frame is silent, and to answer once that is known.
const FOUND_OUT: Duration = Duration::from_secs(5);
const KNOWN: Duration = Duration::from_secs(4);

/// Tells of itself when its frame is about to hang.
const OUTER: &str = r#"<!doctype html><title>O</title><h1>Outer</h1>
    <button onclick="out.textContent = 'Done ' + ++n">Go</button><p id=out></p><p id=told></p>
    <iframe id=f src="ELSEWHERE/inner" width=300 height=100></iframe><script>
    let n = 0;
    onmessage = () => setTimeout(() => { told.textContent = 'It hangs'; }, 300);
    </script>"#;

/// Hangs for so long, from a while after it is there on.
fn inner(after: u32, ms: &str) -> String {
    format!(
        r#"<!doctype html><title>I</title><p>Inner words</p><button>Inside</button><script>
        setTimeout(() => {{
          parent.postMessage(0, '*');
          setTimeout(() => {{ for (const from = Date.now(); Date.now() < from + {ms};); }}, 50);
        }}, {after})</script>"#
    )
}

async fn within(limit: Duration, client: &McpClient, tool: &str, arguments: Value) -> String {
    let began = Instant::now();
    let said = client.ok(tool, arguments).await;
    assert!(began.elapsed() < limit, "{tool} took {:?}: {said}", began.elapsed());
    said
}

fn states_the_gap(said: &str, pages: &Pages) -> bool {
    said.contains("answers nothing") && said.contains(pages.elsewhere("").as_str())
}

fn ref_of(seen: &str, name: &str) -> String {
    let (before, _) = seen.split_once(&format!(" \"{name}\"")).expect("it is there");
    before.rsplit(' ').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_frame_that_hangs_is_stated_and_the_rest_is_read_and_used() {
    let inner = inner(100, "Infinity");
    let (_kit, pages, client) = Kit::with_browser(&[("/", OUTER), ("/inner", &inner)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/"), "wait": "dom"})).await;
    within(FOUND_OUT * 2, &client, "browser_wait", json!({"text": "It hangs"})).await;
    let seen = within(FOUND_OUT, &client, "browser_snapshot", json!({})).await;
    assert!(seen.contains("# Outer") && states_the_gap(&seen, &pages), "{seen}");
    for (tool, arguments) in [
        ("browser_snapshot", json!({})),
        ("browser_find", json!({"query": "Outer"})),
        ("browser_query_dom", json!({"selector": "button"})),
        ("browser_count_elements", json!({"selector": "button"})),
        ("browser_get_visible_text", json!({})),
        ("browser_get_filtered_aria_tree", json!({})),
    ] {
        let said = within(KNOWN, &client, tool, arguments).await;
        assert!(states_the_gap(&said, &pages), "{tool}: {said}");
    }
    let go = ref_of(&seen, "Go");
    let said = within(KNOWN, &client, "browser_click", json!({"ref": go})).await;
    assert!(said.contains("Done 1"), "{said}");
    let lost = client.refused("browser_find", json!({"query": "Inner words"}), "not_found").await;
    assert!(states_the_gap(&lost, &pages), "{lost}");
}

#[tokio::test]
async fn a_frame_that_hangs_after_a_look_holds_up_no_press() {
    let inner = inner(3_000, "Infinity");
    let (_kit, pages, client) = Kit::with_browser(&[("/", OUTER), ("/inner", &inner)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_wait", json!({"text": "Inner words"})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let go = ref_of(&seen, "Go");
    // Not asked about meanwhile, so nobody knows of it.
    tokio::time::sleep(Duration::from_secs(4)).await;
    let said = within(FOUND_OUT, &client, "browser_click", json!({"ref": go})).await;
    assert!(said.contains("Done 1") && said.contains("It hangs"), "{said}");
    assert!(states_the_gap(&said, &pages), "{said}");
}

#[tokio::test]
async fn a_press_in_a_frame_that_hangs_is_refused() {
    let inner = inner(3_000, "Infinity");
    let (_kit, pages, client) = Kit::with_browser(&[("/", OUTER), ("/inner", &inner)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_wait", json!({"text": "Inner words"})).await;
    let inside = ref_of(&client.ok("browser_snapshot", json!({})).await, "Inside");
    tokio::time::sleep(Duration::from_secs(4)).await;
    let began = Instant::now();
    let said = client.refused("browser_click", json!({"ref": inside}), "unresponsive").await;
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}: {said}", began.elapsed());
}

#[tokio::test]
async fn a_frame_that_answers_again_is_read_again() {
    let inner = inner(100, "5000");
    let (_kit, pages, client) = Kit::with_browser(&[("/", OUTER), ("/inner", &inner)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/"), "wait": "dom"})).await;
    client.ok("browser_wait", json!({"text": "It hangs"})).await;
    let seen = within(FOUND_OUT, &client, "browser_snapshot", json!({})).await;
    assert!(states_the_gap(&seen, &pages), "{seen}");
    let seen = eventually("it is read again", || async {
        let seen = client.ok("browser_snapshot", json!({})).await;
        seen.contains("Inner words").then_some(seen)
    })
    .await;
    assert!(!seen.contains("answers nothing"), "{seen}");
}

#[tokio::test]
async fn a_frame_that_is_removed_while_it_is_waited_for_is_no_longer_missed() {
    let page =
        OUTER.replace("told.textContent", "setTimeout(() => f.remove(), 900); told.textContent");
    let inner = inner(100, "Infinity");
    let (_kit, pages, client) = Kit::with_browser(&[("/", &page), ("/inner", &inner)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/"), "wait": "dom"})).await;
    client.ok("browser_wait", json!({"text": "Outer"})).await;
    for _ in 0..10 {
        let seen = within(FOUND_OUT, &client, "browser_snapshot", json!({})).await;
        assert!(seen.contains("# Outer"), "{seen}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let seen = within(KNOWN, &client, "browser_snapshot", json!({})).await;
    assert!(seen.contains("It hangs") && !seen.contains("answers nothing"), "{seen}");
}

#[tokio::test]
async fn a_frame_whose_process_died_is_stated_and_the_rest_is_read_and_used() {
    let pages = Pages::serve(&[("/", OUTER), ("/inner", "<p>Inner words")]).await;
    let kit = Kit::start().await;
    let browser = kit.loose_browser().await;
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_wait", json!({"text": "Inner words"})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let go = ref_of(&seen, "Go");
    client.ok("browser_click", json!({"ref": go})).await;
    browser.crash(&pages.elsewhere("/inner")).await;
    for (tool, arguments) in [
        ("browser_snapshot", json!({})),
        ("browser_find", json!({"query": "Outer"})),
        ("browser_click", json!({"ref": go})),
        ("browser_get_visible_text", json!({})),
    ] {
        let said = within(FOUND_OUT, &client, tool, arguments).await;
        assert!(!said.contains("Inner words") || tool == "browser_click", "{tool}: {said}");
        let is_stated = said.contains("A frame of the page could not be read");
        assert_eq!(is_stated, tool != "browser_click", "{tool}: {said}");
    }
}
