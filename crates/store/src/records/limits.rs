//! How large a record and a question about records may be, and what their texts may
//! be made of. The same wherever they are kept.

use outrigger_protocol::records::{Context, Selector};
use serde_json::Value;

use super::Query;
use super::error::RecordError;
use super::matching;

/// Bytes of a context, as JSON.
pub const CONTEXT: usize = 1 << 20;
/// How deep lists and objects of a context are inside each other.
pub const DEPTH: usize = 64;
/// Tags of a record or of a selector.
pub const TAGS: usize = 64;
/// Characters of a tag, of a schema's name and of who made a record.
pub const NAME: usize = 256;
/// Characters of a title.
pub const TITLE: usize = 1024;
/// Records of a page.
pub const PAGE: u32 = 200;
/// Bytes of the contexts of a page, more or less: the last one may be beyond.
pub const PAGE_BYTES: usize = 4 << 20;
/// Records that are looked through for a page.
pub const LOOKED_THROUGH: usize = 1000;
/// Earlier versions that are kept of a record.
pub const HISTORY: u64 = 100;
/// Events that are read at once.
pub const EVENTS: u32 = 1000;
/// Conditions of a selector.
pub const CONDITIONS: usize = 16;
/// Bytes of what a condition compares with.
pub const VALUE: usize = 4096;

/// Refuses what is too large, or can't be found again.
pub(crate) fn check_contents(
    title: &str,
    tags: &[String],
    context: &Context,
) -> Result<(), RecordError> {
    check_text("a title has characters", title, TITLE)?;
    check_tags(tags)?;
    if !is_within_depth(context, DEPTH) {
        let (found, limit) = (DEPTH + 1, DEPTH);
        return Err(RecordError::TooLarge { what: "a context has levels", found, limit });
    }
    check_size("a context has bytes", size(context), CONTEXT)
}

/// Refuses a name that can't be one of a schema.
pub(crate) fn check_schema_name(name: &str) -> Result<(), RecordError> {
    check_size("a schema's name has characters", name.len(), NAME)?;
    let is_one = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_one) {
        let problem = "is made of letters, digits, dots, hyphens and underscores. Write one such \
                       as note.v1";
        return Err(RecordError::Bad { what: "a schema's name", problem });
    }
    Ok(())
}

/// Refuses a name that nobody has.
pub(crate) fn check_maker(name: &str) -> Result<(), RecordError> {
    check_text("who made a record has characters", name, NAME)
}

/// Refuses a search that is too large or can't be understood.
pub(crate) fn check_query(query: &Query) -> Result<(), RecordError> {
    query.made_by.as_deref().map_or(Ok(()), check_maker)?;
    check_selector(&query.selector)
}

/// Refuses a selector that is too large or can't be understood. One that says nothing
/// is all right here.
pub fn check_selector(selector: &Selector) -> Result<(), RecordError> {
    selector.schema_name.as_deref().map_or(Ok(()), check_schema_name)?;
    check_tags(&selector.any_tags)?;
    check_tags(&selector.all_tags)?;
    check_size("a selector has conditions", selector.context_match.len(), CONDITIONS)?;
    for condition in &selector.context_match {
        check_text("a path has characters", &condition.path, NAME)?;
        if matching::segments(&condition.path).is_none() {
            let problem = "has an empty part. Write one such as content.headings.0";
            return Err(RecordError::Bad { what: "a path", problem });
        }
        let bytes = condition.value.to_string().len();
        check_size("the value of a condition has bytes", bytes, VALUE)?;
        matching::check_value(condition)?;
    }
    Ok(())
}

/// How many bytes a context has as JSON.
pub(crate) fn size(context: &Context) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // Neither a map with texts as keys nor counting can fail.
    let _ = serde_json::to_writer(&mut count, context);
    count.0
}

fn check_tags(tags: &[String]) -> Result<(), RecordError> {
    check_size("there are tags", tags.len(), TAGS)?;
    for (place, tag) in tags.iter().enumerate() {
        check_text("a tag has characters", tag, NAME)?;
        if tag.is_empty() {
            return Err(RecordError::Bad { what: "a tag", problem: "is empty. Leave it out" });
        }
        if tags[..place].contains(tag) {
            let problem = "is there twice. Leave one out";
            return Err(RecordError::Bad { what: "a tag", problem });
        }
    }
    Ok(())
}

