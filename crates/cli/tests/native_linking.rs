//! The extension in a real Chromium, linked through the program that the browser
//! starts: nobody pastes a token, and nobody starts a hub.
#![cfg(unix)]

use std::fs;
use std::time::Duration;

use crate::program::Program;
use outrigger_testkit::{
    Answer, Devtools, LooseBrowser, McpClient, Pages, Target, eventually, reference,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

const PAGE: &str = "<!doctype html><title>Tea</title><h1>Tea</h1>\
    <button onclick=\"document.querySelector('output').value++\">Press</button><p><output>0</output> times</p>\
    <input type=file aria-label=Report onchange=\"this.after(` ${this.files[0].size} bytes`)\">";

/// What no picture can be made smaller of.
const NOISE: &str = "<!doctype html><title>Noise</title><canvas width=780 height=1200></canvas><script>
  const canvas = document.querySelector('canvas').getContext('2d');
  const noise = canvas.createImageData(780, 1200);
  for (let at = 0; at < noise.data.length; at += 1) noise.data[at] = at % 4 < 3 ? Math.random() * 256 : 255;
  canvas.putImageData(noise, 0, 0);
</script>";

/// Another extension, and what its page shows of an attempt to reach the host.
const NEIGHBOUR: &str = "chrome-extension://djafipcnnmacfcdheidbokhghlpfipoa";
const NEIGHBOUR_FILES: [(&str, &str); 3] = [
    (
        "manifest.json",
        r#"{"manifest_version": 3, "name": "N", "version": "1", "permissions": ["nativeMessaging"],
            "key": "YSBuZWlnaGJvdXIgb2YgT3V0cmlnZ2VyJ3M="}"#,
    ),
    ("ask.html", "<!doctype html><p id=said></p><script src=ask.js></script>"),
    (
        "ask.js",
        "const say = (words) => { document.getElementById('said').textContent += words; };
         const port = chrome.runtime.connectNative('com.outrigger.hub');
         port.onMessage.addListener((message) => say(JSON.stringify(message)));
         port.onDisconnect.addListener(() => say(` ended: ${chrome.runtime.lastError?.message}`));
         port.postMessage({ type: 'handshake', clientType: 'extension', clientId: 'neighbour' });",
    ),
];

/// A browser with the extension in it, and where it looks for hosts.
fn browser(program: &Program, neighbour: &[(&str, &str)]) -> LooseBrowser {
    let profile = program.config().join("chromium");
    fs::create_dir_all(&profile).unwrap();
    LooseBrowser::start_unpaired_in(&program.settings(), &profile, neighbour)
}

/// The popup of a browser that is linked through the host.
async fn linked<'a>(program: &Program, devtools: &'a Devtools) -> Target<'a> {
    let popup = devtools.open_own_page("popup.html").await;
    says(&popup, "problem", "not paired yet").await;
    program.ok(&["setup"]).await;
    connects(&popup).await;
    popup
}

/// Presses Connect, and again where nothing comes of it: after some endings the extension
/// waits for its next alarm, which is half a minute away.
async fn connects(popup: &Target<'_>) {
    for _ in 0..6 {
        let press_and_wait = async {
            popup.press("#connect", "Connect").await;
            tokio::time::sleep(Duration::from_secs(15)).await;
        };
        tokio::select! {
            () = says(popup, "state", "Connected") => return,
            () = press_and_wait => {}
        }
    }
    panic!("no link after pressing Connect six times: {}", popup.text().await);
}

async fn says(page: &Target<'_>, id: &str, words: &str) {
    let expression =
        format!("document.getElementById('{id}')?.textContent.includes({})", json!(words));
    page.until(&expression).await;
}

async fn allowed(panel: &Target<'_>, client: &McpClient, tool: &str, arguments: Value) -> Answer {
    // Reading for as long as it takes, since every other answer tells of the page, too.
    let words = if tool == "browser_snapshot" { "Allow for this session" } else { "Allow once" };
    let press = panel.press(".request button", words);
    let (said, ()) = tokio::join!(client.call(tool, arguments), press);
    assert!(!said.failed, "{}", said.text);
    said
}

async fn status(program: &Program) -> Option<Value> {
    serde_json::from_slice(&program.run(&["sessions", "--json"]).await.stdout).ok()
}

/// The hub's process, once a browser is linked to it; another one than before.
async fn hub_with_a_link(program: &Program, before: Option<i64>) -> i64 {
    eventually("a browser is linked to a hub", || async {
        let status = status(program).await?;
        let is_linked = !status["browsers"].as_array()?.is_empty();
        status["pid"].as_i64().filter(|pid| is_linked && Some(*pid) != before)
    })
    .await
}

