//! The gate over real connections: what a web page, a stranger's program or a
//! rebound name can reach.

use std::time::Duration;

use outrigger_testkit::Kit;
use outrigger_testkit::raw_http::{RawAnswer, UPGRADE, ask};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A call of a tool that needs no session before it.
const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"browser_tabs",
"arguments":{"action":"list","timeoutMs":50},"_meta":{
"io.modelcontextprotocol/protocolVersion":"2026-07-28",
"io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},
"io.modelcontextprotocol/clientCapabilities":{}}}}"#;

/// What goes with it.
const CALL_HEADERS: [(&str, &str); 5] = [
    ("Content-Type", "application/json"),
    ("Accept", "application/json, text/event-stream"),
    ("MCP-Protocol-Version", "2026-07-28"),
    ("Mcp-Method", "tools/call"),
    ("Mcp-Name", "browser_tabs"),
];

const JSON: [(&str, &str); 1] = [("Content-Type", "application/json")];

/// Where an extension looks at its login, which no other token has.
const LOGIN: &str = "/auth/session";

/// Routes that judge a credential of their own, in the body or of another kind.
const LOGINS: [&str; 2] = ["/auth/session/extension-token", "/auth/session/refresh"];

/// One way in: method, path, body and the headers that belong to it.
type Way = (&'static str, &'static str, &'static str, Vec<(&'static str, &'static str)>);

/// Every way into the hub.
fn ways() -> Vec<Way> {
    let stream = ("Accept", "text/event-stream");
    let mut ways = vec![
        ("GET", "/health", "", vec![]),
        ("GET", "/", "", vec![]),
        ("GET", "/nowhere", "", vec![]),
        ("POST", "/mcp", CALL, CALL_HEADERS.to_vec()),
        ("GET", "/mcp", "", vec![stream]),
        ("DELETE", "/mcp", "", vec![]),
        ("GET", "/api/v1/tokens", "", vec![]),
        ("DELETE", "/api/v1/tokens/1", "", vec![]),
        ("GET", "/api/v1/events?schema_name=note.v1", "", vec![stream]),
        ("GET", "/api/v1/agents", "", vec![]),
        ("GET", "/api/v1/agents/nobody/events", "", vec![stream]),
        ("POST", "/api/v1/agents/nobody/ack", "{}", JSON.to_vec()),
        ("GET", "/api/v1/schemas", "", vec![]),
        ("GET", "/api/v1/schemas/browser.action.v1", "", vec![]),
        ("GET", "/api/v1/openapi.json", "", vec![]),
        ("GET", LOGIN, "", vec![]),
        ("DELETE", LOGIN, "", vec![]),
    ];
    for path in ["/api/v1/chat/tool-permissions", "/api/v1/domain-trust"] {
        ways.push(("GET", path, "", vec![]));
        ways.push(("PUT", path, "{}", JSON.to_vec()));
        ways.push(("DELETE", path, "{}", JSON.to_vec()));
    }
    for path in ["/api/v1/records", "/api/v1/breadcrumbs"] {
        ways.push(("GET", path, "", vec![]));
        ways.push(("POST", path, "{}", JSON.to_vec()));
    }
    for path in ["/api/v1/records/nobody", "/api/v1/breadcrumbs/nobody"] {
        ways.push(("GET", path, "", vec![]));
        ways.push(("PUT", path, "{}", JSON.to_vec()));
        ways.push(("PATCH", path, "{}", JSON.to_vec()));
        ways.push(("DELETE", path, "", vec![]));
    }
    for path in ["/api/v1/records/nobody/full", "/api/v1/records/nobody/history"] {
        ways.push(("GET", path, "", vec![]));
    }
    for path in LOGINS {
        ways.push(("POST", path, "{}", JSON.to_vec()));
    }
    for path in ["/", "/extension", "/agent", "/mcp"] {
        ways.push(("GET", path, "", UPGRADE.to_vec()));
    }
    for path in [
        "/",
        "/health",
        "/extension",
        "/agent",
        "/mcp",
        "/api/v1/records",
        "/api/v1/events",
        "/api/v1/tokens",
        "/api/v1/chat/tool-permissions",
        "/api/v1/openapi.json",
        LOGIN,
    ] {
        let preflight = vec![
            ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "authorization,content-type"),
            ("Access-Control-Request-Private-Network", "true"),
        ];
        ways.push(("OPTIONS", path, "", preflight));
    }
    ways
}

