//! Where serving an agent comes to an end, or can't go on: what it reads is denied, a
//! site that it follows is, or the place to go on from is kept no more.

use std::time::{SystemTime, UNIX_EPOCH};

use outrigger_protocol::records::RecordId;
use outrigger_store::records::{NewRecord, RecordStore as _, Retention, SqliteRecords, Writing};
use outrigger_store::{Owner, Store};
use outrigger_testkit::{Api, Events, Kit, Panel, Told};
use serde_json::{Value, json};

const RECORDS: &str = "/api/v1/records";
const AGENTS: &str = "/api/v1/agents";
const PERMISSIONS: &str = "/api/v1/chat/tool-permissions";

async fn made(api: &Api, body: Value) {
    let answer = api.ask("POST", RECORDS, body).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
}

async fn agent(api: &Api, agent_id: &str, selector: Value) {
    let context = json!({"agent_id": agent_id, "subscriptions": {"selectors": [selector]}});
    made(api, json!({"schema_name": "agent.def.v1", "context": context})).await;
}

async fn served(api: &Api, agent_id: &str) -> (Events, Told) {
    let mut events = api.follow(&format!("{AGENTS}/{agent_id}/events"), None).await;
    let begun = events.next().await.unwrap();
    assert_eq!(begun.event, "begun");
    (events, begun)
}

async fn deny(api: &Api, key: &str, origin: &str) {
    let policy = json!({"toolPattern": key, "originPattern": origin, "decision": "deny_always"});
    let denied = api.ask("PUT", PERMISSIONS, policy).await;
    assert_eq!(denied.status, 200, "{}", denied.body);
}

#[tokio::test]
async fn an_agent_is_served_no_more_once_reading_records_is_denied() {
    let kit = Kit::start().await;
    let (api, client) = (kit.api(), kit.client().await);
    agent(&api, "reader", json!({"any_tags": ["tea"]})).await;
    let (mut events, _) = served(&api, "reader").await;
    let waiting = client.call("agent_next", json!({"agent_id": "reader", "wait_ms": 20_000}));
    let denying = async {
        deny(&api, "record:read", "*").await;
        assert!(events.next().await.is_none(), "it ends without an event");
        made(&api, json!({"schema_name": "note.v1", "tags": ["tea"]})).await;
    };
    let (answer, ()) = tokio::join!(waiting, denying);
    assert_eq!(answer.code.as_deref(), Some("not_allowed"), "{}", answer.text);
    assert!(!answer.text.contains("The next item"), "{}", answer.text);
    let again = api.ask("GET", &format!("{AGENTS}/reader/events"), Value::Null).await;
    assert_eq!(again.status, 403, "{}", again.body);
    client.refused("agent_next", json!({"agent_id": "reader"}), "not_allowed").await;
}

#[tokio::test]
async fn an_agent_that_follows_the_page_gets_nothing_of_a_site_that_is_denied() {
    let kit = Kit::start().await;
    let api = kit.api();
    agent(&api, "page-assistant", json!({"schema_name": "browser.page.context.v1"})).await;
    let (mut events, _) = served(&api, "page-assistant").await;
    let token = kit.hub().pairing_token().reveal();
    let mut person = Panel::link(kit.settings.port, "person", token).await;
    let page = |host: &str, title: &str| json!({"url": format!("https://{host}/"), "domain": host, "title": title});
    person.looks_at(page("bank.test", "Balance")).await;
    let told = events.next().await.expect("it is served");
    assert_eq!(told.data["context"]["title"], "Balance", "{told:?}");

    deny(&api, "tab_read:dom", "https://bank.test").await;
    let told = events.next().await.expect("it goes on");
    assert_eq!(told.data["context"]["url"], "", "{told:?}");
    assert!(!told.data.to_string().contains("bank"), "{told:?}");
    // Of what is looked at there later it hears nothing, of another site again.
    person.looks_at(page("bank.test", "Transfer")).await;
    person.looks_at(page("tea.test", "Tea")).await;
    loop {
        let told = events.next().await.expect("it goes on");
        assert!(!told.data.to_string().contains("bank"), "{told:?}");
        if told.data["context"]["title"] == "Tea" {
            break;
        }
    }
}

fn now_ms() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(now.as_millis()).unwrap()
}

/// Writes so much that only the last events are kept.
async fn forget_all_but_the_last(kit: &Kit) {
    let store = Store::open(&kit.settings.home.path().join("outrigger.db")).await.unwrap();
    let behind = SqliteRecords::new(store, Retention::of_events(2));
    for number in 1..=10 {
        let note = NewRecord {
            id: RecordId::of_bits(number),
            schema_name: "note.v1".into(),
            title: String::new(),
            tags: vec!["tea".into()],
            context: json!({"n": 1}).as_object().unwrap().clone(),
            made_by: "machine token".into(),
        };
        behind.create(&Owner::local(), note, Writing::at(now_ms())).await.unwrap();
    }
}

#[tokio::test]
async fn a_place_that_is_kept_no_more_is_gone_and_the_agent_can_begin_anew() {
    let mut kit = Kit::start().await;
    let api = kit.api();
    agent(&api, "reader", json!({"any_tags": ["tea"]})).await;
    let (events, begun) = served(&api, "reader").await;
    let mut followed = api.follow("/api/v1/events?tag=tea", None).await;
    let place = followed.next().await.unwrap().id;
    drop((events, followed));
    forget_all_but_the_last(&kit).await;
    kit.restart().await;

    let api = kit.api();
    let serving = format!("{AGENTS}/reader/events");
    for (path, after) in [
        ("/api/v1/events?tag=tea", Some(&place)),
        (serving.as_str(), Some(&begun.id)),
        // Without a place the one that it acknowledged counts, which is as old.
        (serving.as_str(), None),
    ] {
        let headers: Vec<_> = after.map(|id| ("Last-Event-ID", id.as_str())).into_iter().collect();
        let gone = api.ask_with("GET", path, &headers, Value::Null).await;
        let code = gone.body["code"].as_str();
        assert_eq!((gone.status, code), (410, Some("events_pruned")), "{path}: {}", gone.body);
    }
    let listed = api.ask("GET", AGENTS, Value::Null).await.body;
    assert!(listed["items"][0]["error"].is_string(), "how many wait can't be said: {listed}");
    let ack = format!("{AGENTS}/reader/ack");
    let gone = api.ask("POST", &ack, json!({"position": begun.id})).await;
    assert_eq!((gone.status, gone.body["code"].as_str()), (410, Some("events_pruned")));

    let now = api.ask("POST", &ack, json!({"position": "now"})).await;
    assert_eq!(now.status, 200, "{}", now.body);
    let (mut events, _) = served(&api, "reader").await;
    let later = json!({"schema_name": "note.v1", "tags": ["tea"], "context": {"text": "later"}});
    made(&api, later).await;
    assert_eq!(events.next().await.unwrap().data["context"]["text"], "later");
}
