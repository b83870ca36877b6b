//! Files for pages, in a real Chromium: those that the user allowed, and bytes.

use outrigger_testkit::{Kit, reference};
use serde_json::{Value, json};

/// A field, a hidden one behind a button, one for several, and a drop zone; each
/// tells what it got.
const PAGE: &str = r#"<!doctype html><title>U</title>
<label>Report <input type="file" id="one"></label>
<div><button onclick="document.getElementById('hidden').click()">Attach</button><input type="file" id="hidden" hidden><input aria-label="Title"></div>
<label>Many <input type="file" id="many" multiple></label>
<div id="zone" role="button" tabindex="0" style="width:200px;height:80px">Drop here</div>
<section><button>Nothing</button></section>
<p id="got"></p><script>
const got = document.getElementById('got');
async function tell(where, files, trusted) {
    const texts = await Promise.all([...files].map(async (file) => [file.name, file.type, await file.text()].join('/')));
    got.textContent = [where, ...texts, trusted ? 'real' : 'made'].join(' ');
}
for (const input of document.querySelectorAll('input')) input.onchange = (event) => {
    tell(input.id, input.files, event.isTrusted); if (input.id === 'hidden') input.value = '' };
const zone = document.getElementById('zone');
zone.ondragover = (event) => event.preventDefault();
zone.ondrop = (event) => { event.preventDefault(); tell('zone', event.dataTransfer.files, event.isTrusted) };
</script>"#;

async fn start() -> (Kit, outrigger_testkit::Pages, outrigger_testkit::McpClient, String) {
    let (kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    std::fs::create_dir_all(&kit.settings.upload_roots[0]).unwrap();
    std::fs::write(kit.settings.upload_roots[0].join("tea.txt"), "green").unwrap();
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    (kit, pages, client, seen)
}

fn give(seen: &str, name: &str, files: &Value) -> Value {
    json!({"ref": reference(seen, name), "files": files})
}

async fn arrives(client: &outrigger_testkit::McpClient, words: &str) {
    client.ok("browser_wait", json!({"text": words})).await;
}

#[tokio::test]
async fn a_file_below_an_allowed_folder_reaches_the_page() {
    let (kit, _pages, client, seen) = start().await;
    let path = kit.settings.upload_roots[0].join("tea.txt");
    let said = client.ok("browser_upload", give(&seen, "Report", &json!([path]))).await;
    assert!(said.starts_with("Gave e"), "{said}");
    arrives(&client, "one tea.txt/text/plain/green real").await;
    client.ok("browser_upload", give(&seen, "Attach", &json!(["tea.txt"]))).await;
    arrives(&client, "hidden tea.txt/text/plain/green real").await;
    client.ok("browser_upload", give(&seen, "Drop here", &json!(["tea.txt"]))).await;
    arrives(&client, "zone tea.txt/text/plain/green made").await;
}

#[tokio::test]
async fn bytes_need_no_folder() {
    let (_kit, _pages, client, seen) = start().await;
    let made = json!({"name": "a.txt", "mime": "text/plain", "base64": "aGVsbG8="});
    client.ok("browser_upload", give(&seen, "Many", &json!([made, "tea.txt"]))).await;
    arrives(&client, "many a.txt/text/plain/hello tea.txt/text/plain/green made").await;
    let two = give(&seen, "Report", &json!([made, made]));
    client.refused("browser_upload", two, "invalid_arguments").await;
    client.refused("browser_upload", give(&seen, "Nothing", &json!([made])), "not_editable").await;
    client.refused("browser_upload", give(&seen, "Title", &json!([made])), "not_editable").await;
    let odd = json!([{"name": "a", "base64": "?"}]);
    client.refused("browser_upload", give(&seen, "Report", &odd), "invalid_arguments").await;
}

#[tokio::test]
async fn a_file_elsewhere_is_refused_with_where_it_may_be() {
    let (kit, _pages, client, seen) = start().await;
    let root = kit.settings.upload_roots[0].clone();
    std::os::unix::fs::symlink("/etc/hostname", root.join("link.txt")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", root.join("zero")).unwrap();
    let odd = ["../../.ssh/id_rsa", "/dev/zero", "zero", "/proc/self/environ", "."];
    for path in ["/etc/hostname", "link.txt", "../token", "/no/such/file"].into_iter().chain(odd) {
        let is_inside = path == ".";
        let call = give(&seen, "Report", &json!([path]));
        let code = if is_inside { "not_found" } else { "not_allowed" };
        let said = client.refused("browser_upload", call, code).await;
        assert!(is_inside || said.contains(root.to_str().unwrap()), "{said}");
    }
    let missing = give(&seen, "Report", &json!(["coffee.txt"]));
    client.refused("browser_upload", missing, "not_found").await;
    assert!(!client.ok("browser_snapshot", json!({})).await.contains("one "));
}

#[tokio::test]
async fn files_are_fields_of_a_form_and_go_out_with_it() {
    let form = r#"<!doctype html><title>F</title><form onsubmit="send(event)"><label>Name <input id="who"></label>
        <label>Paper <input type="file" id="paper"></label><button>Send</button></form><p id="got"></p>
        <script>async function send(event) { event.preventDefault();
        got.textContent = who.value + ' sent ' + await paper.files[0].text() }</script>"#;
    let (kit, pages, client) = Kit::with_browser(&[("/", form)]).await;
    std::fs::create_dir_all(&kit.settings.upload_roots[0]).unwrap();
    std::fs::write(kit.settings.upload_roots[0].join("tea.txt"), "green").unwrap();
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let fields = |paper: Value, name: Value| {
        json!({"submit": true, "fields": [
            {"ref": reference(&seen, "Name"), "value": name},
            {"ref": reference(&seen, "Paper"), "value": paper}]})
    };
    let elsewhere = fields(json!({"files": ["/etc/hostname"]}), json!("Ada"));
    client.refused("browser_fill_form", elsewhere, "not_allowed").await;
    client
        .refused("browser_fill_form", fields(json!("tea.txt"), json!("Ada")), "not_editable")
        .await;
    let twice = fields(json!({"files": ["tea.txt"]}), json!({"files": ["tea.txt"]}));
    client.refused("browser_fill_form", twice, "not_editable").await;
    assert!(!client.ok("browser_snapshot", json!({})).await.contains("value=\"Ada\""));
    client.ok("browser_fill_form", fields(json!({"files": ["tea.txt"]}), json!("Ada"))).await;
    arrives(&client, "Ada sent green").await;
}
