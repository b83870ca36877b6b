//! Passwords, one-time codes and card numbers never leave the page: canaries in
//! every kind of field, looked for in what every tool says and in all that the
//! hub writes.

use std::path::Path;

use outrigger_dispatch::ToolProfile;
use outrigger_hub::catalogue::listing;
use outrigger_testkit::{Kit, McpClient, Pages, reference};
use serde_json::{Value, json};

/// In every value that must stay in the page.
const CANARY: &str = "kanarie";
/// The same in fields that take nothing but digits.
const DIGITS: &str = "5719340";

fn tells_a_canary(text: &str) -> bool {
    text.contains(CANARY) || text.contains(DIGITS)
}

const FORM: &str = r#"
<input type="password" aria-label="Plain password" value="kanarie01">
<input type="password" aria-label="Shown password" class="shown" value="kanarie02">
<input type="password" aria-label="Shown at once" id="at-once" value="kanarie03">
<input type="text" autocomplete="one-time-code" aria-label="Code" value="kanarie04">
<input type="text" autocomplete="cc-number" aria-label="Card" value="kanarie05">
<input type="text" autocomplete="section-pay cc-csc" aria-label="Check" value="kanarie06">
<input type="text" name="otp" aria-label="Once" value="kanarie07">
<input type="tel" name="cardNumber" aria-label="Number" value="kanarie08">
<input type="text" id="cvv" aria-label="Back" value="kanarie09">
<input type="text" autocomplete="current-password" aria-label="Current" value="kanarie10">
<input type="text" autocomplete="new-password" aria-label="New" value="kanarie11" placeholder="kanarie11">
<textarea name="card_number" aria-label="Area">kanarie12</textarea>
<select autocomplete="cc-exp-month" aria-label="Month"><option>January<option selected>February</select>
<input type="text" name="pin" aria-label="Pin" value="kanarie14" title="kanarie14" data-value="kanarie14">
<input type="password" aria-label="Replaced" class="replaced" value="kanarie15">
<input type="password" aria-label="In hiding" style="display:none" value="kanarie16">
<label>Card number <input value="kanarie18"></label>
<label for="back-of-card">CVV</label><input id="back-of-card" value="kanarie19">
<input placeholder="Card number" aria-label="Placeheld" value="kanarie20">
<input aria-label="Password again" value="kanarie21">
<div contenteditable aria-label="One-time code" data-copy="kanarie22">kanarie22</div>
<div contenteditable autocomplete="one-time-code" aria-label="Typed"><p>kanarie23 <b>kanarie23</b></p></div>
<b id="written-label">Security code</b><div contenteditable aria-labelledby="written-label">kanarie24</div>
<button><span contenteditable id="otp">kanarie25</span>Check</button>
<input type="password" title="kanarie26" value="kanarie26">
<input type="password" placeholder="kanarie27" value="kanarie27">
<input type="password" aria-label="kanarie28" value="kanarie28">
<input type="password" aria-label="To hidden" data-to="hidden" value="kanarie29">
<input type="password" aria-label="To mail" data-to="email" value="kanarie@x.example">
<input type="password" aria-label="To number" data-to="number" value="5719340">
<input type="password" aria-label="To button" data-to="button" value="kanarie30">
<input type="password" data-to="submit" value="kanarie31">"#;

