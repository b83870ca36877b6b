//! What the log says of calls: where, what was decided, how it ended, how much came back
//! and how long it took. And for how long it says so.

use outrigger_store::activity::{ActivityEntry, LoggedEntry, Verdict};
use outrigger_store::{Owner, Store};
use outrigger_testkit::{Kit, Person, reference};
use serde_json::{Value, json};

use crate::shown_tokens::{DAY, now_ms};

const SHOP: &str = "<!doctype html><title>Shop</title><h1>Tea</h1><button>Look</button>\
    <button onclick='window.paid = 1'>Pay now</button>";

#[tokio::test]
async fn a_call_is_logged_with_where_it_was_what_was_decided_and_how_much_came_back() {
    let person = Person::start(&[("/", SHOP)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let call = async |tool: &str, arguments: Value, answers: &[&str]| {
        let answering = async {
            for answer in answers {
                panel.press(".request button", answer).await;
                panel.until("document.querySelector('.request') === null").await;
            }
        };
        tokio::join!(client.call(tool, arguments), answering).0.text
    };
    let session = "Allow for this session";
    call("browser_navigate", json!({"url": person.pages.url("/")}), &[session]).await;
    let seen = call("browser_snapshot", json!({}), &[session]).await;
    call("browser_screenshot", json!({}), &["Allow once"]).await;
    call("list_tabs", json!({}), &[]).await;
    let at = |name: &str| json!({"ref": reference(&seen, name)});
    call("browser_click", at("Look"), &[session]).await;
    call("browser_click", at("Pay now"), &["Allow once"]).await;
    call("browser_click", at("Pay now"), &["Deny"]).await;
    let plan = json!({"origins": ["https://a.example"], "keys": ["tab_read:dom"], "reason": "x"});
    call("browser_request_access", plan, &[session]).await;

    let site = person.pages.url("").trim_end_matches('/').to_owned();
    let Person { kit, client, .. } = person;
    client.leave().await;
    let home = kit.stop().await;
    let store = Store::open(&home.path().join("outrigger.db")).await.unwrap();
    let logged = store.latest_activity(&Owner::local(), Some("rmcp"), 100).await.unwrap();
    let from = logged.iter().position(|one| one.entry.tool == "browser_navigate").unwrap();
    let logged: Vec<&ActivityEntry> = logged[from..].iter().map(|one| &one.entry).collect();
    let told: Vec<String> = logged.iter().map(|entry| in_short(entry, &site)).collect();
    assert_eq!(
        told,
        [
            "browser_navigate tab_action:navigate SITE allow_session ok, text",
            "browser_snapshot tab_read:dom SITE allow_session ok, text",
            "browser_screenshot tab_read:screenshot SITE allow_once ok, text, bytes",
            "list_tabs tab_read:info SITE policy ok, text, 1 tab",
            "browser_click tab_action:click SITE allow_session ok, text",
            "browser_click tab_action:click SITE policy, confirmed ok, text",
            "browser_click tab_action:click SITE policy, denied not_allowed, text",
            "browser_request_access user:ask SITE user_decides, allow_session ok, text",
        ]
    );
    // The user took half a second at least, for as long as the buttons rest.
    assert!(logged[0].duration_ms >= 500 && logged[0].duration_ms < 60_000, "{:?}", logged[0]);
}

fn in_short(entry: &ActivityEntry, site: &str) -> String {
    let told = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    let (key, origin) = (told(&entry.key), told(&entry.origin).replace(site, "SITE"));
    let text = if entry.characters > 0 { ", text" } else { "" };
    let bytes = if entry.bytes > 0 { ", bytes" } else { "" };
    let tabs = match entry.tabs {
        0 => String::new(),
        1 => ", 1 tab".to_owned(),
        tabs => format!(", {tabs} tabs"),
    };
    let (tool, decision, outcome) = (&entry.tool, told(&entry.decision), &entry.outcome);
    format!("{tool} {key} {origin} {decision} {outcome}{text}{tabs}{bytes}")
}

#[tokio::test]
async fn what_is_older_than_entries_are_kept_is_gone_when_the_hub_starts_and_the_log_is_whole() {
    let mut kit = Kit::start().await;
    kit.settings.log_days = 30;
    let store = Store::open(&kit.settings.home.store_path()).await.unwrap();
    let days_ago = |days: i64| ActivityEntry::lost(1, now_ms() - days * DAY);
    let owner = Owner::local();
    store.append(&owner, &[days_ago(40), days_ago(31), days_ago(29)]).await.unwrap();
    kit.restart().await;
    let kept = store.latest_activity(&owner, Some("outrigger"), 10).await.unwrap();
    assert_eq!(kept.iter().map(|LoggedEntry { seq, .. }| *seq).collect::<Vec<_>>(), [3]);
    assert_eq!(store.verify_activity().await.unwrap(), Verdict::Verified { entries: 1 });
}
