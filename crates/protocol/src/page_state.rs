//! What a page keeps and offers: its storage, its figures, its own tools. The
//! arguments and answers of the page functions `storage`, `vitals` and
//! `pageTools`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Which of a page's two stores.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum StorageArea {
    /// Stays.
    #[default]
    Local,
    /// Ends with the tab.
    Session,
}

/// Argument of `storage`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StorageArgs {
    /// The origin the call was authorized for.
    pub origin: String,
    /// Which store.
    pub area: StorageArea,
    /// What to do with it.
    pub access: StorageAccess,
}

/// What to do with a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum StorageAccess {
    /// Name what is in it.
    List,
    /// Show one value.
    Get {
        /// Whose.
        key: String,
    },
    /// Put a value there.
    Set {
        /// Under which name.
        key: String,
        /// What.
        value: String,
    },
    /// Take one value out.
    Delete {
        /// Whose.
        key: String,
    },
    /// Empty it.
    Clear,
}

/// Result of `storage`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Stored {
    /// What is there now: names, and how many letters their values have.
    pub entries: Vec<(String, u32)>,
    /// The value that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub value: Option<String>,
}

/// Result of `vitals`: what the browser measured of a page, in milliseconds
/// unless the name says otherwise. What it has not measured is absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Vitals {
    /// By name: `ttfb`, `dom_ready`, `load`, `fcp`, `lcp`, `cls`, `inp`,
    /// `long_tasks`, `blocked`, `requests`, `transferred_bytes`, `dom_nodes`,
    /// `heap_bytes`.
    pub figures: BTreeMap<String, f64>,
    /// Whether the page was in front of a person when it was opened: a page that
    /// is not paints nothing.
    pub was_hidden: bool,
}

/// Argument of `pageTools`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PageToolsArgs {
    /// The origin the call was authorized for.
    pub origin: String,
    /// Call this one; without, list them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub call: Option<PageToolCall>,
}

/// A call of a tool that a page offers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PageToolCall {
    /// Its name.
    pub name: String,
    /// What it takes.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
    pub arguments: Value,
    /// Give up after this.
    pub limit_ms: u32,
    /// As it was judged: if it is another by now, it is not called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub judged: Option<PageTool>,
}

/// Result of `pageTools`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PageTools {
    /// The browser knows of such tools at all.
    pub is_supported: bool,
    /// Those of the page.
    pub tools: Vec<PageTool>,
    /// What the called one answered, as JSON text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub answer: Option<String>,
}

/// A tool that a page offers, in the page's own words.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PageTool {
    /// Its name.
    pub name: String,
    /// What it is called for people, if anything else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub title: Option<String>,
    /// What it says it does.
    pub description: String,
    /// What it takes, as JSON text.
    pub input_schema: String,
    /// It says that it changes nothing.
    pub is_read_only: bool,
}
