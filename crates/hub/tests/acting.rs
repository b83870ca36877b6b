//! Hands, in a real Chromium: what was meant happens, or the answer says why not.

use outrigger_testkit::{ABOUT, Kit, SHOP, eventually, reference};
use serde_json::json;

#[tokio::test]
async fn text_is_typed_and_keys_are_pressed_where_they_are_meant_to_be() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", SHOP)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let (search, go) = (reference(&seen, "Search"), reference(&seen, "Go"));
    client.ok("browser_type", json!({"ref": search, "text": "green"})).await;
    client.ok("browser_press_key", json!({"key": "Control+a"})).await;
    client.ok("browser_press_key", json!({"key": "B"})).await;
    client.ok("browser_press_key", json!({"key": "l"})).await;
    client.ok("browser_type", json!({"ref": search, "text": "ack 茶"})).await;
    client.ok("browser_click", json!({"ref": go})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains("Looking for Black 茶"), "{seen}");
    client.ok("browser_type", json!({"ref": search, "text": "white", "clear": true})).await;
    client.ok("browser_click", json!({"ref": go})).await;
    assert!(client.ok("browser_snapshot", json!({})).await.contains("Looking for white"));
    client.ok("browser_type", json!({"ref": search, "text": "", "clear": true})).await;
    assert!(!client.ok("browser_snapshot", json!({})).await.contains("value=\"white\""));
    client.refused("browser_type", json!({"ref": go, "text": "x"}), "not_editable").await;
    let said =
        client.refused("browser_press_key", json!({"key": "Entr"}), "invalid_arguments").await;
    assert!(said.contains("Enter"), "{said}");
}

#[tokio::test]
async fn enter_submits_and_the_reply_says_where_it_went() {
    let form = r#"<!doctype html><title>Form</title><form action="/about"><input aria-label="Name"></form>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", form), ("/about", ABOUT)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let name = reference(&seen, "Name");
    let said = client.ok("browser_type", json!({"ref": name, "text": "Ada", "submit": true})).await;
    assert!(said.contains("pressed Enter") && said.contains("/about"), "{said}");
}

#[tokio::test]
async fn what_a_person_could_not_click_is_refused_with_the_reason() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", SHOP)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    client.refused("browser_click", json!({"ref": reference(&seen, "Closed")}), "disabled").await;
    let said =
        client.refused("browser_click", json!({"ref": reference(&seen, "Under")}), "covered").await;
    assert!(said.contains("A banner") || said.contains("div"), "it names what covers it: {said}");
}

#[tokio::test]
async fn a_link_that_opens_a_tab_is_told_with_its_tab() {
    let page = r#"<!doctype html><title>P</title><a href="/about" target="_blank">New</a>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page), ("/about", ABOUT)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "New")})).await;
    let (_, after) = said.split_once("It opened tab ").unwrap_or_else(|| panic!("{said}"));
    let tab: i64 = after.split('.').next().unwrap().parse().unwrap();
    eventually("the new tab shows its page", || async {
        let seen = client.call("browser_snapshot", json!({"tab": tab})).await;
        seen.text.contains("# About us").then_some(())
    })
    .await;
}

#[tokio::test]
async fn everything_works_in_a_tab_that_is_not_in_front() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", SHOP), ("/about", ABOUT)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let behind = current(&client.ok("browser_tabs", json!({"action": "list"})).await);
    client.ok("browser_tabs", json!({"action": "open", "url": pages.url("/about")})).await;
    let front = current(&client.ok("browser_tabs", json!({"action": "list"})).await);
    client.ok("browser_tabs", json!({"action": "select", "id": front})).await;
    let seen = client.ok("browser_snapshot", json!({"tab": behind})).await;
    let (search, go) = (reference(&seen, "Search"), reference(&seen, "Go"));
    client.ok("browser_type", json!({"tab": behind, "ref": search, "text": "oolong"})).await;
    client.ok("browser_click", json!({"tab": behind, "ref": go})).await;
    assert!(
        client.ok("browser_snapshot", json!({"tab": behind})).await.contains("Looking for oolong")
    );
    client.ok("browser_type", json!({"tab": behind, "ref": search, "text": "x"})).await;
    client.ok("browser_press_key", json!({"tab": behind, "key": "Backspace"})).await;
    client.ok("browser_press_key", json!({"tab": behind, "key": "Tab"})).await;
    client.ok("browser_wait", json!({"tab": behind, "text": "Looking for oolong"})).await;
    for whole in [false, true] {
        let asked = json!({"tab": behind, "full_page": whole});
        let shot = client.call("browser_screenshot", asked).await;
        assert!(shot.picture.is_some(), "{}", shot.text);
    }
    let seen = client.ok("ext_extract_dom", json!({})).await;
    assert!(seen.contains("About us"), "the front tab stayed in front: {seen}");
}

