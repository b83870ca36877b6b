//! `browser_wait`, in a real Chromium: it ends as soon as the thing is so.

use std::time::{Duration, Instant};

use outrigger_testkit::{ABOUT, Kit, eventually, reference};
use serde_json::json;

/// Each button does one thing after a while.
const LATER: &str = r#"<!doctype html><title>Later</title>
    <button onclick="later(() => box.hidden = false)">Show</button>
    <button onclick="later(() => box.hidden = true)">Hide</button>
    <button onclick="later(() => box.disabled = true)">Disable</button>
    <button onclick="later(() => box.disabled = false)">Enable</button>
    <button onclick="later(() => box.checked = true)">Tick</button>
    <button onclick="later(() => box.checked = false)">Untick</button>
    <button onclick="later(() => more.open = true)">Open</button>
    <button onclick="later(() => box.remove())">Remove</button>
    <button onclick="later(() => location.hash = 'there')">Move</button>
    <label><input type=checkbox id=box>Box</label><details id=more><summary>More</summary>Deep</details>
    <script>function later(work) { setTimeout(work, 400) }</script>"#;

#[tokio::test]
async fn a_state_of_an_element_is_waited_for() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", LATER)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let (target, more) = (reference(&seen, "Box"), reference(&seen, "More"));
    for (button, name, state) in [
        ("Hide", &target, "hidden"),
        ("Show", &target, "visible"),
        ("Disable", &target, "disabled"),
        ("Enable", &target, "enabled"),
        ("Tick", &target, "checked"),
        ("Untick", &target, "unchecked"),
        ("Open", &more, "expanded"),
        ("Remove", &target, "gone"),
    ] {
        let wanted = json!({"ref": name, "state": state});
        client.ok("browser_click", json!({"ref": reference(&seen, button)})).await;
        let began = Instant::now();
        client.ok("browser_wait", wanted.clone()).await;
        assert!(began.elapsed() < Duration::from_secs(5), "{state}: {:?}", began.elapsed());
        client.ok("browser_wait", wanted).await;
    }
    let wanted = json!({"ref": target, "state": "visible"});
    client.refused("browser_wait", wanted, "stale_ref").await;
    client.ok("browser_click", json!({"ref": reference(&seen, "Move")})).await;
    client.ok("browser_wait", json!({"url": "#there"})).await;
    let wanted = json!({"ref": more, "state": "collapsed", "timeoutMs": 600});
    let said = client.refused("browser_wait", wanted, "timeout").await;
    assert!(said.contains("did not happen"), "{said}");
    for wrong in [
        json!({"ref": more}),
        json!({"state": "gone"}),
        json!({"quiet": false}),
        json!({"ref": more, "state": "gone", "ms": 1}),
    ] {
        client.refused("browser_wait", wrong, "invalid_arguments").await;
    }
}

#[tokio::test]
async fn a_text_in_a_frame_of_another_origin_or_the_next_page_ends_the_wait() {
    let outer = r#"<!doctype html><title>O</title><p>Outer</p><iframe src="ELSEWHERE/inner" width=400 height=100></iframe>
        <script>setTimeout(() => location.href = '/about', 1500)</script>"#;
    let inner = "<!doctype html><p id=p>Brewing</p><script>setTimeout(() => p.textContent = 'Poured', 500)</script>";
    let pages = [("/", outer), ("/inner", inner), ("/about", ABOUT)];
    let (_kit, pages, client) = Kit::with_browser(&pages).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_wait", json!({"text": "poured"})).await;
    client.ok("browser_wait", json!({"text_gone": "Poured"})).await;
    client.ok("browser_wait", json!({"text": "Since 1998"})).await;
    client.ok("browser_wait", json!({"url": "/about"})).await;
}

#[tokio::test]
async fn quiet_is_when_a_page_stops_changing_and_some_never_do() {
    let page = "<!doctype html><title>Q</title><p id=p></p><script>let n = 0;
        const tick = setInterval(() => { p.textContent = ++n; if (n === 20) clearInterval(tick) }, 50)</script>";
    let restless = "<!doctype html><title>R</title><p id=p></p><script>let n = 0;
        setInterval(() => p.textContent = ++n, 20)</script>";
    let (_kit, pages, client) =
        Kit::with_browser(&[("/", page), ("/restless", restless), ("/about", "<p>About")]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_wait", json!({"quiet": true})).await;
    assert!(client.ok("browser_snapshot", json!({})).await.contains("\n20\n"));
    client.ok("browser_navigate", json!({"url": pages.url("/restless")})).await;
    client.ok("browser_tabs", json!({"action": "list"})).await;
    client.refused("browser_wait", json!({"quiet": true, "timeoutMs": 1500}), "timeout").await;
    // A busy machine may let a restless page rest for once, and keep another one busy.
    for (path, is_restless) in [("/restless", true), ("/about", false)] {
        eventually("what is told of a page is so", || async {
            let there = json!({"url": pages.url(path), "wait": "quiet"});
            let said = client.ok("browser_navigate", there).await;
            (said.contains("still loading or changing") == is_restless).then_some(())
        })
        .await;
    }
    client.refused("browser_wait", json!({"text": ""}), "invalid_arguments").await;
}

#[tokio::test]
async fn a_dialog_that_opens_meanwhile_ends_the_wait() {
    let page = r#"<!doctype html><title>D</title><button onclick="setTimeout(() => alert('Now'), 500)">Soon</button>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    client.ok("browser_click", json!({"ref": reference(&seen, "Soon")})).await;
    let said = client.refused("browser_wait", json!({"text": "never"}), "dialog_open").await;
    assert!(said.contains("alert: Now"), "{said}");
    // Also where only time is waited for, and whether it opens or is there already.
    client.refused("browser_wait", json!({"ms": 20_000}), "dialog_open").await;
    client.ok("browser_handle_dialog", json!({"accept": true})).await;
    client.ok("browser_click", json!({"ref": reference(&seen, "Soon")})).await;
    let said = client.refused("browser_wait", json!({"ms": 20_000}), "dialog_open").await;
    assert!(said.contains("alert: Now"), "{said}");
    client.ok("browser_handle_dialog", json!({"accept": true})).await;
    client.ok("browser_wait", json!({"ms": 50})).await;
}
