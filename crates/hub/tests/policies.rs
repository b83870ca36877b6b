//! What the user decides beforehand, over HTTP and in a plan: what tightens holds at
//! once, what loosens only after a real press in the user's own browser.

use outrigger_testkit::raw_http::ask;
use outrigger_testkit::{Answer, Kit, LooseBrowser, Pages, Person, reference};
use serde_json::{Value, json};
use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;

const PERMISSIONS: &str = "/api/v1/chat/tool-permissions";
const TRUST: &str = "/api/v1/domain-trust";

const PAGE: &str = "<!doctype html><title>Tea</title><h1>Green</h1><button>More</button>";

fn origin(person: &Person) -> String {
    person.pages.url("/").trim_end_matches('/').to_owned()
}

async fn go(person: &Person) -> Answer {
    person.client.call("browser_navigate", json!({"url": person.pages.url("/")})).await
}

/// Asks the hub, with its own token.
async fn api(kit: &Kit, method: &str, path: &str, body: Value) -> (u16, Value) {
    let (port, token) = (kit.settings.port, kit.hub().agent_token().reveal().to_owned());
    let (host, bearer) = (format!("127.0.0.1:{port}"), format!("Bearer {token}"));
    let mut headers = vec![("Host", host.as_str()), ("Authorization", bearer.as_str())];
    headers.push(("Content-Type", "application/json"));
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let answer = ask(port, method, path, &headers, &body).await;
    (answer.status, serde_json::from_str(&answer.body).unwrap_or(Value::Null))
}

fn decided(tools: &str, origins: &str, decision: &str) -> Value {
    json!({"toolPattern": tools, "originPattern": origins, "decision": decision})
}

async fn listed(kit: &Kit) -> Vec<Value> {
    let (status, answer) = api(kit, "GET", PERMISSIONS, Value::Null).await;
    assert_eq!(status, 200, "{answer}");
    answer["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn patterns_are_kept_in_one_form_and_bad_ones_refused_with_the_reason() {
    let kit = Kit::start().await;
    assert!(listed(&kit).await.is_empty());
    for (body, code, words) in [
        (decided("tab_action:clik", "*", "deny_always"), "bad_pattern", "is no kind of act"),
        (decided("*", "*.co.uk", "deny_always"), "bad_pattern", "all the world"),
        (decided("*", "https://a.example/x", "deny_always"), "bad_pattern", "beyond an origin"),
        (decided("*", "*", "deny_once"), "bad_decision", "allow_always or deny_always"),
        (json!({"toolPattern": "*"}), "bad_body", "missing field"),
        (json!([]), "bad_body", "0 entries"),
        (
            json!([decided("*", "*", "deny_always"), decided("*", "*", "allow_always")]),
            "bad_body",
            "twice",
        ),
    ] {
        let (status, answer) = api(&kit, "PUT", PERMISSIONS, body.clone()).await;
        assert_eq!((status, answer["code"].as_str()), (400, Some(code)), "{body}: {answer}");
        assert!(answer["error"].as_str().unwrap().contains(words), "{body}: {answer}");
    }
    assert!(listed(&kit).await.is_empty(), "nothing of it was kept");
    let denials = json!([
        decided("tab_action:*", "HTTPS://Example.com:443/", "deny_always"),
        decided("tab_read:dom", "*.MÜNCHEN.de", "deny_always"),
    ]);
    let (status, answer) = api(&kit, "PUT", PERMISSIONS, denials).await;
    assert_eq!((status, answer["items"].as_array().unwrap().len()), (200, 2), "{answer}");
    let items = listed(&kit).await;
    let one = items.iter().find(|item| item["toolPattern"] == "tab_action:*").unwrap();
    assert_eq!(one["originPattern"], "https://example.com");
    assert_eq!(one["decision"], "deny_always");
    assert!(one["updatedAt"].as_str().unwrap().ends_with('Z'), "{one}");
    assert!(items.iter().any(|item| item["originPattern"] == "*.xn--mnchen-3ya.de"), "{items:?}");
    // Without the token nobody is told anything.
    let host = format!("127.0.0.1:{}", kit.settings.port);
    let answer = ask(kit.settings.port, "GET", PERMISSIONS, &[("Host", &host)], "").await;
    assert_eq!(answer.status, 401);
}

#[tokio::test]
async fn what_the_store_says_is_answered_with_its_own_code() {
    let kit = Kit::start().await;
    let options = SqliteConnectOptions::new().filename(kit.settings.home.store_path());
    let mut stranger = options.connect().await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut stranger).await.unwrap();
    let deny = decided("tab_action:upload", "*", "deny_always");
    for (method, path, body) in [
        ("PUT", PERMISSIONS, deny),
        ("PUT", TRUST, json!({"domain": "bank.example", "trust": "blocked"})),
        ("POST", "/api/v1/tokens", json!({"name": "reader"})),
    ] {
        let (status, answer) = api(&kit, method, path, body).await;
        assert_eq!((status, &answer["code"]), (503, &json!("store_locked")), "{path}: {answer}");
        let words = answer["error"].as_str().unwrap();
        assert!(words.contains("locked by another program"), "{words}");
    }
}

