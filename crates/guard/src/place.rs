//! A site in words for people: what somebody had to register, the whole as the
//! browser resolves it, and how it would be read.

use url::{Host, Url};

use crate::origin::Origin;

/// A site, as people are shown it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// What somebody had to register; all of the host where there is no such thing.
    pub domain: String,
    /// The origin in full, in ASCII.
    pub origin: String,
    /// The host as it would be read, where that differs.
    pub reads_as: Option<String>,
}

impl Place {
    /// Of an origin. What has none is an empty page, or one without a name.
    pub fn of(origin: &Origin) -> Self {
        let whole = origin.as_str().to_owned();
        let url = Url::parse(&whole).ok();
        let Some(host) = url.as_ref().and_then(Url::host) else {
            let nothing = "a page without an address".to_owned();
            return Place { domain: nothing.clone(), origin: nothing, reads_as: None };
        };
        let Host::Domain(host) = host else {
            return Place { domain: host.to_string(), origin: whole, reads_as: None };
        };
        let (read, _) = idna::domain_to_unicode(host);
        let reads_as = (read != host).then_some(read);
        Place { domain: registrable(host), origin: whole, reads_as }
    }
}

/// What anybody can register, or the whole where there is no such thing.
pub(crate) fn registrable(domain: &str) -> String {
    psl::domain_str(domain).unwrap_or(domain).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_told_by_what_somebody_registered() {
        for (address, domain, origin, reads_as) in [
            (
                "https://a.b.example.co.uk:8443/x",
                "example.co.uk",
                "https://a.b.example.co.uk:8443",
                None,
            ),
            (
                "https://xn--bcher-kva.de",
                "xn--bcher-kva.de",
                "https://xn--bcher-kva.de",
                Some("bücher.de"),
            ),
            ("http://192.168.1.1:80/", "192.168.1.1", "http://192.168.1.1", None),
            ("http://localhost:3000", "localhost", "http://localhost:3000", None),
        ] {
            let place = Place::of(&Origin::of(address));
            assert_eq!((place.domain.as_str(), place.origin.as_str()), (domain, origin));
            assert_eq!(place.reads_as.as_deref(), reads_as);
        }
        let blank = Place::of(&Origin::of("about:blank"));
        assert_eq!(blank.domain, "a page without an address");
    }
}
