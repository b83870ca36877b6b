//! Records that ask for something to be done in the browser: done once, as their author,
//! and answered, whatever happens to the hub.

use std::time::{SystemTime, UNIX_EPOCH};

use outrigger_protocol::records::RecordId;
use outrigger_store::records::{NewRecord, RecordStore as _, Retention, SqliteRecords, Writing};
use outrigger_store::{Owner, Store};
use outrigger_testkit::{Api, Kit, eventually};
use serde_json::{Value, json};

const RECORDS: &str = "/api/v1/records";
const FOLLOW: &str = "/api/v1/events?schema_name=browser.page.context.v1";

const TEA: &str = "<!doctype html><title>Tea</title>
    <button onclick=\"count.textContent = +count.textContent + 1\">Pour</button>
    <button onclick=\"count.textContent = 100\">Pour it all away</button>
    <label>Kind <input id=kind></label>
    <label>Size <select id=size><option>Small<option>Large</select></label>
    <a href=/milk>Milk</a> <p id=count>0</p>";
const MILK: &str = "<!doctype html><title>Milk</title><h1>White</h1>";

#[tokio::test]
async fn actions_are_carried_out_in_order_and_each_is_answered() {
    let (kit, pages, _client) = Kit::with_browser(&[("/", TEA), ("/milk", MILK)]).await;
    let api = kit.api();
    let mut answers = api.follow("/api/v1/events?schema_name=browser.action.result.v1", None).await;
    assert_eq!(answers.next().await.unwrap().event, "begun");
    api.done(json!({"action": "navigate", "url": pages.url("/")})).await;
    // All at once, and one after the other all the same.
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(api.order(json!({"action": "click", "target": {"text": "Pour"}})).await);
    }
    let typed =
        json!({"action": "type", "target": {"xpath": "//input[@id='kind']"}, "text": "oolong-7"});
    ids.push(api.order(typed).await);
    let size = json!({"action": "select", "target": {"xpath": "//select"}, "option": "Large"});
    ids.push(api.order(size).await);
    for id in &ids {
        let result = api.outcome(id).await;
        assert_eq!((&result["status"], &result["action_id"]), (&json!("done"), &json!(id)));
        assert!(result["finished_at"].is_string() && result["message"].is_string(), "{result}");
    }
    // The page counted: each of the five was one click.
    let counted = json!({"xpath": "//p[@id='count']", "text": "5"});
    api.done(json!({"action": "hover", "target": counted})).await;
    // What was typed is in no record and on no disk.
    let kept = api.ask("GET", &format!("{RECORDS}/{}/full", ids[5]), Value::Null).await;
    assert_eq!(kept.body["context"]["text"], "", "{}", kept.body);
    assert!(!is_on_disk(&kit, "oolong-7"));
    // Nor is an action another one than its author wrote.
    let path = format!("{RECORDS}/{}", ids[5]);
    let changed = api.ask("PATCH", &path, json!({"version": 1, "context": {"text": "x"}})).await;
    assert_eq!((changed.status, &changed.body["code"]), (403, &json!("record_final")));

    // Not there, told twice, no such scheme: answered with what is wrong, and nothing done.
    for (context, status, code) in [
        (json!({"action": "click", "target": {"text": "Coffee"}}), "failed", "not_found"),
        (json!({"action": "click", "target": {"xpath": "//button"}}), "failed", "ambiguous"),
        (
            json!({"action": "click", "target": {"xpath": "//button[1]", "text": "Coffee"}}),
            "failed",
            "not_found",
        ),
        (json!({"action": "click", "target": {"highlightIndex": 3}}), "refused", "bad_target"),
        (json!({"action": "navigate", "url": "file:///etc/passwd"}), "refused", "forbidden_url"),
        (json!({"action": "back", "tabId": 99_999}), "refused", "no_tab"),
    ] {
        let result = api.outcome(&api.order(context.clone()).await).await;
        let said = (result["status"].as_str(), result["code"].as_str());
        assert_eq!(said, (Some(status), Some(code)), "{context}: {result}");
    }
    api.done(json!({"action": "press", "key": "Tab"})).await;
    api.done(json!({"action": "scroll", "direction": "down"})).await;
    api.done(json!({"action": "click", "target": {"text": "Milk"}})).await;
    api.done(json!({"action": "back"})).await;
    // Two events an answer: it was taken on, and it is over.
    let first = answers.next().await.unwrap();
    assert_eq!((first.event.as_str(), first.data["version"].as_u64()), ("record.created", Some(1)));
    let second = answers.next().await.unwrap();
    assert_eq!((second.event.as_str(), &second.data["id"]), ("record.updated", &first.data["id"]));

    // Nobody answers but the hub.
    let forged = json!({"schema_name": "browser.action.result.v1",
        "context": {"action_id": "x", "status": "done"}});
    assert_eq!(api.ask("POST", RECORDS, forged).await.status, 403);
}

