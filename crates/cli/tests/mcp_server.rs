//! `outrigger mcp` as a client's configuration starts it.

use std::time::{Duration, Instant};

use crate::program::Program;
use outrigger_testkit::{Pages, eventually, reference};
use serde_json::json;

const PAGE: &str = "<!doctype html><title>P</title><h1>Here</h1><button onclick=\"document.title='Clicked'\">Go</button>";

#[tokio::test]
async fn tools_are_listed_before_there_is_a_hub_and_cost_little() {
    let program = Program::new();
    let began = Instant::now();
    let client = program.mcp(&[]).await;
    let tools = client.tools().await;
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    for expected in [
        "browser_navigate",
        "browser_go_back",
        "browser_snapshot",
        "browser_find",
        "browser_click",
        "browser_type",
        "browser_press_key",
        "browser_screenshot",
        "browser_tabs",
        "browser_wait",
    ] {
        assert!(names.contains(&expected), "{names:?}");
    }
    let tokenizer = tiktoken_rs::o200k_base().unwrap();
    let count = |text: &str| tokenizer.encode_with_special_tokens(text).len();
    let definitions = count(&serde_json::to_string(&tools).unwrap());
    let instructions = count(&client.instructions());
    println!("tool definitions: {definitions} tokens, instructions: {instructions} tokens");
    assert!(definitions <= 2000, "{definitions} tokens of definitions");
    assert!(instructions < 300 && instructions > 50, "{instructions} tokens of instructions");
    client.leave().await;
    program.is_all_gone().await;
}

#[tokio::test]
async fn a_launched_browser_is_all_one_needs_and_goes_with_the_client() {
    let program = Program::new();
    let pages = Pages::serve(&[("/", PAGE)]).await;
    let client = program.mcp(&["--launch", "--headless"]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    client.ok("browser_click", json!({"ref": reference(&seen, "Go")})).await;
    assert!(client.ok("browser_tabs", json!({"action": "list"})).await.contains("Clicked"));
    client.leave().await;
    program.is_all_gone().await;
}

#[tokio::test]
async fn it_outlives_the_hub() {
    let program = Program::new();
    let pages = Pages::serve(&[("/", PAGE)]).await;
    let mut hub = program.up(&[]).await;
    let client = program.mcp(&["--launch", "--headless"]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    hub.kill().await.unwrap();
    eventually("the next call finds a new hub and a new browser", || async {
        let answer = client.call("browser_navigate", json!({"url": pages.url("/")})).await;
        (!answer.failed).then_some(())
    })
    .await;
    assert!(client.ok("browser_snapshot", json!({})).await.contains("# Here"));
    client.leave().await;
    program.is_all_gone().await;
}

#[tokio::test]
async fn two_clients_of_one_hub_have_browsers_of_their_own() {
    let program = Program::new();
    let pages = Pages::serve(&[("/", PAGE)]).await;
    let one = program.mcp(&["--launch", "--headless"]).await;
    let two = program.mcp(&["--launch", "--headless"]).await;
    for client in [&one, &two] {
        client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
        let list = client.ok("browser_tabs", json!({"action": "list"})).await;
        assert_eq!(list.matches("P http").count(), 1, "each sees its own tab alone: {list}");
    }
    one.leave().await;
    assert!(two.ok("browser_snapshot", json!({})).await.contains("# Here"), "the other goes on");
    two.leave().await;
    program.is_all_gone().await;
}

#[tokio::test]
async fn a_hub_of_another_home_is_not_used() {
    let (mine, theirs) = (Program::new(), Program::new());
    let _hub = theirs.up(&[]).await;
    let stranger = Program { home: mine.home, port: theirs.port };
    let client = stranger.mcp(&[]).await;
    let said = client.refused("browser_snapshot", json!({}), "link_lost").await;
    assert!(said.contains("another OUTRIGGER_HOME"), "{said}");
}

#[tokio::test]
async fn a_hub_that_stands_still_does_not_hold_a_call_forever() {
    let program = Program::new();
    let hub = program.up(&[]).await;
    let client = program.mcp(&[]).await;
    client.refused("browser_snapshot", json!({"timeoutMs": 200}), "no_browser").await;
    let pid = rustix::process::Pid::from_raw(i32::try_from(hub.id().unwrap()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::STOP).unwrap();
    let began = Instant::now();
    let said =
        client.refused("browser_snapshot", json!({"timeoutMs": 200}), "outcome_unknown").await;
    rustix::process::kill_process(pid, rustix::process::Signal::CONT).unwrap();
    assert!(said.contains("does not answer"), "{said}");
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[tokio::test]
async fn no_token_is_written_where_others_could_read_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let program = Program::new();
    let pages = Pages::serve(&[("/", PAGE)]).await;
    let client = program.mcp(&["--launch", "--headless"]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let log = program.home.path().join("hub.log");
    let written = std::fs::read_to_string(&log).unwrap();
    for name in ["pairing-token", "agent-token"] {
        let token = std::fs::read_to_string(program.home.path().join(name)).unwrap();
        assert!(!written.contains(token.trim()), "{name} is in the log");
    }
    assert_eq!(mode(&log), 0o600);
    let launched = std::fs::read_dir(program.home.path().join("launched")).unwrap();
    for folder in launched.flatten() {
        assert_eq!(mode(&folder.path()), 0o700);
    }
}

#[tokio::test]
async fn families_of_tools_are_picked_by_name() {
    let program = Program::new();
    let client = program.mcp(&["--tools", "core,network"]).await;
    let names: Vec<String> =
        client.tools().await.into_iter().map(|tool| tool.name.into_owned()).collect();
    let has = |name: &str| names.iter().any(|known| known == name);
    assert!(has("browser_click") && has("browser_network"), "{names:?}");
    assert!(!has("browser_cookies") && !has("navigate"), "{names:?}");
    client.leave().await;
    let client = program.mcp(&["--tools", "storage"]).await;
    let names: Vec<String> =
        client.tools().await.into_iter().map(|tool| tool.name.into_owned()).collect();
    assert_eq!(names, ["browser_cookies", "browser_storage"]);
    client.leave().await;

    let help = program.ok(&["help", "click"]).await;
    assert!(help.contains("Usage: outrigger click [ref or selector]"), "{help}");
    let said = program.fails(&["mcp", "--tools", "core,netwrok"]).await;
    assert!(said.contains("netwrok") && said.contains("Did you mean network?"), "{said}");
    std::fs::write(program.home.path().join("config.toml"), "tools = \"storag\"").unwrap();
    let said = program.fails(&["mcp"]).await;
    assert!(said.contains("Did you mean storage?"), "{said}");
    let help = program.ok(&["mcp", "--help"]).await;
    assert!(help.contains("diagnostics, network, storage, page, human"), "{help}");
    assert_eq!(program.ok(&["help", "mcp"]).await, help);
}
