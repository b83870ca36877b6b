//! `outrigger policy` and `outrigger trust` as a person types them.

use crate::program::Program;
use outrigger_testkit::LooseBrowser;
use serde_json::Value;

#[tokio::test]
async fn what_is_denied_and_blocked_is_so_at_once() {
    let program = Program::new();
    let said = program.fails(&["policy", "list"]).await;
    assert!(said.contains("no hub answers") && said.contains("outrigger up"), "{said}");
    let _hub = program.up(&[]).await;
    let said = program.ok(&["policy"]).await;
    assert!(said.contains("you are asked before an agent does anything"), "{said}");
    assert!(program.ok(&["trust", "list"]).await.contains("No site is on a list"));

    let said = program.ok(&["policy", "deny", "tab_action:*", "https://Example.com/"]).await;
    assert_eq!(said, "From now on: deny tab_action:* on https://example.com.\n");
    program.ok(&["policy", "deny", "tab_read:cookies", "*"]).await;
    let said = program.ok(&["policy", "list"]).await;
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("deny  tab_action:*      https://example.com  2"), "{said}");
    assert!(lines[1].starts_with("deny  tab_read:cookies  *                    2"), "{said}");
    let json: Value = serde_json::from_str(&program.ok(&["policy", "--json"]).await).unwrap();
    assert_eq!(json["items"][1]["toolPattern"], "tab_read:cookies");

    let said = program.ok(&["trust", "block", "Evil.example"]).await;
    assert_eq!(said, "evil.example and all below it is blocked now.\n");
    assert_eq!(program.ok(&["trust"]).await, "blocked  evil.example\n");

    let said = program.fails(&["policy", "deny", "clicking", "*"]).await;
    assert!(said.contains("is no kind of act"), "{said}");
    let said = program.fails(&["policy", "allow", "*", "*"]).await;
    assert!(said.contains("confirm it in Outrigger's panel"), "{said}");
    let said = program.fails(&["trust", "remove", "evil.example"]).await;
    assert!(said.contains("no browser of yours is linked"), "{said}");
    let said = program.ok(&["policy", "remove", "*", "https://other.example"]).await;
    assert!(said.contains("Nothing was decided about that"), "{said}");
}

#[tokio::test]
async fn a_site_in_the_settings_that_is_none_is_not_passed_over() {
    let program = Program::new();
    let config = program.home.path().join("config.toml");
    std::fs::write(&config, "blocked_domains = [\"*.evil.example\"]").unwrap();
    let said = program.fails(&["up"]).await;
    assert!(said.contains("blocked_domains") && said.contains("such as example.com"), "{said}");
    std::fs::write(&config, "blocked_domains = [\"Evil.example\"]").unwrap();
    let _hub = program.up(&[]).await;
    assert_eq!(program.ok(&["trust"]).await, "blocked  evil.example  config.toml\n");
    let said = program.ok(&["trust", "remove", "evil.example"]).await;
    assert!(said.contains("What config.toml lists is changed there"), "{said}");
}

#[tokio::test]
async fn what_is_allowed_is_confirmed_in_the_browser() {
    let program = Program::new();
    let _hub = program.up(&[]).await;
    let paired: Value = serde_json::from_str(&program.ok(&["pair", "--json"]).await).unwrap();
    let token = paired["pairingToken"].as_str().unwrap();
    let browser = LooseBrowser::start(&program.settings(), token);
    program.is_linked().await;
    let devtools = browser.devtools().await;
    let panel = devtools.open_own_page("sidepanel.html").await;
    let allow = ["policy", "allow", "tab_read:dom", "*.example.com"];
    let (said, ()) = tokio::join!(program.ok(&allow), panel.press(".request button", "Confirm"));
    assert!(said.contains("Waiting for you to confirm in the browser…"), "{said}");
    assert!(said.contains("From now on: allow tab_read:dom on *.example.com."), "{said}");
    let add = ["trust", "add", "example.com"];
    let (said, ()) = tokio::join!(program.fails(&add), panel.press(".request button", "Deny"));
    assert!(said.contains("you said no in the browser"), "{said}");
    let said = program.ok(&["policy", "remove", "tab_read:dom", "*.example.com"]).await;
    assert!(said.starts_with("Taken back."), "{said}");
}
