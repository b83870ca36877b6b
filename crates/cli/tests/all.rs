//! What the program does, in one program of tests: each file is about one behaviour and is run
//! by its name, `cargo nextest run -p outrigger-cli limits::`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod action_kills;
mod canaries;
mod commands;
mod endurance;
mod fail_closed;
mod grant_kills;
mod limits;
mod log;
mod mcp_server;
mod native_host;
mod native_linking;
mod other_users;
mod own_browser;
mod policies;
mod program;
mod progress;
mod records;
mod resources;
mod team_stores;
mod tokens;
mod workflows;

/// What is not named above would never be run.
#[test]
fn every_file_of_tests_is_run() {
    outrigger_testkit::assert_all_are_named(include_str!("all.rs"), env!("CARGO_MANIFEST_DIR"));
}
