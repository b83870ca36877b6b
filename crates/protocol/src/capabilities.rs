//! What the capabilities of our own extension take and give: one pair of types
//! each. `capture_screen`, `extract_dom` and `list_tabs` keep the shapes of the
//! screen-awareness design, provenance included.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::helm::SessionGroup;
use crate::link::{Refusal, TabFacts};
use crate::pages::DownloadFacts;

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

/// Functions of the page script that `script` may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum PageFunction {
    /// Every fact of the frame; takes `FactsArgs`, answers a JSON string of `PageFacts`.
    Facts,
    /// Check and scroll an element before input; answers `Prepared`.
    Prepare,
    /// Focus an element for typing, optionally emptying it; answers `Prepared`.
    FocusForText,
    /// Focus any element for a key; answers `Prepared`.
    FocusElement,
    /// What a field holds after typing; answers `FieldText`.
    FieldText,
    /// What the focus is on in the frame; answers `FocusedOn`.
    FocusedOn,
    /// Elements by selector; takes `QueryArgs`, answers `Queried`.
    Query,
    /// By what an element can be found again; takes `ElementArgs`, answers `Described`.
    Describe,
    /// What the user did since it was asked last; takes `UserDeedsArgs`, answers a list of `UserDeed`.
    UserDeeds,
    /// The element at a point, in whichever frame; takes `PointArgs`, answers `Located`.
    Locate,
    /// Scroll the page or what is around an element; takes `ScrollArgs`, answers `Scrolled`.
    Scroll,
    /// What the document says of itself; answers `Metadata`.
    Metadata,
    /// What the page keeps; takes `StorageArgs`, answers `Stored`.
    Storage,
    /// What the browser measured of the page; answers `Vitals`.
    Vitals,
    /// Tools that the page offers; takes `PageToolsArgs`, answers `PageTools`.
    PageTools,
    /// What a press, Enter or a choice would set off; takes `StakesArgs`, answers a list of `Stake`.
    Stakes,
}

impl PageFunction {
    /// Whether running it twice does no more than running it once: it looks, or
    /// brings about a state (scrolled into view, focused) that is there already.
    pub fn is_repeatable(self) -> bool {
        use PageFunction::*;
        matches!(
            self,
            Facts
                | Prepare
                | FocusForText
                | FocusElement
                | FieldText
                | FocusedOn
                | Query
                | Describe
                | Locate
                | Metadata
                | Stakes
        )
    }
}

/// Which frames of a tab.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Frames {
    /// The top one.
    Main,
    /// Each one, nested and out-of-process ones too.
    All,
    /// These documents; one that is gone is an error.
    Documents(Vec<String>),
}

/// Payload of `script`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ScriptParams {
    /// The tab.
    pub tab_id: i64,
    /// What to run.
    pub function: PageFunction,
    /// Its one argument.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub args: Value,
    /// Where.
    pub frames: Frames,
    /// Highest ref number the hub has given out in this tab.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub ref_floor: Option<u32>,
}

/// Result of `script`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ScriptResult {
    /// One for each frame that answered, the main frame first.
    pub frames: Vec<FrameResult>,
}

/// What one frame answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FrameResult {
    /// Chrome's number; 0 is the main frame.
    pub frame_id: i64,
    /// Chrome's id of the document; another document, another id.
    pub document_id: String,
    /// The document's origin, by its own script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub origin: Option<String>,
    /// The value, where the function gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "unknown"))]
    pub value: Option<Value>,
    /// Why not, where it gave none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub refusal: Option<Refusal>,
}

/// Argument of the page functions that work on one element.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ElementArgs {
    /// Number of the element in its document, as the facts gave it.
    pub node: u32,
    /// The origin the call was authorized for.
    pub origin: String,
    /// For `focusForText`: empty the field first.
    #[serde(default)]
    pub clear: bool,
    /// For `focusForText`: the number of the walk that told the page last. If nothing
    /// but the field changes since, a look at the field alone will do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub walk: Option<u32>,
    /// Where to press, in CSS pixels of its own frame's viewport; somewhere on
    /// the element without. The page is not scrolled for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub point: Option<[f64; 2]>,
    /// What the pointer is to do there; press without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub purpose: Option<Purpose>,
}

/// What a pointer does at an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Purpose {
    /// Press: one that would go to something else is stopped.
    Press,
    /// Rest above it.
    Rest,
    /// Take hold of it, without losing sight of where it is to go.
    Grab,
    /// Let go of something above it. The page is not scrolled for it.
    Drop,
}

/// Argument of `scroll`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ScrollArgs {
    /// The origin the call was authorized for.
    pub origin: String,
    /// An element; the page without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub node: Option<u32>,
    /// How.
    pub how: Scrolling,
}

/// Ways to scroll.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Scrolling {
    /// Until the element is in view.
    IntoView,
    /// To the beginning.
    Top,
    /// To the end.
    Bottom,
    /// By so many CSS pixels to the right and down.
    By([f64; 2]),
}

/// Result of `scroll`: where what was scrolled stands now, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Scrolled {
    /// From its beginning: across, down.
    pub at: [f64; 2],
    /// The furthest it can go.
    pub end: [f64; 2],
    /// The page itself, not a box in it.
    pub is_page: bool,
    /// It stands elsewhere than before.
    pub has_moved: bool,
}

