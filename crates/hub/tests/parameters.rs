//! Parameters that change what a tool does, in a real Chromium: each is seen to work.

use outrigger_testkit::{Kit, McpClient, Pages, reference};
use serde_json::json;

const PAGE: &str = r#"<!doctype html><title>Parameters</title><meta name="viewport" content="width=device-width">
<main><section aria-label="Outer"><ul><li><button onclick="fetch('/long')">Deep</button></li></ul></section></main>
<p>Tea</p><p>Tea and more</p><button id="go" onclick="this.textContent = 'Gone'">Go</button><input id="q" aria-label="Query">
<div style="height:3000px;background:linear-gradient(red,blue)"></div>"#;

async fn open() -> (Kit, Pages, McpClient) {
    let long = "0123456789".repeat(40);
    let (kit, pages, client) = Kit::with_browser(&[("/", PAGE), ("/long", &long)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/"), "wait": "load"})).await;
    (kit, pages, client)
}

#[tokio::test]
async fn a_picture_has_the_quality_and_width_that_were_asked_for() {
    let (_kit, _pages, client) = open().await;
    let bytes = async |quality: u32| {
        let shot = client.call("browser_screenshot", json!({"quality": quality})).await;
        shot.picture.expect("a picture").len()
    };
    assert!(bytes(1).await < bytes(100).await);
    let narrow = client.ok("browser_screenshot", json!({"max_width": 100})).await;
    assert!(narrow.contains("100×"), "{narrow}");
    for wrong in [
        json!({"quality": 0}),
        json!({"quality": 200}),
        json!({"quality": 500}),
        json!({"max_width": 0}),
    ] {
        let said = client.refused("browser_screenshot", wrong, "invalid_arguments").await;
        assert!(said.contains(" is from "), "{said}");
    }
    let read = json!({"mode": "screenshot", "quality": 30});
    let said = client.ok("tab_read", read).await;
    assert!(said.contains("image/jpeg"), "{said}");
    let said = client.ok("tab_screenshot", json!({"format": "jpeg", "quality": 30})).await;
    assert!(said.contains("image/jpeg"), "{said}");
    client.ok("capture_screen", json!({})).await;
    client.ok("ext_capture_screen", json!({})).await;
}

#[tokio::test]
async fn what_is_read_goes_as_deep_as_long_and_as_exact_as_was_asked_for() {
    let (_kit, _pages, client) = open().await;
    let deep = client.ok("browser_get_filtered_aria_tree", json!({})).await;
    let shallow = client.ok("browser_get_filtered_aria_tree", json!({"max_depth": 1})).await;
    assert!(deep.contains("Deep") && !shallow.contains("Deep"), "{deep}\n{shallow}");
    let some = client.ok("browser_find_by_text", json!({"text": "Tea"})).await;
    let exact = client.ok("browser_find_by_text", json!({"text": "Tea", "exact": true})).await;
    assert!(some.contains("and more") && !exact.contains("and more"), "{some}\n{exact}");

    client.ok("browser_network", json!({})).await;
    client.ok("browser_click", json!({"selector": "main button"})).await;
    let listed = client.ok("browser_network", json!({})).await;
    let line = listed.lines().find(|line| line.contains("/long")).expect(&listed);
    let id: u32 = line
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect::<String>()
        .parse()
        .unwrap();
    let whole = client.ok("browser_network", json!({"id": id})).await;
    let part = client.ok("browser_network", json!({"id": id, "body_letters": 20})).await;
    let twice = "0123456789".repeat(3);
    assert!(whole.contains(&twice) && !part.contains(&twice), "{part}");
    assert!(part.contains("0123456789"), "{part}");
}

#[tokio::test]
async fn a_pdf_leaves_out_backgrounds_that_were_not_asked_for() {
    let (_kit, _pages, client) = open().await;
    let bytes = async |background: bool| {
        let printed = client.call("browser_pdf", json!({"background": background})).await;
        printed.file.expect("a file").len()
    };
    assert!(bytes(false).await < bytes(true).await);
    client.ok("browser_pdf", json!({})).await;
}

#[tokio::test]
async fn a_cookie_lasts_as_long_as_was_asked_for() {
    let (_kit, _pages, client) = open().await;
    for (name, age) in [("brief", 1), ("long", 3600)] {
        let set = json!({"action": "set", "name": name, "value": "v", "max_age": age});
        client.ok("browser_cookies", set).await;
    }
    let gone = json!({"function": "async () => { while (document.cookie.includes('brief')) await new Promise((go) => setTimeout(go, 50)); return document.cookie }", "timeoutMs": 10_000});
    let left = client.ok("browser_evaluate", gone).await;
    assert!(left.contains("long=v"), "{left}");
}

#[tokio::test]
async fn a_page_is_as_large_as_on_the_device_that_was_asked_for() {
    let (_kit, _pages, client) = open().await;
    let width = json!({"function": "() => [innerWidth, devicePixelRatio].join(' by ')"});
    for (device, size) in [("tablet", "820 by 2"), ("laptop", "1440 by 2")] {
        client.ok("browser_emulate", json!({"device": device})).await;
        let said = client.ok("browser_evaluate", width.clone()).await;
        assert!(said.contains(size), "{device}: {said}");
    }
}

#[tokio::test]
async fn other_names_take_what_they_take_elsewhere() {
    let (_kit, pages, client) = open().await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let tab = client.ok("tab_info", json!({})).await;
    let tab: i64 =
        tab.split("id: ").nth(1).unwrap().split_whitespace().next().unwrap().parse().unwrap();
    client.ok("tabs_create", json!({"url": "about:blank"})).await;
    // Each in the tab that it names, which is not the current one.
    client.ok("click", json!({"tabId": tab, "ref": reference(&seen, "Query")})).await;
    client.ok("type", json!({"tabId": tab, "text": "oolong"})).await;
    let found = client.ok("find", json!({"tabId": tab, "query": "oolong"})).await;
    assert!(found.contains("oolong"), "{found}");
    let read = client.ok("tab_read", json!({"tabId": tab, "mode": "dom"})).await;
    assert!(read.contains("Tea and more"), "{read}");
    let scrolled = client.ok("tab_scroll", json!({"tabId": tab, "deltaY": 300})).await;
    assert!(scrolled.contains("there is more above"), "{scrolled}");
    let there = json!({"tabId": tab, "function": "() => 'at ' + scrollY"});
    let said = client.ok("browser_evaluate", there.clone()).await;
    assert!(said.contains("at 300"), "{said}");
    client.ok("tab_action", json!({"tabId": tab, "action": "scroll", "deltaY": -300})).await;
    let said = client.ok("browser_evaluate", there).await;
    assert!(said.contains("at 0"), "{said}");
    let place = json!({"tabId": tab, "function": "() => { const { x, y } = go.getBoundingClientRect(); return [x + 5, y + 5].map(Math.round) }"});
    let place = client.ok("browser_evaluate", place).await;
    let [x, y] = place
        .split(['[', ']'])
        .nth(1)
        .unwrap()
        .split(',')
        .map(|n| n.trim().parse::<i64>().unwrap())
        .collect::<Vec<_>>()[..]
    else {
        panic!("{place}")
    };
    let said = client.ok("click", json!({"tabId": tab, "x": x, "y": y})).await;
    assert!(said.contains("Gone"), "{said}");
    client.ok("navigate", json!({"tabId": tab, "url": pages.url("/long")})).await;
    assert!(client.ok("tab_info", json!({"tabId": tab})).await.contains("/long"));
}

#[tokio::test]
async fn an_empty_tab_is_called_empty() {
    let (_kit, _pages, client) = Kit::with_browser(&[]).await;
    client.ok("tabs_create", json!({"url": "about:blank"})).await;
    let said = client.ok("browser_evaluate", json!({"function": "() => 6 * 7"})).await;
    assert!(said.contains("42"), "{said}");
    let said = client.ok("browser_vitals", json!({})).await;
    assert!(said.contains("empty"), "{said}");
}

#[tokio::test]
async fn what_can_be_dragged_has_a_ref() {
    let page = r#"<!doctype html><title>D</title><div draggable="true" id="card">Card</div><div draggable="false">Fixed</div>
        <div id="box" ondragover="event.preventDefault()" ondrop="this.textContent = 'dropped'" style="height:90px">Box</div>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let said =
        client.ok("browser_drag", json!({"from": reference(&seen, "Card"), "to": "#box"})).await;
    assert!(said.contains("dropped"), "{said}");
    assert!(
        !seen.lines().any(|line| line.contains("Fixed") && line.contains("<generic")),
        "{seen}"
    );
}
