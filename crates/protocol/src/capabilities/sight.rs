//! Pictures of tabs, and what the user is looking at, with where it comes from.

use serde::{Deserialize, Serialize};

use crate::link::TabFacts;

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
