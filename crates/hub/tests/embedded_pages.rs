//! Pages in `<embed>`, `<object>` and frames that a page wrote itself, in a real Chromium.

use outrigger_testkit::{Kit, eventually, reference};
use serde_json::json;

const INNER: &str =
    "<!doctype html><title>I</title><button onclick=\"this.textContent='Pressed'\">Inside</button>";
const OBJECT: &str = "<!doctype html><title>J</title><button>Second</button>";
const OUTER: &str = r#"<!doctype html><title>O</title><p>before</p>
<embed src="/inner" width="300" height="60"><p>between</p>
<object data="/object" type="text/html" width="300" height="60"></object><p>after</p>
<iframe srcdoc="<p>written</p>"></iframe><p>last</p>"#;

#[tokio::test]
async fn pages_in_a_page_are_told_where_they_stand_and_can_be_used() {
    let pages = [("/", OUTER), ("/inner", INNER), ("/object", OBJECT)];
    let (_kit, pages, client) = Kit::with_browser(&pages).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = eventually("all frames are there", async || {
        let seen = client.ok("browser_snapshot", json!({})).await;
        ["Inside", "Second", "written"].iter().all(|words| seen.contains(words)).then_some(seen)
    })
    .await;
    let words = ["before", "Inside", "between", "Second", "after", "about:srcdoc:", "written"];
    let places: Vec<_> = words.iter().map(|words| seen.find(words)).collect();
    assert!(places.is_sorted() && places[0].is_some(), "{seen}");

    let button = reference(&seen, "Inside");
    let told = client.ok("browser_click", json!({"ref": button})).await;
    assert!(told.contains("Pressed"), "{told}");
}
