//! Tokens of the API: good until they expire or are revoked, and never again.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod ground;

use std::time::Duration;

use ground::{DAY, Ground, MINUTE, NOW, entry, other};
use outrigger_store::Owner;
use outrigger_store::activity::ActivityEntry;
use outrigger_store::tokens::Scope;

const HOUR: Duration = Duration::from_secs(3600);
const HOUR_MS: i64 = 60 * MINUTE;

#[tokio::test]
async fn a_token_is_known_by_its_word_and_nobody_is_told_it_again() {
    let ground = Ground::new();
    let store = ground.open().await;
    let owner = Owner::local();
    let (made, secret) = store.new_token(&owner, "ci", Scope::Act, None, NOW).await.unwrap();
    let (foreign, _) = store.new_token(&other(), "theirs", Scope::Admin, None, NOW).await.unwrap();
    store.close().await;
    let store = ground.open().await;
    assert_eq!(store.tokens(&owner).await.unwrap().as_slice(), std::slice::from_ref(&made));
    assert_eq!(store.tokens(&other()).await.unwrap(), [foreign]);

    let checked = store.check_token(secret.reveal(), NOW + 5).await.unwrap().unwrap();
    assert_eq!(checked, made);
    let used = store.tokens(&owner).await.unwrap()[0].last_used_at.unwrap();
    assert!(used >= NOW + 5);
    // Each note of a use is a write, so that not every use is noted.
    store.check_token(secret.reveal(), used + 1000).await.unwrap().unwrap();
    assert_eq!(store.tokens(&owner).await.unwrap()[0].last_used_at, Some(used));
    store.check_token(secret.reveal(), used + MINUTE).await.unwrap().unwrap();
    assert_eq!(store.tokens(&owner).await.unwrap()[0].last_used_at, Some(used + MINUTE));

    for word in ["", "otr_", "otr_AAAA", &secret.reveal()[1..], &format!("{} ", secret.reveal())] {
        assert_eq!(store.check_token(word, NOW).await.unwrap(), None, "{word}");
    }
}

#[tokio::test]
async fn a_revoked_token_is_good_for_nothing_at_once() {
    let ground = Ground::new();
    let store = ground.open().await;
    let owner = Owner::local();
    let (made, secret) = store.new_token(&owner, "ci", Scope::Read, None, NOW).await.unwrap();
    assert!(!store.revoke_token(&other(), made.id, NOW).await.unwrap());
    assert!(store.check_token(secret.reveal(), NOW).await.unwrap().is_some());
    assert!(store.revoke_token(&owner, made.id, NOW).await.unwrap());
    assert!(!store.revoke_token(&owner, made.id, NOW).await.unwrap());
    assert_eq!(store.check_token(secret.reveal(), NOW).await.unwrap(), None);
    assert!(store.tokens(&owner).await.unwrap()[0].revoked_at.is_some());
}

#[tokio::test]
async fn no_clock_brings_an_expired_token_back() {
    let ground = Ground::new();
    let store = ground.open().await;
    let owner = Owner::local();
    let (made, secret) = store.new_token(&owner, "ci", Scope::Read, Some(HOUR), NOW).await.unwrap();
    let end = made.expires_at.unwrap();
    assert_eq!(end, made.created_at + HOUR_MS);
    assert!(store.check_token(secret.reveal(), end - 1000).await.unwrap().is_some());
    assert_eq!(store.check_token(secret.reveal(), end).await.unwrap(), None);
    for now in [end - 1, NOW, NOW - DAY, 0, i64::MIN] {
        assert_eq!(store.check_token(secret.reveal(), now).await.unwrap(), None, "{now}");
    }
    store.close().await;
    let store = ground.open().await;
    for now in [end - 1, NOW, NOW - DAY] {
        assert_eq!(store.check_token(secret.reveal(), now).await.unwrap(), None, "{now}");
    }
}

#[tokio::test]
async fn time_that_the_log_has_seen_counts_for_tokens() {
    let ground = Ground::new();
    let store = ground.open().await;
    let owner = Owner::local();
    let (_, secret) = store.new_token(&owner, "ci", Scope::Read, Some(HOUR), NOW).await.unwrap();
    let later = ActivityEntry { at_ms: NOW + 2 * HOUR_MS, ..entry(1) };
    store.append(&owner, &[later]).await.unwrap();
    store.close().await;
    // Nobody showed the token after its end, and the clock is set back meanwhile.
    let store = ground.open().await;
    assert_eq!(store.check_token(secret.reveal(), NOW).await.unwrap(), None);
}

#[tokio::test]
async fn a_token_that_is_made_while_the_clock_is_behind_lives_as_long_as_any() {
    let ground = Ground::new();
    let store = ground.open().await;
    let owner = Owner::local();
    store.append(&owner, &[entry(0)]).await.unwrap();
    let behind = NOW - DAY;
    let made = store.new_token(&owner, "ci", Scope::Read, Some(HOUR), behind).await.unwrap();
    let (info, secret) = made;
    assert!(info.created_at >= NOW);
    assert!(store.check_token(secret.reveal(), behind).await.unwrap().is_some());
    let end = info.expires_at.unwrap();
    assert!(store.check_token(secret.reveal(), end - 1000).await.unwrap().is_some());
    assert_eq!(store.check_token(secret.reveal(), end).await.unwrap(), None);
}

#[tokio::test]
async fn a_name_has_a_limit() {
    let ground = Ground::new();
    let store = ground.open().await;
    let long = "x".repeat(201);
    let refusal = store.new_token(&Owner::local(), &long, Scope::Read, None, NOW).await;
    assert_eq!(refusal.unwrap_err().code(), "store_too_long");
    assert!(store.tokens(&Owner::local()).await.unwrap().is_empty());
}
