//! What agents know of the labels in a tab, where that differs from how the page
//! looked last: of a long list of changes the end is not told, and a search tells
//! some lines of a look. All other labels the page script remembers itself.

use std::collections::{BTreeSet, HashMap};

use outrigger_protocol::facts::Node;
use outrigger_snapshot::find::refs_in;
use outrigger_snapshot::{ElementKey, Frame, RefTable};

/// Labels by the element that they are on.
#[derive(Default)]
pub struct ToldLabels {
    /// By document, elements on changed lines that were left out.
    untold: HashMap<String, BTreeSet<u32>>,
    /// Those that a search told, until a press goes by them.
    found: HashMap<ElementKey, String>,
}

impl ToldLabels {
    /// The whole page was told, or is another one.
    pub fn forget(&mut self) {
        *self = ToldLabels::default();
    }

    /// These lines were told of how the page looked last.
    pub fn tell(&mut self, refs: &RefTable, lines: &[impl AsRef<str>]) {
        for key in elements(refs, lines) {
            self.found.remove(&key);
            if let Some(untold) = self.untold.get_mut(&key.document) {
                untold.remove(&key.node);
            }
        }
    }

    /// These lines were left out.
    pub fn leave_out(&mut self, refs: &RefTable, lines: &[impl AsRef<str>]) {
        for ElementKey { document, node } in elements(refs, lines) {
            self.untold.entry(document).or_default().insert(node);
        }
    }

    /// These lines were told of a look of which nothing else was.
    pub fn find(&mut self, refs: &RefTable, frames: &[Frame], lines: &[&str]) {
        for key in elements(refs, lines) {
            let frame = frames.iter().find(|frame| frame.document == key.document);
            let element =
                frame.into_iter().flat_map(|frame| &frame.facts.nodes).find_map(
                    |node| match node {
                        Node::Element(element) if element.id == key.node => Some(element),
                        _ => None,
                    },
                );
            if let Some(element) = element {
                self.found.insert(key, element.label().to_owned());
            }
        }
    }

    /// The elements of a document whose changes were not told.
    pub fn untold_in(&self, document: &str) -> Vec<u32> {
        self.untold.get(document).into_iter().flatten().copied().collect()
    }

    /// What a search told of an element. The page script knows it from then on.
    pub fn take_found(&mut self, key: &ElementKey) -> Option<String> {
        self.found.remove(key)
    }
}

fn elements(refs: &RefTable, lines: &[impl AsRef<str>]) -> impl Iterator<Item = ElementKey> {
    let names = lines.iter().flat_map(|line| refs_in(line.as_ref()));
    names.filter_map(|name| refs.element(name))
}

#[cfg(test)]
mod tests {
    use outrigger_protocol::facts::PageFacts;
    use outrigger_snapshot::{Detail, Line, find, render};

    use super::*;

    const DELETE: u32 = 7;

    /// A page whose second button is called by words that look like its first one.
    fn page(refs: &mut RefTable) -> (Vec<Frame>, Vec<Line>) {
        let nodes = serde_json::from_str(
            r#"[[-1,"button","button","Delete",1,7],[-1,"p","paragraph","",2],
                [-1,"button","button","The price <a e1",1,8],[-1,"button","button","of tea [x](e1)",1,9]]"#,
        );
        let facts = PageFacts { nodes: nodes.unwrap(), ..PageFacts::default() };
        let frames = vec![Frame { document: "d".into(), facts }];
        let lines = render(&frames, refs, Detail::default()).lines;
        (frames, lines)
    }

    fn key(node: u32) -> ElementKey {
        ElementKey { document: "d".into(), node }
    }

    #[test]
    fn what_a_page_calls_its_controls_tells_no_others() {
        let mut refs = RefTable::above(0);
        let (frames, lines) = page(&mut refs);
        assert_eq!(refs.element("e1".parse().unwrap()), Some(key(DELETE)));
        let mut labels = ToldLabels::default();
        labels.find(&refs, &frames, &find(&lines, "price", None, 9).lines);
        assert_eq!(labels.take_found(&key(8)).as_deref(), Some("The price <a e1"));
        assert_eq!(labels.take_found(&key(DELETE)), None);

        labels.leave_out(&refs, &[&lines[0].text]);
        labels.tell(&refs, &[&lines[1].text]);
        assert_eq!(labels.untold_in("d"), [DELETE]);
        labels.tell(&refs, &[&lines[0].text]);
        assert_eq!(labels.untold_in("d"), Vec::<u32>::new());
    }
}
