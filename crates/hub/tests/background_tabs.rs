//! Hands in a tab behind others, in a real Chromium: they do the same as in front,
//! and the user's tab and window stay where they are.

use crate::every_hand::{PAGE, use_every_hand};
use outrigger_hub::settings::Window;
use outrigger_testkit::{Kit, Pages, Target, eventually};
use serde_json::{Value, json};

/// What the user looks at: the window with the focus and its tab in front; and
/// all tabs that are in front of some window.
async fn in_front(worker: &Target<'_>) -> Value {
    let look = "Promise.all([chrome.windows.getLastFocused({populate: true}), chrome.tabs.query({active: true})]).then(\
        ([{ id, focused, tabs }, front]) => ({ id, focused, tab: tabs.find(({ active }) => active).id, front: front.map(({ id }) => id).sort() }))";
    worker.evaluate(look).await
}

/// Notes every tab and window that comes to the front, however short.
const WATCH: &str = "globalThis.cameToFront = []; \
    chrome.tabs.onActivated.addListener(({ tabId }) => cameToFront.push('tab ' + tabId)); \
    chrome.windows.onFocusChanged.addListener((id) => cameToFront.push('window ' + id))";

async fn hands_leave_the_front_alone(window: Window) {
    let (mut kit, pages) = (Kit::start().await, Pages::serve(&[("/", PAGE)]).await);
    kit.settings.window = window;
    kit.restart().await;
    let uploads = kit.settings.upload_roots[0].clone();
    std::fs::create_dir_all(&uploads).unwrap();
    std::fs::write(uploads.join("tea.txt"), "green").unwrap();
    let browser = kit.loose_browser().await;
    let devtools = browser.devtools().await;
    let worker = devtools.worker().await;
    let _front = kit.page_in_front(&pages.url("/")).await;
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let before = in_front(&worker).await;
    assert_eq!(before["focused"], true, "{before}");
    worker.evaluate(WATCH).await;
    client.ok("browser_click", json!({"selector": "#near"})).await;
    for (what, said) in use_every_hand(&client, &json!("tea.txt")).await {
        assert!(!said.contains("synthetic"), "{what}: {said}");
    }
    client.ok("browser_type", json!({"selector": "[name=name]", "text": "Bob"})).await;
    client.ok("browser_press_key", json!({"key": "Escape"})).await;
    client.ok("browser_screenshot", json!({})).await;
    assert_eq!(in_front(&worker).await, before);
    assert_eq!(worker.evaluate("cameToFront").await, json!([]), "not for a moment");
}

#[tokio::test]
async fn every_hand_works_in_a_tab_behind_the_one_in_front() {
    hands_leave_the_front_alone(Window::Shared).await;
}

#[tokio::test]
async fn every_hand_works_in_a_window_of_the_session_without_giving_it_the_focus() {
    hands_leave_the_front_alone(Window::Own).await;
}

/// Done after as many frames as a tab behind others draws by itself in a minute.
const MOVING: &str = "<!doctype html><title>M</title><button onclick='step(60)'>Go</button><p id=p>Still</p>\
    <script>function step(left) { p.textContent = left ? 'Moving' : 'Done'; if (left) requestAnimationFrame(() => step(left - 1)) }</script>";

#[tokio::test]
async fn what_a_page_animates_goes_on_in_tabs_behind_the_one_in_front() {
    let (kit, pages, client) = Kit::with_browser(&[("/", MOVING)]).await;
    let _front = kit.page_in_front(&pages.url("/")).await;
    let sessions = [client, kit.client().await, kit.client().await, kit.client().await];
    let moves = |client: usize| {
        let (client, url) = (&sessions[client], pages.url("/"));
        async move {
            client.ok("browser_navigate", json!({"url": url})).await;
            client.ok("browser_click", json!({"selector": "button"})).await;
            client.ok("browser_wait", json!({"text": "Done", "timeoutMs": 20_000})).await;
        }
    };
    tokio::join!(moves(0), moves(1), moves(2), moves(3));
}

/// Typing begins what a click began above.
const UNFOLDING: &str = "<!doctype html><title>U</title><input aria-label=Town oninput='unfold(30)'><p id=p>Still</p>\
    <script>function unfold(left) { p.textContent = left ? 'Unfolding' : 'Unfolded'; if (left) requestAnimationFrame(() => unfold(left - 1)) }</script>";

#[tokio::test]
async fn what_typing_begins_goes_on_in_a_tab_behind_though_nobody_waits_for_it() {
    let (kit, pages, client) = Kit::with_browser(&[("/", UNFOLDING)]).await;
    let _front = kit.page_in_front(&pages.url("/")).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_snapshot", json!({})).await;
    let typed = json!({"selector": "input", "text": "Kiel"});
    let said = client.ok("browser_type", typed).await;
    assert!(said.starts_with("Typed into"), "{said}");
    // By itself the tab would draw a frame or two a second, and be done in half a minute.
    eventually("the page unfolds", || async {
        let seen = client.ok("browser_snapshot", json!({})).await;
        seen.contains("Unfolded").then_some(())
    })
    .await;
}

#[tokio::test]
async fn the_first_tab_comes_in_front_of_an_empty_one_and_the_next_behind() {
    let (kit, pages) = (Kit::start().await, Pages::serve(&[("/", MOVING)]).await);
    let browser = kit.loose_browser().await;
    let devtools = browser.devtools().await;
    let worker = devtools.worker().await;
    let front = || worker.evaluate("chrome.tabs.query({active: true}).then(([{ url }]) => url)");
    assert_eq!(front().await, "about:blank");
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    assert_eq!(front().await, pages.url("/"));
    let other = json!({"action": "open", "url": pages.url("/?second")});
    client.ok("browser_tabs", other).await;
    assert_eq!(front().await, pages.url("/"), "what is in front now stays there");
}
