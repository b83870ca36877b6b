//! Whose a tab is, in a real Chromium: sessions, their tab groups and windows,
//! and the user's own tabs.

use outrigger_dispatch::Notices;
use outrigger_hub::agent_client::AgentClient;
use outrigger_hub::home::Token;
use outrigger_hub::settings::{TabsAtEnd, Window};
use outrigger_protocol::agent::{Content, Hello};
use outrigger_testkit::{Kit, LooseBrowser, McpClient, Pages, SHOP, Target, eventually, reference};
use serde_json::{Value, json};

/// The number in "Opened tab 5; …".
fn opened(said: &str) -> i64 {
    let words: Vec<&str> = said.split(|c: char| !c.is_ascii_digit()).collect();
    words.iter().find_map(|word| word.parse().ok()).unwrap_or_else(|| panic!("no tab in: {said}"))
}

async fn open(client: &McpClient, url: &str) -> i64 {
    opened(&client.ok("browser_tabs", json!({"action": "open", "url": url})).await)
}

async fn mark(client: &McpClient, tab: i64) -> String {
    let list = client.ok("browser_tabs", json!({"action": "list"})).await;
    let prefix = format!("tab {tab}");
    let line = list.lines().find(|line| line.starts_with(&prefix)).unwrap_or_default().to_owned();
    line.split_once(':').map_or(line.clone(), |(head, _)| head.to_owned())
}

async fn until_marked(client: &McpClient, tab: i64, wanted: &str) {
    let wanted = format!("tab {tab}{wanted}");
    let look = || async { (mark(client, tab).await == wanted).then_some(()) };
    eventually(&format!("the list says {wanted:?}"), look).await;
}

/// Tab, group title and colour, window of a tab.
async fn group(worker: &Target<'_>, tab: i64) -> Value {
    let look = format!(
        "chrome.tabs.get({tab}).then(async (tab) => {{ \
           const group = tab.groupId < 0 ? undefined : await chrome.tabGroups.get(tab.groupId); \
           return {{ id: tab.groupId, title: group?.title, color: group?.color, window: tab.windowId }} }})"
    );
    worker.evaluate(&look).await
}

#[tokio::test]
async fn each_session_has_a_tab_group_of_its_own() {
    let (kit, pages) = (Kit::start().await, Pages::serve(&[("/", SHOP)]).await);
    let browser = kit.loose_browser().await;
    let devtools = browser.devtools().await;
    let worker = devtools.worker().await;
    let (one, two) = (kit.client().await, kit.client().await);
    let first = open(&one, &pages.url("/")).await;
    let second = open(&one, &pages.url("/")).await;
    let other = open(&two, &pages.url("/")).await;
    let (first, second) = (group(&worker, first).await, group(&worker, second).await);
    assert_eq!(first, second, "one group holds all tabs of a session");
    assert_eq!(first["title"], "rmcp", "it is called what its client calls itself: {first}");
    let other = group(&worker, other).await;
    assert_ne!(first["id"], other["id"]);
    assert_ne!(first["color"], other["color"]);
    assert_eq!(first["window"], other["window"]);
}

#[tokio::test]
async fn a_session_gets_a_window_of_its_own_where_the_settings_say_so() {
    let (mut kit, pages) = (Kit::start().await, Pages::serve(&[("/", SHOP)]).await);
    kit.settings.window = Window::Own;
    kit.restart().await;
    let browser = kit.loose_browser().await;
    let devtools = browser.devtools().await;
    let worker = devtools.worker().await;
    let look = "chrome.windows.getAll().then((all) => all.map(({ id }) => id))";
    let before = worker.evaluate(look).await;
    let client = kit.client().await;
    let tabs = [open(&client, &pages.url("/")).await, open(&client, &pages.url("/")).await];
    let (first, second) = (group(&worker, tabs[0]).await, group(&worker, tabs[1]).await);
    assert!(!before.as_array().unwrap().contains(&first["window"]), "{before} {first}");
    assert_eq!(first, second);
    for tab in tabs {
        client.ok("browser_tabs", json!({"action": "close", "id": tab})).await;
    }
    let as_before = format!("{look}.then((all) => JSON.stringify(all) === '{before}')");
    worker.until(&as_before).await;
}

#[tokio::test]
async fn dragging_a_tab_into_the_group_shares_it_and_out_of_it_takes_it_back() {
    let (kit, pages) = (Kit::start().await, Pages::serve(&[("/", SHOP)]).await);
    let browser = kit.loose_browser().await;
    let devtools = browser.devtools().await;
    let worker = devtools.worker().await;
    let client = kit.client().await;
    let own = open(&client, &pages.url("/")).await;
    let make =
        format!("chrome.tabs.create({{url: {}}}).then(({{ id }}) => id)", json!(pages.url("/")));
    let users = worker.evaluate(&make).await.as_i64().unwrap();
    until_marked(&client, users, "").await;

    let in_group = group(&worker, own).await["id"].clone();
    worker
        .evaluate(&format!("chrome.tabs.group({{tabIds: [{users}], groupId: {in_group}}})"))
        .await;
    until_marked(&client, users, " (yours)").await;
    let other = kit.client().await;
    let said = other.refused("browser_snapshot", json!({"tab": users}), "not_your_tab").await;
    assert!(said.contains("another agent session (") && said.contains("http-"), "{said}");

    worker.evaluate(&format!("chrome.tabs.ungroup([{users}, {own}])")).await;
    until_marked(&client, users, "").await;
    until_marked(&client, own, "").await;
}