#[tokio::test]
async fn nothing_is_loosened_where_nobody_can_be_asked() {
    let kit = Kit::start().await;
    kit.launch().await;
    let allow = decided("*", "*", "allow_always");
    let (status, answer) = api(&kit, "PUT", PERMISSIONS, allow).await;
    assert_eq!((status, answer["code"].as_str()), (409, Some("nobody_to_ask")), "{answer}");
    let deny = decided("*", "https://a.example", "deny_always");
    assert_eq!(api(&kit, "PUT", PERMISSIONS, deny.clone()).await.0, 200);
    assert_eq!(api(&kit, "DELETE", PERMISSIONS, deny).await.0, 409);
    assert_eq!(listed(&kit).await.len(), 1);
    let trusted = json!({"domain": "a.example", "trust": "trusted"});
    assert_eq!(api(&kit, "PUT", TRUST, trusted).await.0, 409);
}

#[tokio::test]
async fn what_tightens_holds_at_once_and_what_loosens_after_a_press_alone() {
    let mut person = Person::start(&[("/", PAGE)]).await;
    let (origin, there) = (origin(&person), person.pages.url("/"));
    let allow = decided("tab_action:navigate", &origin, "allow_always");
    {
        let panel = person.panel().await;
        // Denied in the browser: nothing changes.
        let asked = async {
            let text = panel.asked().await;
            panel.press(".request button", "Deny").await;
            text
        };
        let ((status, answer), question) =
            tokio::join!(api(&person.kit, "PUT", PERMISSIONS, allow.clone()), asked);
        assert_eq!((status, answer["code"].as_str()), (403, Some("refused")), "{answer}");
        for words in ["Always allow this, for every agent", "tab_action:navigate", &origin] {
            assert!(question.contains(words), "{words}: {question}");
        }
        assert!(question.contains("A program with your agent token"), "{question}");
        assert!(listed(&person.kit).await.is_empty());
        // Confirmed: no further question.
        let (put, ()) = tokio::join!(
            api(&person.kit, "PUT", PERMISSIONS, allow.clone()),
            panel.press(".request button", "Confirm")
        );
        assert_eq!(put.0, 200, "{}", put.1);
        let went = go(&person).await;
        assert!(!went.failed, "{}", went.text);
        // The same again loosens nothing.
        assert_eq!(api(&person.kit, "PUT", PERMISSIONS, allow.clone()).await.0, 200);
        // A denial holds at once, and for a session that was allowed before, too.
        let (seen, ()) = tokio::join!(
            person.client.call("browser_snapshot", json!({})),
            panel.press(".request button", "Allow for this session")
        );
        assert!(!seen.failed, "{}", seen.text);
        let deny = decided("*", &origin, "deny_always");
        assert_eq!(api(&person.kit, "PUT", PERMISSIONS, deny).await.0, 200);
        let said = person.client.refused("browser_snapshot", json!({}), "not_allowed").await;
        assert!(said.contains("the user decided so before"), "{said}");
    }
    // All of it outlives the hub.
    person.kit.restart().await;
    assert_eq!(listed(&person.kit).await.len(), 2);
    let removed = api(&person.kit, "DELETE", PERMISSIONS, allow).await;
    assert_eq!((removed.0, &removed.1["removed"]), (200, &json!(1)), "taking an allowance back");
    let client = person.kit.client().await;
    let said = outrigger_testkit::eventually("the browser links again", || async {
        let said = client.call("browser_navigate", json!({"url": there})).await;
        (said.code.as_deref() == Some("not_allowed")).then_some(said.text)
    })
    .await;
    assert!(said.contains("the user decided so before"), "{said}");
}

