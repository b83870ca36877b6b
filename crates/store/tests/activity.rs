//! The log is what was written, and says where it isn't.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod ground;

use ground::{Ground, NOW, entries, entry, other};
use outrigger_store::activity::{ActivityEntry, Break, TEXT_LIMIT, Verdict};
use outrigger_store::{Owner, Store};
use sqlx::{AssertSqlSafe, SqliteConnection};

async fn run(connection: &mut SqliteConnection, sql: &str) -> sqlx::Result<()> {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await.map(drop)
}

async fn numbers(store: &Store, owner: &Owner) -> Vec<i64> {
    let logged = store.activity(owner, 0, 1000).await.unwrap();
    logged.iter().map(|logged| logged.seq).collect()
}

#[tokio::test]
async fn entries_are_read_as_they_were_written_a_page_at_a_time() {
    let ground = Ground::new();
    let store = ground.open().await;
    let owner = Owner::local();
    assert_eq!(store.newest_activity(&owner).await.unwrap(), None);
    store.append(&owner, &entries(1..=3)).await.unwrap();
    store.append(&other(), &entries(4..=4)).await.unwrap();
    store.append(&owner, &[]).await.unwrap();
    store.append(&owner, &entries(5..=6)).await.unwrap();
    store.close().await;
    let store = ground.open().await;
    assert_eq!(numbers(&store, &owner).await, [1, 2, 3, 5, 6]);
    assert_eq!(numbers(&store, &other()).await, [4]);
    let page = store.activity(&owner, 3, 1).await.unwrap();
    assert_eq!((page.len(), page[0].seq, &page[0].entry), (1, 5, &entry(5)));
    assert_eq!(store.newest_activity(&owner).await.unwrap(), Some(6));
    assert_eq!(store.newest_activity(&other()).await.unwrap(), Some(4));
    assert_eq!(store.verify_activity().await.unwrap(), Verdict::Verified { entries: 6 });
}

#[tokio::test]
async fn a_name_that_is_too_long_keeps_no_call_out_of_the_log() {
    let ground = Ground::new();
    let store = ground.open().await;
    let long = ActivityEntry {
        client: "ü".repeat(100_000),
        origin: Some("x".repeat(100_000)),
        bytes: u64::MAX,
        ..entry(1)
    };
    store.append(&Owner::local(), &[long]).await.unwrap();
    let logged = store.activity(&Owner::local(), 0, 9).await.unwrap();
    assert!(logged[0].entry.client.len() <= TEXT_LIMIT);
    assert!(logged[0].entry.origin.as_ref().unwrap().len() <= TEXT_LIMIT);
    assert_eq!(store.verify_activity().await.unwrap(), Verdict::Verified { entries: 1 });
}

#[tokio::test]
async fn whatever_was_done_to_the_log_is_found_where_it_was_done() {
    let swap = "UPDATE activity_log SET seq = -1 WHERE seq = 4; \
                UPDATE activity_log SET seq = 4 WHERE seq = 5; \
                UPDATE activity_log SET seq = 5 WHERE seq = -1;";
    let copy = "INSERT INTO activity_log SELECT 8, user_id, workspace_id, at_ms, client, session, \
                tool, permission_key, origin, decision, outcome, duration_ms, characters, tabs, \
                bytes, prev_hash, hash FROM activity_log WHERE seq = 7;";
    let insert = format!(
        "UPDATE activity_log SET seq = -seq WHERE seq > 3; \
         UPDATE activity_log SET seq = 1 - seq WHERE seq < 0; {} \
         UPDATE activity_anchor SET seq = 8 WHERE place = 'head';",
        copy.replace("SELECT 8", "SELECT 4").replace("seq = 7;", "seq = 3;")
    );
    let cases = [
        ("UPDATE activity_log SET outcome = 'ok!' WHERE seq = 3;", 3, Break::Changed),
        ("UPDATE activity_log SET user_id = 'me' WHERE seq = 1;", 1, Break::Changed),
        ("UPDATE activity_log SET decision = NULL WHERE seq = 2;", 2, Break::Changed),
        ("UPDATE activity_log SET bytes = 0 WHERE seq = 7;", 7, Break::Changed),
        ("UPDATE activity_log SET hash = zeroblob(32) WHERE seq = 7;", 7, Break::Changed),
        ("UPDATE activity_log SET prev_hash = zeroblob(32) WHERE seq = 2;", 2, Break::OutOfPlace),
        ("DELETE FROM activity_log WHERE seq = 1;", 1, Break::Missing),
        ("DELETE FROM activity_log WHERE seq IN (4, 5);", 4, Break::Missing),
        ("DELETE FROM activity_log WHERE seq = 7;", 7, Break::Missing),
        ("DELETE FROM activity_log;", 1, Break::Missing),
        (swap, 4, Break::OutOfPlace),
        (&insert, 4, Break::OutOfPlace),
        (copy, 8, Break::Added),
        (&copy.replace("SELECT 8", "SELECT -2"), -2, Break::Added),
        ("UPDATE activity_anchor SET seq = 6 WHERE place = 'head';", 7, Break::Added),
        ("UPDATE activity_anchor SET hash = zeroblob(32) WHERE place = 'head';", 7, Break::Changed),
        ("DELETE FROM activity_anchor;", 0, Break::NoAnchor),
    ];
    for (tampering, seq, why) in cases {
        let ground = Ground::new();
        let store = ground.open().await;
        store.append(&Owner::local(), &entries(1..=7)).await.unwrap();
        assert_eq!(store.verify_activity().await.unwrap(), Verdict::Verified { entries: 7 });
        let mut stranger = ground.stranger().await;
        // Only what is put after the end is let in, and found all the same.
        if run(&mut stranger, tampering).await.is_err() {
            without_triggers(&mut stranger).await;
            run(&mut stranger, tampering).await.unwrap();
        } else {
            assert_eq!((seq, why), (8, Break::Added), "{tampering}");
        }
        let verdict = store.verify_activity().await.unwrap();
        assert_eq!(verdict, Verdict::Broken { seq, why }, "{tampering}");
    }
}

