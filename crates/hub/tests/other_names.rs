//! The names that clients of other systems know for what acts, in a real
//! Chromium. (Those of what reads are in `reading.rs` and `browsing.rs`.)

use outrigger_testkit::{Kit, reference};
use serde_json::json;

const PAGE: &str = r#"<!doctype html><title>Names</title>
<form onsubmit="said.textContent = 'sent ' + q.value; return false">
<input id="q" aria-label="Query"><button id="go">Go</button></form>
<p id="said">nothing yet</p><button disabled id="off">Off</button>
<div style="height:3000px"></div><p>The end</p>"#;

#[tokio::test]
async fn steps_of_tab_action_run_in_order_and_stop_at_the_first_that_fails() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    client.ok("navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_snapshot", json!({})).await;
    let steps = json!({"actions": [
        {"action": "type", "selector": "#q", "text": "green "},
        {"action": "type", "text": "tea", "waitMs": 20},
        {"action": "click", "selector": "#go"},
        {"action": "wait", "text": "sent green tea"},
    ], "timeoutMs": 20000});
    let told = client.ok("tab_action", steps).await;
    assert!(told.contains("sent green tea"), "{told}");
    let failing = json!({"actions": [
        {"action": "click", "selector": "#go"},
        {"action": "click", "selector": "#off"},
        {"action": "type", "selector": "#q", "text": "never"},
    ]});
    let refused = client.refused("tab_action", failing, "disabled").await;
    assert!(refused.contains("This was step 2 of 3"), "{refused}");
    let text = client.ok("browser_get_form_values", json!({})).await;
    assert!(!text.contains("never"), "{text}");
    let late = json!({"actions": [{"action": "wait", "waitMs": 5000}], "timeoutMs": 300});
    client.refused("tab_action", late, "timeout").await;
    client.refused("tab_action", json!({}), "invalid_arguments").await;
    client.refused("tab_action", json!({"action": "wait"}), "invalid_arguments").await;
}

#[tokio::test]
async fn clicks_words_and_tabs_go_by_their_other_names() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    let opened = client.ok("tabs_create", json!({"url": pages.url("/")})).await;
    let listed = client.ok("get_tabs", json!({})).await;
    assert!(listed.contains("(current)") && opened.contains("Opened tab"), "{opened} {listed}");
    client.ok("browser_wait", json!({"text": "nothing yet"})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    client.ok("tab_click", json!({"selector": "#q"})).await;
    client.ok("type", json!({"text": "white tea"})).await;
    client.ok("click", json!({"selector": "#go"})).await;
    client.ok("browser_wait", json!({"text": "sent white tea"})).await;
    let typed =
        json!({"ref": reference(&seen, "Query"), "text": "oolong", "clear": true, "submit": true});
    client.ok("tab_type", typed).await;
    client.ok("browser_wait", json!({"text": "sent oolong"})).await;
    let scrolled = client.ok("tab_scroll", json!({"to": "bottom"})).await;
    assert!(scrolled.contains("there is more above"), "{scrolled}");
    let back = json!({"action": "scroll", "to": "top"});
    client.ok("tab_action", back).await;
}

#[tokio::test]
async fn words_for_nobody_are_not_called_typed() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    client.ok("navigate", json!({"url": pages.url("/")})).await;
    let said = client.refused("type", json!({"text": "tea"}), "not_editable").await;
    assert!(said.contains("nothing was typed"), "{said}");
    client.ok("click", json!({"selector": "#q"})).await;
    client.ok("type", json!({"text": "green"})).await;
    let replaced = json!({"action": "type", "text": "tea", "clear": true, "submit": true});
    client.ok("tab_action", replaced).await;
    client.ok("browser_wait", json!({"text": "sent tea"})).await;
}
