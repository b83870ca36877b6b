//! The extension link as a peer sees it: the shapes of the seeds, and what
//! happens to frames that make no sense.

use std::time::{Duration, Instant};

use outrigger_hub::home::Token;
use outrigger_testkit::{Kit, Peer, PeerEnd, eventually};
use serde_json::{Value, json};

fn barometer() -> Value {
    json!([{
        "name": "read_barometer",
        "version": "1.0",
        "riskLevel": "read",
        "requiresGesture": false,
        "dataTypes": ["pressure"],
    }])
}

fn throw_away(kit: &Kit) -> String {
    let token = Token::generate().unwrap();
    kit.hub().expect_throw_away(token.clone());
    token.reveal().to_owned()
}

#[tokio::test]
async fn the_handshake_of_the_screen_awareness_design_is_acknowledged_as_there() {
    let kit = Kit::start().await;
    let mut peer = Peer::connect(kit.settings.port).await;
    let capabilities = json!([
        {"name": "capture_screen", "version": "1.0", "riskLevel": "read", "requiresGesture": true, "dataTypes": ["screenshot"]},
        {"name": "extract_dom", "version": "1.0", "riskLevel": "read", "requiresGesture": false, "dataTypes": ["domText"]},
        {"name": "list_tabs", "version": "1.0", "riskLevel": "read", "requiresGesture": false, "dataTypes": ["tabMetadata"]},
    ]);
    let token = kit.hub().pairing_token().reveal();
    peer.send(&Peer::handshake("ext-1", token, &capabilities)).await;
    let ack = peer.receive().await;
    assert_eq!(ack["type"], "handshake_ack");
    assert_eq!(ack["status"], "connected");
    assert!(ack["bridgeVersion"].is_string());
}

#[tokio::test]
async fn a_capability_of_a_peer_is_a_tool_that_an_mcp_client_calls() {
    let kit = Kit::start().await;
    let client = kit.client().await;
    let token = throw_away(&kit);
    let mut peer = Peer::linked(kit.settings.port, "ext-1", &token, &barometer()).await;
    eventually("the client hears of the new tool", || async {
        (client.tool_list_changes() > 0).then_some(())
    })
    .await;
    let tools = client.tools().await;
    let tool = tools.iter().find(|tool| tool.name == "ext_read_barometer").unwrap();
    assert_eq!(tool.description.as_deref(), Some("[Extension] read_barometer"));

    let serve = async {
        let request = peer.receive().await;
        assert_eq!(request["type"], "read_barometer");
        assert_eq!(request["payload"], json!({"unit": "hPa"}));
        assert!(request["id"].as_str().unwrap().starts_with("msg-"), "{request}");
        peer.send(&json!({"id": request["id"], "result": {"success": true, "data": "1013"}})).await;
        let request = peer.receive().await;
        peer.send(&json!({"id": request["id"], "error": "Element not found: #button"})).await;
    };
    let call = async {
        let text = client.ok("ext_read_barometer", json!({"unit": "hPa"})).await;
        assert!(text.contains("1013") && text.contains("<untrusted-page-content"), "{text}");
        let said = client.refused("ext_read_barometer", json!({}), "capability_failed").await;
        assert!(said.contains("Element not found: #button"), "{said}");
    };
    tokio::join!(serve, call);

    drop(peer);
    eventually("the tool goes with its peer", || async {
        let tools = client.tools().await;
        tools.iter().all(|tool| tool.name != "ext_read_barometer").then_some(())
    })
    .await;
}

#[tokio::test]
async fn in_a_persons_own_browser_a_peer_is_not_called_and_the_answer_is_kind() {
    let kit = Kit::start().await;
    let client = kit.client().await;
    let token = kit.hub().pairing_token().reveal();
    let _peer = Peer::linked(kit.settings.port, "ext-1", token, &barometer()).await;
    let said = client.refused("ext_read_barometer", json!({}), "not_allowed").await;
    assert!(said.contains("needs the user's permission") && said.contains("--launch"), "{said}");
}

#[tokio::test]
async fn the_link_without_a_path_is_the_same_link() {
    let kit = Kit::start().await;
    let mut peer = Peer::open(kit.settings.port, "/", None).await.ok().unwrap();
    peer.send(&Peer::handshake("ext-1", kit.hub().pairing_token().reveal(), &json!([]))).await;
    assert_eq!(peer.receive().await["type"], "handshake_ack");
}

#[tokio::test]
async fn a_wrong_token_closes_with_4003_and_a_strange_protocol_with_4001() {
    let kit = Kit::start().await;
    let ended = |code, reason: &str| PeerEnd { code: Some(code), reason: reason.to_owned() };
    let mut peer = Peer::connect(kit.settings.port).await;
    peer.send(&Peer::handshake("ext-1", "wrong", &json!([]))).await;
    assert_eq!(peer.end().await, ended(4003, "Invalid pairing token"));

    let mut peer = Peer::connect(kit.settings.port).await;
    let mut handshake = Peer::handshake("ext-1", kit.hub().pairing_token().reveal(), &json!([]));
    handshake["protocol"] = json!(2);
    peer.send(&handshake).await;
    assert_eq!(peer.end().await, ended(4001, "Unsupported protocol"));
}

