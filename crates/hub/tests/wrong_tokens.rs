//! Somebody tries token after token: soon nobody new is listened to, whatever
//! else they show, and whoever was there before notices nothing. A sample here,
//! the full count with `make verify`.

use std::collections::BTreeMap;

use outrigger_hub::extension_files::own_origin;
use outrigger_testkit::raw_http::ask;
use outrigger_testkit::{Kit, Pages, Peer, eventually};
use serde_json::json;

const PAGE: &str = "<!doctype html><title>P</title><h1>Here</h1>";

/// So many wrong tokens are judged before nobody is listened to.
const JUDGED: usize = 10;

/// How many at once.
const GUESSERS: usize = 8;

fn tries() -> usize {
    if std::env::var("OUTRIGGER_VERIFY").as_deref() == Ok("full") { 10_000 } else { 500 }
}

/// One guess, with whatever else might help; gives the close code.
async fn guess(port: u16, number: usize) -> u16 {
    let (own, bearer) = (own_origin(), format!("Bearer bogus-{number}"));
    let forwarded = format!("10.0.{}.{}", number / 256 % 256, number % 256);
    let headers: &[(&'static str, &str)] = match number % 4 {
        0 => &[],
        1 => &[("authorization", &bearer)],
        2 => &[("origin", &own), ("cookie", "session=bogus")],
        _ => &[("x-forwarded-for", &forwarded), ("x-real-ip", &forwarded)],
    };
    let path = if number.is_multiple_of(2) { "/extension" } else { "/" };
    let mut peer = Peer::open_with(port, path, headers).await.expect("the hub upgrades");
    let token = format!("wrong-{number}");
    let mut handshake = Peer::handshake(&format!("guesser-{number}"), &token, &json!([]));
    if number.is_multiple_of(3) {
        handshake["accessToken"] = json!(format!("bogus-{number}"));
        handshake["launchToken"] = json!(format!("bogus-{number}"));
    }
    peer.send(&handshake).await;
    peer.end().await.code.expect("a close code")
}

/// How a handshake with this token ends: the code, or none where it is taken.
async fn shake(port: u16, client: &str, token: &str) -> Option<u16> {
    let mut peer = Peer::connect(port).await;
    peer.send(&Peer::handshake(client, token, &json!([]))).await;
    match peer.next().await {
        Ok(ack) => {
            assert_eq!(ack["type"], "handshake_ack");
            None
        }
        Err(end) => end.code,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_wrong_pairing_tokens_shut_out_whoever_is_new_and_nobody_else() {
    let (kit, pages) = (Kit::start().await, Pages::serve(&[("/", PAGE)]).await);
    let personal = kit.personal_browser().await;
    let launched = kit.launch().await;
    let client = kit.client().await;
    let port = kit.settings.port;
    let right = kit.hub().pairing_token().reveal().to_owned();
    let mut friend = Peer::linked(port, "friend", &right, &json!([])).await;
    // The peer is told that it is linked a moment before others are.
    let links = eventually("three links", || async {
        let links = kit.doings().await["links"].clone();
        links.as_array().is_some_and(|all| all.len() == 3).then_some(links)
    })
    .await;
    let there = json!({"url": pages.url("/"), "browser": launched});

    let guessers = (0..GUESSERS).map(|first| {
        tokio::spawn(async move {
            let mut ended = BTreeMap::new();
            for number in (first..tries()).step_by(GUESSERS) {
                *ended.entry(guess(port, number).await).or_insert(0) += 1;
            }
            ended
        })
    });
    let guessers: Vec<_> = guessers.collect();
    client.ok("browser_navigate", there.clone()).await;
    assert!(client.ok("browser_snapshot", json!({})).await.contains("# Here"), "meanwhile");
    let mut ended: BTreeMap<u16, usize> = BTreeMap::new();
    for guesser in guessers {
        for (code, count) in guesser.await.unwrap() {
            *ended.entry(code).or_default() += count;
        }
    }
    // A minute later a few more are judged, should the machine be that slow.
    let judged = ended.remove(&4003).unwrap();
    assert_eq!(ended.remove(&1013), Some(tries() - judged), "and nothing else: {ended:?}");
    assert!(judged == JUDGED || tries() > 5_000 && judged <= 10 * JUDGED, "{judged} were judged");
    // Shut again, should that minute have passed just now.
    for number in 0..JUDGED {
        guess(port, tries() + number).await;
    }

    assert_eq!(shake(port, "stranger", &right).await, Some(1013), "not even with the right one");
    assert_eq!(kit.doings().await["links"], links, "the extensions are still linked");
    friend.send(&json!({"type": "ping"})).await;
    assert_eq!(friend.receive().await, json!({"type": "pong"}));
    drop(friend);
    assert_eq!(shake(port, "friend", &right).await, None, "it comes back");
    // So does the paired extension, whose worker died.
    personal.kill_worker().await;
    let devtools = personal.devtools().await;
    let popup = devtools.open_own_page("popup.html").await;
    popup.until("document.getElementById('state').textContent === 'Connected'").await;
    client.ok("browser_navigate", there.clone()).await;
    let newcomer = kit.client().await;
    newcomer.ok("browser_navigate", there).await;
    kit.launch().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_wrong_bearer_tokens_are_answered_shortly_and_agents_go_on_working() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let host = format!("127.0.0.1:{port}");
    let client = kit.client().await;
    let before = kit.doings().await;
    let mut answered: BTreeMap<u16, usize> = BTreeMap::new();
    for number in 0..tries() {
        let (wrong, other) = (format!("Bearer wrong-{number}"), format!("10.0.0.{}", number % 256));
        let mut headers = vec![("Host", host.as_str()), ("Authorization", &wrong)];
        match number % 3 {
            0 => headers.push(("X-Forwarded-For", &other)),
            1 => headers.push(("Cookie", "session=bogus")),
            _ => headers.push(("Mcp-Session-Id", &other)),
        }
        let path = ["/mcp", "/agent"][number % 2];
        *answered.entry(ask(port, "GET", path, &headers, "").await.status).or_default() += 1;
    }
    let judged = answered.remove(&401).unwrap();
    assert_eq!(answered.remove(&429), Some(tries() - judged), "{answered:?}");
    assert!((JUDGED..=10 * JUDGED).contains(&judged), "{judged}");
    assert_eq!(kit.doings().await, before, "nothing was executed, and we are let in");
    for client in [client, kit.client().await] {
        let answer = client.call("browser_tabs", json!({"action": "list", "timeoutMs": 50})).await;
        assert_eq!(answer.code.as_deref(), Some("no_browser"), "{}", answer.text);
    }
}

#[tokio::test]
async fn an_old_token_that_is_repeated_shuts_nobody_out() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    for _ in 0..5 * JUDGED {
        assert_eq!(shake(port, "old", "a-token-of-last-year").await, Some(4003));
    }
    let right = kit.hub().pairing_token().reveal();
    assert_eq!(shake(port, "new", right).await, None);
}

#[tokio::test]
async fn many_wrong_refresh_tokens_are_judged_no_more_and_the_extension_stays_logged_in() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let (host, own) = (format!("127.0.0.1:{port}"), own_origin());
    let pairing = format!("Bearer {}", kit.hub().pairing_token().reveal());
    let asked = async |path: &str, more: &[(&str, &str)], body: serde_json::Value| {
        let mut headers = vec![("Host", host.as_str()), ("Content-Type", "application/json")];
        headers.extend(more);
        let answer = ask(port, "POST", path, &headers, &body.to_string()).await;
        let told: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
        (answer.status, told)
    };
    let extension = [("Origin", own.as_str()), ("Authorization", pairing.as_str())];
    let begin = "/auth/session/extension-token";
    let (status, login) = asked(begin, &extension, json!({"clientId": "c"})).await;
    assert_eq!(status, 200, "{login}");
    let refresh = "/auth/session/refresh";
    let mut answered: BTreeMap<u16, usize> = BTreeMap::new();
    for number in 0..3 * JUDGED {
        let (status, told) = match number % 2 {
            0 => asked(refresh, &[], json!({"refreshToken": format!("wrong-{number}")})).await,
            _ => {
                let word = format!("otr_refresh_{number}");
                let more = [("Origin", own.as_str()), ("X-Forwarded-For", "10.0.0.1")];
                asked(refresh, &more, json!({"refreshToken": word})).await
            }
        };
        let code = if status == 401 { "login_unknown" } else { "too_many_tokens" };
        assert_eq!(told["code"], code, "{told}");
        *answered.entry(status).or_default() += 1;
    }
    assert_eq!(answered, BTreeMap::from([(401, JUDGED), (429, 2 * JUDGED)]));
    let word = json!({"refreshToken": login["refreshToken"]});
    let (status, next) = asked(refresh, &extension[..1], word).await;
    assert_eq!(status, 200, "the extension has the right one: {next}");
}
