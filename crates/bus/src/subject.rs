//! The names under which events are told: `outrigger.<workspace>.records.<schema>.<event>`.
//! Dots of a schema's name are underscores there: `browser_page_context_v1`.

use std::fmt::Write as _;

use outrigger_protocol::records::RecordEventKind;

use crate::Notice;

/// All of them.
pub const ALL_SUBJECTS: &str = "outrigger.*.records.*.*";

/// That of an event.
pub fn subject(notice: &Notice) -> String {
    let event = match notice.event.kind {
        RecordEventKind::Created => "created",
        RecordEventKind::Updated => "updated",
        RecordEventKind::Deleted => "deleted",
    };
    let (workspace, schema) = (escape(&notice.workspace), escape(&notice.event.schema_name));
    format!("outrigger.{workspace}.records.{schema}.{event}")
}

/// One part of a subject. No two texts have the same one: what could be mistaken, or
/// means something to NATS, is written as `%` and two hexadecimal digits.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'.' => out.push('_'),
            b'-' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => out.push(char::from(byte)),
            // Writing to a string can't fail.
            _ => drop(write!(out, "%{byte:02X}")),
        }
    }
    // A part has at least one character.
    if out.is_empty() { "%".into() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_are_told_apart() {
        let names = ["a.b", "a_b", "a%5Fb", "a-b", "a b", "a*b", "a>b", "", "%", "ü", "a..b"];
        let escaped: std::collections::BTreeSet<String> = names.map(escape).into_iter().collect();
        assert_eq!(escaped.len(), names.len());
        for part in escaped {
            assert!(!part.is_empty() && !part.contains(['.', '*', '>', ' ']), "{part}");
        }
        assert_eq!(escape("browser.page.context.v1"), "browser_page_context_v1");
    }
}
