//! Whoever follows records is told of every change that is asked for, in order, once.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod ground;

use std::collections::HashMap;

use ground::{
    Dice, Ground, PAGE, PATIENCE, all, change, create, next, next_event, selector, settings, start,
};
use outrigger_protocol::records::{RecordEvent, RecordEventKind};
use outrigger_records::{After, Delivery, Position, Records, Search, Settings, Subscription};
use outrigger_store::Owner;
use outrigger_store::records::Retention;
use serde_json::{Value, json};

async fn follow(records: &Records, selectors: Vec<Value>) -> Subscription {
    let selectors = selectors.into_iter().map(selector).collect();
    records.subscribe(&Owner::local(), selectors, After::Now).await.unwrap()
}

fn summary(event: &RecordEvent) -> (RecordEventKind, u64, bool) {
    (event.kind, event.version, event.volatile)
}

#[tokio::test]
async fn a_subscriber_is_told_of_what_it_asked_for_and_of_nothing_else() {
    use RecordEventKind::{Created, Deleted, Updated};
    let ground = Ground::new();
    let records = ground.records(settings()).await;
    let mut notes = follow(&records, vec![json!({"schema_name": "note.v1"})]).await;
    let mut pages =
        follow(&records, vec![json!({"schema_name": PAGE, "any_tags": ["test"]})]).await;
    let open = json!({"all_tags": ["test"], "context_match": [{"path": "state", "op": "eq", "value": "open"}]});
    let mut open = follow(&records, vec![json!({"schema_name": "absent.v1"}), open]).await;
    let mut others = records
        .subscribe(&Owner { user: "other".into(), workspace: "default".into() }, all(), After::Now)
        .await
        .unwrap();

    let note = create(&records, "note.v1", json!({"state": "closed"})).await;
    let page = create(&records, PAGE, json!({"url": "https://example.com"})).await;
    assert_eq!(summary(&next_event(&mut notes).await.0), (Created, 1, false));
    assert_eq!(summary(&next_event(&mut pages).await.0), (Created, 1, true));
    let note = change(&records, &note, json!({"state": "open"})).await;
    change(&records, &page, json!({"url": "https://example.org"})).await;
    assert_eq!(summary(&next_event(&mut notes).await.0), (Updated, 2, false));
    assert_eq!(summary(&next_event(&mut pages).await.0), (Updated, 2, true));
    assert_eq!(summary(&next_event(&mut open).await.0), (Updated, 2, false));
    records.delete(&Owner::local(), &note.id, 2).await.unwrap();
    assert_eq!(summary(&next_event(&mut notes).await.0), (Deleted, 3, false));
    // Nothing is left of it to be compared with, and it was of those asked for.
    assert_eq!(summary(&next_event(&mut open).await.0), (Deleted, 3, false));

    records.close();
    for subscription in [&mut notes, &mut pages, &mut open, &mut others] {
        assert_eq!(subscription.next().await.unwrap(), None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_leaves_and_comes_back_misses_nothing_and_gets_nothing_twice() {
    const WRITERS: u64 = 4;
    const CHANGES: u64 = 60;
    let ground = Ground::new();
    let records = ground.records(settings()).await;
    let mut dice = Dice::new();
    let mut following = records.subscribe(&Owner::local(), all(), After::Now).await.unwrap();
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let records = records.clone();
            tokio::spawn(async move {
                // Half of them durable.
                let schema = if writer % 2 == 0 { "note.v1" } else { PAGE };
                let mut record = create(&records, schema, json!({})).await;
                for n in 0..CHANGES {
                    record = change(&records, &record, json!({ "n": n })).await;
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    let mut versions = HashMap::new();
    let mut position = following.position();
    for _ in 0..WRITERS * (CHANGES + 1) {
        if dice.below(5) == 0 {
            // Away, and back with the word that it was given.
            drop(following);
            let word: Position = position.to_string().parse().unwrap();
            let again = records.subscribe(&Owner::local(), all(), After::Position(word)).await;
            following = again.unwrap();
        }
        let (event, after) = next_event(&mut following).await;
        let version = versions.entry(event.id.clone()).or_insert(0);
        *version += 1;
        assert_eq!(event.version, *version, "in order, without a hole or a double");
        position = after;
    }
    for writer in writers {
        writer.await.unwrap();
    }
    assert_eq!(versions.len() as u64, WRITERS);
    assert!(versions.values().all(|version| *version == CHANGES + 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_subscriber_holds_nobody_up_and_finds_the_rest_after_its_gap() {
    const CHANGES: u64 = 100;
    let ground = Ground::new();
    let records = ground.records(Settings { queue: 8, ..settings() }).await;
    let owner = Owner::local();
    let mut slow = records.subscribe(&owner, all(), After::Now).await.unwrap();
    let mut quick = records.subscribe(&owner, all(), After::Now).await.unwrap();
    let mut record = create(&records, "note.v1", json!({})).await;
    next_event(&mut quick).await;
    for n in 1..=CHANGES {
        record = change(&records, &record, json!({ "n": n })).await;
        assert_eq!(next_event(&mut quick).await.0.version, n + 1);
    }
    let mut version = 0;
    let resume = loop {
        match next(&mut slow).await {
            Delivery::Event { event, .. } => {
                version += 1;
                assert_eq!(event.version, version);
            }
            Delivery::Gap { resume } => break resume,
        }
    };
    assert_eq!(version, 8, "what its queue holds");
    assert_eq!(slow.next().await.unwrap(), None, "it has ended");
    let mut slow = records.subscribe(&owner, all(), After::Position(resume)).await.unwrap();
    for expected in version + 1..=CHANGES + 1 {
        assert_eq!(next_event(&mut slow).await.0.version, expected);
    }
}

#[tokio::test]
async fn a_place_that_is_no_good_is_told_when_somebody_wants_to_go_on_from_it() {
    let ground = Ground::new();
    let records = start(ground.store(Retention::of_events(5)).await, settings()).await;
    let owner = Owner::local();
    let begin = records.subscribe(&owner, all(), After::Now).await.unwrap().position();
    for n in 0..20 {
        create(&records, "note.v1", json!({ "n": n })).await;
    }
    let code = async |position: Position| {
        let subscribed = records.subscribe(&owner, all(), After::Position(position)).await;
        subscribed.err().map(|error| error.code())
    };
    assert_eq!(code(begin.clone()).await, Some("events_pruned"));
    let mut of_another = begin.clone();
    of_another.durable.life = "another".into();
    assert_eq!(code(of_another).await, Some("events_other_life"));
    let mut ahead = begin.clone();
    ahead.durable.seq = 21;
    assert_eq!(code(ahead.clone()).await, Some("events_other_life"));
    // The volatile records of another process are gone; that of durable ones counts.
    ahead.durable.seq = 20;
    ahead.volatile.life = "another".into();
    ahead.volatile.seq = 1000;
    assert_eq!(code(ahead).await, None);
}

#[tokio::test]
async fn a_selector_that_means_everything_or_nothing_is_refused() {
    let ground = Ground::new();
    let records = ground.records(Settings { subscriptions: 2, ..settings() }).await;
    let code = async |selectors: Vec<Value>| {
        let selectors = selectors.into_iter().map(selector).collect();
        let subscribed = records.subscribe(&Owner::local(), selectors, After::Now).await;
        subscribed.err().map(|error| error.code())
    };
    assert_eq!(code(vec![json!({})]).await, Some("selector_means_everything"));
    assert_eq!(code(vec![json!({"all_tags": []})]).await, Some("selector_means_everything"));
    assert_eq!(code(vec![]).await, Some("selector_count"));
    assert_eq!(code(vec![json!({"any_tags": ["a"]}); 17]).await, Some("selector_count"));
    let bad = json!({"context_match": [{"path": "a..b", "op": "eq", "value": 1}]});
    assert_eq!(code(vec![bad]).await, Some("record_invalid"));
    let kept: Vec<_> = [
        records.subscribe(&Owner::local(), all(), After::Now).await.unwrap(),
        records.subscribe(&Owner::local(), all(), After::Now).await.unwrap(),
    ]
    .into();
    assert_eq!(code(vec![json!({"any_tags": ["a"]})]).await, Some("too_many_subscriptions"));
    drop(kept);
    assert_eq!(code(vec![json!({"any_tags": ["a"]})]).await, None);
}

#[tokio::test]
async fn a_position_moves_on_with_what_nobody_asked_for() {
    let ground = Ground::new();
    let records = ground.records(settings()).await;
    let mut notes = follow(&records, vec![json!({"schema_name": "note.v1"})]).await;
    let mut rest = follow(&records, vec![json!({"schema_name": "other.v1"})]).await;
    let before = notes.position();
    create(&records, "other.v1", json!({})).await;
    // Once others were told.
    next_event(&mut rest).await;
    assert_eq!(notes.position().durable.seq, before.durable.seq + 1);
    create(&records, "note.v1", json!({})).await;
    create(&records, "other.v1", json!({})).await;
    next_event(&mut rest).await;
    assert_eq!(notes.position().durable.seq, before.durable.seq + 1, "one waits for it");
    assert_eq!(next_event(&mut notes).await.1.durable.seq, before.durable.seq + 2);
    assert_eq!(notes.position().durable.seq, before.durable.seq + 3);
}

#[tokio::test]
async fn it_is_known_what_somebody_follows_and_when_that_changes() {
    let ground = Ground::new();
    let records = ground.records(settings()).await;
    let owner = Owner::local();
    let mut followers = records.followers();
    let tags = ["browser:context".to_owned(), "browser:active-tab".to_owned()];
    assert!(!records.is_followed(&owner, PAGE, &tags));
    let following = follow(&records, vec![json!({"schema_name": PAGE})]).await;
    tokio::time::timeout(PATIENCE, followers.changed()).await.unwrap().unwrap();
    assert!(records.is_followed(&owner, PAGE, &tags));
    assert!(!records.is_followed(&owner, "note.v1", &[]));
    let other = Owner { user: "other".into(), workspace: "default".into() };
    assert!(!records.is_followed(&other, PAGE, &tags));
    drop(following);
    tokio::time::timeout(PATIENCE, followers.changed()).await.unwrap().unwrap();
    assert!(!records.is_followed(&owner, PAGE, &tags));
    for (selector, is_meant) in [
        (json!({"any_tags": ["browser:active-tab", "x"]}), true),
        (json!({"all_tags": ["browser:context", "browser:active-tab"]}), true),
        (json!({"all_tags": ["browser:context", "x"]}), false),
        (json!({"any_tags": ["browser:active-tab"], "schema_name": "note.v1"}), false),
        (json!({"context_match": [{"path": "$.url", "op": "eq", "value": "x"}]}), false),
    ] {
        let _following = follow(&records, vec![selector.clone()]).await;
        assert_eq!(records.is_followed(&owner, PAGE, &tags), is_meant, "{selector}");
    }
}

#[tokio::test]
async fn volatile_records_are_found_first_and_are_on_no_disk() {
    let ground = Ground::new();
    let records = ground.records(settings()).await;
    let owner = Owner::local();
    for n in 0..5 {
        create(&records, "note.v1", json!({"text": format!("a durable word {n}")})).await;
        create(&records, PAGE, json!({"text": format!("a fleeting word {n}")})).await;
    }
    let mut search = Search { limit: Some(3), ..Search::default() };
    let mut found = Vec::new();
    loop {
        let page = records.search(&owner, &search).await.unwrap();
        assert!(page.records.len() <= 3);
        found.extend(page.records.iter().map(|record| record.context["text"].to_string()));
        search.from = page.next.map(|next| next.to_string().parse().unwrap());
        if search.from.is_none() {
            break;
        }
    }
    let words = ["fleeting", "durable"]
        .into_iter()
        .flat_map(|kind| (0..5).rev().map(move |n| format!("\"a {kind} word {n}\"")));
    assert_eq!(found, words.collect::<Vec<_>>());
    let mut written = Vec::new();
    for file in std::fs::read_dir(ground.folder.path()).unwrap() {
        written.extend(std::fs::read(file.unwrap().path()).unwrap());
    }
    let written = String::from_utf8_lossy(&written);
    assert!(written.contains("a durable word") && !written.contains("a fleeting word"));
}
