//! Actions where several browsers are linked: done in the one that they name, and not
//! begun where each could be meant.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use outrigger_hub::home::Token;
use outrigger_testkit::{Api, Kit, NatsServer, Pages, Peer, PostgresServer};
use serde_json::{Value, json};

const FOLLOW: &str = "/api/v1/events?schema_name=browser.page.context.v1";

const TEA: &str = "<!doctype html><title>Tea</title>
    <button onclick=\"count.textContent = +count.textContent + 1\">Pour</button><p id=count>0</p>";

/// The action is refused, with the browsers that it could mean.
async fn could_mean(api: &Api, context: Value) -> Vec<String> {
    let told = context.to_string();
    let result = api.outcome(&api.order(context).await).await;
    let said = (result["status"].as_str(), result["code"].as_str());
    assert_eq!(said, (Some("refused"), Some("which_browser")), "{told}: {result}");
    let words = result["message"].as_str().unwrap().split_once("extensionId: ").unwrap().1;
    words.split("), ").map(|each| each.split_once(" for ").unwrap().0.to_owned()).collect()
}

/// Holds only where it was poured so often.
fn poured(times: u32, page: &Value) -> Value {
    let target = json!({"xpath": "//p[@id='count']", "text": times.to_string()});
    let (extension, tab) = (&page["session"]["extensionId"], &page["session"]["tabId"]);
    json!({"action": "hover", "target": target, "extensionId": extension, "tabId": tab})
}

#[tokio::test]
async fn an_action_is_done_in_the_browser_that_it_names_and_in_none_by_chance() {
    let (kit, pages) = (Kit::start().await, Pages::serve(&[("/", TEA), ("/two", TEA)]).await);
    kit.launch().await;
    kit.launch().await;
    let api = kit.api();
    let _followed = api.follow(FOLLOW, None).await;
    let go = |path: &str| json!({"action": "navigate", "url": pages.url(path)});
    let both = could_mean(&api, go("/")).await;
    let [one, two] = both.as_slice() else { panic!("{both:?}") };
    for (path, extension) in [("/", one), ("/two", two)] {
        let mut there = go(path);
        there["extensionId"] = json!(extension);
        api.done(there).await;
    }
    let told = api.pages_told(2).await;
    assert_eq!(told[one]["url"], pages.url("/"), "{told:?}");
    assert_eq!(told[two]["url"], pages.url("/two"), "{told:?}");

    // Both pages have an element of that number.
    let mut click = json!({"action": "click", "target": {"highlightIndex": 0}});
    let mut meant = could_mean(&api, click.clone()).await;
    meant.sort();
    assert_eq!(meant, told.keys().cloned().collect::<Vec<_>>());
    click["extensionId"] = json!(one);
    api.done(click).await;
    api.done(poured(1, &told[one])).await;
    api.done(poured(0, &told[two])).await;

    // The tab of one is no tab of the other, unless both have one of that number.
    let absent = json!({"action": "back", "extensionId": two, "tabId": 99_999});
    let gone = json!({"action": "back", "extensionId": "0123456789abcdef"});
    for (context, code) in [(absent, "no_tab"), (gone, "no_browser")] {
        let result = api.outcome(&api.order(context).await).await;
        assert_eq!((&result["status"], &result["code"]), (&json!("refused"), &json!(code)));
    }
}

/// A browser with a tab 7.
async fn peer(kit: &Kit, client_id: &str) -> Peer {
    let token = Token::generate().unwrap();
    kit.hub().expect_throw_away(token.clone());
    let mut peer = Peer::connect(kit.settings.port).await;
    let mut handshake = Peer::handshake(client_id, token.reveal(), &json!([]));
    handshake["tabs"] = json!([{"id": 7, "windowId": 1, "url": "https://a.test/", "title": "A",
        "active": true, "loading": false}]);
    peer.send(&handshake).await;
    assert_eq!(peer.receive().await["type"], "handshake_ack");
    peer
}

