//! Going somewhere and looking around, in a real Chromium through a real MCP client.

use outrigger_testkit::{ABOUT, Kit, SHOP, eventually, reference};
use serde_json::json;

#[tokio::test]
async fn a_page_is_opened_read_and_left_again() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", SHOP), ("/about", ABOUT)]).await;
    let said = client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    assert!(said.contains("Shop") && said.contains("<untrusted-page-content"), "{said}");

    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains("# Tea shop"), "{seen}");
    assert!(seen.contains("We sell [good tea](e"), "links stay in their sentence: {seen}");
    assert!(!seen.contains("Secret words"), "what a person can't see isn't there: {seen}");
    assert!(!seen.contains("hunter2") && seen.contains("secret"), "no password leaves: {seen}");

    let link = reference(&seen, "good tea");
    let said = client.ok("browser_click", json!({"ref": link})).await;
    assert!(said.contains("The tab went to the page below") && said.contains("/about"), "{said}");
    assert!(client.ok("browser_snapshot", json!({})).await.contains("# About us"));

    let said = client.ok("browser_go_back", json!({})).await;
    assert!(said.contains("Shop"), "{said}");
    let said = client.ok("browser_go_forward", json!({})).await;
    assert!(said.contains("About"), "{said}");
    let said = client.refused("browser_go_forward", json!({}), "not_found").await;
    assert!(said.to_lowercase().contains("no page"), "{said}");
}

#[tokio::test]
async fn a_ref_means_its_element_or_nothing() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", SHOP), ("/about", ABOUT)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let go = reference(&seen, "Go");
    let again = client.ok("browser_snapshot", json!({})).await;
    assert_eq!(reference(&again, "Go"), go, "a living element keeps its ref");

    client.ok("browser_navigate", json!({"url": pages.url("/about")})).await;
    let said = client.refused("browser_click", json!({"ref": go}), "stale_ref").await;
    assert!(said.contains("browser_snapshot"), "it says what to do: {said}");
    client.ok("browser_snapshot", json!({})).await;
    client.refused("browser_click", json!({"ref": go}), "stale_ref").await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert_ne!(reference(&seen, "Go"), go, "another document never inherits a ref");
    client.refused("browser_click", json!({"ref": "e9999"}), "stale_ref").await;
    client.refused("browser_click", json!({"ref": "button"}), "invalid_arguments").await;
}

#[tokio::test]
async fn tabs_are_listed_opened_selected_and_closed() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", SHOP), ("/about", ABOUT)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let first = client.ok("browser_tabs", json!({"action": "list"})).await;
    let first_tab: i64 = current(&first);
    let said =
        client.ok("browser_tabs", json!({"action": "open", "url": pages.url("/about")})).await;
    assert!(said.contains("later calls go there"), "{said}");
    client.ok("browser_wait", json!({"text": "Since 1998"})).await;
    let second_tab = current(&client.ok("browser_tabs", json!({"action": "list"})).await);
    assert_ne!(first_tab, second_tab);
    assert!(client.ok("browser_snapshot", json!({"tab": first_tab})).await.contains("Tea shop"));
    client.ok("browser_tabs", json!({"action": "select", "id": first_tab})).await;
    assert!(client.ok("browser_snapshot", json!({})).await.contains("Tea shop"));
    client.ok("browser_tabs", json!({"action": "close", "id": second_tab})).await;
    eventually("the tab is gone", || async {
        let answer = client.call("browser_snapshot", json!({"tab": second_tab})).await;
        (answer.code.as_deref() == Some("no_tab")).then_some(())
    })
    .await;
    let said =
        client.refused("browser_tabs", json!({"action": "close"}), "invalid_arguments").await;
    assert!(said.contains("`id` is missing"), "{said}");
}

#[tokio::test]
async fn something_is_found_by_its_words_and_its_role() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", SHOP)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let found = client.ok("browser_find", json!({"query": "go", "role": "button"})).await;
    assert!(found.contains("\"Go\"") && !found.contains("Tea shop"), "{found}");
    let said = client.refused("browser_find", json!({"query": "coffee"}), "not_found").await;
    assert!(said.contains("coffee"), "{said}");
}

