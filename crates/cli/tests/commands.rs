//! The commands as a person types them.

use std::time::Duration;

use crate::program::Program;
use outrigger_testkit::{Pages, Scratch};
use rustix::process::{Pid, Signal, kill_process};

const PAGE: &str =
    "<!doctype html><title>P</title><h1>Here</h1><label>Name <input></label><button>Go</button>";

#[tokio::test]
async fn any_tool_is_a_command() {
    let program = Program::new();
    let pages = Pages::serve(&[("/", PAGE)]).await;
    let _hub = program.up(&["--launch", "--headless"]).await;
    let said = program.ok(&["navigate", &pages.url("/")]).await;
    assert!(said.contains("is now at the page below"), "{said}");
    let seen = program.ok(&["snapshot"]).await;
    assert!(seen.contains("# Here"), "{seen}");
    let name = outrigger_testkit::reference(&seen, "Name");
    program.ok(&["type", &name, "Ada", "--submit", "true"]).await;
    assert!(program.ok(&["call", "browser_snapshot"]).await.contains("value=\"Ada\""));
    let json = program.ok(&["--json", "find", "Go", "--role", "button"]).await;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["content"][0]["text"].as_str().unwrap().contains("<button"), "{json}");
    let out = program.home.path().join("seen.jpg");
    let said = program.ok(&["screenshot", "--out", out.to_str().unwrap()]).await;
    assert!(said.contains(out.to_str().unwrap()), "it says where: {said}");
    assert_eq!(&std::fs::read(&out).unwrap()[..2], [0xff, 0xd8], "a JPEG");
    let failed = program.run(&["click", "e999"]).await;
    assert!(!failed.status.success());
    let said = String::from_utf8(failed.stdout).unwrap();
    assert!(said.starts_with("stale_ref: "), "{said}");
    let sessions = program.ok(&["sessions"]).await;
    assert!(sessions.contains("throw-away") && sessions.contains("shell"), "{sessions}");
    let doctor = program.ok(&["doctor"]).await;
    assert!(doctor.contains("✓ extension") && !doctor.contains('✗'), "{doctor}");
}

#[tokio::test]
async fn the_tour_checks_itself_and_leaves_a_transcript_and_a_picture() {
    let program = Program::new();
    let out = program.home.path().join("souvenirs");
    let said = program.ok(&["tour", "--headless", "--out", out.to_str().unwrap()]).await;
    assert!(said.contains("All as expected"), "{said}");
    let transcript = std::fs::read_to_string(out.join("transcript.md")).unwrap();
    assert!(transcript.contains("browser_click") && transcript.contains(" ms)"), "{transcript}");
    assert_eq!(&std::fs::read(out.join("tour.jpg")).unwrap()[..2], [0xff, 0xd8]);
    program.is_all_gone().await;
}

