//! What agents and pages say is nowhere on disk: canaries in everything that passes
//! through a hub, looked for in all that it writes while it logs as much as it can,
//! and in what it leaves when it crashes.

use std::path::Path;
use std::process::Stdio;

use crate::program::Program;
use outrigger_testkit::raw_http::ask;
use outrigger_testkit::{Api, LooseBrowser, McpClient, Pages, Peer, eventually, reference};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::process::{Child, Command};

/// In every text that must not be written down.
const CANARY: &str = "kanarie";

const PAGE: &str = r#"<!doctype html><title>kanarie-title</title><h1>kanarie-text</h1>
<label>Name <input></label><label>Password <input type="password"></label>
<label>Report <input type="file"></label><button onclick="console.log('kanarie-console')">Go</button>
<script>document.cookie = 'theme=kanarie-page-cookie'; setTimeout(() => fetch('/kanarie-fetch?kanarie'))</script>"#;

/// Calls that bring canaries along; whatever becomes of them.
fn calls(url: &str, seen: &str) -> Vec<(&'static str, Value)> {
    let at = |name: &str| reference(seen, name);
    vec![
        ("browser_type", json!({"ref": at("Name"), "text": "kanarie-typed"})),
        ("browser_type", json!({"ref": at("Password"), "text": "kanarie-password"})),
        ("browser_fill_form", json!({"fields": [{"ref": at("Name"), "value": "kanarie-filled"}]})),
        (
            "browser_upload",
            json!({"ref": at("Report"),
            "files": [{"name": "kanarie.txt", "base64": "a2FuYXJpZS1maWxl"}]}),
        ),
        ("browser_upload", json!({"ref": at("Report"), "files": ["/nowhere/kanarie-path"]})),
        ("browser_click", json!({"ref": at("Go")})),
        ("browser_evaluate", json!({"function": "() => 'kanarie-' + 'result'"})),
        ("browser_evaluate", json!({"function": "() => { throw new Error('kanarie-thrown') }"})),
        ("browser_cookies", json!({"action": "set", "name": "kanarie-name", "value": "kanarie"})),
        ("browser_cookies", json!({})),
        ("browser_get_console_logs", json!({})),
        ("browser_network", json!({})),
        ("browser_find", json!({"query": "kanarie-query"})),
        ("browser_wait", json!({"text": "kanarie-never", "timeoutMs": 300})),
        ("browser_click", json!({"selector": "text=kanarie-selector", "timeoutMs": 300})),
        ("browser_click", json!({"kanarie-argument": "kanarie"})),
        ("browser_ask_human", json!({"what": "kanarie-wish", "timeoutMs": 300})),
        ("kanarie-tool", json!({})),
        ("browser_navigate", json!({"url": format!("{url}kanarie-missing?kanarie#kanarie")})),
        ("browser_navigate", json!({"url": "javascript:'kanarie-script'"})),
        ("browser_navigate", json!({"url": "https://kanarie-user:kanarie@127.0.0.1:1/kanarie"})),
    ]
}

/// Files of the hub that hold a canary. The tokens' own files do by design, and the
/// profile of a browser is its user's.
fn holding(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
        if path.is_dir() {
            if name != "launched" {
                found.extend(holding(&path));
            }
        } else if !name.ends_with("-token") {
            let held = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
            let lines = held.lines().filter(|line| line.to_lowercase().contains(CANARY));
            found.extend(lines.map(|line| format!("{name}: {line}")));
        }
    }
    found
}

/// A hub whose tokens are canaries, and that logs as much as it can.
fn start(program: &Program, arguments: &[&str]) -> Child {
    let home = program.home.path();
    for token in ["agent-token", "pairing-token"] {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::write(home.join(token), format!("kanarie-{token}")).unwrap();
        let only_mine = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(home.join(token), only_mine).unwrap();
    }
    let log = std::fs::File::create(home.join("log")).unwrap();
    let mut hub: Command = program.command(arguments);
    hub.env("OUTRIGGER_LOG", "trace").env("RUST_BACKTRACE", "full").current_dir(home);
    hub.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap()
}

async fn until_linked(program: &Program, kind: &str) {
    eventually("the browser is linked", || async {
        let sessions = program.run(&["sessions"]).await;
        String::from_utf8_lossy(&sessions.stdout).contains(kind).then_some(())
    })
    .await;
}

