//! The bus of a team, over a real NATS server that comes and goes.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::time::Duration;

use futures_util::StreamExt as _;
use outrigger_bus::{Bus, Heard, Listener, NatsBus, Notice};
use outrigger_protocol::records::{RecordEvent, RecordEventKind, RecordId};
use outrigger_testkit::{NatsServer, eventually};

const PATIENCE: Duration = Duration::from_secs(20);

fn notice(seq: u64) -> Notice {
    let event = RecordEvent {
        seq,
        kind: RecordEventKind::Updated,
        id: RecordId::of_bits(1),
        schema_name: "browser.page.context.v1".into(),
        tags: vec!["browser:context".into()],
        version: seq,
        at: 1,
        owner: "me".into(),
        volatile: true,
    };
    Notice { workspace: "team".into(), user: "somebody".into(), life: "a".into(), event }
}

async fn connect(server: &NatsServer) -> NatsBus {
    NatsBus::connect(&server.url(), PATIENCE).await.unwrap()
}

/// The next notice; what was missed before doesn't matter.
async fn heard(listener: &mut Listener) -> Notice {
    let hearing = async {
        loop {
            if let Heard::Notice(notice) = listener.next().await.unwrap() {
                return (*notice).clone();
            }
        }
    };
    tokio::time::timeout(PATIENCE, hearing).await.expect("a notice")
}

#[tokio::test(flavor = "multi_thread")]
async fn other_hubs_and_clients_of_nats_hear_a_notice_and_its_own_hub_does_not() {
    let server = NatsServer::start();
    let (one, other) = (connect(&server).await, connect(&server).await);
    let (mut own, mut theirs) = (one.listen(), other.listen());
    let client = async_nats::connect(server.url()).await.unwrap();
    let subject = "outrigger.team.records.browser_page_context_v1.updated";
    let mut outside = client.subscribe(subject).await.unwrap();
    // The server reads in order: once it answers, it knows of the subscription.
    client.request("$JS.API.INFO", "".into()).await.unwrap();

    one.publish(notice(1));
    assert_eq!(heard(&mut theirs).await, notice(1));
    let told = tokio::time::timeout(PATIENCE, outside.next()).await.unwrap().unwrap();
    assert_eq!(serde_json::from_slice::<Notice>(&told.payload).unwrap(), notice(1));
    // The first that its own hub hears is what the other one tells.
    other.publish(notice(2));
    assert_eq!(heard(&mut own).await, notice(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn notices_are_kept_in_memory_once_each_and_never_on_disk() {
    let server = NatsServer::start();
    let bus = connect(&server).await;
    for seq in [1, 2, 2, 3] {
        bus.publish(notice(seq));
    }
    let client = async_nats::connect(server.url()).await.unwrap();
    let jetstream = async_nats::jetstream::new(client);
    eventually("three notices are kept", || async {
        let stream = jetstream.get_stream("OUTRIGGER_RECORDS").await.unwrap();
        (stream.cached_info().state.last_sequence == 3).then_some(())
    })
    .await;
    assert!(!server.has_written("browser:context"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_gone_and_back_is_told_of_and_used_again() {
    let mut server = NatsServer::start();
    let (one, other) = (connect(&server).await, connect(&server).await);
    let mut theirs = other.listen();
    one.publish(notice(1));
    assert_eq!(heard(&mut theirs).await, notice(1));

    server.stop();
    eventually("both are cut off", || async {
        (!one.is_connected() && !other.is_connected()).then_some(())
    })
    .await;
    server.resume();
    // Without anything being told: something may have been missed.
    let missed = tokio::time::timeout(PATIENCE, theirs.next()).await.expect("word of it");
    assert_eq!(missed, Some(Heard::Missed));
    eventually("both are back", || async {
        (one.is_connected() && other.is_connected()).then_some(())
    })
    .await;
    one.publish(notice(2));
    // Whose arrival nobody could confirm any more is told again; it only wakes.
    let mut told = heard(&mut theirs).await;
    while told == notice(1) {
        told = heard(&mut theirs).await;
    }
    assert_eq!(told, notice(2));
}

#[tokio::test]
async fn a_server_that_is_not_there_or_keeps_nothing_is_told_at_once() {
    let nobody = "nats://me:secret@127.0.0.1:1";
    let error = NatsBus::connect(nobody, Duration::from_secs(5)).await.err().unwrap();
    assert_eq!(error.code(), "bus_unreachable");
    assert!(error.to_string().contains("127.0.0.1:1"), "{error}");
    assert!(!error.to_string().contains("secret"), "{error}");

    let server = NatsServer::start_without_jetstream();
    let error = NatsBus::connect(&server.url(), PATIENCE).await.err().unwrap();
    assert_eq!(error.code(), "bus_no_jetstream");
    assert!(error.to_string().contains("nats-server -js"), "{error}");
}
