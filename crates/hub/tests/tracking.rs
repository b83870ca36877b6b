//! What the user looks at, as a record that is kept current by a real browser.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use outrigger_testkit::{Api, Events, Kit, Told, eventually};
use serde_json::{Value, json};

const TEA: &str = "<!doctype html><title>Tea</title><h1>Green</h1><a href=/milk>Milk</a>
    <form><input name=cups type=number required><input type=password value=kanarie-word></form>
    <button onclick=\"document.body.append(...Array.from({length: 5}, () => Object.assign(document.createElement('h2'), {textContent: 'More'})))\">Go</button>";
const MILK: &str = "<!doctype html><title>Milk</title><h1>White</h1>";

const FOLLOW: &str = "/api/v1/events?schema_name=browser.page.context.v1";

/// All records of what is looked at.
async fn contexts(api: &Api) -> Vec<Value> {
    let found = api.ask("GET", "/api/v1/records?schema_name=browser.page.context.v1", Value::Null);
    found.await.body["items"].as_array().unwrap().clone()
}

/// Waits until what is looked at is so.
async fn looks_at(api: &Api, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    eventually(what, || async { contexts(api).await.into_iter().find(|found| is_so(found)) }).await
}

async fn next_of(events: &mut Events, id: &Value) -> Told {
    loop {
        let told = events.next().await.expect("it goes on");
        if told.event != "begun" && told.data["id"] == *id {
            return told;
        }
    }
}

#[tokio::test]
async fn the_record_follows_the_page_and_is_read_only_while_somebody_follows_it() {
    let (kit, pages, client) = Kit::with_browser(&[("/", TEA), ("/milk", MILK)]).await;
    let api = kit.api();
    client.call("browser_navigate", json!({"url": pages.url("/")})).await;
    let title = |title: &'static str| move |found: &Value| found["context"]["title"] == title;
    let first = looks_at(&api, "the page is known", title("Tea")).await;
    assert_eq!(first["title"], "Browser: Tea");
    assert_eq!(first["context"]["url"], pages.url("/"));
    assert!(first["context"].get("content").is_none(), "nobody follows it: {first}");
    assert!(first["tags"].as_array().unwrap().contains(&json!("browser:active-tab")));

    let mut events = api.follow(FOLLOW, None).await;
    assert_eq!(events.next().await.unwrap().event, "begun");
    let has_content = |found: &Value| found["context"]["content"]["headings"] == json!(["Green"]);
    let read = looks_at(&api, "following has it read", has_content).await;
    assert_eq!(read["id"], first["id"], "it is one record, in place");
    let context = &read["context"];
    assert_eq!(context["content"]["links"][0]["text"], "Milk");
    assert_eq!(context["content"]["forms"][0]["inputs"][0]["required"], true);
    assert_eq!(context["dom"]["interactiveElements"]["0"]["tag"], "a");
    assert!(!read.to_string().contains("kanarie"), "{read}");
    let path = format!("/api/v1/records/{}", read["id"].as_str().unwrap());
    let shown = api.ask("GET", &path, Value::Null).await;
    let shown = &shown.body["context"];
    let summary = "The user is viewing 'Tea' at 127.0.0.1. The page has 1 sections and 1 links.";
    assert_eq!(shown["summary"], summary);
    assert_eq!(shown["page_structure"]["forms_present"], true);
    assert!(shown["dom"].get("map").is_none() && shown["session"].get("tabId").is_none());

    // A page that changes by itself is told again, with no more than that.
    let before = next_of(&mut events, &read["id"]).await.data["version"].as_u64().unwrap();
    client.call("browser_click", json!({"selector": "button"})).await;
    let told = next_of(&mut events, &read["id"]).await;
    assert!(told.data["version"].as_u64().unwrap() > before);
    let headings = |found: &Value| {
        found["context"]["content"]["headings"].as_array().is_some_and(|list| list.len() == 6)
    };
    looks_at(&api, "the change is kept", headings).await;

    client.call("browser_navigate", json!({"url": pages.url("/milk")})).await;
    let milk = looks_at(&api, "the next page is known", title("Milk")).await;
    assert_eq!(milk["id"], first["id"]);
    assert!(milk["version"].as_u64() > read["version"].as_u64());
}

#[tokio::test]
async fn a_person_is_followed_only_after_saying_so_and_not_where_it_is_left_out() {
    let kit = Kit::start().await;
    let pages = outrigger_testkit::Pages::serve(&[("/", TEA)]).await;
    let browser = kit.personal_browser().await;
    let devtools = browser.devtools().await;
    let api = kit.api();
    let _events = api.follow(FOLLOW, None).await;
    // This browser is told where its hub is as launched ones are, which are followed.
    let worker = devtools.worker().await;
    worker.evaluate("chrome.storage.local.set({tracking: false})").await;
    browser.open(&pages.url("/")).await;
    let tab = devtools.page(&pages.url("/")).await;
    tab.until("document.readyState === 'complete'").await;
    let popup = devtools.open_own_page("popup.html").await;
    popup
        .until("document.querySelector('#tracking-words').textContent.startsWith('No agent')")
        .await;
    let told = contexts(&api).await;
    assert!(told.iter().all(|found| found["context"]["url"] == ""), "{told:?}");
    popup.press("#track", "").await;
    popup.until("document.querySelector('#track').checked").await;
    tab.command("Page.bringToFront", json!({})).await;
    let is_read = |found: &Value| found["context"]["content"]["headings"] == json!(["Green"]);
    let found = looks_at(&api, "it is followed", is_read).await;
    assert_eq!(found["context"]["title"], "Tea");

    // Left out, it is forgotten too.
    worker.evaluate("chrome.storage.local.set({untrackedSites: ['127.0.0.1']})").await;
    tab.evaluate("document.title = 'Later'").await;
    let gone = looks_at(&api, "it is forgotten", |found| found["context"]["url"] == "").await;
    assert!(gone["context"].get("content").is_none(), "{gone}");
    assert!(!gone.to_string().contains("Later") && !gone.to_string().contains("Green"));
}