#[tokio::test]
async fn the_user_sees_what_was_decided_and_takes_it_back_without_being_asked() {
    let person = Person::start(&[("/", PAGE)]).await;
    let options = person.devtools.open_own_page("options.html").await;
    let deny = decided("tab_action:navigate", &origin(&person), "deny_always");
    assert_eq!(api(&person.kit, "PUT", PERMISSIONS, deny).await.0, 200);
    let said = go(&person).await;
    assert!(said.text.contains("the user decided so before"), "{}", said.text);
    options.press("#policies button", "Forget").await;
    options.until("document.querySelector('#policies button') === null").await;
    assert!(listed(&person.kit).await.is_empty());
    options.evaluate("void (document.getElementById('site').value = 'Shop.test')").await;
    options.press("#block-site", "").await;
    options.until("document.querySelector('#sites')?.innerText.includes('shop.test')").await;
    let there = json!({"url": person.pages.url("/").replace("127.0.0.1", "shop.test")});
    let said = person.client.refused("browser_navigate", there, "not_allowed").await;
    assert!(said.contains("blocked this site"), "{said}");
}

#[tokio::test]
async fn a_blocked_site_is_blocked_in_every_browser_until_the_user_lets_it_go() {
    let kit = Kit::start().await;
    let pages = Pages::serve(&[("/", PAGE)]).await;
    let there = pages.url("/").replace("127.0.0.1", "shop.test");
    kit.launch().await;
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": there})).await;
    let (status, answer) =
        api(&kit, "PUT", TRUST, json!({"domain": " Shop.TEST ", "trust": "blocked"})).await;
    assert_eq!((status, answer["domain"].as_str()), (200, Some("shop.test")), "{answer}");
    let said = client.refused("browser_snapshot", json!({}), "not_allowed").await;
    assert!(said.contains("blocked this site"), "{said}");
    client.refused("browser_navigate", json!({"url": there}), "not_allowed").await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let (_, answer) = api(&kit, "GET", TRUST, Value::Null).await;
    assert_eq!(answer["items"][0]["trust"], "blocked");
    for (body, code) in [
        (json!({"domain": "https://a.example", "trust": "blocked"}), "bad_domain"),
        (json!({"domain": "*.a.example", "trust": "blocked"}), "bad_domain"),
        (json!({"domain": "a.example", "trust": "loved"}), "bad_trust"),
    ] {
        let (status, answer) = api(&kit, "PUT", TRUST, body).await;
        assert_eq!((status, answer["code"].as_str()), (400, Some(code)));
    }
    // It is let go in a browser of the user's alone.
    let site = json!({"domain": "shop.test"});
    let browser = LooseBrowser::start(&kit.settings, kit.hub().pairing_token().reveal());
    let devtools = browser.devtools().await;
    let panel = devtools.open_own_page("sidepanel.html").await;
    outrigger_testkit::eventually("it is linked", || async {
        let links = kit.doings().await["links"].as_array().unwrap().len();
        (links == 2).then_some(())
    })
    .await;
    let (removed, ()) =
        tokio::join!(api(&kit, "DELETE", TRUST, site), panel.press(".request button", "Confirm"));
    assert_eq!((removed.0, &removed.1["removed"]), (200, &json!(1)), "{}", removed.1);
    client.ok("browser_navigate", json!({"url": there})).await;
}

