//! Pictures of the user's own tab, in a real Chromium: taken only while the user is
//! at it, seen by the user before any model gets them, and kept nowhere.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use outrigger_testkit::{Kit, Pages, Target, eventually};
use serde_json::json;

const DIARY: &str = "<!doctype html><title>Diary</title><h1>Dear diary</h1>";
/// What every JPEG begins with, as bytes and in base64.
const JPEG: [&[u8]; 2] = [&[0xff, 0xd8, 0xff], b"/9j/"];

/// The picture that the user is shown, once it is; then presses that button below it. A
/// card that was answered stays for a moment, with its picture.
async fn shown(panel: &Target<'_>, answer: &str) -> String {
    let picture = "(() => { const it = \
        document.querySelector('.request:not([data-pressed]) img.picture'); \
        return it?.naturalWidth > 0 ? it.src : null; })()";
    let source = eventually("the picture is shown", || async {
        panel.evaluate(picture).await.as_str().map(str::to_owned)
    })
    .await;
    panel.press(".request button", answer).await;
    source
}

fn files_below(folder: &Path, found: &mut Vec<Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => files_below(&entry.path(), found),
            kind if kind.is_file() => found.extend(fs::read(entry.path())),
            _ => {}
        }
    }
}

#[tokio::test]
async fn the_users_tab_is_seen_by_its_user_before_any_model_gets_it() {
    let (kit, pages) = (Kit::start().await, Pages::serve(&[("/", DIARY)]).await);
    let browser = kit.personal_browser().await;
    browser.open(&pages.url("/")).await;
    let devtools = browser.devtools().await;
    devtools.page(&pages.url("/")).await;
    let (client, panel) = (kit.client().await, devtools.open_own_page("sidepanel.html").await);

    // Asked for, then shown as it is; what leaves is what was shown.
    let answer = async {
        panel.press(".request button", "Always allow").await;
        shown(&panel, "Analyze").await
    };
    let (said, seen) = tokio::join!(client.call("ext_capture_screen", json!({})), answer);
    assert!(!said.failed, "{}", said.text);
    let (kind, data) = seen.split_once(',').unwrap();
    assert_eq!(kind, "data:image/jpeg;base64");
    let told = base64::engine::general_purpose::STANDARD.encode(said.picture.unwrap());
    assert_eq!(told, data);
    assert!(said.text.contains("Diary"), "{}", said.text);

    // Whatever was allowed for good: each picture is shown, and may be thrown away.
    let (said, _) =
        tokio::join!(client.call("capture_screen", json!({})), shown(&panel, "Discard"));
    assert_eq!(said.code.as_deref(), Some("not_allowed"), "{}", said.text);
    assert!(said.picture.is_none() && !said.text.contains("Diary"), "{}", said.text);

    // While the user is at something else, nothing is taken, and nobody is asked.
    let worker = devtools.worker().await;
    worker.evaluate("chrome.storage.session.set({ lastGesture: Date.now() - 31_000 })").await;
    let said = client.refused("ext_capture_screen", json!({}), "gesture_required").await;
    assert!(said.contains("toolbar"), "{said}");
    client.refused("analyze_screenshot", json!({}), "gesture_required").await;
    // Any press in the panel will do.
    panel.press("button", "Pause").await;
    panel.press("button", "Resume").await;
    let (said, _) =
        tokio::join!(client.call("ext_capture_screen", json!({})), shown(&panel, "Analyze"));
    assert!(said.picture.is_some(), "{}", said.text);

    // What is called after the press waits for it, too.
    for (answer, is_handed_over) in [("Discard", false), ("Analyze", true)] {
        panel.press("button", "Pause").await;
        panel.press("button", "Resume").await;
        let (said, seen) =
            tokio::join!(client.call("analyze_screenshot", json!({})), shown(&panel, answer));
        let told = said.picture.map(|it| base64::engine::general_purpose::STANDARD.encode(it));
        assert_eq!(told.is_some(), is_handed_over, "{answer}: {}", said.text);
        assert!(told.is_none_or(|told| seen.ends_with(&told)), "it is what was shown");
        let code = (!is_handed_over).then_some("not_allowed");
        assert_eq!(said.code.as_deref(), code, "{answer}: {}", said.text);
    }

    // Nothing of it is in any file of ours.
    let home = kit.stop().await;
    let mut files = Vec::new();
    files_below(home.path(), &mut files);
    assert!(!files.is_empty());
    for file in files {
        assert!(!JPEG.iter().any(|start| file.windows(start.len()).any(|part| part == *start)));
    }
}

