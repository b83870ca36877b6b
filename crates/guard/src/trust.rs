//! How far a site is trusted, by the user's own lists, and whether it only looks
//! like one that is. For warnings: what may be done where is decided elsewhere.

use std::fmt;

use unicode_security::MixedScript;
use unicode_security::confusable_detection::skeleton;
use url::{Host, Url};

use crate::origin::Origin;
use crate::pattern::is_below;
use crate::place::registrable;

/// How far a site is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// On the user's list.
    Trusted,
    /// On no list.
    Unknown,
    /// On the list of those that no agent goes to.
    Blocked,
}

/// Why a site passes for another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookAlike {
    /// It is written in letters that look the same.
    Letters {
        /// As which.
        of: String,
    },
    /// It is a letter or two away.
    Spelling {
        /// From which.
        of: String,
    },
    /// The name of the other one is only a part of its own.
    Part {
        /// Whose.
        of: String,
    },
    /// It mixes letters of several scripts, as no word does.
    MixedScripts {
        /// The name as it is drawn.
        shown: String,
    },
}

impl fmt::Display for LookAlike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LookAlike::Letters { of } => write!(f, "it is written to look like {of}"),
            LookAlike::Spelling { of } => write!(f, "it is spelled almost like {of}"),
            LookAlike::Part { of } => write!(f, "it has the name of {of} in it, and is not {of}"),
            LookAlike::MixedScripts { shown } => {
                write!(f, "{shown} mixes letters of several scripts")
            }
        }
    }
}

/// Domains that the user trusts, and those that the user wants no agent on. Each
/// counts for all that is below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustLists {
    trusted: Vec<String>,
    blocked: Vec<String>,
}

/// Shorter names are a letter away from too many others.
const SHORTEST_COMPARED: usize = 5;
const LONG: usize = 10;

impl TrustLists {
    /// From names as people write them; what is no name of a site is left out.
    pub fn new<'n>(
        trusted: impl IntoIterator<Item = &'n str>,
        blocked: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let (trusted, blocked) = (trusted.into_iter(), blocked.into_iter());
        TrustLists {
            trusted: trusted.filter_map(listed_domain).collect(),
            blocked: blocked.filter_map(listed_domain).collect(),
        }
    }

    /// Whoever is on both lists is blocked.
    pub fn trust(&self, origin: &Origin) -> Trust {
        let Some(host) = host_of(origin.as_str()) else { return Trust::Unknown };
        if self.blocked.iter().any(|domain| is_below(&host, domain)) {
            Trust::Blocked
        } else if self.trusted.iter().any(|domain| is_below(&host, domain)) {
            Trust::Trusted
        } else {
            Trust::Unknown
        }
    }

    /// Whether it passes for another site: of those that are trusted, or of none
    /// that anybody would write so.
    pub fn look_alike(&self, origin: &Origin) -> Option<LookAlike> {
        if self.trust(origin) == Trust::Trusted {
            return None;
        }
        let host = host_of(origin.as_str())?;
        let (shown, _) = idna::domain_to_unicode(&host);
        self.trusted.iter().find_map(|of| likeness(&host, &shown, of)).or_else(|| {
            let is_mixed = shown.split('.').any(|label| !label.is_single_script());
            is_mixed.then_some(LookAlike::MixedScripts { shown })
        })
    }
}

fn likeness(host: &str, shown: &str, of: &str) -> Option<LookAlike> {
    let (of_shown, _) = idna::domain_to_unicode(of);
    let name = |domain: &str| domain.split('.').next().unwrap_or_default().to_owned();
    let (own, other) = (registrable(shown), registrable(&of_shown));
    let of = of.to_owned();
    if drawn(&own) == drawn(&other) {
        return Some(LookAlike::Letters { of });
    }
    let (own_name, other_name) = (name(&own), name(&other));
    if own_name == other_name {
        // The same name in another country is another site, but nobody's disguise.
        return None;
    }
    let letters = other_name.chars().count();
    let most = if letters >= LONG { 2 } else { 1 };
    if letters >= SHORTEST_COMPARED && distance(&own_name, &other_name) <= most {
        return Some(LookAlike::Spelling { of });
    }
    let suffix = psl::suffix_str(host).unwrap_or_default();
    let mut pieces = host.strip_suffix(suffix).unwrap_or(host).split(['.', '-']);
    let has_part = letters >= SHORTEST_COMPARED && pieces.any(|piece| piece == other_name);
    has_part.then_some(LookAlike::Part { of })
}