fn page(other: &str) -> String {
    format!(
        r#"<!doctype html><title>Vault</title><!-- don't --><h1>Log in</h1><form id="form">{FORM}<button>Log in</button></form>
        <div id="open"></div><div id="closed"></div><iframe src="{other}" title="Payment"></iframe>
        <script>
          const form = document.getElementById('form').innerHTML;
          document.getElementById('open').attachShadow({{mode: 'open'}}).innerHTML = form;
          document.getElementById('closed').attachShadow({{mode: 'closed'}}).innerHTML = form;
          document.getElementById('at-once').type = 'text';
          addEventListener('load', () => setTimeout(() => {{
            for (const field of document.querySelectorAll('.shown')) field.type = 'text';
            for (const field of document.querySelectorAll('[data-to]')) field.type = field.dataset.to;
            for (const field of document.querySelectorAll('.replaced')) {{
              const copy = field.cloneNode(); copy.type = 'text'; copy.value = field.value; field.replaceWith(copy);
            }}
            const late = document.createElement('input');
            late.type = 'password'; late.value = 'kanar' + 'ie17'; late.setAttribute('aria-label', 'Late');
            document.getElementById('form').append(late);
            console.log({{user: 'Ada', password: document.querySelector('.shown').value}});
            console.log('password:', late.value, new Map([['otp', document.querySelector('[name=otp]').value]]));
            console.log('Authorization: Bearer ' + late.value, JSON.stringify({{pin: document.querySelector('[name=pin]').value}}));
            setTimeout(() => {{ late.type = 'text'; document.title = 'Ready'; }}, 50);
          }}, 50));
        </script>"#
    )
}

/// How each reading tool is asked for all that it has to say.
fn questions(tool: &str) -> Vec<Value> {
    let every = "input,select,textarea,form,div,body,option,p,b,span,button";
    match tool {
        "browser_snapshot" => vec![
            json!({"max_tokens": 100_000}),
            json!({"include_hidden": true, "boxes": true, "max_tokens": 100_000}),
        ],
        "browser_find" | "find" => vec![json!({"query": CANARY}), json!({"query": "Password"})],
        "browser_find_by_text" => vec![json!({"text": CANARY}), json!({"text": "Log in"})],
        "browser_query_dom" => vec![json!({"selector": every, "limit": 200})],
        "browser_get_attributes" => vec![json!({"selector": every, "limit": 200})],
        "browser_get_computed_styles" => vec![json!({"selector": every, "limit": 200})],
        "browser_check_visibility" | "browser_check_element_state" | "browser_get_value" => {
            (0..15).map(|n| json!({"selector": format!("input:nth-of-type({})", n + 1)})).collect()
        }
        "browser_count_elements" => vec![json!({"selector": every})],
        "browser_get_visible_text" => vec![json!({}), json!({"selector": every})],
        "browser_wait" => vec![json!({"ms": 1})],
        "browser_tabs" => vec![json!({"action": "list"})],
        "tab_read" => ["info", "dom", "elements"].map(|mode| json!({"mode": mode})).to_vec(),
        // These change things, or answer with a picture alone.
        "browser_navigate" | "browser_go_back" | "browser_go_forward" | "browser_reload"
        | "browser_click" | "browser_type" | "browser_press_key" | "tabs_create" => Vec::new(),
        // What a page answers of itself is taken out too.
        "browser_evaluate" => [
            "() => [...document.querySelectorAll('input')].map((field) => field.value)",
            "() => { throw [...document.querySelectorAll('input')].map((field) => field.value) }",
            "() => Symbol([...document.querySelectorAll('input')].map((field) => field.value))",
            "() => [...document.querySelectorAll('[contenteditable]')].map((it) => it.textContent)",
            "() => document.documentElement.outerHTML",
        ]
        .map(|function| json!({"function": function}))
        .to_vec(),
        "browser_request_access" => vec![json!({
            "origins": ["https://example.com"], "keys": ["tab_read:dom"], "reason": "to look"
        })],
        "context_get" => vec![json!({}), json!({"elements": true})],
        "browser_storage" => vec![json!({}), json!({"area": "session"})],
        _ => vec![json!({})],
    }
}

