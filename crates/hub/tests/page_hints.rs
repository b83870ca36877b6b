//! Hints about the page that the user looks at, in a real browser: none unless they are
//! wanted, and gone with the page, with the user's no and with the browser.

use outrigger_hub::home::TokenKind;
use outrigger_testkit::{Api, Kit, Pages, eventually};
use serde_json::{Value, json};

const FOLLOW: &str = "/api/v1/events?schema_name=browser.page.context.v1";
const MILK: &str = "<!doctype html><title>Milk</title><h1>White</h1>";
const SAID: &str = "This form has 12 fields, 4 of them required.";

/// A form of twelve fields, four of them required.
fn form() -> String {
    let field = |n: usize| {
        let required = if n < 4 { "required" } else { "" };
        format!("<label>Field {n} <input name=field{n} {required}></label><br>")
    };
    let fields: String = (0..12).map(field).collect();
    format!(
        "<!doctype html><title>Contact us</title><h1>Contact us</h1><p>Tell us what you need.</p>
         <form action=/send method=post>{fields}<button>Send message</button></form>"
    )
}

async fn found(api: &Api, schema: &str) -> Vec<Value> {
    let path = format!("/api/v1/records?schema_name={schema}");
    api.ask("GET", &path, Value::Null).await.body["items"].as_array().unwrap().clone()
}

async fn hints(api: &Api) -> Vec<Value> {
    found(api, "page.hint.v1").await
}

async fn is_said(api: &Api) -> Value {
    eventually("the hint is there", || async {
        hints(api).await.into_iter().find(|hint| hint["context"]["text"] == SAID)
    })
    .await
}

async fn is_gone(api: &Api, why: &str) {
    eventually(why, || async { hints(api).await.is_empty().then_some(()) }).await;
}

/// Waits until the page was read, and gives its context.
async fn read(api: &Api, title: &str) -> Value {
    eventually("the page is read", || async {
        let contexts = found(api, "browser.page.context.v1").await;
        let of_page = |found: &&Value| {
            found["context"]["title"] == title && found["context"].get("content").is_some()
        };
        contexts.iter().find(of_page).map(|found| found["context"].clone())
    })
    .await
}

async fn with_hints() -> Kit {
    let mut kit = Kit::start().await;
    kit.settings.page_hints = true;
    kit.restart().await;
    kit
}

#[tokio::test]
async fn unless_they_are_wanted_there_are_none_though_somebody_follows() {
    let kit = Kit::start().await;
    let pages = Pages::serve(&[("/", &form())]).await;
    let api = kit.api();
    let _events = api.follow(FOLLOW, None).await;
    kit.launch().await;
    let client = kit.page_in_front(&pages.url("/")).await;
    let context = read(&api, "Contact us").await;
    assert_eq!(context["page_kind"], "form", "what it is taken for is told all the same");
    assert!(context["page_kind_confidence"].as_f64().unwrap() > 0.5, "{context}");
    // Whatever is kept about a page is kept before the next one is known.
    client.ok("browser_navigate", json!({"url": pages.url("/#again")})).await;
    eventually("the next one is known", || async {
        let contexts = found(&api, "browser.page.context.v1").await;
        contexts.iter().any(|found| found["context"]["url"] == pages.url("/#again")).then_some(())
    })
    .await;
    assert_eq!(hints(&api).await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_form_is_told_of_while_it_is_looked_at_and_no_longer() {
    let kit = with_hints().await;
    let pages = Pages::serve(&[("/", &form()), ("/milk", MILK)]).await;
    let api = kit.api();
    kit.launch().await;
    let client = kit.page_in_front(&pages.url("/")).await;
    // Nobody follows: that hints are wanted is enough to have the page read.
    let hint = is_said(&api).await;
    let context = &hint["context"];
    assert_eq!((&hint["title"], &context["hint"]), (&json!(SAID), &json!("form_fields")));
    assert_eq!(context["facts"], json!({"fields": 12, "required": 4}));
    assert_eq!((&context["url"], &context["page_kind"]), (&json!(pages.url("/")), &json!("form")));

    client.ok("browser_navigate", json!({"url": pages.url("/milk")})).await;
    is_gone(&api, "it goes with the page").await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    is_said(&api).await;
    assert_eq!(hints(&api).await.len(), 1);
}

#[tokio::test]
async fn hints_go_with_the_users_no_and_with_the_browser() {
    let kit = with_hints().await;
    let pages = Pages::serve(&[("/", &form())]).await;
    let browser = kit.personal_browser().await;
    let devtools = browser.devtools().await;
    let api = kit.api();
    let worker = devtools.worker().await;
    browser.open(&pages.url("/")).await;
    let tab = devtools.page(&pages.url("/")).await;
    tab.command("Page.bringToFront", json!({})).await;
    is_said(&api).await;
    worker.evaluate("chrome.storage.local.set({untrackedSites: ['127.0.0.1']})").await;
    tab.evaluate("document.title = 'Later'").await;
    is_gone(&api, "it goes with the no").await;
    worker.evaluate("chrome.storage.local.set({untrackedSites: []})").await;
    tab.evaluate("document.title = 'Again'").await;
    is_said(&api).await;
    // A browser that is unlinked for good; one that is closed may come back for a while.
    kit.settings.home.rotate_token(TokenKind::Pairing).unwrap();
    is_gone(&api, "it goes with the browser").await;
}
