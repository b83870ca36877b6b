//! What the page script is asked, and what it answers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::link::Refusal;

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
    /// Ready whatever has the focus for a key; answers whether that is in the frame.
    ExpectKey,
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
                | ExpectKey
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
    /// The document's origin, by its own script; of one that answers nothing, by its address.
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
    /// For `prepare`: numbers of the elements in its document whose changes were not told,
    /// so that what they were called before is what the agent knows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<u32>>", optional))]
    pub untold: Vec<u32>,
    /// For `prepare`: what the agent was told that the element is called, by a look of
    /// which it was told a part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub told_name: Option<String>,
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
    /// The two ends are in frames of different sites.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub across_sites: bool,
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
    /// What the form asks for that it sends, where that tells what comes of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub form: Option<SentForm>,
}

/// A form that is known by what it asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum SentForm {
    /// The number of a card, or its code.
    Card,
    /// Another password than before, of nobody who signs up.
    NewPassword,
    /// Something else than what to search for; or it is a dialog that is answered.
    Other,
}

/// Argument of `hasText`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct HasTextArgs {
    /// Matched without regard to case and runs of white space.
    pub text: String,
}