/// Leaves the home as a crash leaves it.
async fn crash(mut hub: Child, home: &Path) {
    let pid = Pid::from_raw(i32::try_from(hub.id().unwrap()).unwrap()).unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    kill_process(pid, Signal::ABORT).unwrap();
    hub.wait().await.unwrap();
    let names: Vec<String> = std::fs::read_dir(home)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(names.iter().any(|name| name == "outrigger.db-wal"), "{names:?}");
    assert!(!names.iter().any(|name| name.starts_with("core")), "{names:?}");
}

#[tokio::test]
async fn nothing_that_passes_through_a_hub_is_written_down() {
    let program = Program::new();
    let home = program.home.path();
    let hub = start(&program, &["up", "--launch", "--headless"]);
    until_linked(&program, "throw-away").await;

    let pages = Pages::serve(&[("/", PAGE), ("/kanarie-path", PAGE)]).await;
    let client = McpClient::http(program.port, "kanarie-agent-token").await;
    let url = pages.url("/");
    let there = json!({"url": format!("{url}kanarie-path?kanarie-query")});
    // Records of what is looked at, an action that types, and what came of both.
    let api = Api::new(program.port, "kanarie-agent-token");
    let followed = "/api/v1/events?schema_name=browser.page.context.v1";
    let mut events = api.follow(followed, None).await;
    client.ok("browser_navigate", there.clone()).await;
    api.pages_told(1).await;
    assert_eq!(events.next().await.unwrap().event, "begun");
    let looked_at = client.ok("context_get", json!({})).await;
    assert!(looked_at.contains("kanarie-text"), "{looked_at}");
    let asked = json!({"action": "navigate", "url": url});
    api.done(asked).await;
    let typed = json!({"action": "type", "target": {"xpath": "//label[1]/input"}, "text": "kanarie-action"});
    api.done(typed).await;
    drop(events);
    client.ok("browser_navigate", there.clone()).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains("kanarie-text"), "{seen}");
    for (tool, arguments) in calls(&url, &seen) {
        let _ = client.try_call(tool, arguments).await;
    }
    // The same through an agent's own process, and its standard error with it.
    let mut shell = program.command(&["call", "browser_navigate", &there.to_string()]);
    let shell = shell.env("OUTRIGGER_LOG", "trace").output().await.unwrap();
    assert!(shell.status.success());
    let said = String::from_utf8_lossy(&shell.stderr).into_owned();
    assert!(!said.contains(CANARY), "{said}");
    // Frames that make no sense, of somebody who may link and of somebody who may not.
    for (name, token) in [("a", "kanarie-pairing-token"), ("b", "kanarie-wrong")] {
        let mut peer = Peer::connect(program.port).await;
        peer.send(&json!({"type": "handshake", "kanarie": "kanarie", "protocol": "kanarie"})).await;
        peer.send(&Peer::handshake(name, token, &json!([]))).await;
        for frame in [
            json!({"type": "kanarie"}),
            json!({"type": "event", "event": "tab.created", "payload": "kanarie"}),
            json!({"id": "kanarie", "result": "kanarie"}),
            json!({"id": "kanarie", "error": 7, "code": "kanarie"}),
        ] {
            peer.send(&frame).await;
        }
        peer.send_text("kanarie".to_owned()).await;
        let _ = peer.next().await;
    }

    for path in ["/kanarie", "/mcp/kanarie?kanarie", "/api/kanarie"] {
        let host = format!("127.0.0.1:{}", program.port);
        let origin = "https://evil.example";
        ask(program.port, "GET", path, &[("Host", &host), ("Origin", origin)], "").await;
    }

    crash(hub, home).await;
    let log = std::fs::read_to_string(home.join("log")).unwrap();
    assert!(log.contains("browser_evaluate"), "as much is logged as can be: {log}");
    let found = holding(home);
    assert!(found.is_empty(), "{}", found.join("\n"));
    let listed = program.ok(&["log"]).await;
    assert!(listed.contains("browser_upload"), "{listed}");
    // All tools but the one that is there for its name exist.
    assert_eq!(listed.matches("(unknown)").count(), 1, "{listed}");
}

