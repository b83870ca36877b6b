//! Whatever leads a tab to a site where agents may not go, in a real Chromium: a
//! redirect, a refresh, a script, a new window. Where it ends is judged before
//! anything of it is told.

use outrigger_testkit::{Api, Kit, McpClient, Person, eventually, reference};
use serde_json::{Value, json};

const DIARY: &str = "<!doctype html><title>Secret</title><p>Dear diary</p>";
const HALL: &str = "<!doctype html><title>Hall</title><h1>Hall</h1>\
    <button onclick=\"location.assign('ELSEWHERE/diary')\">Wander</button>\
    <button onclick=\"window.open('ELSEWHERE/diary')\">Window</button>";
const REFRESH: &str = "<!doctype html><title>Hop</title>\
    <meta http-equiv=refresh content='0;url=ELSEWHERE/diary'>";

/// Changes what the user decided, with the hub's own token.
async fn tighten(kit: &Kit, path: &str, body: Value) {
    let api = Api::new(kit.settings.port, kit.hub().agent_token().reveal());
    let answer = api.ask("PUT", path, body).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
}

fn assert_silent(said: &str) {
    assert!(!said.contains("Secret") && !said.contains("diary"), "{said}");
}

/// The tab is there now, and nothing of it is read.
async fn until_unreadable(client: &McpClient, tab: &Value) {
    eventually("it is where it was led", || async {
        let said = client.call("browser_snapshot", tab.clone()).await;
        assert_silent(&said.text);
        match said.code.as_deref() {
            Some("not_allowed") => Some(()),
            // It is still on its way, or went while it was looked at.
            None | Some("origin_changed") => None,
            Some(_) => panic!("{}", said.text),
        }
    })
    .await;
    for tool in ["browser_get_visible_text", "browser_screenshot"] {
        assert_silent(&client.refused(tool, tab.clone(), "not_allowed").await);
    }
}

#[tokio::test]
async fn no_way_that_leads_to_a_denied_site_tells_anything_of_it() {
    let person = Person::start(&[("/", HALL), ("/refresh", REFRESH), ("/diary", DIARY)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let denied = person.pages.elsewhere("");
    let denial = json!({"toolPattern": "*", "originPattern": denied, "decision": "deny_always"});
    tighten(&person.kit, "/api/v1/chat/tool-permissions", denial).await;
    let allow = async |tool: &str, arguments: Value| {
        let (said, ()) = tokio::join!(
            client.call(tool, arguments),
            panel.press(".request button", "Always allow")
        );
        assert!(!said.failed, "{}", said.text);
        said.text
    };
    let hall = json!({"url": person.pages.url("/")});
    allow("browser_navigate", hall.clone()).await;
    let seen = allow("browser_snapshot", json!({})).await;
    // A script.
    let said = allow("browser_click", json!({"ref": reference(&seen, "Wander")})).await;
    assert_silent(&said);
    assert!(said.contains("may not read") && !said.contains("browser_snapshot"), "{said}");
    until_unreadable(client, &json!({})).await;
    // A new window.
    client.ok("browser_navigate", hall).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Window")})).await;
    assert_silent(&said);
    let (_, opened) = said.split_once("It opened tab ").unwrap_or_else(|| panic!("{said}"));
    let opened: i64 = opened.split('.').next().unwrap().parse().unwrap();
    until_unreadable(client, &json!({"tab": opened})).await;
    // A redirect. It is no success, and not even where it led is told.
    let hop = person.pages.url(&format!("/redirect/{denied}/diary"));
    let said = client.refused("browser_navigate", json!({"url": hop}), "not_allowed").await;
    assert_silent(&said);
    assert!(said.contains("leads to another site") && !said.contains("localhost"), "{said}");
    // A refresh, which begins when the page is there already.
    let hop = json!({"url": person.pages.url("/refresh")});
    let said = client.call("browser_navigate", hop).await;
    assert_silent(&said.text);
    if said.failed {
        assert_eq!(said.code.as_deref(), Some("not_allowed"), "{}", said.text);
    } else {
        until_unreadable(client, &json!({})).await;
    }
}

#[tokio::test]
async fn a_redirect_to_a_blocked_site_is_no_success_in_any_browser() {
    let (kit, pages, client) = Kit::with_browser(&[("/diary", DIARY)]).await;
    let blocked = json!({"domain": "diary.test", "trust": "blocked"});
    tighten(&kit, "/api/v1/domain-trust", blocked).await;
    let secret = pages.url("/diary").replace("127.0.0.1", "diary.test");
    let hop = pages.url(&format!("/redirect/{secret}"));
    for (tool, arguments) in [
        ("browser_navigate", json!({"url": hop})),
        ("browser_tabs", json!({"action": "open", "url": hop})),
    ] {
        let said = client.refused(tool, arguments, "not_allowed").await;
        assert_silent(&said);
        assert!(said.contains("blocked this site"), "{said}");
        let list = client.ok("browser_tabs", json!({"action": "list"})).await;
        assert!(list.contains("about:blank") && !list.contains("diary"), "{list}");
    }
    // The way itself is open.
    let elsewhere = secret.replace("diary.test", "garden.test");
    let hop = pages.url(&format!("/redirect/{elsewhere}"));
    let said = client.ok("browser_navigate", json!({"url": hop})).await;
    assert!(said.contains("Secret"), "{said}");
}
