//! What a change makes of a record, and what is told of it. Functions of what they
//! are given; each store reads, asks here, and writes what comes of it.

use outrigger_protocol::records::{Context, Record, RecordEvent, RecordEventKind};
use serde_json::Value;

use super::error::RecordError;
use super::{NewRecord, limits};

/// What is to become of a record. Its id, its schema and who made it stay.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// All of this in place of what is there.
    Replace {
        /// For people.
        title: String,
        /// By which it is found.
        tags: Vec<String>,
        /// What it is about.
        context: Context,
    },
    /// Only what is said.
    Merge(Patch),
}

/// The parts of a record that change.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Patch {
    /// Another title.
    pub title: Option<String>,
    /// Other tags, in place of all there are.
    pub tags: Option<Vec<String>>,
    /// A merge patch (RFC 7396): `null` removes, objects are merged, all else replaces.
    pub context: Option<Context>,
}

impl Change {
    /// The record after the change.
    pub(crate) fn apply(self, record: &Record, at_ms: i64) -> Result<Record, RecordError> {
        let (title, tags, context) = match self {
            Change::Replace { title, tags, context } => (title, tags, context),
            Change::Merge(patch) => {
                // What is too deep to be kept is too deep to be merged.
                if let Some(context) = &patch.context {
                    limits::check_contents("", &[], context)?;
                }
                let mut context = record.context.clone();
                merge(&mut context, patch.context.unwrap_or_default());
                let title = patch.title.unwrap_or_else(|| record.title.clone());
                (title, patch.tags.unwrap_or_else(|| record.tags.clone()), context)
            }
        };
        limits::check_contents(&title, &tags, &context)?;
        Ok(Record {
            id: record.id.clone(),
            schema_name: record.schema_name.clone(),
            title,
            tags,
            context,
            version: record.version + 1,
            created_at: record.created_at,
            // A clock that is set back sets no record back.
            updated_at: at_ms.max(record.updated_at),
            owner: record.owner.clone(),
        })
    }
}

impl NewRecord {
    /// The record, with its first version.
    pub(crate) fn into_record(self, at_ms: i64) -> Result<Record, RecordError> {
        limits::check_schema_name(&self.schema_name)?;
        limits::check_maker(&self.made_by)?;
        limits::check_contents(&self.title, &self.tags, &self.context)?;
        Ok(Record {
            id: self.id,
            schema_name: self.schema_name,
            title: self.title,
            tags: self.tags,
            context: self.context,
            version: 1,
            created_at: at_ms,
            updated_at: at_ms,
            owner: self.made_by,
        })
    }
}

/// Refuses to go on from another version than the record has.
pub(crate) fn check_version(record: &Record, version: u64) -> Result<(), RecordError> {
    if record.version == version {
        return Ok(());
    }
    Err(RecordError::VersionMismatch { id: record.id.clone(), current: record.version })
}

/// What is told of a record that was made or changed.
pub(crate) fn told(record: &Record, seq: u64, volatile: bool) -> RecordEvent {
    let kind = match record.version {
        1 => RecordEventKind::Created,
        _ => RecordEventKind::Updated,
    };
    RecordEvent {
        seq,
        kind,
        id: record.id.clone(),
        schema_name: record.schema_name.clone(),
        tags: record.tags.clone(),
        version: record.version,
        at: record.updated_at,
        owner: record.owner.clone(),
        volatile,
    }
}

/// What is told of a record that is gone.
pub(crate) fn told_gone(record: &Record, at_ms: i64, seq: u64, volatile: bool) -> RecordEvent {
    let kind = RecordEventKind::Deleted;
    let (version, at) = (record.version + 1, at_ms.max(record.updated_at));
    RecordEvent { kind, version, at, ..told(record, seq, volatile) }
}

/// RFC 7396 for two objects.
pub fn merge(target: &mut Context, patch: Context) {
    for (key, value) in patch {
        match value {
            Value::Null => {
                // The order of the others stays.
                target.shift_remove(&key);
            }
            Value::Object(inner) => {
                let there = target.entry(key).or_insert(Value::Null);
                if !there.is_object() {
                    *there = Value::Object(Context::new());
                }
                if let Value::Object(there) = there {
                    merge(there, inner);
                }
            }
            other => {
                target.insert(key, other);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use outrigger_protocol::records::RecordId;
    use serde_json::json;

    use super::*;

    fn object(value: &Value) -> Context {
        value.as_object().unwrap().clone()
    }

    /// Those examples of RFC 7396, appendix A, in which both are objects.
    #[test]
    fn patches_are_merged_as_the_rfc_says() {
        for (original, patch, result) in [
            (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "b"}), json!({"b": "c"}), json!({"a": "b", "b": "c"})),
            (json!({"a": "b"}), json!({"a": null}), json!({})),
            (json!({"a": "b", "b": "c"}), json!({"a": null}), json!({"b": "c"})),
            (json!({"a": ["b"]}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "c"}), json!({"a": ["b"]}), json!({"a": ["b"]})),
            (
                json!({"a": {"b": "c"}}),
                json!({"a": {"b": "d", "c": null}}),
                json!({"a": {"b": "d"}}),
            ),
            (json!({"a": [{"b": "c"}]}), json!({"a": [1]}), json!({"a": [1]})),
            (json!({"e": null}), json!({"a": 1}), json!({"e": null, "a": 1})),
            (json!({}), json!({"a": {"bb": {"ccc": null}}}), json!({"a": {"bb": {}}})),
        ] {
            let mut target = object(&original);
            merge(&mut target, object(&patch));
            assert_eq!(Value::Object(target), result, "{original} {patch}");
        }
    }

    #[test]
    fn a_clock_that_is_set_back_sets_no_record_back() {
        let new = NewRecord {
            id: RecordId::of_bits(1),
            schema_name: "note.v1".into(),
            title: String::new(),
            tags: Vec::new(),
            context: Context::new(),
            made_by: "me".into(),
        };
        let record = new.into_record(100).unwrap();
        let later = Change::Merge(Patch::default()).apply(&record, 50).unwrap();
        assert_eq!((later.version, later.updated_at, later.created_at), (2, 100, 100));
        assert_eq!(told_gone(&later, 70, 3, false).at, 100);
    }
}
