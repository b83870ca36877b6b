//! Bodies without the secrets in them. JSON, forms, parts of forms, XML and
//! scripts, whole or cut off, are not parsed: names are looked for, and what
//! stands after them in one of the ways in which values are written.

use std::borrow::Cow;

use super::names::is_secret_field;
use super::{REDACTED, is_token};

/// No name of a field is longer.
const LONGEST_NAME: usize = 64;

/// A body without the values of fields whose names promise a secret, and
/// without tokens that give themselves away. Linear in its length.
pub fn redact_body(text: &str) -> Cow<'_, str> {
    let mut redacted = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(start) = text[at..].find(is_name_character).map(|found| at + found) {
        let end = end_of(text, start, is_name_character);
        let secret = secret_at(text, start, end);
        at = end;
        if let Some((from, to)) = secret {
            redacted.push_str(&text[copied..from]);
            redacted.push_str(REDACTED);
            copied = to;
            at = to.max(end);
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    redacted.push_str(&text[copied..]);
    Cow::Owned(redacted)
}

fn is_name_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.')
}

fn end_of(text: &str, start: usize, belongs: impl Fn(char) -> bool) -> usize {
    text[start..].find(|c| !belongs(c)).map_or(text.len(), |length| start + length)
}

/// Where the secret is that the name at `start..end` promises, or is.
fn secret_at(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let name = &text[start..end];
    if is_token(name) {
        return Some((start, end));
    }
    if name.eq_ignore_ascii_case("bearer") {
        let from = end + usize::from(text[end..].starts_with(' '));
        let to = end_of(text, from, |c| is_name_character(c) || "+/=~".contains(c));
        return (from > end && to - from >= 8).then_some((from, to));
    }
    if name.len() > LONGEST_NAME || !is_secret_field(name) {
        return None;
    }
    let before = text[..start].trim_end_matches('\\');
    if before.ends_with('<') && text[end..].starts_with('>') {
        let from = end + 1;
        return not_empty(from, end_of(text, from, |c| c != '<'));
    }
    let closing = quote_at(text, end);
    let is_quoted = closing.is_some() && before.ends_with(['"', '\'']);
    let after_name = if is_quoted { closing.map_or(end, |quote| quote.end) } else { end };
    if is_quoted && let Some(part) = part_of_form(text, before, after_name) {
        return Some(part);
    }
    let sign_at = skip_blanks(text, after_name);
    let sign = text[sign_at..].chars().next().filter(|c| matches!(c, ':' | '='))?;
    let value_at = skip_blanks(text, sign_at + 1);
    if let Some(opening) = quote_at(text, value_at) {
        return not_empty(opening.end, end_of_quoted(text, &opening));
    }
    if sign == ':' && is_quoted && text[value_at..].starts_with('[') {
        return Some((value_at, end_of_list(text, value_at)));
    }
    let (to, is_code) = end_of_bare(text, value_at);
    let is_written_as_value = match sign {
        ':' => is_quoted,
        // With blanks around, or calling something, it is code.
        _ => value_at == end + 1 && !is_code,
    };
    let is_empty = matches!(&text[value_at..to], "" | "null" | "true" | "false" | "undefined");
    (is_written_as_value && !is_empty).then_some((value_at, to))
}

/// Where a value without quotes ends, and whether what follows says that it is
/// none. It stops there, so that no text is gone over for every name in it.
fn end_of_bare(text: &str, start: usize) -> (usize, bool) {
    const CODE: &str = "([{=|?:";
    let ends = |c: char| c.is_whitespace() || "&,;}])\"'<>\\".contains(c) || CODE.contains(c);
    let letters = end_of(text, start, |c| !ends(c));
    // Base64 is filled up with these.
    let padding = if letters > start { text.as_bytes()[letters..].iter() } else { [].iter() };
    let to = letters + padding.take(2).take_while(|byte| **byte == b'=').count();
    (to, text[to..].starts_with(|c| CODE.contains(c)))
}

fn not_empty(from: usize, to: usize) -> Option<(usize, usize)> {
    (from < to).then_some((from, to))
}

fn skip_blanks(text: &str, at: usize) -> usize {
    end_of(text, at, char::is_whitespace)
}

/// A quotation mark with the backslashes before it: JSON inside of JSON.
struct Quote {
    mark: u8,
    backslashes: usize,
    /// Just after it.
    end: usize,
}

fn quote_at(text: &str, at: usize) -> Option<Quote> {
    let bytes = &text.as_bytes()[at..];
    let backslashes = bytes.iter().take_while(|byte| **byte == b'\\').count();
    let mark = *bytes.get(backslashes).filter(|byte| matches!(byte, b'"' | b'\''))?;
    Some(Quote { mark, backslashes, end: at + backslashes + 1 })
}

