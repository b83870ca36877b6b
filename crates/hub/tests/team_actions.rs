//! Actions where hubs share a PostgreSQL and a NATS: done once, by the hub that has what
//! they need, in their author's order, though what can't be done yet waits.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::shown_tokens::confirmed_token;
use outrigger_protocol::records::RecordId;
use outrigger_store::Owner;
use outrigger_store::records::{NewRecord, PostgresRecords, RecordStore as _, Retention, Writing};
use outrigger_store::tokens::Scope;
use outrigger_testkit::{Api, Kit, LossyLine, NatsServer, Pages, PostgresServer, eventually};
use serde_json::{Value, json};

/// Who writes with the token of the machine's user.
const MACHINE: &str = "machine token";

const RECORDS: &str = "/api/v1/records";

const TEA: &str = "<!doctype html><title>Tea</title><input id=kind>
    <button onclick=\"count.textContent = +count.textContent + 1\">Pour</button><p id=count>0</p>";

async fn hub(server: &PostgresServer, nats: &NatsServer) -> Kit {
    let kit = Kit::in_a_team(&server.url(), Some(nats)).await;
    eventually("NATS is connected", || async { kit.warnings().await.is_empty().then_some(()) })
        .await;
    kit
}

fn pour() -> Value {
    json!({"action": "click", "target": {"text": "Pour"}})
}

