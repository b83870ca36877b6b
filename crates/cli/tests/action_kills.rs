//! The whole hub is killed while it is at an action of a record: the next one says that
//! nobody knows what came of it, and does not do it again.

use crate::program::Program;
use outrigger_testkit::{Api, Pages};
use serde_json::json;

/// Whoever comes is counted, and has not arrived for a long time.
const PAGE: &str = "<!doctype html><title>Tea</title><script>
    localStorage.poured = 1 + Number(localStorage.poured ?? 0)</script><script src='/slow/25000'></script>";

#[tokio::test]
async fn an_action_that_the_hub_was_killed_at_is_answered_as_unknown_and_done_once_at_most() {
    let program = Program::new();
    let pages = Pages::serve(&[
        ("/", "<!doctype html><title>Table</title>"),
        ("/pour", PAGE),
        ("/count", "<!doctype html><title>Count</title>"),
    ])
    .await;
    let mut hub = program.up(&[]).await;
    let browser = program.personal_browser().await;
    let devtools = browser.devtools().await;
    let panel = devtools.open_own_page("sidepanel.html").await;
    // Of the same site, and in no agent's hands.
    browser.open(&pages.url("/count")).await;
    let page = devtools.page(&pages.url("/count")).await;
    let api = Api::new(program.port, &program.token("agent-token"));
    let there = api.order(json!({"action": "navigate", "url": pages.url("/")})).await;
    panel.press(".request button", "Allow once").await;
    assert_eq!(api.outcome(&there).await["status"], "done");

    let pour = api.order(json!({"action": "navigate", "url": pages.url("/pour")})).await;
    panel.press(".request button", "Allow once").await;
    page.until("localStorage.poured === '1'").await;
    assert_eq!(api.result_of(&pour).await["status"], "running");
    hub.kill().await.unwrap();

    let _hub = program.up(&[]).await;
    let result = api.outcome(&pour).await;
    let said = (&result["status"], &result["code"]);
    assert_eq!(said, (&json!("unknown"), &json!("outcome_unknown")), "{result}");
    // Whatever would be done again would be once the browser is back.
    program.is_linked().await;
    let last = api.order(json!({"action": "navigate", "url": pages.url("/")})).await;
    panel.press(".request button", "Deny").await;
    assert_eq!(api.outcome(&last).await["status"], "refused");
    assert_eq!(page.evaluate("localStorage.poured").await, "1");
    assert_eq!(api.result_of(&pour).await, result);
}
