//! Which tools a client is shown, picked by name: sets, and families of tools. What
//! isn't shown can be called all the same.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

use crate::catalogue::nearest_of;
use crate::tool::{Family, ToolSet};

/// Sets and families, each by its one name.
const PICKS: [(&str, Pick); 14] = [
    ("core", Pick::Core),
    ("full", Pick::Full),
    ("compat", Pick::Compat),
    ("navigation", Pick::Family(Family::Navigation)),
    ("reading", Pick::Family(Family::Reading)),
    ("acting", Pick::Family(Family::Acting)),
    ("tabs", Pick::Family(Family::Tabs)),
    ("diagnostics", Pick::Family(Family::Diagnostics)),
    ("network", Pick::Family(Family::Network)),
    ("storage", Pick::Family(Family::Storage)),
    ("page", Pick::Family(Family::Page)),
    ("human", Pick::Family(Family::Human)),
    ("records", Pick::Family(Family::Records)),
    ("workflow", Pick::Family(Family::Workflow)),
];

/// What was picked; whatever one of the picks takes is shown.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct ToolProfile(Vec<Pick>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pick {
    /// The everyday ones.
    Core,
    /// All but other names for the same.
    Full,
    /// All.
    Compat,
    Family(Family),
}

/// A name that is none of a set or a family.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{asked:?} is no set or family of tools.{hint} There are {}, several with a comma between", names().join(", "))]
pub struct UnknownTools {
    asked: String,
    hint: String,
}

impl ToolProfile {
    /// Every tool that is always there.
    pub fn everything() -> Self {
        ToolProfile(vec![Pick::Compat])
    }

    /// Whether a tool of that set is shown.
    pub fn takes(&self, set: ToolSet) -> bool {
        self.0.iter().any(|pick| match (pick, set) {
            // They come and go with their extensions, and are told apart from these.
            (_, ToolSet::Dynamic) => false,
            (Pick::Compat, _) => true,
            (_, ToolSet::Compat) => false,
            (Pick::Full, _) => true,
            (Pick::Core, set) => matches!(set, ToolSet::Core(_)),
            (Pick::Family(wanted), ToolSet::Core(family) | ToolSet::Full(family)) => {
                *wanted == family
            }
        })
    }
}

impl Default for ToolProfile {
    fn default() -> Self {
        ToolProfile(vec![Pick::Core])
    }
}

impl Family {
    /// As it is picked by.
    pub fn name(self) -> &'static str {
        name_of(Pick::Family(self))
    }

    /// The names of all.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PICKS.iter().filter(|(_, pick)| matches!(pick, Pick::Family(_))).map(|(name, _)| *name)
    }
}

fn name_of(pick: Pick) -> &'static str {
    PICKS.iter().find(|(_, known)| *known == pick).map_or("", |(name, _)| name)
}

fn names() -> Vec<&'static str> {
    PICKS.iter().map(|(name, _)| *name).collect()
}

impl fmt::Display for ToolProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|pick| name_of(*pick)).collect();
        f.write_str(&names.join(","))
    }
}

impl FromStr for ToolProfile {
    type Err = UnknownTools;

    fn from_str(text: &str) -> Result<Self, UnknownTools> {
        let picks = text.split(',').map(|asked| {
            let asked = asked.trim();
            let known = PICKS.iter().find(|(name, _)| *name == asked).map(|(_, pick)| *pick);
            known.ok_or_else(|| UnknownTools {
                asked: asked.to_owned(),
                hint: nearest_of(asked, PICKS.iter().map(|(name, _)| *name)).unwrap_or_default(),
            })
        });
        picks.collect::<Result<_, _>>().map(ToolProfile)
    }
}

impl TryFrom<String> for ToolProfile {
    type Error = UnknownTools;

    fn try_from(text: String) -> Result<Self, UnknownTools> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(profile: &str, set: ToolSet) -> bool {
        profile.parse::<ToolProfile>().unwrap().takes(set)
    }

    #[test]
    fn sets_and_families_are_picked_by_name_and_add_up() {
        let (core, full) = (ToolSet::Core(Family::Acting), ToolSet::Full(Family::Network));
        let told = |profile| [core, full, ToolSet::Compat].map(|set| shown(profile, set));
        assert_eq!(told("core"), [true, false, false]);
        assert_eq!(told("full"), [true, true, false]);
        assert_eq!(told("compat"), [true, true, true]);
        assert_eq!(told("network"), [false, true, false]);
        assert_eq!(told("core, network"), [true, true, false]);
        assert_eq!(told("acting,storage"), [true, false, false]);
        assert!(!shown("compat", ToolSet::Dynamic));
    }

    #[test]
    fn a_profile_is_written_as_it_is_read() {
        for (name, _) in PICKS {
            assert_eq!(name.parse::<ToolProfile>().unwrap().to_string(), name);
        }
        let both: ToolProfile = "core, network".parse().unwrap();
        assert_eq!(both.to_string(), "core,network");
    }

    #[test]
    fn a_bad_name_is_answered_with_the_nearest() {
        let said = "core,storag".parse::<ToolProfile>().unwrap_err().to_string();
        assert!(said.contains("\"storag\"") && said.contains("Did you mean storage?"), "{said}");
        assert!(said.contains("core, full, compat, navigation"), "{said}");
        let said = "".parse::<ToolProfile>().unwrap_err().to_string();
        assert!(!said.contains("Did you mean"), "{said}");
    }
}
