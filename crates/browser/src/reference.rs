//! Writes `docs/tools.md` from the catalogue.

use outrigger_dispatch::schema::in_words;
use outrigger_dispatch::{Catalogue, Definition, ToolSet};
use outrigger_protocol::link::RiskLevel;

/// The whole document.
pub fn render(catalogue: &Catalogue) -> String {
    let mut out = String::from(
        "# Tools\n\nGenerated from the catalogue by `make docs`. Every tool also takes `tab`, \
         `timeoutMs` and `browser`.\nAn argument with `?` may be left out.\n",
    );
    for (set, title) in [
        (ToolSet::Core, "core: shown to every client"),
        (ToolSet::Full, "full: shown with `--tools full`"),
        (ToolSet::Compat, "compat: other names, shown with `--tools compat`"),
    ] {
        out.push_str(&format!(
            "\n## {title}\n\n| tool | what it does | arguments | risk |\n|---|---|---|---|\n"
        ));
        for definition in catalogue.listed(&[set]) {
            out.push_str(&row(&definition));
        }
    }
    out
}

fn row(definition: &Definition) -> String {
    let risk = match definition.risk {
        RiskLevel::Read => "reads",
        RiskLevel::Act => "acts",
    };
    let arguments = in_words(&definition.input_schema).replace('|', "\\|");
    format!("| `{}` | {} | {arguments} | {risk} |\n", definition.name, definition.description)
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
        for tool in catalogue().listed(&[ToolSet::Core, ToolSet::Full, ToolSet::Compat]) {
            let succeeds = ["ok", "call"]
                .iter()
                .any(|way| sources.contains(&format!(".{way}(\"{}\"", tool.name)));
            assert!(succeeds, "no test in crates/hub/tests calls {}", tool.name);
        }
    }
}
