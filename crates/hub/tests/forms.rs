//! Forms, in a real Chromium: every kind of field in one call, each one checked.

use outrigger_testkit::{ABOUT, Kit, reference};
use serde_json::{Value, json};

/// Fields of every kind; a log of the events that the page saw.
const FORM: &str = r##"<!doctype html><title>Form</title><form action="/about">
<label>Name <input name="name"></label>
<label>Age <input type="number" name="age"></label>
<label>Secret <input type="password" name="password"></label>
<label>Story <textarea name="story">old</textarea></label>
<label>Agree <input type="checkbox" name="agree"></label>
<label>News <input type="checkbox" name="news" checked></label>
<label>Small <input type="radio" name="size" value="s" checked></label>
<label>Large <input type="radio" name="size" value="l"></label>
<label>Tea <select name="tea"><option value="g">Green</option><option value="b">Black</option></select></label>
<label>Extras <select name="extras" multiple><option>Milk</option><option selected>Sugar</option><option>Lemon</option></select></label>
<label>Day <input type="date" name="day"></label>
<label>Hour <input type="time" name="hour"></label>
<label>Month <input type="month" name="month"></label>
<label>Week <input type="week" name="week"></label>
<label>When <input type="datetime-local" name="when"></label>
<label>Paint <input type="color" name="paint"></label>
<label>Warm <input type="range" name="warm" min="0" max="10"></label>
<div contenteditable role="textbox" aria-label="Note">old note</div>
<button>Send</button></form><p id="log"></p>
<script>
const log = document.getElementById('log');
for (const type of ['input', 'change', 'click']) document.addEventListener(type, (event) => {
    const { name, localName } = event.target;
    if (event.type === 'click' && localName !== 'input') return;
    log.textContent += [event.type, name || localName, event.isTrusted ? 'real' : 'made'].join('-') + ' ';
}, true);
</script>"##;

async fn seen(client: &outrigger_testkit::McpClient) -> String {
    client.ok("browser_snapshot", json!({"max_tokens": 6000})).await
}

fn fields(seen: &str, wanted: &[(&str, Value)]) -> Value {
    wanted
        .iter()
        .map(|(name, value)| json!({"ref": reference(seen, name), "value": value}))
        .collect()
}

#[tokio::test]
async fn every_kind_of_field_is_filled_in_one_call() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", FORM), ("/about", ABOUT)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let before = seen(&client).await;
    let wanted = fields(
        &before,
        &[
            ("Name", json!("Ada 茶")),
            ("Age", json!(36)),
            ("Secret", json!("s3cret-w0rd")),
            ("Story", json!("two\nlines")),
            ("Agree", json!(true)),
            ("News", json!("false")),
            ("Large", json!(true)),
            ("Tea", json!("Black")),
            ("Extras", json!(["Milk", "Lemon"])),
            ("Day", json!("2026-01-31")),
            ("Hour", json!("09:30")),
            ("Month", json!("2026-02")),
            ("Week", json!("2026-W05")),
            ("When", json!("2026-01-31T09:30")),
            ("Paint", json!("#FF8800")),
            ("Warm", json!(7)),
            ("Note", json!("a new note")),
        ],
    );
    let said = client.ok("browser_fill_form", json!({"fields": wanted})).await;
    assert!(said.starts_with("Filled 17 fields."), "{said}");
    let after = seen(&client).await;
    for there in [
        "\"Name\" value=\"Ada 茶\"",
        "\"Age\" value=\"36\"",
        "\"Day\" type=date value=\"2026-01-31\"",
        "\"Hour\" type=time value=\"09:30\"",
        "\"Month\" type=month value=\"2026-02\"",
        "\"Week\" type=week value=\"2026-W05\"",
        "\"When\" type=datetime-local value=\"2026-01-31T09:30\"",
        "\"Paint\" type=color value=\"#ff8800\"",
        "\"Warm\" value=\"7\"",
        "value=\"Black\"",
        "value=\"Milk, Lemon\"",
        "a new note",
        "click-agree-real",
        "input-name-real",
        "change-tea-made",
    ] {
        assert!(after.contains(there), "{there} in:\n{after}");
    }
    assert!(after.contains("\"Agree\" checked") && after.contains("\"Large\" checked"), "{after}");
    assert!(!after.contains("\"News\" checked") && !after.contains("s3cret"), "{after}");
    // What is there already is left alone.
    let again =
        fields(&before, &[("Agree", json!(true)), ("Tea", json!("b")), ("Name", json!(""))]);
    let said = client.ok("browser_fill_form", json!({"fields": again})).await;
    assert!(!said.contains("click-agree-real click-agree-real"), "{said}");
    assert!(!seen(&client).await.contains("Ada"), "an empty text empties the field");
}