fn assert_closed_to_pages(answer: &RawAnswer) {
    assert!(!answer.head.to_lowercase().contains("access-control-"), "{}", answer.head);
    for (name, value) in [
        ("cache-control", "no-store"),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
        ("cross-origin-resource-policy", "same-origin"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{name} in {}", answer.head);
    }
}

/// Comes in by every way with the right token and these headers besides; none
/// must lead anywhere.
async fn assert_refused(kit: &Kit, headers: &[(&str, &str)], target: impl Fn(&str) -> String) {
    let port = kit.settings.port;
    let bearer = format!("Bearer {}", kit.hub().agent_token().reveal());
    for (method, path, body, own) in ways() {
        let mut all = vec![("Authorization", bearer.as_str())];
        all.extend(own);
        all.extend(headers);
        let answer = ask(port, method, &target(path), &all, body).await;
        assert_eq!(answer.status, 403, "{method} {path} {headers:?}: {}", answer.head);
        assert_closed_to_pages(&answer);
    }
}

#[tokio::test]
async fn health_tells_what_it_is_and_nothing_more() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let answer = ask(port, "GET", "/health", &[("Host", &host(port))], "").await;
    assert_eq!(answer.status, 200, "{}", answer.head);
    let told: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(told["name"], "outrigger");
    assert_eq!(told.as_object().unwrap().len(), 3, "{told}");
    assert_closed_to_pages(&answer);
}

#[tokio::test]
async fn every_way_leads_somewhere_for_whoever_may_come_in() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let (host, bearer) = (host(port), format!("Bearer {}", kit.hub().agent_token().reveal()));
    for (method, path, body, own) in ways() {
        let mut all = vec![("Host", host.as_str()), ("Authorization", &bearer)];
        all.extend(own);
        let answer = ask(port, method, path, &all, body).await;
        let is_in = match (method, path) {
            ("GET" | "DELETE", LOGIN) => answer.body.contains("not_a_login"),
            _ => ![0, 401, 403, 415].contains(&answer.status),
        };
        assert!(is_in, "{method} {path}: {}", answer.head);
        assert_closed_to_pages(&answer);
    }
    assert_eq!(kit.doings().await["sessions"], json!([["http-raw", 1]]), "one call was made");
}

#[tokio::test]
async fn a_name_that_is_not_ours_reaches_no_route() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let before = kit.doings().await;
    let wrong_port = format!("127.0.0.1:{}", port ^ 1);
    for name in ["evil.example", "127.0.0.1.evil.com", "localhost.", "0.0.0.0", "user@127.0.0.1"] {
        for host in [name.to_owned(), format!("{name}:{port}")] {
            assert_refused(&kit, &[("Host", &host)], str::to_owned).await;
        }
    }
    for host in ["127.0.0.1", "localhost", &wrong_port, ""] {
        assert_refused(&kit, &[("Host", host)], str::to_owned).await;
    }
    assert_refused(&kit, &[], str::to_owned).await;
    let ours = host(port);
    for two in [[ours.as_str(), "evil.example"], ["evil.example", &ours], [&ours, &ours]] {
        let two = two.map(|host| ("Host", host));
        assert_refused(&kit, &two, str::to_owned).await;
    }
    for authority in ["evil.example", &ours, "127.0.0.1.evil.com"] {
        let absolute = |path: &str| format!("http://{authority}{path}");
        assert_refused(&kit, &[("Host", &ours)], absolute).await;
    }
    assert_eq!(kit.doings().await, before, "nothing was executed");
}

