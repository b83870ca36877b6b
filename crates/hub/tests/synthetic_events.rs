//! Where the debugger can't attach: the same actions as synthetic events, said
//! to be so. Chrome lets no extension debug a page with a frame of another
//! extension in it, as password managers put into pages.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use outrigger_hub::home::Token;
use outrigger_testkit::{Kit, LooseBrowser, McpClient, Pages, reference};
use serde_json::json;

const NEIGHBOUR: &[(&str, &str)] = &[
    (
        "manifest.json",
        r#"{"manifest_version": 3, "name": "Neighbour", "version": "1",
            "content_scripts": [{"matches": ["http://*/beside"], "js": ["put.js"]}],
            "web_accessible_resources": [{"resources": ["frame.html"], "matches": ["http://*/*"]}]}"#,
    ),
    (
        "put.js",
        "const frame = document.createElement('iframe'); frame.src = chrome.runtime.getURL('frame.html');
         frame.onload = () => document.body.append('Somebody is here'); document.body.append(frame);",
    ),
    ("frame.html", "<!doctype html><p>Neighbour</p>"),
];

const PAGE: &str = r#"<!doctype html><title>P</title><h1>Here</h1>
<button onclick="say('clicked, trusted ' + event.isTrusted)">Press</button>
<form onsubmit="event.preventDefault(); say('sent ' + this.word.value)"><input name="word" aria-label="Word"></form>
<a href="/away">Away</a>
<p id="out"></p>
<script>function say(what) { document.getElementById('out').textContent = what; }</script>"#;

async fn beside_a_neighbour() -> (Kit, LooseBrowser, Pages, McpClient) {
    let pages = Pages::serve(&[("/beside", PAGE), ("/away", PAGE)]).await;
    let kit = Kit::start().await;
    let token = Token::generate().unwrap();
    kit.hub().expect_throw_away(token.clone());
    let browser = LooseBrowser::start_beside(&kit.settings, token.reveal(), NEIGHBOUR);
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": pages.url("/beside")})).await;
    client.ok("browser_wait", json!({"text": "Somebody is here"})).await;
    (kit, browser, pages, client)
}

#[tokio::test]
async fn where_the_debugger_can_not_attach_actions_are_synthetic_and_said_to_be() {
    let (_kit, _browser, pages, client) = beside_a_neighbour().await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Press")})).await;
    assert!(said.contains("synthetic events") && said.contains("clicked, trusted false"), "{said}");
    let word = reference(&seen, "Word");
    let said = client.ok("browser_type", json!({"ref": word, "text": "tea", "submit": true})).await;
    assert!(said.contains("synthetic events") && said.contains("sent tea"), "{said}");
    client.ok("browser_type", json!({"ref": word, "text": "oolong", "clear": true})).await;
    let said = client.ok("browser_press_key", json!({"key": "Enter"})).await;
    assert!(said.contains("synthetic events") && said.contains("sent oolong"), "{said}");
    client.refused("browser_press_key", json!({"key": "F5"}), "debugger_refused").await;

    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Away")})).await;
    assert!(said.contains(&pages.url("/away")) || said.contains("went to the page"), "{said}");
    let seen = client.ok("browser_snapshot", json!({})).await;
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Press")})).await;
    assert!(
        !said.contains("synthetic") && said.contains("clicked, trusted true"),
        "another page is debugged again: {said}"
    );
}

#[tokio::test]
async fn what_can_not_be_done_without_the_debugger_is_refused() {
    let (_kit, _browser, _pages, client) = beside_a_neighbour().await;
    let said = client.refused("browser_screenshot", json!({}), "debugger_refused").await;
    assert!(said.contains("Use another tab"), "{said}");
}