/// Holds only where it was poured so often.
fn poured(times: u32) -> Value {
    let target = json!({"xpath": "//p[@id='count']", "text": times.to_string()});
    json!({"action": "hover", "target": target})
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_is_carried_out_by_the_hub_that_has_what_it_needs() {
    let (server, nats) = (PostgresServer::start(), NatsServer::start());
    let (without, with) = (hub(&server, &nats).await, hub(&server, &nats).await);
    let pages = Pages::serve(&[("/", TEA)]).await;
    let _browser = with.launch().await;
    let (here, there) = (with.api(), without.api());
    // Whoever it is told to hears of it first, and has no browser.
    there.done(json!({"action": "navigate", "url": pages.url("/")})).await;
    for _ in 0..5 {
        there.done(pour()).await;
    }
    // What is to be typed is known to one hub alone.
    let typed = json!({"action": "type", "target": {"xpath": "//input"}, "text": "oolong"});
    here.done(typed).await;
    // A browser that is linked later changes nothing for the author's tabs elsewhere.
    let _other = without.launch().await;
    for _ in 0..3 {
        there.done(pour()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_can_do_holds_up_nothing_that_comes_later() {
    let (server, nats) = (PostgresServer::start(), NatsServer::start());
    let kit = hub(&server, &nats).await;
    let pages = Pages::serve(&[("/", TEA)]).await;
    kit.launch().await;
    let api = kit.api();
    let nowhere = api.order(json!({"action": "back", "tabId": 99_999})).await;
    let began = Instant::now();
    api.done(json!({"action": "navigate", "url": pages.url("/")})).await;
    // All at once, between others that wait, and one after the other all the same.
    let mut ids = Vec::new();
    for context in [pour(), json!({"action": "back", "tabId": 99_998}), pour(), poured(2)] {
        ids.push(api.order(context).await);
    }
    let slow = json!({"action": "navigate", "url": pages.url("/slow/1500")});
    ids.push(api.order(slow).await);
    ids.push(api.order(json!({"action": "navigate", "url": pages.url("/")})).await);
    ids.push(api.order(poured(0)).await);
    for id in ids.iter().filter(|id| **id != ids[1]) {
        let result = api.outcome(id).await;
        assert_eq!(result["status"], "done", "{result}");
    }
    // Those that nobody can do have most of a minute.
    assert!(began.elapsed() < Duration::from_secs(40), "{:?}", began.elapsed());
    for id in [&nowhere, &ids[1]] {
        assert_eq!(api.result_of(id).await, Value::Null, "it waits still");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_is_done_in_its_order_once_it_can_be() {
    let (server, nats) = (PostgresServer::start(), NatsServer::start());
    let kit = hub(&server, &nats).await;
    let pages = Pages::serve(&[("/", TEA)]).await;
    let api = kit.api();
    let mut ids = Vec::new();
    let go = json!({"action": "navigate", "url": pages.url("/")});
    for context in [go, pour(), poured(1), pour(), pour(), poured(3)] {
        ids.push(api.order(context).await);
    }
    let removed = api.order(pour()).await;
    let (path, version) = (format!("{RECORDS}/{removed}"), [("If-Match", "\"1\"")]);
    assert_eq!(api.ask_with("DELETE", &path, &version, Value::Null).await.status, 204);
    ids.push(api.order(poured(3)).await);
    kit.launch().await;
    for id in &ids {
        let result = api.outcome(id).await;
        assert_eq!(result["status"], "done", "{result}");
    }
    assert_eq!(api.result_of(&removed).await, Value::Null);
}

/// An action that is nearly a minute old, past the hubs.
async fn left_behind(
    server: &PostgresServer,
    number: u128,
    made_by: &str,
    context: Value,
) -> String {
    let (url, patience) = (server.url(), Duration::from_secs(10));
    let behind = PostgresRecords::connect(&url, patience, Retention::default()).await.unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let asked = i64::try_from(now.as_millis()).unwrap() - 50_000;
    let action = NewRecord {
        id: RecordId::of_bits(number),
        schema_name: "browser.action.v1".into(),
        title: String::new(),
        tags: Vec::new(),
        context: context.as_object().unwrap().clone(),
        made_by: made_by.into(),
    };
    let id = action.id.to_string();
    behind.create(&Owner::local(), action, Writing::at(asked)).await.unwrap();
    id
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_could_do_is_answered_before_it_is_old() {
    let (server, nats) = (PostgresServer::start(), NatsServer::start());
    let kit = hub(&server, &nats).await;
    kit.launch().await;
    let id = left_behind(&server, 1, MACHINE, json!({"action": "back", "tabId": 99_999})).await;
    let result = kit.api().outcome(&id).await;
    assert_eq!((&result["status"], &result["code"]), (&json!("refused"), &json!("no_tab")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_of_another_hub_is_taken_for_none_of_its_own() {
    let (server, nats) = (PostgresServer::start(), NatsServer::start());
    let kit = hub(&server, &nats).await;
    let pages = Pages::serve(&[("/", TEA)]).await;
    kit.launch().await;
    let api = kit.api();
    let _followed = api.follow("/api/v1/events?schema_name=browser.page.context.v1", None).await;
    api.done(json!({"action": "navigate", "url": pages.url("/")})).await;
    let page = api.pages_told(1).await.into_values().next().unwrap();
    let pour = page["dom"]["interactiveElements"].as_object().unwrap();
    let (index, _) = pour.iter().find(|(_, element)| element["text"] == "Pour").unwrap();
    let counted = json!({"highlightIndex": index.parse::<u64>().unwrap()});
    let by_index = json!({"action": "click", "target": counted});
    let mut by_tab = json!({"action": "click", "target": {"text": "Pour"}});
    by_tab["tabId"] = page["session"]["tabId"].clone();
    for (number, context) in (1..).zip([&by_index, &by_tab]) {
        let mut elsewhere = context.clone();
        elsewhere["hub"] = json!("another");
        let result = api.outcome(&left_behind(&server, number, MACHINE, elsewhere).await).await;
        let said = (result["status"].as_str(), result["code"].as_str());
        assert_eq!(said, (Some("refused"), Some("which_browser")), "{context}: {result}");
    }
    api.done(poured(0)).await;
    // Written here it is one of this hub, whatever its author says of hubs; and so it is
    // everywhere with the browser's name.
    let mut pretended = by_index.clone();
    pretended["hub"] = json!("another");
    api.done(pretended).await;
    let mut named = by_tab.clone();
    named["extensionId"] = page["session"]["extensionId"].clone();
    named["hub"] = json!("another");
    let result = api.outcome(&left_behind(&server, 3, MACHINE, named).await).await;
    assert_eq!(result["status"], "done", "{result}");
    api.done(poured(2)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_of_another_hub_is_taken_for_none_of_its_own() {
    let (server, nats) = (PostgresServer::start(), NatsServer::start());
    let kit = hub(&server, &nats).await;
    let pages = Pages::serve(&[("/", TEA)]).await;
    kit.launch().await;
    let (number, word) = confirmed_token(&kit, Scope::Act).await;
    let api = Api::new(kit.settings.port, &word);
    let go = json!({"action": "navigate", "url": pages.url("/")});
    api.done(go.clone()).await;
    for (bits, author) in
        [(1, format!("token {number}")), (2, format!("agent:x of token {number}"))]
    {
        let mut elsewhere = go.clone();
        elsewhere["hub"] = json!("another");
        let result = api.outcome(&left_behind(&server, bits, &author, elsewhere).await).await;
        let said = (result["status"].as_str(), result["code"].as_str());
        assert_eq!(said, (Some("refused"), Some("not_allowed")), "{author}: {result}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_is_carried_out_though_the_store_was_away_for_a_moment() {
    let (mut server, nats) = (PostgresServer::start(), NatsServer::start());
    let kit = hub(&server, &nats).await;
    let pages = Pages::serve(&[("/", TEA)]).await;
    let api = kit.api();
    let mut heard = api.follow("/api/v1/events?schema_name=browser.action.v1", None).await;
    assert_eq!(heard.next().await.unwrap().event, "begun");
    let id = api.order(json!({"action": "navigate", "url": pages.url("/")})).await;
    assert_eq!(heard.next().await.unwrap().data["id"], id.as_str());
    // It could be begun now, and nobody can say so: for longer than the hub waits for a
    // server each time that it asks.
    server.stop();
    kit.launch().await;
    tokio::time::sleep(Duration::from_secs(6)).await;
    server.resume();
    let result = api.outcome(&id).await;
    assert_eq!(result["status"], "done", "{result}");
    api.done(pour()).await;
    api.done(poured(1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_is_carried_out_by_whoever_took_it_on_without_being_told_so() {
    let server = PostgresServer::start();
    let line = LossyLine::to(&server, "Result of navigate").await;
    let kit = Kit::in_a_team(line.url(), None).await;
    let pages = Pages::serve(&[("/", TEA)]).await;
    kit.launch().await;
    let api = kit.api();
    let id = api.order(json!({"action": "navigate", "url": pages.url("/")})).await;
    eventually("the answer is lost", || async { line.has_lost().then_some(()) }).await;
    let result = api.outcome(&id).await;
    assert_eq!(result["status"], "done", "{result}");
    api.done(pour()).await;
    api.done(poured(1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_hub_begins_what_comes_after_an_action_that_another_is_at() {
    let (server, nats) = (PostgresServer::start(), NatsServer::start());
    let (one, other) = (hub(&server, &nats).await, hub(&server, &nats).await);
    let pages = Pages::serve(&[("/", TEA)]).await;
    one.launch().await;
    other.launch().await;
    let api = one.api();
    let go = |path: &str| json!({"action": "navigate", "url": pages.url(path)});
    let hub = api.done(go("/")).await["hub"].clone();
    let mut ids = Vec::new();
    for context in [go("/slow/2000"), go("/"), pour(), poured(1)] {
        ids.push(api.order(context).await);
    }
    for id in &ids {
        let result = api.outcome(id).await;
        assert_eq!((&result["status"], &result["hub"]), (&json!("done"), &hub), "{result}");
    }
}
