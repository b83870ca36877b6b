//! Logins of extensions: who may begin one, in which browser it is good, and what ends it.

use std::time::Duration;

use crate::shown_tokens::{DAY, TOKENS, now_ms, send, status, with};
use outrigger_hub::extension_files::own_origin;
use outrigger_hub::home::TokenKind;
use outrigger_store::Store;
use outrigger_testkit::{Kit, LooseBrowser, Peer, Target, eventually};
use serde_json::{Value, json};

const LOGIN: &str = "/auth/session/extension-token";
const REFRESH: &str = "/auth/session/refresh";

/// Exchanges the pairing token for a pair, as our extension does.
async fn log_in(kit: &Kit, client: &str) -> Value {
    let bearer = format!("Bearer {}", kit.hub().pairing_token().reveal());
    let own = own_origin();
    let headers = [("Authorization", bearer.as_str()), ("Origin", &own)];
    let answer = send(kit, "POST", LOGIN, &headers, &json!({"clientId": client})).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    serde_json::from_str(&answer.body).unwrap()
}

async fn refresh(kit: &Kit, token: &Value) -> (u16, Value) {
    let body = json!({"refreshToken": token});
    let answer = send(kit, "POST", REFRESH, &[("Origin", &own_origin())], &body).await;
    (answer.status, serde_json::from_str(&answer.body).unwrap_or_default())
}

/// A handshake with an access token: the link, or the code that it was closed with.
async fn link(kit: &Kit, client: &str, access: &Value, origin: &str) -> Result<Peer, u16> {
    let mut peer = Peer::open(kit.settings.port, "/extension", Some(origin)).await?;
    let mut handshake = Peer::handshake(client, "", &json!([]));
    handshake.as_object_mut().unwrap().remove("pairingToken");
    handshake["accessToken"] = access.clone();
    handshake["memory"] = json!("m");
    peer.send(&handshake).await;
    match peer.next().await {
        Ok(ack) => {
            assert_eq!(ack["type"], "handshake_ack", "{ack}");
            Ok(peer)
        }
        Err(end) => Err(end.code.unwrap_or_default()),
    }
}

#[tokio::test]
async fn an_extension_of_another_origin_is_refused_and_shown() {
    let kit = Kit::start().await;
    let stranger = format!("chrome-extension://{}", "a".repeat(32));
    let own = own_origin();
    for _ in 0..2 {
        let refused = Peer::open(kit.settings.port, "/extension", Some(&stranger)).await;
        assert_eq!(refused.err(), Some(403));
    }
    assert!(Peer::open(kit.settings.port, "/extension", Some(&own)).await.is_ok());
    let shown = status(&kit).await["refusedExtensions"].clone();
    assert_eq!(shown.as_array().map(Vec::len), Some(1), "{shown}");
    assert_eq!((&shown[0]["origin"], &shown[0]["times"]), (&json!(stranger), &json!(2)));
}

#[tokio::test]
async fn a_refresh_token_that_is_used_twice_ends_the_login_and_the_user_is_told() {
    let kit = Kit::start().await;
    let own = own_origin();
    let first = log_in(&kit, "ext-1").await;
    let mut linked = link(&kit, "ext-1", &first["accessToken"], &own).await.unwrap();
    let other = log_in(&kit, "ext-2").await;
    let mut spared = link(&kit, "ext-2", &other["accessToken"], &own).await.unwrap();
    let (status_code, second) = refresh(&kit, &first["refreshToken"]).await;
    assert_eq!(status_code, 200, "{second}");
    let renewed = link(&kit, "ext-1", &second["accessToken"], &own).await;
    assert_eq!(linked.end().await.code, Some(4004), "the same browser with its new token");
    let mut linked = renewed.unwrap();
    assert_eq!(status(&kit).await["warnings"], json!([]));

    let (code, told) = refresh(&kit, &first["refreshToken"]).await;
    assert_eq!((code, &told["code"]), (401, &json!("refresh_reused")), "{told}");
    let end = linked.end().await;
    assert_eq!((end.code, end.reason.as_str()), (Some(4005), "Refresh token used twice"));
    // Both who have tokens of it are out.
    let (code, told) = refresh(&kit, &second["refreshToken"]).await;
    assert_eq!((code, &told["code"]), (401, &json!("login_ended")), "{told}");
    let again = link(&kit, "ext-1", &second["accessToken"], &own).await;
    assert_eq!(again.err(), Some(4003));
    let access = second["accessToken"].as_str().unwrap();
    assert_eq!(with(&kit, access, "GET", "/auth/session", Value::Null).await.0, 401);
    let told = status(&kit).await;
    let warning = told["warnings"][0].as_str().unwrap();
    assert!(warning.contains("ext-1") && warning.contains("outrigger pair"), "{warning}");
    assert_eq!(told["browsers"].as_array().map(Vec::len), Some(1), "gone at once: {told}");
    spared.send(&json!({"type": "ping"})).await;
    while spared.receive().await["type"] != "pong" {}

    let paired_again = log_in(&kit, "ext-1").await;
    assert!(link(&kit, "ext-1", &paired_again["accessToken"], &own).await.is_ok());
    assert_eq!(status(&kit).await["warnings"], json!([]), "nothing is left to do");
}

