//! Workflows, in a real Chromium: what a session does is written down without its
//! secrets, and taken again on pages that look otherwise by then.

use outrigger_store::{Owner, Store};
use outrigger_testkit::{Kit, McpClient, Person, SIGN_UP, reference};
use serde_json::{Value, json};

const SECRET: &str = "kanarie-4711";

/// The same rendered anew: other ids and classes, more around it, another order.
const SIGN_UP_LATER: &str = r#"<!doctype html><title>Sign up</title><nav><button>Log in</button></nav>
<main><h1>Sign up</h1><p>Now with more tea.</p>
<form class="css-99" onsubmit="event.preventDefault(); done(this)"><div>
<label>News <input class="css-1" type="checkbox"></label>
<label>Tea <select class="css-2"><option>White</option><option>Green</option><option>Black</option></select></label>
<label>Password <input class="css-3" type="password"></label>
<label>Full name <input class="css-4"></label></div>
<div><span><button class="css-5">Create account</button></span></div></form>
<section><h2>Receipt</h2><p id="r1"></p></section></main>
<script>function done(form) {
  const [news, tea, password, name] = form.querySelectorAll('input, select');
  document.getElementById('r1').textContent =
    `${name.value} ${password.value.length} ${tea.value} ${news.checked}`;
}</script>"#;

const INVOICES: &str = r#"<!doctype html><title>Invoices</title><h1>Invoices</h1>
<section><h2>March</h2><button onclick="out.textContent='paid March'">Mark as paid</button></section>
<section><h2>April</h2><button onclick="out.textContent='paid April'">Mark as paid</button></section>
<p id="out"></p>"#;

/// Another month in front, and none of the ones before.
const INVOICES_LATER: &str = r#"<!doctype html><title>Invoices</title><h1>Invoices</h1>
<section><h2>May</h2><button onclick="out.textContent='paid May'">Mark as paid</button></section>
<section><h2>April</h2><button onclick="out.textContent='paid April'">Mark as paid</button></section>
<p id="out"></p>"#;

async fn seen(client: &McpClient) -> String {
    client.ok("browser_snapshot", json!({"max_tokens": 6000})).await
}

async fn start(client: &McpClient, name: &str) {
    let said = client.ok("workflow_record", json!({"action": "start", "name": name})).await;
    assert!(said.starts_with(&format!("Recording {name}")), "{said}");
}

/// The context of the only workflow.
async fn context(kit: &Kit) -> Value {
    let listed =
        kit.api().ask("GET", "/api/v1/records?schema_name=browser.workflow.v1", json!(null)).await;
    let items = listed.body["items"].as_array().unwrap();
    assert_eq!(items.len(), 1, "{items:?}");
    let path = format!("/api/v1/records/{}/full", items[0]["id"].as_str().unwrap());
    kit.api().ask("GET", &path, json!(null)).await.body["context"].clone()
}

async fn put(kit: &Kit, context: Value) {
    let body = json!({"schema_name": "browser.workflow.v1", "title": "w", "context": context});
    let made = kit.api().ask("POST", "/api/v1/records", body).await;
    assert_eq!(made.status, 201, "{}", made.body);
}

