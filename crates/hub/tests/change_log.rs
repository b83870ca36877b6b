//! What is changed of policies, sites and tokens is in the log: who, what, and whether
//! the user confirmed it. Never a secret.

use outrigger_store::{Owner, Store};
use outrigger_testkit::raw_http::ask;
use outrigger_testkit::{Kit, Panel};
use serde_json::{Value, json};

const PERMISSIONS: &str = "/api/v1/chat/tool-permissions";
const TRUST: &str = "/api/v1/domain-trust";
const TOKENS: &str = "/api/v1/tokens";

async fn api(kit: &Kit, method: &str, path: &str, body: Value) -> (u16, Value) {
    let (port, token) = (kit.settings.port, kit.hub().agent_token().reveal());
    let (host, bearer) = (format!("127.0.0.1:{port}"), format!("Bearer {token}"));
    let headers = [
        ("Host", host.as_str()),
        ("Authorization", bearer.as_str()),
        ("Content-Type", "application/json"),
    ];
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let answer = ask(port, method, path, &headers, &body).await;
    (answer.status, serde_json::from_str(&answer.body).unwrap_or_default())
}

fn decided(tools: &str, decision: &str) -> Value {
    json!({"toolPattern": tools, "originPattern": "https://a.example", "decision": decision})
}

#[tokio::test]
async fn changes_are_in_the_log_with_who_made_them_and_what_the_user_said() {
    let kit = Kit::start().await;
    let site = |trust: &str| json!({"domain": "tea.example", "trust": trust});
    let upload = "tab_action:upload";
    // Nobody can be asked yet.
    let (status, _) = api(&kit, "PUT", PERMISSIONS, decided(upload, "allow_always")).await;
    assert_eq!(status, 409);
    let pairing = kit.hub().pairing_token().reveal();
    let mut panel = Panel::link(kit.settings.port, "person", pairing).await;
    assert_eq!(api(&kit, "PUT", PERMISSIONS, decided(upload, "deny_always")).await.0, 200);
    let allow = api(&kit, "PUT", PERMISSIONS, decided("tab_action:click", "allow_always"));
    assert_eq!(tokio::join!(allow, panel.answer(true, "once")).0.0, 200);
    let allow = api(&kit, "PUT", TRUST, site("trusted"));
    assert_eq!(tokio::join!(allow, panel.answer(false, "once")).0.0, 403);
    assert_eq!(api(&kit, "PUT", TRUST, site("blocked")).await.0, 200);
    let make = api(&kit, "POST", TOKENS, json!({"name": "robot", "scope": "act"}));
    assert_eq!(tokio::join!(make, panel.answer(false, "once")).0.0, 403);
    let make = api(&kit, "POST", TOKENS, json!({"name": "robot", "scope": "act"}));
    let (status, made) = tokio::join!(make, panel.answer(true, "once")).0;
    assert_eq!(status, 201, "{made}");
    let (id, secret) = (made["id"].as_i64().unwrap(), made["token"].as_str().unwrap());
    assert_eq!(api(&kit, "DELETE", &format!("{TOKENS}/{id}"), Value::Null).await.0, 200);
    // An agent's plan, for good.
    let client = kit.client().await;
    let plan = json!({"origins": ["https://b.example"], "keys": ["tab_read:dom"], "reason": "x"});
    let asking = client.call("browser_request_access", plan);
    assert!(!tokio::join!(asking, panel.answer(true, "always")).0.failed);
    let press = json!({"command": "forgetRule", "tools": upload, "origins": "https://a.example"});
    panel.command(press).await;
    let forgotten = || async {
        let (_, listed) = api(&kit, "GET", PERMISSIONS, Value::Null).await;
        (listed["items"].as_array()?.len() == 2).then_some(())
    };
    outrigger_testkit::eventually("the denial is forgotten", forgotten).await;

    let home = kit.stop().await;
    let store = Store::open(&home.path().join("outrigger.db")).await.unwrap();
    let logged = store.latest_activity(&Owner::local(), None, 100).await.unwrap();
    let told: Vec<String> = logged
        .iter()
        .filter(|logged| logged.entry.tool.contains(':'))
        .map(|logged| {
            let entry = &logged.entry;
            let (key, origin) = (entry.key.as_deref(), entry.origin.as_deref());
            let decision = entry.decision.as_deref().unwrap_or_default();
            let about = [key, origin].into_iter().flatten().collect::<Vec<_>>().join(" on ");
            format!("{}: {} {about}: {decision}, {}", entry.client, entry.tool, entry.outcome)
        })
        .collect();
    let token = format!("token {id}");
    assert_eq!(
        told,
        [
            "machine token: policy:allow tab_action:upload on https://a.example: nobody_to_ask, unchanged",
            "machine token: policy:deny tab_action:upload on https://a.example: unasked, ok",
            "machine token: policy:allow tab_action:click on https://a.example: confirmed, ok",
            "machine token: trust:add tea.example: refused, unchanged",
            "machine token: trust:block tea.example: unasked, ok",
            "machine token: token:new act: user_refused, unchanged",
            &format!("machine token: token:new act on {token}: confirmed, ok"),
            &format!("machine token: token:revoke {token}: unasked, ok"),
            "rmcp: policy:allow tab_read:dom on https://b.example: answered, ok",
            "user: policy:remove tab_action:upload on https://a.example: pressed, ok",
        ]
    );
    assert!(!format!("{logged:?}").contains(secret), "no secret");
}

#[tokio::test]
async fn a_browser_that_has_no_room_for_the_question_is_no_answer() {
    let kit = Kit::start().await;
    let pairing = kit.hub().pairing_token().reveal();
    let mut first = Panel::link(kit.settings.port, "one", pairing).await;
    let _others = [
        Panel::link(kit.settings.port, "two", pairing).await,
        Panel::link(kit.settings.port, "three", pairing).await,
    ];
    let make = |name: &str| api(&kit, "POST", TOKENS, json!({"name": name, "scope": "act"}));
    // Eight questions may be open: of the third of three each, one finds no room.
    let asked = async {
        first.question_with("robot-1").await.unwrap();
        first.question_with("robot-2").await.unwrap();
        let answered = async {
            let question = first.question_with("robot-3").await.unwrap();
            first.decide(&question, true, "once").await;
        };
        tokio::join!(make("robot-3"), answered).0
    };
    let (status, made) = tokio::select! {
        _ = make("robot-1") => panic!("nobody answered"),
        _ = make("robot-2") => panic!("nobody answered"),
        made = asked => made,
    };
    assert_eq!(status, 201, "{made}");
}