#[tokio::test]
async fn a_field_that_does_not_take_the_text_is_not_called_typed() {
    let page = r#"<!doctype html><title>F</title>
        <input aria-label="Short" maxlength="3"><input aria-label="Number" type="number">
        <input aria-label="Stubborn" oninput="this.value=''"><div contenteditable aria-label="Note" role="textbox">old</div>
        <input aria-label="Pin" type="password">"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let typed = |name: &str, text: &str| json!({"ref": reference(&seen, name), "text": text, "clear": true});
    let said = client.refused("browser_type", typed("Short", "abcdef"), "not_editable").await;
    assert!(said.contains("holds now is below") && said.contains("abc"), "{said}");
    client.refused("browser_type", typed("Number", "hello"), "not_editable").await;
    client.refused("browser_type", typed("Stubborn", "x"), "not_editable").await;
    client.ok("browser_type", typed("Short", "abc")).await;
    client.ok("browser_type", typed("Number", "12")).await;
    client.ok("browser_type", typed("Note", "two  words")).await;
    client.ok("browser_type", typed("Pin", "s3cret-w0rd")).await;
    assert!(!client.ok("browser_snapshot", json!({})).await.contains("s3cret"));
}

#[tokio::test]
async fn text_that_was_there_before_does_not_count_as_typed() {
    let page = r#"<!doctype html><title>F</title>
        <input aria-label="Full" maxlength="6" value="123456">
        <input aria-label="Closed" value="banana"><input aria-label="Pin" type="password" maxlength="4" value="1234">
        <div contenteditable aria-label="Note" role="textbox">banana</div>
        <script>for (const name of ['Closed', 'Note'])
            document.querySelector(`[aria-label=${name}]`).addEventListener('beforeinput', e => e.preventDefault())</script>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    for (name, text) in [("Full", "1"), ("Closed", "an"), ("Note", "an"), ("Pin", "1")] {
        let typed = json!({"ref": reference(&seen, name), "text": text});
        let said = client.refused("browser_type", typed, "not_editable").await;
        assert!(!said.contains("1234") || name == "Full", "a secret is not told: {said}");
    }
    let again = json!({"ref": reference(&seen, "Full"), "text": "123456", "clear": true});
    client.ok("browser_type", again).await;
}

#[tokio::test]
async fn a_new_address_of_the_same_page_is_told() {
    let page = r##"<!doctype html><title>App</title><a href="#chapter">Chapter</a>
        <button onclick="history.pushState(null, '', '/route')">Route</button>
        <button onclick="history.replaceState(null, '', location.href)">Note</button>"##;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let click =
        async |name| client.ok("browser_click", json!({"ref": reference(&seen, name)})).await;
    assert!(!click("Note").await.contains("address"), "it is where it was");
    let said = click("Chapter").await;
    assert!(said.contains("address is the one below") && said.contains("/#chapter"), "{said}");
    let said = click("Route").await;
    assert!(said.contains("address is the one below") && said.contains("/route"), "{said}");
}

#[tokio::test]
async fn a_popup_that_closes_itself_is_told_for_what_it_is() {
    let page = r#"<!doctype html><title>P</title><a href="/popup" target="_blank">New</a>"#;
    let popup =
        r#"<!doctype html><title>Q</title><button onclick="window.close()">Finish</button>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page), ("/popup", popup)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "New")})).await;
    let (_, after) = said.split_once("It opened tab ").unwrap_or_else(|| panic!("{said}"));
    let tab: i64 = after.split('.').next().unwrap().parse().unwrap();
    client.ok("browser_wait", json!({"tab": tab, "text": "Finish"})).await;
    let finish = json!({"tab": tab, "selector": "text=Finish"});
    let answer = client.call("browser_click", finish).await;
    // A busy browser closes it only after the click was answered.
    let is_told = answer.text.contains("closed as this was done");
    assert!(is_told || !answer.failed, "{}", answer.text);
}

