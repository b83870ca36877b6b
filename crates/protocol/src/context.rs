//! What the user is looking at, as the extension's tracker tells it: the page's part
//! of a `browser.page.context.v1` record. The names are those of its schema.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How much of the text is told, in letters.
pub const MOST_TEXT: usize = 5_000;
/// How many links.
pub const MOST_LINKS: usize = 50;
/// How many pictures.
pub const MOST_IMAGES: usize = 20;

/// How much somebody wants to know of the page that the user looks at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Tracking {
    /// Somebody follows the page itself; otherwise its address and title are enough.
    pub is_followed: bool,
    /// What was told before is not known here: all of it is wanted again.
    #[serde(default)]
    pub starts_over: bool,
}

/// Argument of `majorChange`, which answers once much of the page has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MajorChangeArgs {
    /// Answer after this in any case.
    pub limit_ms: u32,
}

/// Payload of `page.context`: what is another than before of what the user looks at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ContextReport {
    /// Nothing that was told before counts any more.
    pub is_whole: bool,
    /// A JSON merge patch of the context.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
    pub changes: Value,
    /// Why there is nothing, where there is nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub untold: Option<Untold>,
}

/// Why nothing is told of what the user looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Untold {
    /// The user lets no agent follow it.
    Off,
    /// What is in front is never told: it is in a private window, the user left the site
    /// out, or it is no page of the web. Which of them it is would tell something of it.
    LeftOut,
}

/// A page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PageContext {
    /// Its address.
    pub url: String,
    /// Host of the address.
    pub domain: String,
    /// Its title.
    pub title: String,
    /// Address of its icon.
    pub favicon: String,
    /// The part that is shown.
    pub viewport: ContextViewport,
    /// What can be used in it.
    pub dom: ContextDom,
    /// What it says.
    pub content: ContextContent,
    /// What it says of itself.
    pub meta: ContextMeta,
}

/// The part of a page that is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ContextViewport {
    /// In CSS pixels, as everything here.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// How far it is scrolled to the right.
    pub scroll_x: f64,
    /// How far down.
    pub scroll_y: f64,
    /// Pixels of the screen for one of these.
    pub device_pixel_ratio: f64,
}

/// A page's elements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ContextDom {
    /// Where the map begins; empty in an empty page.
    pub root_id: String,
    /// Elements that can be seen, by their id in here.
    pub map: BTreeMap<String, ContextNode>,
    /// Those that can be used, by their highlight index.
    pub interactive_elements: BTreeMap<String, ContextControl>,
    /// How many elements were left out for their number.
    pub omitted: u32,
}

/// An element.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ContextNode {
    /// Tag.
    pub tag_name: String,
    /// Ids of those in it.
    pub children: Vec<String>,
    /// Where it stands among those that can be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub highlight_index: Option<u32>,
}

/// An element that can be used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ContextControl {
    /// Tag.
    pub tag: String,
    /// Those by which it can be told from others. Never what is typed in it.
    pub attributes: BTreeMap<String, String>,
    /// The way to it.
    pub xpath: String,
    /// What is written on it.
    pub text: String,
}

/// What a page says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ContextContent {
    /// The beginning of its text.
    pub main_text: String,
    /// Headings.
    pub headings: Vec<String>,
    /// Links.
    pub links: Vec<ContextLink>,
    /// Pictures.
    pub images: Vec<ContextImage>,
    /// Forms.
    pub forms: Vec<ContextForm>,
}

/// A link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ContextLink {
    /// What it says.
    pub text: String,
    /// Where it leads.
    pub href: String,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ContextImage {
    /// What it shows.
    pub alt: String,
    /// Where it is.
    pub src: String,
}

/// A form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ContextForm {
    /// Where it is sent.
    pub action: String,
    /// How.
    pub method: String,
    /// Its fields, without what they hold.
    pub inputs: Vec<ContextInput>,
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ContextInput {
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: String,
    /// What the form calls it.
    pub name: String,
    /// What stands in it while it is empty.
    pub placeholder: String,
    /// Whether it must be filled in.
    pub required: bool,
    /// What the browser may fill in.
    pub autocomplete: String,
}

/// What a page says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ContextMeta {
    /// Description.
    pub description: String,
    /// Keywords.
    pub keywords: Vec<String>,
    /// Title for others to show.
    pub og_title: String,
    /// Picture for others to show.
    pub og_image: String,
    /// Description for others to show.
    pub og_description: String,
}
