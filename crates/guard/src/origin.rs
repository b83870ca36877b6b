//! Origins, compared by their parsed parts and never as text prefixes.

use std::fmt;

use url::Url;

/// Scheme, host and port of a page, as a browser would serialise them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin(String);

impl Origin {
    /// The origin of an address; opaque (`null`) for what has none, such as
    /// `about:blank` and anything that doesn't parse.
    pub fn of(address: &str) -> Self {
        let parsed = Url::parse(address).map(|url| url.origin().ascii_serialization());
        Origin(parsed.unwrap_or_else(|_| "null".to_owned()))
    }

    /// Whether it is the same as no other, not even as one that looks like it.
    pub fn is_opaque(&self) -> bool {
        self.0 == "null"
    }

    /// As the page script sees it in `location.origin`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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
}
