//! What the capabilities of our own extension take and give: one pair of types
//! each. `capture_screen`, `extract_dom` and `list_tabs` keep the shapes of the
//! screen-awareness design, provenance included.

mod page;
mod sight;
mod tabs;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use page::*;
pub use sight::*;
pub use tabs::*;

/// The debugger methods the extension will pass on. Anything else is refused
/// there, whoever asks.
pub const CDP_METHODS: &[&str] = &[
    "Emulation.clearDeviceMetricsOverride",
    "Emulation.setDeviceMetricsOverride",
    "Emulation.setEmulatedMedia",
    "Emulation.setFocusEmulationEnabled",
    "Emulation.setLocaleOverride",
    "Emulation.setTimezoneOverride",
    "Emulation.setTouchEmulationEnabled",
    "Emulation.setUserAgentOverride",
    "Input.dispatchKeyEvent",
    "Input.dispatchMouseEvent",
    "Input.insertText",
    "Network.deleteCookies",
    "Network.emulateNetworkConditions",
    "Network.enable",
    "Network.getCookies",
    "Network.setCookie",
    "Page.bringToFront",
    "Page.captureScreenshot",
    "Page.getLayoutMetrics",
];

/// Payload of `cdp`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CdpParams {
    /// The tab.
    pub tab_id: i64,
    /// One of the allow-list.
    pub method: String,
    /// As the debugger protocol has it.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
    pub params: Value,
}

/// Payload of `batch`: steps in order, in one round trip.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BatchParams {
    /// The first step that fails ends the batch.
    pub steps: Vec<BatchStep>,
}

/// One step of a batch.
///
/// Anywhere in its payload, `{"$step": 0, "pointer": "/frames/0/value/x"}`
/// stands for that part of an earlier step's result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BatchStep {
    /// Capability.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it takes.
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub payload: Value,
    /// Begin the next step without waiting for this one's answer (three mouse
    /// events in a row cost 3 ms so, 17 ms one by one). Still awaited before
    /// the batch ends.
    #[serde(default)]
    pub overlap: bool,
    /// It changes something. In a request marked `once`, the extension notes
    /// before the first such step that the request has begun, and after the
    /// last one what came of it: only the steps after that run again.
    #[serde(default)]
    pub acts: bool,
}

/// Result of `batch`: one result a step. A failed batch is an error whose
/// `details.step` says which one failed and `details.results` what came before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BatchResult {
    /// In the order of the steps.
    #[cfg_attr(feature = "typescript", ts(type = "unknown[]"))]
    pub results: Vec<Value>,
}

/// Names of the capabilities that tools of the hub use; the hub makes no
/// `ext_<name>` tool for these.
pub const OWN_CAPABILITIES: &[&str] = &[
    "batch",
    "capture_screen",
    "cdp",
    "console",
    "dialog",
    "downloads",
    "drag",
    "evaluate",
    "extract_dom",
    "fill",
    "insert",
    "list_tabs",
    "network",
    "pdf",
    "screenshot",
    "script",
    "settle",
    "tabs",
    "upload",
    "wait",
];
