//! What the hub says of itself: `outrigger sessions`, `outrigger doctor`.

use outrigger_guard::Profile;
use serde_json::{Value, json};
use std::time::SystemTime;

use crate::server::Shared;

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
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "pid": std::process::id(),
        "port": shared.port,
        "browsers": browsers,
        "sessions": sessions,
        "everythingStopped": shared.desk.sessions.is_everything_stopped(),
        "refusedExtensions": shared.refused_extensions.told(),
    })
}