#[tokio::test]
async fn a_persons_own_tab_is_refused_until_it_is_shared() {
    let (mut kit, pages) = (Kit::start().await, Pages::serve(&[("/", SHOP)]).await);
    kit.settings.ask_seconds = 1;
    kit.restart().await;
    let browser = kit.personal_browser().await;
    let devtools = browser.devtools().await;
    let worker = devtools.worker().await;
    let make =
        format!("chrome.tabs.create({{url: {}}}).then(({{ id }}) => id)", json!(pages.url("/")));
    let users = worker.evaluate(&make).await.as_i64().unwrap();
    let client = kit.client().await;
    let look = json!({"tab": users});
    eventually("the hub knows the tab", || async {
        let answer = client.call("browser_snapshot", look.clone()).await;
        (answer.code.as_deref() != Some("no_tab")).then_some(())
    })
    .await;
    let said = client.refused("browser_snapshot", look.clone(), "not_your_tab").await;
    assert!(said.contains("user's own") && said.contains("request"), "{said}");
    client.refused("browser_tabs", json!({"action": "close", "id": users}), "not_your_tab").await;

    let panel = devtools.open_own_page("sidepanel.html").await;
    panel.press("#tab-buttons button", "Share with").await;
    // Whose it is, is settled; what may be done there, the guard says.
    eventually("it is shared", || async {
        let answer = client.call("browser_snapshot", look.clone()).await;
        (answer.code.as_deref() == Some("not_allowed")).then_some(())
    })
    .await;
    assert_ne!(group(&worker, users).await["id"], -1, "it stands in the session's group");
    panel.press("#tab-buttons button", "Take it back").await;
    eventually("it is the user's again", || async {
        let answer = client.call("browser_snapshot", look.clone()).await;
        (answer.code.as_deref() == Some("not_your_tab")).then_some(())
    })
    .await;
}

#[tokio::test]
async fn what_was_downloaded_before_a_tab_was_shared_is_the_users_alone() {
    let page = "<!doctype html><title>Files</title><a href=/file/1>Private</a> \
        <a href=/file/2>Shared</a>";
    let (kit, pages) = (Kit::start().await, Pages::serve(&[("/", page)]).await);
    let browser = kit.personal_browser().await;
    browser.open(&pages.url("/")).await;
    let devtools = browser.devtools().await;
    let (worker, users) = (devtools.worker().await, devtools.page(&pages.url("/")).await);
    let saved = |count: usize| {
        format!(
            "chrome.storage.session.get('downloads').then(({{ downloads }}) => downloads?.length === {count})"
        )
    };
    users.press("a", "Private").await;
    worker.until(&saved(1)).await;

    let client = kit.client().await;
    client.ok("browser_tabs", json!({"action": "list"})).await;
    let panel = devtools.open_own_page("sidepanel.html").await;
    panel.press("#tab-buttons button", "Share with").await;
    panel.until("document.querySelector('#tab-buttons').innerText.includes('Take it back')").await;
    let (said, ()) = tokio::join!(
        client.call("browser_downloads", json!({})),
        panel.press(".request button", "Allow for this session")
    );
    assert!(said.text.contains("downloaded nothing"), "{}", said.text);
    users.press("a", "Shared").await;
    worker.until(&saved(2)).await;
    let said = client.ok("browser_downloads", json!({"wait": true})).await;
    assert!(said.contains("/file/2") && !said.contains("/file/1"), "{said}");
}

#[tokio::test]
async fn an_agent_at_work_takes_no_focus() {
    let (kit, pages) = (Kit::start().await, Pages::serve(&[("/", SHOP)]).await);
    let browser = kit.loose_browser().await;
    let _front = kit.page_in_front(&pages.url("/")).await;
    let devtools = browser.devtools().await;
    let worker = devtools.worker().await;
    let look = "chrome.windows.getLastFocused({populate: true}).then(({ id, focused, tabs }) => \
                    ({ id, focused, tab: tabs.find(({ active }) => active).id }))";
    let before = worker.evaluate(look).await;
    assert_eq!(before["focused"], true, "{before}");
    let client = kit.client().await;
    open(&client, &pages.url("/")).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let field = reference(&seen, "Search");
    client.ok("browser_click", json!({"ref": field})).await;
    client.ok("browser_type", json!({"ref": field, "text": "tea"})).await;
    client.ok("browser_screenshot", json!({})).await;
    assert_eq!(worker.evaluate(look).await, before);
}

