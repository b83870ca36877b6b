//! What is no ordinary page, in a real Chromium: each is told for what it is, with
//! what to do, by whatever tool meets it.

use std::time::{Duration, Instant};

use outrigger_hub::home::Token;
use outrigger_testkit::{ABOUT, Kit, LooseBrowser, SelfSigned, eventually, reference};
use serde_json::json;

#[tokio::test]
async fn a_page_behind_a_password_is_told_and_opened_with_one() {
    let page = r#"<!doctype html><title>P</title><a href="/locked">Cellar</a>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    let locked = json!({"url": pages.url("/locked")});
    let said = client.refused("browser_navigate", locked, "auth_required").await;
    assert!(said.contains("user name and a password") && said.contains("Ask the user"), "{said}");
    client.refused("browser_snapshot", json!({}), "auth_required").await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Cellar")})).await;
    assert!(said.contains("could not be loaded") && said.contains("password"), "{said}");
    let with_name = pages.url("/locked").replace("http://", "http://ada:secret@");
    client.ok("browser_navigate", json!({"url": with_name})).await;
    assert!(client.ok("browser_snapshot", json!({})).await.contains("Come in"));
}

#[tokio::test]
async fn a_certificate_that_nobody_trusts_is_told_by_every_tool_that_meets_it() {
    let server = SelfSigned::serve().await;
    let page = format!("<!doctype html><title>P</title><a href=\"{}\">Safe</a>", server.url("/"));
    let (_kit, pages, client) = Kit::with_browser(&[("/", &page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Safe")})).await;
    assert!(said.contains("self-signed") && said.contains("Only the user"), "{said}");
    let address = json!({"url": server.url("/")});
    let said = client.refused("browser_navigate", address, "navigation_failed").await;
    assert!(said.contains("self-signed") && said.contains("Only the user"), "{said}");
    for tool in ["browser_snapshot", "browser_get_visible_text"] {
        let said = client.refused(tool, json!({}), "navigation_failed").await;
        assert!(said.contains("self-signed"), "{said}");
    }
    let no_tls = pages.url("/").replace("http:", "https:");
    let said =
        client.refused("browser_navigate", json!({"url": no_tls}), "navigation_failed").await;
    assert!(said.contains("it may be http"), "{said}");
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_snapshot", json!({})).await;
}

#[tokio::test]
async fn an_address_that_leads_nowhere_says_why_and_a_server_s_refusal_is_told() {
    let page = r#"<!doctype html><title>P</title><a href="/status/404">Gone</a>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    let closed = "http://127.0.0.1:1/";
    for (url, words) in [
        ("http://nowhere.example/", "was not found"),
        (closed, "blocked"),
        (&pages.url("/status/204"), "without content"),
    ] {
        let said =
            client.refused("browser_navigate", json!({"url": url}), "navigation_failed").await;
        assert!(said.contains(words), "{url}: {said}");
    }
    for status in [404, 500, 503] {
        let url = pages.url(&format!("/status/{status}"));
        let said = client.ok("browser_navigate", json!({"url": url})).await;
        assert!(said.contains(&format!("HTTP status {status}")), "{said}");
        let seen = client.ok("browser_snapshot", json!({})).await;
        assert!(seen.contains(&format!("HTTP status {status}.")), "{seen}");
    }
    let silent = json!({"url": pages.url("/never"), "timeoutMs": 1000});
    let said = client.refused("browser_navigate", silent, "timeout").await;
    assert!(said.contains("server did not answer in time"), "{said}");
    let said = client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    assert!(!said.contains("HTTP status"), "{said}");
    let seen = client.ok("browser_snapshot", json!({})).await;
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Gone")})).await;
    assert!(said.contains("HTTP status 404"), "{said}");
}

#[tokio::test]
async fn a_pdf_is_told_for_what_it_is() {
    let page = r#"<!doctype html><title>P</title><a href="/paper">Paper</a>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    let said = client.ok("browser_navigate", json!({"url": pages.url("/paper")})).await;
    assert!(said.contains("It is a PDF") && said.contains("browser_screenshot"), "{said}");
    assert!(client.ok("browser_snapshot", json!({})).await.contains("It is a PDF"));
    let shot = client.call("browser_screenshot", json!({})).await;
    assert!(shot.picture.is_some(), "{}", shot.text);
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(!seen.contains("PDF"), "{seen}");
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "Paper")})).await;
    assert!(said.contains("It is a PDF"), "{said}");
}

#[tokio::test]
async fn a_download_is_told_with_its_file_and_waited_for() {
    let page = r#"<!doctype html><title>P</title><a href="/file/300">File</a>
        <a download="notes.txt" href="data:text/plain,hello">Notes</a>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let said = client.ok("browser_downloads", json!({})).await;
    assert!(said.contains("nothing"), "{said}");
    let said = client.ok("browser_navigate", json!({"url": pages.url("/file/6000")})).await;
    assert!(said.contains("is a file") && said.contains("tea.bin"), "{said}");
    assert!(client.ok("browser_downloads", json!({})).await.contains("under way"));
    let said = client.ok("browser_downloads", json!({"wait": true})).await;
    assert!(said.contains("complete, 8 bytes") && said.contains("tea.bin"), "{said}");
    let (_, path) = said.split_once("saved as ").unwrap();
    let (path, _) = path.split_once(", from").unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), "tea leaf");

    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains("File"), "the tab stays where it was: {seen}");
    let said = client.ok("browser_click", json!({"ref": reference(&seen, "File")})).await;
    assert!(said.contains("began a download") && said.contains("/file/300"), "{said}");
    let said = client.ok("browser_downloads", json!({"wait": true})).await;
    assert_eq!(said.matches("complete, 8 bytes").count(), 2, "{said}");
}

