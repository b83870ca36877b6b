//! Twenty agent sessions work in one browser at once: each sees its own pages,
//! every call is answered, in each session's own order.

use std::time::{Duration, Instant};

use outrigger_testkit::{Kit, McpClient, Pages, reference};
use serde_json::json;

const SESSIONS: usize = 20;
const ACTIONS: usize = 50;

/// Says who pressed what, in order, so that a stray press or a swapped pair shows.
const PAGE: &str = r#"<!doctype html><title>Desk</title><h1>Desk</h1>
<button onclick="note('a')">Left</button><button onclick="note('b')">Right</button>
<label>Word <input oninput="note(this.value.slice(-1))"></label>
<p id="log"></p>
<script>
  const owner = location.search.slice(1);
  const log = document.getElementById("log");
  log.textContent = owner + ":";
  function note(what) { log.textContent += what; }
</script>"#;

/// Works alone in its own tab; gives what its page must hold in the end.
async fn work(client: &McpClient, pages: &Pages, name: usize) -> String {
    client.ok("browser_navigate", json!({"url": pages.url(&format!("/?{name}"))})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let (left, right) = (reference(&seen, "Left"), reference(&seen, "Right"));
    let word = reference(&seen, "Word");
    let mut expected = format!("{name}:");
    for action in 0..ACTIONS {
        let said = match (action + name) % 3 {
            0 => client.ok("browser_click", json!({"ref": left})).await,
            1 => client.ok("browser_click", json!({"ref": right})).await,
            _ => client.ok("browser_type", json!({"ref": word, "text": "c"})).await,
        };
        expected.push(['a', 'b', 'c'][(action + name) % 3]);
        assert!(said.contains(&expected), "session {name}, action {action}: {said}");
    }
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains(&format!("\n{expected}\n")), "session {name}: {seen}");
    expected
}

#[tokio::test]
async fn twenty_sessions_at_once_neither_mix_nor_lose_anything() {
    let (kit, pages, first) = Kit::with_browser(&[("/", PAGE)]).await;
    let mut clients = vec![first];
    for _ in 1..SESSIONS {
        clients.push(kit.client().await);
    }
    let began = Instant::now();
    let work = clients.iter().enumerate().map(|(name, client)| work(client, &pages, name));
    let done = futures_util::future::join_all(work).await;
    println!("{} actions in {:?}", done.len() * ACTIONS, began.elapsed());
}

#[tokio::test]
async fn a_slow_call_of_one_session_does_not_hold_up_another() {
    let (kit, pages, slow) = Kit::with_browser(&[("/", PAGE)]).await;
    let quick = kit.client().await;
    for client in [&slow, &quick] {
        client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    }
    let go = json!({"ref": reference(&quick.ok("browser_snapshot", json!({})).await, "Left")});
    let loading = slow.call("browser_navigate", json!({"url": pages.url("/slow/5000")}));
    let began = Instant::now();
    let clicks = async {
        for _ in 0..5 {
            quick.ok("browser_click", go.clone()).await;
        }
        began.elapsed()
    };
    let (answer, took) = tokio::join!(loading, clicks);
    assert!(!answer.failed, "{}", answer.text);
    assert!(took < Duration::from_secs(4), "five clicks beside a slow page took {took:?}");
}
