//! Bodies and lines of a log without the secrets in them. JSON, forms, parts of
//! forms, XML and scripts, whole or cut off, are not parsed: names are looked for,
//! and what stands after them in one of the ways in which values are written.

use std::borrow::Cow;

use super::names::is_secret_field;
use super::values::{
    end_of, end_of_bare, end_of_credentials, end_of_list, end_of_quoted, is_name_character,
    is_user_and_password, not_empty, quote_at, skip_blanks,
};
use super::{REDACTED, is_token, scheme};

/// No name of a field is longer.
const LONGEST_NAME: usize = 64;
/// Nor are the attributes of an element that holds a secret, in bytes.
const LONGEST_ATTRIBUTES: usize = 512;
/// So deep in an element its words may stand.
const MOST_INNER_ELEMENTS: usize = 4;
const CDATA: &str = "<![CDATA[";

/// A body without the values of fields whose names promise a secret, and
/// without tokens that give themselves away. Linear in its length.
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
    let mut redacted = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(start) = text[at..].find(is_name_character).map(|found| at + found) {
        let end = end_of(text, start, is_name_character);
        let secret = secret_at(text, start, end, kind);
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

/// Where the secret is that the name at `start..end` promises, or is.
fn secret_at(text: &str, start: usize, end: usize, kind: Kind) -> Option<(usize, usize)> {
    // A bracket in a form is `%5B`, and its digits no part of the name.
    let is_bracketed = text[..start].ends_with('%')
        && text.as_bytes()[start..end]
            .get(..2)
            .is_some_and(|code| code.eq_ignore_ascii_case(b"5b"));
    let start = if is_bracketed { start + 2 } else { start };
    let name = &text[start..end];
    if is_token(name) {
        return Some((start, end));
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

/// A value that says that there is none.
fn is_nothing(value: &str) -> bool {
    matches!(value, "" | "null" | "true" | "false" | "undefined")
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
            ("user[password]=hunter2&a=1", "user[password]=[redacted]&a=1"),
            ("user%5Bpassword%5D=hunter2&a=1", "user%5Bpassword%5D=[redacted]&a=1"),
            ("user%5bpin%5d=1234", "user%5bpin%5d=[redacted]"),
            (
                "<password type=\"x\">hunter2</password>",
                "<password type=\"x\">[redacted]</password>",
            ),
            (
                "<wsse:Password Type='a/b'>hunter2</wsse:Password>",
                "<wsse:Password Type='a/b'>[redacted]</wsse:Password>",
            ),
            ("password[]=hunter2&a=1", "password[]=[redacted]&a=1"),
            ("passwords%5B%5D=hunter2", "passwords%5B%5D=[redacted]"),
            ("token[0]=hunter2&b[1]=c", "token[0]=[redacted]&b[1]=c"),
            ("user[password][]=hunter2", "user[password][]=[redacted]"),
            (r#"{"user[password]":"hunter2","a":1}"#, r#"{"user[password]":"[redacted]","a":1}"#),
            (
                r#"{"data":"{\"user[password]\":\"hunter2\"}"}"#,
                r#"{"data":"{\"user[password]\":\"[redacted]\"}"}"#,
            ),
            (
                "form-data; name=\"user[password]\"\r\n\r\nhunter2\r\n--b",
                "form-data; name=\"user[password]\"\r\n\r\n[redacted]\r\n--b",
            ),
            (
                "<password><![CDATA[hun<b>ter2]]></password>",
                "<password><![CDATA[[redacted]]]></password>",
            ),
            (
                "<wsse:Password Type=\"x\">\n<![CDATA[hunter2]]></wsse:Password>",
                "<wsse:Password Type=\"x\">\n<![CDATA[[redacted]]]></wsse:Password>",
            ),
            (
                "<password>\n  <value>hunter2</value></password>",
                "<password>\n  <value>[redacted]</value></password>",
            ),
            (r#"{"token":['a]b', 'c'],"d":1}"#, r#"{"token":[redacted],"d":1}"#),
            ("authorization: bearer éabc d", "authorization: bearer [redacted] d"),
            (r#"{password: "hunter2", a: 1}"#, r#"{password: "[redacted]", a: 1}"#),
            ("{a: 1, password: 'hunter2'}", "{a: 1, password: '[redacted]'}"),
            (
                "{pin: 1234, otp: 99, a: {token: [1, 2]}}",
                "{pin: [redacted], otp: [redacted], a: {token: [redacted]}}",
            ),
            (r#"Map(1) {"password" => "hunter2"}"#, r#"Map(1) {"password" => "[redacted]"}"#),
            ("Authorization: Basic dTpw", "Authorization: Basic [redacted]"),
            (
                "proxy-authorization: Bearer abc\nA: b",
                "proxy-authorization: Bearer [redacted]\nA: b",
            ),
            ("with Basic dXNlcjpwYXNz, so", "with Basic [redacted], so"),
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
            "Basic knowledge of tokens, and basic authentication",
            "Your name, password: managers know. {token: open()} (password: none)",
            "<password/>text <input type=password> and <token />more",
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
    fn in_a_log_the_word_after_a_secret_name_goes() {
        for (line, shown) in [
            ("password: hunter2", "password: [redacted]"),
            ("sending password = hunter2; done", "sending password = [redacted]; done"),
            ("sid: a(b)=c", "sid: [redacted]"),
            ("password=Tr0ub(4)dor|x", "password=[redacted]"),
            ("Authorization: Basic  dXNlcjpwYXNz", "Authorization: Basic  [redacted]"),
            ("GET /?token=a&x=1 failed", "GET /?token=[redacted]&x=1 failed"),
            ("{user: \"a\", password: \"hunter2\"}", "{user: \"a\", password: \"[redacted]\"}"),
            (
                "credentials: {pass: \"a b\", pin: 7}",
                "credentials: {pass: \"[redacted]\", pin: [redacted]}",
            ),
        ] {
            assert_eq!(redact_log(line), shown);
        }
        for line in [
            "password is hunter2",
            "user: ada, token: null, tokens: 5",
            "Uncaught SyntaxError: Unexpected token '}'",
            "if (token == null) (token)=>1",
            "password:",
        ] {
            assert!(matches!(redact_log(line), Cow::Borrowed(_)), "{line}: {}", redact_log(line));
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
            "basic ",
            "basic a",
            "authorization: basic ",
            "token: ,",
            "token[",
            "[0]",
            "password]",
            "<token><![CDATA[",
            ", token: ",
            "\\",
        ];
        crate::pace::assert_linear(&pieces, |text| redact_body(text).len());
        crate::pace::assert_linear(&pieces, |text| redact_log(text).len());
    }
}
