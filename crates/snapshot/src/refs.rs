//! Refs: short names for elements. A ref stays with its element for as long as
//! the element's document lives, and a number is never given out twice in a tab.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The name of one element, `e7`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ref(u32);

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "e{}", self.0)
    }
}

/// Not a ref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotARef;

impl FromStr for Ref {
    type Err = NotARef;

    fn from_str(text: &str) -> Result<Self, NotARef> {
        let digits = text.strip_prefix('e').ok_or(NotARef)?;
        if digits.is_empty()
            || digits.starts_with('0')
            || !digits.bytes().all(|b| b.is_ascii_digit())
        {
            return Err(NotARef);
        }
        digits.parse().map(Ref).map_err(|_| NotARef)
    }
}

/// Where an element is: its document, and its number there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ElementKey {
    /// The browser's id of the document.
    pub document: String,
    /// The page script's number of the element.
    pub node: u32,
}

/// The refs of one tab.
#[derive(Debug, Default)]
pub struct RefTable {
    highest: u32,
    /// Those of each living document, by the number of the element. Names of
    /// documents are shared: there are many elements and few documents.
    documents: HashMap<Arc<str>, HashMap<u32, Ref>>,
    elements: HashMap<Ref, (Arc<str>, u32)>,
}

impl RefTable {
    /// A table that gives out numbers above `floor` only.
    pub fn above(floor: u32) -> Self {
        RefTable { highest: floor, ..RefTable::default() }
    }

    /// The ref of an element, new or the one it has.
    pub fn name(&mut self, document: &str, node: u32) -> Ref {
        let known = self.documents.get_key_value(document);
        let document = known.map_or_else(|| Arc::from(document), |(document, _)| document.clone());
        let refs = self.documents.entry(document.clone()).or_default();
        *refs.entry(node).or_insert_with(|| {
            self.highest += 1;
            let fresh = Ref(self.highest);
            self.elements.insert(fresh, (document, node));
            fresh
        })
    }

    /// The element of a ref, if it was given out and its document still lives.
    pub fn element(&self, name: Ref) -> Option<ElementKey> {
        let (document, node) = self.elements.get(&name)?;
        Some(ElementKey { document: document.to_string(), node: *node })
    }

    /// Forgets the elements of every document but these.
    pub fn keep_documents<'a>(&mut self, living: impl Iterator<Item = &'a str>) {
        let living: HashSet<&str> = living.collect();
        if self.documents.keys().all(|document| living.contains(document.as_ref())) {
            return;
        }
        self.documents.retain(|document, _| living.contains(document.as_ref()));
        self.elements.retain(|_, (document, _)| living.contains(document.as_ref()));
    }

    /// The highest number given out.
    pub fn highest(&self) -> u32 {
        self.highest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_keeps_its_ref_and_another_document_never_inherits_it() {
        let mut table = RefTable::above(0);
        let first = table.name("doc-a", 1);
        assert_eq!(table.name("doc-a", 1), first);
        table.keep_documents(["doc-b"].into_iter());
        assert_eq!(table.element(first), None);
        assert_ne!(table.name("doc-b", 1), first);
    }

    #[test]
    fn numbers_start_above_the_floor() {
        assert_eq!(RefTable::above(41).name("d", 1).to_string(), "e42");
    }

    #[test]
    fn only_canonical_refs_parse() {
        assert_eq!("e12".parse(), Ok(Ref(12)));
        for bad in ["", "e", "12", "e0", "e01", "E1", "e1x", "e+1", "e99999999999"] {
            assert_eq!(bad.parse::<Ref>(), Err(NotARef), "{bad}");
        }
    }
}
