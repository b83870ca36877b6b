//! Patterns of policies: which acts, and on which sites. Written the way people
//! write them, kept in one form, and compared by their parts.

use std::fmt;
use std::str::FromStr;

use url::{Host, Url};

use crate::key::PermissionKey;
use crate::origin::Origin;

/// Why a pattern is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPattern {
    /// Not a kind of act.
    #[error(
        "{0:?} is no kind of act; write *, a family such as tab_action:*, or one of them such as \
         tab_action:click"
    )]
    Tool(String),
    /// Not a site.
    #[error(
        "{0:?} is no site; write *, https://*, *.example.com, https://*.example.com or one origin \
         such as https://example.com"
    )]
    Origin(String),
    /// Everything below a suffix under which anybody can have a name.
    #[error("{0:?} would hold for sites of all the world; name a site below it")]
    Suffix(String),
    /// An address has nothing below it.
    #[error("{0:?} has a number for a host, and nothing is below it; write it without the *")]
    Number(String),
    /// More than an origin.
    #[error("{0:?} goes beyond an origin; write scheme, host and port alone")]
    Beyond(String),
}

/// Which acts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ToolPattern {
    /// All.
    Any,
    /// Those of a family, such as `tab_action`.
    Family(String),
    /// One.
    One(String),
}

impl ToolPattern {
    /// Whether that one is among them.
    pub fn takes(&self, key: &PermissionKey) -> bool {
        let key = key.to_string();
        match self {
            ToolPattern::Any => true,
            ToolPattern::Family(family) => {
                key.split_once(':').is_some_and(|(own, _)| own == family)
            }
            ToolPattern::One(one) => key == *one,
        }
    }

    /// The greater, the more specific.
    pub fn specificity(&self) -> u8 {
        match self {
            ToolPattern::Any => 0,
            ToolPattern::Family(_) => 1,
            ToolPattern::One(_) => 2,
        }
    }
}

impl FromStr for ToolPattern {
    type Err = BadPattern;

    fn from_str(text: &str) -> Result<Self, BadPattern> {
        let text = text.trim();
        let bad = || BadPattern::Tool(text.to_owned());
        if text == "*" {
            return Ok(ToolPattern::Any);
        }
        let (family, name) = text.split_once(':').ok_or_else(bad)?;
        let is_known = PermissionKey::ALL.iter().any(|key| {
            let key = key.to_string();
            key == text || (name == "*" && key.starts_with(&format!("{family}:")))
        });
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        let is_extension = family == "ext" && (name == "*" || name.chars().all(is_plain));
        match name {
            "" => Err(bad()),
            "*" if is_known || is_extension => Ok(ToolPattern::Family(family.to_owned())),
            _ if is_known || is_extension => Ok(ToolPattern::One(text.to_owned())),
            _ => Err(bad()),
        }
    }
}

impl fmt::Display for ToolPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToolPattern::Any => f.write_str("*"),
            ToolPattern::Family(family) => write!(f, "{family}:*"),
            ToolPattern::One(one) => f.write_str(one),
        }
    }
}

/// Which sites.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum OriginPattern {
    /// All.
    Any,
    /// All of a scheme.
    Scheme(String),
    /// A domain and all below it, on any port.
    Domain {
        /// Of this scheme only.
        scheme: Option<String>,
        /// In its ASCII form.
        domain: String,
    },
    /// One.
    One(Origin),
}

impl OriginPattern {
    /// Whether that one is among them. What has no origin of its own (`about:blank`,
    /// a sandboxed frame) is taken by `*` alone.
    pub fn takes(&self, origin: &Origin) -> bool {
        if let OriginPattern::Any = self {
            return true;
        }
        if let OriginPattern::One(one) = self {
            return one == origin && !origin.is_opaque();
        }
        let Ok(url) = Url::parse(origin.as_str()) else { return false };
        match self {
            OriginPattern::Scheme(scheme) => url.scheme() == scheme,
            OriginPattern::Domain { scheme, domain } => {
                let is_of_scheme = scheme.as_deref().is_none_or(|scheme| url.scheme() == scheme);
                is_of_scheme
                    && matches!(url.host(), Some(Host::Domain(host)) if is_below(host, domain))
            }
            OriginPattern::Any | OriginPattern::One(_) => false,
        }
    }

    /// The greater, the more specific: one origin, then the longer domain, then
    /// the one with a scheme.
    pub fn specificity(&self) -> impl Ord + use<> {
        match self {
            OriginPattern::Any => (0, 0, false),
            OriginPattern::Scheme(_) => (1, 0, false),
            OriginPattern::Domain { scheme, domain } => {
                (2, domain.split('.').count(), scheme.is_some())
            }
            OriginPattern::One(_) => (3, 0, false),
        }
    }
}

/// A trailing dot makes a name no other one.
pub(crate) fn is_below(host: &str, domain: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    host == domain || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'))
}

impl FromStr for OriginPattern {
    type Err = BadPattern;

