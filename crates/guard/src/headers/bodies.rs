//! Bodies and lines of a log without the secrets in them. JSON, forms, parts of
//! forms, XML and scripts, whole or cut off, are not parsed: names are looked for,
//! and what stands after them in one of the ways in which values are written.

use std::borrow::Cow;

use super::cards::cards_in;
use super::encoded::encoded_in;
use super::names::is_secret_field;
use super::pairs::value_of_pair;
use super::values::{
    end_of, end_of_bare, end_of_credentials, end_of_list, end_of_quoted, is_name_character,
    is_nothing, is_user_and_password, not_empty, quote_at, skip_blanks,
};
use super::{REDACTED, is_token, scheme};

/// No name of a field is longer.
const LONGEST_NAME: usize = 64;
/// Nor are the attributes of an element that holds a secret, in bytes.
const LONGEST_ATTRIBUTES: usize = 512;
/// So deep in an element its words may stand.
const MOST_INNER_ELEMENTS: usize = 4;
/// So often something may have been encoded; each time costs its length once more.
const MOST_ENCODINGS: usize = 2;
const CDATA: &str = "<![CDATA[";

/// A body without the values of fields whose names promise a secret, and without
/// tokens and numbers of cards, which give themselves away. Linear in its length.
pub fn redact_body(text: &str) -> Cow<'_, str> {
    redacted(text, Kind::Body)
}

/// The same of what a page wrote to its console, where `password: hunter2` is no
/// sentence of a text.
pub fn redact_log(text: &str) -> Cow<'_, str> {
    redacted(text, Kind::Log)
}

/// What a text is.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Body,
    Log,
}

fn redacted(text: &str, kind: Kind) -> Cow<'_, str> {
    let mut found = secrets_in(text, kind, MOST_ENCODINGS);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    found.sort_unstable();
    let mut redacted = String::new();
    let mut copied = 0;
    for (from, to) in found {
        // One secret may be found in several ways, and in another one.
        if from >= copied {
            redacted.push_str(&text[copied..from]);
            redacted.push_str(REDACTED);
        }
        copied = copied.max(to);
    }
    redacted.push_str(&text[copied..]);
    Cow::Owned(redacted)
}

/// Where the secrets of a text are, in no order.
fn secrets_in(text: &str, kind: Kind, encodings: usize) -> Vec<(usize, usize)> {
    let mut found = cards_in(text);
    let mut at = 0;
    while let Some(start) = text[at..].find(is_name_character).map(|found| at + found) {
        let end = end_of(text, start, is_name_character);
        let secret = secret_at(text, start, end, kind);
        at = end;
        if let Some((from, to)) = secret {
            found.push((from, to));
            at = to.max(end);
        }
    }
    if encodings > 0 {
        for piece in encoded_in(text) {
            let inside = secrets_in(&piece.text, kind, encodings - 1);
            found.extend(inside.into_iter().map(|range| piece.place(range)));
        }
    }
    found
}