/// What a person's browser holds: `kanarie-hidden` is nobody's but theirs.
const OWN_PAGE: &str = r#"<!doctype html><title>kanarie-title</title><h1>Account</h1>
<p>kanarie-text</p><label>Name <input></label>
<label>Password <input type="password" value="kanarie-hidden"></label>
<label>New password <input type="password"></label><button>Go</button>"#;

#[tokio::test]
async fn what_a_persons_browser_holds_is_told_to_nobody_else_and_written_nowhere() {
    let program = Program::new();
    let home = program.home.path();
    let hub = start(&program, &["up"]);
    let browser = LooseBrowser::start(&program.settings(), "kanarie-pairing-token");
    until_linked(&program, "personal").await;
    let devtools = browser.devtools().await;
    let worker = devtools.worker().await;
    worker
        .evaluate(
            "globalThis.notices = []; const make = chrome.notifications.create; \
             chrome.notifications.create = (id, options) => { \
                 notices.push(options); return make.call(chrome.notifications, id, options) }; 0",
        )
        .await;
    let panel = devtools.open_own_page("sidepanel.html").await;
    let pages = Pages::serve(&[("/", OWN_PAGE)]).await;
    let client = McpClient::http(program.port, "kanarie-agent-token").await;

    let mut shown = String::new();
    let mut said = String::new();
    let mut seen = String::new();
    for step in 0..6 {
        let at = |name: &str| reference(&seen, name);
        let (tool, arguments, answer) = match step {
            0 => ("browser_navigate", json!({"url": pages.url("/")}), "Allow once"),
            1 => ("browser_snapshot", json!({}), "Allow for this session"),
            2 => {
                ("browser_type", json!({"ref": at("Name"), "text": "kanarie-typed"}), "Allow once")
            }
            3 => (
                "browser_fill_form",
                json!({"fields": [{"ref": at("New password"), "value": "kanarie-secret"}]}),
                "Allow once",
            ),
            4 => ("browser_click", json!({"ref": at("Go")}), "Deny"),
            _ => ("browser_ask_human", json!({"what": "Look around"}), "Done"),
        };
        let ask = async {
            let text = panel.asked().await;
            panel.press(".request button", answer).await;
            panel.until("document.querySelector('.request') === null").await;
            text
        };
        let (told, question) = tokio::join!(client.call(tool, arguments), ask);
        if step == 1 {
            seen = told.text.clone();
        }
        said.push_str(&told.text);
        shown.push_str(&question);
    }
    said.push_str(&client.ok("browser_snapshot", json!({})).await);

    // The agent: what it may read, and what it wrote into a field that is no secret.
    assert!(said.contains("kanarie-text") && said.contains("kanarie-typed"), "{said}");
    for secret in ["kanarie-hidden", "kanarie-secret", "-token"] {
        assert!(!said.contains(secret), "{secret}: {said}");
    }
    // The user is shown what an agent would write, and no secret of the page or of ours.
    assert!(shown.contains("kanarie-typed"), "{shown}");
    for secret in ["kanarie-hidden", "kanarie-text", "-token"] {
        assert!(!shown.contains(secret), "{secret}: {shown}");
    }
    // A desktop keeps its notifications, and a profile what is stored for good.
    let notices = worker.evaluate("JSON.stringify(notices)").await.to_string();
    assert!(notices.contains("asks for your permission"), "{notices}");
    assert!(!notices.contains(CANARY), "{notices}");
    for area in ["local", "sync"] {
        let stored = format!("chrome.storage.{area}.get(null).then(JSON.stringify)");
        let stored = worker.evaluate(&stored).await.to_string();
        assert!(!stored.contains(CANARY), "{area}: {stored}");
    }
    let link_log = "chrome.storage.session.get('linkLog').then(JSON.stringify)";
    let link_log = worker.evaluate(link_log).await.to_string();
    assert!(link_log.contains("connected to") && !link_log.contains(CANARY), "{link_log}");

    crash(hub, home).await;
    let log = std::fs::read_to_string(home.join("log")).unwrap();
    assert!(log.contains("browser_fill_form"), "as much is logged as can be: {log}");
    let found = holding(home);
    assert!(found.is_empty(), "{}", found.join("\n"));
}
