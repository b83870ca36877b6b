//! A session whose client never says that it is over ends by itself, and with it what
//! was allowed for it.

use std::time::Duration;

use outrigger_hub::agent_client::AgentClient;
use outrigger_protocol::agent::{CallReply, Hello};
use outrigger_testkit::raw_http::ask;
use outrigger_testkit::{Kit, Panel, eventually};
use serde_json::json;

/// A call as `outrigger call` makes it: each with a connection of its own.
async fn shell(kit: &Kit, tool: &str, arguments: serde_json::Value) -> CallReply {
    let hello = Hello {
        client: "shell".to_owned(),
        session: "shell".to_owned(),
        ends_with_connection: false,
        launch: None,
        own_window: false,
    };
    let client = AgentClient::connect(&kit.settings, hello).await.unwrap();
    client.call_tool(tool.to_owned(), arguments, Default::default()).await
}

async fn all_over(kit: &Kit) {
    eventually("the session is over", || async {
        let sessions = kit.doings().await["sessions"].clone();
        sessions.as_array()?.is_empty().then_some(())
    })
    .await;
}

#[tokio::test]
async fn what_a_shell_was_allowed_for_its_session_ends_when_it_was_idle_for_long() {
    let mut kit = Kit::start().await;
    kit.settings.session_idle = Duration::from_millis(600);
    kit.restart().await;
    let pairing = kit.hub().pairing_token().reveal();
    let mut panel = Panel::link(kit.settings.port, "person", pairing).await;
    let plan = json!({"origins": ["https://a.example"], "keys": ["tab_read:dom"], "reason": "x"});
    let ask = || shell(&kit, "browser_request_access", plan.clone());
    let (said, _) = tokio::join!(ask(), panel.answer(true, "session"));
    assert!(said.text().contains("for this session"), "{}", said.text());
    all_over(&kit).await;
    let (said, _) = tokio::join!(ask(), panel.answer(false, "once"));
    assert!(said.error.is_some(), "it is asked for again: {}", said.text());
}

#[tokio::test]
async fn what_actions_were_allowed_for_their_session_ends_when_none_came_for_long() {
    let mut kit = Kit::start().await;
    kit.settings.session_idle = Duration::from_millis(600);
    kit.restart().await;
    let pairing = kit.hub().pairing_token().reveal();
    let mut panel = Panel::link(kit.settings.port, "person", pairing).await;
    let api = kit.api();
    let there = json!({"action": "navigate", "url": "https://a.example/"});
    api.order(there.clone()).await;
    let first = panel.answer(true, "session").await;
    // Allowed, and under way: nothing ends a session that is at work.
    panel.refuse_request().await;
    all_over(&kit).await;
    let again = api.order(there).await;
    let second = panel.answer(false, "once").await;
    assert_eq!((&first["session"], &second["session"]), (&json!("records"), &json!("records")));
    assert_eq!(api.outcome(&again).await["status"], "refused", "it is asked for again");
}

#[tokio::test]
async fn a_client_that_has_no_session_over_http_leaves_none_behind() {
    const REVISION: &str = "2026-07-28";
    let mut kit = Kit::start().await;
    kit.settings.session_idle = Duration::from_millis(600);
    kit.restart().await;
    let bearer = format!("Bearer {}", kit.hub().agent_token().reveal());
    let host = format!("127.0.0.1:{}", kit.settings.port);
    let headers = [
        ("Host", host.as_str()),
        ("Authorization", bearer.as_str()),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", REVISION),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "browser_tabs"),
    ];
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "browser_tabs",
        "arguments": {"action": "list", "timeoutMs": 50},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": REVISION,
            "io.modelcontextprotocol/clientInfo": {"name": "robot", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    }});
    let answer = ask(kit.settings.port, "POST", "/mcp", &headers, &call.to_string()).await;
    assert!(answer.body.contains("no_browser"), "{} {}", answer.status, answer.body);
    all_over(&kit).await;
}