/// Payload of `drag`: press, move, let go; a drag and drop of the browser's own
/// where the page begins one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DragParams {
    /// The tab.
    pub tab_id: i64,
    /// Where to press, in CSS pixels of the main frame's viewport.
    pub from: Prepared,
    /// Where to let go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub to: Option<Prepared>,
    /// Or how far from where it was pressed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub by: Option<[f64; 2]>,
}

/// Result of `drag`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Dragged {
    /// For a drag and drop of the browser's own: whether something took what
    /// was dropped. Absent for others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub was_taken: Option<bool>,
}

/// Argument of `locate`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PointArgs {
    /// In CSS pixels of the main frame's viewport.
    pub point: [f64; 2],
}

/// An element that is ready for input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Prepared {
    /// Where to press, in CSS pixels of the main frame's viewport.
    pub x: f64,
    /// See `x`.
    pub y: f64,
    /// A press and a move there begin a drag and drop of the browser's own,
    /// unless the page prevents it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub draggable: Option<bool>,
}

/// What a field holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FieldText {
    /// Its value, or the text of an editable element; absent for a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub text: Option<String>,
    /// Whether it still has the focus.
    pub focused: bool,
    /// It holds what it held when it was focused for typing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub unchanged: bool,
}

/// What the focus is on in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum FocusedOn {
    /// Something that takes text.
    Text,
    /// A frame inside, which knows more.
    Frame,
    /// Anything else, or nothing.
    Other,
}

/// Argument of `stakes`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct StakesArgs {
    /// The origin the call was authorized for.
    pub origin: String,
    /// The element; without it, whatever has the focus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub node: Option<u32>,
    /// What would be done there.
    pub by: StakesBy,
}

/// What sets something off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum StakesBy {
    /// A press of the pointer.
    Press,
    /// The key Enter.
    Enter,
    /// Filling a field with these values: a box that is ticked, options that are chosen.
    Fill(Vec<String>),
}

/// A control that would be set off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Stake {
    /// Its role.
    pub role: String,
    /// What it is called.
    pub name: String,
    /// The question that it answers: words of the dialog around it, or of the heading before.
    pub asked: String,
}

/// Argument of `hasText`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct HasTextArgs {
    /// Matched without regard to case and runs of white space.
    pub text: String,
}

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
    /// What the page asked the user to allow it, by the browser's names for that, and the
    /// user has not decided yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>", optional))]
    pub asks_for: Vec<String>,
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

/// Payload of `screenshot`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ScreenshotParams {
    /// The tab; it need not be in front.
    pub tab_id: i64,
    /// What to encode as.
    pub format: ImageFormat,
    /// 0 to 100, for JPEG.
    pub quality: u8,
    /// Scaled down to this many pixels of width.
    pub max_width: u32,
    /// All of the page instead of the viewport.
    pub full_page: bool,
    /// Only this part: x, y, width, height in CSS pixels of the viewport; may
    /// lie outside of what is in view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub clip: Option<[f64; 4]>,
    /// Drawn on the picture, never into the page.
    #[serde(default)]
    pub labels: Vec<Label>,
}

/// A frame with a name around something in a screenshot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Label {
    /// What to write.
    pub text: String,
    /// x, y, width, height in CSS pixels of the viewport.
    pub rect: [f64; 4],
}

/// Encodings of a picture.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ImageFormat {
    /// Small.
    #[default]
    Jpeg,
    /// Exact.
    Png,
}

/// Result of `screenshot`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Screenshot {
    /// The picture in base64, without a data-URL prefix.
    pub data: String,
    /// `image/jpeg` or `image/png`.
    pub mime_type: String,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
}

/// Payload of `capture_screen`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct CaptureScreenParams {
    /// JPEG without.
    pub format: ImageFormat,
    /// The tab that may be seen; the one that the user is looking at without.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub tab_id: Option<i64>,
    /// The user need not have pressed anything: there is nothing to protect, or the
    /// tab is the agent's own.
    pub gesture_spared: bool,
}

/// Payload of `extract_dom`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct ExtractDomParams {
    /// The tab that may be read; the one that the user is looking at without.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub tab_id: Option<i64>,
}

/// Result of `capture_screen`: what the user is looking at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CapturedScreen {
    /// The picture in base64.
    pub screenshot: String,
    /// `image/jpeg` or `image/png`.
    pub mime_type: String,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// Result of `extract_dom`: the text of what the user is looking at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ExtractedDom {
    /// Visible text.
    pub dom_text: String,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// Result of `list_tabs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListedTabs {
    /// The tabs.
    pub tabs: Vec<TabFacts>,
    /// Where it comes from.
    pub provenance: ListProvenance,
}

/// Where a capture or an extract comes from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Provenance {
    /// Host name of the page.
    pub domain: String,
    /// Title of the tab.
    pub tab_title: String,
    /// The tab.
    pub tab_id: i64,
    /// The page's origin.
    #[serde(default)]
    pub origin: String,
    /// ISO 8601.
    pub captured_at: String,
    /// `screenshot` or `domText`.
    pub data_types: Vec<String>,
    /// Screenshots: re-encoded to be small.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub compressed: Option<bool>,
    /// Screenshots: characters before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub original_size: Option<u32>,
    /// Screenshots: characters after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub compressed_size: Option<u32>,
    /// Text: characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub char_count: Option<u32>,
}

/// Where a list of tabs comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ListProvenance {
    /// ISO 8601.
    pub captured_at: String,
    /// `tabMetadata`.
    pub data_types: Vec<String>,
    /// How many.
    pub tab_count: u32,
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
