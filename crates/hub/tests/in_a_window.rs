//! What a browser with a window asks the person in front of it, by itself: a Chromium on
//! a screen of its own, and a mouse on that screen. Told for what it is, and what the
//! person answers counts. Pictures of it are left in `target/tmp/in-a-window`.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::time::Duration;

use outrigger_testkit::{
    Desktop, Kit, LooseBrowser, McpClient, Pages, Sight, eventually, reference,
};
use serde_json::json;

/// Of the browser's own buttons, blue, green and red: the one that is offered, and others.
const OFFERED: [u8; 3] = [0xd0, 0x57, 0x0b];
const PLAIN: [u8; 3] = [0xfd, 0xe3, 0xd3];

struct Seen {
    desktop: Desktop,
    _kit: Kit,
    pages: Pages,
    client: McpClient,
    browser: LooseBrowser,
}

impl Seen {
    /// A browser with a page in front.
    async fn open(body: &str, flags: &[&str]) -> Self {
        let page = format!(
            "<!doctype html><title>Asks</title>{body}
            <button onclick=\"o.textContent += 'x'\">Push</button><p id=o>Pushed: </p>"
        );
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("in-a-window");
        let desktop = Desktop::start(folder).await;
        let kit = Kit::start_with_flags(flags).await;
        let pages = Pages::serve(&[("/", &page)]).await;
        let browser = kit.browser_on(&desktop).await;
        let client = kit.page_in_front(&pages.url("/")).await;
        desktop.window("^Asks").await;
        Seen { desktop, _kit: kit, pages, client, browser }
    }

    /// Presses something on the page by its name.
    async fn click(&self, name: &str) -> String {
        let seen = self.client.ok("browser_snapshot", json!({})).await;
        self.client.ok("browser_click", json!({"ref": reference(&seen, name)})).await
    }

    /// Presses a button of the browser's own for as long as it is there, wherever it has
    /// moved to. A press is not taken for an answer while a prompt has only just come, nor
    /// one that comes as soon after another as the second of a double click.
    async fn press_again_and_again(&self, before: &Sight, colour: [u8; 3]) {
        loop {
            if let Some(place) = self.desktop.look().newly_filled(before, colour) {
                self.desktop.press(place).await;
                self.desktop.put_mouse_aside().await;
            }
            tokio::time::sleep(Duration::from_millis(800)).await;
        }
    }

    /// Where a button of the browser's own is, once it has come to rest.
    async fn button(&self, before: &Sight, colour: [u8; 3]) -> (usize, usize) {
        eventually("the browser shows a button", || async {
            let passing = self.desktop.look().newly_filled(before, colour)?;
            tokio::time::sleep(Duration::from_millis(200)).await;
            self.desktop.look().newly_filled(before, colour).filter(|at| *at == passing)
        })
        .await
    }
}

