//! A call runs once, whatever becomes of the connection: as a peer sees it.

use std::time::{Duration, Instant};

use outrigger_hub::home::Token;
use outrigger_testkit::{Kit, Peer};
use serde_json::{Value, json};

fn stirring(risk: &str) -> Value {
    json!([{"name": "stir", "version": "1", "riskLevel": risk}])
}

fn throw_away(kit: &Kit) -> String {
    let token = Token::generate().unwrap();
    kit.hub().expect_throw_away(token.clone());
    token.reveal().to_owned()
}

#[tokio::test]
async fn a_lost_reply_is_asked_for_under_the_same_id_and_reaches_its_caller() {
    let kit = Kit::start().await;
    let client = kit.client().await;
    let (port, token) = (kit.settings.port, throw_away(&kit));
    for (risk, once) in [("act", true), ("read", false)] {
        let capabilities = stirring(risk);
        let (mut peer, ack) = Peer::remembering(port, &token, &capabilities, risk).await;
        assert_eq!(ack["resumed"], false);
        let serve = async {
            let first = peer.receive().await;
            assert_eq!(first["once"], once, "{first}");
            drop(peer);
            tokio::time::sleep(Duration::from_millis(200)).await;
            let (mut peer, again) = Peer::remembering(port, &token, &capabilities, risk).await;
            assert_eq!((&again["resumed"], &again["linkId"]), (&json!(true), &ack["linkId"]));
            let second = peer.receive().await;
            assert_eq!(second["id"], first["id"]);
            assert_eq!((&second["type"], &second["once"]), (&first["type"], &first["once"]));
            peer.send(&json!({"id": second["id"], "result": "stirred"})).await;
            peer
        };
        let (peer, text) = tokio::join!(serve, client.ok("ext_stir", json!({})));
        assert!(text.contains("stirred"), "{text}");
        drop(peer);
    }
}

#[tokio::test]
async fn a_call_made_while_the_extension_is_away_waits_for_it() {
    let kit = Kit::start().await;
    let client = kit.client().await;
    let (port, token) = (kit.settings.port, throw_away(&kit));
    let (peer, _) = Peer::remembering(port, &token, &stirring("act"), "m").await;
    client.tools().await;
    drop(peer);
    let serve = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let (mut peer, ack) = Peer::remembering(port, &token, &stirring("act"), "m").await;
        assert_eq!(ack["resumed"], true);
        let request = peer.receive().await;
        peer.send(&json!({"id": request["id"], "result": "stirred"})).await;
        peer
    };
    let (_peer, text) = tokio::join!(serve, client.ok("ext_stir", json!({})));
    assert!(text.contains("stirred"), "{text}");
}

#[tokio::test]
async fn one_that_forgot_what_it_was_asked_is_not_asked_again() {
    let kit = Kit::start().await;
    let client = kit.client().await;
    let (port, token) = (kit.settings.port, throw_away(&kit));
    let (mut peer, _) = Peer::remembering(port, &token, &stirring("act"), "one").await;
    let serve = async {
        peer.receive().await;
        drop(peer);
        let (mut peer, ack) = Peer::remembering(port, &token, &stirring("act"), "another").await;
        assert_eq!(ack["resumed"], false);
        peer.send(&json!({"type": "ping"})).await;
        assert_eq!(peer.receive().await, json!({"type": "pong"}), "and no request before it");
        peer
    };
    let (_peer, said) =
        tokio::join!(serve, client.refused("ext_stir", json!({}), "outcome_unknown"));
    assert!(said.contains("Look at the page"), "{said}");
}

#[tokio::test]
async fn a_call_that_was_never_sent_is_given_up_in_time_and_said_to_have_done_nothing() {
    let kit = Kit::start().await;
    let client = kit.client().await;
    let (port, token) = (kit.settings.port, throw_away(&kit));
    let (peer, _) = Peer::remembering(port, &token, &stirring("act"), "m").await;
    client.tools().await;
    drop(peer);
    // Until the hub has seen it go, a call would count as sent.
    tokio::time::sleep(Duration::from_millis(100)).await;
    let began = Instant::now();
    let said = client.refused("ext_stir", json!({"timeoutMs": 400}), "link_lost").await;
    assert!(said.contains("Nothing was changed"), "{said}");
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}
