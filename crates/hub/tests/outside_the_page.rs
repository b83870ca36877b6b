//! What a page would have the browser do outside of it, in a real Chromium: open other
//! programs, let the user choose files, ask them for something. Told for what it is, and
//! the tab takes inputs after it as before.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use outrigger_testkit::{Kit, McpClient, Pages, reference};
use serde_json::json;

async fn open(body: &str) -> (Kit, Pages, McpClient, String) {
    let page = format!(
        "<!doctype html><title>Out</title>{body}
        <button onclick=\"o.textContent += 'x'\">Push</button><p id=o>Pushed: </p>"
    );
    let (kit, pages, client) = Kit::with_browser(&[("/", &page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    (kit, pages, client, seen)
}

#[tokio::test]
async fn what_leads_to_another_program_is_told_and_not_followed() {
    let (_kit, _pages, client, seen) = open(
        r#"<a href="tel:+4930123">Call us</a> <a href="mailto:a@b.example">Mail us</a>
        <a href="zoommtg:abc">Join</a> <button onclick="location.href = 'zoommtg:by-script'">Script</button>
        <form action="mailto:c@d.example"><button>Send</button></form>"#,
    )
    .await;
    let mut pushed = "Pushed: ".to_owned();
    for (name, address) in [
        ("Call us", "tel:+4930123"),
        ("Mail us", "mailto:a@b.example"),
        ("Join", "zoommtg:abc"),
        ("Script", "zoommtg:by-script"),
        ("Send", "mailto:c@d.example"),
    ] {
        let said = client.ok("browser_click", json!({"ref": reference(&seen, name)})).await;
        assert!(said.contains("another program") && said.contains("nothing was opened"), "{said}");
        let (ours, pages) = said.split_once("<untrusted-page-content").unwrap();
        assert!(pages.contains(address) && !ours.contains(address), "{said}");
        let said = client.ok("browser_click", json!({"ref": reference(&seen, "Push")})).await;
        pushed.push('x');
        assert!(said.contains(&pushed) && !said.contains("program"), "{name}: {said}");
    }
}

#[tokio::test]
async fn the_window_for_choosing_files_is_held_back_and_told() {
    let (kit, _pages, client, seen) = open(
        r#"<input type="file" aria-label="Photo" onchange="o.textContent = 'got ' + this.files[0].name">
        <label>Resume<input type="file" hidden></label>
        <button onclick="const i = document.createElement('input'); i.type = 'file'; i.click()">Attach</button>"#,
    )
    .await;
    for target in [
        json!({"ref": reference(&seen, "Photo")}),
        json!({"selector": "label"}),
        json!({"ref": reference(&seen, "Attach")}),
    ] {
        let said = client.ok("browser_click", target.clone()).await;
        assert!(
            said.contains("asks for a file") && said.contains("browser_upload"),
            "{target}: {said}"
        );
        let said = client.ok("browser_click", json!({"ref": reference(&seen, "Push")})).await;
        assert!(said.contains('x') && !said.contains("asks for a file"), "{said}");
    }
    let uploads = kit.settings.upload_roots[0].clone();
    std::fs::create_dir_all(&uploads).unwrap();
    std::fs::write(uploads.join("tea.txt"), "green").unwrap();
    let given = json!({"ref": reference(&seen, "Photo"), "files": ["tea.txt"]});
    let said = client.ok("browser_upload", given).await;
    assert!(said.contains("got tea.txt"), "{said}");
}

/// Without a window the browser says no by itself, so here the page's own wishes go
/// nowhere: what was asked for stays undecided, as while a prompt is open.
#[tokio::test]
async fn what_the_browser_asks_the_user_about_is_told() {
    let (_kit, _pages, client, seen) = open(
        r#"<script>Geolocation.prototype.getCurrentPosition = Notification.requestPermission =
            MediaDevices.prototype.getUserMedia = () => {}</script>
        <button onclick="navigator.geolocation.getCurrentPosition(() => {}, () => {})">Where am I</button>
        <button onclick="Notification.requestPermission()">Notify me</button>
        <button onclick="navigator.mediaDevices.getUserMedia({ video: true })">Picture</button>"#,
    )
    .await;
    for (name, what) in
        [("Where am I", "geolocation"), ("Notify me", "notifications"), ("Picture", "camera")]
    {
        let said = client.ok("browser_click", json!({"ref": reference(&seen, name)})).await;
        assert!(said.contains("asks the user") && said.contains(what), "{name}: {said}");
        let said = client.ok("browser_click", json!({"ref": reference(&seen, "Push")})).await;
        assert!(said.contains('x') && !said.contains("asks the user"), "{said}");
    }
}

#[tokio::test]
async fn nobody_is_said_to_be_asked_about_what_is_decided() {
    let (_kit, _pages, client, seen) = open(
        r#"<button onclick="navigator.geolocation.getCurrentPosition(() => {}, (no) => { o.textContent = no.message })">Where am I</button>"#,
    )
    .await;
    let here = json!({"ref": reference(&seen, "Where am I")});
    client.ok("browser_click", here.clone()).await;
    client.ok("browser_wait", json!({"text": "denied"})).await;
    let said = client.ok("browser_click", here).await;
    assert!(!said.contains("asks the user"), "{said}");
}
