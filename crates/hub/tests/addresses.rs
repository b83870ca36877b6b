//! Secrets in addresses, in a real Chromium: no tool tells them, and they do
//! their work all the same.

use outrigger_testkit::{Kit, reference};
use serde_json::json;

const SECRET: &str = "s3cret";

const PAGE: &str = r#"<!doctype html><link rel="canonical" href="/?page=7&token=s3cret">
<meta property="og:url" content="https://x.test/?access_token=s3cret">
<a href="/in?token=s3cret&page=8">Go on</a> <a href="/in?token=s3cret" target="_blank">Beside</a>
<a href="/;jsessionid=s3cret" style="display:inline-block;width:9px;height:9px"></a>
<form action="/save?password=s3cret"><button>Save</button></form>
<img src="/picture?sig=s3cret" alt="A picture">"#;

const INSIDE: &str = r"<!doctype html><p id=out></p><script>
  document.title = location.search.includes('token=s3cret') ? 'Let in' : 'Left out';
</script>";

#[tokio::test]
async fn a_secret_in_an_address_is_not_told_by_any_tool() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE), ("/in", INSIDE)]).await;
    let url = pages.url(&format!("/?password={SECRET}&page=7"));
    let arrived = client.ok("browser_navigate", json!({"url": url})).await;
    assert!(arrived.contains("?password=[redacted]&page=7"), "{arrived}");
    assert!(!arrived.contains(SECRET), "{arrived}");
    for (tool, arguments) in [
        ("browser_tabs", json!({"action": "list"})),
        ("browser_snapshot", json!({})),
        ("browser_snapshot", json!({"include_hidden": true, "boxes": true})),
        ("browser_get_attributes", json!({"selector": "a,form,img,link"})),
        ("browser_get_page_metadata", json!({})),
        ("browser_query_dom", json!({"selector": "a,form,img"})),
        ("browser_get_filtered_aria_tree", json!({})),
        ("browser_get_form_values", json!({})),
        ("tab_read", json!({"mode": "info"})),
        ("tab_read", json!({"mode": "elements"})),
        ("tab_info", json!({})),
        ("list_tabs", json!({})),
        ("ext_list_tabs", json!({})),
        ("ext_extract_dom", json!({})),
    ] {
        let answer = client.call(tool, arguments.clone()).await;
        assert!(!answer.text.contains(SECRET), "{tool} {arguments}: {}", answer.text);
    }
    let told = client.ok("browser_get_attributes", json!({"selector": "form"})).await;
    assert!(told.contains("/save?password=[redacted]"), "{told}");
}

#[tokio::test]
async fn a_secret_in_an_address_still_opens_what_it_opens() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE), ("/in", INSIDE)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let beside = client.ok("browser_click", json!({"ref": reference(&seen, "Beside")})).await;
    assert!(beside.contains("/in?token=[redacted]") && !beside.contains(SECRET), "{beside}");
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let clicked = client.ok("browser_click", json!({"ref": reference(&seen, "Go on")})).await;
    assert!(clicked.contains("/in?token=[redacted]&page=8"), "{clicked}");
    assert!(!clicked.contains(SECRET), "{clicked}");
    // Whoever knows it may wait for it: the real address is compared.
    client.ok("browser_wait", json!({"url": format!("token={SECRET}&page=8")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains("Let in"), "{seen}");
}