#[tokio::test]
async fn what_a_session_does_is_recorded_without_its_secrets_and_run_again() {
    let pages = [("/", SIGN_UP), ("/later", SIGN_UP_LATER)];
    let (kit, pages, client) = Kit::with_browser(&pages).await;
    start(&client, "sign-up").await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let before = seen(&client).await;
    let of = |name: &str| reference(&before, name);
    let name = json!({"ref": of("Full name"), "text": "Ada Lovelace"});
    client.ok("browser_type", name).await;
    let fields = json!([
        {"ref": of("Password"), "value": SECRET},
        {"ref": of("Tea"), "value": "Black"},
        {"ref": of("News"), "value": true},
    ]);
    client.ok("browser_fill_form", json!({"fields": fields})).await;
    client.ok("browser_click", json!({"ref": of("Create account")})).await;
    let read = client.ok("browser_get_value", json!({"selector": "#r1"})).await;
    assert!(read.contains("Ada Lovelace 12 Black true"), "{read}");
    client.ok("browser_evaluate", json!({"function": "() => 1"})).await;
    let said = client.ok("workflow_record", json!({"action": "stop"})).await;
    assert!(
        said.contains("Recorded sign-up, 7 steps") && said.contains("browser_evaluate (1)"),
        "{said}"
    );
    assert!(said.contains("takes: full_name=\"Ada Lovelace\", password, tea=\"Black\""), "{said}");
    assert!(said.contains("gives: receipt"), "{said}");

    let kept = context(&kit).await;
    assert!(!kept.to_string().contains("kanarie"), "{kept}");
    assert_eq!(kept["parameters"]["password"]["required"], true, "{kept}");
    assert_eq!(kept["steps"][1]["target"]["name"], "Full name", "{kept}");
    assert_eq!(kept["steps"][1]["target"]["role"], "textbox", "{kept}");

    let listed = client.ok("workflow_list", json!({})).await;
    assert!(listed.contains("sign-up (full_name=\"Ada Lovelace\", password"), "{listed}");
    assert!(listed.contains("<untrusted-page-content"), "{listed}");

    // Another session, another person, and the page as it was.
    let other = kit.client().await;
    let params = json!({"full_name": "Bo {{tea}}", "password": "12345"});
    let said = other.ok("workflow_run", json!({"name": "sign-up", "params": params})).await;
    assert!(said.contains("Ran sign-up, 7 steps:"), "{said}");
    assert!(said.contains("\"receipt\": \"Bo {{tea}} 5 Black true\""), "{said}");
    assert!(!said.contains("12345"), "{said}");
    assert!(said.split("<untrusted-page-content").next().unwrap().contains("7. Read receipt."));

    // The page rendered anew.
    let mut changed = kept.clone();
    changed["name"] = json!("sign-up-later");
    changed["steps"][0]["url"] = json!(pages.url("/later"));
    put(&kit, changed).await;
    let params = json!({"full_name": "Cy", "password": "1", "tea": "White"});
    let said = other.ok("workflow_run", json!({"name": "sign-up-later", "params": params})).await;
    assert!(said.contains("\"receipt\": \"Cy 1 White true\""), "{said}");

    // Every step has an entry of its own in the log, and no file holds the secret.
    let home = kit.stop().await;
    let store = Store::open(&home.path().join("outrigger.db")).await.unwrap();
    let logged = store.latest_activity(&Owner::local(), None, 8).await.unwrap();
    let mut told: Vec<&str> = logged.iter().map(|logged| logged.entry.tool.as_str()).collect();
    told.sort_unstable();
    let fills = ["browser_fill_form"; 3];
    let others = ["browser_get_value", "browser_navigate", "browser_type", "workflow_run"];
    assert_eq!(told, [&["browser_click"][..], &fills, &others].concat(), "{told:?}");
    for file in std::fs::read_dir(home.path()).unwrap().flatten() {
        let held = std::fs::read(file.path()).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&held).contains("kanarie"), "{:?}", file.path());
    }
}

#[tokio::test]
async fn a_step_whose_target_is_gone_stops_with_what_it_looked_for() {
    let (kit, pages, client) = Kit::with_browser(&[("/", INVOICES)]).await;
    let click = |target: Value| json!({"action": "click", "target": target});
    let go = json!({"action": "navigate", "url": pages.url("/")});
    let steps = json!([
        go,
        click(json!({"role": "button", "name": "Send reminder", "selector": "button"})),
        click(json!({"role": "button"}))
    ]);
    put(&kit, json!({"name": "remind", "steps": steps})).await;
    let run = json!({"name": "remind"});
    let said = client.refused("workflow_run", run, "not_found").await;
    assert!(
        said.contains("Step 2 of 3 stopped the workflow; nothing after it was done."),
        "{said}"
    );
    let (ours, page) = said.split_once("<untrusted-page-content").unwrap();
    assert!(page.contains("looked for: button \"Send reminder\""), "{said}");
    assert!(!ours.contains("Send reminder") && ours.contains("Done before it:\n1. "), "{said}");

    let steps = json!([go, click(json!({"role": "button", "name": "Mark as paid"}))]);
    put(&kit, json!({"name": "pay", "steps": steps})).await;
    let said = client.refused("workflow_run", json!({"name": "pay"}), "ambiguous").await;
    assert!(said.contains("Step 2 of 2") && said.contains("2 elements match"), "{said}");
    assert!(!seen(&client).await.contains("paid M"), "nothing was pressed");

    client.refused("workflow_run", json!({"name": "nothing"}), "not_found").await;
    let said = client
        .refused("workflow_run", json!({"name": "pay", "params": {"x": "1"}}), "invalid_arguments")
        .await;
    assert!(said.contains("`x` is no parameter of it. pay takes nothing"), "{said}");
}

