//! The gate over real connections: what a web page, a stranger's program or a
//! rebound name can reach.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::time::Duration;

use outrigger_testkit::Kit;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

async fn exchange(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer);
    tokio::time::timeout(Duration::from_secs(5), read).await.expect("an answer").unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

async fn get(port: u16, path: &str, headers: &[(&str, &str)]) -> String {
    let mut request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n");
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    exchange(port, &(request + "\r\n")).await
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

#[tokio::test]
async fn health_tells_what_it_is_and_nothing_more() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let host = format!("127.0.0.1:{port}");
    let answer = get(port, "/health", &[("Host", &host)]).await;
    assert_eq!(status(&answer), "200", "{answer}");
    assert!(answer.contains(r#""name":"outrigger""#), "{answer}");
    assert!(!answer.contains(kit.hub().pairing_token().reveal()));
}

#[tokio::test]
async fn a_rebound_name_reaches_no_route() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    for path in ["/", "/health", "/extension", "/agent", "/mcp", "/nowhere"] {
        for host in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1", "127.0.0.1:1"] {
            let answer = get(port, path, &[("Host", host)]).await;
            assert_eq!(status(&answer), "403", "{path} as {host}: {answer}");
        }
    }
}

#[tokio::test]
async fn a_web_page_reaches_no_route_even_with_the_token() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let host = format!("127.0.0.1:{port}");
    let bearer = format!("Bearer {}", kit.hub().agent_token().reveal());
    for path in ["/", "/health", "/extension", "/agent", "/mcp"] {
        let headers = [
            ("Host", host.as_str()),
            ("Origin", "https://evil.example"),
            ("Authorization", &bearer),
        ];
        let answer = get(port, path, &headers).await;
        assert_eq!(status(&answer), "403", "{path}: {answer}");
        assert!(!answer.to_lowercase().contains("access-control-allow"), "{answer}");
    }
}

#[tokio::test]
async fn tools_are_out_of_reach_without_the_token() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let host = format!("127.0.0.1:{port}");
    for path in ["/agent", "/mcp", "/mcp/", "/api/v1/anything"] {
        let answer = get(port, path, &[("Host", &host)]).await;
        assert_eq!(status(&answer), "401", "{path}: {answer}");
        let pairing = format!("Bearer {}", kit.hub().pairing_token().reveal());
        let answer = get(port, path, &[("Host", &host), ("Authorization", &pairing)]).await;
        assert_eq!(status(&answer), "401", "the pairing token is no bearer token: {answer}");
    }
    let headers = [("Host", host.as_str()), ("Authorization", "Bearer")];
    assert_eq!(
        status(
            &get(port, &format!("/mcp?token={}", kit.hub().agent_token().reveal()), &headers).await
        ),
        "401"
    );
}

#[tokio::test]
async fn a_request_that_is_no_upgrade_is_told_where_it_is() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let host = format!("localhost:{port}");
    let answer = get(port, "/", &[("Host", &host)]).await;
    assert_eq!(status(&answer), "426", "{answer}");
    assert!(answer.contains("agents use /mcp"), "{answer}");
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
    let host = format!("127.0.0.1:{port}");
    assert_eq!(status(&get(port, "/health", &[("Host", &host)]).await), "200");
    let mut rest = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(15), stalled[0].read_to_end(&mut rest));
    assert!(ended.await.is_ok(), "slow headers end their connection");
}
