//! Twenty agent sessions work in one browser at once: each sees its own pages,
//! every call is answered, in each session's own order. And one session makes many
//! calls at once in one tab: what acts there has its turn.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use outrigger_testkit::{Kit, LONG_IN_LOADING, McpClient, Pages, reference};
use serde_json::{Value, json};

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
    let done = join_all(work).await;
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

/// Two kinds of fields, which take their text in different ways, and a button.
const FIELDS: &str = r#"<!doctype html><title>Fields</title>
<div contenteditable aria-label="Essay" role="textbox" style="min-height: 2em"></div>
<label>Line <input></label><button onclick="window.presses = (window.presses ?? 0) + 1">Press</button>"#;

/// What is in the two fields, and how often the button was pressed.
async fn fields(client: &McpClient) -> Value {
    let function = "() => [document.querySelector('div').innerText,
        document.querySelector('input').value, window.presses ?? 0]";
    let said = client.ok("browser_evaluate", json!({"function": function})).await;
    let json = said.split("```json\n").nth(1).and_then(|rest| rest.split("\n```").next());
    serde_json::from_str(json.unwrap()).unwrap()
}

#[tokio::test]
async fn what_one_session_does_at_once_in_a_tab_is_done_one_after_the_other() {
    const ROUNDS: usize = 12;
    let (_kit, pages, client) = Kit::with_browser(&[("/", FIELDS)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let [essay, line, press] = ["Essay", "Line", "Press"].map(|name| reference(&seen, name));
    let calls = (0..ROUNDS).flat_map(|round| {
        let slowly = round % 3 == 0;
        let typed = |field: &str, mark: &str| {
            let text = format!("{mark}{round};");
            client.call("browser_type", json!({"ref": field, "text": text, "slowly": slowly}))
        };
        let click = client.call("browser_click", json!({"ref": press}));
        [typed(&essay, "e"), typed(&line, "l"), click]
    });
    for answer in join_all(calls.collect::<Vec<_>>()).await {
        assert!(!answer.failed, "{}", answer.text);
    }
    let held = fields(&client).await;
    for (field, mark) in [(0, "e"), (1, "l")] {
        let text = held[field].as_str().unwrap();
        let mut words: Vec<&str> = text.trim().trim_end_matches(';').split(';').collect();
        words.sort_unstable();
        let mut expected: Vec<String> = (0..ROUNDS).map(|round| format!("{mark}{round}")).collect();
        expected.sort_unstable();
        assert_eq!(words, expected, "each text once and whole in its own field: {held}");
    }
    assert_eq!(held[2], ROUNDS, "each press once: {held}");
}

#[tokio::test]
async fn a_call_that_waits_for_its_turn_ends_with_its_time_and_whoever_only_looks_has_none() {
    let (_kit, pages, client) =
        Kit::with_browser(&[("/", FIELDS), ("/long", LONG_IN_LOADING)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let more = json!({"selector": "button"});
    let loading = async {
        client.ok("browser_navigate", json!({"url": pages.url("/long")})).await;
        Instant::now()
    };
    let meanwhile = async {
        client.ok("browser_wait", json!({"text": "More"})).await;
        let mut late = more.clone();
        late["timeoutMs"] = json!(300);
        client.refused("browser_click", late, "timeout").await;
        client.ok("browser_snapshot", json!({})).await;
        client.ok("browser_wait", json!({"ms": 10})).await;
        Instant::now()
    };
    let (loaded, looked) = tokio::join!(loading, meanwhile);
    assert!(looked < loaded, "looking ended {:?} after the page was there", looked - loaded);
    let presses = json!({"function": "() => window.count ?? 0"});
    let said = client.ok("browser_evaluate", presses.clone()).await;
    assert!(said.contains("\n0\n"), "its time was over before its turn: {said}");
    client.ok("browser_click", more).await;
    assert!(client.ok("browser_evaluate", presses).await.contains("\n1\n"));
}

#[tokio::test]
async fn a_script_may_wait_for_what_the_same_session_does_meanwhile() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", FIELDS)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let press = reference(&client.ok("browser_snapshot", json!({})).await, "Press");
    let function = "() => new Promise((pressed) => {
        document.body.append('It listens.');
        addEventListener('click', () => pressed('was pressed'));
    })";
    let waiting = client.call("browser_evaluate", json!({"function": function}));
    let pressing = async {
        client.ok("browser_wait", json!({"text": "It listens."})).await;
        client.ok("browser_click", json!({"ref": press})).await;
    };
    let (answer, ()) = tokio::join!(waiting, pressing);
    assert!(answer.text.contains("was pressed"), "{}", answer.text);
}
