//! How large and how deep a value is, without ever looking at more than is allowed.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

/// Keeps what is written, up to a limit, and notes whether that was passed.
pub(super) struct Bounded {
    kept: Vec<u8>,
    limit: usize,
    is_over: bool,
}

impl Bounded {
    pub(super) fn new(limit: usize) -> Self {
        Bounded { kept: Vec::new(), limit, is_over: false }
    }

    /// All that was written, or nothing where that was too much.
    pub(super) fn into_kept(self) -> Option<Vec<u8>> {
        (!self.is_over).then_some(self.kept)
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.limit - self.kept.len() {
            self.is_over = true;
            return Err(io::Error::other("too much"));
        }
        self.kept.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Counts what is written, up to a limit.
struct Counter {
    left: usize,
}

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.left =
            self.left.checked_sub(bytes.len()).ok_or_else(|| io::Error::other("too much"))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How many bytes it has as JSON, if not more than the limit.
pub(super) fn json_bytes(value: &impl Serialize, limit: usize) -> Option<usize> {
    let mut counter = Counter { left: limit };
    serde_json::to_writer(&mut counter, value).ok()?;
    Some(limit - counter.left)
}

/// Whether it is nested deeper than so many levels. Never looks deeper than that.
pub(super) fn is_deeper_than(value: &Value, limit: usize) -> bool {
    let is_deep = |inner: &Value| limit == 0 || is_deeper_than(inner, limit - 1);
    match value {
        Value::Array(items) => items.iter().any(is_deep),
        Value::Object(map) => map.values().any(is_deep),
        _ => false,
    }
}

/// How many values are in it, itself included, and how many levels.
pub(super) fn nodes_and_levels(value: &Value) -> (u64, u64) {
    let inner: &mut dyn Iterator<Item = &Value> = match value {
        Value::Array(items) => &mut items.iter(),
        Value::Object(map) => &mut map.values(),
        _ => return (1, 1),
    };
    let (nodes, levels) = inner
        .map(nodes_and_levels)
        .fold((0, 0), |(nodes, levels), one| (nodes + one.0, std::cmp::max(levels, one.1)));
    (nodes + 1, levels + 1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_and_levels_are_counted() {
        assert_eq!(nodes_and_levels(&json!(1)), (1, 1));
        assert_eq!(nodes_and_levels(&json!({"a": [1, 2], "b": {"c": [[]]}})), (7, 5 - 1));
    }

    #[test]
    fn bytes_are_counted_up_to_the_limit_only() {
        assert_eq!(json_bytes(&json!({"a": 1}), 7), Some(7));
        assert_eq!(json_bytes(&json!({"a": 1}), 6), None);
    }

    #[test]
    fn depth_is_told_without_looking_deeper() {
        assert!(!is_deeper_than(&json!([[1]]), 2));
        assert!(is_deeper_than(&json!([[1]]), 1));
        assert!(!is_deeper_than(&json!(1), 0));
    }
}
