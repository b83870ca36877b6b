//! What a request says of itself, read from its address and its headers and nowhere else:
//! for which host it is, from which page it comes, which token it shows, what its body is
//! and what answer it takes. Compared by parsed parts. Whether that lets anybody in,
//! `gate.rs` judges.

use http::{HeaderMap, HeaderName, Uri, header};

/// What an answer is that goes on.
pub(crate) const EVENTS: &str = "text/event-stream";

/// What a program does to an address that it hands on, a few times over.
const MOST_ENCODINGS: usize = 4;

/// What this machine is called by itself.
const OWN_NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// The address itself may name a host too, and then `Host` is not to be
/// believed; no client of ours sends such a one.
pub(crate) fn is_for_us(uri: &Uri, headers: &HeaderMap, port: u16) -> bool {
    let Ok(Some(host)) = only(headers, &header::HOST) else { return false };
    uri.authority().is_none()
        && OWN_NAMES.iter().any(|name| host.eq_ignore_ascii_case(&format!("{name}:{port}")))
}

/// Whether that `Origin` is a page of the hub.
pub(crate) fn is_our_page(origin: &str, port: u16) -> bool {
    OWN_NAMES.iter().any(|name| origin == format!("http://{name}:{port}"))
}

/// The bearer token. None where there are several: whoever shows two has not
/// decided who they are.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = only(headers, &header::AUTHORIZATION).ok().flatten()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The value of a header that may be there once.
pub(crate) fn only<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'a str>, Ambiguous> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| Ambiguous),
        _ => Err(Ambiguous),
    }
}

/// A header that is there twice, or holds what is no text.
pub(crate) struct Ambiguous;

pub(crate) fn is_upgrade(headers: &HeaderMap) -> bool {
    let upgrade = headers.get(header::UPGRADE).and_then(|value| value.to_str().ok());
    upgrade.is_some_and(|upgrade| upgrade.eq_ignore_ascii_case("websocket"))
}

/// Browsers send no `Origin` for a picture, a script or a frame, but say where
/// the request comes from. (`same-site` is another port of this machine.)
pub(crate) fn is_of_another_site(headers: &HeaderMap) -> bool {
    let mut sites = headers.get_all("sec-fetch-site").iter();
    !sites.all(|site| site == "none" || site == "same-origin")
}

/// What has no body has no type either.
pub(crate) fn is_empty(headers: &HeaderMap) -> bool {
    let length = headers.get(header::CONTENT_LENGTH);
    let says_nothing = [header::CONTENT_TYPE, header::TRANSFER_ENCODING]
        .iter()
        .all(|name| !headers.contains_key(name));
    says_nothing && length.is_none_or(|length| length == "0")
}

pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    let Ok(Some(value)) = only(headers, &header::CONTENT_TYPE) else { return false };
    let kind = value.split(';').next().unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/json")
}

/// Whether the answer may go on for long.
pub(crate) fn takes_events(headers: &HeaderMap) -> bool {
    let kinds = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    kinds.flat_map(|value| value.split(',')).any(|kind| kind.trim().starts_with(EVENTS))
}

/// An address without its percent signs, also where those were written so.
pub(crate) fn plain(address: &str) -> String {
    let mut plain = address.to_owned();
    for _ in 0..MOST_ENCODINGS {
        if !plain.contains('%') {
            break;
        }
        plain = decoded(&plain);
    }
    plain
}

fn decoded(text: &str) -> String {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let (mut rest, mut bytes) = (text.as_bytes(), Vec::with_capacity(text.len()));
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, digit(after.first()), digit(after.get(1))) {
            (b'%', Some(high), Some(low)) => {
                rest = &after[2..];
                bytes.extend(u8::try_from(high * 16 + low));
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_read_as_it_was_meant() {
        for (encoded, meant) in [
            ("a%20b", "a b"),
            ("%41%4a%4A", "AJJ"),
            ("%2541%252541", "AA"),
            ("100%", "100%"),
            ("%4", "%4"),
            ("%zz%+1", "%zz%+1"),
        ] {
            assert_eq!(plain(encoded), meant, "{encoded}");
        }
    }
}
