//! The description of the HTTP interface: it names every route and no other, says the
//! limits that hold, and everything that is refused is told in the way it says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use outrigger_testkit::raw_http::ask;
use outrigger_testkit::{Api, Kit};
use serde_json::{Value, json};

const DOCUMENT: &str = "/api/v1/openapi.json";
const RECORDS: &str = "/api/v1/records";

async fn document(api: &Api) -> Value {
    let answer = api.ask("GET", DOCUMENT, Value::Null).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    answer.body
}

/// Paths and the methods that are described of each.
fn described(document: &Value) -> Vec<(String, BTreeSet<String>)> {
    let paths = document["paths"].as_object().unwrap().iter();
    let methods =
        |item: &Value| item.as_object().unwrap().keys().map(|m| m.to_uppercase()).collect();
    paths.map(|(path, item)| (path.clone(), methods(item))).collect()
}

/// Every text in the sources that is a path of the interface, but in their tests.
fn written_in(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            written_in(&path, found);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        for prefix in ["\"/api/", "\"/auth/"] {
            let starts = code.match_indices(prefix).map(|(at, _)| &code[at + 1..]);
            found.extend(starts.map(|rest| rest.split('"').next().unwrap().to_owned()));
        }
    }
}

#[tokio::test]
async fn every_route_is_described_with_every_method_and_no_other_one_is() {
    let kit = Kit::start().await;
    let api = kit.api();
    let paths = described(&document(&api).await);
    for (path, mut methods) in paths.clone() {
        let place = path.replace("{id}", "1").replace("{name}", "x");
        let answer = api.ask("TRACE", &place, Value::Null).await;
        assert_eq!((answer.status, answer.body["code"].as_str()), (405, Some("other_method")));
        let allowed = answer.header("allow").unwrap().split(',').map(|m| m.trim().to_owned());
        if methods.contains("GET") {
            methods.insert("HEAD".into());
        }
        assert_eq!(allowed.collect::<BTreeSet<_>>(), methods, "{path}");
    }
    let mut written = BTreeSet::new();
    written_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut written);
    let is_described =
        |text: &&String| text.ends_with('/') || paths.iter().any(|(path, _)| path == *text);
    let missing: Vec<&String> = written.iter().filter(|text| !is_described(text)).collect();
    assert!(missing.is_empty() && written.len() > 10, "{missing:?} of {written:?}");
}

#[tokio::test]
async fn every_operation_has_an_id_of_its_own_and_says_how_it_is_refused() {
    let kit = Kit::start().await;
    let document = document(&kit.api()).await;
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"), "{}", document["openapi"]);
    let mut ids = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap();
            assert!(ids.insert(id.to_owned()), "{id} is there twice");
            for status in ["400", "401", "403", "503"] {
                let schema =
                    operation["responses"][status].pointer("/content/application~1json/schema");
                let told = schema.and_then(|schema| schema["$ref"].as_str());
                assert_eq!(told, Some("#/components/schemas/Problem"), "{method} {path} {status}");
            }
        }
    }
    let text = document.to_string();
    let refs = text.match_indices("\"#/components/schemas/").map(|(at, _)| &text[at + 22..]);
    for name in refs.map(|rest| rest.split('"').next().unwrap()) {
        assert!(document["components"]["schemas"][name].is_object(), "{name} is nowhere");
    }
}

#[tokio::test]
async fn the_limits_that_are_described_are_those_that_hold() {
    let kit = Kit::start().await;
    let api = kit.api();
    let document = document(&api).await;
    let fields = &document["components"]["schemas"]["NewBody"]["properties"];
    let limit = |pointer: &str| {
        usize::try_from(fields.pointer(pointer).unwrap().as_u64().unwrap()).unwrap()
    };
    let letters = |count: usize| "ü".repeat(count);
    let tags = |count: usize| (0..count).map(|tag| tag.to_string()).collect::<Vec<_>>();
    let (title, tag) = (limit("/title/maxLength"), limit("/tags/items/maxLength"));
    let (count, name) = (limit("/tags/maxItems"), limit("/schema_name/maxLength"));
    for (fits, does_not) in [
        (json!({"title": letters(title)}), json!({"title": letters(title + 1)})),
        (json!({"tags": [letters(tag)]}), json!({"tags": [letters(tag + 1)]})),
        (json!({"tags": tags(count)}), json!({"tags": tags(count + 1)})),
        (json!({"schema_name": "n".repeat(name)}), json!({"schema_name": "n".repeat(name + 1)})),
    ] {
        let post = async |body: &Value| {
            let mut whole = json!({"schema_name": "note.v1"});
            whole.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
            api.ask("POST", RECORDS, whole).await.status
        };
        assert_eq!((post(&fits).await, post(&does_not).await), (201, 413), "{fits}");
    }
    let parameters = document["paths"][RECORDS]["get"]["parameters"].as_array().unwrap();
    let of = |name: &str| parameters.iter().find(|parameter| parameter["name"] == name).unwrap();
    let most = of("limit")["schema"]["maximum"].as_u64().unwrap();
    for (limit, status) in [(0, 400), (1, 200), (most, 200), (most + 1, 400)] {
        let answer = api.ask("GET", &format!("{RECORDS}?limit={limit}"), Value::Null).await;
        assert_eq!(answer.status, status, "{limit}: {}", answer.body);
    }
    assert!(of("context_match")["content"]["application/json"]["schema"].is_object());
}

