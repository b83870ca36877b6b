//! The user at the helm, in a real Chromium: pausing, stopping, and being asked.

use std::time::Duration;

use outrigger_hub::extension_files::own_origin;
use outrigger_hub::home::Token;
use outrigger_testkit::{
    Kit, LONG_IN_LOADING, LooseBrowser, McpClient, Pages, Peer, Target, eventually, reference,
};
use serde_json::{Value, json};

/// What the user is promised, from the click to the end of what ran.
const PROMISED_MS: f64 = 100.0;

const COUNTER: &str = "<!doctype html><title>Counter</title><h1>Count</h1>\
    <button onclick=\"window.count = (window.count ?? 0) + 1\">More</button>";

async fn start() -> (Kit, Pages, LooseBrowser, McpClient) {
    let (kit, pages) = (Kit::start().await, Pages::serve(&[("/", COUNTER)]).await);
    let browser = kit.loose_browser().await;
    let client = kit.client().await;
    (kit, pages, browser, client)
}

async fn counted(page: &Target<'_>) -> Value {
    page.evaluate("window.count ?? 0").await
}

#[tokio::test]
async fn stopping_everything_ends_what_runs_within_the_promised_time() {
    let (kit, pages, browser, client) = start().await;
    let devtools = browser.devtools().await;
    let popup = devtools.open_own_page("popup.html").await;
    let panel = devtools.open_own_page("sidepanel.html").await;
    let other = kit.client().await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    other.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let mut rounds = Vec::new();
    for _ in 0..5 {
        let wait = client.call("browser_wait", json!({"ms": 20_000}));
        let look = other.call("browser_wait", json!({"text": "Never there", "timeoutMs": 20_000}));
        let stop = async {
            panel.until("document.body.innerText.match(/Now: wait/g)?.length === 2").await;
            popup.press("#stop-everything", "Stop").await;
            // The click itself: what leads up to it in a test is no part of it.
            popup.evaluate("globalThis.pressedAt").await.as_f64().unwrap()
        };
        let (waited, looked, pressed) =
            tokio::join!(async { (wait.await, now_ms()) }, async { (look.await, now_ms()) }, stop);
        let mut round = 0.0_f64;
        for (answer, ended) in [waited, looked] {
            assert_eq!(answer.code.as_deref(), Some("stopped"), "{}", answer.text);
            assert!(answer.text.contains("Do nothing more"), "{}", answer.text);
            round = round.max(ended - pressed);
        }
        rounds.push(round);
        let late = kit.client().await;
        late.refused("browser_snapshot", json!({}), "stopped").await;
        popup.press("#go-on", "go on").await;
        eventually("it goes on", || async {
            let answer = client.call("browser_tabs", json!({"action": "list"})).await;
            (!answer.failed).then_some(())
        })
        .await;
    }
    rounds.sort_by(f64::total_cmp);
    eprintln!("from the click to the end of both calls, in ms: {rounds:?}");
    assert!(rounds[rounds.len() / 2] < PROMISED_MS, "in the middle of {rounds:?} ms");
}

/// The browser's clock, which is the machine's.
fn now_ms() -> f64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.unwrap().as_secs_f64() * 1000.0
}

