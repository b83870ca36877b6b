//! How much screening finds of our own lists, and how often it cries wolf.
//! Prints a table: `cargo test -p outrigger-guard --test screening -- --nocapture`.

#![allow(clippy::print_stdout, reason = "the table is what one runs it for")]

use outrigger_guard::screening::screen;

const ATTACKS: &str = include_str!("screening/attacks.txt");
const HELD_OUT: &str = include_str!("screening/attacks-held-out.txt");
const HARMLESS: &str = include_str!("screening/harmless.txt");

/// The share that is found, and the others (or the ones, if none should be).
fn measure<'a>(name: &str, texts: impl IntoIterator<Item = &'a str>, wanted: bool) -> f64 {
    let texts: Vec<&str> = texts.into_iter().collect();
    let (found, missed): (Vec<&str>, Vec<&str>) =
        texts.iter().partition(|text| !screen(text).flags.is_empty());
    let share = found.len() as f64 / texts.len().max(1) as f64;
    println!("{name:<40} {:>5} of {:>5}  {:>5.1} %", found.len(), texts.len(), share * 100.0);
    let astray = if wanted { missed } else { found };
    for text in astray.iter().take(12) {
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
