//! Actions of records in a person's own browser: each is asked for as its author's, and
//! an agent's name gives nobody what another program was allowed.

use std::time::Duration;

use crate::shown_tokens::{DAY, TOKENS, confirmed_token, now_ms};
use outrigger_store::tokens::Scope;
use outrigger_store::{Owner, Store};
use outrigger_testkit::{Api, Kit, Panel, Person, Target};
use serde_json::{Value, json};

const RECORDS: &str = "/api/v1/records";

const TEA: &str = "<!doctype html><title>Tea</title>
    <button onclick=\"count.textContent = +count.textContent + 1\">Pour</button>
    <p id=count>0</p>";

async fn define_tea(api: &Api) {
    let definition = json!({"schema_name": "agent.def.v1", "context": {"agent_id": "tea",
        "subscriptions": {"selectors": [{"schema_name": "note.v1"}]}}});
    assert_eq!(api.ask("POST", RECORDS, definition).await.status, 201);
}

/// Asks for an action in the name of the agent.
async fn order_for_tea(api: &Api, context: Value) -> String {
    let body = json!({"schema_name": "browser.action.v1", "context": context});
    let made = api.ask_with("POST", RECORDS, &[("Outrigger-Agent", "tea")], body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    made.body["id"].as_str().unwrap().to_owned()
}

/// What came of an action whose question was answered so, and what was asked.
async fn answered(api: &Api, id: &str, panel: &Target<'_>, answer: &str) -> (Value, String) {
    let asked = panel.asked().await;
    panel.press(".request button", answer).await;
    panel.until("document.querySelector('.request') === null").await;
    (api.outcome(id).await, asked)
}

#[tokio::test]
async fn an_action_in_a_persons_browser_is_done_when_they_allow_it_and_not_before() {
    let person = Person::start(&[("/", TEA)]).await;
    let (api, panel) = (person.kit.api(), person.panel().await);
    let there = json!({"action": "navigate", "url": person.pages.url("/")});
    let id = api.order(there.clone()).await;
    let (result, asked) = answered(&api, &id, &panel, "Deny").await;
    assert!(asked.contains("records asks") && asked.contains("127.0.0.1"), "{asked}");
    assert_eq!((&result["status"], &result["code"]), (&json!("refused"), &json!("not_allowed")));
    assert!(!person.devtools.has_page(&person.pages.url("/")).await, "nothing was opened");
    let id = api.order(there).await;
    let (result, _) = answered(&api, &id, &panel, "Allow once").await;
    assert_eq!(result["status"], "done", "{result}");
    let page = person.devtools.page(&person.pages.url("/")).await;
    let pour = json!({"action": "click", "target": {"text": "Pour"}});
    for (answer, status, count) in [("Deny", "refused", "0"), ("Allow once", "done", "1")] {
        let id = api.order(pour.clone()).await;
        let (result, _) = answered(&api, &id, &panel, answer).await;
        assert_eq!(result["status"], status, "{result}");
        assert_eq!(page.evaluate("count.textContent").await, count);
    }
}

#[tokio::test]
async fn an_agents_name_gives_a_token_nothing_of_another_ones_tabs_and_grants() {
    let person = Person::start(&[("/", TEA)]).await;
    let (kit, panel) = (&person.kit, person.panel().await);
    define_tea(&kit.api()).await;
    let (one, first) = confirmed_token(kit, Scope::Act).await;
    let (two, second) = confirmed_token(kit, Scope::Act).await;
    let (first, second) =
        (Api::new(kit.settings.port, &first), Api::new(kit.settings.port, &second));
    let there = json!({"action": "navigate", "url": person.pages.url("/")});
    let pour = json!({"action": "click", "target": {"text": "Pour"}});
    for wanted in [&there, &pour] {
        let id = order_for_tea(&first, wanted.clone()).await;
        let (result, asked) = answered(&first, &id, &panel, "Allow for this session").await;
        assert_eq!(result["status"], "done", "{result}");
        assert!(asked.contains(&format!("tea of token {one} asks")), "{asked}");
    }
    let page = person.devtools.page(&person.pages.url("/")).await;
    let id = order_for_tea(&first, pour.clone()).await;
    assert_eq!(first.outcome(&id).await["status"], "done", "it is not asked again");
    assert_eq!(page.evaluate("count.textContent").await, "2");

    let id = order_for_tea(&second, pour).await;
    let result = second.outcome(&id).await;
    assert_eq!((&result["status"], &result["code"]), (&json!("refused"), &json!("no_tab")));
    let id = order_for_tea(&second, there).await;
    let (result, asked) = answered(&second, &id, &panel, "Deny").await;
    assert_eq!(result["status"], "refused", "{result}");
    assert!(asked.contains(&format!("tea of token {two} asks")), "{asked}");
    assert_eq!(page.evaluate("count.textContent").await, "2");
}

#[tokio::test]
async fn what_a_revoked_token_asked_for_in_an_agents_name_is_not_done() {
    let kit = Kit::start().await;
    let api = kit.api();
    define_tea(&api).await;
    let pairing = kit.hub().pairing_token().reveal();
    let mut panel = Panel::link(kit.settings.port, "person", pairing).await;
    let (id, word) = confirmed_token(&kit, Scope::Act).await;
    let program = Api::new(kit.settings.port, &word);
    let there = json!({"action": "navigate", "url": "https://a.example/"});
    let asked = order_for_tea(&program, there.clone()).await;
    let waiting = order_for_tea(&program, there).await;
    let question = panel.question().await.unwrap();
    assert_eq!(question["session"], format!("token-{id}-agent-tea"), "{question}");
    let revoked = api.ask("DELETE", &format!("{TOKENS}/{id}"), Value::Null).await;
    assert_eq!(revoked.status, 200, "{}", revoked.body);
    panel.decide(&question, true, "session").await;
    let result = api.outcome(&asked).await;
    assert_eq!(result["status"], "unknown", "{result}");
    assert!(result["message"].as_str().unwrap().contains("token of its author ended"), "{result}");
    let result = api.outcome(&waiting).await;
    assert_eq!((&result["status"], &result["code"]), (&json!("refused"), &json!("not_allowed")));
    assert!(result["message"].as_str().unwrap().contains("no longer good"), "{result}");
    // What the browser hears after all of that is the first thing that it is asked.
    let last =
        order_for_tea(&api, json!({"action": "navigate", "url": "https://b.example/"})).await;
    let question = panel.question_with("b.example").await.unwrap();
    assert_eq!(question["session"], "agent-tea", "{question}");
    assert_eq!(panel.asked, [] as [Value; 0], "nothing was done");
    panel.decide(&question, false, "once").await;
    assert_eq!(api.outcome(&last).await["status"], "refused");
}

#[tokio::test]
async fn what_was_asked_for_with_a_token_that_has_expired_is_not_done_whatever_the_clock_says() {
    let kit = Kit::start().await;
    let api = kit.api();
    let pairing = kit.hub().pairing_token().reveal();
    let mut panel = Panel::link(kit.settings.port, "person", pairing).await;
    let store = Store::open(&kit.settings.home.store_path()).await.unwrap();
    let hour = Some(Duration::from_secs(3600));
    let made = store.new_token(&Owner::local(), "t", Scope::Act, hour, now_ms()).await;
    let (info, secret) = made.unwrap();
    let program = Api::new(kit.settings.port, secret.reveal());
    let there = json!({"action": "navigate", "url": "https://a.example/"});
    let asked = program.order(there.clone()).await;
    let waiting = program.order(there).await;
    let question = panel.question().await.unwrap();
    assert_eq!(question["session"], format!("token-{}-records", info.id));
    store.prove_writable(now_ms() + DAY).await.unwrap();
    assert_eq!(api.outcome(&asked).await["status"], "unknown");
    let result = api.outcome(&waiting).await;
    assert_eq!((&result["status"], &result["code"]), (&json!("refused"), &json!("not_allowed")));
    assert_eq!(panel.asked, [] as [Value; 0], "nothing was done");
}