#[tokio::test]
async fn a_web_page_or_a_strange_extension_reaches_no_route_even_with_the_token() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let (before, ours) = (kit.doings().await, host(port));
    let stranger = format!("chrome-extension://{}", "a".repeat(32));
    let neighbour = format!("http://127.0.0.1:{}", port ^ 1);
    for origin in [
        "https://evil.example",
        "null",
        "",
        "http://localhost",
        "http://127.0.0.1:1.evil.example",
        &stranger,
        &neighbour,
    ] {
        assert_refused(&kit, &[("Host", &ours), ("Origin", origin)], str::to_owned).await;
    }
    let own = outrigger_hub::extension_files::own_origin();
    let two = [("Host", ours.as_str()), ("Origin", &own), ("Origin", "https://evil.example")];
    assert_refused(&kit, &two, str::to_owned).await;
    for site in ["cross-site", "same-site"] {
        assert_refused(&kit, &[("Host", &ours), ("Sec-Fetch-Site", site)], str::to_owned).await;
    }
    assert_eq!(kit.doings().await, before, "nothing was executed");
}

#[tokio::test]
async fn without_the_token_there_is_health_and_nothing_else() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let (before, ours) = (kit.doings().await, host(port));
    let right = kit.hub().agent_token().reveal();
    let pairing = format!("Bearer {}", kit.hub().pairing_token().reveal());
    let (basic, bare, twice) =
        (format!("Basic {right}"), right.to_owned(), format!("Bearer {right} {right}"));
    let cookie = format!("token={right}");
    let doubled = format!("Bearer {right}");
    let none: &[(&str, &str)] = &[];
    for shown in [
        none,
        &[("Authorization", &pairing)],
        &[("Authorization", &basic)],
        &[("Authorization", &bare)],
        &[("Authorization", &twice)],
        &[("Authorization", &doubled), ("Authorization", "Bearer x")],
        &[("Cookie", &cookie), ("X-Api-Key", right), ("X-Forwarded-Authorization", &doubled)],
    ] {
        for (method, path, body, own) in ways() {
            // An extension shows its credential in the handshake.
            let is_link = own == UPGRADE && ["/", "/extension"].contains(&path);
            if is_link || (method, path) == ("GET", "/health") {
                continue;
            }
            let is_login = method == "POST" && LOGINS.contains(&path);
            let mut all = vec![("Host", ours.as_str())];
            all.extend(own);
            all.extend(shown);
            let answer = ask(port, method, path, &all, body).await;
            // What a login is asked for with is looked at first.
            let expected = match path {
                "/health" => 405,
                _ if is_login => 400,
                _ => 401,
            };
            assert_eq!(answer.status, expected, "{method} {path} {shown:?}: {}", answer.head);
            assert_closed_to_pages(&answer);
        }
    }
    assert_eq!(kit.doings().await, before, "nothing was executed");
}

