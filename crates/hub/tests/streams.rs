//! Answers that go on: many may follow with one token, and none shuts the others out.

use crate::followers::{follow, follow_all, token};
use outrigger_testkit::raw_http::{ask, read_answer};
use outrigger_testkit::{Kit, Peer, eventually};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

/// A call of a tool that needs no session before it.
const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"browser_tabs",
"arguments":{"action":"list","timeoutMs":50},"_meta":{
"io.modelcontextprotocol/protocolVersion":"2026-07-28",
"io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},
"io.modelcontextprotocol/clientCapabilities":{}}}}"#;

const CALL_HEADERS: [(&str, &str); 5] = [
    ("Content-Type", "application/json"),
    ("Accept", "application/json, text/event-stream"),
    ("MCP-Protocol-Version", "2026-07-28"),
    ("Mcp-Method", "tools/call"),
    ("Mcp-Name", "browser_tabs"),
];

/// Both ends of every connection are in this process.
async fn start() -> Kit {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap();
    Kit::start().await
}

#[tokio::test]
async fn a_token_that_follows_all_it_can_keeps_nobody_else_out() {
    let kit = start().await;
    let port = kit.settings.port;
    let (greedy, other) = (token(&kit).await, token(&kit).await);
    let (mut following, refused) = follow_all(port, &greedy).await;
    assert_eq!(refused.status, 429, "after {}: {}", following.len(), refused.head);
    assert!(refused.body.contains("too_many_streams"), "{}", refused.body);
    assert!(following.len() >= 100, "{} could follow", following.len());

    // What it calls now isn't done, rather than done and not told.
    let host = format!("127.0.0.1:{port}");
    let bearer = format!("Bearer {greedy}");
    let mut headers = vec![("Host", host.as_str()), ("Authorization", bearer.as_str())];
    let listed = ask(port, "GET", "/api/v1/records", &headers, "").await;
    assert_eq!(listed.status, 200, "it still reads: {}", listed.head);
    headers.extend(CALL_HEADERS);
    let before = kit.doings().await;
    assert_eq!(ask(port, "POST", "/mcp", &headers, CALL).await.status, 429);
    assert_eq!(kit.doings().await, before, "a shell is served, and nothing was called");

    let health = ask(port, "GET", "/health", &[("Host", &host)], "").await;
    assert_eq!(health.status, 200, "a stranger is");
    let _other = follow(port, &other, true).await.expect("another program is");
    let own = kit.hub().agent_token().reveal();
    let _own = follow(port, own, true).await.expect("the machine's own are");
    let pairing = kit.hub().pairing_token().reveal();
    let _browser = Peer::linked(port, "own", pairing, &json!([])).await;

    following.pop();
    let again = eventually("what it lets go it can have again", || async {
        follow(port, &greedy, true).await.ok()
    });
    again.await;
}

#[tokio::test]
async fn thousands_follow_with_the_machines_own_token_and_a_shell_and_others_are_served() {
    let kit = start().await;
    let port = kit.settings.port;
    let (following, refused) = follow_all(port, kit.hub().agent_token().reveal()).await;
    assert_eq!(refused.status, 429, "after {}: {}", following.len(), refused.head);
    assert!(following.len() > 1_000, "{} could follow", following.len());
    kit.doings().await;
    let made = kit.api().ask("POST", "/api/v1/records", json!({"schema_name": "note.v1"})).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let health = ask(port, "GET", "/health", &[("Host", &format!("127.0.0.1:{port}"))], "").await;
    assert_eq!(health.status, 200);
    let pairing = kit.hub().pairing_token().reveal();
    let _browser = Peer::linked(port, "own", pairing, &json!([])).await;
}

#[tokio::test]
async fn an_agent_with_all_the_sockets_it_can_have_keeps_no_browser_out() {
    let kit = start().await;
    let port = kit.settings.port;
    let bearer = format!("Bearer {}", token(&kit).await);
    let headers = [("authorization", bearer.as_str())];
    let mut sockets = Vec::new();
    let refused = loop {
        match Peer::open_with(port, "/agent", &headers).await {
            Ok(socket) => sockets.push(socket),
            Err(status) => break status,
        }
    };
    assert_eq!((refused, sockets.len() >= 16), (503, true), "after {}", sockets.len());
    let pairing = kit.hub().pairing_token().reveal();
    let _browser = Peer::linked(port, "own", pairing, &json!([])).await;
    assert_eq!(kit.doings().await["links"].as_array().map(Vec::len), Some(1), "nor a shell");
    drop(sockets);
    let told = kit.api().ask("GET", "/api/v1/records", Value::Null).await;
    assert_eq!(told.status, 200, "{}", told.body);
}

#[tokio::test]
async fn links_that_show_nothing_keep_no_browser_out() {
    let kit = start().await;
    let port = kit.settings.port;
    let reader = token(&kit).await;
    let bearer = format!("Bearer {}", kit.hub().agent_token().reveal());
    let headers = [("authorization", bearer.as_str())];
    let mut agents = Vec::new();
    while let Ok(socket) = Peer::open_with(port, "/agent", &headers).await {
        agents.push(socket);
    }
    // More than agents leave.
    let mut silent = Vec::new();
    for _ in 0..40 {
        silent.extend(Peer::open(port, "/extension", None).await);
    }
    assert!(silent.len() > 16, "{} of them", silent.len());
    let pairing = kit.hub().pairing_token().reveal();
    let _browser = Peer::linked(port, "own", pairing, &json!([])).await;
    // Nor do those that a token was shown for, on the same connections.
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    for (path, more, status) in [
        ("/health", "", 200),
        (
            "/extension",
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
            400,
        ),
    ] {
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {reader}\r\n\
             {more}\r\n"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let answer = read_answer(&mut stream).await;
        assert_eq!(answer.status, status, "{path}: {} {}", answer.head, answer.body);
    }
}
