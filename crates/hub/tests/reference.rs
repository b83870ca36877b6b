//! What every tool has beside its definition: a line in the reference, a permission that
//! is explained, a test from end to end.

use outrigger_browser::reference::render;
use outrigger_dispatch::ToolProfile;
use outrigger_hub::catalogue::listing;

#[test]
fn the_tool_reference_is_that_of_this_catalogue() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tools.md");
    let there = std::fs::read_to_string(path).unwrap_or_default();
    assert!(there == render(&listing()), "docs/tools.md is out of date: run `make docs`");
}

#[test]
fn every_permission_is_explained() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/permissions.md");
    let there = std::fs::read_to_string(path).unwrap_or_default();
    for key in outrigger_guard::PermissionKey::ALL {
        assert!(there.contains(&format!("`{key}`")), "docs/permissions.md lacks {key}");
    }
}

#[test]
fn every_tool_has_an_end_to_end_test() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let sources: String = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap_or_default())
        .collect();
    for tool in listing().listed(&ToolProfile::everything()) {
        // `call` would do with a refusal.
        let succeeds = sources.contains(&format!(".ok(\"{}\"", tool.name));
        assert!(succeeds, "no test in crates/hub/tests sees {} succeed", tool.name);
    }
}
