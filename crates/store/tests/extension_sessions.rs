//! Logins of extensions: tokens that rotate, and a copy that gives itself away.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod ground;

use std::fs;

use ground::{DAY, Ground, MINUTE, NOW, other};
use outrigger_store::extension_sessions::{
    ACCESS_LIFETIME, REFRESH_LIFETIME, Refreshed, RevocationReason, TokenPair,
};
use outrigger_store::tokens::Scope;
use outrigger_store::{Owner, Secret, Store};

const ORIGIN: &str = "chrome-extension://abcdefghijklmnopabcdefghijklmnop";
const PAIRING: &str = "the-pairing-token";

async fn begin(store: &Store) -> TokenPair {
    store.begin_family(&Owner::local(), ORIGIN, "browser 1", PAIRING, NOW).await.unwrap()
}

async fn rotate(store: &Store, secret: &Secret, now: i64) -> TokenPair {
    match store.refresh(secret.reveal(), now).await.unwrap() {
        Refreshed::Rotated(pair) => pair,
        other => panic!("{other:?}"),
    }
}

async fn is_let_in(store: &Store, secret: &Secret, now: i64) -> bool {
    store.check_access(secret.reveal(), now).await.unwrap().is_some()
}

#[tokio::test]
async fn a_pair_is_good_until_the_next_one_is_given() {
    let ground = Ground::new();
    let store = ground.open().await;
    let first = begin(&store).await;
    let family = store.check_access(first.access.reveal(), NOW).await.unwrap().unwrap();
    assert_eq!((family.id.as_str(), family.owner), (first.family.as_str(), Owner::local()));
    assert_eq!((family.extension_origin.as_str(), family.instance.as_str()), (ORIGIN, "browser 1"));
    assert_eq!(family.revoked, None);

    let second = rotate(&store, &first.refresh, NOW + MINUTE).await;
    assert_eq!(second.family, first.family);
    assert_eq!(second.access_expires_at, NOW + MINUTE + ACCESS_LIFETIME);
    assert_eq!(second.refresh_expires_at, NOW + MINUTE + REFRESH_LIFETIME);
    store.close().await;
    let store = ground.open().await;
    assert!(is_let_in(&store, &second.access, NOW + MINUTE).await);
    assert!(!is_let_in(&store, &first.access, NOW + MINUTE).await);
    assert_eq!(store.families(&Owner::local()).await.unwrap().len(), 1);
    assert!(store.families(&other()).await.unwrap().is_empty());
    // Neither is good for what the other one is for.
    assert!(!is_let_in(&store, &second.refresh, NOW + MINUTE).await);
    let refreshed = store.refresh(second.access.reveal(), NOW + MINUTE).await.unwrap();
    assert_eq!(refreshed, Refreshed::Unknown);
    assert_eq!(store.refresh("made up", NOW).await.unwrap(), Refreshed::Unknown);
}

#[tokio::test]
async fn a_refresh_token_that_is_used_twice_ends_its_family() {
    let ground = Ground::new();
    let store = ground.open().await;
    let first = begin(&store).await;
    let bystander = begin(&store).await;
    let second = rotate(&store, &first.refresh, NOW).await;
    let third = rotate(&store, &second.refresh, NOW).await;
    let reused = Refreshed::Reused { family: first.family.clone() };
    // However old it is.
    assert_eq!(store.refresh(first.refresh.reveal(), NOW).await.unwrap(), reused);
    assert!(!is_let_in(&store, &third.access, NOW).await);
    assert_eq!(store.refresh(third.refresh.reveal(), NOW).await.unwrap(), Refreshed::Revoked);
    assert_eq!(store.refresh(second.refresh.reveal(), NOW).await.unwrap(), reused);
    let families = store.families(&Owner::local()).await.unwrap();
    let family = families.iter().find(|family| family.id == first.family).unwrap();
    assert_eq!(family.revoked.unwrap().1, RevocationReason::Reused);
    assert!(is_let_in(&store, &bystander.access, NOW).await);
    rotate(&store, &bystander.refresh, NOW).await;
}

