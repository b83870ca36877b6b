//! Who may talk to the hub, and for how long: tokens with a scope and an end, and
//! the logins of extensions.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::time::Duration;

use outrigger_hub::extension_files::own_origin;
use outrigger_hub::home::TokenKind;
use outrigger_store::{Owner, Store, tokens::Scope};
use outrigger_testkit::raw_http::{RawAnswer, ask};
use outrigger_testkit::{Devtools, Kit, LooseBrowser, McpClient, Peer, Target, eventually};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const TOKENS: &str = "/api/v1/tokens";
const DAY: i64 = 24 * 60 * 60 * 1000;

/// One request with these headers, and with JSON.
async fn send(
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
async fn with(kit: &Kit, token: &str, method: &str, path: &str, body: Value) -> (u16, Value) {
    let bearer = format!("Bearer {token}");
    let answer = send(kit, method, path, &[("Authorization", &bearer)], &body).await;
    (answer.status, serde_json::from_str(&answer.body).unwrap_or_default())
}

/// One request with the machine's own token, as commands make it.
async fn shell(kit: &Kit, method: &str, path: &str, body: Value) -> (u16, Value) {
    with(kit, kit.hub().agent_token().reveal(), method, path, body).await
}

/// A token made from a shell: its number and the word.
async fn new_token(kit: &Kit, wanted: Value) -> (i64, String) {
    let (status, made) = shell(kit, "POST", TOKENS, wanted).await;
    assert_eq!(status, 201, "{made}");
    (made["id"].as_i64().unwrap(), made["token"].as_str().unwrap().to_owned())
}

async fn revoke(kit: &Kit, id: i64) {
    let path = format!("{TOKENS}/{id}");
    let (status, told) = shell(kit, "DELETE", &path, Value::Null).await;
    assert_eq!(status, 200, "{told}");
}

/// A token as the user has it who confirmed it: put into the hub's store by hand.
async fn confirmed_token(kit: &Kit, scope: Scope) -> (i64, String) {
    let store = Store::open(&kit.settings.home.store_path()).await.unwrap();
    let now = now_ms();
    let (info, secret) = store.new_token(&Owner::local(), "t", scope, None, now).await.unwrap();
    (info.id, secret.reveal().to_owned())
}

fn now_ms() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

/// An agent's socket under this token, after its hello.
async fn agent(kit: &Kit, token: &str, session: &str) -> Peer {
    let bearer = format!("Bearer {token}");
    let headers: [(&'static str, &str); 1] = [("authorization", &bearer)];
    let mut peer = Peer::open_with(kit.settings.port, "/agent", &headers).await.unwrap();
    let hello = json!({"type": "hello", "client": "c", "session": session,
        "ends_with_connection": true, "launch": null, "scope": "admin"});
    peer.send(&hello).await;
    assert_eq!(peer.receive().await["type"], "welcome");
    peer
}

async fn call(peer: &mut Peer, tool: &str, arguments: Value) -> Value {
    peer.send(&json!({"type": "call", "id": 1, "tool": tool, "arguments": arguments,
        "scope": "admin"}))
        .await;
    peer.receive().await["reply"].clone()
}

async fn status(kit: &Kit) -> Value {
    let mut peer = agent(kit, kit.hub().agent_token().reveal(), "looker").await;
    peer.send(&json!({"type": "query", "id": 1, "what": "status"})).await;
    peer.receive().await["value"].clone()
}

#[tokio::test]
async fn a_revoked_token_closes_what_it_has_open_and_is_refused_from_then_on() {
    let kit = Kit::start().await;
    let (id, word) = new_token(&kit, json!({"name": "ci"})).await;
    let (_, other) = new_token(&kit, json!({})).await;
    let mut socket = agent(&kit, &word, "s").await;
    let mut spared = agent(&kit, &other, "s").await;
    let client = McpClient::http(kit.settings.port, &word).await;
    client.tools().await;
    // A call that waits: ended with the token, not by its own time.
    let began = std::time::Instant::now();
    let (said, ()) = tokio::join!(
        async { client.try_call("browser_snapshot", json!({"timeoutMs": 60_000})).await },
        async {
            eventually("the call is there", || async {
                let sessions = status(&kit).await["sessions"].clone();
                let sessions = sessions.as_array().unwrap().clone();
                sessions.iter().any(|one| one["doing"] == "browser_snapshot").then_some(())
            })
            .await;
            revoke(&kit, id).await;
        }
    );
    assert!(said.is_err() || said.unwrap().failed);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let end = socket.end().await;
    assert_eq!(end.code, Some(4005), "{end:?}");
    for path in ["/mcp", "/agent", TOKENS] {
        assert_eq!(with(&kit, &word, "GET", path, Value::Null).await.0, 401, "{path}");
    }
    let reply = call(&mut spared, "browser_snapshot", json!({"timeoutMs": 50})).await;
    assert_eq!(reply["error"], "no_browser", "the other one goes on: {reply}");
    eventually("its MCP session is gone", || async {
        let sessions = status(&kit).await["sessions"].to_string();
        (!sessions.contains(&format!("token-{id}-"))).then_some(())
    })
    .await;
}

#[tokio::test]
async fn an_mcp_session_is_of_the_token_that_began_it() {
    let kit = Kit::start().await;
    let (id, one) = new_token(&kit, json!({})).await;
    let (_, other) = new_token(&kit, json!({})).await;
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"}}});
    let accept = ("Accept", "application/json, text/event-stream");
    let bearer = format!("Bearer {one}");
    let answer =
        send(&kit, "POST", "/mcp", &[("Authorization", &bearer), accept], &initialize).await;
    let session = answer.header("mcp-session-id").expect("a session").to_owned();
    let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    for (token, expected) in [(&one, 200), (&other, 404), (&one, 200)] {
        let bearer = format!("Bearer {token}");
        let headers = [("Authorization", bearer.as_str()), accept, ("Mcp-Session-Id", &session)];
        let answer = send(&kit, "POST", "/mcp", &headers, &list).await;
        assert_eq!(answer.status, expected, "{}", answer.head);
    }
    // Its stream of events is open until the token ends.
    let port = kit.settings.port;
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let request = format!(
        "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: {bearer}\r\n\
         Accept: text/event-stream\r\nMcp-Session-Id: {session}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(stream.read_u8().await.unwrap(), b'H', "it is answered");
    revoke(&kit, id).await;
    let mut rest = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(5), stream.read_to_end(&mut rest)).await;
    read.expect("the stream ends").unwrap();
    assert!(rest.starts_with(b"TTP/1.1 200"), "{}", String::from_utf8_lossy(&rest));
}

#[tokio::test]
async fn a_session_is_out_of_reach_for_every_other_credential() {
    let kit = Kit::start().await;
    let (one, first) = confirmed_token(&kit, Scope::Act).await;
    let (two, second) = confirmed_token(&kit, Scope::Act).await;
    let machine = kit.hub().agent_token().reveal();
    let list = json!({"action": "list", "timeoutMs": 50});
    let mut agents = Vec::new();
    for token in [&first, &second, machine] {
        let mut peer = agent(&kit, token, "work").await;
        call(&mut peer, "browser_tabs", list.clone()).await;
        agents.push(peer);
    }
    let sessions = status(&kit).await["sessions"].clone();
    let names: Vec<_> = sessions.as_array().unwrap().iter().map(|one| &one["session"]).collect();
    let (own, others) = (format!("token-{one}-work"), format!("token-{two}-work"));
    for name in [own.as_str(), &others, "work"] {
        assert!(names.contains(&&json!(name)), "{name}: {names:?}");
    }
    // Neither by its whole name, nor by an order, and names of the hub's are no client's.
    let bearer = format!("Bearer {machine}");
    let headers: [(&'static str, &str); 1] = [("authorization", &bearer)];
    let mut peer = Peer::open_with(kit.settings.port, "/agent", &headers).await.unwrap();
    for name in [own.as_str(), "outrigger:rules", "http-abcd1234"] {
        let hello = json!({"type": "hello", "client": "c", "session": name,
            "ends_with_connection": true, "launch": null});
        peer.send(&hello).await;
        let refused = peer.receive().await;
        assert_eq!(refused["code"], "invalid_arguments", "{refused}");
        assert!(refused["error"].as_str().unwrap().contains("the hub's own"), "{refused}");
    }
    let mut order = async |agent: usize, session: &str| {
        let order = json!({"type": "order", "id": 7, "session": session, "order": "pause"});
        agents[agent].send(&order).await;
        agents[agent].receive().await["value"].clone()
    };
    for name in ["work", own.as_str()] {
        let refused = order(1, name).await;
        assert!(refused["error"].as_str().unwrap().contains("no session"), "{name}: {refused}");
    }
    assert_eq!(order(1, &others).await["standing"], "paused");
    assert_eq!(order(2, &own).await["standing"], "paused", "a shell orders any");
}

#[tokio::test]
async fn a_token_for_reading_reads_and_does_nothing_else_whatever_the_client_says() {
    let kit = Kit::start().await;
    let (_, word) = new_token(&kit, json!({"scope": "read"})).await;
    let client = McpClient::http(kit.settings.port, &word).await;
    let tools = client.tools().await;
    let read_only = |tool: &rmcp::model::Tool| {
        tool.annotations.as_ref().is_some_and(|about| about.read_only_hint == Some(true))
    };
    assert!(!tools.is_empty() && tools.iter().all(read_only));
    let all = kit.client().await.tools().await;
    assert!(tools.len() < all.len());
    let acting = all.iter().filter(|tool| !read_only(tool));
    for tool in acting {
        let arguments = json!({"scope": "admin", "url": "https://example.com"});
        let said = client.refused(&tool.name, arguments, "out_of_scope").await;
        assert!(said.contains("outrigger token new --scope act"), "{said}");
    }
    client.refused("browser_snapshot", json!({"timeoutMs": 50}), "no_browser").await;
    client.refused("tab_action", json!({"steps": []}), "out_of_scope").await;
    // It is a tool for acting that lists them, but nothing else is asked of it.
    client.refused("get_tabs", json!({"timeoutMs": 50}), "no_browser").await;

    let mut socket = agent(&kit, &word, "shell").await;
    let reply = call(&mut socket, "browser_navigate", json!({"url": "https://a.example"})).await;
    assert_eq!(reply["error"], "out_of_scope", "{reply}");
    socket.send(&json!({"type": "order", "id": 2, "session": "shell", "order": "stop"})).await;
    assert!(socket.receive().await["value"]["error"].is_string());
    // Its sessions are its own, whatever it calls them.
    let sessions = status(&kit).await["sessions"].to_string();
    assert!(sessions.contains("-shell\"") && !sessions.contains("\"shell\""), "{sessions}");

    for headers in [("X-Scope", "admin"), ("X-Outrigger-Scope", "admin")] {
        let bearer = format!("Bearer {word}");
        let all = [("Authorization", bearer.as_str()), headers];
        for (method, path, body) in [
            ("GET", TOKENS, Value::Null),
            ("POST", TOKENS, json!({"scope": "read"})),
            ("DELETE", "/api/v1/tokens/1", Value::Null),
            ("GET", "/api/v1/chat/tool-permissions", Value::Null),
            ("PUT", "/api/v1/domain-trust", json!({})),
        ] {
            let answer = send(&kit, method, path, &all, &body).await;
            assert_eq!(answer.status, 403, "{method} {path}: {}", answer.body);
            assert!(answer.body.contains("out_of_scope"), "{}", answer.body);
        }
    }
}

#[tokio::test]
async fn a_token_for_acting_calls_every_tool_and_only_one_for_everything_changes_tokens() {
    let kit = Kit::start().await;
    let (_, act) = confirmed_token(&kit, Scope::Act).await;
    let (_, admin) = confirmed_token(&kit, Scope::Admin).await;
    for word in [&act, &admin] {
        let client = McpClient::http(kit.settings.port, word).await;
        assert_eq!(client.tools().await.len(), kit.client().await.tools().await.len());
        let list = json!({"action": "list", "timeoutMs": 50});
        client.refused("browser_tabs", list, "no_browser").await;
    }
    let (status, told) = with(&kit, &act, "GET", TOKENS, Value::Null).await;
    assert_eq!((status, &told["code"]), (403, &json!("out_of_scope")), "{told}");
    let (status, told) = with(&kit, &admin, "GET", TOKENS, Value::Null).await;
    assert_eq!((status, told["tokens"].as_array().map(Vec::len)), (200, Some(2)), "{told}");
    assert!(!told.to_string().contains(&admin), "nobody is told the word again");
    let (status, made) = with(&kit, &admin, "POST", TOKENS, json!({"expires": "1h"})).await;
    assert_eq!((status, &made["scope"]), (201, &json!("read")), "{made}");
    // Not even this one grants itself more.
    let (status, told) = with(&kit, &admin, "POST", TOKENS, json!({"scope": "act"})).await;
    assert_eq!((status, &told["code"]), (403, &json!("nobody_to_ask")), "{told}");
    for bad in [json!({"scope": "root"}), json!({"expires": "soon"})] {
        assert_eq!(with(&kit, &admin, "POST", TOKENS, bad).await.0, 400);
    }
}

#[tokio::test]
async fn an_expired_token_is_accepted_never_whatever_the_clock_says() {
    let kit = Kit::start().await;
    let store = Store::open(&kit.settings.home.store_path()).await.unwrap();
    let owner = Owner::local();
    let hour = Some(Duration::from_secs(3600));
    // Made the day before by a clock that was right.
    let (_, secret) =
        store.new_token(&owner, "old", Scope::Act, hour, now_ms() - DAY).await.unwrap();
    assert_eq!(with(&kit, secret.reveal(), "GET", "/mcp", Value::Null).await.0, 401);
    // A token that ends while a socket is open ends the socket.
    let (_, word) = new_token(&kit, json!({"expires": "1s"})).await;
    let mut socket = agent(&kit, &word, "s").await;
    assert_eq!(socket.end().await.code, Some(4005));
    assert_eq!(with(&kit, &word, "GET", "/mcp", Value::Null).await.0, 401);
    // The clock goes a day forward: what is expired then stays so when it is set back.
    let (_, word) = new_token(&kit, json!({"expires": "1h"})).await;
    assert_eq!(with(&kit, &word, "GET", "/nowhere", Value::Null).await.0, 404);
    assert_eq!(store.check_token(&word, now_ms() + DAY).await.unwrap(), None);
    assert_eq!(with(&kit, &word, "GET", "/nowhere", Value::Null).await.0, 401);
}

#[tokio::test]
async fn a_token_for_more_than_reading_is_made_when_the_user_says_so() {
    let kit = Kit::start().await;
    let wanted = json!({"name": "robot", "scope": "act", "expires": "30d"});
    let make = || shell(&kit, "POST", TOKENS, wanted.clone());
    let (status, told) = make().await;
    assert_eq!((status, &told["code"]), (403, &json!("nobody_to_ask")), "{told}");
    assert!(told["error"].as_str().unwrap().contains("outrigger pair"), "{told}");
    let browser = kit.personal_browser().await;
    let devtools: Devtools = browser.devtools().await;
    let panel = devtools.open_own_page("sidepanel.html").await;
    let ((status, told), ()) = tokio::join!(make(), panel.press(".request button", "Deny"));
    assert_eq!((status, &told["code"]), (403, &json!("user_refused")), "{told}");
    let allow = async {
        // The card that was answered may still be there.
        let is_drawn = "document.querySelector('.request')?.innerText.includes('robot') ?? false";
        panel.until(is_drawn).await;
        let text = panel.text().await;
        for words in ["A program on this machine", "Make a token for acting", "robot", "30days"] {
            assert!(text.contains(words), "{words}: {text}");
        }
        panel.press(".request button", "Allow once").await;
    };
    let ((status, made), ()) = tokio::join!(make(), allow);
    assert_eq!(status, 201, "{made}");
    let client = McpClient::http(kit.settings.port, made["token"].as_str().unwrap()).await;
    assert!(!client.call("browser_tabs", json!({"action": "list"})).await.failed);
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
