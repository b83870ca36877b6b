//! What keeps a store from working is said in a sentence, and leaves nothing half
//! done. A disk without room is in the unit tests of `store.rs`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod ground;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::time::{Duration, Instant};

use ground::{Ground, NOW, entries, policy};
use outrigger_store::activity::Verdict;
use outrigger_store::{Owner, Store};

#[tokio::test]
async fn a_store_that_another_program_locks_is_waited_for_and_then_refused() {
    let ground = Ground::new();
    let store = ground.open().await;
    let owner = Owner::local();
    store.append(&owner, &entries(1..=2)).await.unwrap();
    let mut stranger = ground.stranger().await;
    sqlx::query("BEGIN IMMEDIATE").execute(&mut stranger).await.unwrap();

    let begun = Instant::now();
    let error = store.put_policy(&owner, &policy("*", "*", true, NOW)).await.unwrap_err();
    assert!(begun.elapsed() >= Duration::from_millis(1900), "{:?}", begun.elapsed());
    assert_eq!(error.code(), "store_locked");
    let told = error.to_string();
    assert!(told.contains("locked by another program") && told.contains("fuser"), "{told}");
    assert_eq!(store.append(&owner, &entries(3..=4)).await.unwrap_err().code(), "store_locked");
    assert_eq!(Store::open(&ground.path()).await.unwrap_err().code(), "store_locked");
    // Whoever only reads needs no lock.
    assert!(store.policies(&owner).await.unwrap().is_empty());
    assert_eq!(store.verify_activity().await.unwrap(), Verdict::Verified { entries: 2 });

    sqlx::query("ROLLBACK").execute(&mut stranger).await.unwrap();
    store.put_policy(&owner, &policy("*", "*", true, NOW)).await.unwrap();
    store.append(&owner, &entries(3..=4)).await.unwrap();
    assert_eq!(store.verify_activity().await.unwrap(), Verdict::Verified { entries: 4 });
}

/// Set for the run of [`a_read_only_store_is_refused`] that isn't root's.
const FILE: &str = "OUTRIGGER_READ_ONLY_STORE";
/// Nobody.
const NOBODY: u32 = 65534;

#[tokio::test]
async fn a_read_only_store_is_refused() {
    if let Some(path) = std::env::var_os(FILE) {
        let error = Store::open(path.as_ref()).await.unwrap_err();
        assert_eq!(error.code(), "store_read_only");
        assert!(error.to_string().contains("is read-only. Make the file"), "{error}");
        return;
    }
    let ground = Ground::new();
    ground.open().await.close().await;
    let before = fs::read(ground.path()).unwrap();
    fs::set_permissions(ground.path(), fs::Permissions::from_mode(0o400)).unwrap();
    // Nothing is read-only for root, so that somebody else has to try.
    let program = ground.folder.path().join("tests");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let mut command = Command::new(program);
    command.args(["--exact", "a_read_only_store_is_refused"]).env(FILE, ground.path());
    if rustix::process::getuid().is_root() {
        fs::set_permissions(ground.folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        std::os::unix::fs::chown(ground.path(), Some(NOBODY), None).unwrap();
        command.uid(NOBODY);
    }
    let ran = command.output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
    assert_eq!(fs::read(ground.path()).unwrap(), before);
}

#[tokio::test]
async fn a_file_that_is_no_store_is_left_as_it_is() {
    let ground = Ground::new();
    let words = "These are somebody's notes, and no database at all. ".repeat(100);
    fs::write(ground.path(), &words).unwrap();
    fs::set_permissions(ground.path(), fs::Permissions::from_mode(0o600)).unwrap();
    let error = Store::open(&ground.path()).await.unwrap_err();
    assert_eq!(error.code(), "store_corrupt");
    assert!(error.to_string().contains("is damaged"), "{error}");
    assert_eq!(fs::read_to_string(ground.path()).unwrap(), words);

    let error = Store::open(ground.folder.path()).await.unwrap_err();
    assert_eq!(error.code(), "store_unusable");
    let error = Store::open(&ground.folder.path().join("no/folder")).await.unwrap_err();
    assert_eq!(error.code(), "store_unusable");
}

#[tokio::test]
async fn a_damaged_page_is_told_as_such() {
    let ground = Ground::new();
    let store = ground.open().await;
    store.append(&Owner::local(), &entries(1..=500)).await.unwrap();
    store.close().await;
    let mut bytes = fs::read(ground.path()).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0xff);
    fs::write(ground.path(), bytes).unwrap();
    let told = match Store::open(&ground.path()).await {
        Err(error) => error,
        Ok(store) => store.verify_activity().await.unwrap_err(),
    };
    assert_eq!(told.code(), "store_corrupt", "{told}");
}

#[tokio::test]
async fn a_store_of_a_newer_program_is_not_touched() {
    let ground = Ground::new();
    ground.open().await.close().await;
    let mut stranger = ground.stranger().await;
    sqlx::query(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (99, 'of the future', TRUE, x'00', 0)",
    )
    .execute(&mut stranger)
    .await
    .unwrap();
    let error = Store::open(&ground.path()).await.unwrap_err();
    assert_eq!(error.code(), "store_newer_schema");
    let told = error.to_string();
    assert!(told.contains("has schema 99") && told.contains("Use the newer program"), "{told}");
}
