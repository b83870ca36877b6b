//! Records over HTTP: who may write them, that no change is lost, and that whoever
//! follows them hears of each, once and in order.

use outrigger_store::{Owner, Store};
use outrigger_testkit::{Api, Kit, Told};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const RECORDS: &str = "/api/v1/records";

fn note(text: &str) -> Value {
    json!({"schema_name": "note.v1", "title": "Note", "tags": ["tea"], "context": {"text": text}})
}

async fn made(api: &Api, body: Value) -> (String, Value) {
    let answer = api.ask("POST", RECORDS, body).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    (format!("{RECORDS}/{}", answer.body["id"].as_str().unwrap()), answer.body)
}

#[tokio::test]
async fn a_record_is_made_read_changed_and_removed_at_its_version() {
    let kit = Kit::start().await;
    let api = kit.api();
    let (path, record) = made(&api, note("green")).await;
    assert_eq!((&record["version"], &record["owner"]), (&json!(1), &json!("machine token")));
    let read = api.ask("GET", &path, Value::Null).await;
    assert_eq!((read.status, read.header("etag")), (200, Some("\"1\"")));
    assert_eq!(read.body["context"], json!({"text": "green"}));

    let change = json!({"context": {"cups": 2}});
    let none = api.ask("PATCH", &path, change.clone()).await;
    assert_eq!((none.status, none.body["code"].as_str()), (428, Some("version_required")));
    let merged = api.ask_with("PATCH", &path, &[("If-Match", "\"1\"")], change.clone()).await;
    assert_eq!((merged.status, &merged.body["version"]), (200, &json!(2)), "{}", merged.body);
    assert_eq!(merged.body["context"], json!({"text": "green", "cups": 2}));
    let late = api.ask_with("PATCH", &path, &[("If-Match", "1")], change).await;
    assert_eq!((late.status, late.body["code"].as_str()), (409, Some("version_mismatch")));
    assert_eq!(late.body["current_version"], 2);

    let whole =
        json!({"version": 2, "title": "Other", "context": {"text": "black"}, "keep_history": true});
    let replaced = api.ask("PUT", &path, whole).await;
    assert_eq!(replaced.body["context"], json!({"text": "black"}));
    let history = api.ask("GET", &format!("{path}/history"), Value::Null).await;
    let versions: Vec<&Value> =
        history.body["items"].as_array().unwrap().iter().map(|item| &item["version"]).collect();
    assert_eq!(versions, [&json!(2)], "version 1 was not to be kept");

    let removed = api.ask_with("DELETE", &path, &[("If-Match", "\"3\"")], Value::Null).await;
    assert_eq!(removed.status, 204);
    let gone = api.ask("GET", &path, Value::Null).await;
    assert_eq!((gone.status, gone.body["code"].as_str()), (404, Some("record_not_found")));
}

#[tokio::test]
async fn a_record_is_shown_as_its_hints_say_and_whole_on_request() {
    let kit = Kit::start().await;
    let api = kit.api();
    let context = json!({
        "cups": [1, 2, 3],
        "secret": "x",
        "llm_hints": {
            "transform": {"summary": {"type": "template", "template": "{{context.cups.length}} cups"}},
            "exclude": ["secret"],
        },
    });
    let (path, _) = made(&api, json!({"schema_name": "note.v1", "context": context})).await;
    let shown = api.ask("GET", &path, Value::Null).await;
    assert_eq!(shown.body["context"], json!({"cups": [1, 2, 3], "summary": "3 cups"}));
    let full = api.ask("GET", &format!("{path}/full"), Value::Null).await;
    assert_eq!(full.body["context"], context);
    let same = path.replace("records", "breadcrumbs");
    assert_eq!(api.ask("GET", &same, Value::Null).await.body, shown.body);
}

#[tokio::test]
async fn records_are_found_by_schema_tag_and_context() {
    let kit = Kit::start().await;
    let api = kit.api();
    for text in ["green", "black"] {
        made(&api, note(text)).await;
    }
    made(&api, json!({"schema_name": "list.v1", "tags": ["tea", "milk"]})).await;
    let found = async |query: &str| {
        let answer = api.ask("GET", &format!("{RECORDS}?{query}"), Value::Null).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body["items"].as_array().unwrap().len()
    };
    assert_eq!(found("schema_name=note.v1").await, 2);
    assert_eq!(found("tag=tea").await, 3);
    assert_eq!(found("all_tags=tea,milk").await, 1);
    let condition =
        "context_match=%5B%7B%22path%22:%22text%22,%22op%22:%22eq%22,%22value%22:%22black%22%7D%5D";
    assert_eq!(found(condition).await, 1);
    let page = api.ask("GET", &format!("{RECORDS}?tag=tea&limit=2"), Value::Null).await;
    assert_eq!(page.body["items"].as_array().unwrap().len(), 2);
    let next = page.body["next"].as_str().unwrap();
    assert_eq!(found(&format!("tag=tea&limit=2&from={next}")).await, 1);
}

