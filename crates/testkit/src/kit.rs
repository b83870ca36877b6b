//! A real hub with a home of its own, and a real browser linked to it.

use outrigger_hub::agent_client::AgentClient;
use outrigger_hub::home::Token;
use outrigger_hub::{Home, Hub, Settings};
use outrigger_protocol::agent::{Hello, Launch};

use serde_json::{Value, json};

use crate::api::Api;
use crate::desktop::Desktop;
use crate::eventually;
use crate::loose_browser::LooseBrowser;
use crate::mcp_client::McpClient;
use crate::nats::NatsServer;
use crate::pages::Pages;
use crate::scratch::Scratch;

/// Whoever asks a hub for its status, which tells of that session too.
const WATCHER: &str = "watcher";

/// A hub for one test.
pub struct Kit {
    /// Its settings: the home, the port it took.
    pub settings: Settings,
    hub: Option<Hub>,
    home: Scratch,
}

impl Kit {
    /// A hub on a free port, with nothing linked to it.
    pub async fn start() -> Self {
        Kit::start_with_flags(&[]).await
    }

    /// The same, whose browsers are launched with more flags.
    pub async fn start_with_flags(flags: &[&str]) -> Self {
        let home = Scratch::new();
        let mut settings = Settings::at(Home::at(home.path()), 0);
        settings.browser = std::env::var_os("OUTRIGGER_BROWSER").map(Into::into);
        // Nothing outside this machine is looked up; test hosts are on it.
        settings.browser_args =
            vec!["--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost".to_owned()];
        settings.browser_args.extend(flags.iter().map(|&flag| flag.to_owned()));
        settings.upload_roots = vec![home.path().join("uploads")];
        let hub = Hub::start(&settings).await.expect("the hub starts");
        settings.port = hub.port();
        Kit { settings, hub: Some(hub), home }
    }

    /// A hub that shares its records with all that are told the same servers.
    pub async fn in_a_team(database_url: &str, nats: Option<&NatsServer>) -> Self {
        let mut kit = Kit::start().await;
        kit.settings.database_url = Some(database_url.parse().expect("an address"));
        kit.settings.nats_url = nats.map(|nats| nats.url().parse().expect("an address"));
        kit.restart().await;
        kit
    }

    /// A hub with a headless Chromium, and pages to look at.
    pub async fn with_browser(pages: &[(&str, &str)]) -> (Self, Pages, McpClient) {
        Kit::with_browser_flags(pages, &[]).await
    }

    /// The same, with more flags for the browser.
    pub async fn with_browser_flags(
        pages: &[(&str, &str)],
        flags: &[&str],
    ) -> (Self, Pages, McpClient) {
        let (kit, pages) = (Kit::start_with_flags(flags).await, Pages::serve(pages).await);
        kit.launch().await;
        let client = kit.client().await;
        (kit, pages, client)
    }

    /// A browser that is no child of the hub and has nothing to protect, once it
    /// is linked.
    pub async fn loose_browser(&self) -> LooseBrowser {
        self.loose_browser_beside(&[]).await
    }

    /// The same, with another extension in it: its files by name.
    pub async fn loose_browser_beside(&self, neighbour: &[(&str, &str)]) -> LooseBrowser {
        let token = Token::generate().expect("a token");
        self.hub().expect_throw_away(token.clone());
        let browser = LooseBrowser::start_beside(&self.settings, token.reveal(), neighbour);
        self.until_linked().await;
        browser
    }

    /// A loose browser with a window that a person sees.
    pub async fn browser_on(&self, desktop: &Desktop) -> LooseBrowser {
        let token = Token::generate().expect("a token");
        self.hub().expect_throw_away(token.clone());
        let browser = LooseBrowser::start_on(desktop, &self.settings, token.reveal());
        self.until_linked().await;
        browser
    }

    /// A browser as a person pairs it, once it is linked.
    pub async fn personal_browser(&self) -> LooseBrowser {
        let browser = LooseBrowser::start(&self.settings, self.hub().pairing_token().reveal());
        self.until_linked().await;
        browser
    }

    /// Waits until some browser is linked.
    async fn until_linked(&self) {
        let client = self.client().await;
        eventually("a browser links", || async {
            let list = json!({"action": "list", "timeoutMs": 500});
            let answer = client.call("browser_tabs", list).await;
            (answer.code.as_deref() != Some("no_browser")).then_some(())
        })
        .await;
        client.leave().await;
    }

    /// Launches a headless Chromium that ends with the hub.
    pub async fn launch(&self) -> String {
        self.hub().launch(Launch { headless: true }).await.expect("Chromium is launched")
    }

    /// The hub.
    pub fn hub(&self) -> &Hub {
        self.hub.as_ref().expect("the hub runs")
    }

    /// A program with the machine's own token.
    pub fn api(&self) -> Api {
        Api::new(self.settings.port, self.hub().agent_token().reveal())
    }

    /// An MCP client over HTTP.
    pub async fn client(&self) -> McpClient {
        McpClient::http(self.settings.port, self.hub().agent_token().reveal()).await
    }

    /// What the hub has done so far, as it tells itself: its links, and its
    /// sessions with the number of their calls.
    pub async fn doings(&self) -> Value {
        let status = self.status().await;
        let told = |list: &Value, what: [&str; 2]| -> Value {
            let entries = list.as_array().into_iter().flatten();
            let others = entries.filter(|entry| entry["session"] != WATCHER);
            others.map(|entry| json!(what.map(|key| &entry[key]))).collect()
        };
        json!({
            "sessions": told(&status["sessions"], ["session", "calls"]),
            "links": told(&status["browsers"], ["id", "throwAway"]),
        })
    }

    /// What the hub says is wrong with it now.
    pub async fn warnings(&self) -> Vec<String> {
        let status = self.status().await;
        let warnings = status["warnings"].as_array().into_iter().flatten();
        warnings.filter_map(|warning| warning.as_str().map(str::to_owned)).collect()
    }

    async fn status(&self) -> Value {
        let hello = Hello {
            client: WATCHER.to_owned(),
            session: WATCHER.to_owned(),
            ends_with_connection: true,
            launch: None,
            own_window: false,
        };
        let watcher = AgentClient::connect(&self.settings, hello).await.expect("the hub runs");
        watcher.status().await.expect("the hub tells its status")
    }

    /// Puts a page in front of all others of its window, for a session of its own.
    pub async fn page_in_front(&self, url: &str) -> McpClient {
        let client = self.client().await;
        let said = client.ok("browser_tabs", json!({"action": "open", "url": url})).await;
        let tab = said.strip_prefix("Opened tab ").and_then(|said| said.split_once(';'));
        let tab: i64 = tab.and_then(|(tab, _)| tab.parse().ok()).expect("the tab is told");
        client.ok("browser_tabs", json!({"action": "select", "id": tab})).await;
        client
    }

    /// Stops the hub and starts it again on the same port and home.
    pub async fn restart(&mut self) {
        self.hub.take().expect("the hub runs").stop().await;
        self.hub = Some(Hub::start(&self.settings).await.expect("the hub starts again"));
    }

    /// Stops the hub and waits for everything it launched. What it left is in
    /// the folder that comes back.
    pub async fn stop(mut self) -> Scratch {
        self.hub.take().expect("the hub runs").stop().await;
        self.home
    }
}
