//! Stopping everything by the keyboard shortcut, in a real Chromium: the browser tells
//! the extension's worker of the command, as it does when the keys are pressed.

use std::time::{Duration, Instant};

use outrigger_testkit::{ABOUT, Kit, Pages};
use serde_json::json;

#[tokio::test]
async fn the_shortcut_breaks_off_what_is_under_way_and_lets_nothing_begin() {
    let pages = Pages::serve(&[("/", ABOUT)]).await;
    let kit = Kit::start().await;
    let browser = kit.loose_browser().await;
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let devtools = browser.devtools().await;
    let worker = devtools.worker().await;
    let known = "chrome.commands.getAll().then((all) => all.some(({ name }) => name === 'stop-everything'))";
    assert_eq!(worker.evaluate(known).await, true, "the browser knows the shortcut");
    let press = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let pressed = Instant::now();
        worker.evaluate("chrome.commands.onCommand.dispatch('stop-everything')").await;
        pressed
    };
    let waited = async {
        let waiting = json!({"text": "never", "timeoutMs": 20_000});
        client.refused("browser_wait", waiting, "stopped").await;
        Instant::now()
    };
    let (pressed, ended) = tokio::join!(press, waited);
    assert!(ended.duration_since(pressed) < Duration::from_secs(5), "{:?}", ended - pressed);
    client.refused("browser_snapshot", json!({}), "stopped").await;
}