/// Where the secret is that the name at `start..end` promises, or is.
fn secret_at(text: &str, start: usize, end: usize, kind: Kind) -> Option<(usize, usize)> {
    // A bracket in a form is `%5B`, and its digits no part of the name.
    let is_bracketed = text[..start].ends_with('%')
        && text.as_bytes()[start..end]
            .get(..2)
            .is_some_and(|code| code.eq_ignore_ascii_case(b"5b"));
    let start = if is_bracketed { start + 2 } else { start };
    // Where words have no blanks between them, a token stands right after one.
    let plain_at = text[start..end]
        .rfind(|c: char| !c.is_ascii())
        .map_or(start, |last| text.ceil_char_boundary(start + last + 1));
    let name = &text[plain_at..end];
    if is_token(name) {
        return Some((plain_at, end));
    }
    let is_basic = name.eq_ignore_ascii_case("basic");
    if is_basic || name.eq_ignore_ascii_case("bearer") {
        let from = end + usize::from(text[end..].starts_with(' '));
        let to = end_of_credentials(text, from);
        let are_credentials = from > end && to - from >= 8;
        // Other words come after "basic", too.
        let are_some = are_credentials && (!is_basic || is_user_and_password(&text[from..to]));
        return are_some.then_some((from, to));
    }
    let longest = text.ceil_char_boundary(end.saturating_sub(LONGEST_NAME));
    let start = if plain_at > start { start.max(longest) } else { start };
    let name = &text[start..end];
    if name.len() > LONGEST_NAME || !is_secret_field(name) {
        return None;
    }
    let before = text[..start].trim_end_matches('\\');
    if let Some(from) = content_of_tag(text, before, end) {
        return words_of_element(text, from);
    }
    let whole_end = end + closing_brackets(&text[end..]);
    let before = if whole_end > end { before_brackets(before) } else { before };
    let closing = quote_at(text, whole_end);
    let is_quoted = closing.is_some() && before.ends_with(['"', '\'']);
    let after_name = match closing.filter(|_| is_quoted) {
        Some(quote) => quote.end,
        None => whole_end,
    };
    if is_quoted && let Some(part) = part_of_form(text, before, after_name) {
        return Some(part);
    }
    if is_quoted && let Some(value) = value_of_pair(text, before, after_name) {
        return Some(value);
    }
    let sign_at = skip_blanks(text, after_name);
    let sign = Sign::at(text, sign_at, is_quoted)?;
    let value_at = skip_blanks(text, sign_at + sign.length());
    if let Some(opening) = quote_at(text, value_at) {
        return not_empty(opening.end, end_of_quoted(text, &opening));
    }
    // `Authorization: Basic …`, as a header is written.
    if ends_with_plainly(name, "authorization")
        && let Some(scheme) =
            scheme(&text[value_at..text.floor_char_boundary(value_at + LONGEST_NAME)])
    {
        let from = skip_blanks(text, value_at + scheme.len());
        let to = end_of_credentials(text, from);
        return not_empty(from, to)
            .or_else(|| not_empty(from, end_of(text, from, |c| !c.is_whitespace())));
    }
    // As in a script, and as a console shows an object.
    let is_member = is_quoted || before.trim_end().ends_with(['{', ',']);
    if sign != Sign::Equals && is_member && text[value_at..].starts_with('[') {
        return Some((value_at, end_of_list(text, value_at)));
    }
    let is_parameter = sign == Sign::Equals && value_at == after_name + 1;
    if kind == Kind::Log && !is_quoted {
        return logged(text, value_at, is_parameter);
    }
    let (to, is_code) = end_of_bare(text, value_at);
    let is_written_as_value = match sign {
        // With blanks around, or calling something, it is code.
        Sign::Equals => is_parameter && !is_code,
        _ if is_quoted => true,
        _ => is_member && !is_code && text[skip_blanks(text, to)..].starts_with([',', '}']),
    };
    let is_empty = is_nothing(&text[value_at..to]);
    (is_written_as_value && !is_empty).then_some((value_at, to))
}

/// The length of the brackets after a name, as forms have them: `user[password]=…`,
/// `password[]=…`, `token%5B0%5D=…`.
fn closing_brackets(rest: &str) -> usize {
    let mut at = 0;
    while at < LONGEST_NAME {
        let opening = bracket(&rest[at..], '[', "%5b");
        let inside = at + opening;
        let index = if opening > 0 {
            end_of(rest, inside, |c| c.is_ascii_digit()).min(inside + LONGEST_NAME) - inside
        } else {
            0
        };
        match bracket(&rest[inside + index..], ']', "%5d") {
            0 => break,
            closing => at = inside + index + closing,
        }
    }
    at
}

/// The length of a bracket at the start of a text, plain or encoded.
fn bracket(rest: &str, plain: char, encoded: &str) -> usize {
    let is_encoded =
        rest.as_bytes().get(..3).is_some_and(|code| code.eq_ignore_ascii_case(encoded.as_bytes()));
    if is_encoded { 3 } else { usize::from(rest.starts_with(plain)) }
}