#[tokio::test]
async fn whatever_is_refused_is_told_as_json_with_a_code() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let host = format!("127.0.0.1:{port}");
    let bearer = format!("Bearer {}", kit.hub().agent_token().reveal());
    let ours = [("Host", host.as_str()), ("Authorization", bearer.as_str())];
    let with = |more: &[(&'static str, &'static str)]| [&ours[..], more].concat();
    let json = ("Content-Type", "application/json");
    for (method, path, headers, body, status, code) in [
        ("GET", DOCUMENT, vec![ours[0]], "", 401, "invalid_token"),
        ("GET", "/api/v1/records?token=x", with(&[]), "", 400, "token_in_address"),
        ("GET", "/api/v1/nothing", with(&[]), "", 404, "nothing_here"),
        ("DELETE", "/api/v1/events", with(&[]), "", 405, "other_method"),
        ("PATCH", "/api/v1/events", with(&[]), "", 405, "other_method"),
        ("POST", RECORDS, with(&[("Content-Type", "text/plain")]), "{}", 415, "not_json"),
        ("POST", RECORDS, with(&[]), "", 400, "bad_body"),
        ("GET", "/api/v1/records/%FF", with(&[]), "", 400, "bad_id"),
        ("GET", "/api/v1/schemas/%FF", with(&[]), "", 404, "unknown_schema"),
        ("DELETE", "/api/v1/tokens/x", with(&[]), "", 400, "invalid_arguments"),
        ("POST", "/api/v1/tokens", with(&[json]), "[]", 400, "invalid_arguments"),
        ("POST", "/api/v1/tokens", with(&[json]), r#"{"expiry":"1d"}"#, 400, "invalid_arguments"),
        ("POST", "/auth/session/refresh", with(&[json]), "{}", 400, "invalid_arguments"),
        ("GET", "/auth/session", with(&[]), "", 403, "not_a_login"),
    ] {
        let answer = ask(port, method, path, &headers, body).await;
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.body);
        assert_eq!(answer.header("content-type"), Some("application/json"), "{method} {path}");
        let told: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(told["code"], code, "{method} {path}: {told}");
        assert!(told["error"].as_str().unwrap().len() > 10, "{method} {path}: {told}");
        assert_eq!(answer.header("allow").is_some(), status == 405, "{}", answer.head);
    }
}

#[tokio::test]
async fn two_versions_that_differ_are_a_conflict_and_a_record_says_where_it_is() {
    let kit = Kit::start().await;
    let api = kit.api();
    let made = api.ask("POST", RECORDS, json!({"schema_name": "note.v1"})).await;
    let place = made.header("location").unwrap().to_owned();
    assert_eq!(place, format!("{RECORDS}/{}", made.body["id"].as_str().unwrap()));
    let change = json!({"version": 1, "title": "x"});
    let differs = api.ask_with("PATCH", &place, &[("If-Match", "\"2\"")], change.clone()).await;
    assert_eq!((differs.status, &differs.body["current_version"]), (409, &json!(1)));
    let same = api.ask_with("PATCH", &place, &[("If-Match", "W/\"1\"")], change).await;
    assert_eq!(same.status, 200, "{}", same.body);
    for bad in ["\"2", "W/W/2", "+2", "\"\"2\"\"", "x"] {
        let answer = api.ask_with("DELETE", &place, &[("If-Match", bad)], Value::Null).await;
        assert_eq!(
            (answer.status, answer.body["code"].as_str()),
            (400, Some("bad_version")),
            "{bad}"
        );
    }
}