#[tokio::test]
async fn no_tool_and_no_file_tells_a_secret() {
    let kit = Kit::start().await;
    let inner = Pages::serve(&[("/", &format!("<!doctype html><title>P</title>{FORM}"))]).await;
    let pages = Pages::serve(&[("/", &page(&inner.elsewhere("/")))]).await;
    kit.launch().await;
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    outrigger_testkit::eventually("the page is ready", || async {
        let listed = client.ok("browser_tabs", json!({"action": "list"})).await;
        listed.contains("Ready").then_some(())
    })
    .await;
    // The first look at the console and at requests has them kept from then on.
    for tool in ["browser_network", "browser_get_console_logs"] {
        client.ok(tool, json!({})).await;
    }
    client.ok("browser_reload", json!({})).await;
    outrigger_testkit::eventually("the page is ready again", || async {
        let listed = client.ok("browser_tabs", json!({"action": "list"})).await;
        listed.contains("Ready").then_some(())
    })
    .await;
    let listed = client.ok("browser_tabs", json!({"action": "list"})).await;
    let line = listed.lines().find(|line| line.contains("(current)")).unwrap();
    let tab: i64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    client.ok("browser_tabs", json!({"action": "select", "id": tab})).await;

    let (mut asked, mut leaks) = (0, Vec::new());
    for tool in listing().listed(&ToolProfile::everything()) {
        for arguments in questions(&tool.name) {
            let answer = client.call(&tool.name, arguments.clone()).await;
            // A question may repeat the word it was asked for.
            let said = answer.text.replace(&format!("{CANARY:?}"), "");
            if tells_a_canary(&said) {
                leaks.push(format!("{} {arguments} said:\n{said}", tool.name));
            }
            asked += usize::from(!answer.failed);
        }
    }
    assert!(leaks.is_empty(), "{}", leaks.join("\n"));
    let sources = documents(&client).await;
    let leaking = sources.iter().find(|source| tells_a_canary(source));
    assert_eq!(leaking, None);
    // The browser keeps the source of the page, and of some frames none.
    let is_shown = |source: &&String| source.contains("Plain password");
    let shown = sources.iter().find(is_shown).expect("the page's own source");
    assert!(shown.contains("value=\"[not shown]\""), "{shown}");
    let log = client.ok("browser_get_console_logs", json!({})).await;
    for line in ["password: \"[redacted]\"", "password: [redacted]", "Bearer [redacted]"] {
        assert!(log.contains(line), "{line}: {log}");
    }
    // What is looked for is looked for in what is told.
    let guessed = client.ok("browser_get_console_logs", json!({"text": "kanarie02"})).await;
    assert!(guessed.starts_with("None of the "), "{guessed}");
    // Nor can one be guessed by waiting for it.
    let waited = client.call("browser_wait", json!({"text": "kanarie22", "timeoutMs": 500})).await;
    assert!(waited.failed, "{}", waited.text);
    assert!(asked > 40, "only {asked} questions were answered");
    let seen = client.ok("browser_snapshot", json!({"max_tokens": 100_000})).await;
    for name in [
        "Plain password",
        "Shown password",
        "Shown at once",
        "Late",
        "Replaced",
        "Month",
        "One-time code",
        "Typed",
    ] {
        assert!(seen.contains(&format!("{name:?} secret")), "{name}: {seen}");
    }
    // What can be chosen is no secret; what was chosen is.
    assert!(seen.contains("\"Month\" secret options=\"January\"|\"February\">"), "{seen}");
    let home = kit.stop().await;
    search(home.path());
}

/// The page and its frame as the server sent them, all of them.
async fn documents(client: &McpClient) -> Vec<String> {
    let listed = client.ok("browser_network", json!({"kind": "document"})).await;
    let numbers = listed.lines().filter_map(|line| line.split(' ').next()?.parse::<u32>().ok());
    let mut sources = Vec::new();
    for id in numbers {
        sources
            .push(client.ok("browser_network", json!({"id": id, "body_letters": 1_000_000})).await);
    }
    assert!(!sources.is_empty(), "{listed}");
    sources
}

/// What a form is filled with that an agent knows, or was given to type.
const CHECKOUT: &str = r#"<!doctype html><title>Pay</title><form method=post action="/sent">
    <input type=password name=password id=password aria-label="Password">
    <button type=button onclick="password.type = 'text'">Show</button>
    <button type=button onclick="password.type = 'password'">Hide</button>
    <input name=code autocomplete=one-time-code aria-label="Code">
    <input name=card autocomplete=cc-number aria-label="Card">
    <div contenteditable aria-label="Security code"></div>
    <button>Log in</button></form>"#;

