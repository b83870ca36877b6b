//! Addresses as browsers read them: whatever the web platform's own tests say that
//! a string resolves to is what the guard judges.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::net::{Ipv4Addr, Ipv6Addr};
use std::path::Path;

use outrigger_guard::{Address, AddressRefusal, Reach};
use serde_json::Value;

/// No case leads to this port.
const HUB_PORT: u16 = 9009;

const LEFT_OUT: &str = "Left out: no shared/corpora beside the repository to compare with";

/// A case of theirs that a browser can resolve.
struct Resolved {
    /// What was written, where that is complete, and what it resolves to.
    texts: Vec<String>,
    href: String,
    /// Their own word on it, not ours.
    host: String,
    port: u16,
}

/// All that resolve, and what resolves to nothing; none where the file isn't there.
fn corpus() -> Option<(Vec<Resolved>, Vec<String>)> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let file = std::fs::read_to_string(beside.join("wpt-urltestdata.json")).ok()?;
    let cases: Vec<Value> = serde_json::from_str(&file).unwrap();
    let (mut resolved, mut nothing) = (Vec::new(), Vec::new());
    for case in cases.iter().filter(|case| case.is_object()) {
        let input = case["input"].as_str().unwrap().to_owned();
        let is_absolute = case["base"].is_null();
        match case["href"].as_str() {
            None if is_absolute => nothing.push(input),
            None => {}
            Some(href) => {
                let known = if case["protocol"] == "https:" { 443 } else { 80 };
                // A relative one is resolved by the browser; what it resolves to is judged.
                let input = is_absolute.then_some(input);
                resolved.push(Resolved {
                    texts: [href.to_owned()].into_iter().chain(input).collect(),
                    href: href.to_owned(),
                    host: case["hostname"].as_str().unwrap().to_owned(),
                    port: case["port"].as_str().unwrap().parse().unwrap_or(known),
                });
            }
        }
    }
    Some((resolved, nothing))
}

fn is_web(href: &str) -> bool {
    href.starts_with("http://") || href.starts_with("https://")
}

/// Whether an agent may go to what a browser made of it.
fn may_be_opened(href: &str) -> bool {
    let is_blank = href == "about:blank" || href.starts_with("about:blank?");
    is_web(href) || is_blank || href.starts_with("about:blank#")
}

#[test]
fn what_a_browser_would_resolve_to_something_forbidden_is_refused() {
    let Some((resolved, nothing)) = corpus() else {
        println!("{LEFT_OUT}");
        return;
    };
    for text in &nothing {
        assert!(Address::judge(text, HUB_PORT).is_err(), "{text:?} is no address");
    }
    let (mut opened, mut refused, mut stricter) = (0, 0, Vec::new());
    for case in &resolved {
        let href = &case.href;
        for text in &case.texts {
            match Address::judge(text, HUB_PORT) {
                Ok(address) => {
                    assert!(may_be_opened(href), "{text:?} leads to {href:?}");
                    assert_eq!(address.as_str(), href, "{text:?}");
                    opened += 1;
                }
                Err(AddressRefusal::Hub(_)) => panic!("{text:?} is not the hub"),
                // A host that can't be one; refusing it loses nothing.
                Err(AddressRefusal::NotAnAddress(_)) if may_be_opened(href) => stricter.push(text),
                Err(refusal) => {
                    assert!(!may_be_opened(href), "{text:?} leads to {href:?}: {refusal}");
                    refused += 1;
                }
            }
        }
    }
    let failing = nothing.len();
    println!("opened as the browser would: {opened}; refused: {refused}; no address: {failing}");
    println!("refused, though a browser would open it: {stricter:?}");
    assert!(stricter.iter().all(|text| text.to_lowercase().contains("xn--")), "{stricter:?}");
    assert!(opened > 300 && refused > 100 && failing > 100, "the tests were read");
}

/// Where a host is, told without the guard's own code.
fn whereabouts(host: &str) -> Reach {
    let of_v4 = |ip: Ipv4Addr| match ip.octets()[0] {
        0 | 127 => Reach::ThisMachine,
        _ if ip.is_private() || ip.is_broadcast() => Reach::LocalNetwork,
        _ => Reach::Public,
    };
    if let Ok(ip) = host.parse() {
        return of_v4(ip);
    }
    if let Some(ip) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let ip: Ipv6Addr = ip.parse().unwrap();
        return ip.to_ipv4().map_or(Reach::Public, of_v4);
    }
    match host.trim_end_matches('.') {
        "localhost" => Reach::ThisMachine,
        name if name.contains('.') => Reach::Public,
        _ => Reach::LocalNetwork,
    }
}

#[test]
fn however_this_machine_is_written_it_is_known_and_the_hub_there_refused() {
    let Some((resolved, _)) = corpus() else {
        println!("{LEFT_OUT}");
        return;
    };
    let mut counts = [0; 3];
    for case in resolved.iter().filter(|case| is_web(&case.href)) {
        let reach = whereabouts(&case.host);
        for text in &case.texts {
            // Wherever it leads, that is where the hub listens now.
            let is_hub = matches!(Address::judge(text, case.port), Err(AddressRefusal::Hub(_)));
            assert_eq!(is_hub, reach == Reach::ThisMachine, "{text:?} leads to {:?}", case.href);
            let Ok(address) = Address::judge(text, HUB_PORT) else { continue };
            assert_eq!(address.reach(), reach, "{text:?} leads to {:?}", case.href);
            counts[match reach {
                Reach::ThisMachine => 0,
                Reach::LocalNetwork => 1,
                Reach::Public | Reach::Nowhere => 2,
            }] += 1;
        }
    }
    let [machine, network, public] = counts;
    println!("on this machine: {machine}; in its network: {network}; on the web: {public}");
    assert!(machine > 15 && network > 40 && public > 200, "the tests were read");
}
