//! Writes `docs/tools.md` from the catalogue.

use outrigger_dispatch::schema::in_words;
use outrigger_dispatch::{Catalogue, Definition, Family, ToolProfile, ToolSet};
use outrigger_protocol::link::RiskLevel;

/// The whole document.
pub fn render(catalogue: &Catalogue) -> String {
    let families: Vec<String> = Family::names().map(|name| format!("`{name}`")).collect();
    let mut out = format!(
        "# Tools\n\nGenerated from the catalogue by `make docs`. Every tool also takes `tab`, \
         `timeoutMs` and `browser`.\nAn argument with `?` may be left out.\n\n`--tools` picks sets \
         (`core`, `full`, `compat`) and families, several with a comma between\n\
         (`--tools core,network`). Families are\n{}.\n",
        families.join(", ")
    );
    let all = catalogue.listed(&ToolProfile::everything());
    for (is_in, title) in [
        (is_core as fn(ToolSet) -> bool, "core: shown to every client"),
        (is_full, "full: shown with `--tools full`, or with their family"),
        (is_compat, "compat: other names, shown with `--tools compat`"),
    ] {
        out.push_str(&format!(
            "\n## {title}\n\n| tool | what it does | arguments | risk | family |\n|---|---|---|---|---|\n"
        ));
        for definition in all.iter().filter(|definition| is_in(definition.set)) {
            out.push_str(&row(definition));
        }
    }
    out
}

fn is_core(set: ToolSet) -> bool {
    matches!(set, ToolSet::Core(_))
}

fn is_full(set: ToolSet) -> bool {
    matches!(set, ToolSet::Full(_))
}

fn is_compat(set: ToolSet) -> bool {
    set == ToolSet::Compat
}

fn row(definition: &Definition) -> String {
    let risk = match definition.risk {
        RiskLevel::Read => "reads",
        RiskLevel::Act => "acts",
    };
    let family = match definition.set {
        ToolSet::Core(family) | ToolSet::Full(family) => family.name(),
        ToolSet::Compat | ToolSet::Dynamic => "",
    };
    let arguments = in_words(&definition.input_schema).replace('|', "\\|");
    let Definition { name, description, .. } = definition;
    format!("| `{name}` | {description} | {arguments} | {risk} | {family} |\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn catalogue() -> Catalogue {
        let mut catalogue = Catalogue::default();
        crate::tools::register(&mut catalogue, &Arc::new(crate::Desk::default()));
        catalogue
    }

    #[test]
    fn the_tool_reference_is_that_of_this_catalogue() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tools.md");
        let there = std::fs::read_to_string(path).unwrap_or_default();
        assert!(there == render(&catalogue()), "docs/tools.md is out of date: run `make docs`");
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
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../hub/tests");
        let sources: String = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap_or_default())
            .collect();
        for tool in catalogue().listed(&ToolProfile::everything()) {
            let succeeds = ["ok", "call"]
                .iter()
                .any(|way| sources.contains(&format!(".{way}(\"{}\"", tool.name)));
            assert!(succeeds, "no test in crates/hub/tests calls {}", tool.name);
        }
    }
}
