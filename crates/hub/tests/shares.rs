//! Connections of tokens: each token has one share of them, whatever it has them for, and
//! nobody else is kept out.

use std::time::Duration;

use crate::followers::{follow, follow_all, token};
use outrigger_testkit::raw_http::{ask, read_answer};
use outrigger_testkit::{Kit, Peer};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

/// So many connections the hub has room for here, and so many are one token's.
const PLACES: usize = 512;
const SHARE: usize = PLACES / 4;

/// Whoever is served is so within that. What keeps a place for nothing loses it later.
const SOON: Duration = Duration::from_secs(5);

/// A hub with descriptors for that many. Both ends of every connection are in this process,
/// which may have more of them then.
async fn start() -> Kit {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let few = Rlimit { current: Some(2 * PLACES as u64), maximum };
    setrlimit(Resource::Nofile, few).unwrap();
    let kit = Kit::start().await;
    kit.doings().await;
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap();
    kit
}

/// A connection that has asked something with that token and stays open, if it may.
async fn keep(port: u16, token: &str) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let request = format!(
        "GET /api/v1/schemas/none HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\
         Authorization: Bearer {token}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let answer = read_answer(&mut stream).await;
    assert_eq!(answer.status, 404, "{}", answer.head);
    (answer.header("connection") != Some("close")).then_some(stream)
}

/// A browser, another program, a shell and a stranger.
async fn assert_others_are_served(kit: &Kit) {
    let port = kit.settings.port;
    let pairing = kit.hub().pairing_token().reveal();
    soon("a browser", Peer::linked(port, "own", pairing, &json!([]))).await;
    let third = soon("the machine's own token", token(kit)).await;
    soon("another program", keep(port, &third)).await;
    soon("a shell", kit.doings()).await;
    let host = format!("127.0.0.1:{port}");
    let headers = [("Host", host.as_str())];
    let health = soon("a stranger", ask(port, "GET", "/health", &headers, "")).await;
    assert_eq!(health.status, 200, "{}", health.head);
}

async fn soon<T>(who: &str, served: impl Future<Output = T>) -> T {
    let served = tokio::time::timeout(SOON, served).await;
    served.unwrap_or_else(|_| panic!("{who} is not served"))
}

#[tokio::test]
async fn what_two_tokens_keep_and_follow_leaves_room_for_everybody_else() {
    let kit = start().await;
    let port = kit.settings.port;
    let tokens = [token(&kit).await, token(&kit).await];
    let mut held = Vec::new();
    for token in &tokens {
        while let Some(kept) = keep(port, token).await {
            held.push(kept);
        }
        // A hub that is full says nothing at all.
        while held.len() < PLACES
            && let Ok(following) = follow(port, token, true).await
        {
            held.push(following);
        }
    }
    let count = held.len();
    assert_others_are_served(&kit).await;
    assert_eq!(count, 2 * SHARE, "a share each, for both together");
    for token in &tokens {
        let refused = follow(port, token, true).await.unwrap_err();
        assert_eq!(refused.status, 429, "{}", refused.head);
        assert!(refused.body.contains("too_many_streams"), "{}", refused.body);
    }
    // What it gives up it can have again, for the other purpose too.
    let (one, _) = (&tokens[0], held.remove(0));
    let again = async {
        while follow(port, one, true).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    soon("what takes the place of another one", again).await;
}

#[tokio::test]
async fn a_token_with_its_share_keeps_nobody_out_by_asking_slowly() {
    let kit = start().await;
    let port = kit.settings.port;
    let greedy = token(&kit).await;
    let (following, _) = follow_all(port, &greedy).await;
    assert_eq!(following.len(), SHARE);
    let mut slow = Vec::new();
    for _ in 0..PLACES {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let request = format!(
            "POST /api/v1/records HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\
             Authorization: Bearer {greedy}\r\nContent-Type: application/json\r\n\
             Content-Length: 2\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        slow.push(stream);
    }
    assert_others_are_served(&kit).await;
    let mut last = slow.pop().unwrap();
    let refused = read_answer(&mut last).await;
    assert_eq!(refused.status, 503, "{}", refused.head);
    assert!(refused.body.contains("too_many_connections"), "{}", refused.body);
}

#[tokio::test]
async fn strangers_beside_all_that_tokens_can_have_keep_nobody_out() {
    let kit = start().await;
    let port = kit.settings.port;
    let (following, _) = follow_all(port, kit.hub().agent_token().reveal()).await;
    assert!(following.len() > PLACES / 2, "{} could follow", following.len());
    let mut silent = Vec::new();
    for _ in 0..PLACES / 4 {
        silent.push(TcpStream::connect(("127.0.0.1", port)).await.unwrap());
    }
    assert_others_are_served(&kit).await;
}
