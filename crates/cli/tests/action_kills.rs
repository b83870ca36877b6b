//! The whole hub is killed while it is at an action of a record: the next one says that
//! nobody knows what came of it, and does not do it again.

use crate::program::Program;
use outrigger_hub::{Home, Settings};
use outrigger_testkit::{Api, LooseBrowser, Pages, eventually};
use serde_json::json;

/// A press counts, and leads to a page that is long in coming.
const PAGE: &str = "<!doctype html><title>Tea</title><button onclick=\"
    localStorage.poured = 1 + Number(localStorage.poured ?? 0); location = '/slow/20000'\">Pour</button>";

#[tokio::test]
async fn an_action_that_the_hub_was_killed_at_is_answered_as_unknown_and_done_once_at_most() {
    let program = Program::new();
    let pages =
        Pages::serve(&[("/", PAGE), ("/count", "<!doctype html><title>Count</title>")]).await;
    let mut hub = program.up(&[]).await;
    let mut settings = Settings::at(Home::at(program.home.path()), program.port);
    settings.browser = std::env::var_os("OUTRIGGER_BROWSER").map(Into::into);
    let browser = LooseBrowser::start(&settings, &program.token("pairing-token"));
    let is_linked = || async {
        eventually("it links", || async {
            program.ok(&["sessions"]).await.contains("personal").then_some(())
        })
        .await;
    };
    is_linked().await;
    let devtools = browser.devtools().await;
    let panel = devtools.open_own_page("sidepanel.html").await;
    // Of the same site, and in no agent's hands.
    browser.open(&pages.url("/count")).await;
    let page = devtools.page(&pages.url("/count")).await;
    let api = Api::new(program.port, &program.token("agent-token"));
    let there = api.order(json!({"action": "navigate", "url": pages.url("/")})).await;
    panel.press(".request button", "Allow once").await;
    assert_eq!(api.outcome(&there).await["status"], "done");

    let pour = api.order(json!({"action": "click", "target": {"text": "Pour"}})).await;
    panel.press(".request button", "Allow once").await;
    page.until("localStorage.poured === '1'").await;
    assert_eq!(api.result_of(&pour).await["status"], "running");
    hub.kill().await.unwrap();

    let _hub = program.up(&[]).await;
    let result = api.outcome(&pour).await;
    let said = (&result["status"], &result["code"]);
    assert_eq!(said, (&json!("unknown"), &json!("outcome_unknown")), "{result}");
    // Whatever would be done again would be once the browser is back.
    is_linked().await;
    let last = api.order(json!({"action": "navigate", "url": pages.url("/")})).await;
    panel.press(".request button", "Deny").await;
    assert_eq!(api.outcome(&last).await["status"], "refused");
    assert_eq!(page.evaluate("localStorage.poured").await, "1");
    assert_eq!(api.result_of(&pour).await, result);
}
