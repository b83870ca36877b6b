//! What the user looks at, as a record that is kept current by a real browser.

use outrigger_testkit::{Api, Events, Kit, Panel, Told, eventually};
use serde_json::{Value, json};

const TEA: &str = "<!doctype html><title>Tea</title><h1>Green</h1><a href=/milk>Milk</a>
    <form><input name=cups type=number required><input type=password value=kanarie-word></form>
    <button onclick=\"document.body.append(...Array.from({length: 5}, () => Object.assign(document.createElement('h2'), {textContent: 'More'})))\">Go</button>";
const MILK: &str = "<!doctype html><title>Milk</title><h1>White</h1>";

const PERMISSIONS: &str = "/api/v1/chat/tool-permissions";
const TRUST: &str = "/api/v1/domain-trust";
const ACTIVE: &str = "outrigger://context/active";

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
async fn whoever_follows_by_a_tag_has_the_page_read_too() {
    let (kit, pages, client) = Kit::with_browser(&[("/", TEA)]).await;
    let api = kit.api();
    client.call("browser_navigate", json!({"url": pages.url("/")})).await;
    let _events = api.follow("/api/v1/events?any_tags=browser:active-tab", None).await;
    let has_content = |found: &Value| found["context"]["content"]["headings"] == json!(["Green"]);
    looks_at(&api, "following has it read", has_content).await;
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
    let client = kit.client().await;
    let said = client.ok("context_get", json!({})).await;
    assert!(said.contains("has not switched on"), "{said}");
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
    let said = client.ok("context_get", json!({})).await;
    assert!(said.contains("may not be told"), "{said}");
}

/// A read token, as a program of the user's has it.
async fn reader(kit: &Kit) -> Api {
    let token = json!({"name": "reader", "scope": "read"});
    let made = kit.api().ask("POST", "/api/v1/tokens", token).await.body;
    Api::new(kit.settings.port, made["token"].as_str().expect("a token"))
}

async fn person(kit: &Kit) -> Panel {
    Panel::link(kit.settings.port, "person", kit.hub().pairing_token().reveal()).await
}

#[tokio::test]
async fn what_is_blocked_is_taken_back_at_once_and_told_again_when_it_is_let_go() {
    let (kit, pages, client) = Kit::with_browser(&[("/", TEA)]).await;
    let there = pages.url("/").replace("127.0.0.1", "shop.test");
    let _front = kit.page_in_front(&there).await;
    let (api, reader) = (kit.api(), reader(&kit).await);
    let _events = reader.follow(FOLLOW, None).await;
    let is_read = |found: &Value| found["context"]["content"]["headings"] == json!(["Green"]);
    looks_at(&reader, "following has it read", is_read).await;
    assert!(client.read(ACTIVE).await.unwrap().contains("Green"));

    let blocked = api.ask("PUT", TRUST, json!({"domain": "shop.test", "trust": "blocked"})).await;
    assert_eq!(blocked.status, 200, "{}", blocked.body);
    let told = json!(contexts(&reader).await).to_string();
    assert!(!told.contains("Green") && !told.contains("shop.test"), "{told}");
    let said = client.ok("context_get", json!({})).await;
    assert!(said.contains("may not be told") && !said.contains("Green"), "{said}");
    let said = client.read(ACTIVE).await.unwrap();
    assert!(said.contains("may not be told") && !said.contains("Green"), "{said}");

    let mut person = person(&kit).await;
    let site = json!({"domain": "shop.test"});
    let (let_go, _) = tokio::join!(api.ask("DELETE", TRUST, site), person.answer(true, "once"));
    assert_eq!(let_go.status, 200, "{}", let_go.body);
    looks_at(&reader, "it is told again", is_read).await;
}

#[tokio::test]
async fn what_no_agent_may_read_is_not_told_when_it_is_reported_and_not_afterwards() {
    let kit = Kit::start().await;
    let api = kit.api();
    let deny = async |origin: &str| {
        let policy = json!({"toolPattern": "tab_read:dom", "originPattern": origin,
            "decision": "deny_always"});
        let denied = api.ask("PUT", PERMISSIONS, policy).await;
        assert_eq!(denied.status, 200, "{}", denied.body);
    };
    let page = |host: &str, title: &str| json!({"url": format!("https://{host}/"), "domain": host, "title": title});
    let mut person = person(&kit).await;
    deny("https://bank.test").await;
    person.looks_at(page("bank.test", "Balance")).await;
    person.looks_at(page("tea.test", "Tea")).await;
    let title = |title: &'static str| move |found: &Value| found["context"]["title"] == title;
    let tea = looks_at(&api, "the allowed page is told", title("Tea")).await;
    assert_eq!(tea["version"], 1, "of the other one nothing was ever written");

    deny("https://tea.test").await;
    let told = json!(contexts(&api).await).to_string();
    assert!(!told.contains("Tea") && !told.contains("tea.test"), "{told}");
    // Reports go on, and are told again once the user says so.
    person.looks_at(page("tea.test", "Later")).await;
    let policy = json!({"toolPattern": "tab_read:dom", "originPattern": "https://tea.test"});
    let (taken_back, _) =
        tokio::join!(api.ask("DELETE", PERMISSIONS, policy), person.answer(true, "once"));
    assert_eq!(taken_back.status, 200, "{}", taken_back.body);
    looks_at(&api, "it is told again, as it is now", title("Later")).await;
}

#[tokio::test]
async fn whoever_hears_nothing_is_let_go_too_when_reading_is_denied() {
    let kit = Kit::start().await;
    let mut events = reader(&kit).await.follow(FOLLOW, None).await;
    assert_eq!(events.next().await.unwrap().event, "begun");
    let client = kit.client().await;
    client.subscribe(ACTIVE).await.unwrap();
    let mut person = person(&kit).await;
    person.looks_at(json!({})).await;
    person.until_followed(true).await;

    let deny =
        json!({"toolPattern": "record:read", "originPattern": "*", "decision": "deny_always"});
    assert_eq!(kit.api().ask("PUT", PERMISSIONS, deny).await.status, 200);
    assert!(events.next().await.is_none(), "it ends without an event");
    person.until_followed(false).await;
}
