//! What happens to a page beside clicks and keys: the dialogs it shows, waiting
//! until something is so, running a function of
//! the caller's, and downloads. One pair of types a capability.

use serde::{Deserialize, Serialize};

/// Payload of `dialog`: answers the dialog that a page shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DialogParams {
    /// The tab.
    pub tab_id: i64,
    /// Yes or no.
    pub accept: bool,
    /// What a prompt is answered with; what it proposes, without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub text: Option<String>,
}

/// Result of `dialog`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AnsweredDialog {
    /// What it was.
    pub kind: DialogKind,
}

/// Dialogs that a page can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum DialogKind {
    /// Something to be taken notice of.
    Alert,
    /// A question to be answered with yes or no.
    Confirm,
    /// A question to be answered with a text.
    Prompt,
    /// Whether to leave the page.
    BeforeUnload,
}

/// Payload of `wait`: until something is so, or the request's deadline is near.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WaitParams {
    /// The tab.
    pub tab_id: i64,
    /// What is waited for.
    pub until: WaitUntil,
}

/// What can be waited for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WaitUntil {
    /// A text in any frame.
    Text {
        /// Matched without regard to case and runs of white space.
        text: String,
        /// Until no frame shows it.
        gone: bool,
    },
    /// A state of an element.
    Element {
        /// Its document.
        document: String,
        /// Its number there.
        node: u32,
        /// The state.
        state: ElementState,
    },
    /// An address that holds this.
    Url {
        /// A part of it.
        part: String,
    },
    /// The page is loaded, and nothing has changed for half a second.
    Quiet,
    /// So much time, unless the page wants an answer before.
    Passed {
        /// Milliseconds.
        ms: u32,
    },
}

/// States of an element that can be waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ElementState {
    /// A person can see it.
    Visible,
    /// Nobody can see it, or it is gone.
    Hidden,
    /// It can be used.
    Enabled,
    /// It can't be used.
    Disabled,
    /// Ticked or pressed.
    Checked,
    /// Not ticked.
    Unchecked,
    /// Opened.
    Expanded,
    /// Closed.
    Collapsed,
    /// Not in the document any more.
    Gone,
}

/// Argument of the page function `elementIs`; it answers a boolean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ElementStateArgs {
    /// Number of the element in its document.
    pub node: u32,
    /// The state.
    pub state: ElementState,
}

/// Argument of the page function `nextChange`, which answers at the frame's next change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct NextChangeArgs {
    /// Answer after this in any case.
    pub limit_ms: u32,
}

/// Result of `wait`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Waited {
    /// Whether it came about in time.
    pub came: bool,
}

/// Payload of `evaluate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct EvaluateParams {
    /// The tab.
    pub tab_id: i64,
    /// Source of a function, or of an expression.
    pub source: String,
    /// The origin the call was authorized for.
    pub origin: String,
    /// Given to the function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub element: Option<ElementPlace>,
}

/// Where an element is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ElementPlace {
    /// Its document.
    pub document: String,
    /// Its number there.
    pub node: u32,
}

/// Result of `evaluate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Evaluated {
    /// What the function returned, cut where it is too long; absent for `undefined`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub json: Option<String>,
    /// How long all of it is, where it was cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub letters: Option<u32>,
}

/// Argument of the page function `markElement`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct MarkArgs {
    /// Number of the element in its document.
    pub node: u32,
    /// What to call it; empty takes the mark away.
    pub name: String,
}

/// Argument of the page function `secretsIn`; it answers spans of the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct WithoutSecretsArgs {
    /// What is to be freed of secrets.
    pub text: String,
}

/// Payload of `downloads`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DownloadsParams {
    /// The tab.
    pub tab_id: i64,
    /// Those that began from then on, in milliseconds since the epoch.
    pub since: f64,
    /// Until there is one and none is under way.
    pub wait: bool,
}

/// Result of `downloads`: those that began in the tab, oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DownloadList {
    /// The downloads.
    pub downloads: Vec<DownloadFacts>,
}

/// A download as the browser knows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DownloadFacts {
    /// The browser's number for it.
    pub id: u32,
    /// Where it comes from.
    pub url: String,
    /// Where it is saved; empty as long as that isn't known.
    pub path: String,
    /// What the server called it.
    pub mime_type: String,
    /// How it stands.
    pub state: DownloadState,
    /// Bytes so far.
    pub received: f64,
    /// Bytes in all, where the server said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub total: Option<f64>,
    /// Why the browser holds it back until the user decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub danger: Option<String>,
    /// What interrupted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub error: Option<String>,
    /// Whether the file is still there.
    pub exists: bool,
}

/// How a download stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum DownloadState {
    /// Under way, or held back.
    InProgress,
    /// Ended without the file.
    Interrupted,
    /// The file is there.
    Complete,
}