#[tokio::test]
async fn without_a_handshake_nothing_is_answered_and_five_seconds_end_it() {
    let kit = Kit::start().await;
    let mut peer = Peer::connect(kit.settings.port).await;
    let began = Instant::now();
    peer.send(&json!({"type": "ping"})).await;
    peer.send_text("{".to_owned()).await;
    assert_eq!(peer.end().await.code, Some(4002), "no frame came before the close");
    assert!((4..8).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
}

#[tokio::test]
async fn the_same_extension_connecting_again_replaces_itself() {
    let kit = Kit::start().await;
    let token = kit.hub().pairing_token().reveal().to_owned();
    let mut first = Peer::linked(kit.settings.port, "ext-1", &token, &json!([])).await;
    let mut other = Peer::linked(kit.settings.port, "ext-2", &token, &json!([])).await;
    let mut second = Peer::linked(kit.settings.port, "ext-1", &token, &json!([])).await;
    assert_eq!(first.end().await.code, Some(4004));
    for peer in [&mut other, &mut second] {
        peer.send(&json!({"type": "ping"})).await;
        assert_eq!(peer.receive().await, json!({"type": "pong"}));
    }
}

#[tokio::test]
async fn frames_that_make_no_sense_are_complained_of_and_lose_nothing() {
    let kit = Kit::start().await;
    let client = kit.client().await;
    let token = throw_away(&kit);
    let mut peer = Peer::linked(kit.settings.port, "ext-1", &token, &barometer()).await;
    for (frame, code) in [
        ("{", "malformed_frame"),
        ("[1]", "malformed_frame"),
        (r#"{"type":"sing"}"#, "unknown_message"),
        (r#"{"type":"event","event":"tab.created","payload":7}"#, "malformed_frame"),
        (&Peer::handshake("ext-1", "x", &json!([])).to_string(), "malformed_frame"),
    ] {
        peer.send_text(frame.to_owned()).await;
        let complaint = peer.receive().await;
        assert_eq!(
            (&complaint["type"], &complaint["code"]),
            (&json!("error"), &json!(code)),
            "{frame}"
        );
    }
    let serve = async {
        let request = peer.receive().await;
        peer.send(&json!({"id": "msg-of-nobody", "result": 1})).await;
        peer.send(&json!({"id": request["id"], "result": "still here"})).await;
    };
    let (_, text) = tokio::join!(serve, client.ok("ext_read_barometer", json!({})));
    assert!(text.contains("still here"), "{text}");
}

#[tokio::test]
async fn an_oversized_frame_ends_its_connection_and_nothing_else() {
    let kit = Kit::start().await;
    let client = kit.client().await;
    let token = throw_away(&kit);
    let mut peer = Peer::linked(kit.settings.port, "ext-1", &token, &barometer()).await;
    let call = client.call("ext_read_barometer", json!({}));
    let serve = async {
        peer.receive().await;
        let result = "x".repeat(33 * 1024 * 1024);
        peer.send_text(format!(r#"{{"id":"msg-1","result":"{result}"}}"#)).await;
        peer.end().await
    };
    let (answer, end) = tokio::join!(call, serve);
    assert_eq!(answer.code.as_deref(), Some("link_lost"), "{}", answer.text);
    assert!(matches!(end.code, Some(1009) | None), "{end:?}");
    let mut again = Peer::linked(kit.settings.port, "ext-1", &token, &barometer()).await;
    again.send(&json!({"type": "ping"})).await;
    assert_eq!(again.receive().await, json!({"type": "pong"}));
}

#[tokio::test]
async fn an_extension_that_goes_in_mid_call_ends_the_call_at_once_and_says_what_is_known() {
    let kit = Kit::start().await;
    let client = kit.client().await;
    for (risk, code) in [("read", "link_lost"), ("act", "outcome_unknown")] {
        let token = throw_away(&kit);
        let capability = json!([{"name": "stir", "version": "1", "riskLevel": risk}]);
        let mut peer = Peer::linked(kit.settings.port, "ext-1", &token, &capability).await;
        let began = Instant::now();
        let leave = async {
            peer.receive().await;
            drop(peer);
        };
        let (_, answer) = tokio::join!(leave, client.call("ext_stir", json!({})));
        assert_eq!(answer.code.as_deref(), Some(code), "{}", answer.text);
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    }
}

#[tokio::test]
async fn a_call_past_its_deadline_is_ended_and_called_off() {
    let kit = Kit::start().await;
    let client = kit.client().await;
    let token = throw_away(&kit);
    let mut peer = Peer::linked(kit.settings.port, "ext-1", &token, &barometer()).await;
    let began = Instant::now();
    let serve = async {
        let request = peer.receive().await;
        assert!(request["deadlineMs"].as_u64().unwrap() <= 300, "{request}");
        let cancel = peer.receive().await;
        assert_eq!(cancel, json!({"type": "cancel", "id": request["id"]}));
    };
    let call = client.refused("ext_read_barometer", json!({"timeoutMs": 300}), "timeout");
    let (_, said) = tokio::join!(serve, call);
    assert!(said.contains("300 ms"), "{said}");
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}

#[tokio::test]
async fn an_origin_that_was_not_paired_gets_403_at_the_upgrade() {
    let kit = Kit::start().await;
    let port = kit.settings.port;
    let status = |path: &'static str, origin: String| async move {
        Peer::open(port, path, Some(&origin)).await.err()
    };
    let friend = format!("chrome-extension://{}", "a".repeat(32));
    for path in ["/", "/extension"] {
        for strange in ["https://evil.example", "null", friend.as_str()] {
            assert_eq!(status(path, strange.to_owned()).await, Some(403), "{path} {strange}");
        }
        let own = outrigger_hub::extension_files::own_origin();
        assert_eq!(status(path, own).await, None);
    }
    kit.settings.home.add_paired_origin(&friend).unwrap();
    assert_eq!(status("/extension", friend).await, None, "a named origin counts at once");
}