const SENT: &str = "<!doctype html><title>Sent</title><h1>Thanks</h1>";

#[tokio::test]
async fn no_reply_repeats_a_secret_that_was_typed_shown_or_sent() {
    let (kit, pages, client) = Kit::with_browser(&[("/", CHECKOUT), ("/sent", SENT)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let told = async |tool: &str, arguments: Value| {
        let said = client.ok(tool, arguments.clone()).await;
        assert!(!tells_a_canary(&said), "{tool} {arguments} said:\n{said}");
        said
    };
    let at = |name: &str| reference(&seen, name);
    for (name, text) in [
        ("Password", "kanarie31"),
        ("Code", "kanarie32"),
        ("Card", "kanarie33"),
        ("Security code", "kanarie34"),
    ] {
        told("browser_type", json!({"ref": at(name), "text": text})).await;
        let more = json!({"ref": at(name), "text": text, "clear": true, "slowly": true});
        told("browser_type", more).await;
    }
    // What changes by a press is told with it.
    for name in ["Show", "Hide", "Show"] {
        told("browser_click", json!({"ref": at(name)})).await;
        told("browser_snapshot", json!({"include_hidden": true})).await;
    }
    told("browser_press_key", json!({"key": "Tab"})).await;
    let fields = ["Password", "Code", "Card", "Security code"]
        .map(|name| json!({"ref": at(name), "value": format!("kanarie4 {name}")}));
    told("browser_fill_form", json!({"fields": fields})).await;
    told("browser_get_visible_text", json!({})).await;
    // From here on requests are kept.
    told("browser_network", json!({})).await;
    let sent = told("browser_fill_form", json!({"fields": fields, "submit": true})).await;
    assert!(sent.contains("# Thanks"), "{sent}");
    let listed = told("browser_network", json!({"url": "/sent"})).await;
    let line = listed.lines().find(|line| line.contains("POST")).unwrap_or(&listed);
    let id: u32 = line.split(' ').next().unwrap().parse().expect(&listed);
    let sent = told("browser_network", json!({"id": id})).await;
    assert!(sent.contains("password, code, card"), "{sent}");
    let home = kit.stop().await;
    search(home.path());
}

/// No file of the hub holds a canary. (The browser's own profile is its user's.)
fn search(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            search(&path);
        } else {
            let held = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
            assert!(!tells_a_canary(&held), "{}", path.display());
        }
    }
}

#[tokio::test]
async fn a_picture_shows_dots_where_the_page_shows_a_secret() {
    let page = |secret: &str, open: &str| {
        format!(
            r#"<!doctype html><title>P</title><style>* {{ caret-color: transparent }}</style>
            <input autocomplete="one-time-code" value="{secret}"><br>
            <input type="password" id="shown" value="{secret}"><br><input value="{open}">
            <script>document.getElementById('shown').type = 'text'</script>"#
        )
    };
    let pages = [
        ("/one", page("WWWWWWWW", "same")),
        ("/two", page("iiiiiiii", "same")),
        ("/three", page("iiiiiiii", "other")),
    ];
    let pages: Vec<(&str, &str)> =
        pages.iter().map(|(path, page)| (*path, page.as_str())).collect();
    let (_kit, served, client) = Kit::with_browser(&pages).await;
    let mut pictures = Vec::new();
    for (path, _) in pages {
        client.ok("browser_navigate", json!({"url": served.url(path)})).await;
        let shot = client.call("browser_screenshot", json!({"format": "png"})).await;
        pictures.push(shot.picture.unwrap());
        let seen = client.ok("browser_get_attributes", json!({"selector": "#shown"})).await;
        assert!(!seen.contains("text-security"), "the page is left as it was: {seen}");
    }
    assert!(pictures[0] == pictures[1], "two secrets of one length look alike");
    assert!(pictures[1] != pictures[2], "what is no secret is shown");
}
