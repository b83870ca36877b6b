//! Where frames are: in which other one each stands, whether it can be seen there,
//! and from a point of any frame to the same point of the main one.

use std::collections::{HashMap, HashSet};

use outrigger_protocol::facts::{Node, PageFacts, flags};

use crate::Frame;

/// Which frame stands in which.
pub(crate) struct Places<'a> {
    /// By their paths from the main one.
    at: HashMap<&'a [u32], usize>,
    /// The frame around, and the index in it, of each that an element was told to hold.
    held: HashSet<(usize, u32)>,
}

impl<'a> Places<'a> {
    pub(crate) fn of(frames: &'a [Frame]) -> Self {
        let paths = frames.iter().enumerate();
        let at: HashMap<&[u32], usize> = paths
            .filter_map(|(index, frame)| Some((frame.facts.path.as_deref()?, index)))
            .collect();
        let mut held = HashSet::new();
        if at.len() > 1 {
            for (index, frame) in frames.iter().enumerate() {
                held.extend(frame.facts.nodes.iter().filter_map(|node| match node {
                    Node::Element(element) => Some((index, element.state.frame?)),
                    Node::Text { .. } => None,
                }));
            }
        }
        Places { at, held }
    }

    /// The frame of an index in another one.
    pub(crate) fn inner(&self, outer: &PageFacts, index: u32) -> Option<usize> {
        let path = outer.path.as_deref()?;
        self.at.get([path, &[index]].concat().as_slice()).copied()
    }

    /// Whether a person can't see a frame: one around it was told without the
    /// element that holds it. Where that isn't known, it may be seen.
    pub(crate) fn is_hidden(&self, frame: &PageFacts) -> bool {
        let path = frame.path.as_deref().unwrap_or_default();
        path.iter().enumerate().any(|(depth, index)| {
            let outer = self.at.get(&path[..depth]);
            outer.is_some_and(|outer| !self.held.contains(&(*outer, *index)))
        })
    }
}

/// How many frames a person sees a place of, and of which there are no facts.
pub fn missing(frames: &[Frame]) -> usize {
    let places = Places::of(frames);
    let holders = frames.iter().flat_map(|frame| {
        frame.facts.nodes.iter().filter_map(move |node| match node {
            Node::Element(element) if !element.has(flags::HIDDEN) => {
                Some((&frame.facts, element.state.frame?))
            }
            _ => None,
        })
    });
    holders
        .filter(|(outer, index)| outer.path.is_some() && places.inner(outer, *index).is_none())
        .count()
}

/// Where the viewport of a frame begins in that of the main one; none if it
/// can't be known.
pub fn offset(frames: &[Frame], document: &str) -> Option<[f64; 2]> {
    let frame = frames.iter().find(|frame| frame.document == document)?;
    let path = frame.facts.path.as_deref()?;
    let mut at = [0.0, 0.0];
    for depth in 0..path.len() {
        let outer = frames.iter().find(|one| one.facts.path.as_deref() == Some(&path[..depth]))?;
        let [x, y] = holder(&outer.facts, path[depth])?;
        at = [at[0] + x, at[1] + y];
    }
    Some(at)
}

/// Where the element stands that holds the frame of this index.
fn holder(facts: &PageFacts, index: u32) -> Option<[f64; 2]> {
    facts.nodes.iter().find_map(|node| match node {
        Node::Element(element) if element.state.frame == Some(index) => {
            Some([element.rect[0], element.rect[1]])
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(document: &str, path: &[u32], nodes: &str) -> Frame {
        let nodes = serde_json::from_str(nodes).unwrap();
        let facts = PageFacts { nodes, path: Some(path.to_vec()), ..PageFacts::default() };
        Frame { document: document.into(), facts }
    }

    #[test]
    fn the_places_of_the_holders_add_up() {
        let frames = [
            frame("main", &[], r#"[[-1,"iframe","iframe","",0,0,[10,100,300,200],{"frame":1}]]"#),
            frame("inner", &[1], r#"[[-1,"iframe","iframe","",0,0,[5,7,30,20],{"frame":0}]]"#),
            frame("innermost", &[1, 0], "[]"),
            frame("lost", &[4], "[]"),
        ];
        assert_eq!(offset(&frames, "main"), Some([0.0, 0.0]));
        assert_eq!(offset(&frames, "innermost"), Some([15.0, 107.0]));
        assert_eq!(offset(&frames, "lost"), None);
    }

    #[test]
    fn a_frame_whose_place_is_told_and_nothing_else_is_missing() {
        let holders = r#"[[-1,"iframe","iframe","",0,0,[1,1,9,9],{"frame":0}],
            [-1,"iframe","iframe","",0,0,[1,1,9,9],{"frame":1}],
            [-1,"iframe","iframe","",8,0,[1,1,9,9],{"frame":2}]]"#;
        assert_eq!(flags::HIDDEN, 8);
        let (main, inner) = (frame("main", &[], holders), frame("inner", &[1], "[]"));
        assert_eq!(missing(&[main.clone(), inner]), 1);
        assert_eq!(missing(&[main]), 2);
    }
}
