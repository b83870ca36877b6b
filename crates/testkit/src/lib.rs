//! What tests stand on: a real hub on a free port with a home of its own
//! ([`Kit`]), a real headless Chromium with our extension, pages on two ports
//! and two host names ([`Pages`]), an MCP client as anybody would use it
//! ([`McpClient`]), a server that nobody trusts ([`SelfSigned`]), a peer that
//! speaks the extension link by hand ([`Peer`]) and answers questions ([`Panel`]),
//! HTTP by hand ([`raw_http`]), a screen with a person in front of it ([`Desktop`]),
//! the servers of a team ([`PostgresServer`], [`NatsServer`]), and a line to one that
//! loses an answer ([`LossyLine`]).
//!
//! Everything ends with the test that started it. A kit that can't do its work
//! panics: there is no test to go on with.
#![allow(clippy::expect_used, clippy::panic)]

mod api;
mod desktop;
mod devtools;
mod kit;
mod loose_browser;
mod lossy_line;
mod mcp_client;
mod nats;
mod pages;
mod panel;
mod peer;
mod person;
mod postgres;
pub mod raw_http;
mod scratch;
mod self_signed;

pub use api::{Api, ApiAnswer, Events, Told};
pub use desktop::{Desktop, Sight, Window};
pub use devtools::{Devtools, Target};
pub use kit::Kit;
pub use loose_browser::LooseBrowser;
pub use lossy_line::LossyLine;
pub use mcp_client::{Answer, Listening, McpClient};
pub use nats::NatsServer;
pub use pages::{ABOUT, LONG_IN_LOADING, Pages, SHOP, SIGN_UP};
pub use panel::Panel;
pub use peer::{Peer, PeerEnd};
pub use person::Person;
pub use postgres::PostgresServer;
pub use scratch::Scratch;
pub use self_signed::SelfSigned;

/// Text of a control's ref: the `e7` of `<button e7 "Go">` or `[Go](e7)`.
pub fn reference(text: &str, name: &str) -> String {
    let quoted = format!("\"{name}\"");
    let as_control = text.split('<').find_map(|control| {
        let (head, _) = control.split_once(&quoted)?;
        head.split_whitespace().nth(1).map(str::to_owned)
    });
    let as_link = || {
        let (_, after) = text.split_once(&format!("[{name}]("))?;
        Some(after.chars().take_while(char::is_ascii_alphanumeric).collect())
    };
    as_control.or_else(as_link).unwrap_or_else(|| panic!("no control {name:?} in:\n{text}"))
}

/// Every file of tests in a crate that has them in one program is named there.
///
/// # Panics
/// With the name of one that isn't.
pub fn assert_all_are_named(program: &str, crate_folder: &str) {
    let folder = std::path::Path::new(crate_folder).join("tests");
    for entry in std::fs::read_dir(folder).expect("there are tests") {
        let path = entry.expect("it can be read").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        let is_source = path.extension().is_some_and(|ending| ending == "rs");
        let is_named = program.lines().any(|line| line == format!("mod {name};"));
        assert!(!is_source || name == "all" || is_named, "all.rs does not name {name}");
    }
}

/// What takes longer never comes: a busy machine takes its time.
pub const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

/// Waits until something holds, looking every few milliseconds, [`PATIENCE`] at
/// the most.
pub async fn eventually<T, F: Future<Output = Option<T>>>(
    what: &str,
    mut look: impl FnMut() -> F,
) -> T {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(
            tokio::time::Instant::now() < deadline,
            "did not come about within {PATIENCE:?}: {what}"
        );
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

/// Processes with this text in their command line: what a test left running.
pub fn processes(text: &str) -> Vec<String> {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = all.filter_map(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        line.contains(text).then_some(line)
    });
    lines.collect()
}
