//! What the user decided is there again, for its owner, as it was.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod ground;

use ground::{Ground, NOW, other, policy};
use outrigger_guard::Origin;
use outrigger_guard::change::PolicyChange;
use outrigger_guard::pattern::OriginPattern;
use outrigger_guard::policy::{Policy, Term};
use outrigger_store::trust::{ListedDomain, Standing};
use outrigger_store::{Owner, StoreError};

#[tokio::test]
async fn a_policy_is_there_again_after_the_store_was_closed() {
    let ground = Ground::new();
    let written = [
        policy("*", "*", false, NOW),
        policy("tab_action:*", "https://*.münchen.de", true, NOW + 1),
        policy("tab_read:dom", "https://example.com:443/", true, NOW + 2),
        policy("ext:notes", "http://127.0.0.1:8080", false, NOW + 3),
    ];
    let store = ground.open().await;
    for policy in &written {
        store.put_policy(&Owner::local(), policy).await.unwrap();
    }
    store.close().await;
    let store = ground.open().await;
    assert_eq!(store.policies(&Owner::local()).await.unwrap(), written);
    assert!(store.policies(&other()).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_later_decision_about_the_same_takes_the_place_of_the_earlier_one() {
    let ground = Ground::new();
    let store = ground.open().await;
    let owner = Owner::local();
    let allowed = policy("tab_action:click", "*.Example.com", true, NOW);
    store.put_policy(&owner, &allowed).await.unwrap();
    store.put_policy(&other(), &allowed).await.unwrap();
    // Last is who writes last, whatever the clock says.
    let denied = policy("tab_action:click", "*.example.com.", false, NOW - 1);
    store.put_policy(&owner, &denied).await.unwrap();
    assert_eq!(store.policies(&owner).await.unwrap().as_slice(), std::slice::from_ref(&denied));
    assert_eq!(store.policies(&other()).await.unwrap(), [allowed]);

    let Policy { tools, origins, .. } = denied;
    let removal = [PolicyChange::Remove { tools, origins }];
    for _ in 0..2 {
        store.change_policies(&owner, &removal).await.unwrap();
    }
    assert!(store.policies(&owner).await.unwrap().is_empty());
    assert_eq!(store.policies(&other()).await.unwrap().len(), 1);
}

#[tokio::test]
async fn changes_of_one_answer_are_all_there_or_none() {
    let ground = Ground::new();
    let store = ground.open().await;
    let owner = Owner::local();
    let before = policy("tab_read:dom", "https://a.example", false, NOW);
    store.put_policy(&owner, &before).await.unwrap();
    let put = |origin: &str| PolicyChange::Put(policy("tab_action:click", origin, true, NOW));
    let Policy { tools, origins, .. } = before.clone();
    let removal = PolicyChange::Remove { tools, origins };
    let good = [put("https://a.example"), removal, put("https://c.example")];
    // The store fails at the last of them.
    let mut stranger = ground.stranger().await;
    let trigger = "CREATE TRIGGER refuses BEFORE INSERT ON extension_tool_permissions \
         WHEN NEW.origin_pattern = 'https://c.example' BEGIN SELECT RAISE(ABORT, 'no'); END";
    sqlx::query(trigger).execute(&mut stranger).await.unwrap();
    assert!(store.change_policies(&owner, &good).await.is_err());
    assert_eq!(store.policies(&owner).await.unwrap(), [before]);
    sqlx::query("DROP TRIGGER refuses").execute(&mut stranger).await.unwrap();
    store.change_policies(&owner, &good).await.unwrap();
    assert_eq!(store.policies(&owner).await.unwrap().len(), 2);
}

#[tokio::test]
async fn what_could_not_be_read_again_is_not_written() {
    let ground = Ground::new();
    let store = ground.open().await;
    let lasting = policy("tab_action:click", "https://example.com", true, NOW);
    let of_session = Policy { term: Term::Session("s1".into()), ..lasting.clone() };
    let refusal = store.put_policy(&Owner::local(), &of_session).await.unwrap_err();
    assert!(matches!(&refusal, StoreError::NotLasting { session } if session == "s1"), "{refusal}");
    let nowhere = Policy { origins: OriginPattern::One(Origin::of("about:blank")), ..lasting };
    let refusal = store.put_policy(&Owner::local(), &nowhere).await.unwrap_err();
    assert!(matches!(refusal, StoreError::BadPattern { .. }), "{refusal}");
    assert!(store.policies(&Owner::local()).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_row_that_says_nothing_is_an_error_and_not_left_out() {
    let ground = Ground::new();
    let store = ground.open().await;
    store.put_policy(&Owner::local(), &policy("*", "*", true, NOW)).await.unwrap();
    let mut stranger = ground.stranger().await;
    sqlx::query(
        "INSERT INTO extension_tool_permissions \
         (user_id, workspace_id, tool_pattern, origin_pattern, decision, updated_at) \
         VALUES ('local', 'default', 'tab_action:gone', '*', 'deny_always', 1)",
    )
    .execute(&mut stranger)
    .await
    .unwrap();
    let error = store.policies(&Owner::local()).await.unwrap_err();
    assert_eq!(error.code(), "store_bad_row");
    assert!(error.to_string().contains("tab_action:gone"), "{error}");
}

#[tokio::test]
async fn a_site_is_on_one_list_at_a_time() {
    let ground = Ground::new();
    let store = ground.open().await;
    let owner = Owner::local();
    store.put_trust(&owner, "Bücher.de", Standing::Trusted, NOW).await.unwrap();
    store.put_trust(&owner, "evil.test", Standing::Trusted, NOW).await.unwrap();
    store.put_trust(&owner, "EVIL.test.", Standing::Blocked, NOW + 1).await.unwrap();
    store.close().await;
    let store = ground.open().await;
    let listed = |domain: &str, standing, updated_at| ListedDomain {
        domain: domain.into(),
        standing,
        updated_at,
    };
    let evil = listed("evil.test", Standing::Blocked, NOW + 1);
    let books = listed("xn--bcher-kva.de", Standing::Trusted, NOW);
    assert_eq!(store.trust(&owner).await.unwrap(), [evil.clone(), books]);
    assert!(store.trust(&other()).await.unwrap().is_empty());

    assert!(!store.remove_trust(&other(), "bücher.de").await.unwrap());
    assert!(store.remove_trust(&owner, "bücher.de").await.unwrap());
    assert_eq!(store.trust(&owner).await.unwrap(), [evil]);
    let refusal = store.put_trust(&owner, "no/name", Standing::Blocked, NOW).await.unwrap_err();
    assert_eq!(refusal.code(), "store_bad_domain");
}