#[tokio::test]
async fn after_a_stop_no_action_reaches_a_page() {
    let (_kit, pages, browser, client) = start().await;
    let devtools = browser.devtools().await;
    let popup = devtools.open_own_page("popup.html").await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let more = json!({"ref": reference(&seen, "More")});
    let page = devtools.page(&pages.url("/")).await;
    let clicking = async {
        let code = loop {
            let answer = client.call("browser_click", more.clone()).await;
            if answer.failed {
                break answer.code;
            }
        };
        assert_eq!(code.as_deref(), Some("stopped"));
    };
    let stopping = async {
        page.until("window.count >= 3").await;
        popup.press("#stop-everything", "Stop").await;
        popup.until("!document.getElementById('stopped').hidden").await;
    };
    tokio::join!(clicking, stopping);
    let after = counted(&page).await;
    for _ in 0..3 {
        client.refused("browser_click", more.clone(), "stopped").await;
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(counted(&page).await, after);
    popup.press("#go-on", "go on").await;
    eventually("it goes on", || async {
        (!client.call("browser_click", more.clone()).await.failed).then_some(())
    })
    .await;
    assert_eq!(counted(&page).await, json!(after.as_i64().unwrap() + 1));
}

#[tokio::test]
async fn a_stop_while_the_hub_is_away_holds_when_it_is_back() {
    let (mut kit, _pages) = (Kit::start().await, Pages::serve(&[("/", COUNTER)]).await);
    let token = Token::generate().unwrap();
    kit.hub().expect_throw_away(token.clone());
    let browser = LooseBrowser::start(&kit.settings, token.reveal());
    let devtools = browser.devtools().await;
    let popup = devtools.open_own_page("popup.html").await;
    popup.until("document.getElementById('state').textContent === 'Connected'").await;
    let client = kit.client().await;
    client.ok("browser_tabs", json!({"action": "list"})).await;
    popup.press("#stop-everything", "Stop").await;
    eventually("it is stopped", || async {
        let answer = client.call("browser_tabs", json!({"action": "list"})).await;
        (answer.code.as_deref() == Some("stopped")).then_some(())
    })
    .await;
    client.leave().await;
    kit.restart().await;
    kit.hub().expect_throw_away(token);
    let client = kit.client().await;
    eventually("it is stopped again", || async {
        let list = json!({"action": "list", "timeoutMs": 500});
        let answer = client.call("browser_tabs", list).await;
        (answer.code.as_deref() == Some("stopped")).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_paused_session_waits_until_it_is_resumed_and_others_go_on() {
    let (kit, pages, browser, client) = start().await;
    let devtools = browser.devtools().await;
    let panel = devtools.open_own_page("sidepanel.html").await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    panel.press(".session button", "Pause").await;
    panel.until("document.body.innerText.includes('Paused')").await;
    let said = client.refused("browser_snapshot", json!({"timeoutMs": 300}), "paused").await;
    assert!(said.contains("paused this session"), "{said}");
    let other = kit.client().await;
    other.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let (seen, ()) = tokio::join!(client.ok("browser_snapshot", json!({})), async {
        panel.until("document.body.innerText.includes('Waits to go on')").await;
        panel.press(".session button", "Resume").await;
    });
    assert!(seen.contains("# Count"), "{seen}");
}

#[tokio::test]
async fn a_stopped_session_is_refused_until_it_is_resumed() {
    let (_kit, pages, browser, client) = start().await;
    let devtools = browser.devtools().await;
    let panel = devtools.open_own_page("sidepanel.html").await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let (answer, ()) = tokio::join!(client.call("browser_wait", json!({"ms": 20_000})), async {
        panel.until("document.body.innerText.includes('Now: wait')").await;
        panel.press(".session button", "Stop").await;
    });
    assert_eq!(answer.code.as_deref(), Some("stopped"), "{}", answer.text);
    client.refused("browser_snapshot", json!({}), "stopped").await;
    panel.press(".session button", "Resume").await;
    eventually("it goes on", || async {
        (!client.call("browser_snapshot", json!({})).await.failed).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_call_that_waits_for_its_turn_does_nothing_while_paused_and_ends_with_a_stop() {
    let kit = Kit::start().await;
    let pages = Pages::serve(&[("/", COUNTER), ("/long", LONG_IN_LOADING)]).await;
    let browser = kit.loose_browser().await;
    let client = kit.client().await;
    let devtools = browser.devtools().await;
    let panel = devtools.open_own_page("sidepanel.html").await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let page = devtools.page(&pages.url("/")).await;
    let go = json!({"url": pages.url("/long")});
    let more = json!({"selector": "button", "key": "Enter"});
    let begins = || page.until("document.title === 'Long' && document.readyState !== 'complete'");
    let until_it_waits = || panel.until("document.body.innerText.includes('Now: press key')");

    let waiting = async {
        begins().await;
        client.ok("browser_press_key", more.clone()).await
    };
    let pausing = async {
        until_it_waits().await;
        panel.press(".session button", "Pause").await;
        panel.until("document.body.innerText.includes('Paused')").await;
    };
    tokio::join!(waiting, async {
        tokio::join!(client.ok("browser_navigate", go.clone()), pausing);
        // Its turn has come by now.
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(counted(&page).await, 0);
        panel.press(".session button", "Resume").await;
    });
    assert_eq!(counted(&page).await, 1);

    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let (first, (second, ended), pressed) = tokio::join!(
        client.call("browser_navigate", go),
        async {
            begins().await;
            (client.call("browser_press_key", more).await, now_ms())
        },
        async {
            until_it_waits().await;
            panel.press(".session button", "Stop").await;
            panel.evaluate("globalThis.pressedAt").await.as_f64().unwrap()
        }
    );
    for answer in [first, second] {
        assert_eq!(answer.code.as_deref(), Some("stopped"), "{}", answer.text);
    }
    assert!(ended - pressed < 3000.0, "it ended {} ms after the press", ended - pressed);
    page.until("document.readyState === 'complete'").await;
    assert_eq!(counted(&page).await, 0);
}

#[tokio::test]
async fn a_human_is_asked_and_answers() {
    let (_kit, _pages, browser, client) = start().await;
    let devtools = browser.devtools().await;
    let worker = devtools.worker().await;
    let panel = devtools.open_own_page("sidepanel.html").await;
    let ask = |what: &str| json!({"what": what, "timeoutMs": 20_000});
    let (said, ()) = tokio::join!(client.ok("browser_ask_human", ask("Please log in")), async {
        panel.until("document.body.innerText.includes('Please log in')").await;
        let shown = "chrome.notifications.getAll().then((all) => Object.keys(all).length === 1)";
        worker.until(shown).await;
        assert_eq!(worker.evaluate("chrome.action.getBadgeText({})").await, "1");
        panel.press(".request button", "Done").await;
    });
    assert!(said.contains("it is done"), "{said}");
    panel.until("!document.body.innerText.includes('Please log in')").await;
    worker.until("chrome.action.getBadgeText({}).then((text) => text === '')").await;

    let (answer, ()) =
        tokio::join!(client.call("browser_ask_human", ask("Solve the captcha")), async {
            panel.press(".request button", "Refuse").await;
        });
    assert_eq!(answer.code.as_deref(), Some("user_refused"), "{}", answer.text);

    let short = json!({"what": "Take your time", "timeoutMs": 300});
    let said = client.refused("browser_ask_human", short.clone(), "timeout").await;
    assert!(said.contains("same call again"), "{said}");
    panel.press(".request button", "Done").await;
    eventually("the answer is found", || async {
        (!client.call("browser_ask_human", short.clone()).await.failed).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_tab_is_asked_for_and_only_the_user_gives_it() {
    let (kit, pages) = (Kit::start().await, Pages::serve(&[("/", COUNTER)]).await);
    let browser = kit.personal_browser().await;
    let devtools = browser.devtools().await;
    let worker = devtools.worker().await;
    let make =
        format!("chrome.tabs.create({{url: {}}}).then(({{ id }}) => id)", json!(pages.url("/")));
    let users = worker.evaluate(&make).await.as_i64().unwrap();
    let panel = devtools.open_own_page("sidepanel.html").await;
    let client = kit.client().await;
    let request = json!({"action": "request", "timeoutMs": 20_000});
    let (said, ()) = tokio::join!(client.ok("browser_tabs", request), async {
        panel.until("document.querySelector('.request:not([data-pressed])')?.innerText.includes('Counter')").await;
        let inert = "document.querySelector('.request:not([data-pressed]) button').disabled";
        assert_eq!(panel.evaluate(inert).await, true, "a hasty click gives nothing");
        panel.press(".request button", "Allow").await;
    });
    assert!(said.contains(&format!("shared tab {users}")), "{said}");
    // It is the session's now; what may be done there, the guard says.
    tokio::join!(
        client.refused("browser_snapshot", json!({"tab": users}), "not_allowed"),
        panel.press(".request button", "Deny"),
    );
}

/// A peer that links under this origin with two tabs.
async fn peer(kit: &Kit, client_id: &str, origin: Option<&str>) -> Peer {
    let token = Token::generate().unwrap();
    kit.hub().expect_throw_away(token.clone());
    let mut peer = Peer::open(kit.settings.port, "/extension", origin).await.unwrap();
    let tab = |id: i64| json!({"id": id, "windowId": 1, "url": "https://a.test/", "title": "A", "active": id == 7, "loading": false});
    let mut handshake = Peer::handshake(client_id, token.reveal(), &json!([]));
    handshake["tabs"] = json!([tab(7), tab(8)]);
    peer.send(&handshake).await;
    assert_eq!(peer.receive().await["type"], "handshake_ack");
    peer
}

#[tokio::test]
async fn cancelling_the_debugging_bar_pauses_whose_tab_it_is() {
    let kit = Kit::start().await;
    let mut peer = peer(&kit, "ext-1", Some(&own_origin())).await;
    let client = kit.client().await;
    let select = client.ok("browser_tabs", json!({"action": "select", "id": 7}));
    tokio::join!(select, async {
        let request = peer.receive().await;
        peer.send(&json!({"id": request["id"], "result": {}})).await;
    });
    let detached = |reason: &str| {
        let payload = json!({"tabId": 7, "reason": reason});
        json!({"type": "event", "event": "debugger.detached", "payload": payload, "seq": 1})
    };
    peer.send(&detached("target_closed")).await;
    client.ok("browser_tabs", json!({"action": "list"})).await;
    peer.send(&detached("canceled_by_user")).await;
    eventually("it is paused", || async {
        let list = json!({"action": "list", "timeoutMs": 100});
        let answer = client.call("browser_tabs", list).await;
        (answer.code.as_deref() == Some("paused")).then_some(())
    })
    .await;
    let other = kit.client().await;
    other.ok("browser_tabs", json!({"action": "list"})).await;
}

#[tokio::test]
async fn only_our_own_extension_speaks_for_the_user() {
    let kit = Kit::start().await;
    let mut program = peer(&kit, "program", None).await;
    let client = kit.client().await;
    client.ok("browser_tabs", json!({"action": "list"})).await;
    let stop = json!({"type": "event", "event": "user.command", "seq": 1,
                      "payload": {"command": "stopEverything"}});
    program.send(&stop).await;
    // Answered after it, so heard after it.
    program.send(&json!({"type": "ping"})).await;
    assert_eq!(program.receive().await["type"], "pong");
    client.ok("browser_tabs", json!({"action": "list"})).await;

    let mut ours = peer(&kit, "ours", Some(&own_origin())).await;
    ours.send(&stop).await;
    ours.send(&json!({"type": "ping"})).await;
    assert_eq!(ours.receive().await["type"], "pong");
    client.refused("browser_tabs", json!({"action": "list"}), "stopped").await;
}
