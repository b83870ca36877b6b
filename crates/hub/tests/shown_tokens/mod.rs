//! Requests and sockets under a token that the test chooses, for tests of what tokens and
//! logins are good for.

use outrigger_store::{Owner, Store, tokens::Scope};
use outrigger_testkit::raw_http::{RawAnswer, ask};
use outrigger_testkit::{Kit, Peer};
use serde_json::{Value, json};

/// Where tokens of programs are made and listed.
pub(crate) const TOKENS: &str = "/api/v1/tokens";

/// In milliseconds.
pub(crate) const DAY: i64 = 24 * 60 * 60 * 1000;

/// One request with these headers, and with JSON.
pub(crate) async fn send(
    kit: &Kit,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &Value,
) -> RawAnswer {
    let host = format!("127.0.0.1:{}", kit.settings.port);
    let mut all = vec![("Host", host.as_str()), ("Content-Type", "application/json")];
    all.extend(headers);
    let body = if body.is_null() { String::new() } else { body.to_string() };
    ask(kit.settings.port, method, path, &all, &body).await
}

/// One request with this bearer token.
pub(crate) async fn with(
    kit: &Kit,
    token: &str,
    method: &str,
    path: &str,
    body: Value,
) -> (u16, Value) {
    let bearer = format!("Bearer {token}");
    let answer = send(kit, method, path, &[("Authorization", &bearer)], &body).await;
    (answer.status, serde_json::from_str(&answer.body).unwrap_or_default())
}

/// An agent's socket under this token, after its hello.
pub(crate) async fn agent(kit: &Kit, token: &str, session: &str) -> Peer {
    let bearer = format!("Bearer {token}");
    let headers: [(&'static str, &str); 1] = [("authorization", &bearer)];
    let mut peer = Peer::open_with(kit.settings.port, "/agent", &headers).await.unwrap();
    let hello = json!({"type": "hello", "client": "c", "session": session,
        "ends_with_connection": true, "launch": null, "scope": "admin"});
    peer.send(&hello).await;
    assert_eq!(peer.receive().await["type"], "welcome");
    peer
}

/// What the hub tells of itself.
pub(crate) async fn status(kit: &Kit) -> Value {
    let mut peer = agent(kit, kit.hub().agent_token().reveal(), "looker").await;
    peer.send(&json!({"type": "query", "id": 1, "what": "status"})).await;
    peer.receive().await["value"].clone()
}

/// A token as the user has it who confirmed it: put into the hub's store by hand.
pub(crate) async fn confirmed_token(kit: &Kit, scope: Scope) -> (i64, String) {
    let store = Store::open(&kit.settings.home.store_path()).await.unwrap();
    let now = now_ms();
    let (info, secret) = store.new_token(&Owner::local(), "t", scope, None, now).await.unwrap();
    (info.id, secret.reveal().to_owned())
}

pub(crate) fn now_ms() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    i64::try_from(since.as_millis()).unwrap()
}
