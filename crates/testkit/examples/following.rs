//! Measures how fast whoever follows records is told, with the program itself and as
//! many subscribers as there are: over HTTP from one hub, and from a second hub of a
//! team. `make bench` runs it and puts what it prints, one JSON object, into its table.
//!
//! `following PROGRAM [SECONDS]`
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use outrigger_testkit::raw_http::ask;
use outrigger_testkit::{Api, McpClient, NatsServer, Pages, PostgresServer, Scratch, eventually};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

const SUBSCRIBERS: usize = 1_000;
const A_SECOND: u32 = 10;
/// Faster and faster, so long each, until it falls behind.
const FASTER: [u32; 8] = [20, 40, 60, 80, 120, 160, 240, 320];
const STEP: Duration = Duration::from_secs(3);
/// Whoever hears of it this much later is behind.
const BEHIND: Duration = Duration::from_secs(1);
/// What may wait for a subscriber is not waited for longer.
const PATIENCE: Duration = Duration::from_secs(15);
const MOST_UPDATES: usize = 20_000;

const PAGE_CHANGES: usize = 15;
const DEBOUNCE_MS: f64 = 500.0;
/// Says in every heading when it changed last.
const RESTLESS: &str = "<!doctype html><title>Restless</title><main id=all></main><script>
    const fill = () => all.replaceChildren(...Array.from({ length: 60 }, () =>
        Object.assign(document.createElement('h2'), { textContent: 'at ' + Date.now() })));
    fill(); setInterval(fill, 1700)</script>";

/// A hub of its own.
struct Hub {
    _program: Child,
    home: Scratch,
    port: u16,
}

impl Hub {
    async fn start(program: &Path, more: &[&str], environment: &[(&str, String)]) -> Self {
        let home = Scratch::new();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new(program);
        command.arg("up").args(more);
        command.env("OUTRIGGER_HOME", home.path()).env("OUTRIGGER_PORT", port.to_string());
        command.env_remove("DATABASE_URL").env_remove("NATS_URL");
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let program = command.kill_on_drop(true).spawn().expect("the program starts");
        let hub = Hub { _program: program, home, port };
        eventually("the hub listens", || async {
            TcpStream::connect(("127.0.0.1", port)).await.ok()
        })
        .await;
        // It listens a moment before it has written its token.
        let token = hub.home.path().join("agent-token");
        eventually("the hub has a token", || async {
            std::fs::read_to_string(&token).ok().filter(|token| !token.trim().is_empty())
        })
        .await;
        hub
    }

    fn token(&self) -> String {
        let path = self.home.path().join("agent-token");
        std::fs::read_to_string(path).unwrap().trim().to_owned()
    }

    fn api(&self) -> Api {
        Api::new(self.port, &self.token())
    }
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let program = PathBuf::from(arguments.next().expect("the program's path"));
    let seconds = arguments.next().map_or(30, |text| text.parse().expect("seconds"));
    let page = page_to_event(&program).await;
    let alone = Hub::start(&program, &[], &[]).await;
    let one_hub = load(&alone, &alone, seconds).await;
    drop(alone);
    let (postgres, nats) = (PostgresServer::start(), NatsServer::start());
    let team = [("DATABASE_URL", postgres.url()), ("NATS_URL", nats.url())];
    let (one, other) =
        (Hub::start(&program, &[], &team).await, Hub::start(&program, &[], &team).await);
    let over_nats = load(&one, &other, seconds).await;
    println!("{}", json!({"page_ms": page, "one_hub": one_hub, "over_nats": over_nats}));
}

/// From a change of a page to its event at a subscriber, beyond the debounce.
async fn page_to_event(program: &Path) -> Vec<f64> {
    let rules = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1".to_owned();
    let environment = [("OUTRIGGER_BROWSER_ARGS", rules)];
    let hub = Hub::start(program, &["--launch", "--headless"], &environment).await;
    let (api, pages) = (hub.api(), Pages::serve(&[("/", RESTLESS)]).await);
    let client = McpClient::http(hub.port, &hub.token()).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let follow = "/api/v1/events?schema_name=browser.page.context.v1";
    let mut events = api.follow(follow, None).await;
    let (mut taken, mut last) = (Vec::new(), 0.0);
    while taken.len() <= PAGE_CHANGES {
        let told = events.next().await.expect("it goes on");
        let heard = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64() * 1e3;
        let Some(id) = told.data["id"].as_str() else { continue };
        let record = api.ask("GET", &format!("/api/v1/records/{id}/full"), Value::Null).await;
        let heading = record.body["context"]["content"]["headings"][0].as_str();
        let changed = heading.and_then(|text| text.strip_prefix("at ")?.parse::<f64>().ok());
        if let Some(changed) = changed.filter(|changed| *changed > last) {
            last = changed;
            taken.push(heard - changed - DEBOUNCE_MS);
        }
    }
    // The first is read since somebody follows, and waited for nothing.
    taken.split_off(1)
}

/// When each version was begun to be written.
type Begun = Arc<Vec<OnceLock<Instant>>>;

/// What all subscribers heard: who, which version, when.
type Heard = mpsc::UnboundedReceiver<(usize, u64, Instant)>;