#[tokio::test]
async fn a_download_stays_in_its_folder_under_a_name_that_can_be_read() {
    let (kit, pages, client) = Kit::with_browser(&[("/", ABOUT)]).await;
    let folder = kit.settings.home.downloads_path().canonicalize().unwrap();
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let long = format!("{}.txt", "x".repeat(150));
    let names = [
        ("..%5Cx.bin", ".bin"),
        ("..%2F..%2Fup.bin", ".bin"),
        ("%2Fetc%2Fabsolute.bin", ".bin"),
        ("pic%E2%80%AEgpj.bin", ".bin"),
        ("%E2%80%8Bhid%E2%81%A6den.bin", ".bin"),
        (".profile", "profile"),
        ("CON.txt", ".txt"),
        (long.as_str(), ".txt"),
    ];
    for (name, ending) in names {
        let there = pages.url(&format!("/named/{name}"));
        client.ok("browser_navigate", json!({"url": there})).await;
        let said = client.ok("browser_downloads", json!({"wait": true})).await;
        let line = said.lines().rfind(|line| line.contains("saved as ")).unwrap();
        let (_, path) = line.split_once("saved as ").unwrap();
        let (path, _) = path.split_once(", from").unwrap();
        assert!(path.ends_with(ending), "{name}: {path}");
        let is_plain = |c: char| !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(path.chars().all(is_plain), "{name}: {path}");
        assert_eq!(std::path::Path::new(path).parent(), Some(folder.as_path()), "{name}: {path}");
    }
    let files = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(files, names.len(), "each is there, and nothing else");
}

#[tokio::test]
async fn a_page_is_loaded_again() {
    let page = "<!doctype html><title>R</title><p id=p></p><script>
        p.textContent = 'Load ' + (sessionStorage.n = 1 + Number(sessionStorage.n ?? 0))</script>";
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.refused("browser_reload", json!({}), "no_tab").await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    assert!(client.ok("browser_snapshot", json!({})).await.contains("Load 1"));
    client.ok("browser_reload", json!({})).await;
    assert!(client.ok("browser_snapshot", json!({})).await.contains("Load 2"));
    client.ok("browser_reload", json!({"hard": true})).await;
    assert!(client.ok("browser_snapshot", json!({})).await.contains("Load 3"));
}

#[tokio::test]
async fn a_crashed_page_is_told_and_loaded_again() {
    let pages = outrigger_testkit::Pages::serve(&[("/", ABOUT)]).await;
    let kit = Kit::start().await;
    let token = Token::generate().unwrap();
    kit.hub().expect_throw_away(token.clone());
    let browser = LooseBrowser::start(&kit.settings, token.reveal());
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_snapshot", json!({})).await;
    browser.crash(&pages.url("/")).await;
    eventually("the crash is told", || async {
        let answer = client.call("browser_snapshot", json!({})).await;
        (answer.code.as_deref() == Some("tab_crashed")).then_some(())
    })
    .await;
    for (tool, arguments) in
        [("browser_press_key", json!({"key": "a"})), ("browser_screenshot", json!({}))]
    {
        let said = client.refused(tool, arguments, "tab_crashed").await;
        assert!(said.contains("crashed") && said.contains("browser_reload"), "{said}");
    }
    client.ok("browser_reload", json!({})).await;
    assert!(client.ok("browser_snapshot", json!({})).await.contains("Since 1998."));

    // While somebody waits for the page, the debugger attached: told at once.
    client.ok("browser_press_key", json!({"key": "Tab"})).await;
    let waiting = async {
        let began = Instant::now();
        let waited = json!({"text": "never", "timeoutMs": 20_000});
        client.refused("browser_wait", waited, "tab_crashed").await;
        assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    };
    let address = pages.url("/");
    let crashing = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        browser.crash(&address).await;
    };
    tokio::join!(waiting, crashing);
}

#[tokio::test]
async fn a_page_that_never_lets_go_is_told_and_left() {
    let page = r#"<!doctype html><title>L</title><button onclick="setTimeout(() => { for (;;); }, 50)">Loop</button>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page), ("/about", ABOUT)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    client.call("browser_click", json!({"ref": reference(&seen, "Loop")})).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let said = client.refused("browser_snapshot", json!({}), "unresponsive").await;
    assert!(said.contains("script keeps it busy"), "{said}");
    client.ok("browser_navigate", json!({"url": pages.url("/about")})).await;
    assert!(client.ok("browser_snapshot", json!({})).await.contains("Since 1998."));
}

#[tokio::test]
async fn what_the_browser_would_ask_the_user_is_told() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", ABOUT)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let told = client.ok("browser_get_page_metadata", json!({})).await;
    let (said, _) = told.split_once("<untrusted-page-content").unwrap();
    assert!(said.contains("camera") && said.contains("ask the user"), "{told}");
}
