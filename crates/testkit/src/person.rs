//! A person with a browser of their own: a real Chromium, paired, with Outrigger's panel
//! at hand and an agent that would like something.

use crate::devtools::{Devtools, Target};
use crate::kit::Kit;
use crate::loose_browser::LooseBrowser;
use crate::mcp_client::McpClient;
use crate::pages::Pages;

/// A person, and what is around them.
pub struct Person {
    /// The hub.
    pub kit: Kit,
    /// Pages to look at.
    pub pages: Pages,
    /// What is in the browser, by hand.
    pub devtools: Devtools,
    /// An agent.
    pub client: McpClient,
    _browser: LooseBrowser,
}

impl Person {
    /// At a browser that is paired.
    pub async fn start(pages: &[(&str, &str)]) -> Self {
        Person::start_with_flags(pages, &[]).await
    }

    /// The same, with more flags for the browser.
    pub async fn start_with_flags(pages: &[(&str, &str)], flags: &[&str]) -> Self {
        let (kit, pages) = (Kit::start_with_flags(flags).await, Pages::serve(pages).await);
        let browser = kit.personal_browser().await;
        let devtools = browser.devtools().await;
        let client = kit.client().await;
        Person { kit, pages, devtools, client, _browser: browser }
    }

    /// Outrigger's panel, in a tab of its own.
    pub async fn panel(&self) -> Target<'_> {
        self.devtools.open_own_page("sidepanel.html").await
    }
}