#[tokio::test]
async fn a_link_to_a_dead_server_is_not_an_arrival() {
    let page = r#"<!doctype html><title>D</title><a href="http://127.0.0.1:9/">Dead</a>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Dead")})).await;
    assert!(said.contains("could not be loaded (net::ERR_"), "{said}");
    assert!(!said.contains("went to the page"), "{said}");
}

#[tokio::test]
async fn an_action_is_answered_with_what_it_changed_and_nothing_else() {
    let page = r#"<!doctype html><title>D</title><h1>Counter</h1><p>A long introduction that stays as it is.</p>
        <p>More words that stay.</p><p>And more.</p>
        <button onclick="document.getElementById('n').textContent = 'Pressed ' + ++window.n">Press</button>
        <p id="n">Pressed 0</p><script>window.n = 0</script><a href="/about">About</a>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page), ("/about", ABOUT)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let press = reference(&seen, "Press");
    let said = client.ok("browser_click", json!({"ref": press})).await;
    assert!(said.contains("~ Pressed 1") && !said.contains("introduction"), "{said}");
    let said = client.ok("browser_click", json!({"ref": press})).await;
    assert!(said.contains("~ Pressed 2"), "each time against the last look: {said}");
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "About")})).await;
    assert!(
        said.contains("# About us") && said.contains("Since 1998."),
        "another page is shown: {said}"
    );
}
#[tokio::test]
async fn a_dialog_is_told_at_once_and_answered_with_a_key() {
    let page = r#"<!doctype html><title>A</title><button onclick="document.title = confirm('Sure?') ? 'Yes' : 'No'">Ask</button>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let ask = json!({"ref": reference(&seen, "Ask")});
    for (key, title) in [("Enter", "Yes"), ("Escape", "No")] {
        let began = std::time::Instant::now();
        let said = client.refused("browser_click", ask.clone(), "dialog_open").await;
        assert!(said.contains("Sure?") && said.contains("browser_handle_dialog"), "{said}");
        assert!(began.elapsed().as_secs() < 5, "{:?}", began.elapsed());
        client.refused("browser_snapshot", json!({}), "dialog_open").await;
        client.ok("browser_press_key", json!({"key": key})).await;
        let seen = client.ok("browser_snapshot", json!({})).await;
        assert!(seen.contains(&format!("\n{title}\n")), "{seen}");
    }
}

