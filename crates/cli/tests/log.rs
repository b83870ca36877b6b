//! `outrigger log`: what agents did, beside a hub and without one.

use std::process::Stdio;

use crate::program::Program;
use outrigger_testkit::{McpClient, Pages, eventually};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};

const LIST: [&str; 3] = ["call", "browser_tabs", r#"{"action": "list", "timeoutMs": 50}"#];

#[tokio::test]
async fn what_was_done_is_shown_with_a_hub_and_without_one() {
    let program = Program::new();
    assert!(program.ok(&["log"]).await.contains("Nothing is logged yet"));
    assert!(program.ok(&["log", "verify"]).await.contains("0 entries"));
    let mut hub = program.up(&[]).await;
    program.run(&LIST).await;
    let shown = eventually("the call is in the log", || async {
        let shown = program.ok(&["log"]).await;
        shown.contains("shell  browser_tabs  no_browser, ").then_some(shown)
    })
    .await;
    assert_eq!(shown.lines().count(), 1, "{shown}");

    // What comes is told as it comes.
    let mut following = program.command(&["log", "--follow", "--json", "--last", "1"]);
    let mut following = following.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(following.stdout.take().unwrap()).lines();
    let mut next = async || -> Value {
        serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap()
    };
    assert_eq!(next().await["seq"], 1);
    program.run(&LIST).await;
    let entry = next().await;
    assert_eq!(entry["seq"], 2, "{entry}");
    assert_eq!(entry["outcome"], "no_browser", "{entry}");
    following.kill().await.unwrap();

    hub.kill().await.unwrap();
    let shown = program.ok(&["log", "--json", "--last", "1"]).await;
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown[0]["seq"], 2, "{shown}");
    assert!(program.ok(&["log", "--session", "nobody"]).await.contains("Nothing is logged"));
    assert_eq!(program.ok(&["log", "--session", "shell"]).await.lines().count(), 2);
    assert!(program.ok(&["log", "verify"]).await.contains("whole: 2 entries"));
    assert!(program.ok(&["doctor"]).await.contains("✓ store"));
}

#[tokio::test]
async fn a_log_that_was_changed_by_hand_is_told_with_the_entry() {
    let program = Program::new();
    let mut hub = program.up(&[]).await;
    for _ in 0..3 {
        program.run(&LIST).await;
    }
    eventually("they are in the log", || async {
        (program.ok(&["log"]).await.lines().count() == 3).then_some(())
    })
    .await;
    hub.kill().await.unwrap();
    let path = program.home.path().join("outrigger.db");
    let triggers = sqlite(&path, "SELECT name FROM sqlite_schema WHERE type = 'trigger'").await;
    for trigger in triggers.lines() {
        sqlite(&path, &format!("DROP TRIGGER \"{trigger}\"")).await;
    }
    sqlite(&path, "UPDATE activity_log SET outcome = 'ok' WHERE seq = 2").await;
    let broken = program.run(&["log", "verify"]).await;
    assert_eq!(broken.status.code(), Some(1));
    let said = String::from_utf8(broken.stdout).unwrap();
    assert!(said.contains("broken at entry 2: the entry was changed"), "{said}");
    let broken = program.run(&["log", "verify", "--json"]).await;
    let said: Value = serde_json::from_slice(&broken.stdout).unwrap();
    assert_eq!(said["entry"], 2, "{said}");
    let doctor = program.run(&["doctor"]).await;
    let said = String::from_utf8(doctor.stdout).unwrap();
    assert!(!doctor.status.success() && said.contains("✗ store"), "{said}");
}

#[tokio::test]
async fn what_was_answered_as_done_in_a_persons_browser_is_logged_though_the_hub_is_killed_then() {
    let program = Program::new();
    let pages = Pages::serve(&[("/", "<!doctype html><title>Tea</title>")]).await;
    let mut hub = program.up(&[]).await;
    let browser = program.personal_browser().await;
    let devtools = browser.devtools().await;
    let panel = devtools.open_own_page("sidepanel.html").await;
    let client = McpClient::http(program.port, &program.token("agent-token")).await;
    let there = json!({"url": pages.url("/")});
    let call = client.ok("browser_navigate", there);
    tokio::join!(call, panel.press(".request button", "Allow once"));
    hub.start_kill().unwrap();
    hub.wait().await.unwrap();
    let logged = program.ok(&["log", "--json"]).await;
    let logged: Value = serde_json::from_str(&logged).unwrap();
    let last = logged.as_array().unwrap().last().unwrap();
    assert_eq!((&last["tool"], &last["outcome"]), (&json!("browser_navigate"), &json!("ok")));
    assert!(program.ok(&["log", "verify"]).await.contains("whole"));
}

/// Somebody else's hand.
async fn sqlite(path: &std::path::Path, sql: &str) -> String {
    use sqlx::{ConnectOptions as _, Row as _};
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
    let mut connection = options.connect().await.unwrap();
    let sql = sqlx::AssertSqlSafe(sql.to_owned());
    let rows = sqlx::query(sql).fetch_all(&mut connection).await.unwrap();
    rows.iter().map(|row| row.get::<String, _>(0)).collect::<Vec<_>>().join("\n")
}