#[tokio::test]
async fn of_several_windows_the_one_that_the_user_was_in_last_counts() {
    let garden = "<!doctype html><title>Garden</title><h1>Beds</h1>";
    let pages = Pages::serve(&[("/", DIARY), ("/garden", garden)]).await;
    let kit = Kit::start().await;
    let browser = kit.loose_browser().await;
    let devtools = browser.devtools().await;
    let worker = devtools.worker().await;
    let client = kit.client().await;
    let in_front = |title: &'static str| {
        let client = &client;
        eventually(title, move || async move {
            let said = client.call("ext_capture_screen", json!({})).await;
            said.text.contains(title).then_some(())
        })
    };
    let mut last = serde_json::Value::Null;
    for (path, title) in [("/", "Diary"), ("/garden", "Garden")] {
        let make = format!(
            "chrome.windows.create({{ url: {}, focused: true }}).then(({{ id }}) => id)",
            json!(pages.url(path))
        );
        last = worker.evaluate(&make).await;
        in_front(title).await;
    }
    worker.evaluate(&format!("chrome.windows.remove({last}).then(() => true)")).await;
    in_front("Diary").await;
}

#[tokio::test]
async fn in_a_throw_away_browser_nobody_is_asked() {
    let (kit, pages, client) = Kit::with_browser(&[("/", DIARY)]).await;
    kit.page_in_front(&pages.url("/")).await;
    let said = client.call("ext_capture_screen", json!({})).await;
    assert!(said.picture.is_some(), "{}", said.text);
    let said = client.ok("analyze_screenshot", json!({})).await;
    assert!(said.contains("Diary"), "{said}");
}

#[tokio::test]
async fn an_agents_own_tab_needs_no_gesture_and_no_second_look_unless_that_is_asked_for() {
    let (kit, pages) = (Kit::start().await, Pages::serve(&[("/", DIARY)]).await);
    let browser = kit.personal_browser().await;
    let devtools = browser.devtools().await;
    let (client, panel) = (kit.client().await, devtools.open_own_page("sidepanel.html").await);
    let there = json!({"url": pages.url("/")});
    let (said, ()) = tokio::join!(
        client.call("browser_navigate", there),
        panel.press(".request button", "Allow once")
    );
    let tab = said.text.strip_prefix("Tab ").and_then(|said| said.split_once(' '));
    let tab: i64 = tab.and_then(|(tab, _)| tab.parse().ok()).expect("the tab is told");
    client.ok("browser_tabs", json!({"action": "select", "id": tab})).await;
    let (said, ()) = tokio::join!(
        client.call("ext_capture_screen", json!({})),
        panel.press(".request button", "Always allow")
    );
    assert!(said.picture.is_some(), "{}", said.text);
    let worker = devtools.worker().await;
    worker.evaluate("chrome.storage.session.set({ lastGesture: 0 })").await;
    assert!(client.call("ext_capture_screen", json!({})).await.picture.is_some());
    // What is for a model to look at is shown first all the same.
    let (said, _) =
        tokio::join!(client.call("analyze_screenshot", json!({})), shown(&panel, "Discard"));
    assert_eq!(said.code.as_deref(), Some("not_allowed"), "{}", said.text);
    assert!(said.picture.is_none(), "{}", said.text);
    let (said, _) =
        tokio::join!(client.call("analyze_screenshot", json!({})), shown(&panel, "Analyze"));
    assert!(said.picture.is_some(), "{}", said.text);
}
