//! Opening tabs and pages, in a real Chromium: what a tool says is there is there,
//! also while a tab is still loading, or after a navigation that came to nothing.

use outrigger_testkit::{ABOUT, Kit, SHOP};
use serde_json::json;

#[tokio::test]
async fn a_tab_is_opened_once_its_page_is_there() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", SHOP)]).await;
    for path in ["/", "/slow/400", "/"] {
        let open = json!({"action": "open", "url": pages.url(path)});
        let said = client.ok("browser_tabs", open).await;
        assert!(said.contains("later calls go there"), "{said}");
        assert!(said.contains("is now at the page below") && said.contains(path), "{said}");
        let seen = client.ok("browser_snapshot", json!({})).await;
        assert!(seen.contains("# Tea shop") || seen.contains("After 400"), "{seen}");
    }
    let said = client.ok("browser_tabs", json!({"action": "open"})).await;
    assert!(!said.contains("page below"), "a blank one has none: {said}");
}

#[tokio::test]
async fn a_tab_that_is_opened_for_nothing_says_why_and_stays() {
    let (_kit, pages, client) = Kit::with_browser(&[("/about", ABOUT)]).await;
    for (url, code, words) in [
        ("http://nowhere.example/".to_owned(), "navigation_failed", "was not found"),
        (pages.url("/status/204"), "navigation_failed", "without content"),
        (pages.url("/locked"), "auth_required", "user name and a password"),
    ] {
        let open = json!({"action": "open", "url": url});
        let said = client.refused("browser_tabs", open, code).await;
        assert!(said.contains(words) && said.contains(" was opened; later calls"), "{said}");
        let said = client.ok("browser_navigate", json!({"url": pages.url("/about")})).await;
        assert!(said.contains("About"), "{said}");
    }
    let said =
        client.ok("browser_tabs", json!({"action": "open", "url": pages.url("/status/404")}));
    let said = said.await;
    assert!(said.contains("HTTP status 404"), "{said}");
}

#[tokio::test]
async fn a_tab_that_never_stops_loading_is_read_or_said_to_be_loading() {
    let restless = "<!doctype html><title>R</title><h1>Restless</h1>\
        <script>setTimeout(() => location.replace('/?' + Math.random()), 1)</script>";
    let (_kit, pages, client) = Kit::with_browser(&[("/", restless)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/"), "wait": "dom"})).await;
    let mut read = 0;
    for _ in 0..40 {
        let answer = client.call("browser_snapshot", json!({})).await;
        match answer.code.as_deref() {
            None => read += usize::from(answer.text.contains("127.0.0.1")),
            code => {
                assert_eq!(code, Some("unresponsive"), "{}", answer.text);
                assert!(answer.text.contains("browser_wait"), "{}", answer.text);
            }
        }
    }
    assert!(read > 0, "not once was it read");
}

#[tokio::test]
async fn an_address_is_asked_for_again_after_it_came_to_nothing() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", SHOP), ("/about", ABOUT)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let slow = pages.url("/slow/2500");
    let hasty = json!({"url": slow, "timeoutMs": 700});
    client.refused("browser_navigate", hasty, "timeout").await;
    let said = client.ok("browser_navigate", json!({"url": slow})).await;
    assert!(said.contains("/slow/2500"), "the same one, which is still on its way: {said}");

    let hasty = json!({"url": pages.url("/slow/9000"), "timeoutMs": 500});
    client.refused("browser_navigate", hasty, "timeout").await;
    let said = client.ok("browser_navigate", json!({"url": pages.url("/about")})).await;
    assert!(said.contains("About"), "another one: {said}");
    for _ in 0..3 {
        let nothing = json!({"url": pages.url("/status/204")});
        client.refused("browser_navigate", nothing, "navigation_failed").await;
    }
    client.ok("browser_navigate", json!({"url": pages.url("/about")})).await;
    assert!(client.ok("browser_snapshot", json!({})).await.contains("# About us"));
}