#[tokio::test]
async fn a_tab_that_two_browsers_have_is_acted_in_only_where_the_browser_is_named() {
    let kit = Kit::start().await;
    let (mut one, mut two) = (peer(&kit, "ext-1").await, peer(&kit, "ext-2").await);
    let api = kit.api();
    let back = json!({"action": "back", "tabId": 7});
    let both = could_mean(&api, back.clone()).await;
    assert_eq!(both.len(), 2, "{both:?}");
    for (extension, peer) in both.iter().zip([&mut one, &mut two]) {
        let mut named = back.clone();
        named["extensionId"] = json!(extension);
        let id = api.order(named).await;
        fails(peer).await;
        let result = api.outcome(&id).await;
        assert_eq!(result["status"], "failed", "{result}");
    }
    // A hub that has just started waits for its browsers.
    let kit = Kit::start().await;
    let _another = peer(&kit, "ext-2").await;
    let api = kit.api();
    let id = api.order(json!({"action": "back", "tabId": 7, "extensionId": both[0]})).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let mut late = peer(&kit, "ext-1").await;
    fails(&mut late).await;
    let result = api.outcome(&id).await;
    assert_eq!(result["status"], "failed", "{result}");
}

/// The browser is asked for something, and can't.
async fn fails(peer: &mut Peer) {
    let asked = loop {
        let frame = peer.receive().await;
        if frame.get("deadlineMs").is_some() {
            break frame["id"].clone();
        }
    };
    peer.send(&json!({"id": asked, "error": "no", "code": "failed"})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_is_named_wherever_it_is_linked() {
    let (server, nats) = (PostgresServer::start(), NatsServer::start());
    let (near, far) = (
        Kit::in_a_team(&server.url(), Some(&nats)).await,
        Kit::in_a_team(&server.url(), Some(&nats)).await,
    );
    let pages = Pages::serve(&[("/", TEA), ("/far", TEA)]).await;
    let mut all = Vec::new();
    for (kit, path) in [(&near, "/"), (&far, "/far")] {
        kit.launch().await;
        let api = kit.api();
        let _followed = api.follow(FOLLOW, None).await;
        kit.page_in_front(&pages.url(path)).await.leave().await;
        all.extend(api.pages_told(1).await);
    }
    // Written to either hub, each is done in the browser that it names.
    let mut hubs = BTreeMap::<_, BTreeSet<String>>::new();
    for api in [near.api(), far.api()] {
        for (extension, page) in &all {
            let url = &page["url"];
            api.done(json!({"action": "navigate", "url": url, "extensionId": extension})).await;
            for action in ["click", "hover"] {
                let target = json!({"text": "Pour"});
                let named = json!({"action": action, "target": target, "extensionId": extension});
                let hub = api.done(named).await["hub"].as_str().unwrap().to_owned();
                hubs.entry(extension).or_default().insert(hub);
            }
        }
    }
    let each: Vec<_> = hubs.into_values().collect();
    assert!(each.iter().all(|hubs| hubs.len() == 1) && each[0] != each[1], "{each:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_is_of_a_page_that_the_hub_tells_to_which_it_is_written() {
    let (server, nats) = (PostgresServer::start(), NatsServer::start());
    let pages = Pages::serve(&[("/", TEA)]).await;
    let (mut kits, mut followed) = (Vec::new(), Vec::new());
    for _ in 0..2 {
        let kit = Kit::in_a_team(&server.url(), Some(&nats)).await;
        kit.launch().await;
        followed.push(kit.api().follow(FOLLOW, None).await);
        kit.page_in_front(&pages.url("/")).await.leave().await;
        kit.api().pages_told(1).await;
        kits.push(kit);
    }
    let mut hubs = [BTreeSet::new(), BTreeSet::new()];
    for _ in 0..3 {
        for (kit, hubs) in kits.iter().zip(&mut hubs) {
            let click = json!({"action": "click", "target": {"highlightIndex": 0}});
            hubs.insert(kit.api().done(click).await["hub"].to_string());
        }
    }
    assert!(hubs.iter().all(|hubs| hubs.len() == 1) && hubs[0] != hubs[1], "{hubs:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_names_its_browser_does_not_overtake_one_that_names_none() {
    let server = PostgresServer::start();
    let kit = Kit::in_a_team(&server.url(), None).await;
    let pages = Pages::serve(&[("/", TEA), ("/two", TEA)]).await;
    kit.launch().await;
    let api = kit.api();
    let _followed = api.follow(FOLLOW, None).await;
    kit.page_in_front(&pages.url("/two")).await.leave().await;
    let told = api.pages_told(1).await;
    let extension = told.keys().next().unwrap();
    let first = api.order(json!({"action": "navigate", "url": pages.url("/")})).await;
    let target = json!({"text": "Pour"});
    let second = json!({"action": "click", "target": target, "extensionId": extension});
    let second = api.order(second).await;
    for id in [first, second] {
        let result = api.outcome(&id).await;
        assert_eq!(result["status"], "done", "{result}");
    }
}