#[tokio::test]
async fn a_form_is_submitted_only_when_every_field_took_its_value() {
    let page = r#"<!doctype html><title>S</title><form action="/about"><input aria-label="Name">
        <input aria-label="Short" maxlength="3"><input aria-label="Pin" type="password" maxlength="2"><button>Send</button></form>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page), ("/about", ABOUT)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let before = seen(&client).await;
    let bad = fields(
        &before,
        &[("Name", json!("Ada")), ("Short", json!("abcdef")), ("Pin", json!("hunter2"))],
    );
    let said = client
        .refused("browser_fill_form", json!({"fields": bad, "submit": true}), "not_editable")
        .await;
    let (short, pin) = (reference(&before, "Short"), reference(&before, "Pin"));
    assert!(said.contains(&format!("{short} did not take its value; what it holds")), "{said}");
    assert!(said.contains(&format!("{short}: abc")), "{said}");
    assert!(said.contains(&format!("{pin} did not take its value.")), "{said}");
    assert!(!said.contains("hu"), "a secret is not told: {said}");
    assert!(said.contains("The other 1 of 3") && said.contains("Nothing was submitted"), "{said}");
    assert!(seen(&client).await.contains("value=\"Ada\""));
    let good = fields(&before, &[("Name", json!("Bob")), ("Short", json!("abc"))]);
    let said = client.ok("browser_fill_form", json!({"fields": good, "submit": true})).await;
    assert!(said.contains("submitted the form") && said.contains("# About us"), "{said}");
}

#[tokio::test]
async fn a_form_that_its_own_rules_stop_is_not_called_submitted() {
    let page = r#"<!doctype html><title>R</title><form action="/about"><input aria-label="Count" type="number" max="5">
        <input aria-label="Born" type="date" value="2020-01-01" readonly><button>Send</button></form>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page), ("/about", ABOUT)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let before = seen(&client).await;
    let count =
        |count: u8| json!({"fields": fields(&before, &[("Count", json!(count))]), "submit": true});
    let said = client.refused("browser_fill_form", count(9), "not_editable").await;
    assert!(said.contains("was not submitted") && said.contains("Count: "), "{said}");
    let fixed = json!({"fields": fields(&before, &[("Born", json!("2026-01-31"))])});
    client.refused("browser_fill_form", fixed, "disabled").await;
    assert!(seen(&client).await.contains("2020-01-01"), "a field for reading stays as it is");
    let said = client.ok("browser_fill_form", count(3)).await;
    assert!(said.contains("submitted the form") && said.contains("# About us"), "{said}");
}

