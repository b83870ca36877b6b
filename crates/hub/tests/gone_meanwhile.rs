//! A page that goes elsewhere between permission and press, in a real Chromium: what is
//! there then gets nothing of it.

use outrigger_testkit::{Kit, Pages, Person, reference};
use serde_json::json;

/// Whatever comes down on it is written down.
const TRAP: &str = "<!doctype html><title>Trap</title><button style='position:fixed;inset:0'>Good</button>\
    <p id=ledger>ledger:</p><script>for (const type of ['pointerdown', 'mousedown', 'click']) \
    addEventListener(type, () => { ledger.textContent += ' ' + type }, true)</script>";

#[tokio::test]
async fn a_page_that_left_while_the_user_was_asked_is_not_clicked() {
    let good =
        "<!doctype html><title>Good</title><button style='position:fixed;inset:0'>Good</button>";
    let person = Person::start(&[("/", good), ("/trap", TRAP)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let (here, trap) = (person.pages.url("/"), person.pages.elsewhere("/trap"));
    let yes = || panel.press(".request button", "Allow once");
    let (said, ()) = tokio::join!(client.call("browser_navigate", json!({"url": here})), yes());
    assert!(!said.failed, "{}", said.text);
    let (seen, ()) = tokio::join!(client.call("browser_snapshot", json!({})), yes());
    let leave = async {
        panel.asked().await;
        let page = person.devtools.page(&here).await;
        page.evaluate(&format!("location.href = {trap:?}")).await;
        let page = person.devtools.page(&trap).await;
        page.until("document.readyState === 'complete'").await;
        yes().await;
        page
    };
    let click = json!({"ref": reference(&seen.text, "Good")});
    let (said, page) = tokio::join!(client.call("browser_click", click), leave);
    let code = said.code.as_deref().unwrap_or_default();
    assert!(["origin_changed", "stale_ref"].contains(&code), "{}", said.text);
    assert_eq!(page.evaluate("ledger.textContent").await, "ledger:");
}

/// The press is held up by what moves, and the page leaves before it stands still.
#[tokio::test]
async fn a_page_that_left_while_the_press_was_made_ready_is_not_clicked() {
    let pages = Pages::serve(&[("/trap", TRAP)]).await;
    let leaving = format!(
        "<!doctype html><title>Good</title><style>@keyframes go {{ to {{ margin-left: 300px }} }}</style>
        <button id=start onclick=\"good.style.animation = 'go 3s linear';
            setTimeout(() => {{ location.href = {:?} }}, 700)\">Start</button><button id=good>Good</button>",
        pages.elsewhere("/trap")
    )
    .replace("location.href = \"", "location.href = '")
    .replace("/trap\" }", "/trap' }");
    let (_kit, here, client) = Kit::with_browser(&[("/", &leaving)]).await;
    client.ok("browser_navigate", json!({"url": here.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let start = json!({"action": "click", "ref": reference(&seen, "Start")});
    let good = json!({"action": "click", "ref": reference(&seen, "Good")});
    let said = client.call("tab_action", json!({"actions": [start, good]})).await;
    assert_eq!(said.code.as_deref(), Some("stale_ref"), "{}", said.text);
    client.ok("browser_wait", json!({"text": "ledger:"})).await;
    let seen = client.ok("browser_get_visible_text", json!({})).await;
    assert!(seen.contains("ledger:") && !seen.contains("ledger: "), "{}: {seen}", said.text);
}
