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
