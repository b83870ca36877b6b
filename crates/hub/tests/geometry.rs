//! Where an element is, the pointer goes: in frames, shadow roots and scrolled
//! boxes, under transforms, below sticky headers. What lies above it is named.

use outrigger_hub::home::Token;
use outrigger_testkit::{Kit, LooseBrowser, McpClient, Pages, reference};
use serde_json::json;

/// A button that says what it got.
const BUTTON: &str = r#"<!doctype html><title>I</title><body style="margin:0;height:1500px">
<button style="position:absolute;left:40px;top:900px;width:60px;height:20px">Inner</button>
<script>addEventListener('click', (event) => {
    document.querySelector('button').textContent = 'got ' + event.target.localName + ' ' + event.isTrusted })</script>"#;

async fn open(pages: &[(&str, &str)]) -> (Kit, Pages, McpClient, String) {
    let (kit, pages, client) = Kit::with_browser(pages).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({"scope": "page"})).await;
    (kit, pages, client, seen)
}

#[tokio::test]
async fn a_frame_of_another_site_is_clicked_into_wherever_it_stands() {
    let outer = r#"<!doctype html><title>O</title><body style="margin:0"><p style="height:1200px">Far down:</p>
        <div style="height:300px;overflow:auto;width:600px"><p style="height:700px">Further</p>
        <iframe src="ELSEWHERE/middle" style="border:7px solid;padding:5px;width:400px;height:300px;transform:scale(0.8) rotate(3deg)"></iframe></div>"#;
    // Back on the first site, inside the other one.
    let middle = r#"<!doctype html><title>M</title><body style="margin:0"><p style="height:800px">More</p>
        <iframe id="f" style="border:3px solid;width:300px;height:200px"></iframe>
        <script>f.src = document.referrer + 'inner'</script>"#;
    let (_kit, _pages, client, seen) =
        open(&[("/", outer), ("/middle", middle), ("/inner", BUTTON)]).await;
    let inner = reference(&seen, "Inner");
    let said = client.ok("browser_click", json!({"ref": inner})).await;
    assert!(said.contains("got button true"), "{said}");
}

/// Which process gets a press is decided by what was drawn last, and a tab behind
/// another one is hardly drawn.
#[tokio::test]
async fn a_frame_of_another_site_is_clicked_into_however_the_tab_behind_was_scrolled() {
    let outer = r#"<!doctype html><title>O</title><body style="margin:0">
        <iframe src="ELSEWHERE/inner" style="margin:60px;width:400px;height:300px"></iframe>
        <p style="height:2000px">Far down:</p><button>Below</button>"#;
    let inner = r#"<!doctype html><title>I</title><button onclick="count.textContent++">Inner</button><p id="count">0</p>"#;
    let (kit, pages, client, seen) = open(&[("/", outer), ("/inner", inner)]).await;
    let _front = kit.page_in_front(&pages.url("/inner")).await;
    let click = |name| json!({"ref": reference(&seen, name)});
    for times in 1..=3 {
        client.ok("browser_click", click("Below")).await;
        let said = client.ok("browser_click", click("Inner")).await;
        assert!(said.contains(&format!("~ {times}")), "{said}");
    }
}

#[tokio::test]
async fn what_covers_a_frame_from_outside_is_named() {
    let outer = r#"<!doctype html><title>O</title><body style="margin:0">
        <iframe src="ELSEWHERE/inner" style="width:500px;height:400px"></iframe>
        <div style="position:fixed;inset:0;opacity:0.01" id="veil"></div>"#;
    let (_kit, _pages, client, seen) = open(&[("/", outer), ("/inner", BUTTON)]).await;
    let inner = json!({"ref": reference(&seen, "Inner")});
    let said = client.refused("browser_click", inner, "covered").await;
    assert!(said.contains("div#veil"), "{said}");
}

#[tokio::test]
async fn a_point_in_a_frame_of_the_same_site_is_what_is_in_the_frame() {
    let outer = r#"<!doctype html><title>O</title><body style="margin:0">
        <iframe src="/inner" style="position:absolute;left:100px;top:50px;border:0;width:400px;height:400px;transform:scale(0.5)"></iframe>"#;
    let inner = r#"<!doctype html><title>I</title><body style="margin:0"><button style="position:absolute;left:200px;top:100px;width:60px;height:40px"
        onclick="this.textContent = 'got it'">Inner</button>"#;
    let (_kit, _pages, client, _) = open(&[("/", outer), ("/inner", inner)]).await;
    // Half size around its own middle: 100 + 100 + 230 / 2, 50 + 100 + 120 / 2.
    let said = client.ok("browser_click", json!({"x": 315, "y": 210})).await;
    assert!(said.contains("button \"Inner\"") && said.contains("got it"), "{said}");
}