#[tokio::test]
async fn a_session_that_ends_leaves_or_closes_the_tabs_that_it_opened() {
    for (at_end, left) in [(TabsAtEnd::Keep, 2), (TabsAtEnd::Close, 1)] {
        let (mut kit, pages) = (Kit::start().await, Pages::serve(&[("/", SHOP)]).await);
        kit.settings.tabs_at_end = at_end;
        kit.restart().await;
        let browser = kit.loose_browser().await;
        let devtools = browser.devtools().await;
        let worker = devtools.worker().await;
        let client = kit.client().await;
        let own = open(&client, &pages.url("/")).await;
        let make = format!("chrome.tabs.create({{url: {}}})", json!(pages.url("/")));
        let shared = worker.evaluate(&format!("{make}.then(({{ id }}) => id)")).await;
        let in_group = group(&worker, own).await["id"].clone();
        let join = format!("chrome.tabs.group({{tabIds: [{shared}], groupId: {in_group}}})");
        worker.evaluate(&join).await;
        until_marked(&client, shared.as_i64().unwrap(), " (yours)").await;
        client.leave().await;
        let count = format!(
            "chrome.tabs.query({{url: {}}}).then((all) => all.length === {left})",
            json!(pages.url("/"))
        );
        worker.until(&count).await;
        let still = format!("chrome.tabs.get({shared}).then(() => true)");
        assert_eq!(worker.evaluate(&still).await, true, "what was shared stays");
    }
}

#[tokio::test]
async fn a_session_finds_its_tabs_again_after_the_worker_died() {
    let (kit, pages) = (Kit::start().await, Pages::serve(&[("/", SHOP)]).await);
    let browser = kit.loose_browser().await;
    let devtools = browser.devtools().await;
    let client = kit.client().await;
    let own = open(&client, &pages.url("/")).await;
    let other = kit.client().await;
    browser.kill_worker().await;
    // One of the extension's own pages wakes it.
    let _panel = devtools.open_own_page("sidepanel.html").await;
    eventually("the browser links again", || async {
        let answer = client.call("browser_tabs", json!({"action": "list", "timeoutMs": 500})).await;
        answer.text.contains(&format!("tab {own} (current)")).then_some(())
    })
    .await;
    assert!(client.ok("browser_snapshot", json!({})).await.contains("Shop"));
    other.refused("browser_snapshot", json!({"tab": own}), "not_your_tab").await;
}

/// What a process that serves one agent is told, as `outrigger mcp` is.
async fn told(agent: &AgentClient, tool: &str, arguments: Value) -> String {
    let reply = agent.call_tool(tool.to_owned(), arguments, Notices::default()).await;
    let texts = reply.content.into_iter().filter_map(|piece| match piece {
        Content::Text { text } => Some(text),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

async fn agent(kit: &Kit, session: &str) -> std::sync::Arc<AgentClient> {
    let hello = Hello {
        client: "test".to_owned(),
        session: session.to_owned(),
        ends_with_connection: true,
        launch: None,
        own_window: false,
    };
    AgentClient::connect(&kit.settings, hello).await.unwrap()
}

#[tokio::test]
async fn a_session_that_comes_back_after_the_hub_was_away_has_its_tabs_again() {
    let (mut kit, pages) = (Kit::start().await, Pages::serve(&[("/", SHOP)]).await);
    let token = Token::generate().unwrap();
    kit.hub().expect_throw_away(token.clone());
    let _browser = LooseBrowser::start(&kit.settings, token.reveal());
    let list = json!({"action": "list", "timeoutMs": 500});
    let first = agent(&kit, "mcp-first").await;
    eventually("the browser links", || async {
        (!told(&first, "browser_tabs", list.clone()).await.contains("no_browser")).then_some(())
    })
    .await;
    let open = json!({"action": "open", "url": pages.url("/")});
    let own = opened(&told(&first, "browser_tabs", open).await);
    kit.restart().await;
    kit.hub().expect_throw_away(token);
    // The browser is there before the session is: then too.
    let other = agent(&kit, "mcp-other").await;
    let prefix = format!("tab {own}");
    eventually("the browser links again", || async {
        told(&other, "browser_tabs", list.clone()).await.contains(&prefix).then_some(())
    })
    .await;
    let first = agent(&kit, "mcp-first").await;
    let listed = told(&first, "browser_tabs", list.clone()).await;
    assert!(listed.contains(&format!("{prefix} (current)")), "{listed}");
    assert!(told(&first, "browser_snapshot", json!({})).await.contains("Tea shop"));
    let said = told(&other, "browser_snapshot", json!({"tab": own})).await;
    assert!(said.starts_with("not_your_tab"), "{said}");
}
