//! Origins, compared by their parsed parts and never as text prefixes.

use std::fmt;

use url::Url;

/// Scheme, host and port of a page, as a browser would serialise them. What has none
/// of its own (`about:blank`, `data:`, a file) is the same as nothing but itself.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    text: String,
    /// The address of what has no origin, by which it is told from others.
    document: Option<String>,
}

/// What an origin is called that is the same as no other.
const OPAQUE: &str = "null";

impl Origin {
    /// The origin of an address; opaque (`null`) for what has none, such as
    /// `about:blank` and anything that doesn't parse.
    pub fn of(address: &str) -> Self {
        let parsed = Url::parse(address).map(|url| url.origin().ascii_serialization());
        let text = parsed.unwrap_or_else(|_| OPAQUE.to_owned());
        let document = (text == OPAQUE).then(|| address.to_owned());
        Origin { text, document }
    }

    /// Whether it is the same as no other, not even as one that looks like it.
    pub fn is_opaque(&self) -> bool {
        self.document.is_some()
    }

    /// As the page script sees it in `location.origin`.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Without the address, which may hold all of a page.
impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Origin({:?})", self.text)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_what_the_browser_would_say() {
        for (address, origin) in [
            ("https://Example.com:443/a?b#c", "https://example.com"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
            ("https://trusted.example@evil.example/", "https://evil.example"),
            ("about:blank", "null"),
            ("not an address", "null"),
        ] {
            assert_eq!(Origin::of(address).as_str(), origin, "{address}");
        }
    }

    #[test]
    fn what_has_no_origin_is_the_same_as_nothing_but_itself() {
        let opaque = ["about:blank", "data:text/html,a", "data:text/html,b", "file:///a", "null"];
        for (one, address) in opaque.iter().enumerate() {
            assert!(Origin::of(address).is_opaque(), "{address}");
            for (other, another) in opaque.iter().enumerate() {
                let is_same = Origin::of(address) == Origin::of(another);
                assert_eq!(is_same, one == other, "{address} {another}");
            }
        }
        assert_eq!(format!("{:?}", Origin::of("data:text/html,secret")), "Origin(\"null\")");
    }
}