#[tokio::test]
async fn a_picture_is_small_and_can_show_the_refs() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", SHOP)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let plain = client.call("browser_screenshot", json!({})).await;
    let picture = plain.picture.unwrap();
    assert_eq!(&picture[..2], [0xff, 0xd8], "JPEG by default");
    assert!(picture.len() < 500_000, "{} bytes", picture.len());
    let marked =
        client.call("browser_screenshot", json!({"annotate": true, "format": "png"})).await;
    let marked = marked.picture.unwrap();
    assert_eq!(&marked[1..4], b"PNG");
    let unmarked =
        client.call("browser_screenshot", json!({"format": "png"})).await.picture.unwrap();
    assert_ne!(marked, unmarked, "the refs are drawn on the picture");
    let after = client.call("browser_screenshot", json!({"format": "png"})).await.picture.unwrap();
    assert_eq!(after, unmarked, "and never into the page");
    let small =
        client.call("browser_screenshot", json!({"max_width": 320, "full_page": true})).await;
    assert!(small.text.starts_with("320×"), "{}", small.text);
}

#[tokio::test]
async fn a_picture_of_all_of_a_page_is_as_high_as_the_page_and_not_too_wide() {
    let page = |width: &str, height: u32| {
        let style = format!("margin:0;width:{width};height:{height}px");
        format!("<!doctype html><title>P</title><body style='{style}'>Words")
    };
    let (wide, high) = (page("3000px", 2250), page("100%", 2345));
    let (_kit, pages, client) = Kit::with_browser(&[("/wide", &wide), ("/high", &high)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/wide")})).await;
    let whole = client.ok("browser_screenshot", json!({"full_page": true})).await;
    assert!(whole.starts_with("1600×1200 "), "{whole}");
    client.ok("browser_navigate", json!({"url": pages.url("/high")})).await;
    let whole = client.ok("browser_screenshot", json!({"full_page": true})).await;
    assert!(whole.contains("×2345 "), "{whole}");
    let view = client.ok("browser_screenshot", json!({})).await;
    assert!(!view.contains("×2345 "), "{view}");
}

#[tokio::test]
async fn waiting_ends_when_the_thing_is_there_or_says_that_it_is_not() {
    let page = r#"<!doctype html><title>W</title><p id=p>Brewing</p>
        <script>setTimeout(() => document.getElementById('p').textContent = 'Ready', 300)</script>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_wait", json!({"text": "ready"})).await;
    client.ok("browser_wait", json!({"text_gone": "Brewing"})).await;
    client.ok("browser_wait", json!({"url": "127.0.0.1"})).await;
    client.ok("browser_wait", json!({"ms": 20})).await;
    let said =
        client.refused("browser_wait", json!({"text": "cold", "timeoutMs": 500}), "timeout").await;
    assert!(said.contains("did not happen"), "{said}");
    client.refused("browser_wait", json!({}), "invalid_arguments").await;
    client.refused("browser_wait", json!({"ms": 1, "text": "x"}), "invalid_arguments").await;
}

#[tokio::test]
async fn frames_of_another_origin_are_read_too() {
    let outer = r#"<!doctype html><title>O</title><h1>Outer</h1><iframe src="ELSEWHERE/about" width=400 height=200></iframe>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", outer), ("/about", ABOUT)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains("# Outer") && seen.contains("Since 1998."), "{seen}");
    assert!(seen.contains(&format!("frame {}:", pages.elsewhere(""))), "{seen}");
}

#[tokio::test]
async fn the_screen_is_seen_under_its_own_names() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", SHOP)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let tab = current(&client.ok("browser_tabs", json!({"action": "list"})).await);
    client.ok("browser_tabs", json!({"action": "select", "id": tab})).await;
    let captured = client.call("ext_capture_screen", json!({})).await;
    let picture = captured.picture.unwrap();
    assert!(picture.len() < 500_000, "{} bytes", picture.len());
    for field in [
        "domain",
        "tabTitle",
        "tabId",
        "capturedAt",
        "dataTypes",
        "compressed",
        "originalSize",
        "compressedSize",
    ] {
        assert!(captured.text.contains(&format!("\"{field}\":")), "{field}: {}", captured.text);
    }
    let text = client.ok("ext_extract_dom", json!({})).await;
    assert!(text.contains("Tea shop") && text.contains("\"charCount\":"), "{text}");
    assert!(text.contains("untrusted input"), "the warning stands beside it: {text}");
    let listed = client.ok("ext_list_tabs", json!({})).await;
    assert!(listed.contains("\"tabCount\":") && listed.contains("Shop"), "{listed}");
    assert!(!listed.contains("refFloor"), "{listed}");
}

#[tokio::test]
async fn wrong_calls_are_answered_with_what_is_right() {
    let (_kit, _pages, client) = Kit::with_browser(&[]).await;
    let said = client.try_call("browser_clik", json!({})).await.unwrap_err().to_string();
    assert!(said.contains("-32602") && said.contains("browser_click"), "{said}");
    let said = client.refused("browser_navigate", json!({}), "invalid_arguments").await;
    assert!(said.contains("url (string)") && said.contains("wait? (load|dom|quiet)"), "{said}");
    let said = client.refused("browser_navigate", json!({"url": 7}), "invalid_arguments").await;
    assert!(said.contains("`url`"), "{said}");
    let said = client
        .refused("browser_click", json!({"reff": "e1", "ref": "e1"}), "invalid_arguments")
        .await;
    assert!(said.contains("reff"), "{said}");
    client.refused("browser_snapshot", json!({"tab": 7}), "no_tab").await;
    client.refused("browser_snapshot", json!({"tab": "x"}), "invalid_arguments").await;
    client.refused("browser_snapshot", json!({"browser": "link-99"}), "which_browser").await;
}

#[tokio::test]
async fn a_long_page_fits_its_budget_and_every_part_can_be_opened() {
    let mut page = "<!doctype html><title>Long</title><h1>Tea</h1><p>In view.</p>".to_owned();
    for chapter in ["History", "Making", "Serving"] {
        page.push_str(&format!("<h2>{chapter}</h2>"));
        for n in 0..150 {
            page.push_str(&format!("<p>{chapter}: sentence number {n} of many.</p>"));
        }
        page.push_str(&format!("<button>Like {chapter}</button>"));
    }
    let (_kit, pages, client) = Kit::with_browser(&[("/", &page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains("In view.") && seen.contains("§ Serving s"), "{seen}");
    assert!(seen.len() < 8_000 && !seen.contains("Like Serving"), "{} letters", seen.len());
    let serving = section(&seen, "Serving");
    let opened =
        client.ok("browser_snapshot", json!({"section": serving, "max_tokens": 5000})).await;
    assert!(opened.contains("sentence number 149") && !opened.contains("Making:"), "{opened}");
    client.ok("browser_click", json!({"ref": reference(&opened, "Like Serving")})).await;

    let whole =
        client.ok("browser_snapshot", json!({"scope": "page", "max_tokens": 100_000})).await;
    assert!(whole.contains("Like Serving") && !whole.contains('§'), "{}", whole.len());
    let seen = client.ok("browser_snapshot", json!({"scope": "viewport"})).await;
    assert!(!seen.contains("History: sentence number 1 "), "it was scrolled away: {seen}");
    client.refused("browser_snapshot", json!({"section": "s99"}), "stale_ref").await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_snapshot", json!({})).await;
    client.refused("browser_snapshot", json!({"section": serving}), "stale_ref").await;
}

fn current(list: &str) -> i64 {
    let line =
        list.lines().find(|line| line.contains("(current)")).unwrap_or_else(|| panic!("{list}"));
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn section(text: &str, title: &str) -> String {
    let (_, after) = text.split_once(&format!("§ {title} ")).unwrap_or_else(|| panic!("{text}"));
    after.split(' ').next().unwrap().to_owned()
}
