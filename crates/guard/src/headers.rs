//! Redaction: what a page sent or was sent is shown without what would let
//! somebody else log in. Names, schemes and flags stay, since they are what one
//! looks for; values go.
//!
//! By name first ([`names`]), by shape for tokens and cards that give themselves away. A
//! secret under an innocent name stays: this makes a log safer, not safe.

mod bodies;
mod cards;
mod encoded;
mod names;
mod pairs;
mod urls;
mod values;

use std::borrow::Cow;

pub use bodies::{redact_body, redact_log};
pub use urls::{redact_url, redact_urls_in};

/// What stands in place of a value.
const REDACTED: &str = "[redacted]";

/// Schemes of `Authorization` that are told; what isn't one may be the secret.
const SCHEMES: [&str; 20] = [
    "apikey",
    "aws4-hmac-sha256",
    "basic",
    "bearer",
    "digest",
    "dpop",
    "gnap",
    "hawk",
    "hoba",
    "jwt",
    "key",
    "mutual",
    "negotiate",
    "ntlm",
    "oauth",
    "sharedkey",
    "signature",
    "splunk",
    "token",
    "vapid",
];

/// Attributes of a cookie; anything else in `Set-Cookie` may be part of a value.
const COOKIE_ATTRIBUTES: [&str; 9] = [
    "domain",
    "expires",
    "httponly",
    "max-age",
    "partitioned",
    "path",
    "priority",
    "samesite",
    "secure",
];

/// The value of a header as it may be shown.
pub fn redact<'a>(name: &str, value: &'a str) -> Cow<'a, str> {
    let name = name.trim().to_ascii_lowercase();
    match name.as_str() {
        "www-authenticate" | "proxy-authenticate" => Cow::Borrowed(value),
        "cookie" | "cookie2" => Cow::Owned(each(value, ';', "; ", cookie)),
        "set-cookie" | "set-cookie2" => Cow::Owned(each(value, '\n', "\n", set_cookie)),
        "location" | "content-location" | "referer" | "refresh" | "origin" | "link" | ":path" => {
            redact_url(value)
        }
        _ if names::is_secret(&name) || is_token(value) => Cow::Owned(authorization(value)),
        _ if scheme(value).is_some_and(|scheme| scheme.eq_ignore_ascii_case("bearer")) => {
            Cow::Owned(authorization(value))
        }
        _ => Cow::Borrowed(value),
    }
}

/// A value that gives itself away, whatever its name: a JSON Web Token.
fn is_token(value: &str) -> bool {
    let value = value.trim();
    let is_allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'=');
    value.len() >= 30
        && value.starts_with("eyJ")
        && value.bytes().filter(|byte| *byte == b'.').count() >= 2
        && value.bytes().all(is_allowed)
}

/// The scheme before the first blank, if it is a known one.
fn scheme(value: &str) -> Option<&str> {
    let (scheme, _) = value.trim_start().split_once(' ')?;
    SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()).then_some(scheme)
}

fn authorization(value: &str) -> String {
    match scheme(value) {
        Some(scheme) => format!("{scheme} {REDACTED}"),
        None => REDACTED.to_owned(),
    }
}

fn each(value: &str, separator: char, joined: &str, redact: impl Fn(&str) -> String) -> String {
    let parts = value.split(separator).map(str::trim).filter(|part| !part.is_empty());
    parts.map(redact).collect::<Vec<_>>().join(joined)
}

fn cookie(pair: &str) -> String {
    match pair.split_once('=') {
        Some((name, _)) => format!("{}={REDACTED}", name.trim()),
        None => REDACTED.to_owned(),
    }
}

/// One cookie with its attributes.
fn set_cookie(line: &str) -> String {
    let (pair, attributes) = line.split_once(';').unwrap_or((line, ""));
    let mut redacted = cookie(pair);
    for attribute in attributes.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        let name = attribute.split('=').next().unwrap_or(attribute).trim();
        let is_known = COOKIE_ATTRIBUTES.contains(&name.to_ascii_lowercase().as_str());
        redacted.push_str("; ");
        redacted.push_str(if is_known { attribute } else { REDACTED });
    }
    redacted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_header_keeps_its_scheme_and_nothing_else() {
        for (name, value, shown) in [
            ("Authorization", "Bearer abc.def", "Bearer [redacted]"),
            ("authorization", "Basic dXNlcjpwYXNz", "Basic [redacted]"),
            (
                "AUTHORIZATION",
                "AWS4-HMAC-SHA256 Credential=A/B, Signature=ff",
                "AWS4-HMAC-SHA256 [redacted]",
            ),
            ("Authorization", "rawtoken", "[redacted]"),
            ("Authorization", "hunter2 and more", "[redacted]"),
            ("Proxy-Authorization", "Basic abc", "Basic [redacted]"),
            ("X-Forwarded-Authorization", "Bearer a", "Bearer [redacted]"),
            ("X-Api-Key", "k-123", "[redacted]"),
            ("x-goog-api-key", "k-123", "[redacted]"),
            ("X-Auth-Token", "t", "[redacted]"),
            ("X-CSRF-Token", "t", "[redacted]"),
            ("X-XSRF-TOKEN", "t", "[redacted]"),
            ("X-CSRFToken", "t", "[redacted]"),
            ("X-Client-Secret", "t", "[redacted]"),
            ("X-Session-Id", "t", "[redacted]"),
            ("X-Hub-Signature-256", "sha256=ff", "[redacted]"),
            ("X-User-Password", "t", "[redacted]"),
            ("X-Forwarded-Auth", "Bearer something", "Bearer [redacted]"),
            ("X-Custom", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "[redacted]"),
        ] {
            assert_eq!(redact(name, value), shown, "{name}: {value}");
        }
    }

    #[test]
    fn of_cookies_the_names_and_flags_stay() {
        assert_eq!(
            redact("Cookie", "a=1; session=x=y;z"),
            "a=[redacted]; session=[redacted]; [redacted]"
        );
        assert_eq!(
            redact("Set-Cookie", "sid=abc; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=60"),
            "sid=[redacted]; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=60"
        );
        assert_eq!(
            redact("set-cookie", "a=1; Path=/\nb=\"x;y\"; Secure"),
            "a=[redacted]; Path=/\nb=[redacted]; [redacted]; Secure"
        );
    }

    #[test]
    fn ordinary_headers_stay_as_they_are() {
        for (name, value) in [
            ("WWW-Authenticate", "Bearer realm=\"x\", error=\"invalid_token\""),
            ("Content-Type", "application/json"),
            ("ETag", "\"33a64df5\""),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZQ=="),
            ("Access-Control-Allow-Headers", "authorization, x-api-key"),
            ("X-RateLimit-Remaining-Tokens", "99"),
            ("Idempotency-Key", "7"),
            ("Keep-Alive", "timeout=5"),
            ("Location", "https://example.com/a?page=2"),
        ] {
            assert!(matches!(redact(name, value), Cow::Borrowed(same) if same == value), "{name}");
        }
    }

    #[test]
    fn an_address_in_a_header_is_redacted_as_one() {
        assert_eq!(
            redact("Location", "https://x.example/cb?access_token=abc&a=1"),
            "https://x.example/cb?access_token=[redacted]&a=1"
        );
    }
}
