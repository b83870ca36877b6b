//! Addresses without the secrets in them. Worked on as text, not parsed and put
//! together again: what isn't secret stays byte for byte, whatever it is.

use std::borrow::Cow;

use super::bodies::redact_body;
use super::names::is_secret_parameter;
use super::{REDACTED, is_token};

/// How deep addresses inside parameters of addresses are looked into.
const DEPTH: usize = 3;

/// An address without passwords, and without the values of parameters whose
/// names promise a secret, or that hold one.
pub fn redact_url(url: &str) -> Cow<'_, str> {
    redact_at(url, DEPTH)
}

/// A sentence whose addresses are told the same way.
pub fn redact_urls_in(sentence: &str) -> String {
    let mut told = String::with_capacity(sentence.len());
    for piece in sentence.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end();
        told.push_str(&redact_url(word));
        told.push_str(&piece[word.len()..]);
    }
    told
}

fn redact_at(url: &str, depth: usize) -> Cow<'_, str> {
    let (rest, fragment) = cut(url, '#');
    let (front, query) = cut(rest, '?');
    let front = match front.split_once("//") {
        Some((scheme, after)) => {
            let (authority, path) = after.split_at(after.find(['/', '\\']).unwrap_or(after.len()));
            format!("{scheme}//{}{}", without_password(authority), without_path_parameters(path))
        }
        None => without_path_parameters(front).into_owned(),
    };
    let mut redacted = front;
    if let Some(query) = query {
        redacted.push('?');
        redacted.push_str(&parameters(query, depth));
    }
    if let Some(fragment) = fragment {
        // Applications keep a route in the fragment, with a query of its own.
        let (route, query) = fragment.split_at(fragment.find('?').map_or(0, |at| at + 1));
        redacted.push('#');
        redacted.push_str(route);
        redacted.push_str(&parameters(query, depth));
    }
    if redacted == url { Cow::Borrowed(url) } else { Cow::Owned(redacted) }
}

fn cut(text: &str, at: char) -> (&str, Option<&str>) {
    text.split_once(at).map_or((text, None), |(before, after)| (before, Some(after)))
}

fn without_password(authority: &str) -> Cow<'_, str> {
    let Some((user, host)) = authority.rsplit_once('@') else { return Cow::Borrowed(authority) };
    match user.split_once(':') {
        Some((name, _)) => Cow::Owned(format!("{name}:{REDACTED}@{host}")),
        // Tokens are given in place of a name; no name is as long.
        None if user.len() >= 20 => Cow::Owned(format!("{REDACTED}@{host}")),
        None => Cow::Borrowed(authority),
    }
}

/// `/cart;jsessionid=…`
fn without_path_parameters(path: &str) -> Cow<'_, str> {
    if !path.contains(';') {
        return Cow::Borrowed(path);
    }
    let segments = path.split('/').map(|segment| {
        let parts = segment.split(';').map(|part| match part.split_once('=') {
            Some((name, value)) if !value.is_empty() && is_secret_parameter(name) => {
                format!("{name}={REDACTED}")
            }
            _ => part.to_owned(),
        });
        parts.collect::<Vec<_>>().join(";")
    });
    Cow::Owned(segments.collect::<Vec<_>>().join("/"))
}

fn parameters(query: &str, depth: usize) -> String {
    let names =
        || query.split(['&', ';']).map(|pair| decoded(pair.split('=').next().unwrap_or(pair)));
    // A bare `code` is a postcode or a coupon; with a state it logs somebody in.
    let is_login = names().any(|name| name.eq_ignore_ascii_case("state"));
    let mut redacted = String::with_capacity(query.len());
    for piece in query.split_inclusive(['&', ';']) {
        let pair = piece.trim_end_matches(['&', ';']);
        match pair.split_once('=') {
            Some((name, value)) if !value.is_empty() && hides(name, value, is_login, depth) => {
                redacted.push_str(name);
                redacted.push('=');
                redacted.push_str(REDACTED);
                redacted.push_str(&piece[pair.len()..]);
            }
            _ => redacted.push_str(piece),
        }
    }
    redacted
}

