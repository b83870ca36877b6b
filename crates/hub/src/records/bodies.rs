//! What requests about records say, and what they are answered with, as JSON. What is
//! described of it is what holds: `tests/openapi.rs` compares the two.

use outrigger_protocol::records::{Context, Record};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Number;
use utoipa::ToSchema;
use utoipa::openapi::schema::SchemaType;
use utoipa::openapi::{Array, ArrayBuilder, ObjectBuilder, Type};

/// Up to here every whole number is one of its own as a float.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

/// What a record is made of.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewBody {
    /// Names that begin with `browser.`, `agent.` and `page.` are Outrigger's own, and
    /// their contexts are what `/api/v1/schemas` says.
    #[schema(pattern = "^[A-Za-z0-9._-]+$", max_length = 256)]
    pub(super) schema_name: String,
    #[serde(default)]
    #[schema(pattern = "^[^\\u0000]*$", max_length = 1024, required = false)]
    pub(super) title: String,
    /// Each once.
    #[serde(default)]
    #[schema(schema_with = own_tags, required = false)]
    pub(super) tags: Vec<String>,
    /// 1 MB of JSON at most, and 64 levels.
    #[serde(default)]
    #[schema(value_type = Object, required = false)]
    pub(super) context: Context,
}

/// What is to be changed of a record.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangedBody {
    /// The version that the change is made of, if `If-Match` doesn't say it.
    #[serde(default, deserialize_with = "whole_number")]
    pub(super) version: Option<u64>,
    #[schema(pattern = "^[^\\u0000]*$", max_length = 1024)]
    pub(super) title: Option<String>,
    /// Each once.
    #[schema(schema_with = own_tags_or_null)]
    pub(super) tags: Option<Vec<String>>,
    /// 1 MB of JSON at most, and 64 levels.
    #[schema(value_type = Option<Object>)]
    pub(super) context: Option<Context>,
    /// Keep the version that this ends.
    #[serde(default)]
    #[schema(required = false)]
    pub(super) keep_history: bool,
}

/// The version that a removal is made of, if `If-Match` doesn't say it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AtVersion {
    #[serde(default, deserialize_with = "whole_number")]
    pub(super) version: Option<u64>,
}

/// A page of records.
#[derive(Serialize, ToSchema)]
pub(super) struct FoundRecords {
    pub(super) items: Vec<Record>,
    /// What to send as `from` for the next page. A page can be short, or empty, and
    /// there is more.
    pub(super) next: Option<String>,
}

/// Earlier versions of a record.
#[derive(Serialize, ToSchema)]
pub(super) struct EarlierVersions {
    /// The latest first.
    pub(super) items: Vec<Record>,
}

/// A schema that this program knows.
#[derive(Serialize, ToSchema)]
pub(super) struct KnownSchema {
    pub(super) name: &'static str,
    /// Whether its records are in memory alone, and written by Outrigger itself.
    pub(super) volatile: bool,
}

#[derive(Serialize, ToSchema)]
pub(super) struct KnownSchemas {
    pub(super) items: Vec<KnownSchema>,
}

/// To JSON 3.0 is the same number as 3, and some write it so.
fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let Some(number) = Option::<Number>::deserialize(deserializer)? else { return Ok(None) };
    let as_whole = |float: f64| {
        let is_whole = float.fract() == 0.0 && (0.0..=MOST_EXACT).contains(&float);
        // Whole and within what a float tells apart, so that nothing is cut off.
        is_whole.then_some(float as u64)
    };
    let version = number.as_u64().or_else(|| number.as_f64().and_then(as_whole));
    version.map(Some).ok_or_else(|| D::Error::custom(format!("{number} is no version")))
}

/// The tags of a record, for the description.
fn own_tags() -> Array {
    own_tags_of(SchemaType::Type(Type::Array))
}

/// The same where they may be left as they are.
fn own_tags_or_null() -> Array {
    own_tags_of(SchemaType::from_iter([Type::Array, Type::Null]))
}

fn own_tags_of(kind: SchemaType) -> Array {
    let tag = ObjectBuilder::new().schema_type(Type::String);
    let tag = tag.pattern(Some("^[^\\u0000]*$")).min_length(Some(1)).max_length(Some(256));
    let tags = ArrayBuilder::new().schema_type(kind).items(tag);
    tags.max_items(Some(64)).unique_items(true).build()
}