#[tokio::test]
async fn a_step_waits_for_what_the_page_shows_a_moment_later() {
    let late = "<!doctype html><title>L</title><h1>Late</h1><script>setTimeout(() => {
        document.body.insertAdjacentHTML('beforeend',
          '<button onclick=\"this.after(`came`)\">Load more</button>') }, 1200)</script>";
    let (kit, pages, client) = Kit::with_browser(&[("/", late)]).await;
    let target = json!({"role": "button", "name": "Load more"});
    let steps = json!([
        {"action": "navigate", "url": pages.url("/")},
        {"action": "click", "target": target},
    ]);
    put(&kit, json!({"name": "more", "steps": steps})).await;
    let said = client.ok("workflow_run", json!({"name": "more"})).await;
    assert!(said.contains("1. Went there.\n2. Clicked e"), "{said}");
    assert!(seen(&client).await.contains("came"));
}

#[tokio::test]
async fn alike_buttons_are_told_apart_by_the_heading_that_they_stand_under() {
    let pages = [("/", INVOICES), ("/later", INVOICES_LATER)];
    let (kit, pages, client) = Kit::with_browser(&pages).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let april = "(//button)[2]";
    for (name, xpath, month) in [("april", april, "April"), ("march", "(//button)[1]", "March")] {
        start(&client, name).await;
        client.ok("browser_click", json!({"selector": format!("xpath={xpath}")})).await;
        client.ok("workflow_record", json!({"action": "stop"})).await;
        assert!(seen(&client).await.contains(&format!("paid {month}")));
    }
    client.ok("browser_navigate", json!({"url": pages.url("/later")})).await;
    client.ok("workflow_run", json!({"name": "april"})).await;
    assert!(seen(&client).await.contains("paid April"));
    // What is left of the alike ones is not what was meant.
    let said = client.refused("workflow_run", json!({"name": "march"}), "not_found").await;
    assert!(said.contains("button \"Mark as paid\" under the heading \"March\""), "{said}");
    assert!(seen(&client).await.contains("paid April"));
    drop(kit);
}

#[tokio::test]
async fn a_recording_is_of_one_session_and_is_gone_when_it_is_cancelled() {
    let (kit, pages, client) = Kit::with_browser(&[("/", INVOICES)]).await;
    let other = kit.client().await;
    start(&client, "mine").await;
    let again = json!({"action": "start", "name": "more"});
    client.refused("workflow_record", again, "invalid_arguments").await;
    other.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    other.refused("workflow_record", json!({"action": "stop"}), "invalid_arguments").await;
    let said = client.refused("workflow_record", json!({"action": "stop"}), "bad_record").await;
    assert!(said.contains("Nothing was done that could be done again"), "{said}");

    start(&client, "mine").await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("workflow_record", json!({"action": "cancel"})).await;
    let said = client.ok("workflow_list", json!({})).await;
    assert!(said.starts_with("There are no workflows."), "{said}");

    // A second recording of a name takes the first one's place.
    for url in [pages.url("/"), pages.url("/?again")] {
        start(&client, "mine").await;
        client.ok("browser_navigate", json!({"url": url})).await;
        client.ok("workflow_record", json!({"action": "stop"})).await;
    }
    assert_eq!(context(&kit).await["steps"][0]["url"], pages.url("/?again"));
}

#[tokio::test]
async fn in_a_persons_browser_every_step_is_asked_for() {
    let person = Person::start(&[("/", INVOICES)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let target = json!({"role": "button", "name": "Mark as paid", "heading": "April"});
    let steps = json!([
        {"action": "navigate", "url": person.pages.url("/")},
        {"action": "click", "target": target},
    ]);
    put(&person.kit, json!({"name": "pay", "steps": steps})).await;
    let run = || client.call("workflow_run", json!({"name": "pay"}));
    let answers = async {
        panel.press(".request button", "Allow once").await;
        panel.until("document.querySelectorAll('.request').length === 0").await;
        panel.press(".request button", "Deny").await;
    };
    let (said, ()) = tokio::join!(run(), answers);
    assert_eq!(said.code.as_deref(), Some("not_allowed"), "{}", said.text);
    assert!(said.text.contains("Step 2 of 2 stopped"), "{}", said.text);
    let answers = async {
        panel.press(".request button", "Allow once").await;
        panel.until("document.querySelectorAll('.request').length === 0").await;
        panel.press(".request button", "Allow once").await;
    };
    let (said, ()) = tokio::join!(run(), answers);
    assert!(!said.failed, "{}", said.text);
    let page = person.devtools.page(&person.pages.url("/")).await;
    page.until("document.getElementById('out').textContent === 'paid April'").await;
}