#[tokio::test]
async fn what_makes_no_sense_is_answered_with_what_is_wrong() {
    let kit = Kit::start().await;
    let api = kit.api();
    let (path, _) = made(&api, note("green")).await;
    let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    let large = "x".repeat(10_000_000);
    for (method, path, body, status, code) in [
        ("POST", RECORDS, json!({"title": "no schema"}), 400, "bad_body"),
        ("POST", RECORDS, json!({"schema_name": "note.v1", "contxt": {}}), 400, "bad_body"),
        ("POST", RECORDS, json!({"schema_name": "browser.unknown.v1"}), 422, "schema_reserved"),
        ("POST", RECORDS, json!({"schema_name": "browser.action.v1"}), 422, "schema_mismatch"),
        ("POST", RECORDS, json!({"schema_name": "browser.page.context.v1"}), 403, "not_yours"),
        (
            "POST",
            RECORDS,
            json!({"schema_name": "note.v1", "context": {"a": nested(100)}}),
            413,
            "record_too_large",
        ),
        (
            "POST",
            RECORDS,
            json!({"schema_name": "note.v1", "context": {"a": nested(200)}}),
            400,
            "bad_body",
        ),
        (
            "POST",
            RECORDS,
            json!({"schema_name": "note.v1", "context": {"a": large}}),
            413,
            "record_too_large",
        ),
        ("GET", "/api/v1/records?selector=all", Value::Null, 400, "bad_query"),
        ("GET", "/api/v1/records?context_match=x", Value::Null, 400, "bad_query"),
        ("GET", "/api/v1/records?from=x", Value::Null, 400, "events_bad_position"),
        ("GET", "/api/v1/records/..%2Fx", Value::Null, 400, "bad_id"),
        ("GET", "/api/v1/schemas/none", Value::Null, 404, "unknown_schema"),
        ("GET", "/api/v1/events", Value::Null, 400, "selector_means_everything"),
        ("GET", "/api/v1/events?tag=a&last_event_id=7", Value::Null, 400, "events_bad_position"),
        (
            "GET",
            "/api/v1/events?tag=a&last_event_id=a.1.b.1",
            Value::Null,
            410,
            "events_other_life",
        ),
        ("PATCH", &path, json!({"version": 1, "version_": 2}), 400, "bad_body"),
    ] {
        let answer = api.ask(method, path, body).await;
        assert_eq!(
            (answer.status, answer.body["code"].as_str()),
            (status, Some(code)),
            "{method} {path}: {}",
            answer.body
        );
        let words = answer.body["error"].as_str().unwrap();
        assert!(words.len() > 20 && words.len() < 400 && words.ends_with('.'), "{words}");
    }
    let odd = api.ask_with("PATCH", &path, &[("If-Match", "\"x\"")], json!({})).await;
    assert_eq!((odd.status, odd.body["code"].as_str()), (400, Some("bad_version")));
    let schemas = api.ask("GET", "/api/v1/schemas", Value::Null).await;
    let is_volatile = |name: &str| {
        let items = schemas.body["items"].as_array().unwrap();
        items.iter().find(|item| item["name"] == name).map(|item| item["volatile"].clone())
    };
    assert_eq!(is_volatile("browser.page.context.v1"), Some(json!(true)));
    assert_eq!(is_volatile("browser.workflow.v1"), Some(json!(false)));
    let schema = api.ask("GET", "/api/v1/schemas/agent.def.v1", Value::Null).await;
    assert_eq!((schema.status, schema.body["type"].as_str()), (200, Some("object")));
}