#[tokio::test]
async fn of_two_refreshes_at_once_one_wins_and_the_other_is_a_reuse() {
    for round in 0..10 {
        let ground = Ground::new();
        // One program, or two.
        let store = ground.open().await;
        let second = if round % 2 == 0 { store.clone() } else { ground.open().await };
        let pair = begin(&store).await;
        let racing = [store.clone(), second].map(|store| {
            let secret = pair.refresh.clone();
            tokio::spawn(async move { store.refresh(secret.reveal(), NOW).await.unwrap() })
        });
        let mut winners = Vec::new();
        let mut reuses = 0;
        for refreshed in racing {
            match refreshed.await.unwrap() {
                Refreshed::Rotated(pair) => winners.push(pair),
                Refreshed::Reused { family } if family == pair.family => reuses += 1,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!((winners.len(), reuses), (1, 1));
        // And nobody has anything of it.
        assert!(!is_let_in(&store, &winners[0].access, NOW).await);
        let refreshed = store.refresh(winners[0].refresh.reveal(), NOW).await.unwrap();
        assert_eq!(refreshed, Refreshed::Revoked);
    }
}

#[tokio::test]
async fn a_family_that_was_ended_stays_so_for_its_first_reason() {
    let ground = Ground::new();
    let store = ground.open().await;
    let owner = Owner::local();
    let first = begin(&store).await;
    let pair = rotate(&store, &first.refresh, NOW).await;
    let reason = RevocationReason::SignedOut;
    assert!(!store.revoke_family(&other(), &pair.family, reason, NOW).await.unwrap());
    assert!(is_let_in(&store, &pair.access, NOW).await);
    assert!(store.revoke_family(&owner, &pair.family, reason, NOW).await.unwrap());
    let again = RevocationReason::Withdrawn;
    assert!(!store.revoke_family(&owner, &pair.family, again, NOW).await.unwrap());
    assert!(!is_let_in(&store, &pair.access, NOW).await);
    assert_eq!(store.refresh(pair.refresh.reveal(), NOW).await.unwrap(), Refreshed::Revoked);
    store.refresh(first.refresh.reveal(), NOW).await.unwrap();
    let families = store.families(&owner).await.unwrap();
    assert_eq!(families[0].revoked.unwrap().1, reason);
}

#[tokio::test]
async fn no_clock_brings_an_expired_token_back() {
    let ground = Ground::new();
    let store = ground.open().await;
    let pair = begin(&store).await;
    assert!(is_let_in(&store, &pair.access, pair.access_expires_at - 1000).await);
    assert!(!is_let_in(&store, &pair.access, pair.access_expires_at).await);
    // Set back a day, in this run and in the next one.
    assert!(!is_let_in(&store, &pair.access, NOW - DAY).await);
    store.close().await;
    let store = ground.open().await;
    assert!(!is_let_in(&store, &pair.access, NOW - DAY).await);
    assert!(!is_let_in(&store, &pair.access, NOW).await);

    // The login itself lives on, and its new tokens end in time, whatever the clock says.
    let next = rotate(&store, &pair.refresh, NOW - DAY).await;
    assert!(next.access_expires_at >= pair.access_expires_at + ACCESS_LIFETIME);
    assert!(is_let_in(&store, &next.access, NOW - DAY).await);
    assert!(!is_let_in(&store, &next.access, next.access_expires_at).await);

    let end = next.refresh_expires_at;
    assert_eq!(store.refresh(next.refresh.reveal(), end).await.unwrap(), Refreshed::Expired);
    store.close().await;
    let store = ground.open().await;
    for now in [end - 1, NOW, NOW - DAY] {
        let refreshed = store.refresh(next.refresh.reveal(), now).await.unwrap();
        assert_eq!(refreshed, Refreshed::Expired, "{now}");
    }
}

#[tokio::test]
async fn a_clock_that_was_a_day_ahead_locks_nobody_out() {
    let ground = Ground::new();
    let store = ground.open().await;
    let pair = begin(&store).await;
    assert!(!is_let_in(&store, &pair.access, NOW + DAY).await);
    // Right again: what was seen to expire stays expired, and what is new is good.
    assert!(!is_let_in(&store, &pair.access, NOW).await);
    let next = rotate(&store, &pair.refresh, NOW).await;
    assert!(is_let_in(&store, &next.access, NOW + MINUTE).await);
    let login =
        store.begin_family(&Owner::local(), ORIGIN, "browser 2", PAIRING, NOW).await.unwrap();
    assert!(is_let_in(&store, &login.access, NOW + MINUTE).await);
}

#[tokio::test]
async fn a_token_is_nowhere_in_the_files() {
    let ground = Ground::new();
    let store = ground.open().await;
    let owner = Owner::local();
    let mut secrets = Vec::new();
    for number in 0..20 {
        let pair = begin(&store).await;
        let next = rotate(&store, &pair.refresh, NOW).await;
        let name = format!("token {number}");
        let (_, token) = store.new_token(&owner, &name, Scope::Admin, None, NOW).await.unwrap();
        store.check_token(token.reveal(), NOW).await.unwrap().unwrap();
        store.check_access(next.access.reveal(), NOW).await.unwrap().unwrap();
        store.refresh(pair.refresh.reveal(), NOW).await.unwrap();
        secrets.extend([pair.access, pair.refresh, next.access, next.refresh, token]);
    }
    // While it is in the write-ahead log, and after.
    for is_closed in [false, true] {
        if is_closed {
            store.close().await;
        }
        let files = fs::read_dir(ground.folder.path()).unwrap();
        let files = files.map(|file| fs::read(file.unwrap().path()).unwrap());
        let files: String =
            files.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect();
        assert!(files.contains("token 19"));
        for secret in &secrets {
            let word = secret.reveal();
            let random = &word[word.len() - 43..];
            assert!(!files.contains(&random[..16]), "{word}");
        }
    }
}

#[tokio::test]
async fn a_login_knows_the_pairing_token_that_it_was_begun_with_and_not_the_word() {
    let ground = Ground::new();
    let store = ground.open().await;
    begin(&store).await;
    let families = store.families(&Owner::local()).await.unwrap();
    assert_eq!(families[0].was_begun_with(PAIRING), Some(true));
    assert_eq!(families[0].was_begun_with("another"), Some(false));
    assert!(!format!("{families:?}").contains(PAIRING));
}