/// As somebody would who means it.
async fn without_triggers(connection: &mut SqliteConnection) {
    let names: Vec<String> =
        sqlx::query_scalar("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
            .fetch_all(&mut *connection)
            .await
            .unwrap();
    assert_eq!(names.len(), 6);
    for name in names {
        run(connection, &format!("DROP TRIGGER {name}")).await.unwrap();
    }
}

#[tokio::test]
async fn the_file_itself_refuses_to_replace_an_entry_or_an_anchor() {
    let ground = Ground::new();
    let store = ground.open().await;
    store.append(&Owner::local(), &entries(1..=3)).await.unwrap();
    let mut stranger = ground.stranger().await;
    for sql in [
        "INSERT OR REPLACE INTO activity_log SELECT * FROM activity_log WHERE seq = 2",
        "INSERT OR REPLACE INTO activity_anchor VALUES ('head', 9, zeroblob(32))",
        "UPDATE activity_anchor SET seq = 1 WHERE place = 'head'",
    ] {
        let refusal = run(&mut stranger, sql).await.unwrap_err().to_string();
        assert!(refusal.contains("only"), "{refusal}");
    }
    assert_eq!(store.verify_activity().await.unwrap(), Verdict::Verified { entries: 3 });
}

#[tokio::test]
async fn the_chain_goes_on_where_the_oldest_entries_were_pruned() {
    let ground = Ground::new();
    let store = ground.open().await;
    let owner = Owner::local();
    store.append(&owner, &entries(1..=6)).await.unwrap();
    assert_eq!(store.prune_activity_before(NOW + 1).await.unwrap(), 0);
    assert_eq!(store.prune_activity_before(NOW + 4).await.unwrap(), 3);
    assert_eq!(store.prune_activity_before(NOW + 4).await.unwrap(), 0);
    assert_eq!(numbers(&store, &owner).await, [4, 5, 6]);
    assert_eq!(store.verify_activity().await.unwrap(), Verdict::Verified { entries: 3 });
    // An entry that a clock dated back stays until all before it may go.
    store.append(&owner, &[entry(7), entry(1)]).await.unwrap();
    assert_eq!(store.prune_activity_before(NOW + 6).await.unwrap(), 2);
    assert_eq!(numbers(&store, &owner).await, [6, 7, 8]);

    let mut stranger = ground.stranger().await;
    run(&mut stranger, "DELETE FROM activity_log WHERE seq = 6").await.unwrap_err();
    without_triggers(&mut stranger).await;
    run(&mut stranger, "DELETE FROM activity_log WHERE seq = 6").await.unwrap();
    let missing = Verdict::Broken { seq: 6, why: Break::Missing };
    assert_eq!(store.verify_activity().await.unwrap(), missing);
}

#[tokio::test]
async fn a_log_that_was_pruned_to_nothing_is_whole_and_goes_on() {
    let ground = Ground::new();
    let store = ground.open().await;
    store.append(&Owner::local(), &entries(1..=3)).await.unwrap();
    assert_eq!(store.prune_activity_before(i64::MAX).await.unwrap(), 3);
    assert_eq!(store.verify_activity().await.unwrap(), Verdict::Verified { entries: 0 });
    store.append(&Owner::local(), &entries(4..=5)).await.unwrap();
    assert_eq!(numbers(&store, &Owner::local()).await, [4, 5]);
    assert_eq!(store.verify_activity().await.unwrap(), Verdict::Verified { entries: 2 });
}

#[tokio::test]
async fn writers_wait_for_each_other_and_none_is_refused() {
    let ground = Ground::new();
    // Two programs, as far as SQLite can tell.
    let stores = [ground.open().await, ground.open().await];
    let writers = (0..16).map(|number| {
        let store = stores[number as usize % 2].clone();
        tokio::spawn(async move {
            for round in 0..5 {
                let own = entries(number * 100 + round..=number * 100 + round + 1);
                store.append(&Owner::local(), &own).await.unwrap();
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    assert_eq!(stores[0].verify_activity().await.unwrap(), Verdict::Verified { entries: 160 });
}