/// What the eye sees.
fn drawn(name: &str) -> String {
    skeleton(&name.to_lowercase()).collect()
}

/// How many letters have to be changed, left out, added or swapped with the next.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for (i, letter) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, against) in other.iter().enumerate() {
            let changed = rows[i][j] + usize::from(letter != against);
            let mut least = changed.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && one[i - 1] == *against && *letter == other[j - 1] {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

/// A name for the lists, as people write it, in its ASCII form. What is more or less
/// than a name is none; whoever takes one from the user has to say so.
pub fn listed_domain(name: &str) -> Option<String> {
    let name = name.trim();
    let is_more = name.contains(['*', '/', '\\', '?', '#', '@', ':']);
    if is_more { None } else { host_of(&format!("https://{name}/")) }
}

fn host_of(address: &str) -> Option<String> {
    match Url::parse(address).ok()?.host()? {
        Host::Domain(name) => Some(name.strip_suffix('.').unwrap_or(name).to_owned()),
        Host::Ipv4(_) | Host::Ipv6(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists() -> TrustLists {
        TrustLists::new(["paypal.com", "Bücher.de", "example.co.uk"], ["evil.test", "not a name"])
    }

    #[test]
    fn lists_count_for_what_is_below_and_blocking_counts_more() {
        let mut lists = lists();
        for (address, trust) in [
            ("https://paypal.com", Trust::Trusted),
            ("https://www.paypal.com:8443", Trust::Trusted),
            ("https://notpaypal.com", Trust::Unknown),
            ("https://xn--bcher-kva.de", Trust::Trusted),
            ("https://a.evil.test", Trust::Blocked),
            ("http://127.0.0.1", Trust::Unknown),
            ("about:blank", Trust::Unknown),
        ] {
            assert_eq!(lists.trust(&Origin::of(address)), trust, "{address}");
        }
        lists.blocked.push("paypal.com".into());
        assert_eq!(lists.trust(&Origin::of("https://paypal.com")), Trust::Blocked);
    }

    #[test]
    fn names_are_kept_in_one_form_and_nothing_else_is_one() {
        for (written, kept) in [
            (" Example.COM. ", Some("example.com")),
            ("bücher.de", Some("xn--bcher-kva.de")),
            ("", None),
            ("not a name", None),
            ("example.com/path", None),
            ("me@example.com", None),
            ("example.com:8443", None),
            ("*.example.com", None),
            ("127.0.0.1", None),
            ("[::1]", None),
        ] {
            assert_eq!(listed_domain(written).as_deref(), kept, "{written}");
        }
    }

    #[test]
    fn what_passes_for_a_trusted_site_is_told_and_why() {
        for (address, word) in [
            ("https://pаypal.com", "look like paypal.com"), // а of Cyrillic.
            ("https://paypa1.com", "look like paypal.com"),
            ("https://paypall.com", "almost like paypal.com"),
            ("https://payapl.com", "almost like paypal.com"),
            ("https://paypal.com.evil.example", "the name of paypal.com"),
            ("https://paypal-login.example", "the name of paypal.com"),
            ("https://раyroll.test", "several scripts"), // ра of Cyrillic.
        ] {
            let said = lists().look_alike(&Origin::of(address)).map(|one| one.to_string());
            assert!(said.as_deref().is_some_and(|said| said.contains(word)), "{address}: {said:?}");
        }
    }

    #[test]
    fn what_only_has_a_name_is_left_alone() {
        for address in [
            "https://www.paypal.com",
            "https://paypal.de",
            "https://example.org",
            "https://пример.рф",
            "https://日本語.jp",
            "https://github.com",
            "https://payroll.com",
            "http://192.168.1.1",
            "about:blank",
        ] {
            assert_eq!(lists().look_alike(&Origin::of(address)), None, "{address}");
        }
    }
}
