//! One tag of a page's source and its attributes, by the rules of HTML.

use std::ops::Range;

/// A tag, or what there is of one that was cut off.
pub(super) struct Tag<'a> {
    html: &'a str,
    pub(super) start: usize,
    /// Behind its bracket.
    pub(super) end: usize,
    /// As it is written.
    pub(super) name: &'a str,
    pub(super) attributes: Vec<Attribute<'a>>,
}

/// An attribute of a tag.
pub(super) struct Attribute<'a> {
    /// As it is written.
    pub(super) name: &'a str,
    /// Empty where there is none.
    pub(super) value: Range<usize>,
    /// The value with its quotes.
    pub(super) written: Range<usize>,
}

impl<'a> Tag<'a> {
    /// Reads the tag that opens at `start`, before a letter or a slash and a letter.
    /// `in_text` is for what stands in a script, where quotes have backslashes.
    pub(super) fn read(html: &'a str, start: usize, in_text: bool) -> Self {
        let from = start + 1 + usize::from(html[start + 1..].starts_with('/'));
        let mut at = until(html, from, |c| is_blank(c) || matches!(c, '/' | '>'));
        let mut tag = Tag { html, start, end: at, name: &html[from..at], attributes: Vec::new() };
        loop {
            at = until(html, at, |c| !is_blank(c) && c != '/');
            match html[at..].chars().next() {
                None => break,
                Some('>') => {
                    at += 1;
                    break;
                }
                Some(first) => {
                    // An equals sign that comes first is a part of the name.
                    let rest = at + first.len_utf8();
                    let end = until(html, rest, |c| is_blank(c) || matches!(c, '/' | '>' | '='));
                    let name = &html[at..end];
                    let (value, written) = value_after(html, end, in_text);
                    at = written.end;
                    tag.attributes.push(Attribute { name, value, written });
                }
            }
        }
        tag.end = at;
        tag
    }

    /// Whether it has this name.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The value of the first attribute of this name; the others don't count.
    pub(super) fn value(&self, name: &str) -> Option<&'a str> {
        let attribute = self.attributes.iter().find(|one| one.name.eq_ignore_ascii_case(name))?;
        Some(&self.html[attribute.value.clone()])
    }
}

/// The value of an attribute whose name ends at `end`, without and with its quotes.
fn value_after(html: &str, end: usize, in_text: bool) -> (Range<usize>, Range<usize>) {
    let sign = until(html, end, |c| !is_blank(c));
    if !html[sign..].starts_with('=') {
        return (end..end, end..end);
    }
    let start = until(html, sign + 1, |c| !is_blank(c));
    let opening = if in_text { until(html, start, |c| c != '\\') } else { start };
    let Some(quote) = html[opening..].chars().next().filter(|c| matches!(c, '"' | '\'')) else {
        let end = until(html, start, |c| is_blank(c) || c == '>');
        return (start..end, start..end);
    };
    let from = opening + 1;
    let end = until(html, from, |c| c == quote);
    (from..end, start..(end + 1).min(html.len()))
}

fn until(html: &str, from: usize, stops: impl Fn(char) -> bool) -> usize {
    html[from..].find(stops).map_or(html.len(), |length| from + length)
}

fn is_blank(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\u{c}' | '\r' | ' ')
}