fn current(list: &str) -> i64 {
    let line =
        list.lines().find(|line| line.contains("(current)")).unwrap_or_else(|| panic!("{list}"));
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn slow_typing_presses_each_key_and_follows_a_focus_that_moves_on() {
    let page = r#"<!doctype html><title>K</title><input aria-label="Keys"><p id="keys"></p>
        <div><input class="box" maxlength="1" aria-label="First"><input class="box" maxlength="1" aria-label="Second">
        <input class="box" maxlength="1" aria-label="Third"></div>
        <script>
        const told = document.getElementById('keys');
        document.querySelector('input').addEventListener('keydown', (event) => {
            told.textContent += (event.isTrusted ? '' : '!') + event.key + ' ' });
        document.querySelectorAll('.box').forEach((box) => box.addEventListener('keyup', () => {
            if (box.value) box.nextElementSibling?.focus() }));
        </script>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let keys = reference(&seen, "Keys");
    let said = client
        .ok("browser_type", json!({"ref": keys, "text": "aB é", "slowly": true, "clear": true}))
        .await;
    assert!(said.contains("a Shift B é") && said.contains("value=\"aB é\""), "{said}");
    let first = reference(&seen, "First");
    client.ok("browser_type", json!({"ref": first, "text": "xyz", "slowly": true})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    for (name, letter) in [("First", "x"), ("Second", "y"), ("Third", "z")] {
        assert!(seen.contains(&format!("\"{name}\" value=\"{letter}\"")), "{seen}");
    }
}

#[tokio::test]
async fn what_a_field_in_a_frame_took_is_told_and_a_field_that_goes_is_told_to_be_gone() {
    let page = r#"<!doctype html><title>F</title><iframe srcdoc="<input aria-label=Town><input aria-label=Code maxlength=3>"></iframe>
        <div><input aria-label="Until here" oninput="this.parentNode.textContent = 'Thank you'"></div>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let into = |name: &str, text: &str| json!({"ref": reference(&seen, name), "text": text});
    let said = client.ok("browser_type", into("Town", "Kiel")).await;
    assert!(said.contains("value=\"Kiel\""), "{said}");
    let said = client.refused("browser_type", into("Code", "12345"), "not_editable").await;
    assert!(said.contains("did not take the text") && said.contains("123"), "{said}");
    let said = client.ok("browser_type", into("Until here", "x")).await;
    assert!(said.contains("The field is gone by now") && said.contains("Thank you"), "{said}");
}

#[tokio::test]
async fn typing_tells_what_else_changed_by_whatever_means() {
    let page = r#"<!doctype html><title>T</title>
        <style>#hint { display: none } p:focus-within + #hint { display: block }</style>
        <p>One <input aria-label="Quiet"></p>
        <p>Two <input aria-label="Copied" oninput="copy.value = this.value"></p>
        <p>Three <input id="copy" aria-label="Copy"></p><p>Four <input type="email" aria-label="Mail"></p>
        <p>Five <input aria-label="Hinted"></p><p id="hint">At least eight letters</p>
        <button onclick="this.textContent = 'Pressed'">Press</button>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let typed = async |name: &str, text: &str| {
        client.ok("browser_type", json!({"ref": reference(&seen, name), "text": text})).await
    };
    let said = typed("Quiet", "nothing else").await;
    assert!(said.contains(r#"value="nothing else""#) && !said.contains("Copy"), "{said}");
    let said = typed("Copied", "both").await;
    assert_eq!(said.matches(r#"value="both""#).count(), 2, "a value set by a script: {said}");
    typed("Mail", "no address").await;
    let said = typed("Hinted", "x").await;
    assert!(said.contains("At least eight letters"), "shown by a style alone: {said}");
    assert!(said.contains(r#""Mail" value="no address" invalid"#), "by the browser: {said}");
    // What was told is not told again.
    let said = typed("Quiet", "!").await;
    assert!(said.contains(r#"value="nothing else!""#) && !said.contains("both"), "{said}");
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Press")})).await;
    assert!(said.contains("Pressed") && !said.contains("nothing else"), "{said}");
}

#[tokio::test]
async fn typing_is_told_of_the_page_that_is_there_and_nothing_that_did_not_change() {
    let first = r#"<!doctype html><title>First</title><h1>First page</h1><input aria-label="Old">"#;
    let second = r#"<!doctype html><title>Second</title><h1>Second page</h1>
        <div style="display:flex"><span>@</span><input aria-label="User"></div><button>Go</button>
        <p id="late">Soon</p>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", first), ("/second", second)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_snapshot", json!({})).await;
    client.ok("browser_navigate", json!({"url": pages.url("/second")})).await;
    let said = client.ok("browser_type", json!({"selector": "input", "text": "ada"})).await;
    assert!(said.contains("Second page") && !said.contains("First"), "another page: {said}");
    let user = reference(&said, "User");
    let said = client.ok("browser_type", json!({"ref": user, "text": " l"})).await;
    let line = format!("~ @ <textbox {user} \"User\" value=\"ada l\" focused>");
    assert!(said.contains(&line), "on the line where it stood: {said}");
    assert_eq!(said.lines().filter(|line| line.starts_with(['+', '-', '~'])).count(), 1, "{said}");
    let seen = client.ok("browser_snapshot", json!({})).await;
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Go")})).await;
    assert!(!said.contains("User"), "{said}");
    let late =
        json!({"function": "() => { document.getElementById('late').textContent = 'Here' }"});
    client.ok("browser_evaluate", late).await;
    let said = client.ok("browser_type", json!({"ref": user, "text": "!"})).await;
    assert!(said.contains("Here"), "what came since the last look is told: {said}");
}
