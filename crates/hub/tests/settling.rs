//! When an action is over: what it began has ended, or nothing began.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::time::{Duration, Instant};

use outrigger_testkit::{Kit, reference};
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
    assert!(began.elapsed() >= Duration::from_millis(1900), "{:?}", began.elapsed());
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Idle")})).await;
    assert!(!said.contains("unsettled"), "a request of another action is not this one's: {said}");
}
