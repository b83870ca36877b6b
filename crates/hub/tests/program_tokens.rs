//! Tokens of programs: what one is good for by its scope, whose sessions are, and that
//! whatever lives by one ends with it.

use std::time::Duration;

use crate::shown_tokens::{DAY, TOKENS, agent, confirmed_token, now_ms, send, status, with};
use outrigger_store::{Owner, Store, tokens::Scope};
use outrigger_testkit::raw_http::read_answer;
use outrigger_testkit::{Devtools, Kit, McpClient, PATIENCE, Peer, eventually};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

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

async fn call(peer: &mut Peer, tool: &str, arguments: Value) -> Value {
    peer.send(&json!({"type": "call", "id": 1, "tool": tool, "arguments": arguments,
        "scope": "admin"}))
        .await;
    peer.receive().await["reply"].clone()
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
    // A connection on which nothing is asked.
    let mut kept = TcpStream::connect(("127.0.0.1", kit.settings.port)).await.unwrap();
    let request = format!(
        "GET /health HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {word}\r\n\r\n",
        kit.settings.port
    );
    kept.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(read_answer(&mut kept).await.status, 200);
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
    let end = tokio::time::timeout(PATIENCE, kept.read(&mut [0; 1])).await;
    assert_eq!(end.expect("an end").unwrap_or_default(), 0, "it is closed");
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
    let mut socket = agent(&kit, &word, "s").await;
    assert_eq!(store.check_token(&word, now_ms() + DAY).await.unwrap(), None);
    assert_eq!(with(&kit, &word, "GET", "/nowhere", Value::Null).await.0, 401);
    // What is open ends too, though an hour has not passed.
    assert_eq!(socket.end().await.code, Some(4005));
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
        let is_drawn = "document.querySelector('.request:not([data-pressed])')?.innerText.includes('robot') ?? false";
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
