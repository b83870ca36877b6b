//! Living records as they are told to clients: a record, the event that says that
//! one changed, and the selector by which somebody asks for them. Times are in
//! milliseconds since the epoch.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a record is about. Always an object.
pub type Context = Map<String, Value>;

/// The name of a record. Nobody guesses one: it is made of random bits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(
    feature = "openapi",
    derive(utoipa::ToSchema),
    schema(pattern = "^[A-Za-z0-9_-]+$", min_length = 1, max_length = 64)
)]
#[serde(transparent)]
pub struct RecordId(String);

impl RecordId {
    /// The most characters of one.
    pub const LIMIT: usize = 64;

    /// Reads one; none if it can't be the name of a record.
    pub fn parse(text: &str) -> Option<Self> {
        let is_one = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let fits = !text.is_empty() && text.len() <= Self::LIMIT && text.bytes().all(is_one);
        fits.then(|| RecordId(text.to_owned()))
    }

    /// The name made of these bits, in the form of a UUID.
    pub fn of_bits(bits: u128) -> Self {
        // Version 4 and variant 1, as RFC 9562 has them.
        let bits = bits & !(0xf << 76) | (4 << 76);
        let bits = bits & !(3 << 62) | (2 << 62);
        let text = format!("{bits:032x}");
        let parts = [&text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..]];
        RecordId(parts.join("-"))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for RecordId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        RecordId::parse(&text)
            .ok_or_else(|| serde::de::Error::custom("it is not the id of a record"))
    }
}

/// A record as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
// TypeScript has a `Record` of its own.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "LivingRecord"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Record {
    /// Its name.
    pub id: RecordId,
    /// What its context is made of: `browser.page.context.v1`. It never changes.
    pub schema_name: String,
    /// For people.
    pub title: String,
    /// By which it is found. Each once, in the order in which they were given.
    pub tags: Vec<String>,
    /// What it is about.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub context: Context,
    /// 1 at first, and one more with every change.
    pub version: u64,
    /// When it was made.
    pub created_at: i64,
    /// When it was changed last.
    pub updated_at: i64,
    /// Who made it: a person, an agent, an extension. It never changes.
    pub owner: String,
}

/// What became of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum RecordEventKind {
    /// It is new.
    #[serde(rename = "record.created")]
    Created,
    /// It has another version.
    #[serde(rename = "record.updated")]
    Updated,
    /// It is gone.
    #[serde(rename = "record.deleted")]
    Deleted,
}

impl RecordEventKind {
    /// As it is told.
    pub fn as_str(self) -> &'static str {
        match self {
            RecordEventKind::Created => "record.created",
            RecordEventKind::Updated => "record.updated",
            RecordEventKind::Deleted => "record.deleted",
        }
    }

    /// Reads what [`as_str`](Self::as_str) wrote.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Created, Self::Updated, Self::Deleted].into_iter().find(|kind| kind.as_str() == text)
    }
}

/// A record changed. It says which, and nothing of what is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RecordEvent {
    /// Its place among the events of one store, in the order in which they were
    /// written. Volatile records are in a store of their own.
    pub seq: u64,
    /// What became of it.
    pub kind: RecordEventKind,
    /// Which record.
    pub id: RecordId,
    /// Its schema.
    pub schema_name: String,
    /// Its tags after the change; the last ones of a record that is gone.
    pub tags: Vec<String>,
    /// Its version after the change. That of a deletion is one more than the last.
    pub version: u64,
    /// When.
    pub at: i64,
    /// Who made the record.
    pub owner: String,
    /// Whether the record is in memory alone.
    pub volatile: bool,
}

/// Which records somebody wants to hear of. All that is said must hold; what isn't
/// said is not asked for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RecordSelector"))]
#[serde(deny_unknown_fields)]
pub struct Selector {
    /// Of this schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema_name: Option<String>,
    /// With at least one of these tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub any_tags: Vec<String>,
    /// With all of these tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub all_tags: Vec<String>,
    /// With a context of which all of this holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context_match: Vec<ContextCondition>,
}

/// What must hold of one place in a context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ContextCondition {
    /// Where: `content.headings.0`, or `$.content.headings.0`.
    pub path: String,
    /// What must hold there.
    pub op: ContextOperator,
    /// Compared with what.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(type = "unknown"))]
    pub value: Value,
}

/// How a place in a context is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ContextOperator {
    /// It is equal; numbers by what they are worth.
    Eq,
    /// It isn't, or nothing is there.
    Ne,
    /// A list with one of the values, or a text with one of the texts in it.
    ContainsAny,
    /// A larger number, or a text that comes later.
    Gt,
    /// A smaller number, or a text that comes earlier.
    Lt,
    /// Something is there, be it null; with `false` as value, nothing is.
    Exists,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_id_of_random_bits_is_a_uuid_of_version_4() {
        let id = RecordId::of_bits(u128::MAX);
        assert_eq!(id.as_str(), "ffffffff-ffff-4fff-bfff-ffffffffffff");
        assert_eq!(RecordId::of_bits(0).as_str(), "00000000-0000-4000-8000-000000000000");
        assert_eq!(RecordId::parse(id.as_str()), Some(id));
    }

    #[test]
    fn what_can_not_be_an_id_is_not_read_as_one() {
        for text in ["", "a b", "../x", "ü", &"x".repeat(RecordId::LIMIT + 1)] {
            assert_eq!(RecordId::parse(text), None, "{text:?}");
            assert!(serde_json::from_value::<RecordId>(json!(text)).is_err(), "{text:?}");
        }
    }

    #[test]
    fn selectors_are_read_as_agent_definitions_write_them() {
        let text =
            json!({"schema_name": "browser.page.context.v1", "any_tags": ["browser:active-tab"]});
        let selector: Selector = serde_json::from_value(text.clone()).unwrap();
        assert_eq!(selector.any_tags, ["browser:active-tab"]);
        assert_eq!(serde_json::to_value(&selector).unwrap(), text);
        let misspelt = json!({"schema": "browser.page.context.v1"});
        assert!(serde_json::from_value::<Selector>(misspelt).is_err());
        let condition = json!({"path": "a.b", "op": "contains_any", "value": [1]});
        let condition: ContextCondition = serde_json::from_value(condition).unwrap();
        assert_eq!(condition.op, ContextOperator::ContainsAny);
    }
}
