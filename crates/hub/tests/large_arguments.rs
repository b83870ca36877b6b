//! How much a call carries, in a real Chromium: what is allowed arrives, and more
//! is refused in words.

use base64::Engine as _;
use outrigger_testkit::{Kit, reference};
use serde_json::{Value, json};

const PAGE: &str = "<!doctype html><title>L</title><label>Report <input type=file \
    onchange=\"document.getElementById('got').textContent = 'got ' + this.files[0].size\"></label><p id=got></p>";

fn file(bytes: usize) -> Value {
    let base64 = base64::engine::general_purpose::STANDARD.encode(vec![b'x'; bytes]);
    json!({"name": "report.txt", "mime": "text/plain", "base64": base64})
}

#[tokio::test]
async fn a_call_carries_megabytes_and_says_how_many_at_most() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let give = |bytes: usize| json!({"ref": reference(&seen, "Report"), "files": [file(bytes)]});
    client.ok("browser_upload", give(4_500_000)).await;
    client.ok("browser_wait", json!({"text": "got 4500000"})).await;
    let said = client.refused("browser_upload", give(20_000_000), "too_large").await;
    assert!(said.contains("24 MB at most") && said.contains("by path"), "{said}");
    assert!(client.ok("browser_snapshot", json!({})).await.contains("got 4500000"));
}
