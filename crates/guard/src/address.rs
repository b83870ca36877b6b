//! Which addresses an agent may send a tab to, and where they lead. Judged on the
//! parsed URL, the way a browser would resolve it.

use std::net::{Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use crate::pattern::is_below;

/// An address that passed the rules; nothing else may be navigated to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(Url);

/// How far away what answers is. Beyond the public web, an agent would be inside
/// walls that keep others out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// The web.
    Public,
    /// No place that could be named: a file, or a page without an address.
    Nowhere,
    /// The network that the machine is in: routers, printers, what a company runs
    /// for itself.
    LocalNetwork,
    /// The machine itself.
    ThisMachine,
}

impl Reach {
    /// Of an origin or any other address.
    pub fn of(address: &str) -> Self {
        Url::parse(address).map_or(Reach::Nowhere, |url| reach_of(&url))
    }
}

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

    /// Where it leads.
    pub fn reach(&self) -> Reach {
        reach_of(&self.0)
    }

    /// As the browser is told.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

fn is_this_machine(url: &Url) -> bool {
    reach_of(url) == Reach::ThisMachine
}

/// By what the address says. A name of the public web can lead inside all the
/// same, which nobody here sees: the browser looks names up by itself.
fn reach_of(url: &Url) -> Reach {
    match url.host() {
        Some(Host::Ipv4(ip)) => reach_of_v4(ip),
        Some(Host::Ipv6(ip)) => reach_of_v6(ip),
        Some(Host::Domain(name)) => reach_of_name(name),
        None => Reach::Nowhere,
    }
}

/// The system routes `0.0.0.0` to itself, too.
fn reach_of_v4(ip: Ipv4Addr) -> Reach {
    let [first, second, ..] = ip.octets();
    let is_shared = first == 100 && (64..128).contains(&second);
    let is_benchmark = first == 198 && (second == 18 || second == 19);
    if ip.is_loopback() || first == 0 {
        Reach::ThisMachine
    } else if ip.is_private()
        || ip.is_link_local()
        || ip.is_broadcast()
        || ip.is_multicast()
        || is_shared
        || is_benchmark
    {
        Reach::LocalNetwork
    } else {
        Reach::Public
    }
}

/// Some of them carry one of the others.
fn reach_of_v6(ip: Ipv6Addr) -> Reach {
    let parts = ip.segments();
    let v4 = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        reach_of_v4(Ipv4Addr::new(a, b, c, d))
    };
    match parts {
        _ if ip.is_loopback() || ip.is_unspecified() => Reach::ThisMachine,
        // Mapped, compatible, and through a translator.
        [0, 0, 0, 0, 0, 0xffff | 0, high, low] => v4(high, low),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => v4(high, low),
        [0x2002, high, low, ..] => v4(high, low),
        [0x64, 0xff9b, 1, ..] => Reach::LocalNetwork,
        _ if ip.is_unique_local() || ip.is_unicast_link_local() || ip.is_multicast() => {
            Reach::LocalNetwork
        }
        // Site-local, of old.
        [first, ..] if first & 0xffc0 == 0xfec0 => Reach::LocalNetwork,
        _ => Reach::Public,
    }
}

/// Suffixes that no public server answers for.
const LOCAL_SUFFIXES: [&str; 7] =
    ["local", "internal", "intranet", "home.arpa", "lan", "corp", "home"];

fn reach_of_name(name: &str) -> Reach {
    let name = name.trim_end_matches('.');
    if is_below(name, "localhost") {
        Reach::ThisMachine
    } else if !name.contains('.') || LOCAL_SUFFIXES.iter().any(|suffix| is_below(name, suffix)) {
        Reach::LocalNetwork
    } else {
        Reach::Public
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

    #[test]
    fn what_is_inside_the_walls_is_known_by_its_address() {
        for (address, reach) in [
            ("https://example.com/", Reach::Public),
            ("https://8.8.8.8/", Reach::Public),
            ("https://localhost.example.com/", Reach::Public),
            ("https://[2606:4700::1]/", Reach::Public),
            ("http://192.168.1.1/", Reach::LocalNetwork),
            ("http://0xc0a80101/", Reach::LocalNetwork),
            ("http://10.0.0.7:8080/", Reach::LocalNetwork),
            ("http://172.31.255.255/", Reach::LocalNetwork),
            ("http://172.32.0.1/", Reach::Public),
            ("http://169.254.169.254/latest/meta-data", Reach::LocalNetwork),
            ("http://100.64.0.1/", Reach::LocalNetwork),
            ("http://[fd00::1]/", Reach::LocalNetwork),
            ("http://[fe80::1]/", Reach::LocalNetwork),
            ("http://[::ffff:10.0.0.1]/", Reach::LocalNetwork),
            ("http://[64:ff9b::a00:1]/", Reach::LocalNetwork),
            ("http://[2002:c0a8:101::]/", Reach::LocalNetwork),
            ("http://router/", Reach::LocalNetwork),
            ("http://printer.local./", Reach::LocalNetwork),
            ("http://wiki.corp/", Reach::LocalNetwork),
            ("http://127.0.0.1:3000/", Reach::ThisMachine),
            ("http://[::1]/", Reach::ThisMachine),
            ("http://[::]/", Reach::ThisMachine),
            ("http://[::127.0.0.1]/", Reach::ThisMachine),
            ("http://0.1.2.3/", Reach::ThisMachine),
            ("http://app.localhost/", Reach::ThisMachine),
            ("http://LOCALHOST./", Reach::ThisMachine),
            ("about:blank", Reach::Nowhere),
            ("file:///etc/passwd", Reach::Nowhere),
            ("data:text/html,x", Reach::Nowhere),
            ("null", Reach::Nowhere),
        ] {
            assert_eq!(Reach::of(address), reach, "{address}");
        }
    }
}