#[tokio::test]
async fn an_index_means_the_element_that_was_told_or_nothing() {
    let (kit, pages, _client) = Kit::with_browser(&[("/", TEA), ("/milk", MILK)]).await;
    let api = kit.api();
    let _followed = api.follow(FOLLOW, None).await;
    api.done(json!({"action": "navigate", "url": pages.url("/")})).await;
    let found = eventually("the page is told", || async {
        let path = format!("{RECORDS}?schema_name=browser.page.context.v1");
        let found = api.ask("GET", &path, Value::Null).await;
        let page = found.body["items"][0]["context"].clone();
        page["dom"]["interactiveElements"]["0"].is_object().then_some(page)
    })
    .await;
    let elements = found["dom"]["interactiveElements"].as_object().unwrap();
    let index_of = |text: &str| -> u64 {
        let mut all = elements.iter();
        let found = all.find(|(_, element)| element["text"] == text).unwrap();
        found.0.parse().unwrap()
    };
    let pour = index_of("Pour");
    api.done(json!({"action": "click", "target": {"highlightIndex": pour}})).await;
    let path = elements[&pour.to_string()]["xpath"].clone();
    let all = json!({"highlightIndex": pour, "xpath": path, "text": "Pour"});
    api.done(json!({"action": "click", "target": all})).await;
    // It has to be what its author was told.
    let other = json!({"highlightIndex": pour, "text": "Delete everything"});
    let result = api.outcome(&api.order(json!({"action": "click", "target": other})).await).await;
    assert_eq!((&result["status"], &result["code"]), (&json!("refused"), &json!("bad_target")));
    // Another page by now: the index means nothing.
    api.done(json!({"action": "navigate", "url": pages.url("/milk")})).await;
    let again = json!({"action": "click", "target": {"highlightIndex": pour}});
    let result = api.outcome(&api.order(again).await).await;
    assert_eq!(result["status"], "refused", "{result}");
    assert!(!result.to_string().contains("Pour"), "{result}");
}

/// Whether some file of the hub's has that word in it.
fn is_on_disk(kit: &Kit, word: &str) -> bool {
    let files = std::fs::read_dir(kit.settings.home.path()).unwrap();
    let mut contents = files.filter_map(|entry| std::fs::read(entry.unwrap().path()).ok());
    contents.any(|bytes| bytes.windows(word.len()).any(|part| part == word.as_bytes()))
}

#[tokio::test]
async fn an_agent_answers_with_an_action_in_a_session_of_its_own() {
    let (kit, pages, _client) = Kit::with_browser(&[("/", TEA)]).await;
    let api = kit.api();
    let definition = json!({"schema_name": "agent.def.v1", "context": {"agent_id": "tea-agent",
        "subscriptions": {"selectors": [{"schema_name": "chat.message.v1"}]}}});
    assert_eq!(api.ask("POST", RECORDS, definition).await.status, 201);
    let action = json!({"schema_name": "browser.action.v1",
        "context": {"action": "navigate", "url": pages.url("/")}});
    let headers = [("Outrigger-Agent", "tea-agent")];
    let made = api.ask_with("POST", RECORDS, &headers, action).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let result = api.outcome(made.body["id"].as_str().unwrap()).await;
    assert_eq!(result["status"], "done", "{result}");
    let doings = kit.doings().await.to_string();
    assert!(doings.contains("agent-tea-agent"), "{doings}");
}

