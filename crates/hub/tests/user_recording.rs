//! What the user does, recorded by a real Chromium once the user agreed: from page to
//! page, in editors, lists and frames, and never a secret.

use outrigger_testkit::{Kit, Person, SIGN_UP, Target};
use serde_json::{Value, json};

const SECRET: &str = "kanarie-4711";

/// In the panel: that alone is asked there, and the question before is gone.
const IS_RECORDED: &str = "(() => { const cards = [...document.querySelectorAll('.request')]; \
    return cards.length === 1 && cards[0].textContent.includes('records what you do'); })()";

/// The context of the only workflow.
async fn context(kit: &Kit) -> Value {
    let listed =
        kit.api().ask("GET", "/api/v1/records?schema_name=browser.workflow.v1", json!(null)).await;
    let items = listed.body["items"].as_array().unwrap();
    assert_eq!(items.len(), 1, "{items:?}");
    let path = format!("/api/v1/records/{}/full", items[0]["id"].as_str().unwrap());
    kit.api().ask("GET", &path, json!(null)).await.body["context"].clone()
}

/// What each step does to what, and with what.
fn steps_in_words(context: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let steps = context["steps"].as_array().unwrap().iter();
    let words = steps.map(|step| {
        let [action, name, with, key] =
            [&step["action"], &step["target"]["name"], &step["text"], &step["key"]].map(text);
        format!("{action} {name} {with}{key}")
    });
    words.collect()
}

/// Has the agent open the first page, which the user allows.
async fn open_page<'p>(person: &'p Person, panel: &Target<'_>) -> Target<'p> {
    let url = person.pages.url("/");
    let opening = person.client.call("browser_navigate", json!({"url": url}));
    tokio::join!(opening, panel.press(".request button", "Allow once"));
    person.devtools.page(&url).await
}

/// The user agrees, and is recorded from then on.
async fn agree(panel: &Target<'_>) {
    panel.press(".request button", "Begin").await;
    panel.until(IS_RECORDED).await;
}

/// Presses what leads away from the page, which can't say then that it was pressed.
async fn press_and_leave(page: &Target<'_>, element: &str) {
    let place = format!("document.querySelector({element:?}).getBoundingClientRect().toJSON()");
    let place = page.evaluate(&place).await;
    let middle =
        |at: &str, size: &str| place[at].as_f64().unwrap() + place[size].as_f64().unwrap() / 2.0;
    for kind in ["mousePressed", "mouseReleased"] {
        let event = json!({"type": kind, "x": middle("x", "width"), "y": middle("y", "height"),
            "button": "left", "clickCount": 1});
        page.command("Input.dispatchMouseEvent", event).await;
    }
}

/// Types as the user does, into the field that a press brings the focus to.
async fn type_by_hand(page: &Target<'_>, field: &str, text: &str) {
    page.press(field, "").await;
    page.until(&format!("document.activeElement.matches({field:?})")).await;
    page.command("Input.insertText", json!({"text": text})).await;
}

