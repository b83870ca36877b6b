//! The threat model names a test for each threat; each must be there.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

fn files_called(name: &str) -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let crates = fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path());
    crates
        .map(|one| one.join("tests").join(format!("{name}.rs")))
        .filter(|at| at.exists())
        .collect()
}

#[test]
fn every_test_that_the_threat_model_names_is_there() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/threat-model.md");
    let text = fs::read_to_string(page).unwrap();
    let named: Vec<(&str, &str)> =
        text.split('`').skip(1).step_by(2).filter_map(|code| code.split_once("::")).collect();
    assert!(named.len() > 30, "{} tests are named", named.len());
    for (file, test) in named.into_iter().filter(|named| *named != ("file", "test")) {
        let files = files_called(file);
        let has_it = |at: &PathBuf| {
            let source = fs::read_to_string(at).unwrap();
            source.contains(&format!("fn {test}()"))
        };
        assert!(files.iter().any(has_it), "{file}::{test} is named and not there");
    }
}
