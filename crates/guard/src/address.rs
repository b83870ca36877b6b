//! Which addresses an agent may send a tab to. Judged on the parsed URL, the
//! way a browser would resolve it.

use url::{Host, Url};

/// An address that passed the rules; nothing else may be navigated to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(Url);

/// Why an address is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressRefusal {
    /// Not an absolute URL.
    #[error("{0:?} is not a complete address; write it with https:// in front")]
    NotAnAddress(String),
    /// A scheme that reaches beyond the web.
    #[error(
        "addresses with {0}: can't be opened by an agent; only http, https and about:blank can"
    )]
    Scheme(String),
    /// The hub's own address: an agent there could act on its own permissions.
    #[error("{0} is Outrigger's own address, which no agent may open")]
    Hub(String),
}

impl Address {
    /// Judges an address. `hub_port` is the port this hub listens on.
    pub fn judge(text: &str, hub_port: u16) -> Result<Self, AddressRefusal> {
        let text = text.trim();
        let url = Url::parse(text).map_err(|_| AddressRefusal::NotAnAddress(text.to_owned()))?;
        match url.scheme() {
            "http" | "https" => {}
            "about" if url.path() == "blank" => {}
            // `example.com:8080/x` parses as scheme `example.com`.
            scheme if scheme.contains('.') || scheme == "localhost" => {
                return Err(AddressRefusal::NotAnAddress(text.to_owned()));
            }
            scheme => return Err(AddressRefusal::Scheme(scheme.to_owned())),
        }
        if url.port_or_known_default() == Some(hub_port) && is_this_machine(&url) {
            return Err(AddressRefusal::Hub(url.origin().ascii_serialization()));
        }
        Ok(Address(url))
    }

    /// As the browser is told.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// Whether the host is a name for loopback, or an address that the system
/// routes there (`0.0.0.0`, mapped IPv4).
fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback() || ip.is_unspecified(),
        Some(Host::Ipv6(ip)) => {
            let mapped = ip.to_ipv4_mapped();
            ip.is_loopback()
                || ip.is_unspecified()
                || mapped.is_some_and(|ip| ip.is_loopback() || ip.is_unspecified())
        }
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_web_and_the_blank_page_can_be_opened() {
        for good in ["http://example.com", "https://example.com/a", "about:blank", " https://x.de "]
        {
            assert!(Address::judge(good, 9009).is_ok(), "{good}");
        }
        for bad in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "java\tscript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "blob:https://x/1",
            "chrome://settings",
            "chrome-extension://abc/popup.html",
            "view-source:https://example.com",
            "about:config",
            "example.com",
            "example.com:80/x",
            "",
        ] {
            assert!(Address::judge(bad, 9009).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_hub_is_never_a_target_under_any_of_its_names() {
        for name in [
            "127.0.0.1",
            "localhost",
            "LOCALHOST.",
            "x.localhost",
            "127.1",
            "0",
            "2130706433",
            "0x7f.1",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "0.0.0.0",
            "127.8.8.8",
        ] {
            let address = format!("http://{name}:9009/mcp");
            assert!(
                matches!(Address::judge(&address, 9009), Err(AddressRefusal::Hub(_))),
                "{address}"
            );
        }
        assert!(Address::judge("http://127.0.0.1:9010/", 9009).is_ok());
        assert!(Address::judge("http://127.0.0.1.example.com:9009/", 9009).is_ok());
    }
}