#[tokio::test]
async fn what_the_user_does_is_recorded_once_the_user_agreed_and_without_secrets() {
    let person = Person::start(&[("/", SIGN_UP)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let page = open_page(&person, &panel).await;

    let watch = client.call("browser_watch_user", json!({"what": "signing up"}));
    let refuse = async {
        panel.press(".request button", "Allow for this session").await;
        panel.until("document.body.textContent.includes('asks to record what you do')").await;
        panel.press(".request button", "Refuse").await;
    };
    let (said, ()) = tokio::join!(watch, refuse);
    assert_eq!(said.code.as_deref(), Some("user_refused"), "{}", said.text);

    let watch = client.ok("browser_watch_user", json!({"what": "signing up"}));
    let agreeing = async {
        agree(&panel).await;
        panel.press(".request button", "Done").await;
    };
    let (said, ()) = tokio::join!(watch, agreeing);
    assert!(said.starts_with("The user did 1 thing, told below."), "{said}");

    let start = json!({"action": "start", "name": "by-hand", "who": "user"});
    let doing = async {
        agree(&panel).await;
        type_by_hand(&page, "#n1", "Ada Lovelace").await;
        type_by_hand(&page, "#p1", SECRET).await;
        page.press("#c1", "").await;
        page.press("#b1", "Create account").await;
        page.until("document.getElementById('r1').textContent !== ''").await;
        panel.press(".request button", "Done").await;
    };
    let (said, ()) = tokio::join!(client.call("workflow_record", start), doing);
    assert!(!said.failed, "{}", said.text);
    assert!(said.text.contains("takes: full_name=\"Ada Lovelace\", password"), "{}", said.text);
    let kept = context(&person.kit).await;
    assert!(!kept.to_string().contains("kanarie"), "{kept}");
    let told = steps_in_words(&kept);
    let expected = [
        "navigate  ",
        "fill Full name {{full_name}}",
        "fill Password {{password}}",
        "fill News true",
        "click Create account ",
    ];
    assert_eq!(told, expected, "{kept}");
    // Nobody listens any more.
    page.press("#b1", "Create account").await;
    assert_eq!(context(&person.kit).await, kept);
}

/// A form that Enter sends, on a page that a link leads to.
const SEARCH: &str = r#"<!doctype html><title>Search</title><h1>Search</h1>
<form action="/found"><input id="q" name="q" aria-label="For"><button>Go</button></form>"#;

#[tokio::test]
async fn a_recording_ends_with_its_call_and_leaves_the_next_nothing() {
    let person = Person::start(&[("/", SIGN_UP)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let page = open_page(&person, &panel).await;

    let params = json!({"what": "signing up", "timeoutMs": 6000});
    let watch = client.call("browser_watch_user", params);
    let doing = async {
        panel.press(".request button", "Allow for this session").await;
        agree(&panel).await;
        type_by_hand(&page, "#n1", "Ada Lovelace").await;
    };
    let (said, ()) = tokio::join!(watch, doing);
    assert_eq!(said.code.as_deref(), Some("timeout"), "{}", said.text);
    panel.until("document.querySelector('.request') === null").await;
    page.press("#c1", "").await;

    let watch = client.ok("browser_watch_user", json!({"what": "signing up"}));
    let agreeing = async {
        agree(&panel).await;
        panel.press(".request button", "Done").await;
    };
    let (said, ()) = tokio::join!(watch, agreeing);
    assert!(said.starts_with("The user did 1 thing, told below."), "{said}");
    assert!(!said.contains("Lovelace"), "{said}");
}

#[tokio::test]
async fn what_the_user_does_is_followed_from_page_to_page() {
    let start =
        r#"<!doctype html><title>S</title><h1>Start</h1><a href="/search"><b>Search</b></a>"#;
    let found = "<!doctype html><title>Found</title><h1>Found</h1><a href='/search'>Again</a>";
    let pages = [("/", start), ("/search", SEARCH), ("/found", found)];
    let person = Person::start(&pages).await;
    let (client, panel) = (&person.client, person.panel().await);
    let page = open_page(&person, &panel).await;
    let start = json!({"action": "start", "name": "search", "who": "user"});
    let doing = async {
        panel.press(".request button", "Allow for this session").await;
        agree(&panel).await;
        press_and_leave(&page, "b").await;
        // A page is followed from its first moment on.
        page.until("document.title === 'Search' && document.querySelector('#q') !== null").await;
        type_by_hand(&page, "#q", "tea").await;
        for kind in ["keyDown", "keyUp"] {
            let enter = json!({"type": kind, "key": "Enter", "code": "Enter", "text": "\r",
                "windowsVirtualKeyCode": 13});
            page.command("Input.dispatchKeyEvent", enter).await;
        }
        page.until("document.title === 'Found'").await;
        panel.press(".request button", "Done").await;
    };
    let (said, ()) = tokio::join!(client.call("workflow_record", start), doing);
    assert!(!said.failed, "{}", said.text);
    let kept = context(&person.kit).await;
    let expected = ["navigate  ", "click Search ", "fill For {{for}}", "press For Enter"];
    assert_eq!(steps_in_words(&kept), expected, "{kept}");
}

/// A list to choose several of, an editor, one that Enter sends, and a frame with a field.
const ORDER: &str = r#"<!doctype html><title>Order</title><h1>Order</h1>
<select id="kinds" aria-label="Kinds" multiple size="3">
<option>Green</option><option>Black</option><option>White</option></select>
<div id="note" role="textbox" aria-label="Note" contenteditable style="height: 40px"></div>
<div id="chat" role="textbox" aria-label="Chat" contenteditable style="height: 40px"
 onkeydown="if (event.key === 'Enter') { event.preventDefault(); this.replaceChildren() }"></div>
<iframe src="/inside" style="border: 0; width: 400px; height: 120px"></iframe>"#;
const INSIDE: &str = r#"<!doctype html><h2>Inside</h2><input id="street" aria-label="Street">
<input id="code" type="password" aria-label="Code">"#;

/// Presses in the middle of what the expression gives the box of.
async fn press_in(page: &Target<'_>, place: &str, modifiers: u8) {
    let place = page.evaluate(&format!("(() => {{ {place} }})()")).await;
    for kind in ["mousePressed", "mouseReleased"] {
        let event = json!({"type": kind, "x": place["x"], "y": place["y"], "button": "left",
            "clickCount": 1, "modifiers": modifiers});
        page.command("Input.dispatchMouseEvent", event).await;
    }
}

/// The middle of an element, of the page or of its frame.
fn middle(element: &str, is_inside: bool) -> String {
    let (document, around) = match is_inside {
        true => ("frame.contentDocument", "frame.getBoundingClientRect()"),
        false => ("document", "{ x: 0, y: 0 }"),
    };
    format!(
        "const frame = document.querySelector('iframe'); const around = {around}; \
         const box = {document}.querySelector({element:?}).getBoundingClientRect(); \
         return {{ x: around.x + box.x + box.width / 2, y: around.y + box.y + box.height / 2 }};"
    )
}

#[tokio::test]
async fn what_is_written_in_editors_chosen_of_lists_and_done_in_frames_is_recorded() {
    let person = Person::start(&[("/", ORDER), ("/inside", INSIDE)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let page = open_page(&person, &panel).await;
    page.until("frames[0]?.document.querySelector('#code') !== null").await;
    let start = json!({"action": "start", "name": "order", "who": "user"});
    let written = async |element: &str, is_inside: bool, text: &str| {
        press_in(&page, &middle(element, is_inside), 0).await;
        page.command("Input.insertText", json!({"text": text})).await;
    };
    let doing = async {
        panel.press(".request button", "Allow for this session").await;
        agree(&panel).await;
        let popup = person.devtools.open_own_page("popup.html").await;
        popup.until("document.querySelector('#recording').checkVisibility()").await;
        page.command("Page.bringToFront", json!({})).await;
        press_in(&page, &middle("#kinds option:nth-child(1)", false), 0).await;
        press_in(&page, &middle("#kinds option:nth-child(3)", false), 2).await;
        written("#note", false, "Two cups").await;
        written("#street", true, "Main Street 1").await;
        written("#code", true, SECRET).await;
        written("#chat", false, "Hello").await;
        for kind in ["keyDown", "keyUp"] {
            let enter = json!({"type": kind, "key": "Enter", "code": "Enter", "text": "\r",
                "windowsVirtualKeyCode": 13});
            page.command("Input.dispatchKeyEvent", enter).await;
        }
        page.until("document.querySelector('#chat').textContent === ''").await;
        // Timers of a page out of sight are slow; what was sent is told all the same.
        popup.command("Page.bringToFront", json!({})).await;
        popup.press("#stop-recording", "").await;
    };
    let (said, ()) = tokio::join!(client.call("workflow_record", start), doing);
    assert!(!said.failed, "{}", said.text);
    let kept = context(&person.kit).await;
    assert!(!kept.to_string().contains("kanarie"), "{kept}");
    let expected = [
        "navigate  ",
        "select Kinds ",
        "select Kinds ",
        "fill Note {{note}}",
        "fill Street {{street}}",
        "fill Code {{code}}",
        "fill Chat {{chat}}",
        "press Chat Enter",
    ];
    assert_eq!(steps_in_words(&kept), expected, "{kept}");
    assert_eq!(kept["steps"][2]["option"], json!(["Green", "White"]), "{kept}");
    assert_eq!(kept["parameters"]["note"]["default"], "Two cups", "{kept}");
    assert!(kept["parameters"]["code"].get("default").is_none(), "{kept}");
}
