//! Hubs that share a PostgreSQL and a NATS: what one writes, whoever follows at another
//! hears; a server that goes away is told clearly, and nothing is missed once it is back.

use std::time::{Duration, Instant};

use outrigger_testkit::{Api, Events, Kit, NatsServer, Pages, PostgresServer, eventually};
use serde_json::{Value, json};

const RECORDS: &str = "/api/v1/records";
const FOLLOW: &str = "/api/v1/events?schema_name=note.v1";

/// With a password, which the server of a test doesn't ask for.
fn database(server: &PostgresServer) -> String {
    server.url().replace("postgres@", "postgres:hush-hush@")
}

async fn hub(server: &PostgresServer, nats: Option<&NatsServer>) -> Kit {
    Kit::in_a_team(&database(server), nats).await
}

async fn write(api: &Api, n: u64) -> (u16, Value) {
    let note = json!({"schema_name": "note.v1", "context": {"n": n}});
    let answer = api.ask("POST", RECORDS, note).await;
    (answer.status, answer.body)
}

/// The id of a record that is written at last.
async fn written(api: &Api, n: u64) -> Value {
    eventually("it is written to again", || async {
        let (status, body) = write(api, n).await;
        assert!(status == 201 || body["code"] == "database_unreachable", "{status} {body}");
        (status == 201).then(|| body["id"].clone())
    })
    .await
}

async fn hears_of(events: &mut Events, id: &Value) {
    let told = events.next().await.expect("it goes on");
    assert_eq!((told.event.as_str(), &told.data["id"]), ("record.created", id));
}

/// Waits until that page is what the user looks at.
async fn looks_at(api: &Api, title: &str) {
    eventually(title, || async {
        let path = format!("{RECORDS}?schema_name=browser.page.context.v1");
        let found = api.ask("GET", &path, Value::Null).await;
        let items = found.body["items"].as_array()?;
        items.iter().any(|item| item["context"]["title"] == title).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_hub_writes_is_heard_of_at_another_and_an_outage_loses_nothing() {
    let (mut server, mut nats) = (PostgresServer::start(), NatsServer::start());
    let (one, other) = (hub(&server, Some(&nats)).await, hub(&server, Some(&nats)).await);
    let (writes, follows) = (one.api(), other.api());
    let mut events = follows.follow(FOLLOW, None).await;
    assert_eq!(events.next().await.unwrap().event, "begun");
    let first = written(&writes, 1).await;
    hears_of(&mut events, &first).await;
    let path = format!("{RECORDS}/{}", first.as_str().unwrap());
    let read = follows.ask("GET", &path, Value::Null).await;
    assert_eq!((read.status, &read.body["context"]), (200, &json!({"n": 1})));
    for kit in [&one, &other] {
        eventually("NATS is connected", || async { kit.warnings().await.is_empty().then_some(()) })
            .await;
    }
    // The other looks by itself every five seconds: it would take it 20 at least.
    let began = Instant::now();
    for n in 0..5 {
        let id = written(&writes, n).await;
        hears_of(&mut events, &id).await;
    }
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());

    server.stop();
    for answer in [write(&writes, 2).await, {
        let read = follows.ask("GET", &path, Value::Null).await;
        (read.status, read.body)
    }] {
        let (status, body) = answer;
        assert_eq!((status, body["code"].as_str()), (503, Some("database_unreachable")), "{body}");
        let words = body["error"].as_str().unwrap();
        assert!(words.contains("DATABASE_URL") && !words.contains("hush"), "{words}");
    }
    let told = one.warnings().await;
    assert!(told.iter().any(|words| words.contains("can't be reached")), "{told:?}");
    assert!(!told.concat().contains("hush"), "{told:?}");
    server.resume();
    let second = written(&writes, 3).await;
    hears_of(&mut events, &second).await;

    nats.stop();
    let third = written(&writes, 4).await;
    hears_of(&mut events, &third).await;
    let told = other.warnings().await;
    assert!(told.iter().any(|words| words.contains("NATS_URL")), "{told:?}");
    nats.resume();
    let fourth = written(&writes, 5).await;
    hears_of(&mut events, &fourth).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hub_that_starts_before_its_servers_says_so_and_goes_on_once_they_are_there() {
    let (mut server, mut nats) = (PostgresServer::start(), NatsServer::start());
    server.stop();
    nats.stop();
    let kit = hub(&server, Some(&nats)).await;
    let api = kit.api();
    let pages = Pages::serve(&[("/", "<title>Tea</title>")]).await;
    kit.launch().await;
    kit.page_in_front(&pages.url("/")).await;
    looks_at(&api, "Tea").await;
    let began = Instant::now();
    let many = (0..20).map(|n| {
        let api = api.clone();
        tokio::spawn(async move { write(&api, n).await.0 })
    });
    for one in many.collect::<Vec<_>>() {
        assert_eq!(one.await.unwrap(), 503);
    }
    assert!(began.elapsed() < Duration::from_secs(20), "they don't wait in a row");
    let mut early = api.follow(FOLLOW, None).await;
    assert_eq!(early.next().await.unwrap().event, "begun");
    let (status, body) = write(&api, 1).await;
    assert_eq!((status, body["code"].as_str()), (503, Some("database_unreachable")), "{body}");
    assert!(!body.to_string().contains("hush"), "{body}");
    assert_eq!(api.ask("GET", "/api/v1/tokens", Value::Null).await.status, 200);
    server.resume();
    written(&api, 2).await;
    // What happened before the database was there is for this one to look up.
    assert_eq!(early.next().await.unwrap().event, "gap");
    looks_at(&api, "Tea").await;
    let told = kit.warnings().await;
    assert!(told.iter().any(|words| words.contains("NATS_URL")), "{told:?}");
    nats.resume();
    eventually("NATS is connected", || async { kit.warnings().await.is_empty().then_some(()) })
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_user_looks_at_is_kept_while_the_database_is_gone() {
    let mut server = PostgresServer::start();
    let kit = hub(&server, None).await;
    let api = kit.api();
    let pages =
        Pages::serve(&[("/", "<title>Tea</title>"), ("/milk", "<title>Milk</title>")]).await;
    kit.launch().await;
    let client = kit.page_in_front(&pages.url("/")).await;
    looks_at(&api, "Tea").await;
    server.stop();
    client.ok("browser_navigate", json!({"url": pages.url("/milk")})).await;
    looks_at(&api, "Milk").await;
    assert_eq!(write(&api, 1).await.0, 503);
}
