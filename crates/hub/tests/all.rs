//! What the hub does, in one program: each file is about one behaviour and is run by its name,
//! `cargo nextest run -p outrigger-hub forms::`. One program for all of them is built in a
//! fraction of the time that one for each takes.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod acting;
mod actions;
mod addresses;
mod agents;
mod agents_end;
mod aria_patterns;
mod asked_actions;
mod background_tabs;
mod behind_pages;
mod browsing;
mod call_log;
mod canaries;
mod captures;
mod change_log;
mod dialogs;
mod embedded_pages;
mod evaluating;
mod every_hand;
mod exactly_once;
mod extension_link;
mod extension_logins;
mod fail_closed;
mod followers;
mod forms;
mod gate;
mod geometry;
mod gone_meanwhile;
mod held_while_asked;
mod helm;
mod hostile_actions;
mod hostile_pages;
mod idle_sessions;
mod in_a_window;
mod large_arguments;
mod led_elsewhere;
mod memory;
mod openapi;
mod opening;
mod other_names;
mod outside_the_page;
mod own_events;
mod page_at_the_gate;
mod page_hints;
mod page_tools;
mod parallel;
mod parameters;
mod permission;
mod pointing;
mod policies;
mod program_tokens;
mod reading;
mod record_tools;
mod records;
mod reference;
mod repeated_posts;
mod resilience;
mod resources;
mod safety;
mod sessions;
mod settling;
mod shares;
mod shortcut;
mod shown_tokens;
mod silent_frames;
mod sockets;
mod special_pages;
mod streams;
mod synthetic_events;
mod team_actions;
mod team_stores;
mod tracking;
mod uploads;
mod user_recording;
mod waiting;
mod which_browser;
mod worker_kills;
mod workflows;
mod wrong_tokens;

/// What is not named above would never be run.
#[test]
fn every_file_of_tests_is_run() {
    outrigger_testkit::assert_all_are_named(include_str!("all.rs"), env!("CARGO_MANIFEST_DIR"));
}
