//! What an action is pointed at: by ref, by selector or at a point, and never
//! at something else.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use outrigger_testkit::{Kit, reference};
use serde_json::json;

/// Buttons that write what was clicked into the title.
const BUTTONS: &str = r#"<!doctype html><title>B</title><body style="margin:0">
<button id="one" style="position:absolute;left:20px;top:20px;width:100px;height:40px">One</button>
<button class="twin" style="position:absolute;left:20px;top:80px;width:100px;height:40px">Twin A</button>
<button class="twin" style="position:absolute;left:20px;top:140px;width:100px;height:40px">Twin B</button>
<button id="shy" style="display:none">Shy</button><label>Name <input></label>
<p id="said">none</p>
<script>document.addEventListener('click', (event) => {
    document.getElementById('said').textContent = 'said ' + event.target.textContent + ' ' + event.isTrusted })</script>"#;

#[tokio::test]
async fn a_selector_means_the_one_element_that_can_be_seen() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", BUTTONS)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_snapshot", json!({})).await;
    for selector in ["#one", "text=\"One\"", "role=button[name=One]", "//button[@id='one']"] {
        let said = client.ok("browser_click", json!({"selector": selector})).await;
        assert!(said.starts_with("Clicked e"), "{said}");
    }
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains("said One true"), "{seen}");
    let said = client.refused("browser_click", json!({"selector": ".twin"}), "ambiguous").await;
    assert!(said.contains("2 elements match"), "{said}");
    let twin = reference(&seen, "Twin B");
    assert!(said.contains(&format!("{twin} button \"Twin B\"")), "it names the refs: {said}");
    client.refused("browser_click", json!({"selector": "#shy"}), "hidden").await;
    client.refused("browser_click", json!({"selector": "#nobody"}), "not_found").await;
    client.refused("browser_click", json!({"selector": "[["}), "invalid_arguments").await;
    client.ok("browser_click", json!({"selector": twin})).await;
    client.ok("browser_type", json!({"selector": "input", "text": "Ada"})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains("said Twin B") && seen.contains("value=\"Ada\""), "{seen}");
}

#[tokio::test]
async fn a_point_is_what_is_there_and_the_reply_says_what() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", BUTTONS)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_snapshot", json!({})).await;
    let said = client.ok("browser_click", json!({"x": 70, "y": 100})).await;
    assert!(said.contains("button \"Twin A\"") && said.contains("said Twin A true"), "{said}");
    let said = client.refused("browser_click", json!({"x": 70, "y": 100_000}), "not_found").await;
    assert!(said.contains("viewport"), "{said}");
}

#[tokio::test]
async fn a_target_is_said_in_exactly_one_way() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", BUTTONS)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    for wrong in [json!({}), json!({"ref": "e1", "selector": "#one"}), json!({"x": 1})] {
        let said = client.refused("browser_click", wrong, "invalid_arguments").await;
        assert!(said.contains("Say it in one way: `ref`"), "{said}");
    }
    client.refused("browser_click", json!({"rfe": "e1"}), "invalid_arguments").await;
}

#[tokio::test]
async fn what_is_only_in_a_frame_of_another_site_is_told_by_its_ref() {
    let outer = r#"<!doctype html><title>O</title><body style="margin:0"><iframe src="ELSEWHERE/inner" style="border:0;width:400px;height:300px"></iframe>"#;
    let inner = "<!doctype html><title>I</title><button id=there>There</button>";
    let (_kit, pages, client) = Kit::with_browser(&[("/", outer), ("/inner", inner)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let there = reference(&seen, "There");
    let said = client.refused("browser_click", json!({"selector": "#there"}), "not_found").await;
    assert!(said.contains("another site") && said.contains(&there), "{said}");
    client.refused("browser_click", json!({"x": 20, "y": 20}), "not_allowed").await;
}