#[tokio::test]
async fn whoever_follows_hears_of_each_change_once_and_goes_on_where_it_was() {
    let mut kit = Kit::start().await;
    let api = kit.api();
    let path = "/api/v1/events?schema_name=note.v1";
    let mut events = api.follow(path, None).await;
    let begun = events.next().await.unwrap();
    assert_eq!(begun.event, "begun");
    let (record, told) = made(&api, note("green")).await;
    made(&api, json!({"schema_name": "list.v1"})).await;
    for version in 1..=3 {
        let change = json!({"version": version, "context": {"cups": version}});
        assert_eq!(api.ask("PATCH", &record, change).await.status, 200);
    }
    let kinds = ["record.created", "record.updated", "record.updated", "record.updated"];
    let mut heard: Vec<Told> = Vec::new();
    for (kind, version) in kinds.into_iter().zip(1..) {
        let next = events.next().await.unwrap();
        assert_eq!((next.event.as_str(), &next.data["version"]), (kind, &json!(version)));
        assert_eq!(next.data["id"], told["id"]);
        assert!(next.data.get("context").is_none(), "{:?}", next.data);
        heard.push(next);
    }
    drop(events);

    let mut again = api.follow(path, Some(&heard[1].id)).await;
    assert_eq!(again.next().await.unwrap().event, "begun");
    assert_eq!(again.next().await.unwrap(), heard[2]);
    assert_eq!(again.next().await.unwrap(), heard[3]);

    // The same under the other name.
    let path = "/api/v1/breadcrumbs/events?schema_name=note.v1";
    let mut crumbs = api.follow(path, Some(&heard[2].id)).await;
    assert_eq!(crumbs.next().await.unwrap().event, "begun");
    let told = crumbs.next().await.unwrap();
    assert_eq!(
        (told.event.as_str(), &told.data["kind"]),
        ("breadcrumb.updated", &json!(told.event))
    );
    assert_eq!((&told.id, &told.data["version"]), (&heard[3].id, &json!(4)));

    // What is durable outlives the hub, and so does where one was among it.
    kit.restart().await;
    let api = kit.api();
    assert_eq!(again.next().await, None);
    let mut later = api.follow("/api/v1/events?schema_name=note.v1", Some(&heard[2].id)).await;
    assert_eq!(later.next().await.unwrap().event, "begun");
    assert_eq!(later.next().await.unwrap().data, heard[3].data);
    let read = api.ask("GET", &record, Value::Null).await;
    assert_eq!((read.status, &read.body["version"]), (200, &json!(4)));
}

#[tokio::test]
async fn a_token_for_reading_writes_nothing() {
    let kit = Kit::start().await;
    let api = kit.api();
    let token = api.ask("POST", "/api/v1/tokens", json!({"name": "r", "scope": "read"})).await;
    let reader = Api::new(kit.settings.port, token.body["token"].as_str().unwrap());
    let (path, _) = made(&api, note("green")).await;
    assert_eq!(reader.ask("GET", &path, Value::Null).await.status, 200);
    for (method, path, body) in [
        ("POST", RECORDS, note("black")),
        ("PATCH", path.as_str(), json!({"version": 1})),
        ("PUT", path.as_str(), json!({"version": 1})),
        ("DELETE", path.as_str(), Value::Null),
    ] {
        let answer = reader.ask_with(method, path, &[("If-Match", "1")], body).await;
        assert_eq!((answer.status, answer.body["code"].as_str()), (403, Some("out_of_scope")));
    }
    assert_eq!(
        Api::new(kit.settings.port, "none").ask("GET", &path, Value::Null).await.status,
        401
    );
}

#[tokio::test]
async fn what_is_asked_of_records_is_in_the_log_and_nothing_of_them() {
    let kit = Kit::start().await;
    let api = kit.api();
    let (path, _) = made(&api, note("kanarie-leaf")).await;
    assert_eq!(api.ask("GET", &path, Value::Null).await.status, 200);
    assert_eq!(api.ask("GET", "/api/v1/records/nobody", Value::Null).await.status, 404);
    let folder = kit.stop().await;
    let store = Store::open(&folder.path().join("outrigger.db")).await.unwrap();
    let entries = store.activity(&Owner::local(), 0, 10).await.unwrap();
    let told: Vec<_> = entries
        .iter()
        .map(|logged| {
            let entry = &logged.entry;
            (entry.client.as_str(), entry.tool.as_str(), entry.outcome.as_str())
        })
        .collect();
    let of = "machine token";
    assert_eq!(
        told,
        [
            (of, "POST /api/v1/records", "ok"),
            (of, "GET /api/v1/records/{id}", "ok"),
            (of, "GET /api/v1/records/{id}", "404"),
        ]
    );
    assert_eq!(entries[0].entry.key.as_deref(), Some("record:write"));
    assert!(!format!("{entries:?}").contains("kanarie"));
}

#[tokio::test]
async fn bytes_that_are_no_text_are_refused() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let body = b"{\"schema_name\": \"note.v1\", \"title\": \"\xff\xfe\"}";
    let head = format!(
        "POST {RECORDS} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        kit.hub().agent_token().reveal(),
        body.len()
    );
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("bad_body"), "{answer}");
}