fn check_text(what: &'static str, text: &str, limit: usize) -> Result<(), RecordError> {
    // PostgreSQL has no place for it in a text.
    if text.contains('\0') {
        return Err(RecordError::Bad { what: "a text", problem: "has a zero byte. Leave it out" });
    }
    check_size(what, text.chars().count(), limit)
}

fn check_size(what: &'static str, found: usize, limit: usize) -> Result<(), RecordError> {
    if found > limit { Err(RecordError::TooLarge { what, found, limit }) } else { Ok(()) }
}

/// Whether objects and lists are inside each other at most that deep. It stops where
/// they are deeper, so that nothing is too deep for it.
fn is_within_depth(context: &Context, left: usize) -> bool {
    fn value_is(value: &Value, left: usize) -> bool {
        match value {
            Value::Object(inner) => is_within_depth(inner, left),
            Value::Array(inner) => left > 0 && inner.iter().all(|value| value_is(value, left - 1)),
            _ => true,
        }
    }
    left > 0 && context.values().all(|value| value_is(value, left - 1))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn context(value: Value) -> Context {
        Context::from_iter([("a".to_owned(), value)])
    }

    fn nested(levels: usize) -> Context {
        // The context itself is one level.
        context((1..levels).fold(json!(1), |inner, level| {
            if level % 2 == 0 { json!([inner]) } else { json!({ "a": inner }) }
        }))
    }

    fn code(checked: Result<(), RecordError>) -> &'static str {
        checked.map_or_else(|error| error.code(), |()| "ok")
    }

    #[test]
    fn a_context_may_be_as_large_and_as_deep_as_the_limit_and_no_more() {
        let empty = size(&context(json!("")));
        let fits = context(json!("x".repeat(CONTEXT - empty)));
        assert_eq!(size(&fits), CONTEXT);
        assert_eq!(code(check_contents("", &[], &fits)), "ok");
        let larger = context(json!("x".repeat(CONTEXT - empty + 1)));
        assert_eq!(code(check_contents("", &[], &larger)), "record_too_large");
        assert_eq!(code(check_contents("", &[], &nested(DEPTH))), "ok");
        assert_eq!(code(check_contents("", &[], &nested(DEPTH + 1))), "record_too_large");
        let error = check_contents("", &[], &nested(100)).unwrap_err().to_string();
        assert_eq!(error, "a context has levels: 65, and at most 64 are taken. Send less of it");
    }

    #[test]
    fn texts_that_are_too_long_or_can_not_be_kept_are_refused() {
        let tags = |count: usize| (0..count).map(|tag| tag.to_string()).collect::<Vec<_>>();
        let check =
            |title: &str, tags: &[String]| code(check_contents(title, tags, &Context::new()));
        assert_eq!(check(&"t".repeat(TITLE), &tags(TAGS)), "ok");
        assert_eq!(check(&"t".repeat(TITLE + 1), &[]), "record_too_large");
        assert_eq!(check("", &tags(TAGS + 1)), "record_too_large");
        assert_eq!(check("", &["t".repeat(NAME + 1)]), "record_too_large");
        assert_eq!(check("a\0b", &[]), "record_invalid");
        assert_eq!(check("", &["a\0b".into()]), "record_invalid");
        assert_eq!(check("", &[String::new()]), "record_invalid");
        assert_eq!(check("", &["a".into(), "a".into()]), "record_invalid");
        for (name, is) in [("note.v1", "ok"), ("", "record_invalid"), ("a b", "record_invalid")] {
            assert_eq!(code(check_schema_name(name)), is, "{name:?}");
        }
    }

    #[test]
    fn a_selector_that_can_not_be_understood_is_refused() {
        let check =
            |selector: Value| code(check_selector(&serde_json::from_value(selector).unwrap()));
        let condition = |path: &str, op: &str, value: Value| json!({"context_match": [{"path": path, "op": op, "value": value}]});
        assert_eq!(check(json!({})), "ok");
        assert_eq!(check(condition("a.b", "eq", json!(1))), "ok");
        assert_eq!(check(condition("a..b", "eq", json!(1))), "record_invalid");
        assert_eq!(check(condition("", "eq", json!(1))), "record_invalid");
        assert_eq!(check(condition("a", "contains_any", json!(1))), "record_invalid");
        assert_eq!(check(condition("a", "gt", json!([1]))), "record_invalid");
        assert_eq!(check(condition("a", "exists", json!("yes"))), "record_invalid");
        assert_eq!(check(condition("a", "eq", json!("x".repeat(VALUE)))), "record_too_large");
    }
}
