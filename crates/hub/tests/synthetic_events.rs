//! Where the debugger can't attach: the same actions as synthetic events, said
//! to be so. Chrome lets no extension debug a page with a frame of another
//! extension in it, as password managers put into pages.

use crate::every_hand::use_every_hand;
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
    beside_a_neighbour_in(PAGE).await
}

async fn beside_a_neighbour_in(page: &str) -> (Kit, LooseBrowser, Pages, McpClient) {
    let pages = Pages::serve(&[("/beside", page), ("/away", PAGE)]).await;
    let kit = Kit::start().await;
    let browser = kit.loose_browser_beside(NEIGHBOUR).await;
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

#[tokio::test]
async fn every_hand_works_without_the_debugger_and_says_so() {
    let (kit, _browser, _pages, client) = beside_a_neighbour_in(crate::every_hand::PAGE).await;
    let uploads = kit.settings.upload_roots[0].clone();
    std::fs::create_dir_all(&uploads).unwrap();
    std::fs::write(uploads.join("tea.txt"), "green").unwrap();
    for (what, said) in use_every_hand(&client, &json!("tea.txt")).await {
        // What the page script does by itself, with a debugger or without.
        let is_same = ["scroll", "select", "upload"].contains(&what);
        assert_eq!(said.contains("synthetic events"), !is_same, "{what}: {said}");
    }
    let said = client.ok("browser_drag", json!({"from": "#card", "to": "#near"})).await;
    assert!(said.contains("Nothing there took it"), "{said}");
}

#[tokio::test]
async fn nothing_is_dragged_into_a_frame_without_the_debugger() {
    let page = r#"<!doctype html><title>F</title><div id="card" draggable="true" style="width:90px">Card</div>
        <iframe id="frame" srcdoc="<p>Inside</p>" style="display:block"></iframe>"#;
    let (_kit, _browser, _pages, client) = beside_a_neighbour_in(page).await;
    let drag = json!({"from": "#card", "to": "#frame"});
    let said = client.refused("browser_drag", drag, "debugger_refused").await;
    assert!(said.contains("into a frame") && said.contains("Use another tab"), "{said}");
}
