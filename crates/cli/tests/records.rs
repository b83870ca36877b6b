//! `outrigger record`: records from a shell, and what happens to them as it happens.

use std::process::Stdio;
use std::time::Duration;

use crate::program::Program;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, BufReader};

#[tokio::test]
async fn a_record_is_written_watched_and_removed_from_a_shell() {
    let program = Program::new();
    let _hub = program.up(&[]).await;
    assert_eq!(program.ok(&["record", "list"]).await, "There are no such records.\n");
    let mut watching = program
        .command(&["record", "watch", "--schema", "note.v1"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(watching.stdout.take().unwrap()).lines();
    let mut line = async || {
        let next = tokio::time::timeout(Duration::from_secs(20), lines.next_line());
        next.await.expect("it tells").unwrap().unwrap_or_default()
    };
    assert_eq!(line().await, "Watching. End with Control-C.");

    let text = r#"{"text":"green"}"#;
    let arguments =
        ["record", "put", "--schema", "note.v1", "--tag", "tea", "--title", "Tea", text];
    let made = program.ok(&[&arguments[..], &["--json"]].concat()).await;
    let made: Value = serde_json::from_str(&made).unwrap();
    let id = made["id"].as_str().unwrap();
    assert!(line().await.starts_with(&format!("record.created  {id}  note.v1  version 1")));

    let said = program.ok(&["record", "put", "--id", id, r#"{"cups":2}"#]).await;
    assert_eq!(said, format!("{id} has version 2 now.\n"));
    assert!(line().await.ends_with("version 2"));
    let late = ["record", "put", "--id", id, "--version", "1", "{}"];
    assert!(program.fails(&late).await.contains("has version 2 now"));
    let shown: Value = serde_json::from_str(&program.ok(&["record", "get", id]).await).unwrap();
    assert_eq!(shown["context"], serde_json::json!({"text": "green", "cups": 2}));
    let listed = program.ok(&["record", "list", "--tag", "tea"]).await;
    assert_eq!(listed, format!("{id}  note.v1  v2  Tea\n"));

    assert_eq!(program.ok(&["record", "rm", id]).await, format!("Removed {id}.\n"));
    assert!(line().await.starts_with("record.deleted"));
    assert!(program.fails(&["record", "get", id]).await.contains("there is no record"));
    assert!(program.fails(&["record", "watch"]).await.contains("--schema or --tag"));
    assert!(program.fails(&["record", "put", "{"]).await.contains("the context is no JSON"));
}