#[tokio::test]
async fn signals_end_hub_and_browser_cleanly() {
    for signal in [Signal::INT, Signal::TERM] {
        let program = Program::new();
        let mut hub = program.up(&["--launch", "--headless"]).await;
        let pid = Pid::from_raw(i32::try_from(hub.id().unwrap()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
        let status =
            tokio::time::timeout(Duration::from_secs(8), hub.wait()).await.unwrap().unwrap();
        assert!(status.success(), "{signal:?}: {status}");
        program.is_all_gone().await;
    }
}

#[tokio::test]
async fn a_killed_hub_leaves_no_browser_and_the_next_start_works() {
    let program = Program::new();
    let mut hub = program.up(&["--launch", "--headless"]).await;
    hub.kill().await.unwrap();
    let home = program.home.path().display().to_string();
    outrigger_testkit::eventually("its browser ends by itself", || async {
        outrigger_testkit::processes(&home).is_empty().then_some(())
    })
    .await;
    let mut hub = program.up(&[]).await;
    let launched = program.home.path().join("launched");
    assert_eq!(std::fs::read_dir(launched).unwrap().count(), 0, "what it left is swept up");
    hub.kill().await.unwrap();
}

#[tokio::test]
async fn two_instances_on_one_machine_know_nothing_of_each_other() {
    let (one, two) = (Program::new(), Program::new());
    let _hub = one.up(&["--launch", "--headless"]).await;
    let _other = two.up(&[]).await;
    assert!(one.ok(&["sessions"]).await.contains("throw-away"));
    assert!(two.ok(&["sessions"]).await.contains("No browser is linked"));
    let (first, second) = (one.ok(&["pair", "--json"]).await, two.ok(&["pair", "--json"]).await);
    assert_ne!(first, second);
}

#[tokio::test]
async fn what_can_go_wrong_is_said_with_what_to_do() {
    let program = Program::new();
    let said = program.fails(&["snapshot"]).await;
    assert!(said.contains("no hub answers") && said.contains("outrigger up"), "{said}");
    let said = program.fails(&["sing"]).await;
    assert!(said.contains("there is no command \"sing\""), "{said}");
    let said = program.fails(&["call", "browser_click", "{ref"]).await;
    assert!(said.contains("not JSON"), "{said}");
    let said = program.fails(&["setup"]).await;
    assert!(said.contains("--print"), "{said}");
    let said = program.fails(&["pair", "--origin", "https://evil.example"]).await;
    assert!(said.contains("chrome-extension://"), "{said}");

    let hub = program.up(&[]).await;
    let said = program.fails(&["up"]).await;
    assert!(said.contains("is taken") && said.contains("OUTRIGGER_PORT"), "{said}");
    drop(hub);

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let other = Program { home: Scratch::new(), port: listener.local_addr().unwrap().port() };
    let said = other.fails(&["up"]).await;
    assert!(said.contains("is taken"), "{said}");
}

#[tokio::test]
async fn a_browser_that_cannot_be_found_is_said_so() {
    let program = Program::new();
    let mut command = program.command(&["up", "--launch", "--headless"]);
    let output = command.env("OUTRIGGER_BROWSER", "/nowhere/chromium").output().await.unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("/nowhere/chromium can't be run"), "{said}");
    let output = program
        .command(&["up", "--launch", "--headless"])
        .env("PATH", program.home.path())
        .env_remove("OUTRIGGER_BROWSER")
        .output()
        .await
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("no browser was found") && said.contains("apt-get install chromium"),
        "{said}"
    );
}

#[tokio::test]
async fn a_token_that_cannot_be_read_stops_the_hub_with_the_reason() {
    let program = Program::new();
    std::fs::create_dir_all(program.home.path().join("agent-token")).unwrap();
    let said = program.fails(&["up"]).await;
    assert!(said.contains("agent-token can't be read"), "{said}");
    let doctor = program.run(&["doctor"]).await;
    let said = String::from_utf8(doctor.stdout).unwrap();
    assert!(!doctor.status.success() && said.contains("✗ tokens"), "{said}");
}

#[tokio::test]
async fn a_token_that_others_can_read_is_found_by_the_doctor() {
    use std::os::unix::fs::PermissionsExt as _;
    let program = Program::new();
    program.ok(&["pair"]).await;
    let path = program.home.path().join("pairing-token");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let doctor = program.run(&["doctor"]).await;
    let said = String::from_utf8(doctor.stdout).unwrap();
    assert!(said.contains("chmod 600"), "{said}");
}

#[tokio::test]
async fn settings_come_from_flags_then_environment_then_file() {
    let program = Program::new();
    std::fs::write(program.home.path().join("config.toml"), "port = 7001\ntools = \"full\"\n")
        .unwrap();
    let shown = program.ok(&["config"]).await;
    assert!(
        shown.contains(&program.port.to_string()) && shown.contains("from the environment"),
        "{shown}"
    );
    assert!(shown.contains("full") && shown.contains("from config.toml"), "{shown}");
    let shown = program.ok(&["config", "--port", "7002"]).await;
    assert!(shown.contains("7002") && shown.contains("from the command line"), "{shown}");
    std::fs::write(program.home.path().join("config.toml"), "prot = 7001\n").unwrap();
    let said = program.fails(&["config"]).await;
    assert!(said.contains("config.toml is not understood") && said.contains("prot"), "{said}");
}