/// Where the text in quotes ends: before a mark like the opening one that is not
/// escaped more than it, or at the end of a text that was cut off.
fn end_of_quoted(text: &str, opening: &Quote) -> usize {
    let mut backslashes = 0;
    for (offset, byte) in text.as_bytes()[opening.end..].iter().enumerate() {
        match *byte {
            b'\\' => backslashes += 1,
            byte if byte == opening.mark && is_closing(opening.backslashes, backslashes) => {
                return opening.end + offset - backslashes.min(opening.backslashes);
            }
            _ => backslashes = 0,
        }
    }
    text.len()
}

/// An escaped mark has one more backslash than the opening one; an even number
/// of more are backslashes of the text itself.
fn is_closing(opening: usize, found: usize) -> bool {
    found <= opening || (opening == 0 && found.is_multiple_of(2))
}

/// Where a list ends that begins here, brackets inside of strings aside.
fn end_of_list(text: &str, start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    while let Some(found) = text[at..].find(['[', ']', '"']) {
        let here = at + found;
        match text.as_bytes()[here] {
            b'[' => depth += 1,
            b']' => depth -= 1,
            mark => {
                at = end_of_quoted(text, &Quote { mark, backslashes: 0, end: here + 1 });
            }
        }
        if depth == 0 {
            return here + 1;
        }
        at = (here + 1).max(at + 1).min(text.len());
        if !text.is_char_boundary(at) {
            return text.len();
        }
    }
    text.len()
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
mod tests {
    use super::*;

    #[test]
    fn values_of_secret_fields_go_however_they_are_written() {
        for (body, shown) in [
            (
                r#"{"password": "hunter2", "user": "a"}"#,
                r#"{"password": "[redacted]", "user": "a"}"#,
            ),
            (
                r#"{"access_token":"ab\"c","expires_in":3}"#,
                r#"{"access_token":"[redacted]","expires_in":3}"#,
            ),
            (
                r#"{"a":{"clientSecret" : "x\\"},"b":1}"#,
                r#"{"a":{"clientSecret" : "[redacted]"},"b":1}"#,
            ),
            (r#"{"pin":1234,"otp":99}"#, r#"{"pin":[redacted],"otp":[redacted]}"#),
            (
                r#"{"tokens_used":5,"token":["a]","b"],"c":1}"#,
                r#"{"tokens_used":5,"token":[redacted],"c":1}"#,
            ),
            (r#"{'api_key': 'x'}"#, r#"{'api_key': '[redacted]'}"#),
            (
                r#"{"data":"{\"password\":\"hunter2\",\"a\":1}"}"#,
                r#"{"data":"{\"password\":\"[redacted]\",\"a\":1}"}"#,
            ),
            (r#"{"password":"cut of"#, r#"{"password":"[redacted]"#),
            ("token=YWI=&password=YQ==", "token=[redacted]&password=[redacted]"),
            ("user=a&password=b%20c&x=1", "user=a&password=[redacted]&x=1"),
            ("x={password:\"a\",b:1}", "x={password:\"[redacted]\",b:1}"),
            (
                "<login><password>a b</password></login>",
                "<login><password>[redacted]</password></login>",
            ),
            (
                "name=\"password\"\r\n\r\nhunter2\r\n--b",
                "name=\"password\"\r\n\r\n[redacted]\r\n--b",
            ),
            (
                "curl -H 'Authorization: Bearer abcdefghijkl'",
                "curl -H 'Authorization: Bearer [redacted]'",
            ),
            (
                r#"{"y":1,"x":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"}"#,
                r#"{"y":1,"x":"[redacted]"}"#,
            ),
        ] {
            assert_eq!(redact_body(body), shown);
        }
    }

    #[test]
    fn a_body_without_secrets_is_not_touched() {
        for body in [
            r#"{"max_tokens":100,"token_type":"bearer","key":"a","password":null,"otp":""}"#,
            "It's a page about \"password: managers\" and tokens.",
            "const token = getToken(); if (password == null) session = open();",
            "let a=b.token===c, d=(password)=>e",
            "password",
            "\"password\"",
            "\"password\":",
            "é\"token\"é:é",
            "",
        ] {
            assert!(matches!(redact_body(body), Cow::Borrowed(_)), "{body}: {}", redact_body(body));
        }
    }

    #[test]
    fn the_time_grows_with_the_length_and_no_faster() {
        let pieces = [
            "\"token\":",
            "password=",
            "\"",
            "token  ",
            "<token>",
            "\"token\":[",
            "a-",
            "bearer ",
            "\\",
        ];
        crate::pace::assert_linear(&pieces, |text| redact_body(text).len());
    }
}