#[tokio::test]
async fn elements_are_reached_in_shadow_roots_boxes_and_under_transforms() {
    let page = r#"<!doctype html><title>T</title><body style="margin:0">
        <div style="position:sticky;top:0;height:120px;background:#eee;z-index:9">Header</div>
        <div id="open"></div><div id="closed"></div>
        <div style="height:100px;overflow:auto;width:300px"><p style="height:900px">Long</p><button>In box</button></div>
        <div style="transform:rotate(30deg) scale(1.5) translate(100px, 60px);width:300px"><button>Turned</button></div>
        <div style="zoom:1.7"><button>Zoomed</button></div>
        <p style="height:3000px">Long</p><button>At the end</button><p style="height:200px">.</p>
        <script>
        document.getElementById('open').attachShadow({mode: 'open'}).innerHTML = '<button>Open</button>';
        const dark = document.getElementById('closed').attachShadow({mode: 'closed'});
        dark.innerHTML = '<button>Closed</button>';
        addEventListener('click', (event) => document.title = 'T');
        for (const root of [document, document.getElementById('open').shadowRoot, dark]) root.addEventListener('click', (event) => {
            if (event.target.localName === 'button') event.target.textContent += ' done'; });
        </script>"#;
    let (_kit, _pages, client, seen) = open(&[("/", page)]).await;
    for name in ["Open", "Closed", "In box", "Turned", "Zoomed", "At the end"] {
        let said = client.ok("browser_click", json!({"ref": reference(&seen, name)})).await;
        assert!(said.contains(&format!("{name} done")), "{name}: {said}");
    }
    // In view, but below the header: it is scrolled out from under it.
    client.ok("browser_scroll", json!({"selector": "text=\"In box done\""})).await;
    let open = reference(&seen, "Open");
    client.ok("browser_scroll", json!({"by": {"y": 120}})).await;
    let said = client.ok("browser_click", json!({"ref": open})).await;
    assert!(said.contains("Open done done"), "{said}");
}

#[tokio::test]
async fn another_device_pixel_ratio_changes_nothing() {
    let page = r#"<!doctype html><title>R</title><button style="position:absolute;left:500px;top:300px;width:20px;height:10px"
        onclick="this.textContent = 'at ' + devicePixelRatio">Small</button>"#;
    let kit = Kit::start_with_flags(&["--force-device-scale-factor=2"]).await;
    let pages = Pages::serve(&[("/", page)]).await;
    kit.launch().await;
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Small")})).await;
    assert!(said.contains("at 2"), "{said}");
}

#[tokio::test]
async fn a_page_that_the_user_zoomed_is_clicked_where_things_are() {
    let page = r#"<!doctype html><title>Z</title><body style="margin:0"><button style="position:absolute;left:300px;top:200px;width:20px;height:10px"
        onclick="this.textContent = 'ratio ' + devicePixelRatio">Small</button>
        <iframe src="ELSEWHERE/inner" style="position:absolute;left:10px;top:10px;width:200px;height:150px"></iframe>"#;
    let kit = Kit::start().await;
    let pages = Pages::serve(&[("/", page), ("/inner", BUTTON)]).await;
    let token = Token::generate().unwrap();
    kit.hub().expect_throw_away(token.clone());
    let browser = LooseBrowser::start(&kit.settings, token.reveal());
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    browser.zoom(1.5).await;
    let seen = client.ok("browser_snapshot", json!({"scope": "page"})).await;
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Small")})).await;
    assert!(said.contains("ratio 1.5"), "{said}");
    let said = client.ok("browser_click", json!({"x": 310, "y": 205})).await;
    assert!(said.contains("button"), "{said}");
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Inner")})).await;
    assert!(said.contains("got button true"), "{said}");
}

#[tokio::test]
async fn a_target_that_is_replaced_as_it_is_pressed_is_told() {
    let page = r#"<!doctype html><title>R</title><div id="host"><button onmousedown="this.replaceWith(this.cloneNode(true))"
        onclick="this.textContent = 'clicked'">Slippery</button></div>"#;
    let (_kit, _pages, client, seen) = open(&[("/", page)]).await;
    let slippery = json!({"ref": reference(&seen, "Slippery")});
    let said = client.refused("browser_click", slippery, "moved").await;
    assert!(said.contains("it got no click") && said.contains("before you press"), "{said}");
    assert!(!client.ok("browser_snapshot", json!({})).await.contains("clicked"));
}

#[tokio::test]
async fn a_press_that_the_page_answers_before_there_is_a_click_is_done_and_told() {
    let page = r#"<!doctype html><title>M</title><button onpointerdown="this.remove();
        document.body.insertAdjacentHTML('beforeend', '<ul role=menu><li role=menuitem>Rename</ul>')">Menu</button>"#;
    let (_kit, _pages, client, seen) = open(&[("/", page)]).await;
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Menu")})).await;
    assert!(said.contains("it got no click") && said.contains("Rename"), "{said}");
}

#[tokio::test]
async fn a_toggle_that_is_replaced_by_another_symbol_as_it_is_pressed_is_done() {
    let page = r#"<!doctype html><title>T</title><button onmousedown="
        this.outerHTML = '<button>♥</button>'">♡</button>"#;
    let (_kit, _pages, client, seen) = open(&[("/", page)]).await;
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "♡")})).await;
    assert!(said.contains("it got no click") && said.contains('♥'), "{said}");
}