#[tokio::test]
async fn the_extension_and_the_registration_are_written_out() {
    let program = Program::new();
    let folder = program.home.path().join("unpacked");
    let said = program.ok(&["extension", folder.to_str().unwrap()]).await;
    assert!(said.contains("Load unpacked"), "{said}");
    assert!(folder.join("manifest.json").exists() && folder.join("page.js").exists());
    assert!(!folder.join("launch.json").exists());
    let printed = program.ok(&["setup", "--print"]).await;
    assert!(printed.contains("\"mcpServers\"") && printed.contains("Bearer "), "{printed}");
    let rotated = program.ok(&["pair", "--rotate", "--json"]).await;
    assert_ne!(rotated, program.ok(&["pair", "--rotate", "--json"]).await);
}

#[tokio::test]
async fn flags_count_behind_a_tools_words_and_switches_stand_alone() {
    let program = Program::new();
    let pages = Pages::serve(&[("/", PAGE)]).await;
    let _hub = program.up(&["--launch", "--headless"]).await;
    program.ok(&["navigate", &pages.url("/")]).await;
    let json = program.ok(&["snapshot", "--json"]).await;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let seen = json["content"][0]["text"].as_str().unwrap().to_owned();
    let name = outrigger_testkit::reference(&seen, "Name");
    let said = program.ok(&["type", &name, "Ada", "--submit", "--clear"]).await;
    assert!(said.contains("pressed Enter"), "{said}");
}

#[tokio::test]
async fn a_client_is_registered_with_what_reaches_this_very_hub() {
    use std::os::unix::fs::PermissionsExt as _;
    let program = Program::new();
    let folder = tempfile::tempdir().unwrap();
    let claude = folder.path().join("claude");
    std::fs::write(&claude, "#!/bin/sh\nprintf '%s|' \"$@\" > \"$(dirname \"$0\")/words\"\n")
        .unwrap();
    std::fs::set_permissions(&claude, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let words = || std::fs::read_to_string(folder.path().join("words")).unwrap();
    let run = async |arguments: &[&str]| {
        let output = program.command(arguments).env("PATH", &path).output().await.unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    run(&["setup", "claude-code", "--launch"]).await;
    let said = words();
    assert!(said.starts_with("mcp|add|--scope|user|outrigger|--env|OUTRIGGER_HOME="), "{said}");
    assert!(said.ends_with(&format!("|mcp|--launch|--port|{}|", program.port)), "{said}");
    run(&["setup", "claude-code", "--undo"]).await;
    assert_eq!(words(), "mcp|remove|--scope|user|outrigger|");
}

#[tokio::test]
async fn at_a_terminal_nothing_is_said_but_what_a_person_wants_to_read() {
    let program = Program::new();
    // `script` gives the command a terminal of its own.
    let command = format!("{} config", env!("CARGO_BIN_EXE_outrigger"));
    let output = tokio::process::Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .env("OUTRIGGER_HOME", program.home.path())
        .output()
        .await
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.starts_with("# ") && !said.contains("tracing"), "{said}");
    let widest = program.ok(&["doctor"]).await.lines().map(|line| line.chars().count()).max();
    assert!(widest.unwrap() <= 100, "{widest:?}");
}

#[tokio::test]
async fn a_session_is_paused_resumed_and_stopped_from_the_shell() {
    let program = Program::new();
    let _hub = program.up(&[]).await;
    let call = || async {
        let output = program.run(&["call", "browser_tabs", CALL]).await;
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(call().await.starts_with("no_browser: "), "the session begins");
    assert!(program.ok(&["sessions", "pause", "shell"]).await.contains("shell is paused now"));
    assert!(program.ok(&["sessions"]).await.contains("paused"));
    assert!(call().await.starts_with("paused: "));
    program.ok(&["sessions", "resume", "shell"]).await;
    assert!(call().await.starts_with("no_browser: "));
    program.ok(&["sessions", "stop", "shell"]).await;
    assert!(call().await.starts_with("stopped: "));
    let said = program.fails(&["sessions", "pause", "nobody"]).await;
    assert!(said.contains("outrigger sessions"), "{said}");
}

const CALL: &str = r#"{"action": "list", "timeoutMs": 300}"#;
