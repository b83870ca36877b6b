//! The hub's HTTP interface as a program would use it: requests with a token, and
//! server-sent events.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

use crate::eventually;
use crate::raw_http::{RawAnswer, ask};

const RECORDS: &str = "/api/v1/records";

/// A program with a token.
#[derive(Clone)]
pub struct Api {
    port: u16,
    token: String,
}

/// An answer whose body is JSON, or nothing.
#[derive(Debug)]
pub struct ApiAnswer {
    /// Its status.
    pub status: u16,
    /// What it says.
    pub body: Value,
    raw: RawAnswer,
}

impl ApiAnswer {
    /// A header of it.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.raw.header(name)
    }
}

/// What a hub tells without being asked again.
pub struct Events(BufReader<TcpStream>);

/// One of these.
#[derive(Debug, Default, PartialEq)]
pub struct Told {
    /// What kind it is.
    pub event: String,
    /// From where to go on after it.
    pub id: String,
    /// What it says.
    pub data: Value,
}

impl Api {
    /// With that token.
    pub fn new(port: u16, token: &str) -> Self {
        Api { port, token: token.to_owned() }
    }

    /// Asks with a body, unless that is null.
    pub async fn ask(&self, method: &str, path: &str, body: Value) -> ApiAnswer {
        self.ask_with(method, path, &[], body).await
    }

    /// The same with more headers.
    pub async fn ask_with(
        &self,
        method: &str,
        path: &str,
        more: &[(&str, &str)],
        body: Value,
    ) -> ApiAnswer {
        let (host, bearer) = (format!("127.0.0.1:{}", self.port), format!("Bearer {}", self.token));
        let mut headers = vec![("Host", host.as_str()), ("Authorization", bearer.as_str())];
        headers.push(("Content-Type", "application/json"));
        headers.extend(more);
        let text = if body.is_null() { String::new() } else { body.to_string() };
        let raw = ask(self.port, method, path, &headers, &text).await;
        let body = serde_json::from_str(&raw.body).unwrap_or(Value::Null);
        ApiAnswer { status: raw.status, body, raw }
    }

    /// Asks for an action; gives its id.
    pub async fn order(&self, context: Value) -> String {
        let body = json!({"schema_name": "browser.action.v1", "context": context});
        let made = self.ask("POST", RECORDS, body).await;
        assert_eq!(made.status, 201, "{}", made.body);
        made.body["id"].as_str().expect("an id").to_owned()
    }

    /// What is known of what came of an action; null while nobody took it on.
    pub async fn result_of(&self, id: &str) -> Value {
        let path = format!("{RECORDS}/{id}-result/full");
        self.ask("GET", &path, Value::Null).await.body["context"].clone()
    }

    /// What came of an action, once it is over.
    pub async fn outcome(&self, id: &str) -> Value {
        eventually("the action is answered", || async {
            let result = self.result_of(id).await;
            (result["status"].is_string() && result["status"] != "running").then_some(result)
        })
        .await
    }

    /// Has an action done.
    pub async fn done(&self, context: Value) -> Value {
        let told = context.to_string();
        let result = self.outcome(&self.order(context).await).await;
        assert_eq!(result["status"], "done", "{told}: {result}");
        result
    }

    /// The pages that browsers tell, by their extensions, once all are told with elements.
    pub async fn pages_told(&self, count: usize) -> BTreeMap<String, Value> {
        eventually("the pages are told", || async {
            let path = format!("{RECORDS}?schema_name=browser.page.context.v1");
            let found = self.ask("GET", &path, Value::Null).await;
            let mut pages = BTreeMap::new();
            for item in found.body["items"].as_array()? {
                let path = format!("{RECORDS}/{}/full", item["id"].as_str()?);
                let page = self.ask("GET", &path, Value::Null).await.body["context"].clone();
                page["dom"]["interactiveElements"]["0"].as_object()?;
                pages.insert(page["session"]["extensionId"].as_str()?.to_owned(), page);
            }
            (pages.len() == count).then_some(pages)
        })
        .await
    }

    /// Follows events; the first one says that it has begun.
    pub async fn follow(&self, path: &str, after: Option<&str>) -> Events {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.expect("it listens");
        let after = after.map(|id| format!("Last-Event-ID: {id}\r\n")).unwrap_or_default();
        let (port, token) = (self.port, &self.token);
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\
             Accept: text/event-stream\r\n{after}\r\n"
        );
        stream.write_all(request.as_bytes()).await.expect("it reads");
        let mut events = Events(BufReader::new(stream));
        let first = events.line().await.expect("it answers");
        assert!(first.starts_with("HTTP/1.1 200"), "{first}");
        events
    }
}

impl Events {
    /// The next one; none when they have ended.
    pub async fn next(&mut self) -> Option<Told> {
        let mut told = Told::default();
        loop {
            let line = self.line().await?;
            match line.split_once(": ").or_else(|| line.split_once(':')) {
                Some(("event", kind)) => told.event = kind.to_owned(),
                Some(("id", id)) => told.id = id.to_owned(),
                Some(("data", data)) => {
                    told.data = serde_json::from_str(data).unwrap_or(Value::Null);
                }
                _ if line.is_empty() && !told.event.is_empty() => return Some(told),
                // The last chunk; the connection may stay.
                _ if line == "0" => return None,
                // Headers, sizes of chunks, signs of life.
                _ => {}
            }
        }
    }

    async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = tokio::time::timeout(crate::PATIENCE, self.0.read_line(&mut line));
        let length = read.await.expect("something comes in time").ok()?;
        (length > 0).then(|| line.trim_end().to_owned())
    }
}
