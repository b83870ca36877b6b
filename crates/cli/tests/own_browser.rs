//! The path of docs/guide.md, walked by a person: a Chromium with a window, a profile
//! and no debugger, a keyboard, a mouse and what is to be seen on the screen. The one
//! step that is taken otherwise is "Load unpacked", for which the flag stands that
//! Chromium has for it. Pictures of the way are left in `target/tmp/own-browser`.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::program::Program;
use outrigger_hub::extension_files::EXTENSION_ID;
use outrigger_hub::launch::{find_browser, runs_as_root};
use outrigger_testkit::{Desktop, Pages, eventually};
use serde_json::json;
use tokio::process::{Child, Command};

/// Of the screen.
type Point = (usize, usize);

const ASKING: &str = "^Outrigger$";
/// Answers that allow are inert for half a second after the window came to the front.
const INERT: Duration = Duration::from_millis(800);

fn browser(desktop: &Desktop, profile: &Path, extension: &Path) -> Child {
    let chosen = std::env::var_os("OUTRIGGER_BROWSER").map(PathBuf::from);
    let mut command = Command::new(find_browser(chosen.as_deref()).unwrap());
    command
        .env("DISPLAY", desktop.display())
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--load-extension={}", extension.display()))
        .args(["--no-first-run", "--disable-gpu", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-sync"])
        .arg("about:blank")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    if runs_as_root() {
        command.arg("--no-sandbox");
    }
    command.spawn().unwrap()
}

#[tokio::test]
async fn the_guide_leads_to_a_question_and_its_answer_counts() {
    let program = Program::new();
    std::fs::write(program.home.path().join("config.toml"), "ask_seconds = 12\n").unwrap();
    let pages = Pages::serve(&[("/", "<!doctype html><title>Tea shop</title><h1>Tea</h1>")]).await;
    let desktop = Desktop::start(Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-browser")).await;

    // Written out, loaded, and the hub started.
    let extension = program.home.path().join("extension");
    program.ok(&["extension", extension.to_str().unwrap()]).await;
    let _hub = program.up(&[]).await;
    let _browser = browser(&desktop, &program.home.path().join("profile"), &extension);
    desktop.window("about:blank").await;

    // Paired: the token of `outrigger pair`, typed into the options.
    let said = program.ok(&["pair"]).await;
    let token = said.lines().find_map(|line| line.strip_prefix("Pairing token: ")).unwrap();
    desktop.keys(&["ctrl+l"]).await;
    desktop.types(&format!("chrome-extension://{EXTENSION_ID}/options.html\n")).await;
    let options = desktop.window("^Outrigger options").await;
    eventually("the options are drawn", || focused_by_tab(&desktop)).await;
    desktop.keys(&["ctrl+a"]).await;
    desktop.types(&format!("127.0.0.1:{}\t{token}", program.port)).await;
    desktop.keep("1-options").await;
    desktop.keys(&["Return"]).await;
    eventually("the browser is linked", || async {
        program.ok(&["sessions"]).await.contains("personal").then_some(())
    })
    .await;
    desktop.keep("2-paired").await;

    // Asked, beside the window in use and without taking its focus; allowed with the mouse.
    let client = program.mcp(&[]).await;
    let there = json!({"url": pages.url("/")});
    let allow = async {
        let asking = desktop.window(ASKING).await;
        assert_eq!(desktop.active_window().await, options, "whoever types goes on typing");
        desktop.keep("3-asked").await;
        desktop.activate(&asking).await;
        let (allow_once, _) = answers(&desktop).await;
        desktop.keep("4-answers").await;
        desktop.press(allow_once).await;
    };
    let (said, ()) = tokio::join!(client.call("browser_navigate", there.clone()), allow);
    assert!(!said.failed, "{}", said.text);
    desktop.until_gone(ASKING).await;
    desktop.keep("5-allowed").await;

    // One yes was for one call; denied with the keyboard.
    let deny = async {
        let asking = desktop.window(ASKING).await;
        desktop.activate(&asking).await;
        answers(&desktop).await;
        desktop.keys(&["Return"]).await;
    };
    let (said, ()) = tokio::join!(client.call("browser_navigate", there.clone()), deny);
    assert_eq!(said.code.as_deref(), Some("not_allowed"), "{}", said.text);
    assert!(said.text.contains("the user said no"), "{}", said.text);
    desktop.until_gone(ASKING).await;

    // No answer is a no.
    let ignore = async {
        desktop.window(ASKING).await;
        desktop.keep("6-ignored").await;
    };
    let (said, ()) = tokio::join!(client.call("browser_navigate", there), ignore);
    assert_eq!(said.code.as_deref(), Some("not_allowed"), "{}", said.text);
    assert!(said.text.contains("did not answer in time"), "{}", said.text);
    desktop.until_gone(ASKING).await;
}

/// Where `Allow once` and `Deny` are, the first two that stand side by side. The focus
/// is on the second then.
async fn answers(desktop: &Desktop) -> (Point, Point) {
    tokio::time::sleep(INERT).await;
    let mut passed: Vec<Point> = Vec::new();
    loop {
        let at = focused_by_tab(desktop).await.expect("what has the focus is seen");
        if let Some(beside) = passed.iter().find(|(_, y)| *y == at.1) {
            return (*beside, at);
        }
        passed.push(at);
    }
}

/// Presses Tab, and says where the focus went.
async fn focused_by_tab(desktop: &Desktop) -> Option<Point> {
    let before = desktop.look();
    desktop.keys(&["Tab"]).await;
    // A page is drawn when it likes.
    for _ in 0..100 {
        if let Some(at) = desktop.look().newly_focused(&before) {
            return Some(at);
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    None
}
