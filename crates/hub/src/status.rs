//! What the hub says of itself: `outrigger sessions`, `outrigger doctor`.

use outrigger_guard::Profile;
use outrigger_store::extension_sessions::{Family, RevocationReason};
use serde_json::{Value, json};
use std::time::SystemTime;

use crate::server::Shared;

/// `ext-` and eight more.
const SHORT_NAME: usize = 12;

/// Version, links and sessions, without a word of any page.
pub(crate) async fn status(shared: &Shared) -> Value {
    let browsers = shared.desk.browsers.all();
    let browsers: Vec<Value> = browsers
        .iter()
        .map(|browser| {
            json!({
                "id": browser.id,
                "name": browser.info.name,
                "version": browser.info.version,
                "build": browser.info.build,
                "extensionVersion": browser.extension_version,
                "throwAway": browser.profile == Profile::ThrowAway,
                "tabs": browser.tabs().len(),
            })
        })
        .collect();
    let logins = shared.credentials.logins().await.unwrap_or_default();
    let now = SystemTime::now();
    let sessions: Vec<Value> = shared
        .desk
        .sessions
        .all()
        .into_iter()
        .map(|(name, session)| {
            let seconds = now.duration_since(session.started).unwrap_or_default().as_secs();
            json!({
                "session": name,
                "client": session.client,
                "tabs": session.tabs.iter().map(|key| key.tab).collect::<Vec<_>>(),
                "current": session.current.map(|key| key.tab),
                "calls": session.calls,
                "standing": session.control.now().standing,
                "doing": session.running.last(),
                "seconds": seconds,
            })
        })
        .collect();
    let told = [warnings(&logins), shared.records.troubles().await].concat();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "pid": std::process::id(),
        "port": shared.port,
        "browsers": browsers,
        "sessions": sessions,
        "closedBecause": shared.guard.closed_because(),
        "everythingStopped": shared.desk.sessions.is_everything_stopped(),
        "refusedExtensions": shared.refused_extensions.told(),
        "logins": good(&logins),
        "warnings": told,
    })
}

/// Logins of extensions that are good, by the store.
fn good(logins: &[Family]) -> Value {
    let good = logins.iter().filter(|login| login.revoked.is_none());
    let told = good.map(|login| {
        json!({
            "browser": short_name(login),
            "origin": login.extension_origin,
            "since": login.created_at,
        })
    });
    told.collect()
}

/// Enough to tell browsers apart. The whole is known to its browser alone, and is
/// part of what proves that it is this one.
fn short_name(login: &Family) -> String {
    login.instance.chars().take(SHORT_NAME).collect()
}

/// Logins that ended since somebody else may have their tokens, until the browser
/// is paired again.
fn warnings(logins: &[Family]) -> Vec<String> {
    let is_reused = |login: &&Family| {
        login.revoked.is_some_and(|(_, why)| why == RevocationReason::Reused)
            && !logins.iter().any(|later| {
                later.instance == login.instance && later.created_at > login.created_at
            })
    };
    let warning = |login: &Family| {
        format!(
            "The login of the browser {} was ended: one of its tokens was used twice, so somebody \
             else may have a copy. Pair that browser again with `outrigger pair`.",
            short_name(login)
        )
    };
    logins.iter().filter(is_reused).map(warning).collect()
}