#[tokio::test]
async fn a_second_browser_with_the_paired_extension_is_welcome_and_listed() {
    let mut kit = Kit::start().await;
    let own = own_origin();
    let (one, two) = (log_in(&kit, "ext-1").await, log_in(&kit, "ext-2").await);
    let first = link(&kit, "ext-1", &one["accessToken"], &own).await.unwrap();
    let second = link(&kit, "ext-2", &two["accessToken"], &own).await.unwrap();
    let told = status(&kit).await;
    assert_eq!(told["browsers"].as_array().map(Vec::len), Some(2), "{told}");
    let clients: Vec<&Value> =
        told["logins"].as_array().unwrap().iter().map(|login| &login["browser"]).collect();
    assert_eq!(clients, ["ext-1", "ext-2"]);
    drop((first, second));
    // A login outlives the hub.
    kit.restart().await;
    assert!(link(&kit, "ext-1", &one["accessToken"], &own).await.is_ok());
}

#[tokio::test]
async fn a_login_is_good_in_its_own_browser_until_it_signs_out() {
    let kit = Kit::start().await;
    let own = own_origin();
    let pair = log_in(&kit, "ext-1").await;
    let access = pair["accessToken"].as_str().unwrap();
    for (client, origin, word) in [
        ("ext-2", own.as_str(), &pair["accessToken"]),
        ("ext-1", &own, &pair["refreshToken"]),
        ("ext-1", &own, &json!("otr_access_wrong")),
    ] {
        assert_eq!(link(&kit, client, word, origin).await.err(), Some(4003), "{client}");
    }
    let mut linked = link(&kit, "ext-1", &pair["accessToken"], &own).await.unwrap();
    let (code, told) = with(&kit, access, "GET", "/auth/session", Value::Null).await;
    assert_eq!((code, &told["clientId"]), (200, &json!("ext-1")), "{told}");
    // It is for the link; tools are called by agents.
    for path in ["/mcp", "/agent", "/api/v1/anything"] {
        assert_eq!(with(&kit, access, "GET", path, Value::Null).await.0, 403, "{path}");
    }
    let (code, _) = with(&kit, access, "DELETE", "/auth/session", Value::Null).await;
    assert_eq!(code, 204);
    assert_eq!(linked.end().await.code, Some(4005));
    assert_eq!(with(&kit, access, "GET", "/auth/session", Value::Null).await.0, 401);
    assert_eq!(refresh(&kit, &pair["refreshToken"]).await.0, 401);
    let machine = kit.hub().agent_token().reveal();
    assert_eq!(with(&kit, machine, "GET", "/auth/session", Value::Null).await.0, 403);
}

#[tokio::test]
async fn our_own_extensions_login_is_good_for_what_its_pages_show_and_for_nothing_else() {
    const PERMISSIONS: &str = "/api/v1/chat/tool-permissions";
    const TRUST: &str = "/api/v1/domain-trust";
    let kit = Kit::start().await;
    let pair = log_in(&kit, "ext-1").await;
    let access = pair["accessToken"].as_str().unwrap();
    let policy = |decision: &str| json!({"toolPattern": "tab_action:upload", "originPattern": "*", "decision": decision});
    let block = json!({"domain": "bank.example", "trust": "blocked"});
    for (method, path, body, expected) in [
        ("PUT", PERMISSIONS, policy("deny_always"), 200),
        ("GET", PERMISSIONS, Value::Null, 200),
        ("PUT", TRUST, block, 200),
        ("GET", TRUST, Value::Null, 200),
        ("GET", TOKENS, Value::Null, 200),
        // What loosens is confirmed, whoever asks.
        ("PUT", PERMISSIONS, policy("allow_always"), 409),
        ("POST", TOKENS, json!({"name": "x"}), 403),
        ("DELETE", "/api/v1/tokens/1", Value::Null, 403),
        ("POST", "/mcp", json!({}), 403),
        ("GET", "/agent", Value::Null, 403),
    ] {
        let (status, told) = with(&kit, access, method, path, body).await;
        assert_eq!(status, expected, "{method} {path}: {told}");
    }
    // Another extension that may pair sees nothing of it.
    let other = format!("chrome-extension://{}", "c".repeat(32));
    kit.settings.home.add_paired_origin(&other).unwrap();
    let bearer = format!("Bearer {}", kit.hub().pairing_token().reveal());
    let headers = [("Authorization", bearer.as_str()), ("Origin", other.as_str())];
    let answer = send(&kit, "POST", LOGIN, &headers, &json!({"clientId": "ext-2"})).await;
    let pair: Value = serde_json::from_str(&answer.body).unwrap();
    let access = pair["accessToken"].as_str().unwrap();
    assert_eq!(with(&kit, access, "GET", "/auth/session", Value::Null).await.0, 200);
    for path in [PERMISSIONS, TRUST, TOKENS] {
        assert_eq!(with(&kit, access, "GET", path, Value::Null).await.0, 403, "{path}");
    }
}

