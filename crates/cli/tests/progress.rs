//! A call that waits for the user tells its client so, over both transports.

use std::process::Stdio;
use std::time::Duration;

use crate::program::Program;
use outrigger_testkit::{McpClient, Pages, Target, eventually};
use serde_json::json;

const PAGE: &str = "<!doctype html><title>P</title><h1>Here</h1>";
const QUESTION: &str = "Waiting for the user to answer a question in the browser…";

async fn hears(client: &McpClient, words: &str) {
    eventually("the client is told", || async {
        client.progress().iter().any(|told| told == words).then_some(())
    })
    .await;
}

/// Calls while the user thinks, and says yes after that.
async fn asks(client: &McpClient, panel: &Target<'_>, url: &str) {
    let think = async {
        hears(client, QUESTION).await;
        panel.asked().await;
        hears(client, QUESTION).await;
        panel.press(".request button", "Allow once").await;
    };
    let (said, ()) = tokio::join!(client.call("browser_navigate", json!({"url": url})), think);
    assert!(!said.failed, "{}", said.text);
    // Over is over.
    client.progress();
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(client.progress().is_empty());
}

#[tokio::test]
async fn a_client_hears_what_its_call_waits_for_and_goes_on_waiting() {
    let program = Program::new();
    let pages = Pages::serve(&[("/", PAGE)]).await;
    let _hub = program.up(&[]).await;
    let browser = program.personal_browser().await;
    let devtools = browser.devtools().await;
    let panel = devtools.open_own_page("sidepanel.html").await;
    let stdio = program.mcp(&[]).await;
    let http = McpClient::http(program.port, &program.token("agent-token")).await;
    for client in [&stdio, &http] {
        asks(client, &panel, &pages.url("/")).await;
    }

    // The user's time is not the call's, and the hub is believed while it says so.
    let patient = async {
        panel.asked().await;
        tokio::time::sleep(Duration::from_secs(7)).await;
        panel.press(".request button", "Deny").await;
    };
    let brief = json!({"timeoutMs": 500});
    let (said, ()) = tokio::join!(stdio.call("browser_snapshot", brief), patient);
    assert_eq!(said.code.as_deref(), Some("not_allowed"), "{}", said.text);

    let ask = json!({"what": "Log in"});
    let done = async {
        hears(&stdio, "Waiting for the user to do what was asked for in the browser…").await;
        panel.press(".request button", "Done").await;
    };
    let (said, ()) = tokio::join!(stdio.call("browser_ask_human", ask), done);
    assert!(!said.failed, "{}", said.text);

    let sessions = program.ok(&["sessions", "--json"]).await;
    let sessions: serde_json::Value = serde_json::from_str(&sessions).unwrap();
    for session in sessions["sessions"].as_array().unwrap() {
        program.ok(&["sessions", "pause", session["session"].as_str().unwrap()]).await;
    }
    let resume = async {
        hears(&http, "The user paused this session. Waiting until it is resumed…").await;
        for session in sessions["sessions"].as_array().unwrap() {
            program.ok(&["sessions", "resume", session["session"].as_str().unwrap()]).await;
        }
    };
    let list = json!({"action": "list"});
    let (said, ()) = tokio::join!(http.call("browser_tabs", list), resume);
    assert!(!said.failed, "{}", said.text);

    // At a terminal, a person is told the same.
    let command = format!("{} snapshot", env!("CARGO_BIN_EXE_outrigger"));
    let typed = tokio::process::Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .env("OUTRIGGER_HOME", program.home.path())
        .env("OUTRIGGER_PORT", program.port.to_string())
        .stdin(Stdio::null())
        .output();
    let (typed, ()) = tokio::join!(typed, async {
        panel.press(".request button", "Deny").await;
    });
    let said = String::from_utf8_lossy(&typed.unwrap().stdout).into_owned();
    assert_eq!(said.matches(QUESTION).count(), 1, "{said}");
}
