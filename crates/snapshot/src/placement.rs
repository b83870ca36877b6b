//! Where frames are: from a point of any frame to the same point of the main one.

use outrigger_protocol::facts::{Node, PageFacts};

use crate::Frame;

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
}