#[tokio::test]
async fn a_new_pairing_token_ends_the_logins_that_were_begun_with_the_old_one() {
    let kit = Kit::start().await;
    let own = own_origin();
    let old = log_in(&kit, "ext-1").await;
    let mut linked = link(&kit, "ext-1", &old["accessToken"], &own).await.unwrap();
    // A file is as old as the kernel's last tick says.
    tokio::time::sleep(Duration::from_millis(20)).await;
    kit.settings.home.rotate_token(TokenKind::Pairing).unwrap();
    // Nobody has to come by for it.
    assert_eq!(linked.end().await.code, Some(4005));
    let again = link(&kit, "ext-2", &old["accessToken"], &own).await;
    assert_eq!(again.err(), Some(4003));
    let (code, told) = refresh(&kit, &old["refreshToken"]).await;
    assert_eq!((code, &told["code"]), (401, &json!("login_ended")), "{told}");
    assert_eq!(status(&kit).await["warnings"], json!([]));
}

#[tokio::test]
async fn a_new_pairing_token_ends_logins_whatever_the_clock_said_when_they_were_begun() {
    let kit = Kit::start().await;
    let own = own_origin();
    let store = Store::open(&kit.settings.home.store_path()).await.unwrap();
    let before = log_in(&kit, "ext-1").await;
    // Of a login that is as old as this, nobody noted the token.
    forget_pairing(&kit).await;
    // The clock was a day ahead once, and the store's time never goes back.
    store.prove_writable(now_ms() + DAY).await.unwrap();
    let ahead = log_in(&kit, "ext-2").await;
    let mut linked = link(&kit, "ext-2", &ahead["accessToken"], &own).await.unwrap();
    let (code, before) = refresh(&kit, &before["refreshToken"]).await;
    assert_eq!(code, 200, "no token is new yet: {before}");
    // A file is as old as the kernel's last tick says.
    tokio::time::sleep(Duration::from_millis(20)).await;
    kit.settings.home.rotate_token(TokenKind::Pairing).unwrap();
    assert_eq!(linked.end().await.code, Some(4005));
    for login in [&before, &ahead] {
        let (code, told) = refresh(&kit, &login["refreshToken"]).await;
        assert_eq!((code, &told["code"]), (401, &json!("login_ended")), "{told}");
    }
}

/// Makes logins what they were before it was noted which token they were begun with.
async fn forget_pairing(kit: &Kit) {
    use sqlx::ConnectOptions as _;
    let path = kit.settings.home.store_path();
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
    let mut connection = options.connect().await.unwrap();
    let forget = sqlx::query("UPDATE extension_sessions SET pairing_hash = NULL");
    forget.execute(&mut connection).await.unwrap();
}

#[tokio::test]
async fn a_new_pairing_token_closes_links_that_came_in_with_the_old_one_and_no_others() {
    let kit = Kit::start().await;
    let old = kit.hub().pairing_token().reveal();
    let mut paired = Peer::linked(kit.settings.port, "paired", old, &json!([])).await;
    let launched = outrigger_hub::home::Token::generate().unwrap();
    kit.hub().expect_throw_away(launched.clone());
    let _launched =
        Peer::linked(kit.settings.port, "launched", launched.reveal(), &json!([])).await;
    let new = kit.settings.home.rotate_token(TokenKind::Pairing).unwrap();
    let _again = Peer::linked(kit.settings.port, "again", new.reveal(), &json!([])).await;
    assert_eq!(paired.end().await.code, Some(4003));
    eventually("its browser is gone", || async {
        let browsers = status(&kit).await["browsers"].clone();
        (browsers.as_array()?.len() == 2).then_some(())
    })
    .await;
}

