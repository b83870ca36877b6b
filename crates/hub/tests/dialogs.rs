//! Dialogs of pages, in a real Chromium: told at once, answered with one call.

use std::time::{Duration, Instant};

use outrigger_testkit::{ABOUT, Kit, McpClient, reference};
use serde_json::{Value, json};

const ASKING: &str = r#"<!doctype html><title>Ask</title><p id=out>nothing</p>
    <button onclick="alert('Mind the step'); say('seen')">Alert</button>
    <button onclick="say(confirm('Sure?'))">Confirm</button>
    <button onclick="say(prompt('Your name?', 'Nobody'))">Prompt</button>
    <script>function say(it) { document.getElementById('out').textContent = 'said ' + it }</script>"#;

async fn click(client: &McpClient, name: &str, code: &str) -> String {
    let seen = client.ok("browser_snapshot", json!({})).await;
    let began = Instant::now();
    let said = client.refused("browser_click", json!({"ref": reference(&seen, name)}), code).await;
    assert!(began.elapsed() < Duration::from_secs(5), "it is told at once: {:?}", began.elapsed());
    said
}

#[tokio::test]
async fn every_kind_of_dialog_is_told_at_once_and_answered() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", ASKING)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    for (name, words, answer, outcome) in [
        ("Alert", "alert: Mind the step", json!({"accept": true}), "said seen"),
        ("Confirm", "confirm: Sure?", json!({"accept": true}), "said true"),
        ("Confirm", "confirm: Sure?", json!({"accept": false}), "said false"),
        ("Prompt", "prompt: Your name?", json!({"accept": true, "text": "Ada"}), "said Ada"),
        ("Prompt", "prompt: Your name?", json!({"accept": true}), "said Nobody"),
        ("Prompt", "prompt: Your name?", json!({"accept": false}), "said null"),
    ] {
        let said = click(&client, name, "dialog_open").await;
        assert!(said.contains(words) && said.contains("browser_handle_dialog"), "{said}");
        client.refused("browser_snapshot", json!({}), "dialog_open").await;
        let said = client.ok("browser_handle_dialog", answer).await;
        let kind = format!("the {}.", name.to_lowercase());
        assert!(said.contains(&kind) && said.contains(outcome), "{said}");
    }
    let said = client.refused("browser_handle_dialog", json!({"accept": true}), "not_found").await;
    assert!(said.contains("No dialog"), "{said}");
    click(&client, "Confirm", "dialog_open").await;
    let text: Value = json!({"accept": true, "text": "x"});
    client.refused("browser_handle_dialog", text, "invalid_arguments").await;
    client.ok("browser_handle_dialog", json!({"accept": true})).await;
}

#[tokio::test]
async fn a_page_that_asks_before_it_is_left_is_stayed_on_or_left() {
    let page = r#"<!doctype html><title>Trap</title><button>Touch</button><a href="/about">About</a>
        <script>addEventListener('beforeunload', (event) => event.preventDefault())</script>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page), ("/about", ABOUT)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    // Chrome lets only pages ask on which somebody did something.
    client.ok("browser_click", json!({"ref": reference(&seen, "Touch")})).await;
    let said = click(&client, "About", "dialog_open").await;
    assert!(said.contains("beforeunload"), "{said}");
    client.ok("browser_handle_dialog", json!({"accept": false})).await;
    assert!(client.ok("browser_snapshot", json!({})).await.contains("Trap"));
    click(&client, "About", "dialog_open").await;
    let said = client.ok("browser_handle_dialog", json!({"accept": true})).await;
    assert!(said.contains("question before leaving") && said.contains("Since 1998."), "{said}");

    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    client.ok("browser_click", json!({"ref": reference(&seen, "Touch")})).await;
    let said = client.ok("browser_navigate", json!({"url": pages.url("/about")})).await;
    assert!(said.contains("About") && said.contains("A dialog of the page before"), "{said}");
}

#[tokio::test]
async fn a_storm_of_alerts_is_told_one_by_one_and_can_be_left() {
    let page = r#"<!doctype html><title>Storm</title>
        <button onclick="for (let n = 1; ; n++) alert('Number ' + n)">Go</button>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page), ("/about", ABOUT)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let said = click(&client, "Go", "dialog_open").await;
    assert!(said.contains("Number 1"), "{said}");
    for n in 2..=6 {
        let said = client.ok("browser_handle_dialog", json!({"accept": true})).await;
        assert!(said.contains("Accepted the alert"), "{said}");
        assert!(said.contains(&format!("alert: Number {n}\n")), "the next is told too: {said}");
        assert_eq!(said.contains(&format!("dialog number {n}")), n >= 5, "{said}");
    }
    let said = client.ok("browser_navigate", json!({"url": pages.url("/about")})).await;
    assert!(said.contains("About"), "{said}");
    assert!(client.ok("browser_snapshot", json!({})).await.contains("Since 1998."));
}

#[tokio::test]
async fn a_dialog_that_nobody_was_told_of_does_not_hold_a_call_for_long() {
    let page = "<!doctype html><title>Early</title><p>Tea</p><script>setTimeout(() => alert('Early'), 300)</script>";
    let (_kit, pages, client) = Kit::with_browser(&[("/", page), ("/about", ABOUT)]).await;
    // In a tab in front, where Chrome shows it; no debugger is attached yet.
    client.ok("browser_navigate", json!({"url": pages.url("/about")})).await;
    let listed = client.ok("browser_tabs", json!({"action": "list"})).await;
    let line = listed.lines().find(|line| line.contains("(current)")).unwrap();
    let tab: i64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    client.ok("browser_tabs", json!({"action": "select", "id": tab})).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    tokio::time::sleep(Duration::from_millis(1000)).await;
    let began = Instant::now();
    for (tool, arguments) in
        [("browser_snapshot", json!({})), ("browser_handle_dialog", json!({"accept": true}))]
    {
        let said = client.refused(tool, arguments, "unresponsive").await;
        assert!(said.contains("dialog") && said.contains("browser_navigate"), "{said}");
    }
    assert!(began.elapsed() < Duration::from_secs(25), "{:?}", began.elapsed());
    client.ok("browser_navigate", json!({"url": pages.url("/about")})).await;
    assert!(client.ok("browser_snapshot", json!({})).await.contains("Since 1998."));
}