/// Words that let somebody in, of every kind.
async fn credentials(kit: &Kit) -> [String; 5] {
    let port = kit.settings.port;
    let (agent, pairing) = (kit.hub().agent_token().reveal(), kit.hub().pairing_token().reveal());
    let made = kit.api().ask("POST", "/api/v1/tokens", json!({"name": "t"})).await.body;
    let own = outrigger_hub::extension_files::own_origin();
    let (host, bearer) = (host(port), format!("Bearer {pairing}"));
    let mut headers = vec![("Host", host.as_str()), ("Authorization", &bearer), ("Origin", &own)];
    headers.extend(JSON);
    let login = ask(port, "POST", LOGINS[0], &headers, r#"{"clientId":"c"}"#).await;
    let login: Value = serde_json::from_str(&login.body).unwrap();
    let word = |of: &Value| of.as_str().expect("a token").to_owned();
    [
        agent.to_owned(),
        pairing.to_owned(),
        word(&made["token"]),
        word(&login["accessToken"]),
        word(&login["refreshToken"]),
    ]
}

/// The same with every letter encoded.
fn encoded(word: &str) -> String {
    word.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

#[tokio::test]
async fn a_token_in_an_address_is_refused_beside_a_right_one_too() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let (before, ours) = (kit.doings().await, host(port));
    let bearer = format!("Bearer {}", kit.hub().agent_token().reveal());
    let words = credentials(&kit).await;
    let refuses = async |method: &str, address: &str, own: &[(&str, &str)], body: &str| {
        let mut all = vec![("Host", ours.as_str())];
        all.extend(own);
        let without = ask(port, method, address, &all, body).await;
        all.push(("Authorization", &bearer));
        let with = ask(port, method, address, &all, body).await;
        for answer in [without, with] {
            assert_eq!(answer.status, 400, "{method} {address}: {}", answer.head);
            assert!(answer.body.contains("A token was sent in the address"), "{}", answer.body);
            for word in &words {
                assert!(!answer.body.contains(word) && !answer.body.contains(&encoded(word)));
            }
        }
    };
    let right = &words[0];
    for (method, path, body, own) in ways() {
        for query in [format!("token={right}"), format!("anything={right}"), right.clone()] {
            let begins = if path.contains('?') { '&' } else { '?' };
            refuses(method, &format!("{path}{begins}{query}"), &own, body).await;
        }
    }
    for word in &words {
        let (hidden, twice) = (encoded(word), encoded(&encoded(word)));
        for address in [
            format!("/api/v1/records?tag=a,{word}"),
            format!("/api/v1/records?tag=a;{word}"),
            format!("/api/v1/records?tag=Bearer+{word}"),
            format!("/api/v1/records?tag=Bearer%20{word}"),
            format!("/api/v1/records?tag={hidden}"),
            format!("/api/v1/records?tag={twice}"),
            format!("/api/v1/records/{word}"),
            format!("/api/v1/records/{hidden}"),
            format!("/{word}/x"),
        ] {
            refuses("GET", &address, &[], "").await;
        }
    }
    assert_eq!(kit.doings().await, before, "nothing was executed");
}

#[tokio::test]
async fn a_body_that_does_not_call_itself_json_is_not_read() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let (before, ours) = (kit.doings().await, host(port));
    let bearer = format!("Bearer {}", kit.hub().agent_token().reveal());
    for kind in [
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some("multipart/form-data; boundary=x"),
        Some("text/plain; application/json"),
        Some("application/jsonp"),
        Some(""),
        None,
    ] {
        let mut all = vec![("Host", ours.as_str()), ("Authorization", &bearer)];
        all.extend(CALL_HEADERS.into_iter().filter(|(name, _)| *name != "Content-Type"));
        all.extend(kind.map(|kind| ("Content-Type", kind)));
        let answer = ask(port, "POST", "/mcp", &all, CALL).await;
        assert_eq!(answer.status, 415, "{kind:?}: {}", answer.head);
        // Whatever else takes something, a taking back as well.
        for (method, path, body, own) in ways() {
            if body.is_empty() || path == "/mcp" {
                continue;
            }
            let mut all = vec![("Host", ours.as_str()), ("Authorization", &bearer)];
            all.extend(own.into_iter().filter(|(name, _)| *name != "Content-Type"));
            all.extend(kind.map(|kind| ("Content-Type", kind)));
            let answer = ask(port, method, path, &all, body).await;
            assert_eq!(answer.status, 415, "{method} {path} {kind:?}: {}", answer.head);
        }
    }
    assert_eq!(kit.doings().await, before, "nothing was executed");
}

#[tokio::test]
async fn a_request_that_is_no_upgrade_is_told_where_it_is() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let bearer = format!("Bearer {}", kit.hub().agent_token().reveal());
    let headers = [("Host", format!("localhost:{port}")), ("Authorization", bearer)];
    let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
    let answer = ask(port, "GET", "/", &headers, "").await;
    assert_eq!(answer.status, 426, "{}", answer.head);
    assert!(answer.body.contains("agents use /mcp"), "{}", answer.body);
}

#[tokio::test]
async fn headers_that_never_end_do_not_hold_the_hub_up() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let mut stalled = Vec::new();
    for _ in 0..50 {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        stream.write_all(b"GET /health HTTP/1.1\r\nHost:").await.unwrap();
        stalled.push(stream);
    }
    let answer = ask(port, "GET", "/health", &[("Host", &host(port))], "").await;
    assert_eq!(answer.status, 200);
    let mut rest = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(15), stalled[0].read_to_end(&mut rest));
    assert!(ended.await.is_ok(), "slow headers end their connection");
}

fn host(port: u16) -> String {
    format!("127.0.0.1:{port}")
}