/// What stands before all of a name of which the last part is in brackets.
fn before_brackets(before: &str) -> &str {
    let from = before.floor_char_boundary(before.len().saturating_sub(LONGEST_NAME));
    let kept = before[from..]
        .trim_end_matches(|c| is_name_character(c) || matches!(c, '[' | ']' | '%'))
        .trim_end_matches('\\');
    &before[..from + kept.len()]
}

/// The first words in an element whose content begins at `from`: its own, quoted as
/// data or not, or those of an element in it.
fn words_of_element(text: &str, from: usize) -> Option<(usize, usize)> {
    let mut from = from;
    for _ in 0..MOST_INNER_ELEMENTS {
        let words = skip_blanks(text, from);
        if let Some(data) = text[words..].strip_prefix(CDATA) {
            let start = words + CDATA.len();
            return not_empty(start, start + data.find("]]>").unwrap_or(data.len()));
        }
        let head = &text[words..text.floor_char_boundary(words + LONGEST_ATTRIBUTES)];
        let is_element = head.starts_with('<') && !head.starts_with("</");
        match head.find('>').filter(|_| is_element) {
            Some(close) => from = words + close + 1,
            None => break,
        }
    }
    not_empty(from, end_of(text, from, |c| c != '<'))
}

/// Where the content of an XML element begins whose name ends at `end`; it may have a
/// prefix, and attributes.
fn content_of_tag(text: &str, before: &str, end: usize) -> Option<usize> {
    let prefix = before.strip_suffix(':').map(|before| {
        let from = before.floor_char_boundary(before.len().saturating_sub(LONGEST_NAME));
        before[from..].trim_end_matches(is_name_character)
    });
    if !before.ends_with('<') && !prefix.is_some_and(|before| before.ends_with('<')) {
        return None;
    }
    let rest = &text[end..text.floor_char_boundary(end + LONGEST_ATTRIBUTES)];
    let close = rest.find(['<', '>']).filter(|at| rest[*at..].starts_with('>'))?;
    let is_tag = close == 0 || rest.starts_with(char::is_whitespace);
    (is_tag && !rest[..close].ends_with('/')).then_some(end + close + 1)
}

/// What stands between a name and its value.
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Colon,
    Equals,
    /// As a console shows a map.
    Arrow,
}

impl Sign {
    fn at(text: &str, at: usize, is_quoted: bool) -> Option<Sign> {
        match text.as_bytes().get(at)? {
            b':' => Some(Sign::Colon),
            b'=' if is_quoted && text[at..].starts_with("=>") => Some(Sign::Arrow),
            b'=' => Some(Sign::Equals),
            _ => None,
        }
    }

    fn length(self) -> usize {
        if self == Sign::Arrow { 2 } else { 1 }
    }
}

/// The word after a name in a line of a log. What is in an object has names itself.
fn logged(text: &str, start: usize, is_parameter: bool) -> Option<(usize, usize)> {
    if text[start..].starts_with(['=', '>', '{', '[', '(', 'ƒ']) {
        return None;
    }
    let to = end_of(text, start, |c| !(c.is_whitespace() || is_parameter && c == '&'));
    let value = text[start..to].trim_end_matches([',', ';', '}', ']', ')', '"', '\'', '`']);
    (!is_nothing(value)).then_some((start, start + value.len()))
}

fn ends_with_plainly(name: &str, ending: &str) -> bool {
    let at = name.len().checked_sub(ending.len());
    at.is_some_and(|at| name.as_bytes()[at..].eq_ignore_ascii_case(ending.as_bytes()))
}

/// The value of a part of a form, which stands after an empty line:
/// `name="password"`, and two lines on the secret.
fn part_of_form(text: &str, before: &str, after_name: usize) -> Option<(usize, usize)> {
    before.trim_end_matches(['"', '\'']).ends_with("name=").then_some(())?;
    let rest = &text[after_name..];
    let blanks = rest.len() - rest.trim_start_matches(['\r', '\n']).len();
    let is_empty_line = rest[..blanks].matches('\n').count() >= 2;
    let from = after_name + blanks;
    is_empty_line
        .then(|| not_empty(from, end_of(text, from, |c| !matches!(c, '\r' | '\n'))))
        .flatten()
}

#[cfg(test)]
mod tests;
