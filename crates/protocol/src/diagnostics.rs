//! What the debugger hears of a tab: console, network, and the page on paper.

use serde::{Deserialize, Serialize};

/// Payload of `console`. The first call in a tab starts listening; what the
/// document wrote before that is told too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ConsoleParams {
    /// The tab.
    pub tab_id: i64,
}

/// Result of `console`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ConsoleLog {
    /// Oldest first.
    pub entries: Vec<ConsoleEntry>,
    /// How many older ones were dropped to make room.
    pub dropped: u32,
}

/// One line of a console.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ConsoleEntry {
    /// Counted from 1 in this tab.
    pub seq: u32,
    /// How bad it is.
    pub level: ConsoleLevel,
    /// What it says, cut at 4,000 letters.
    pub text: String,
    /// `url:line:column`, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub source: Option<String>,
    /// `function (url:line:column)`, innermost first, for errors and exceptions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub stack: Vec<String>,
    /// Milliseconds since the epoch.
    pub at: f64,
}

/// How bad a line of a console is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ConsoleLevel {
    /// `console.debug`.
    Debug,
    /// `console.log`, `console.info` and the like.
    Info,
    /// `console.warn`, and warnings of the browser.
    Warning,
    /// `console.error`, exceptions that nobody caught, errors of the browser.
    Error,
}

/// Payload of `network`. The first call in a tab starts recording; what the
/// page loaded before that is told without headers and bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "action", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum NetworkParams {
    /// All that is known. Answers `NetworkList`.
    List {
        /// The tab.
        tab_id: i64,
    },
    /// One with all its parts. Answers `NetworkDetail`.
    Detail {
        /// The tab.
        tab_id: i64,
        /// Its number.
        id: u32,
    },
}

/// Answer to `list`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct NetworkList {
    /// Oldest first.
    pub requests: Vec<NetworkRequest>,
    /// How many older ones were dropped to make room.
    pub dropped: u32,
}

/// One request of a page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct NetworkRequest {
    /// Counted from 1 in this tab; 0 for one from before recording began.
    pub id: u32,
    /// `GET`; empty where unknown.
    pub method: String,
    /// Where to, cut at 2,000 letters.
    pub url: String,
    /// `document`, `script`, `fetch`, `xhr`, `image`, `websocket`…
    pub kind: String,
    /// HTTP status.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub status: Option<u16>,
    /// Why it failed, `net::ERR_…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub failed: Option<String>,
    /// Media type of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub mime: Option<String>,
    /// Bytes of the answer, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub bytes: Option<f64>,
    /// How long it took, once it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub took_ms: Option<f64>,
    /// When it began, in milliseconds since the epoch.
    pub at: f64,
    /// Of a WebSocket.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub messages: Option<SocketMessages>,
}

/// How many messages a WebSocket carried. What they say is not kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SocketMessages {
    /// From the page.
    pub sent: u32,
    /// To the page.
    pub received: u32,
}

/// Answer to `detail`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct NetworkDetail {
    /// What the list says of it.
    pub request: NetworkRequest,
    /// As sent. What is sensitive in them is the hub's to hide.
    pub request_headers: Vec<(String, String)>,
    /// As received.
    pub response_headers: Vec<(String, String)>,
    /// Names of what was sent in the body: fields of a form or keys of a JSON
    /// object, never their values.
    pub sent_fields: Vec<String>,
    /// The answer's text, cut at 200,000 letters; absent for pictures and the like.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub body: Option<String>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub no_body: Option<String>,
}

/// Payload of `pdf`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PdfParams {
    /// The tab; it need not be in front.
    pub tab_id: i64,
    /// Wider than high.
    pub landscape: bool,
    /// Colours and pictures behind the text.
    pub background: bool,
    /// 0.1 to 2.
    pub scale: f64,
}

/// Result of `pdf`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Pdf {
    /// Base64.
    pub data: String,
}