    fn from_str(text: &str) -> Result<Self, BadPattern> {
        let text = text.trim();
        let bad = || BadPattern::Origin(text.to_owned());
        if text == "*" {
            return Ok(OriginPattern::Any);
        }
        let (scheme, rest) = match text.split_once("://") {
            Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
            None => (None, text),
        };
        if scheme.as_deref().is_some_and(|scheme| scheme != "http" && scheme != "https") {
            return Err(bad());
        }
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        if rest.contains(['/', '?', '#', '@', '\\']) {
            return Err(BadPattern::Beyond(text.to_owned()));
        }
        match (scheme, rest.strip_prefix("*.")) {
            (Some(scheme), None) if rest == "*" => Ok(OriginPattern::Scheme(scheme)),
            (scheme, Some(below)) => {
                let domain = domain_of(below, text)?;
                Ok(OriginPattern::Domain { scheme, domain })
            }
            (Some(scheme), None) if !rest.contains('*') => {
                let url = Url::parse(&format!("{scheme}://{rest}")).map_err(|_| bad())?;
                Ok(OriginPattern::One(Origin::of(url.as_str())))
            }
            _ => Err(bad()),
        }
    }
}

/// The domain that everything is to be below.
fn domain_of(below: &str, text: &str) -> Result<String, BadPattern> {
    let bad = || BadPattern::Origin(text.to_owned());
    if below.contains(['*', ':']) {
        return Err(bad());
    }
    let url = Url::parse(&format!("https://{below}/")).map_err(|_| bad())?;
    let Some(Host::Domain(host)) = url.host() else {
        return Err(BadPattern::Number(text.to_owned()));
    };
    let domain = host.strip_suffix('.').unwrap_or(host);
    // `psl` takes any last label for a suffix that it doesn't know.
    if psl::domain_str(domain).is_none() {
        return Err(BadPattern::Suffix(text.to_owned()));
    }
    Ok(domain.to_owned())
}

impl fmt::Display for OriginPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OriginPattern::Any => f.write_str("*"),
            OriginPattern::Scheme(scheme) => write!(f, "{scheme}://*"),
            OriginPattern::Domain { scheme: Some(scheme), domain } => {
                write!(f, "{scheme}://*.{domain}")
            }
            OriginPattern::Domain { scheme: None, domain } => write!(f, "*.{domain}"),
            OriginPattern::One(origin) => write!(f, "{origin}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_kept_in_one_form() {
        for (written, kept) in [
            ("*", "*"),
            (" HTTPS://* ", "https://*"),
            ("*.Example.COM", "*.example.com"),
            ("https://*.münchen.de", "https://*.xn--mnchen-3ya.de"),
            ("https://Example.com:443/", "https://example.com"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("https://[::1]:9", "https://[::1]:9"),
            ("*.example.com.", "*.example.com"),
        ] {
            let pattern: OriginPattern = written.parse().unwrap();
            assert_eq!(pattern.to_string(), kept, "{written}");
            assert_eq!(kept.parse(), Ok(pattern), "{kept}");
        }
        for written in
            ["*", "tab_action:*", "tab_action:click", "tab_read:dom", "ext:notes", "ext:*"]
        {
            let pattern: ToolPattern = written.parse().unwrap();
            assert_eq!(pattern.to_string(), written);
        }
    }

    #[test]
    fn bad_ones_are_refused_with_the_reason() {
        for (written, word) in [
            ("", "is no site"),
            ("example.com", "is no site"),
            ("https://", "is no site"),
            ("*.*.example.com", "is no site"),
            ("https://exa*mple.com", "is no site"),
            ("javascript://*", "is no site"),
            ("chrome-extension://abc", "is no site"),
            ("*.com", "all the world"),
            ("https://*.co.uk", "all the world"),
            ("*.127.0.0.1", "a number"),
            ("*.[::1]", "is no site"),
            ("https://example.com/path", "beyond an origin"),
            ("https://me@example.com", "beyond an origin"),
            ("https://example.com/?q", "beyond an origin"),
        ] {
            let refusal = written.parse::<OriginPattern>().unwrap_err().to_string();
            assert!(refusal.contains(word), "{written}: {refusal}");
        }
        for written in
            ["", "click", "tab_action", "tab_action:", "tab_action:clik", "nothing:*", "ext:a b"]
        {
            let refusal = written.parse::<ToolPattern>().unwrap_err().to_string();
            assert!(refusal.contains("no kind of act"), "{written}: {refusal}");
        }
    }

    #[test]
    fn sites_are_taken_by_their_parts_and_never_as_text() {
        for (pattern, taken, left) in [
            ("*.example.com", "https://example.com", "https://badexample.com"),
            ("*.example.com", "http://a.b.example.com:81", "https://example.com.evil.test"),
            ("https://*.example.com", "https://a.example.com", "http://a.example.com"),
            ("https://*", "https://anything.test", "http://anything.test"),
            ("https://example.com", "https://example.com:443/x", "https://example.com:444"),
            ("http://127.0.0.1:80", "http://127.1/", "http://127.0.0.2"),
            ("*", "about:blank", "-"),
            ("https://*", "https://x.test", "about:blank"),
        ] {
            let pattern: OriginPattern = pattern.parse().unwrap();
            assert!(pattern.takes(&Origin::of(taken)), "{pattern} {taken}");
            assert!(left == "-" || !pattern.takes(&Origin::of(left)), "{pattern} {left}");
        }
        assert!(!OriginPattern::One(Origin::of("about:blank")).takes(&Origin::of("data:x")));
    }
}
