//! How an agent session ends: with its client, or after a while without a call where
//! no client says so. With it goes what was allowed for it, what it asked for, and its
//! tabs, as the settings say.

use std::sync::Arc;
use std::time::Duration;

use outrigger_browser::LinkedBrowser;
use outrigger_dispatch::{Call, Caller, Notices};
use outrigger_guard::Scope;
use serde_json::json;
use tokio::time::Instant;

use crate::server::Shared;
use crate::settings::TabsAtEnd;

/// How often idle sessions are looked for, at the least.
const PACE: Duration = Duration::from_secs(30);

/// Ends sessions that nobody else ends, once they have called nothing for that long.
pub(crate) async fn end_idle(shared: Arc<Shared>, time: Duration) {
    let pace = PACE.min(time / 4);
    loop {
        tokio::select! {
            () = tokio::time::sleep(pace) => {}
            () = shared.shutdown.cancelled() => return,
        }
        for name in shared.desk.sessions.idle(Instant::now(), time) {
            tracing::info!(session = name, "a session that was idle for long has ended");
            shared.finish_session(&name).await;
        }
    }
}

impl Shared {
    /// Ends a session whose client has gone. Its tabs stay, or are closed, as
    /// the settings say; those that the user shared always stay.
    pub(crate) fn end_session(self: Arc<Self>, name: String) {
        if !self.closes_tabs() {
            return self.forget_session(&name);
        }
        let tasks = self.tasks.clone();
        tasks.spawn(async move { self.finish_session(&name).await });
    }

    fn closes_tabs(&self) -> bool {
        self.tabs_at_end == TabsAtEnd::Close && !self.shutdown.is_cancelled()
    }

    async fn finish_session(&self, name: &str) {
        if self.closes_tabs() {
            self.close_tabs(name).await;
        }
        self.forget_session(name);
    }

    fn forget_session(&self, name: &str) {
        self.desk.requests.forget(name);
        self.guard.forget_session(name);
        self.desk.sessions.end(name);
    }

    /// By the one road, like every other call of the session.
    async fn close_tabs(&self, name: &str) {
        let Some(session) = self.desk.sessions.get(name) else { return };
        let browsers = self.desk.browsers.all();
        for key in session.tabs.opened() {
            // One that was launched for the session ends with it anyway.
            let stays = |browser: &&Arc<LinkedBrowser>| browser.reserved_for.is_none();
            if !browsers.iter().filter(stays).any(|browser| browser.id == key.browser) {
                continue;
            }
            let arguments = json!({"action": "close", "id": key.tab, "browser": key.browser});
            let (session, client) = (name.to_owned(), session.client.clone());
            let caller =
                Caller { session, client, scope: Scope::Act, holder: "outrigger".to_owned() };
            let (tool, notices) = ("browser_tabs".to_owned(), Notices::default());
            let call = Call { tool, arguments, caller, notices };
            let reply = self.road.run(call).await;
            if let Some(code) = reply.error {
                tracing::info!(session = name, %code, "a tab was not closed");
            }
        }
    }
}