/// Whether a parameter's value is a secret, or has one in it.
fn hides(name: &str, value: &str, is_login: bool, depth: usize) -> bool {
    let name = decoded(name);
    let value = decoded(value);
    is_secret_parameter(&name)
        || (is_login && name.eq_ignore_ascii_case("code"))
        || is_token(&value)
        || matches!(redact_body(&value), Cow::Owned(_))
        || (depth > 0 && value.contains(['=', '@']) && has_secret(&value, depth - 1))
}

fn has_secret(value: &str, depth: usize) -> bool {
    let as_address = redact_at(value, depth);
    matches!(as_address, Cow::Owned(_)) || parameters(value, depth) != value
}

fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains(['%', '+']) {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escaped = (*first == b'%').then(|| after.get(..2)).flatten();
        let digits = escaped.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_secret_parameters_go_and_everything_else_stays() {
        for (url, shown) in [
            ("https://x.example/?token=abc", "https://x.example/?token=[redacted]"),
            (
                "/a?id_token=1&b=2&api_key=3;sid=4#top",
                "/a?id_token=[redacted]&b=2&api_key=[redacted];sid=[redacted]#top",
            ),
            (
                "https://x/#access_token=a&token_type=bearer",
                "https://x/#access_token=[redacted]&token_type=bearer",
            ),
            ("https://x/#/route?key=a&x=1", "https://x/#/route?key=[redacted]&x=1"),
            ("https://x/?code=123&state=y", "https://x/?code=[redacted]&state=y"),
            ("https://x/?acc%65ss_token=a", "https://x/?acc%65ss_token=[redacted]"),
            ("https://u:p@x.example/a", "https://u:[redacted]@x.example/a"),
            ("https://u:p@q@x.example?a", "https://u:[redacted]@x.example?a"),
            ("https://ghp_0123456789abcdefghij@x.example/", "https://[redacted]@x.example/"),
            ("https://x/a;jsessionid=1F/b?c=d", "https://x/a;jsessionid=[redacted]/b?c=d"),
            ("https://x/?next=https%3A%2F%2Fy%2F%3Ftoken%3Dabc", "https://x/?next=[redacted]"),
            (
                "https://s3/x?X-Amz-Signature=ff&X-Amz-Date=1",
                "https://s3/x?X-Amz-Signature=[redacted]&X-Amz-Date=1",
            ),
            (
                "?pwd=1&otp=2&pin=3&cvv=4&sig=5&pass=6&secret=7&session=8",
                "?pwd=[redacted]&otp=[redacted]&pin=[redacted]&cvv=[redacted]&sig=[redacted]&pass=[redacted]&secret=[redacted]&session=[redacted]",
            ),
        ] {
            assert_eq!(redact_url(url), shown);
        }
    }

    #[test]
    fn addresses_in_a_sentence_are_told_without_their_secrets() {
        assert_eq!(
            redact_urls_in("at go (https://x/a.js?token=1:2:3) of 2 words"),
            "at go (https://x/a.js?token=[redacted] of 2 words"
        );
        assert_eq!(
            redact_urls_in(" at https://x/\n  at https://u:p@y/\t?a "),
            " at https://x/\n  at https://u:[redacted]@y/\t?a "
        );
    }

    #[test]
    fn an_address_without_secrets_is_not_touched() {
        for url in [
            "https://x.example/a/b?page=2&q=password+reset#section",
            "https://x.example/?code=SUMMER",
            "https://user@x.example/",
            "https://x.example/?token=&q=%zz%",
            "https://x.example/@name?to=a@b.example",
            "about:blank",
            "data:text/plain,hello",
            "",
            "?&&;;=",
        ] {
            assert!(matches!(redact_url(url), Cow::Borrowed(_)), "{url}");
        }
    }
}
