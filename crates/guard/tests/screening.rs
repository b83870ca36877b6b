//! How much screening finds, and how often it cries wolf. Prints a table:
//! `cargo test -p outrigger-guard screening -- --nocapture`.
//!
//! Attack strings of others are not part of the repository. To try them, name
//! a file in OUTRIGGER_INJECTIONS: JSON lines, each a string, or an object with
//! `set` and `text`.

#![allow(clippy::print_stdout, reason = "the table is what one runs it for")]

use std::collections::BTreeMap;
use std::path::Path;

use outrigger_guard::screening::screen;
use serde_json::Value;

const ATTACKS: &str = include_str!("screening/attacks.txt");
const HELD_OUT: &str = include_str!("screening/attacks-held-out.txt");
const HARMLESS: &str = include_str!("screening/harmless.txt");

/// The share that is flagged, and the others (or the ones, if flags are wrong).
fn measure<'a>(name: &str, texts: impl IntoIterator<Item = &'a str>, wanted: bool) -> f64 {
    let texts: Vec<&str> = texts.into_iter().collect();
    let is_flagged = |text: &str| !screen(text).flags.is_empty();
    let flagged = texts.iter().filter(|text| is_flagged(text)).count();
    let share = flagged as f64 / texts.len().max(1) as f64;
    println!("{name:<40} {flagged:>5} of {:>5}  {:>5.1} %", texts.len(), share * 100.0);
    for text in texts.iter().filter(|text| is_flagged(text) != wanted).take(12) {
        let short: String = text.chars().take(110).collect();
        println!("    {} {short:?}", if wanted { "missed" } else { "wrong" });
    }
    share
}

#[test]
fn screening_finds_most_attacks_and_leaves_harmless_texts_alone() {
    assert!(ATTACKS.lines().count() + HELD_OUT.lines().count() >= 40);
    assert!(HARMLESS.lines().count() >= 60);
    assert!(measure("attacks, known to the rules", ATTACKS.lines(), true) >= 0.9);
    assert!(measure("attacks, held out", HELD_OUT.lines(), true) >= 0.6);
    assert!(measure("harmless look-alikes", HARMLESS.lines(), false) <= 0.05);
}

#[test]
fn screening_rarely_flags_harmless_prompts_with_suspicious_words() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let Ok(file) = std::fs::read_to_string(beside.join("notinject-one.json")) else {
        println!("skipped: no corpora lie beside the repository");
        return;
    };
    let entries: Value = serde_json::from_str(&file).unwrap();
    let prompts = entries.as_array().unwrap().iter().filter_map(|entry| entry["prompt"].as_str());
    assert!(measure("NotInject, harmless", prompts, false) <= 0.05);
}

#[test]
fn screening_of_attack_strings_from_elsewhere() {
    let Ok(path) = std::env::var("OUTRIGGER_INJECTIONS") else {
        println!("skipped: OUTRIGGER_INJECTIONS names no file");
        return;
    };
    let mut sets: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        let set = entry["set"].as_str().unwrap_or("from elsewhere");
        let text = entry["text"].as_str().or(entry.as_str()).unwrap();
        sets.entry(set.to_owned()).or_default().push(text.to_owned());
    }
    for (set, texts) in &sets {
        measure(set, texts.iter().map(String::as_str), true);
    }
}
