//! Owns what the same act is called by each server: tool names, arguments, and how refs are written. Starts
//! nothing.

use serde_json::{Value, json};

use crate::{reply::RefStyle, servers::Server};

/// More than any page has: the whole of it.
const WHOLE_PAGE_TOKENS: u64 = 1_000_000;
/// More than any section has.
const WHOLE_SECTION_TOKENS: u64 = 100_000;

/// A tool with its arguments.
pub(crate) type Call = (&'static str, Value);

impl Server {
    pub(crate) fn navigate(self, url: &str) -> Call {
        match self {
            Self::Outrigger | Self::Playwright => ("browser_navigate", json!({ "url": url })),
            Self::ChromeDevtools => {
                ("navigate_page", json!({ "pageId": 1, "type": "url", "url": url }))
            }
            Self::AgentBrowser => ("agent_browser_open", json!({ "url": url })),
        }
    }

    /// What a model gets when it asks for a snapshot and says nothing else.
    pub(crate) fn default_look(self) -> Call {
        match self {
            Self::Outrigger | Self::Playwright => ("browser_snapshot", json!({})),
            Self::ChromeDevtools => ("take_snapshot", json!({ "pageId": 1 })),
            Self::AgentBrowser => ("agent_browser_snapshot", json!({})),
        }
    }

    /// All that the server says about the page; for two of the peers that is the default.
    pub(crate) fn whole_snapshot(self) -> Call {
        match self {
            Self::Outrigger => {
                ("browser_snapshot", json!({ "scope": "page", "max_tokens": WHOLE_PAGE_TOKENS }))
            }
            Self::Playwright | Self::ChromeDevtools => self.default_look(),
            Self::AgentBrowser => ("agent_browser_snapshot", json!({ "interactive": false })),
        }
    }

    /// What a handle in a snapshot stands for; only one server folds anything away.
    pub(crate) fn open_section(self, handle: &str) -> Option<Call> {
        (self == Self::Outrigger).then(|| {
            ("browser_snapshot", json!({ "section": handle, "max_tokens": WHOLE_SECTION_TOKENS }))
        })
    }

    pub(crate) fn click(self, reference: &str) -> Call {
        match self {
            Self::Outrigger => ("browser_click", json!({ "ref": reference })),
            Self::Playwright => {
                ("browser_click", json!({ "element": "button", "target": reference }))
            }
            Self::ChromeDevtools => ("click", json!({ "pageId": 1, "uid": reference })),
            Self::AgentBrowser => {
                ("agent_browser_click", json!({ "selector": format!("@{reference}") }))
            }
        }
    }

    /// Waits for a text that the page may show already.
    pub(crate) fn wait_for(self, text: &str) -> Call {
        match self {
            Self::Outrigger => ("browser_wait", json!({ "text": text })),
            Self::Playwright => ("browser_wait_for", json!({ "text": text })),
            Self::ChromeDevtools => ("wait_for", json!({ "pageId": 1, "text": [text] })),
            Self::AgentBrowser => ("agent_browser_wait_for_text", json!({ "text": text })),
        }
    }

    pub(crate) fn screenshot(self) -> Call {
        match self {
            Self::Outrigger => ("browser_screenshot", json!({})),
            Self::Playwright => ("browser_take_screenshot", json!({ "scale": "css" })),
            Self::ChromeDevtools => ("take_screenshot", json!({ "pageId": 1 })),
            Self::AgentBrowser => ("agent_browser_screenshot", json!({})),
        }
    }

    /// Runs a function in the page; only the server that supplies the yardstick needs it.
    pub(crate) fn evaluate(self, function: &str) -> Option<Call> {
        (self == Self::Playwright).then(|| ("browser_evaluate", json!({ "function": function })))
    }

    pub(crate) fn ref_style(self) -> RefStyle {
        match self {
            Self::Outrigger => RefStyle::InTag,
            Self::Playwright | Self::AgentBrowser => RefStyle::Keyed("ref="),
            Self::ChromeDevtools => RefStyle::Keyed("uid="),
        }
    }
}
