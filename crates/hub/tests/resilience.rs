//! What goes away comes back, or leaves nothing behind.

use std::path::Path;
use std::time::{Duration, Instant};

use outrigger_hub::home::Token;
use outrigger_hub::{Hub, HubError};
use outrigger_testkit::{Kit, LooseBrowser, Pages, eventually, processes, reference};
use serde_json::json;

const PAGE: &str = "<!doctype html><title>P</title><h1>Here</h1><button>Go</button>";

/// A hub, a browser that outlives it, and the token it shows.
async fn with_loose_browser() -> (Kit, LooseBrowser, Token) {
    let kit = Kit::start().await;
    let token = Token::generate().unwrap();
    kit.hub().expect_throw_away(token.clone());
    let browser = LooseBrowser::start(&kit.settings, token.reveal());
    eventually("the browser links", || async { linked(&kit).await.then_some(()) }).await;
    (kit, browser, token)
}

#[tokio::test]
async fn an_extension_finds_a_restarted_hub_by_itself_and_no_ref_is_given_out_twice() {
    let pages = Pages::serve(&[("/", PAGE)]).await;
    let (mut kit, _browser, token) = with_loose_browser().await;
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let before = reference(&client.ok("browser_snapshot", json!({})).await, "Go");
    let before_twice = reference(&client.ok("browser_snapshot", json!({})).await, "Go");
    assert_eq!(before, before_twice);
    client.leave().await;

    kit.restart().await;
    kit.hub().expect_throw_away(token);
    eventually("the browser links again", || async { linked(&kit).await.then_some(()) }).await;
    let client = kit.client().await;
    let tab = first_tab(&client.ok("browser_tabs", json!({"action": "list"})).await, "P ");
    client.refused("browser_click", json!({"tab": tab, "ref": before}), "stale_ref").await;
    let seen = client.ok("browser_snapshot", json!({"tab": tab})).await;
    assert_ne!(reference(&seen, "Go"), before, "{seen}");
    client.refused("browser_click", json!({"tab": tab, "ref": before}), "stale_ref").await;
}

async fn linked(kit: &Kit) -> bool {
    let client = kit.client().await;
    let answer = client.call("browser_tabs", json!({"action": "list", "timeoutMs": 500})).await;
    client.leave().await;
    !answer.failed
}

fn first_tab(list: &str, title: &str) -> i64 {
    let line = list.lines().find(|line| line.contains(title)).unwrap_or_else(|| panic!("{list}"));
    line.trim_start_matches("tab ").split([' ', ':']).next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_stopped_hub_takes_its_browser_and_its_folders_along() {
    let (kit, _pages, _client) = Kit::with_browser(&[]).await;
    let launched = kit.settings.home.launched_path();
    assert_eq!(entries(&launched), 1);
    let began = Instant::now();
    let home = kit.stop().await;
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(entries(&launched), 0, "the profile is gone");
    let name = home.path().display().to_string();
    eventually("the browser is gone", || async { processes(&name).is_empty().then_some(()) }).await;
}

fn entries(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, Iterator::count)
}

#[tokio::test]
async fn a_port_that_is_taken_is_said_so_and_nothing_is_lost() {
    let kit = Kit::start().await;
    let error = Hub::start(&kit.settings).await.err().unwrap();
    assert!(matches!(error, HubError::PortTaken { .. }), "{error}");
    assert!(error.to_string().contains("OUTRIGGER_PORT"), "{error}");
    assert!(kit.client().await.tools().await.len() > 5);
}

#[tokio::test]
async fn a_browser_that_is_not_there_is_said_so() {
    let mut kit = Kit::start().await;
    kit.settings.browser = Some("/nowhere/chromium".into());
    kit.restart().await;
    let error =
        kit.hub().launch(outrigger_protocol::agent::Launch { headless: true }).await.unwrap_err();
    assert!(error.to_string().contains("OUTRIGGER_BROWSER"), "{error}");
    kit.settings.browser = Some("/bin/false".into());
    kit.restart().await;
    let error =
        kit.hub().launch(outrigger_protocol::agent::Launch { headless: true }).await.unwrap_err();
    assert!(error.to_string().contains("ended before"), "{error}");
    assert_eq!(entries(&kit.settings.home.launched_path()), 0);
}

#[tokio::test]
async fn without_a_browser_a_call_waits_a_moment_and_then_says_what_to_do() {
    let kit = Kit::start().await;
    let client = kit.client().await;
    let began = Instant::now();
    let said = client.refused("browser_snapshot", json!({}), "no_browser").await;
    assert!(said.contains("outrigger up --launch") && said.contains("outrigger pair"), "{said}");
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[tokio::test]
async fn two_browsers_are_never_guessed_between() {
    let (kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    let second = kit.launch().await;
    let said =
        client.refused("browser_navigate", json!({"url": pages.url("/")}), "which_browser").await;
    assert!(said.contains(&second), "{said}");
    client.ok("browser_navigate", json!({"url": pages.url("/"), "browser": second})).await;
    assert!(client.ok("browser_snapshot", json!({})).await.contains("# Here"), "it stays there");
}

#[tokio::test]
async fn a_call_that_is_given_up_does_not_hold_up_the_next() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    let began = Instant::now();
    client
        .refused(
            "browser_navigate",
            json!({"url": pages.url("/never"), "timeoutMs": 700}),
            "timeout",
        )
        .await;
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
}

#[tokio::test]
async fn sessions_run_in_parallel() {
    let (kit, pages, one) = Kit::with_browser(&[("/", PAGE)]).await;
    let two = kit.client().await;
    for client in [&one, &two] {
        client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    }
    let began = Instant::now();
    let wait = json!({"ms": 2000});
    tokio::join!(one.ok("browser_wait", wait.clone()), two.ok("browser_wait", wait));
    assert!(began.elapsed() < Duration::from_millis(3900), "{:?}", began.elapsed());
}
