//! The extension's worker is killed before, during and after calls: no action
//! runs twice, and none is reported done that wasn't. A sample here, the full
//! count with `make verify`; `OUTRIGGER_SEED` chooses other moments.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::response::Html;
use axum::routing::{get, post};
use outrigger_hub::home::Token;
use outrigger_testkit::{Kit, LooseBrowser, reference};
use serde_json::json;

/// Counts what a person's hand would have done, before the event is over.
const PAGE: &str = r#"<!doctype html><title>P</title><h1>Here</h1>
<button>Press</button><input aria-label="Field">
<script>
  const count = (event) => {
    if (!event.isTrusted) return;
    const request = new XMLHttpRequest();
    request.open("POST", "/count", false);
    request.send();
  };
  document.querySelector("button").addEventListener("click", count);
  document.querySelector("input").addEventListener("input", count);
</script>"#;

fn rounds(sample: u64, full: u64) -> u64 {
    if std::env::var("OUTRIGGER_VERIFY").as_deref() == Ok("full") { full } else { sample }
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// A page that counts, and its count.
async fn counting_page() -> (String, Arc<AtomicU64>) {
    let count = Arc::new(AtomicU64::new(0));
    let counted = count.clone();
    let router = Router::new().route("/", get(|| async { Html(PAGE) })).route(
        "/count",
        post(move || async move {
            counted.fetch_add(1, Ordering::SeqCst);
        }),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (url, count)
}

#[tokio::test]
async fn no_action_runs_twice_and_none_is_reported_done_that_was_not() {
    let seed = std::env::var("OUTRIGGER_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(7);
    println!("OUTRIGGER_SEED={seed}");
    let mut dice = Dice(seed);
    let (url, count) = counting_page().await;
    let kit = Kit::start().await;
    let token = Token::generate().unwrap();
    kit.hub().expect_throw_away(token.clone());
    let browser = LooseBrowser::start(&kit.settings, token.reveal());
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": url})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let actions = [
        ("browser_click", json!({"ref": reference(&seen, "Press")})),
        ("browser_type", json!({"ref": reference(&seen, "Field"), "text": "x"})),
    ];
    client.ok("browser_click", actions[0].1.clone()).await;
    let mut outcomes: BTreeMap<(&str, String), u64> = BTreeMap::new();
    // Answers that were given by a worker that came after the one that acted.
    let mut fetched = 0;
    for round in 0..rounds(10, 200) {
        let before = count.load(Ordering::SeqCst);
        let (tool, arguments) = &actions[dice.below(2) as usize];
        let call = client.call(tool, arguments.clone());
        let moment = ["before", "during", "during", "after"][dice.below(4) as usize];
        // A click takes about this long, so that every part of it is hit.
        let delay = Duration::from_micros(dice.below(60_000));
        let answer = match moment {
            "before" => {
                browser.kill_worker().await;
                call.await
            }
            "during" => {
                let kill = async {
                    tokio::time::sleep(delay).await;
                    browser.kill_worker().await;
                    Instant::now()
                };
                let call = async { (call.await, Instant::now()) };
                let ((answer, answered), killed) = tokio::join!(call, kill);
                fetched += u64::from(answered > killed && !answer.failed);
                answer
            }
            _ => {
                let answer = call.await;
                browser.kill_worker().await;
                answer
            }
        };
        let outcome = answer.code.clone().unwrap_or_else(|| "ok".to_owned());
        *outcomes.entry((moment, outcome.clone())).or_default() += 1;
        // By the time the next call is answered, whatever this one began is over.
        let seen = client.ok("browser_snapshot", json!({})).await;
        assert!(seen.contains("# Here"), "round {round}: {seen}");
        let ran = count.load(Ordering::SeqCst) - before;
        let told = format!(
            "round {round}, killed {moment} ({delay:?}): ran {ran} times, and said: {}",
            answer.text
        );
        match outcome.as_str() {
            "ok" => assert_eq!(ran, 1, "{told}"),
            "outcome_unknown" => assert!(ran <= 1 && moment == "during", "{told}"),
            _ => panic!("{told}"),
        }
    }
    println!("{outcomes:?}, fetched: {fetched}");
    if rounds(0, 1) == 1 {
        assert!(fetched > 0, "what was done is told though the worker was killed: {outcomes:?}");
    }
}

#[tokio::test]
async fn a_killed_worker_is_back_by_itself_and_the_session_goes_on_where_it_was() {
    let (url, count) = counting_page().await;
    let kit = Kit::start().await;
    let token = Token::generate().unwrap();
    kit.hub().expect_throw_away(token.clone());
    let browser = LooseBrowser::start(&kit.settings, token.reveal());
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": url})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let tabs = || async {
        let list = client.ok("browser_tabs", json!({"action": "list"})).await;
        let lines = list.lines().filter(|line| line.starts_with("tab "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let before = tabs().await;
    browser.kill_worker().await;
    client.ok("browser_click", json!({"ref": reference(&seen, "Press")})).await;
    assert_eq!(count.load(Ordering::SeqCst), 1, "the ref is still good");
    assert_eq!(tabs().await, before);
}