#[tokio::test]
async fn one_field_that_cannot_be_filled_leaves_all_as_they_were() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", FORM)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let before = seen(&client).await;
    let name = |value: Value| json!({"ref": reference(&before, "Name"), "value": value});
    let with = |field: &str, value: Value| json!({"fields": [name(json!("Ada")), {"ref": reference(&before, field), "value": value}]});
    let unknown = json!({"fields": [name(json!("Ada")), {"ref": "e999", "value": "x"}]});
    client.refused("browser_fill_form", unknown, "stale_ref").await;
    let said = client.refused("browser_fill_form", with("Tea", json!("Blue")), "not_found").await;
    let tea = reference(&before, "Tea");
    assert!(said.contains(&tea) && said.contains("Nothing was filled"), "{said}");
    assert!(said.contains("Green\nBlack"), "it names the options: {said}");
    let said = client
        .refused("browser_fill_form", with("Day", json!("31.1.2026")), "invalid_arguments")
        .await;
    assert!(said.contains("2026-01-31"), "{said}");
    client.refused("browser_fill_form", with("Send", json!("x")), "not_editable").await;
    client.refused("browser_fill_form", with("Agree", json!("maybe")), "invalid_arguments").await;
    client.refused("browser_fill_form", json!({"fields": []}), "invalid_arguments").await;
    assert!(!seen(&client).await.contains("value=\"Ada\""), "nothing was filled");
}

/// A dropdown, a list of several and a field with suggestions, as pages make them.
const LISTS: &str = r#"<!doctype html><title>L</title>
<button id="open" aria-haspopup="listbox" aria-expanded="false" aria-controls="colours">Choose a colour</button>
<ul id="colours" role="listbox" aria-label="Colours" hidden>
<li role="option" aria-selected="false">Red</li><li role="option" aria-selected="false">Blue</li></ul>
<ul id="toppings" role="listbox" aria-label="Toppings" aria-multiselectable="true">
<li role="option" aria-selected="true" tabindex="0">Cheese</li><li role="option" aria-selected="false" tabindex="-1">Ham</li>
<li role="option" aria-selected="false" tabindex="-1">Olives</li></ul>
<label>City <input id="city" role="combobox" aria-expanded="false" aria-controls="cities" aria-autocomplete="list"></label>
<ul id="cities" role="listbox" aria-label="Cities" hidden></ul><p id="picked"></p>
<label>Plain <input></label>
<script>
const open = document.getElementById('open'), colours = document.getElementById('colours');
const show = (on) => { colours.hidden = !on; open.setAttribute('aria-expanded', on) };
open.onclick = () => setTimeout(() => show(colours.hidden), 50);
colours.onclick = (event) => {
    for (const one of colours.children) one.setAttribute('aria-selected', one === event.target);
    open.textContent = event.target.textContent; show(false);
};
document.getElementById('toppings').onclick = ({ target }) =>
    target.setAttribute('aria-selected', target.getAttribute('aria-selected') !== 'true');
const city = document.getElementById('city'), cities = document.getElementById('cities');
city.oninput = () => setTimeout(() => {
    cities.innerHTML = ['Paris', 'Prague', 'Perth'].filter((one) => one.toLowerCase().startsWith(city.value.toLowerCase()))
        .map((one) => '<li role=option>' + one + '</li>').join('');
    cities.hidden = !cities.innerHTML; city.setAttribute('aria-expanded', !cities.hidden);
}, 60);
cities.onmousedown = (event) => { city.value = event.target.textContent; cities.hidden = true;
    document.getElementById('picked').textContent = 'Picked ' + city.value };
</script>"#;

