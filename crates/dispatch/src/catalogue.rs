//! The catalogue: every tool under its one name. Fixed ones are there from the
//! start, so that a client can list them before any browser is; dynamic ones
//! come and go with the extensions that bring them.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::watch;

use crate::fault::Fault;
use crate::profile::ToolProfile;
use crate::sequence::{AnySequence, Sequence};
use crate::tool::{AnyTool, Definition, Tool, erase};
use crate::witness::Witness;

/// Every tool there is.
pub struct Catalogue {
    /// In the order of registration, which is the order of listing.
    fixed: Vec<Arc<dyn AnyTool>>,
    sequences: Vec<Arc<dyn AnySequence>>,
    witness: Option<Arc<dyn Witness>>,
    dynamic: RwLock<BTreeMap<String, Arc<dyn AnyTool>>>,
    changes: watch::Sender<u64>,
}

impl Default for Catalogue {
    fn default() -> Self {
        Catalogue {
            fixed: Vec::new(),
            sequences: Vec::new(),
            witness: None,
            dynamic: RwLock::default(),
            changes: watch::Sender::new(0),
        }
    }
}

impl Catalogue {
    /// Adds a tool that is always there.
    pub fn register(&mut self, tool: impl Tool) {
        self.fixed.push(erase(tool));
    }

    /// Adds one that is made of others.
    pub fn register_sequence(&mut self, sequence: impl Sequence) {
        self.sequences.push(crate::sequence::erase(sequence));
    }

    /// Has every call told that a session makes which this one follows.
    pub fn tell(&mut self, witness: Arc<dyn Witness>) {
        self.witness = Some(witness);
    }

    pub(crate) fn witness(&self) -> Option<&Arc<dyn Witness>> {
        self.witness.as_ref()
    }

    /// The sequence of this name.
    pub(crate) fn sequence(&self, name: &str) -> Option<Arc<dyn AnySequence>> {
        self.sequences.iter().find(|sequence| sequence.definition().name == name).cloned()
    }

    /// Makes these the dynamic tools, all at once. A name that a fixed tool has
    /// stays with the fixed tool.
    pub fn replace_dynamic<T: Tool>(&self, tools: impl IntoIterator<Item = T>) {
        let mut next: BTreeMap<String, Arc<dyn AnyTool>> = BTreeMap::new();
        for tool in tools.into_iter().map(erase) {
            let name = tool.definition().name.to_string();
            if self.fixed_definitions().all(|fixed| fixed.name != name.as_str()) {
                next.insert(name, tool);
            }
        }
        let mut dynamic = self.dynamic.write().unwrap_or_else(PoisonError::into_inner);
        let changed = dynamic.len() != next.len()
            || dynamic.iter().zip(&next).any(|((_, a), (_, b))| a.definition() != b.definition());
        *dynamic = next;
        drop(dynamic);
        if changed {
            self.changes.send_modify(|version| *version += 1);
        }
    }

    /// Fires whenever the set of dynamic tools changes.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Definitions of the fixed tools that are shown so, in order.
    pub fn listed(&self, profile: &ToolProfile) -> Vec<Definition> {
        self.fixed_definitions()
            .filter(|definition| profile.takes(definition.set))
            .cloned()
            .collect()
    }

    /// Definitions of the dynamic tools.
    pub fn dynamic(&self) -> Vec<Definition> {
        let dynamic = self.dynamic.read().unwrap_or_else(PoisonError::into_inner);
        dynamic.values().map(|tool| tool.definition().clone()).collect()
    }

    fn fixed_definitions(&self) -> impl Iterator<Item = &Definition> {
        let sequences = self.sequences.iter().map(|sequence| sequence.definition());
        self.fixed.iter().map(|tool| tool.definition()).chain(sequences)
    }

    pub(crate) fn find(&self, name: &str) -> Result<Arc<dyn AnyTool>, Fault> {
        if let Some(tool) = self.fixed.iter().find(|tool| tool.definition().name == name) {
            return Ok(tool.clone());
        }
        let dynamic = self.dynamic.read().unwrap_or_else(PoisonError::into_inner);
        dynamic.get(name).cloned().ok_or_else(|| {
            let dynamic = dynamic.values().map(|tool| tool.definition());
            let names = self.fixed_definitions().chain(dynamic).map(|known| known.name.as_ref());
            Fault::UnknownTool { name: name.to_owned(), hint: nearest(name, names) }
        })
    }
}

/// "Did you mean …?" for the names that are nearest, or where to look.
fn nearest<'a>(asked: &str, names: impl Iterator<Item = &'a str>) -> String {
    nearest_of(asked, names).unwrap_or_else(|| " List the tools to see which there are.".to_owned())
}

/// "Did you mean …?" for the names that are nearest, if any is near.
pub(crate) fn nearest_of<'a>(asked: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    let core =
        |name: &str| name.trim_start_matches("browser_").trim_start_matches("ext_").to_lowercase();
    let wanted = core(asked);
    let mut close: Vec<(usize, &str)> = names
        .map(|name| (distance(&wanted, &core(name)), name))
        .filter(|(distance, name)| {
            *distance <= 2 || (wanted.len() > 2 && core(name).contains(&wanted))
        })
        .collect();
    close.sort_unstable();
    let close: Vec<&str> = close.into_iter().take(3).map(|(_, name)| name).collect();
    (!close.is_empty()).then(|| format!(" Did you mean {}?", close.join(", ")))
}

/// Levenshtein distance, capped by the shortness of tool names.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_name_is_answered_with_the_nearest() {
        let names = || ["browser_click", "browser_type", "browser_tabs"].into_iter();
        assert_eq!(nearest("browser_clik", names()), " Did you mean browser_click?");
        assert_eq!(nearest("click", names()), " Did you mean browser_click?");
        assert!(nearest("sing_a_song", names()).contains("List the tools"));
    }
}
