//! Tokens as a person makes and takes them back.

use crate::program::Program;
use outrigger_testkit::{Api, McpClient, Panel};
use serde_json::{Value, json};

#[tokio::test]
async fn a_token_is_made_listed_and_taken_back() {
    let program = Program::new();
    let said = program.fails(&["token", "list"]).await;
    assert!(said.contains("outrigger up"), "{said}");
    let _hub = program.up(&[]).await;
    assert!(program.ok(&["token", "list"]).await.contains("There are no tokens"));
    let made = ["token", "new", "--name", "robot", "--expires", "30d", "--json"];
    let made: Value = serde_json::from_str(&program.ok(&made).await).unwrap();
    let word = made["token"].as_str().unwrap();
    assert!(word.starts_with("otr_") && made["scope"] == "read", "{made}");
    let listed = program.ok(&["token", "list"]).await;
    assert!(listed.contains("robot") && listed.contains("never used"), "{listed}");
    assert!(!listed.contains(word), "it is shown once");

    let client = McpClient::http(program.port, word).await;
    let there = json!({"url": "https://a.example"});
    client.refused("browser_navigate", there, "out_of_scope").await;
    let id = made["id"].to_string();
    assert!(program.ok(&["token", "revoke", &id]).await.contains("good for nothing"));
    assert!(client.try_call("browser_snapshot", json!({})).await.is_err());
    assert!(program.ok(&["token", "list"]).await.contains("revoked"));
    let said = program.fails(&["token", "revoke", &id]).await;
    assert!(said.contains("no token"), "{said}");
}

#[tokio::test]
async fn a_shell_grants_itself_no_more_than_reading() {
    let program = Program::new();
    let _hub = program.up(&[]).await;
    for scope in ["act", "admin"] {
        let said = program.fails(&["token", "new", "--scope", scope]).await;
        assert!(said.contains("confirmed in your browser"), "{said}");
    }
    assert!(program.ok(&["token", "list"]).await.contains("There are no tokens"));
    let said = program.fails(&["token", "new", "--expires", "soon"]).await;
    assert!(said.contains("30d"), "{said}");
}

#[tokio::test]
async fn a_token_for_everything_is_told_as_json_once_the_user_has_confirmed_it() {
    let program = Program::new();
    let _hub = program.up(&[]).await;
    let mut panel = Panel::link(program.port, "person", &program.token("pairing-token")).await;
    let make = ["token", "new", "--scope", "admin", "--name", "boss", "--json"];
    let (said, question) = tokio::join!(program.ok(&make), panel.answer(true, "once"));
    assert!(question.to_string().contains("boss"), "{question}");
    let made: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&made["name"], &made["scope"]), (&json!("boss"), &json!("admin")), "{made}");
    let boss = Api::new(program.port, made["token"].as_str().unwrap());
    let listed = boss.ask("GET", "/api/v1/tokens", Value::Null).await;
    assert_eq!(listed.status, 200, "{}", listed.body);
    assert_eq!(listed.body["tokens"][0]["id"], made["id"], "{}", listed.body);
}
