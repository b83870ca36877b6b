//! Another user of the machine who listens where the hub would is told nothing.
#![cfg(target_os = "linux")]

use std::os::unix::fs::fchown;
use std::sync::{Arc, Mutex};

use crate::program::Program;
use rustix::process::getuid;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;

/// Nobody.
const NOBODY: u32 = 65534;

#[tokio::test]
async fn a_token_is_shown_to_no_program_of_another_user() {
    if !getuid().is_root() {
        eprintln!("left out: only root can be two users");
        return;
    }
    let program = Program::new();
    // There is a token to show.
    program.ok(&["pair"]).await;
    let hub = program.up(&[]).await;
    drop(hub);
    program.is_all_gone().await;
    let listener = TcpListener::bind(("127.0.0.1", program.port)).await.unwrap();
    // The kernel has it for a socket of that user from here on.
    fchown(&listener, Some(NOBODY), None).unwrap();
    let shown = Arc::new(Mutex::new(Vec::<Vec<u8>>::new()));
    let told = shown.clone();
    let listening = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut heard = vec![0; 4096];
            let length = stream.read(&mut heard).await.unwrap_or(0);
            heard.truncate(length);
            told.lock().unwrap().push(heard);
        }
    });
    for command in [&["sessions"][..], &["policy", "list"], &["call", "browser_tabs", "{}"]] {
        let said = program.fails(command).await;
        assert!(said.contains("another user of this machine"), "{command:?}: {said}");
    }
    listening.abort();
    let shown = shown.lock().unwrap();
    assert!(!shown.is_empty(), "nobody came");
    assert!(shown.iter().all(Vec::is_empty), "{shown:?}");
}
