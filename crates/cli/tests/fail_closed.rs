//! A disk that takes nothing more, and one that can't be written: nothing is done in a
//! person's browser until that is mended, and everything again from then on.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::process::Stdio;

use crate::program::Program;
use outrigger_testkit::{McpClient, Peer, eventually};
use rustix::process::{Pid, Resource, Rlimit, getuid, prlimit};
use serde_json::json;
use tokio::process::{Child, Command};

/// Nobody.
const NOBODY: u32 = 65534;

/// A hub of that command, and a person's browser.
async fn link(program: &Program, mut hub: Command) -> (Child, Peer, McpClient) {
    hub.env("OUTRIGGER_HOME", program.home.path())
        .env("OUTRIGGER_PORT", program.port.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let hub = hub.spawn().unwrap();
    program.answers().await;
    let peer = Peer::linked(program.port, "p", &program.token("pairing-token"), &json!([])).await;
    let client = McpClient::http(program.port, &program.token("agent-token")).await;
    (hub, peer, client)
}

async fn opens(client: &McpClient) {
    eventually("the guard opens", || async {
        let answer = client.call("browser_tabs", json!({"action": "list"})).await;
        (!answer.failed).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_full_disk_closes_the_guard_until_there_is_room() {
    let program = Program::new();
    let mut command = Command::new("sh");
    // What a file may not grow beyond is an error then, as on a full disk.
    command.args(["-c", r#"trap '' XFSZ; exec "$0" up"#, env!("CARGO_BIN_EXE_outrigger")]);
    let (hub, _peer, client) = link(&program, command).await;
    opens(&client).await;
    let pid = Pid::from_raw(i32::try_from(hub.id().unwrap()).unwrap());
    let limit = |bytes| {
        let limit = Rlimit { current: bytes, maximum: None };
        prlimit(pid, Resource::Fsize, limit).unwrap();
    };
    limit(Some(1));
    for action in ["list", "open"] {
        let said = client.refused("browser_tabs", json!({"action": action}), "not_allowed").await;
        assert!(said.contains("See whether its disk is full"), "{said}");
    }
    let doctor = String::from_utf8(program.run(&["doctor"]).await.stdout).unwrap();
    assert!(doctor.contains("✗ store") && doctor.contains("disk is full"), "{doctor}");
    limit(None);
    opens(&client).await;
    assert!(program.ok(&["log", "verify"]).await.contains("The log is whole"));
}

#[tokio::test]
async fn a_read_only_store_closes_the_guard_until_it_can_be_written() {
    let program = Program::new();
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let copy = folder.path().join("outrigger");
    fs::copy(env!("CARGO_BIN_EXE_outrigger"), &copy).unwrap();
    // Nothing is read-only for root, so that somebody else has to try.
    let command = || {
        let mut command = Command::new(&copy);
        command.arg("up");
        if getuid().is_root() {
            chown(program.home.path(), Some(NOBODY), None).unwrap();
            command.uid(NOBODY);
        }
        command
    };
    let (mut hub, _peer, client) = link(&program, command()).await;
    opens(&client).await;
    hub.kill().await.unwrap();
    let path = program.home.path().join("outrigger.db");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
    let (_hub, _peer, client) = link(&program, command()).await;
    let said = client.refused("browser_tabs", json!({"action": "list"}), "not_allowed").await;
    assert!(said.contains("is read-only. Make the file"), "{said}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    opens(&client).await;
}