#[tokio::test]
async fn what_the_settings_block_no_answer_lets_go() {
    let mut kit = Kit::start().await;
    kit.settings.blocked_domains = vec!["shop.test".to_owned()];
    kit.settings.trusted_domains = vec!["tea.test".to_owned(), "shop.test".to_owned()];
    kit.restart().await;
    let pages = Pages::serve(&[("/", PAGE)]).await;
    kit.launch().await;
    let client = kit.client().await;
    let there = pages.url("/").replace("127.0.0.1", "www.shop.test");
    client.refused("browser_navigate", json!({"url": there}), "not_allowed").await;
    let (_, answer) = api(&kit, "GET", TRUST, Value::Null).await;
    assert_eq!(answer["items"].as_array().unwrap().len(), 3);
    assert_eq!(answer["items"][2]["source"], "config");
    let (_, answer) = api(&kit, "DELETE", TRUST, json!({"domain": "shop.test"})).await;
    assert_eq!(answer["removed"], 0, "it is in no list of the hub's");
    client.refused("browser_navigate", json!({"url": there}), "not_allowed").await;
}

#[tokio::test]
async fn a_plan_is_asked_for_once_and_is_nobody_elses() {
    let person = Person::start(&[("/", PAGE)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let plan =
        |keys: Value| json!({"origins": [origin(&person)], "keys": keys, "reason": "to order tea"});
    let keys = json!(["tab_action:navigate", "tab_read:dom", "tab_action:click"]);
    for (arguments, words) in [
        (plan(json!(["tab_action:evaluate"])), "asked each time"),
        (plan(json!(["tab_action:*"])), "names each"),
        (json!({"origins": ["*"], "keys": keys, "reason": "x"}), "names each"),
        (json!({"origins": ["a.example"], "keys": keys, "reason": "x"}), "is no site"),
    ] {
        let said = client.refused("browser_request_access", arguments, "invalid_arguments").await;
        assert!(said.contains(words), "{said}");
    }
    assert!(!panel.text().await.contains("tea"), "nobody was asked");
    let asked = async {
        let text = panel.asked().await;
        panel.press(".request button", "Allow for this session").await;
        text
    };
    let (said, question) =
        tokio::join!(client.call("browser_request_access", plan(keys.clone())), asked);
    assert!(said.text.contains("for this session"), "{}", said.text);
    for words in ["to order tea", "read the page", "tab_action:click", &origin(&person)] {
        assert!(question.contains(words), "{words}: {question}");
    }
    assert!(!question.contains("Allow once"), "{question}");
    // No more questions.
    assert!(!go(&person).await.failed);
    let seen = client.ok("browser_snapshot", json!({})).await;
    client.ok("browser_click", json!({"ref": reference(&seen, "More")})).await;
    let said = client.ok("browser_request_access", plan(keys.clone())).await;
    assert!(said.contains("allowed already"), "{said}");
    // Code is asked for all the same, and another session for everything.
    let code = json!({"function": "() => 1"});
    let (said, ()) =
        tokio::join!(client.call("browser_evaluate", code), panel.press(".request button", "Deny"));
    assert_eq!(said.code.as_deref(), Some("not_allowed"), "{}", said.text);
    let other = person.kit.client().await;
    let there = json!({"url": person.pages.url("/")});
    let (said, ()) =
        tokio::join!(other.call("browser_navigate", there), panel.press(".request button", "Deny"));
    assert_eq!(said.code.as_deref(), Some("not_allowed"), "{}", said.text);
    assert!(listed(&person.kit).await.is_empty(), "what is for a session is not kept");
    // For good.
    let asking = other.call("browser_request_access", plan(keys.clone()));
    let (said, ()) = tokio::join!(asking, panel.press(".request button", "Always allow"));
    assert!(said.text.contains("from now on"), "{}", said.text);
    assert_eq!(listed(&person.kit).await.len(), 3);
    // What is denied is not asked for again, in a plan either.
    let deny = decided("tab_action:upload", "*", "deny_always");
    assert_eq!(api(&person.kit, "PUT", PERMISSIONS, deny).await.0, 200);
    let upload = plan(json!(["tab_read:dom", "tab_action:upload"]));
    let said = client.refused("browser_request_access", upload, "not_allowed").await;
    assert!(said.contains("tab_action:upload is not allowed"), "{said}");
}

#[tokio::test]
async fn a_frame_without_an_origin_is_of_no_site_even_where_every_site_may_be_read() {
    let outer = "<!doctype html><title>Outer</title><p>Outer words</p>\
        <iframe sandbox srcdoc='<p>Words of nobody</p>'></iframe>";
    let person = Person::start(&[("/", outer)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let everywhere = decided("tab_read:dom", "*", "allow_always");
    let put = api(&person.kit, "PUT", PERMISSIONS, everywhere);
    let ((status, told), ()) = tokio::join!(put, panel.press(".request button", "Confirm"));
    assert_eq!(status, 200, "{told}");
    let (said, ()) = tokio::join!(go(&person), panel.press(".request button", "Allow once"));
    assert!(!said.failed, "{}", said.text);
    let look = client.call("browser_snapshot", json!({}));
    let (seen, ()) = tokio::join!(look, panel.press(".request button", "Allow once"));
    let seen = seen.text;
    assert!(seen.contains("Outer words") && !seen.contains("of nobody"), "{seen}");
}

#[tokio::test]
async fn in_a_throw_away_browser_a_plan_needs_nobody() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    let origin = pages.url("/").trim_end_matches('/').to_owned();
    let plan = json!({"origins": [origin], "keys": ["tab_read:dom"], "reason": "x"});
    let said = client.ok("browser_request_access", plan).await;
    assert!(said.contains("throw-away browser"), "{said}");
}

#[tokio::test]
async fn a_blocked_site_is_not_read_through_a_frame_either() {
    let kit = Kit::start().await;
    let pages = Pages::serve(&[("/inner", PAGE)]).await;
    let inner = pages.url("/inner").replace("127.0.0.1", "shop.test");
    let outer = format!("<!doctype html><title>Out</title><h1>Outer</h1><iframe src={inner}>");
    let outside = Pages::serve(&[("/", &outer)]).await;
    kit.launch().await;
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": outside.url("/")})).await;
    let reading = [
        ("browser_snapshot", json!({})),
        ("browser_find", json!({"query": "Gre"})),
        ("browser_get_visible_text", json!({})),
        ("browser_query_dom", json!({"selector": "h1"})),
    ];
    for (tool, arguments) in &reading {
        let said = client.call(tool, arguments.clone()).await.text;
        assert!(said.contains("Green"), "{tool} reads the frame: {said}");
    }
    let blocked = json!({"domain": "shop.test", "trust": "blocked"});
    assert_eq!(api(&kit, "PUT", TRUST, blocked).await.0, 200);
    for (tool, arguments) in &reading {
        let said = client.call(tool, arguments.clone()).await.text;
        assert!(!said.contains("Green"), "{tool}: {said}");
    }
    let said = client.ok("browser_snapshot", json!({})).await;
    assert!(said.contains("Outer"), "the rest of the page is read: {said}");
}

#[tokio::test]
async fn of_a_list_that_is_not_confirmed_it_is_told_what_holds() {
    let kit = Kit::start().await;
    let list = json!([
        decided("tab_read:dom", "https://a.example", "deny_always"),
        decided("tab_action:click", "https://b.example", "allow_always"),
    ]);
    let (status, answer) = api(&kit, "PUT", PERMISSIONS, list).await;
    assert_eq!((status, answer["code"].as_str()), (409, Some("nobody_to_ask")), "{answer}");
    let said = answer["error"].as_str().unwrap();
    assert!(said.contains("holds: deny tab_read:dom on https://a.example."), "{said}");
    assert!(!said.contains("b.example"), "{said}");
    let held = listed(&kit).await;
    assert_eq!(held.len(), 1, "{held:?}");
    assert_eq!(held[0]["originPattern"], "https://a.example");
    let alone = decided("tab_action:click", "https://b.example", "allow_always");
    let (_, answer) = api(&kit, "PUT", PERMISSIONS, alone).await;
    assert!(!answer["error"].as_str().unwrap().contains("holds"), "{answer}");
}
