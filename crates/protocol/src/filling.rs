//! Filling fields and giving files: what the capabilities `fill` and `upload`
//! take and give.

use crate::capabilities::ElementArgs;
use serde::{Deserialize, Serialize};

use crate::link::Refusal;

/// Payload of `insert`: makes a field ready and puts text into it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InsertParams {
    /// The tab.
    pub tab_id: i64,
    /// The document that the field is in.
    pub document_id: String,
    /// As `focusForText` takes it.
    pub field: ElementArgs,
    /// What to put in, in place of what is selected.
    pub text: String,
}

/// Payload of `fill`: checks all fields, then fills one after the other, then
/// looks what they hold. If one can't be filled at all, none is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FillParams {
    /// The tab.
    pub tab_id: i64,
    /// The origin the call was authorized for.
    pub origin: String,
    /// In the order in which to fill them.
    pub fields: Vec<FieldOrder>,
    /// Only what has options to choose from is meant.
    #[serde(default)]
    pub choose: bool,
    /// Submit the form of the last field, if all took their values.
    #[serde(default)]
    pub submit: bool,
}

/// One field, and what to put in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FieldOrder {
    /// Chrome's id of its document.
    pub document_id: String,
    /// Its number there.
    pub node: u32,
    /// Text, `true` or `false`, a date, options by label or value. Most fields
    /// take exactly one.
    pub values: Vec<String>,
    /// It is to be a field for files, which are given with `upload`.
    #[serde(default)]
    pub files: bool,
}

/// Result of `fill`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Filled {
    /// One for each field, in their order.
    pub fields: Vec<FieldOutcome>,
    /// Whether the form was submitted.
    pub submitted: bool,
}

/// What came of one field.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FieldOutcome {
    /// It holds what it was to hold.
    pub took: bool,
    /// What it holds, in words of the page, if that is something else; absent
    /// for a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub held: Option<String>,
    /// Why it could not be filled, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub refusal: Option<Refusal>,
}

/// Payload of `upload`: gives files to a file field, or drops them on an
/// element. Refused with `details.needs: "bytes"` where paths can't be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct UploadParams {
    /// The tab.
    pub tab_id: i64,
    /// The origin the call was authorized for.
    pub origin: String,
    /// Chrome's id of the element's document.
    pub document_id: String,
    /// The element's number there.
    pub node: u32,
    /// The files.
    pub files: UploadFiles,
}

/// Files, in one of two forms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum UploadFiles {
    /// Paths on the browser's machine, for the debugger. The hub has judged them.
    Paths(Vec<String>),
    /// What is in them, for the page.
    Bytes(Vec<FileBytes>),
}

/// A file by what is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FileBytes {
    /// As the page sees it.
    pub name: String,
    /// Media type; may be empty.
    pub mime: String,
    /// In base64.
    pub base64: String,
}
