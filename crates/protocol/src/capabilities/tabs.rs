//! Opening and leading tabs, and how what was begun in one ends.

use serde::{Deserialize, Serialize};

use super::page::{FieldText, FrameResult};
use crate::helm::SessionGroup;
use crate::link::TabFacts;
use crate::pages::DownloadFacts;

/// Payload of `tabs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "action", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TabsParams {
    /// A new, blank tab, in the background. Answers its `TabFacts`.
    Open {
        /// Whose it is; it goes into that session's tab group.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        group: Option<SessionGroup>,
    },
    /// Close it.
    Close {
        /// The tab.
        tab_id: i64,
    },
    /// Bring it to the front of its window, without raising the window.
    Select {
        /// The tab.
        tab_id: i64,
    },
    /// Go to an address and wait. Answers `Navigated`.
    Navigate {
        /// The tab.
        tab_id: i64,
        /// Where to.
        url: String,
        /// How long to wait.
        wait: NavigationWait,
    },
    /// Load the page again, and wait. Answers `Navigated`.
    Reload {
        /// The tab.
        tab_id: i64,
        /// Past the browser's cache.
        hard: bool,
        /// How long to wait.
        wait: NavigationWait,
    },
    /// Back (-1) or forward (1) in the tab's history, and wait. Answers `Navigated`.
    History {
        /// The tab.
        tab_id: i64,
        /// -1 or 1.
        delta: i32,
        /// How long to wait.
        wait: NavigationWait,
    },
}

/// When a navigation counts as done.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum NavigationWait {
    /// The `load` event, or three seconds after the DOM was ready.
    #[default]
    Load,
    /// The DOM is ready.
    Dom,
    /// Loaded, and the DOM unchanged for 100 ms (2 s at most).
    Quiet,
}

/// How a navigation ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Navigated {
    /// The tab as it is now.
    pub tab: TabFacts,
    /// HTTP status, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub status: Option<u16>,
    /// Whether what was waited for came about; false means still loading.
    pub finished: bool,
    /// The browser's own viewer shows a PDF.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub is_pdf: bool,
    /// The address led to a file, and the tab is where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub download: Option<DownloadFacts>,
    /// Dialogs of the page before that were answered to leave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub dialogs: Option<u32>,
}

/// Payload of `settle`: wait until what an action began has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SettleParams {
    /// The tab.
    pub tab_id: i64,
    /// Nothing began within this: done.
    pub begin_ms: u32,
    /// DOM unchanged for this: done.
    pub quiet_ms: u32,
    /// After a navigation, quiet for this: done.
    pub navigation_quiet_ms: u32,
    /// At most this in all.
    pub limit_ms: u32,
    /// Tell what the page is like then, where it is the same one.
    #[serde(default)]
    pub look: bool,
}

/// Result of `settle`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Settled {
    /// The tab as it is now.
    pub tab: TabFacts,
    /// A new document came.
    pub navigated: bool,
    /// The document is the same, its address another.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub moved_within: bool,
    /// The network error that a navigation ended in, `net::ERR_…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub failed: Option<String>,
    /// What that means and what to do, in the extension's own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub failed_because: Option<String>,
    /// Things were quiet before the limit.
    pub settled: bool,
    /// Where the tab was on its way to when the limit came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub heading_for: Option<String>,
    /// The element got the press but no click: the page replaced or moved it.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub halfway: bool,
    /// Tabs that appeared meanwhile with this one as opener.
    pub opened: Vec<TabFacts>,
    /// The inputs before it went to the page as synthetic events, since the
    /// debugger can't attach to the tab.
    #[serde(default)]
    pub synthetic: bool,
    /// A script put in what the inputs before it were about, and some of the events that
    /// told the page are not the browser's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub by_script: bool,
    /// HTTP status of the new document, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub status: Option<u16>,
    /// The browser's own viewer shows the new document.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub is_pdf: bool,
    /// Files whose download began meanwhile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<DownloadFacts>>", optional))]
    pub downloads: Vec<DownloadFacts>,
    /// An address that leads out of the browser, which the page was kept from following.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub held_back: Option<String>,
    /// The page asked the user for files; the browser's window for that was held back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub wants_files: bool,
    /// What the page asked the user for, by the browser's names for that, and the user has
    /// not answered yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub asks_for: Vec<String>,
    /// The page would have opened the browser's print window, which was held back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub wants_print: bool,
    /// The answers of all frames to `facts`, where they were asked for and are short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub look: Option<Vec<FrameResult>>,
    /// Instead of them, the nodes of the one field that changed, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub field: Option<FrameResult>,
    /// After typing: what the field holds that was made ready for it, if it is still there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub typed: Option<FieldText>,
}
