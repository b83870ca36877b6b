//! Looking at single elements and at a document's own description: what the
//! page functions `query` and `metadata` take and give.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::facts::State;

/// How to find elements. Which of these a text means is decided in the hub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Selector {
    /// CSS; goes through shadow roots.
    Css(String),
    /// The innermost elements that show this text. Case and runs of white
    /// space don't matter.
    Text {
        /// What they show.
        text: String,
        /// All of what they show, not only a part.
        exact: bool,
        /// Also the lists in which this can be chosen.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
        choices: bool,
    },
    /// An ARIA role, and a part of the accessible name.
    Role {
        /// The role.
        role: String,
        /// Any name if empty. Case doesn't matter.
        name: String,
    },
    /// XPath; doesn't go through shadow roots.
    Xpath(String),
    /// The element of this number.
    Node(u32),
    /// What is known of an element that was there before.
    Known(Known),
}

/// What an element is known by. All that is named must hold of it, but `selector`,
/// which only tells those apart that are alike in everything else, unless nothing
/// else is named.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Its ARIA role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub role: Option<String>,
    /// All of its accessible name. Case and runs of white space don't matter here
    /// and below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub name: Option<String>,
    /// All of what it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub text: Option<String>,
    /// The nearest heading before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub heading: Option<String>,
    /// CSS.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub selector: Option<String>,
}

/// Result of `describe`: by what an element can be found again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Described {
    /// All that is known of it.
    pub known: Known,
    /// How many that can be seen have its role, name and text; itself among them.
    pub alike: u32,
    /// What it holds never leaves the page.
    pub is_secret: bool,
}

/// Argument of `query`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct QueryArgs {
    /// Which elements.
    pub selector: Selector,
    /// Only inside this element; inside the form of a field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub within: Option<u32>,
    /// Leave out what a person can't see.
    pub visible_only: bool,
    /// Describe so many at most; the rest is only counted.
    pub limit: u32,
    /// Cut an element's text here.
    pub text_letters: u32,
    /// Which attributes to tell; all if empty, none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub attributes: Option<Vec<String>>,
    /// Which computed styles to tell.
    #[serde(default)]
    pub styles: Vec<String>,
}

/// What `query` found in one frame.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Queried {
    /// `location.origin` of the frame.
    pub origin: String,
    /// Where the frame is among the others, as in [`PageFacts`](crate::facts::PageFacts).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub path: Option<Vec<u32>>,
    /// The frames in it in the order in which they stand, by their index in
    /// `window.frames`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<u32>>", optional))]
    pub frames: Vec<u32>,
    /// How many there are.
    pub total: u32,
    /// The first ones.
    pub matches: Vec<Match>,
}

/// Result of `locate`: the innermost element at a point.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Located {
    /// The element, as `query` would tell of it.
    pub found: Queried,
    /// The point, in CSS pixels of its own frame's viewport.
    pub point: [f64; 2],
}

/// Argument of `userDeeds`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct UserDeedsArgs {
    /// How long to wait for the next one.
    pub limit_ms: u32,
    /// The first question of a recording: what was done before is no part of it.
    pub begins: bool,
    /// Listen no longer, and tell of what is not finished.
    pub ends: bool,
}

/// Something that the user did in a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum UserDeed {
    /// Pressed an element.
    Clicked {
        /// Which.
        on: Described,
    },
    /// Typed, chose or ticked something.
    Filled {
        /// In which field.
        on: Described,
        /// What it holds now; absent of a secret.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        value: Option<String>,
        /// What is chosen now, where several can be; absent of a secret.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        chosen: Option<Vec<String>>,
    },
    /// Pressed Enter in a field.
    Entered {
        /// In which.
        on: Described,
    },
    /// The tab came to another page, by a deed in it or not.
    WentTo {
        /// Where.
        url: String,
    },
}

/// One element that was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Match {
    /// Its number in its document.
    pub id: u32,
    /// Lower-case tag name.
    pub tag: String,
    /// ARIA role; empty if it has none.
    pub role: String,
    /// Accessible name.
    pub name: String,
    /// What it shows, white space folded.
    pub text: String,
    /// Bits of `facts::flags`.
    pub flags: u32,
    /// x, y, width, height in CSS pixels of its frame's viewport.
    pub rect: [f64; 4],
    /// Why a person can't see it: `display`, `visibility`, `opacity`, `size`,
    /// `off_page`, `clipped`; absent if they can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub hidden_by: Option<String>,
    /// What lies over its middle, in words of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub covered_by: Option<String>,
    /// Its states.
    pub state: State,
    /// A CSS selector that finds it, and only it.
    pub hint: String,
    /// Those that were asked for. A secret's value is not among them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<BTreeMap<String, String>>", optional))]
    pub attributes: BTreeMap<String, String>,
    /// Those that were asked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<BTreeMap<String, String>>", optional))]
    pub styles: BTreeMap<String, String>,
}

/// Result of `metadata`: what a document says of itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct Metadata {
    /// `document.title`.
    pub title: String,
    /// `location.href`.
    pub url: String,
    /// `<html lang>`.
    pub language: String,
    /// `document.characterSet`.
    pub charset: String,
    /// `document.contentType`.
    pub content_type: String,
    /// `document.lastModified`, as ISO 8601, where the server said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub last_modified: Option<String>,
    /// `<link rel>` worth knowing: canonical, alternate, icon, manifest, next, prev.
    pub links: Vec<(String, String)>,
    /// `<meta>` with a name or property, in order, values cut at 500 letters.
    pub meta: Vec<(String, String)>,
    /// `@type` of JSON-LD blocks.
    pub structured: Vec<String>,
    /// How many links, images, forms, headings, frames there are.
    pub counts: BTreeMap<String, u32>,
    /// What the user has decided for the site: `granted`, `denied`, or `prompt`
    /// where the browser would ask them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<BTreeMap<String, String>>", optional))]
    pub permissions: BTreeMap<String, String>,
}
