//! Many follow one record that changes often: how long it takes until each is told,
//! and that nothing is lost or out of order. It prints what it measured; with
//! `make verify` for half a minute.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod ground;

use std::time::{Duration, Instant};

use ground::{Ground, all, change, count, create, next_event, settings};
use outrigger_records::After;
use outrigger_store::Owner;
use serde_json::json;

const SUBSCRIBERS: usize = 1000;
const A_SECOND: u64 = 10;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_subscribers_of_one_record_miss_nothing() {
    let ground = Ground::new();
    let records = ground.records(settings()).await;
    let updates = count(3, 30) * A_SECOND;
    let began = Instant::now();
    let mut subscribers = Vec::new();
    for _ in 0..SUBSCRIBERS {
        let following = records.subscribe(&Owner::local(), all(), After::Now).await;
        let mut following = following.unwrap();
        subscribers.push(tokio::spawn(async move {
            let mut heard = Vec::new();
            for _ in 0..=updates {
                let (event, _) = next_event(&mut following).await;
                heard.push((event.version, began.elapsed()));
            }
            heard
        }));
    }
    // By version, when its update was begun: before it, as some hear of it at once.
    let mut begun = vec![began.elapsed(); 2];
    let mut record = create(&records, "note.v1", json!({"n": 0})).await;
    let mut clock = tokio::time::interval(Duration::from_secs(1) / A_SECOND as u32);
    for n in 1..=updates {
        clock.tick().await;
        begun.push(began.elapsed());
        record = change(&records, &record, json!({ "n": n })).await;
    }
    let (mut out_of_order, mut taken) = (0, Vec::new());
    for subscriber in subscribers {
        let heard = subscriber.await.unwrap();
        out_of_order += heard.windows(2).filter(|pair| pair[1].0 != pair[0].0 + 1).count();
        taken.extend(heard.iter().map(|(version, at)| *at - begun[*version as usize]));
    }
    taken.sort_unstable();
    let lost = SUBSCRIBERS * (updates as usize + 1) - taken.len();
    let at = |part: usize| taken[taken.len() * part / 100];
    println!(
        "{SUBSCRIBERS} subscribers, {updates} updates at {A_SECOND} a second: {lost} lost, \
         {out_of_order} out of order, from the start of an update to its subscriber p50 {:?}, \
         p99 {:?}",
        at(50),
        at(99)
    );
    assert_eq!((lost, out_of_order), (0, 0));
}