/// Many follow one record at one hub, which changes through another, or the same.
async fn load(writing: &Hub, reading: &Hub, seconds: u32) -> Value {
    let api = writing.api();
    let body = json!({"schema_name": "bench.v1", "tags": ["bench"], "context": {"n": 0}});
    let made = api.ask("POST", "/api/v1/records", body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let path = format!("/api/v1/records/{}", made.body["id"].as_str().unwrap());
    let (tell, mut heard) = mpsc::unbounded_channel();
    for number in 0..SUBSCRIBERS {
        let lines = subscribe(reading).await;
        tokio::spawn(listen(number, lines, tell.clone()));
    }
    let begun: Begun = Arc::new((0..MOST_UPDATES).map(|_| OnceLock::new()).collect());
    let mut writer = Writer { hub: writing, path, version: 1, begun };
    let steady = writer.at(A_SECOND, Duration::from_secs(u64::from(seconds))).await;
    let steady = steady.heard_by_all(&mut heard).await;
    let mut falls_behind = None;
    for rate in FASTER {
        let step = writer.at(rate, STEP).await;
        let kept_up = step.kept_up;
        let outcome = step.heard_by_all(&mut heard).await;
        if !kept_up || outcome.lost > 0 || outcome.p99 > BEHIND {
            falls_behind = Some(rate);
            break;
        }
    }
    json!({
        "lost": steady.lost, "out_of_order": steady.out_of_order,
        "p50_ms": steady.p50.as_secs_f64() * 1e3, "p99_ms": steady.p99.as_secs_f64() * 1e3,
        "falls_behind_at": falls_behind, "kept_up_with": FASTER[FASTER.len() - 1],
    })
}

struct Writer<'a> {
    hub: &'a Hub,
    path: String,
    version: u64,
    begun: Begun,
}

/// Updates that were written at one rate.
struct Wrote {
    versions: std::ops::RangeInclusive<u64>,
    begun: Begun,
    kept_up: bool,
}

struct Outcome {
    lost: usize,
    out_of_order: usize,
    p50: Duration,
    p99: Duration,
}

impl Writer<'_> {
    async fn at(&mut self, rate: u32, time: Duration) -> Wrote {
        let updates = (time.as_secs_f64() * f64::from(rate)).round() as u64;
        let (first, began) = (self.version + 1, Instant::now());
        let mut clock = tokio::time::interval(Duration::from_secs(1) / rate);
        for _ in 0..updates {
            clock.tick().await;
            self.update().await;
        }
        let kept_up = began.elapsed() < time.mul_f64(1.1);
        Wrote { versions: first..=self.version, begun: self.begun.clone(), kept_up }
    }

    async fn update(&mut self) {
        let (host, bearer) =
            (format!("127.0.0.1:{}", self.hub.port), format!("Bearer {}", self.hub.token()));
        let headers = [
            ("Host", host.as_str()),
            ("Authorization", bearer.as_str()),
            ("Content-Type", "application/json"),
        ];
        let body = json!({"version": self.version, "context": {"n": self.version}}).to_string();
        self.version += 1;
        let _ = self.begun[usize::try_from(self.version).unwrap()].set(Instant::now());
        let answer = ask(self.hub.port, "PATCH", &self.path, &headers, &body).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
}

impl Wrote {
    /// Waits until all have heard of all, or no longer.
    async fn heard_by_all(self, heard: &mut Heard) -> Outcome {
        let (first, last) = (*self.versions.start(), *self.versions.end());
        let expected = SUBSCRIBERS * usize::try_from(last - first + 1).unwrap();
        let mut next = vec![first; SUBSCRIBERS];
        let (mut taken, mut out_of_order) = (Vec::with_capacity(expected), 0);
        while taken.len() < expected {
            let Ok(Some((who, version, at))) = tokio::time::timeout(PATIENCE, heard.recv()).await
            else {
                break;
            };
            if version < first {
                continue;
            }
            out_of_order += usize::from(version != next[who]);
            next[who] = version + 1;
            let begun = self.begun[usize::try_from(version).unwrap()].get();
            taken.push(begun.map_or(Duration::ZERO, |begun| at.duration_since(*begun)));
        }
        taken.sort_unstable();
        let part = |percent: usize| taken.get(taken.len() * percent / 100).copied();
        let (p50, p99) = (part(50).unwrap_or(PATIENCE), part(99).unwrap_or(PATIENCE));
        Outcome { lost: expected - taken.len(), out_of_order, p50, p99 }
    }
}

/// A subscription that has begun.
async fn subscribe(hub: &Hub) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(("127.0.0.1", hub.port)).await.expect("it listens");
    let (port, token) = (hub.port, hub.token());
    let request = format!(
        "GET /api/v1/events?schema_name=bench.v1 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\
         Authorization: Bearer {token}\r\nAccept: text/event-stream\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.expect("it reads");
    let (mut lines, mut line) = (BufReader::new(stream), String::new());
    while !line.contains("begun") {
        line.clear();
        let read = tokio::time::timeout(PATIENCE, lines.read_line(&mut line));
        assert!(read.await.expect("it begins").expect("it answers") > 0, "it ended: {line}");
    }
    lines
}

/// Tells what one subscriber hears, until it ends.
async fn listen(
    number: usize,
    mut lines: BufReader<TcpStream>,
    tell: mpsc::UnboundedSender<(usize, u64, Instant)>,
) {
    let mut line = String::new();
    while lines.read_line(&mut line).await.is_ok_and(|length| length > 0) {
        let at = Instant::now();
        if let Some((_, rest)) = line.split_once("\"version\":") {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            if let Ok(version) = digits.parse() {
                let _ = tell.send((number, version, at));
            }
        }
        line.clear();
    }
}