#[tokio::test]
async fn only_the_pairing_token_begins_a_login_and_guesses_are_counted() {
    let kit = Kit::start().await;
    let body = json!({"clientId": "ext-1"});
    let stranger = format!("chrome-extension://{}", "b".repeat(32));
    let right = format!("Bearer {}", kit.hub().pairing_token().reveal());
    let headers = [("Authorization", right.as_str()), ("Origin", &stranger)];
    assert_eq!(send(&kit, "POST", LOGIN, &headers, &body).await.status, 403);
    assert_eq!(send(&kit, "POST", LOGIN, &[], &body).await.status, 401);
    let machine = kit.hub().agent_token().reveal().to_owned();
    assert_eq!(with(&kit, &machine, "POST", LOGIN, body.clone()).await.0, 401);
    let mut answered = Vec::new();
    for number in 0..12 {
        answered.push(with(&kit, &format!("wrong-{number}"), "POST", LOGIN, body.clone()).await.0);
    }
    assert!(answered.contains(&401) && answered.last() == Some(&429), "{answered:?}");
    let headers = [("Authorization", right.as_str())];
    assert_eq!(send(&kit, "POST", LOGIN, &headers, &body).await.status, 429);
}

/// Pairs a browser on its options page, as its user does.
async fn pair(kit: &Kit, options: &Target<'_>) {
    options.until("document.getElementById('hub').value !== ''").await;
    let fill = format!(
        "document.getElementById('hub').value = '127.0.0.1:{}'; \
         document.getElementById('token').value = {}; undefined",
        kit.settings.port,
        json!(kit.hub().pairing_token().reveal())
    );
    options.evaluate(&fill).await;
    options.press("button", "Save & connect").await;
    options.until("document.getElementById('state').textContent === 'Connected'").await;
}

#[tokio::test]
async fn a_user_disconnects_a_browser_for_good_and_pairs_it_again() {
    let kit = Kit::start().await;
    let browser = LooseBrowser::start_unpaired(&kit.settings);
    let devtools = browser.devtools().await;
    let options = devtools.open_own_page("options.html").await;
    pair(&kit, &options).await;
    let stored = options.evaluate("chrome.storage.local.get(null)").await;
    options.press("button", "Disconnect this browser").await;
    options.press("#leave-question button", "Disconnect").await;
    options.until("document.getElementById('problem').textContent.includes('pair it again')").await;
    let told = options.text().await;
    assert!(told.contains("Disconnected") && told.contains("outrigger pair"), "{told}");
    assert!(!told.contains("Disconnect this browser"), "{told}");
    eventually("the hub knows it no more", || async {
        let now = status(&kit).await;
        (now["logins"] == json!([]) && now["browsers"] == json!([])).then_some(())
    })
    .await;
    assert_eq!(refresh(&kit, &stored["refreshToken"]).await.0, 401);
    let left = options.evaluate("chrome.storage.local.get(null)").await;
    assert_eq!((&left["refreshToken"], &left["pairingToken"]), (&json!(""), &json!("")));
    // No worker after it comes back by itself.
    browser.kill_worker().await;
    let popup = devtools.open_own_page("popup.html").await;
    popup.until("document.getElementById('problem').textContent.includes('pair it again')").await;
    pair(&kit, &options).await;
    assert_eq!(status(&kit).await["logins"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_paired_browser_keeps_a_login_and_no_pairing_token_and_its_user_is_told_of_a_copy() {
    let mut kit = Kit::start().await;
    let browser = LooseBrowser::start_unpaired(&kit.settings);
    let devtools = browser.devtools().await;
    let options = devtools.open_own_page("options.html").await;
    pair(&kit, &options).await;
    let is = |state: &str| format!("document.getElementById('state').textContent === '{state}'");
    let stored = options.evaluate("chrome.storage.local.get(null)").await;
    assert_eq!(stored["pairingToken"], "", "{stored}");
    let refresh_token = stored["refreshToken"].clone();
    assert!(refresh_token.as_str().is_some_and(|word| word.starts_with("otr_refresh_")));
    assert_eq!(status(&kit).await["logins"].as_array().map(Vec::len), Some(1));

    // A hub that restarts and a worker that dies find it again, without a new pair.
    kit.restart().await;
    browser.kill_worker().await;
    let popup = devtools.open_own_page("popup.html").await;
    popup.until(&is("Connected")).await;
    // A new pair where the access token is gone, as after a restart of the browser.
    popup.evaluate("chrome.storage.session.remove('access')").await;
    popup.press("button", "Disconnect").await;
    popup.until(&is("Disconnected")).await;
    popup.press("button", "Connect").await;
    popup.until(&is("Connected")).await;
    let renewed = popup.evaluate("chrome.storage.local.get('refreshToken')").await;
    assert_ne!(renewed["refreshToken"], refresh_token);

    assert_eq!(refresh(&kit, &refresh_token).await.0, 401);
    popup.until(&is("Disconnected")).await;
    popup.until("document.getElementById('problem').textContent.includes('Somebody else')").await;
    let told = popup.text().await;
    assert!(told.contains("outrigger pair"), "{told}");
    assert_eq!(status(&kit).await["warnings"].as_array().map(Vec::len), Some(1));
    popup.press("button", "Connect").await;
    popup.until("document.getElementById('problem').textContent.includes('Somebody else')").await;
    assert_eq!(status(&kit).await["browsers"], json!([]));
}