#[tokio::test]
async fn what_the_browser_asks_its_user_is_told_and_the_answer_counts() {
    let asking = [
        ("geolocation", "navigator.geolocation.getCurrentPosition(answer, answer)"),
        ("notifications", "Notification.requestPermission().then(answer, answer)"),
        ("camera", "navigator.mediaDevices.getUserMedia({ video: true }).then(answer, answer)"),
        ("microphone", "navigator.mediaDevices.getUserMedia({ audio: true }).then(answer, answer)"),
        ("clipboard-read", "navigator.clipboard.readText().then(answer, answer)"),
        ("midi-sysex", "navigator.requestMIDIAccess({ sysex: true }).then(answer, answer)"),
    ];
    let buttons = asking.map(|(what, call)| format!(r#"<button onclick="{call}">{what}</button>"#));
    let script = "<script>const answer = () => { o.textContent = 'answered' }</script>";
    let body = format!("{script}{}", buttons.concat());
    let seen = Seen::open(&body, &["--use-fake-device-for-media-stream"]).await;
    for (what, _) in asking {
        let before = seen.desktop.look_when_still().await;
        let said = seen.click(what).await;
        assert!(said.contains("asks the user") && said.contains(what), "{what}: {said}");
        seen.button(&before, PLAIN).await;
        seen.desktop.keep(what).await;
        // The page goes on meanwhile, and nobody is told twice.
        let said = seen.click("Push").await;
        assert!(said.contains("Pushed: x") && !said.contains("asks the user"), "{said}");
        let told = json!({"text": "answered", "timeoutMs": 60_000});
        tokio::select! {
            said = seen.client.ok("browser_wait", told) => assert!(!said.contains("asks"), "{said}"),
            () = seen.press_again_and_again(&before, PLAIN) => {}
        }
        // What is decided, nobody is asked any more.
        let said = seen.click(what).await;
        assert!(!said.contains("asks the user"), "{what}: {said}");
        seen.client.ok("browser_reload", json!({})).await;
    }
}

#[tokio::test]
async fn whoever_cancels_the_debugging_bar_pauses_the_agent_for_good() {
    let seen = Seen::open(r#"<input aria-label="Name">"#, &[]).await;
    let bare = seen.desktop.look_when_still().await;
    seen.click("Push").await;
    seen.button(&bare, OFFERED).await;
    seen.desktop.keep("debugging-bar").await;
    // What is under way ends, and nothing comes after it.
    let letters = "tea ".repeat(2_000);
    let typing = json!({"selector": "input", "text": letters, "slowly": true});
    let devtools = seen.browser.devtools().await;
    let page = devtools.page(&seen.pages.url("/")).await;
    let cancelling = async {
        page.until("document.querySelector('input').value !== ''").await;
        seen.press_again_and_again(&bare, OFFERED).await;
    };
    let typed = tokio::select! {
        typed = seen.client.call("browser_type", typing) => typed,
        () = cancelling => unreachable!("it presses for as long as anybody waits"),
    };
    seen.desktop.put_mouse_aside().await;
    assert!(typed.failed && typed.text.contains("cancelled debugging"), "{}", typed.text);
    let push = json!({"selector": "button", "timeoutMs": 1_500});
    let refused = seen.client.refused("browser_click", push, "paused").await;
    assert!(refused.contains("panel"), "the way on is told: {refused}");
    seen.client.refused("browser_snapshot", json!({"timeoutMs": 1_000}), "paused").await;
    seen.desktop.keep("bar-cancelled").await;
    let now = seen.desktop.look_when_still().await;
    assert!(now.newly_filled(&bare, OFFERED).is_none(), "no bar comes back");

    // Who may let it go on is who stopped it, in Outrigger's own panel.
    let panel = devtools.open_own_page("sidepanel.html").await;
    panel.until("document.body.innerText.includes('Resume')").await;
    panel.press("button", "Resume").await;
    let push = json!({"selector": "button"});
    let said = seen.client.ok("browser_click", push).await;
    assert!(said.contains("Pushed: xx"), "{said}");
    seen.button(&bare, OFFERED).await;
}

#[tokio::test]
async fn a_page_under_the_print_window_is_told_for_what_it_is() {
    let seen =
        Seen::open(r#"<button onclick="print(); o.textContent += 'p'">Print</button>"#, &[]).await;
    // An agent's own press opens no such window.
    let said = seen.click("Print").await;
    assert!(said.contains("wants to print") && said.contains("browser_pdf"), "{said}");
    assert!(said.contains("Pushed: p"), "the page goes on: {said}");

    // One that a page opens when nobody acts is named soon, and left.
    let prints =
        "<!doctype html><title>Bill</title><h1>Bill</h1><script>setTimeout(print, 200)</script>";
    let bills = Pages::serve(&[("/", prints)]).await;
    let bare = seen.desktop.look_when_still().await;
    seen.client.ok("browser_navigate", json!({"url": bills.url("/")})).await;
    seen.button(&bare, OFFERED).await;
    seen.desktop.keep("print-window").await;
    let started = std::time::Instant::now();
    let said = seen.client.refused("browser_snapshot", json!({}), "unresponsive").await;
    assert!(said.contains("print window") && said.contains("browser_navigate"), "{said}");
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
    seen.client.ok("browser_navigate", json!({"url": seen.pages.url("/")})).await;
    assert!(seen.click("Push").await.contains("Pushed: x"));
}