fn now_ms() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(now.as_millis()).unwrap()
}

#[tokio::test]
async fn no_restart_makes_an_action_run_twice_or_leaves_it_unanswered() {
    let pages = outrigger_testkit::Pages::serve(&[("/", TEA), ("/milk", MILK)]).await;
    let mut kit = Kit::start().await;
    kit.launch().await;
    let api = kit.api();
    api.done(json!({"action": "navigate", "url": pages.url("/")})).await;
    // Under way when the hub ends.
    let slow = api.order(json!({"action": "navigate", "url": pages.url("/slow/20000")})).await;
    let running = format!("{RECORDS}/{slow}-result/full");
    eventually("it is under way", || async {
        let result = api.ask("GET", &running, Value::Null).await;
        (result.body["context"]["status"] == "running").then_some(())
    })
    .await;
    // Written, and taken on by nobody: what a hub leaves that dies in between.
    let store = Store::open(&kit.settings.home.path().join("outrigger.db")).await.unwrap();
    let behind = SqliteRecords::new(store, Retention::default());
    let context = json!({"action": "navigate", "url": pages.url("/milk")});
    let left = |number: u128| NewRecord {
        id: RecordId::of_bits(number),
        schema_name: "browser.action.v1".into(),
        title: String::new(),
        tags: Vec::new(),
        context: context.as_object().unwrap().clone(),
        made_by: "machine token".into(),
    };
    let (fresh, old) = (left(1), left(2));
    let (fresh_id, old_id) = (fresh.id.to_string(), old.id.to_string());
    let stranger = NewRecord { made_by: "somebody".into(), ..left(3) };
    let stranger_id = stranger.id.to_string();
    let owner = Owner::local();
    behind.create(&owner, old, Writing::at(now_ms() - 120_000)).await.unwrap();
    behind.create(&owner, fresh, Writing::at(now_ms())).await.unwrap();
    behind.create(&owner, stranger, Writing::at(now_ms())).await.unwrap();
    drop(behind);

    kit.restart().await;
    kit.launch().await;
    let api = kit.api();
    for (id, status, code) in [
        (&slow, "unknown", json!("outcome_unknown")),
        (&old_id, "refused", json!("expired")),
        (&stranger_id, "refused", json!("not_allowed")),
        (&fresh_id, "done", Value::Null),
    ] {
        let result = api.outcome(id).await;
        assert_eq!((result["status"].as_str(), &result["code"]), (Some(status), &code), "{result}");
    }
    // Another restart changes nothing.
    let answers = answers_of(&api).await;
    assert!(answers.iter().all(|(_, version)| *version == 2), "{answers:?}");
    kit.restart().await;
    let api = kit.api();
    let last = api.order(json!({"action": "navigate", "url": "file:///"})).await;
    api.outcome(&last).await;
    let mut now = answers_of(&api).await;
    now.retain(|(id, _)| *id != format!("{last}-result"));
    assert_eq!(now, answers);
}

/// All answers with their versions, by name.
async fn answers_of(api: &Api) -> Vec<(String, u64)> {
    let path = format!("{RECORDS}?schema_name=browser.action.result.v1");
    let found = api.ask("GET", &path, Value::Null).await;
    let each = found.body["items"].as_array().unwrap().iter();
    let told = each.map(|item| (item["id"].as_str().unwrap(), item["version"].as_u64().unwrap()));
    let mut told: Vec<_> = told.map(|(id, version)| (id.to_owned(), version)).collect();
    told.sort();
    told
}