#[tokio::test]
async fn a_browser_links_by_itself_and_calls_over_a_megabyte_go_both_ways() {
    let program = Program::new();
    let pages = Pages::serve(&[("/", PAGE), ("/noise", NOISE)]).await;
    let browser = browser(&program, &[]);
    let devtools = browser.devtools().await;
    let popup = linked(&program, &devtools).await;
    says(&popup, "hub", "without a token").await;
    let options = devtools.open_own_page("options.html").await;
    options.until("!document.getElementById('through-host').hidden").await;
    let stored = options.evaluate("chrome.storage.local.get(null)").await;
    let token = fs::read_to_string(program.home.path().join("pairing-token")).unwrap();
    assert!(!stored.to_string().contains(token.trim()), "the extension never has the token");
    assert!(stored["refreshToken"].is_null(), "{stored}");

    let panel = devtools.open_own_page("sidepanel.html").await;
    let client = program.mcp(&[]).await;
    allowed(&panel, &client, "browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = allowed(&panel, &client, "browser_snapshot", json!({})).await.text;
    let press = json!({"ref": reference(&seen, "Press")});
    let said = allowed(&panel, &client, "browser_click", press).await.text;
    assert!(said.contains("1 times"), "{said}");
    // Large on the way there, and on the way back.
    let base64 = "YWJj".repeat(350_000);
    let report = json!({"ref": reference(&seen, "Report"),
        "files": [{"name": "a.txt", "mime": "text/plain", "base64": base64}]});
    let said = allowed(&panel, &client, "browser_upload", report).await.text;
    assert!(said.contains("1050000 bytes"), "{said}");
    let there = json!({"url": pages.url("/noise")});
    allowed(&panel, &client, "browser_navigate", there).await;
    let shot =
        allowed(&panel, &client, "browser_screenshot", json!({"format": "png", "full_page": true}))
            .await;
    let picture = shot.picture.unwrap();
    assert!(picture.len() > 1_000_000, "{} bytes", picture.len());
    assert!(picture.ends_with(b"IEND\xaeB\x60\x82"), "it is whole");
}

#[tokio::test]
async fn a_worker_that_dies_is_back_by_itself_and_nothing_runs_twice() {
    let program = Program::new();
    let pages = Pages::serve(&[("/", PAGE)]).await;
    let browser = browser(&program, &[]);
    let devtools = browser.devtools().await;
    linked(&program, &devtools).await;
    let link = status(&program).await.unwrap()["browsers"][0]["id"].clone();
    let panel = devtools.open_own_page("sidepanel.html").await;
    let client = program.mcp(&[]).await;
    allowed(&panel, &client, "browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = allowed(&panel, &client, "browser_snapshot", json!({})).await.text;
    let press = json!({"ref": reference(&seen, "Press")});
    let first = client.call("browser_click", press.clone());
    let (said, ()) = tokio::join!(first, panel.press(".request button", "Allow for this session"));
    assert!(said.text.contains("1 times"), "{}", said.text);
    let mut pressed = 1;
    for _ in 0..3 {
        let (said, ()) = tokio::join!(client.call("browser_click", press.clone()), async {
            browser.kill_worker().await;
        });
        let seen = client.ok("browser_snapshot", json!({})).await;
        let ran = seen.contains(&format!("{} times", pressed + 1));
        pressed += u32::from(ran);
        assert!(seen.contains(&format!("{pressed} times")), "{seen}");
        match said.code.as_deref() {
            None => assert!(ran, "{}", said.text),
            Some(code) => assert_eq!(code, "outcome_unknown", "{}", said.text),
        }
    }
    let now = status(&program).await.unwrap()["browsers"].clone();
    assert_eq!((now.as_array().unwrap().len(), &now[0]["id"]), (1, &link), "the same link");
}

#[tokio::test]
async fn a_hub_that_dies_is_back_by_itself_and_a_new_token_ends_the_link() {
    let program = Program::new();
    let browser = browser(&program, &[]);
    let devtools = browser.devtools().await;
    let popup = linked(&program, &devtools).await;
    let hub = hub_with_a_link(&program, None).await;
    kill_process(Pid::from_raw(i32::try_from(hub).unwrap()).unwrap(), Signal::KILL).unwrap();
    hub_with_a_link(&program, Some(hub)).await;

    // Whoever makes a new token wants nobody linked by the old one; the user says when.
    program.ok(&["pair", "--rotate"]).await;
    says(&popup, "state", "Disconnected").await;
    says(&popup, "problem", "The hub ended this link").await;
    connects(&popup).await;
    says(&popup, "hub", "without a token").await;
}

#[tokio::test]
async fn another_extension_of_the_same_browser_is_not_linked() {
    let program = Program::new();
    let browser = browser(&program, &NEIGHBOUR_FILES);
    let devtools = browser.devtools().await;
    linked(&program, &devtools).await;
    let told = async |page: &str| {
        browser.open(&format!("{NEIGHBOUR}/{page}")).await;
        let page = devtools.page(page).await;
        says(&page, "said", "ended").await;
        page.text().await
    };
    let said = told("ask.html?first").await;
    assert!(said.contains("forbidden"), "the browser itself says no: {said}");
    // One that the browser was told of is still none that the user named.
    let path = program.config().join("chromium/NativeMessagingHosts/com.outrigger.hub.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    manifest["allowed_origins"] = json!([format!("{NEIGHBOUR}/")]);
    fs::write(&path, manifest.to_string()).unwrap();
    let said = told("ask.html?second").await;
    assert!(said.contains("4006") && said.contains("is not served"), "{said}");
    assert!(!said.contains("handshake_ack"), "{said}");
    let linked = status(&program).await.unwrap()["browsers"].clone();
    assert_eq!(linked.as_array().map(Vec::len), Some(1), "ours alone: {linked}");
}
