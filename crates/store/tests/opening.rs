//! The file: who can read it, and what it becomes when it is opened.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod ground;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use ground::{Ground, NOW, entries, policy};
use outrigger_store::activity::{LoggedEntry, Verdict};
use outrigger_store::{Owner, Store, StoreError};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn only_its_owner_can_read_a_new_store_and_what_is_beside_it() {
    let ground = Ground::new();
    let store = ground.open().await;
    store.put_policy(&Owner::local(), &policy("*", "*", false, NOW)).await.unwrap();
    let files = fs::read_dir(ground.folder.path()).unwrap();
    let files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 3, "{files:?}");
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

#[tokio::test]
async fn a_store_that_others_can_read_is_refused() {
    for (file, open) in
        [("store.db", 0o644), ("store.db", 0o620), ("store.db-wal", 0o604), ("store.db-shm", 0o640)]
    {
        let ground = Ground::new();
        let _in_use = ground.open().await;
        let file = ground.folder.path().join(file);
        fs::set_permissions(&file, fs::Permissions::from_mode(open)).unwrap();
        let error = Store::open(&ground.path()).await.unwrap_err();
        assert!(matches!(&error, StoreError::Exposed { path, .. } if *path == file), "{error}");
        assert!(error.to_string().contains("chmod 600"), "{error}");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        ground.open().await;
    }
}

#[tokio::test]
async fn an_empty_file_becomes_a_store_and_a_second_opening_changes_nothing() {
    let ground = Ground::new();
    fs::write(ground.path(), "").unwrap();
    fs::set_permissions(ground.path(), fs::Permissions::from_mode(0o600)).unwrap();
    let schema = "SELECT name || coalesce(sql, '') FROM sqlite_schema ORDER BY name";
    let mut schemas: Vec<Vec<String>> = Vec::new();
    for _ in 0..2 {
        ground.open().await.close().await;
        let mut stranger = ground.stranger().await;
        schemas.push(sqlx::query_scalar(schema).fetch_all(&mut stranger).await.unwrap());
    }
    assert!(!schemas[0].is_empty());
    assert_eq!(schemas[0], schemas[1]);
}

#[tokio::test]
async fn many_can_open_a_new_store_at_once() {
    let ground = Ground::new();
    let openings: Vec<_> = (0..6)
        .map(|_| {
            let path = ground.path();
            tokio::spawn(async move { Store::open(&path).await })
        })
        .collect();
    for opening in openings {
        let store = opening.await.unwrap().unwrap();
        store.append(&Owner::local(), &entries(1..=1)).await.unwrap();
    }
    let verdict = ground.open().await.verify_activity().await.unwrap();
    assert_eq!(verdict, Verdict::Verified { entries: 6 });
}

#[tokio::test]
async fn a_reader_sees_what_a_hub_at_work_writes_and_writes_nothing() {
    let ground = Ground::new();
    let owner = Owner::local();
    assert!(Store::open_to_read(&ground.path()).await.unwrap().is_none(), "and none is made");
    assert!(!ground.path().exists());
    let store = ground.open().await;
    store.append(&owner, &entries(1..=5)).await.unwrap();
    let reader = Store::open_to_read(&ground.path()).await.unwrap().unwrap();
    let numbers = |read: Vec<LoggedEntry>| read.iter().map(|it| it.seq).collect::<Vec<_>>();
    assert_eq!(numbers(reader.latest_activity(&owner, None, 2).await.unwrap()), [4, 5]);
    let of = Some("session 2");
    assert_eq!(numbers(reader.latest_activity(&owner, of, 9).await.unwrap()), [2]);
    let of = Some("a client");
    assert_eq!(numbers(reader.latest_activity(&owner, of, 3).await.unwrap()), [3, 4, 5]);
    store.append(&owner, &entries(6..=7)).await.unwrap();
    assert_eq!(numbers(reader.activity(&owner, 5, 9).await.unwrap()), [6, 7]);
    let refused = reader.append(&owner, &entries(8..=8)).await.unwrap_err();
    assert_eq!(refused.code(), "store_read_only");

    // The hub ends, and nobody is at work there any more.
    drop(reader);
    store.close().await;
    let reader = Store::open_to_read(&ground.path()).await.unwrap().unwrap();
    assert_eq!(reader.verify_activity().await.unwrap(), Verdict::Verified { entries: 7 });
}

#[tokio::test]
async fn a_store_that_was_moved_away_is_not_written_to_unseen() {
    let ground = Ground::new();
    let store = ground.open().await;
    store.prove_writable(NOW).await.unwrap();
    fs::rename(ground.path(), ground.folder.path().join("elsewhere.db")).unwrap();
    assert_eq!(store.prove_writable(NOW).await.unwrap_err().code(), "store_replaced");
    fs::write(ground.path(), "").unwrap();
    assert_eq!(store.prove_writable(NOW).await.unwrap_err().code(), "store_replaced");
}
