//! What takes longer than a test run may: a sample here, the full count with
//! `make verify`. Both go by a fixed seed.

use std::time::Duration;

use crate::program::Program;
use outrigger_testkit::{McpClient, Pages, eventually, processes, reference};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

const PAGE: &str = "<!doctype html><title>P</title><h1>Here</h1><button onclick=\"this.textContent=Number(this.textContent)+1\">0</button>";

/// How often: a sample, or in full.
fn rounds(sample: usize, full: usize) -> usize {
    if std::env::var("OUTRIGGER_VERIFY").as_deref() == Ok("full") { full } else { sample }
}

/// A small generator with a fixed seed: the same kills in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

fn pid_of(text: &str, also: &str) -> Option<Pid> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    all.filter_map(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        let is_it = line.contains(text) && line.contains(also) && !line.contains("--type=");
        is_it.then(|| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)).flatten()
    })
    .next()
}

async fn works_again(client: &McpClient, url: &str) {
    eventually("a call works again", || async {
        let answer = client.call("browser_navigate", json!({"url": url, "timeoutMs": 8000})).await;
        (!answer.failed).then_some(())
    })
    .await;
    assert!(client.ok("browser_snapshot", json!({})).await.contains("# Here"));
}

#[tokio::test]
async fn hub_and_browser_may_be_killed_at_any_moment() {
    let program = Program::new();
    let pages = Pages::serve(&[("/", PAGE)]).await;
    let url = pages.url("/");
    let client = program.mcp(&["--launch", "--headless"]).await;
    works_again(&client, &url).await;
    let (home, port) = (program.home.path().display().to_string(), program.port.to_string());
    let mut dice = Dice(7);
    for round in 0..rounds(4, 60) {
        let victim = match dice.below(2) {
            0 => pid_of("up --until-idle", &port),
            _ => pid_of(&home, "--user-data-dir="),
        };
        let moment = Duration::from_millis(dice.below(60));
        let kill = async {
            tokio::time::sleep(moment).await;
            if let Some(victim) = victim {
                let _ = kill_process(victim, Signal::KILL);
            }
        };
        let call = client.call("browser_navigate", json!({"url": url, "timeoutMs": 8000}));
        let (_, answer) =
            tokio::time::timeout(Duration::from_secs(12), async { tokio::join!(kill, call) })
                .await
                .unwrap_or_else(|_| panic!("round {round}: the call hangs"));
        assert!(!answer.text.is_empty(), "round {round}: every call is answered");
        works_again(&client, &url).await;
    }
    client.leave().await;
    eventually("every browser is gone", || async { processes(&home).is_empty().then_some(()) })
        .await;
    program.is_all_gone().await;
}

#[tokio::test]
async fn the_hub_does_not_grow_with_the_calls_it_answers() {
    let program = Program::new();
    let pages = Pages::serve(&[("/", PAGE)]).await;
    let hub = program.up(&["--launch", "--headless"]).await;
    let client = program.mcp(&[]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let button = reference(&seen, "0");
    let memory = || resident_kilobytes(hub.id().unwrap());
    let calls = rounds(150, 20_000);
    for _ in 0..50 {
        client.ok("browser_snapshot", json!({})).await;
    }
    let before = memory();
    for _ in 0..calls {
        client.ok("browser_click", json!({"ref": button})).await;
        client.ok("browser_snapshot", json!({})).await;
    }
    let after = memory();
    println!("hub memory: {before} kB before, {after} kB after {} calls", 2 * calls);
    assert!(after < before + 5_000, "{before} kB grew to {after} kB");
    // How much it may be at all is for `make bench`: half of this is unoptimised code.
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains(&format!("\"{calls}\"")), "each click counted once: {seen}");
}

fn resident_kilobytes(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