#[tokio::test]
async fn options_are_chosen_by_name_in_lists_of_every_make() {
    let page = format!(
        "{LISTS}{}",
        r#"<label>Tea <select><option value="g">Green</option><option value="b">Black</option><option disabled>Gone</option></select></label>
        <label>Many <select multiple><option selected>One</option><option>Two</option><option>Three</option></select></label>"#
    );
    let (_kit, pages, client) = Kit::with_browser(&[("/", &page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let before = seen(&client).await;
    let choose =
        |name: &str, values: Value| json!({"ref": reference(&before, name), "values": values});
    let said = client.ok("browser_select_option", choose("Tea", json!(["b"]))).await;
    assert!(said.starts_with("Chosen in e") && said.contains("value=\"Black\""), "{said}");
    client.refused("browser_select_option", choose("Tea", json!(["Gone"])), "disabled").await;
    client
        .refused(
            "browser_select_option",
            choose("Tea", json!(["Green", "Black"])),
            "invalid_arguments",
        )
        .await;
    let said = client.ok("browser_select_option", choose("Many", json!(["Two", "three"]))).await;
    assert!(said.contains("value=\"Two, Three\""), "{said}");
    let said = client.ok("browser_select_option", choose("Choose a colour", json!("Blue"))).await;
    assert!(said.contains("\"Blue\""), "{said}");
    let said = client
        .refused("browser_select_option", choose("Choose a colour", json!(["Pink"])), "not_found")
        .await;
    assert!(said.contains("Red\nBlue"), "{said}");
    client.ok("browser_press_key", json!({"key": "Escape"})).await;
    client
        .ok("browser_select_option", json!({"selector": "#toppings", "values": ["Ham", "Olives"]}))
        .await;
    let after = seen(&client).await;
    assert!(
        after.contains("\"Ham\" selected") && !after.contains("\"Cheese\" selected"),
        "{after}"
    );
    let said = client.ok("browser_select_option", choose("City", json!(["Prague"]))).await;
    assert!(said.contains("Picked Prague"), "{said}");
    client.refused("browser_select_option", choose("Plain", json!(["x"])), "not_editable").await;
}

#[tokio::test]
async fn lists_of_a_pages_own_making_are_fields_of_a_form_too() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", LISTS)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let before = seen(&client).await;
    let wanted = fields(
        &before,
        &[("Choose a colour", json!("Red")), ("City", json!("Perth")), ("Plain", json!("text"))],
    );
    let said = client.ok("browser_fill_form", json!({"fields": wanted})).await;
    assert!(said.contains("Picked Perth") && said.contains("\"Red\""), "{said}");
}

#[tokio::test]
async fn a_page_sees_text_as_if_a_person_had_typed_it() {
    let page = r#"<!doctype html><title>T</title><form action="/sent">
        <input aria-label="Town" oninput="note(event)" onbeforeinput="note(event)" onchange="note(event)">
        <input aria-label="Code" minlength="8"><button>Send</button></form><ul id="heard"></ul>
        <script>function note(event) {
            const item = document.createElement('li')
            const { type, inputType = '', data = '', isTrusted } = event
            item.textContent = [type, inputType, data, type === 'beforeinput' || isTrusted].join(' ')
            heard.append(item) }</script>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page), ("/sent", "Sent")]).await;
    for by in ["browser_type", "browser_fill_form"] {
        client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
        let seen = client.ok("browser_snapshot", json!({})).await;
        let put = async |name: &str, text: &str| {
            let r#ref = reference(&seen, name);
            let arguments = match by {
                "browser_type" => json!({"ref": r#ref, "text": text}),
                _ => json!({"fields": [{"ref": r#ref, "value": text}]}),
            };
            client.ok(by, arguments).await
        };
        put("Town", "Kiel").await;
        put("Code", "short").await;
        let heard = client.ok("browser_snapshot", json!({})).await;
        let wanted =
            ["- beforeinput insertText Kiel true", "- input insertText Kiel true", "- change true"];
        for line in wanted {
            assert_eq!(heard.matches(line).count(), 1, "{by}: {line}: {heard}");
        }
        let pressed = client.ok("browser_click", json!({"ref": reference(&seen, "Send")})).await;
        assert!(!pressed.contains("/sent"), "{by}: a text that is too short isn't sent: {pressed}");
    }
}

/// A page may object to a text before it is in.
#[tokio::test]
async fn a_field_that_takes_no_such_text_stays_as_it_is_and_that_is_told() {
    let page = r#"<!doctype html><title>V</title><input aria-label="Name">
        <input aria-label="Digits" value="7"><textarea aria-label="Note"></textarea><script>
        for (const field of document.querySelectorAll('[aria-label=Digits], textarea'))
            field.addEventListener('beforeinput', (event) => { if (/\D/.test(event.data ?? '')) event.preventDefault() })
        </script>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let field = |name: &str, value: &str| json!({"ref": reference(&seen, name), "value": value});
    let fields =
        json!({"fields": [field("Name", "Ada"), field("Digits", "ten"), field("Note", "tea")]});
    let said = client.refused("browser_fill_form", fields, "not_editable").await;
    assert!(said.contains("The other 1 of 3"), "{said}");
    let held = client.ok("browser_snapshot", json!({})).await;
    assert!(held.contains("\"Ada\"") && held.contains("\"7\"") && !held.contains("tea"), "{held}");
    let fields = json!({"fields": [field("Digits", "10"), field("Note", "20")]});
    client.ok("browser_fill_form", fields).await;
}

/// Each box that is ticked makes room before the next one, a little later, and the
/// button that comes to stand in its place is not to be pressed.
const SHIFTING: &str = r#"<!doctype html><title>Shifting</title>
<style>button, label { display: block; height: 30px } button { width: 300px; position: absolute; z-index: -1 }</style>
<body><script>
const later = [(go) => setTimeout(go), (go) => requestAnimationFrame(go), (go) => setTimeout(go, 4), (go) => setTimeout(go, 12)];
for (let at = 0; at < 8; at += 1) {
    const [label, room] = ['label', 'div'].map((name) => document.body.appendChild(document.createElement(name)));
    label.innerHTML = `<input type=checkbox> Box ${at}`;
    label.firstChild.onchange = () => later[at % 4](() => { room.innerHTML = '<button>Not me</button><p>More</p>' });
}
let missed = 0;
onclick = ({ target }) => { if (target.localName === 'button') document.title = `Missed ${++missed}` };
</script>"#;

#[tokio::test]
async fn boxes_that_move_while_a_form_is_filled_are_ticked_all_the_same() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", SHIFTING)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let before = seen(&client).await;
    let names: Vec<String> = (0..8).map(|at| format!("Box {at}")).collect();
    let wanted: Vec<_> = names.iter().map(|name| (name.as_str(), json!(true))).collect();
    client.ok("browser_fill_form", json!({"fields": fields(&before, &wanted)})).await;
    let after = seen(&client).await;
    assert!(after.contains("Shifting") && !after.contains("Missed"), "{after}");
    assert_eq!(after.matches("checked").count(), 8, "{after}");
}

/// Switches that act on the first half of a press, put something over themselves or
/// another one in their place, and show only later what they are.
const HASTY: &str = r#"<!doctype html><title>Hasty</title>
<style>[role=switch] { width: 200px; height: 40px; position: relative } .cover { position: absolute; inset: 0; background: gray }</style>
<div role=switch aria-checked=false tabindex=0 aria-label=Covered></div>
<div role=switch aria-checked=false tabindex=0 aria-label=Replaced><b>Off</b></div><p id=log></p>
<script>
for (const it of document.querySelectorAll('[role=switch]')) it.onpointerdown = () => {
    log.textContent += `pressed ${it.ariaLabel}. `;
    const inner = document.createElement('div');
    inner.className = 'cover';
    if (it.firstChild) it.replaceChildren(inner); else document.body.append(inner);
    inner.style.position = it.isConnected && inner.parentElement === document.body ? 'fixed' : 'absolute';
    setTimeout(() => { inner.remove(); it.ariaChecked = String(it.ariaChecked !== 'true') }, 150);
};
</script>"#;

#[tokio::test]
async fn a_switch_that_got_half_a_press_is_not_pressed_again() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", HASTY)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let before = seen(&client).await;
    for name in ["Covered", "Replaced"] {
        // Whether it took its value in time is another matter.
        let wanted = json!({"fields": fields(&before, &[(name, json!(true))])});
        client.call("browser_fill_form", wanted).await;
        client.ok("browser_wait", json!({"ms": 600})).await;
        let after = seen(&client).await;
        assert_eq!(after.matches(&format!("pressed {name}.")).count(), 1, "{after}");
    }
}
