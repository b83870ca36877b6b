//! What a page would have the browser do outside of it, in a real Chromium: open other
//! programs, let the user choose files, ask them for something. Told for what it is, and
//! the tab takes inputs after it as before.

use outrigger_testkit::{Kit, McpClient, Pages, eventually, reference};
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

/// In frames of the same site and of another, in another tab, by a script, and by a key
/// that goes wherever the focus is.
#[tokio::test]
async fn what_leads_to_another_program_is_held_back_wherever_it_is() {
    let framed = Pages::serve(&[(
        "/",
        r#"<!doctype html><a href="mailto:far">Far</a> <a href="mailto:far-top" target="_top">Far top</a>
        <a href="mailto:far-blank" target="_blank">Far blank</a>"#,
    )])
    .await;
    let (_kit, _pages, client, seen) = open(&format!(
        r#"<a href="tel:blank" target="_blank">Blank</a>
        <button onclick="window.open('zoommtg:opened')">Open</button>
        <form action="mailto:form" target="_blank"><button>Send</button></form>
        <iframe srcdoc="<a href='tel:near'>Near</a> <a href='tel:near-top' target=_top>Near top</a>
        <button onclick=&quot;top.location = 'zoommtg:near-script'&quot;>Near script</button>"></iframe>
        <iframe src="{}"></iframe>"#,
        framed.elsewhere("/")
    ))
    .await;
    let mut pushed = "Pushed: ".to_owned();
    for (name, address) in [
        ("Blank", "tel:blank"),
        ("Open", "zoommtg:opened"),
        ("Send", "mailto:form"),
        ("Near", "tel:near"),
        ("Near top", "tel:near-top"),
        ("Near script", "zoommtg:near-script"),
        ("Far", "mailto:far"),
        ("Far top", "mailto:far-top"),
        ("Far blank", "mailto:far-blank"),
    ] {
        let it = json!({"ref": reference(&seen, name)});
        let clicked = client.ok("browser_click", it.clone()).await;
        // The focus is on it now.
        let pressed = client.ok("browser_press_key", json!({"key": "Enter"})).await;
        for said in [clicked, pressed] {
            assert!(said.contains("nothing was opened"), "{name}: {said}");
            let (_, page) = said.split_once("<untrusted-page-content").unwrap();
            assert!(page.contains(&format!("{address}\n")), "{name}: {said}");
            assert!(!said.contains("It opened tab"), "{name}: {said}");
        }
        let said = client.ok("browser_click", json!({"ref": reference(&seen, "Push")})).await;
        pushed.push('x');
        assert!(said.contains(&pushed) && !said.contains("program"), "{name}: {said}");
    }
}

/// Without a window nothing is shown; with one the page would stand still.
#[tokio::test]
async fn a_page_that_wants_to_print_goes_on_and_that_is_told() {
    let (_kit, _pages, client, seen) = open(
        r#"<button onclick="print(); o.textContent += 'printed '">Print</button>
        <script>onafterprint = () => { o.textContent += 'after ' }</script>"#,
    )
    .await;
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Print")})).await;
    assert!(said.contains("wants to print") && said.contains("browser_pdf"), "{said}");
    assert!(said.contains("after printed"), "as for a person who cancels: {said}");
    let said = client.ok("browser_press_key", json!({"key": "Enter"})).await;
    assert!(said.contains("wants to print"), "{said}");
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Push")})).await;
    assert!(said.contains('x') && !said.contains("print."), "{said}");
}

/// Even without a window: the tab takes no input until somebody has chosen.
#[tokio::test]
async fn a_screen_that_the_user_is_to_choose_is_told_until_it_is_chosen() {
    let (_kit, _pages, client, seen) =
        open(r#"<button onclick="navigator.mediaDevices.getDisplayMedia()">Share</button>"#).await;
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Share")})).await;
    assert!(said.contains("asks the user") && said.contains("screen"), "{said}");
    // The browser takes a moment to ask.
    let refused = eventually("the tab takes no input", || async {
        let push = json!({"ref": reference(&seen, "Push")});
        let pushed = client.call("browser_click", push).await;
        assert!(pushed.text.contains("screen"), "told every time: {}", pushed.text);
        (pushed.code.as_deref() == Some("outcome_unknown")).then_some(pushed.text)
    })
    .await;
    assert!(refused.contains("(screen)") && refused.contains("browser_reload"), "{refused}");
    client.ok("browser_reload", json!({})).await;
    let push = client.ok("browser_click", json!({"selector": "role=button[name=\"Push\"]"})).await;
    assert!(push.contains("Pushed: x") && !push.contains("screen"), "{push}");
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
