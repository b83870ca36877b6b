//! When an action is over: what it began has ended, or nothing began.

use std::time::{Duration, Instant};

use outrigger_testkit::{Kit, Pages, reference};
use serde_json::json;

const PAGE: &str = r#"<!doctype html><title>S</title><p id="out">nothing</p>
<button onclick="fetch('/slow/400').then(() => { out.textContent = 'fetched' })">Fetch</button>
<button onclick="const x = new XMLHttpRequest(); x.open('GET', '/slow/400'); x.onload = () => { out.textContent = 'asked' }; x.send()">Ask</button>
<button onclick="fetch('/slow/200').then(() => fetch('/slow/200')).then(() => { out.textContent = 'in a row' })">Twice</button>
<button onclick="fetch('/never')">Never</button><button>Idle</button>"#;

#[tokio::test]
async fn what_an_action_asks_the_server_for_is_waited_for() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    for (name, came) in [("Fetch", "fetched"), ("Ask", "asked"), ("Twice", "in a row")] {
        let said = client.ok("browser_click", json!({"ref": reference(&seen, name)})).await;
        assert!(said.contains(came) && !said.contains("unsettled"), "{said}");
    }
    let began = Instant::now();
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Never")})).await;
    assert!(said.contains("unsettled"), "{said}");
    let took = began.elapsed();
    // Two seconds, and what a busy machine adds; a call's own time is far longer.
    let expected = Duration::from_millis(1900)..Duration::from_secs(6);
    assert!(expected.contains(&took), "{took:?}");
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Idle")})).await;
    assert!(!said.contains("unsettled"), "a request of another action is not this one's: {said}");
}

#[tokio::test]
async fn a_navigation_that_takes_longer_than_anybody_waits_is_told_with_where_it_leads() {
    let page = r#"<!doctype html><title>L</title><a href="/slow/20000">Slow</a>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let began = Instant::now();
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Slow")})).await;
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    let (ours, theirs) = said.split_once("<untrusted-page-content").unwrap_or_default();
    assert!(ours.contains("on its way") && ours.contains("unsettled"), "{said}");
    assert!(theirs.contains(&pages.url("/slow/20000")), "{said}");
    client.ok("browser_wait", json!({"url": "/slow/20000", "timeoutMs": 40_000})).await;
}

/// The frames run in processes of their own, one inside the other.
#[tokio::test]
async fn what_an_action_in_a_frame_asks_the_server_for_is_waited_for() {
    let inner = Pages::serve(&[("/", PAGE)]).await;
    let frame = format!("{PAGE}<iframe src='{}'></iframe>", inner.url("/"))
        .replace("Fetch<", "Near fetch<")
        .replace("Ask<", "Near ask<")
        .replace("Idle<", "Near idle<");
    let frame = Pages::serve(&[("/", &frame)]).await;
    let page = format!(
        "<!doctype html><title>F</title><button>Outer idle</button>\
         <iframe src='{}' width=600 height=500></iframe>",
        frame.elsewhere("/")
    );
    let (_kit, pages, client) = Kit::with_browser(&[("/", &page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_wait", json!({"text": "Near fetch"})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let click =
        async |name: &str| client.ok("browser_click", json!({"ref": reference(&seen, name)})).await;
    for (name, came) in
        [("Near fetch", "fetched"), ("Near ask", "asked"), ("Fetch", "fetched"), ("Ask", "asked")]
    {
        let said = click(name).await;
        assert!(said.contains(came) && !said.contains("unsettled"), "{name}: {said}");
    }
    assert!(!click("Near idle").await.contains("unsettled"));
    // What a frame asks for is no part of what is done outside of it.
    let said = click("Never").await;
    assert!(said.contains("unsettled"), "{said}");
    assert!(!click("Outer idle").await.contains("unsettled"));
}
