//! Addresses as browsers read them: whatever the web platform's own tests say that
//! a string resolves to is what the guard judges.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;

use outrigger_guard::{Address, AddressRefusal};
use serde_json::Value;

const HUB_PORT: u16 = 9009;

/// Whether an agent may go to what a browser made of it.
fn may_be_opened(href: &str) -> bool {
    let is_web = href.starts_with("http://") || href.starts_with("https://");
    let is_blank = href == "about:blank" || href.starts_with("about:blank?");
    is_web || is_blank || href.starts_with("about:blank#")
}

#[test]
fn what_a_browser_would_resolve_to_something_forbidden_is_refused() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let Ok(file) = std::fs::read_to_string(beside.join("wpt-urltestdata.json")) else {
        println!("no shared/corpora beside the repository: nothing to compare with");
        return;
    };
    let cases: Vec<Value> = serde_json::from_str(&file).unwrap();
    let (mut opened, mut refused, mut failing) = (0, 0, 0);
    let mut stricter = Vec::new();
    for case in cases.iter().filter(|case| case.is_object()) {
        let input = case["input"].as_str().unwrap();
        let is_absolute = case["base"].is_null();
        let Some(href) = case["href"].as_str() else {
            if is_absolute {
                assert!(Address::judge(input, HUB_PORT).is_err(), "{input:?} is no address");
                failing += 1;
            }
            continue;
        };
        // A relative one is resolved by the browser; what it resolves to is judged.
        for text in [Some(href), is_absolute.then_some(input)].into_iter().flatten() {
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
    println!("opened as the browser would: {opened}; refused: {refused}; no address: {failing}");
    println!("refused, though a browser would open it: {stricter:?}");
    assert!(stricter.iter().all(|text| text.to_lowercase().contains("xn--")), "{stricter:?}");
    assert!(opened > 300 && refused > 100 && failing > 100, "the tests were read");
}
