//! What the extension's worker holds on to does not grow with the actions it
//! carries out. (What the hub holds is measured in `crates/cli/tests/endurance.rs`,
//! where it is a process of its own, and by `make bench`.)

use outrigger_hub::home::Token;
use outrigger_testkit::{Kit, LooseBrowser, Pages, reference};
use serde_json::json;

const PAGE: &str = r#"<!doctype html><title>P</title><h1>Here</h1>
<button onclick="this.nextElementSibling.textContent++">Press</button><p>0</p>"#;

/// What may come and go between two collections of garbage.
const SLACK_BYTES: u64 = 300_000;

#[tokio::test]
async fn the_worker_holds_no_more_after_many_actions_than_after_a_hundred() {
    let is_full = std::env::var("OUTRIGGER_VERIFY").as_deref() == Ok("full");
    let (few, many) = if is_full { (100, 1_000) } else { (100, 300) };
    let pages = Pages::serve(&[("/", PAGE)]).await;
    let kit = Kit::start().await;
    let token = Token::generate().unwrap();
    kit.hub().expect_throw_away(token.clone());
    let browser = LooseBrowser::start(&kit.settings, token.reveal());
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let press = json!({"ref": reference(&seen, "Press")});
    for _ in 0..few {
        client.ok("browser_click", press.clone()).await;
    }
    let after_few = browser.worker_heap().await;
    for _ in few..many {
        client.ok("browser_click", press.clone()).await;
    }
    let after_many = browser.worker_heap().await;
    println!("worker's heap: {after_few} bytes after {few} clicks, {after_many} after {many}");
    assert!(after_many <= after_few + SLACK_BYTES, "{after_few} bytes grew to {after_many}");
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains(&format!("\n{many}\n")), "each click counted once: {seen}");
}
