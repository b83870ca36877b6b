//! Facts: what the page script reports of one frame after one walk, flat and
//! small. Turning them into text is `outrigger-snapshot`'s work.

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// One frame.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PageFacts {
    /// `location.href`.
    pub url: String,
    /// `location.origin`.
    pub origin: String,
    /// `document.title`.
    pub title: String,
    /// HTTP status, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub status: Option<u16>,
    /// The browser's own viewer shows it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub is_pdf: bool,
    /// Width and height of the viewport.
    pub viewport: [f64; 2],
    /// How far it is scrolled.
    pub scroll: [f64; 2],
    /// Width and height of the whole document.
    pub extent: [f64; 2],
    /// Where the frame is among the others: for each frame on the way down from
    /// the main one, its index in `window.frames` of its parent. None for a
    /// frame that its parent doesn't list (one in a shadow root).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub path: Option<Vec<u32>>,
    /// The page changed faster than it could be walked, so parts of it may be
    /// told as they were a moment earlier.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub changing: bool,
    /// Number of the walk, where all of the page was told by it as a person sees it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub walk: Option<u32>,
    /// Letters of text that were left out, because there is more than any
    /// reader takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub omitted_letters: Option<u32>,
    /// In document order, what lies on top of the page first; a parent comes
    /// before its children.
    #[cfg_attr(feature = "typescript", ts(type = "(TextNode | ElementNode)[]"))]
    pub nodes: Vec<Node>,
}

/// Argument of the page function `facts`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct FactsArgs {
    /// Also what a person can't see, with the flag that says so.
    pub include_hidden: bool,
    /// Only what is in this element.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub root: Option<u32>,
    /// The agent is told only a part of it: what elements were called when they were told
    /// before stays what they were told to be called.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>", optional))]
    pub in_part: bool,
}

/// One element that means something, or one run of text.
///
/// On the wire an array, `[parent, tag, role, name, flags, id, rect, state]`
/// with trailing defaults left out, or `[parent, text]` for a run of text.
/// Elements without meaning of their own are not there; their children hang on
/// the nearest ancestor that is.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// A run of text that a person can see.
    Text {
        /// Index of the parent; -1 at the top.
        parent: i32,
        /// White space folded; a leading or trailing blank is kept as one.
        text: String,
    },
    /// An element.
    Element(Box<Element>),
}

/// See [`Node`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Element {
    /// Index of the parent; -1 at the top.
    pub parent: i32,
    /// Lower-case tag name.
    pub tag: String,
    /// ARIA role; empty for a plain block.
    pub role: String,
    /// Accessible name; empty where the content says it already.
    pub name: String,
    /// Bits of [`flags`].
    pub flags: u32,
    /// Number of the element in its document; 0 for what can't be used.
    pub id: u32,
    /// x, y, width, height in CSS pixels of the viewport.
    pub rect: [f64; 4],
    /// The states that are set.
    pub state: State,
}

/// Bits of an element's `flags`.
pub mod flags {
    /// Can be used: clicked, typed into, chosen.
    pub const CONTROL: u32 = 1;
    /// Starts on a line of its own.
    pub const BLOCK: u32 = 2;
    /// At least partly in the viewport.
    pub const IN_VIEWPORT: u32 = 4;
    /// A person can't see it.
    pub const HIDDEN: u32 = 8;
    /// Its value is a secret and was not sent.
    pub const SECRET: u32 = 16;
    /// Something else lies over its middle.
    pub const COVERED: u32 = 32;
    /// An open modal dialog or popover: on top of the page, and told first.
    pub const ON_TOP: u32 = 64;
    /// Its name is that of a picture in it: there is nothing in it to read.
    pub const PICTURE: u32 = 128;
}

/// States of an element, only those that are set.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(default)]
pub struct State {
    /// Current value of a field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// `true`, `false` or `mixed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<String>,
    /// `true` or `false`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded: Option<bool>,
    /// Heading level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// Where a link leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// Chosen, in a list of options or tabs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected: Option<bool>,
    /// Can't be used now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disabled: Option<bool>,
    /// Must be filled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// Marked as wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid: Option<bool>,
    /// Has the focus.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub focused: Option<bool>,
    /// `page`, `step`, `true`…: the one of a set that is shown now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<String>,
    /// Being changed; what is in it may be incomplete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busy: Option<bool>,
    /// Of a frame: its index in `window.frames`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<u32>,
    /// Of a list whose items are numbered: the first number; of an item, its own
    /// where it isn't the next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<i32>,
    /// Of a list whose items are numbered: downwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reversed: Option<bool>,
    /// Of a field that takes no plain text: `date`, `time`, `color`, `file`…
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Has more in it than it shows, and can be scrolled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scrollable: Option<bool>,
    /// Of a cell: how many columns it takes, where it is more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colspan: Option<u32>,
    /// Of a cell: how many rows it takes, where it is more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rowspan: Option<u32>,
    /// Of a list with more options than are told: how many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<u32>,
    /// The words it shows, where its name says something else or nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shows: Option<String>,
    /// What a field expects, where its name doesn't say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
}

impl Node {
    /// Index of the parent; -1 at the top.
    pub fn parent(&self) -> i32 {
        match self {
            Node::Text { parent, .. } => *parent,
            Node::Element(element) => element.parent,
        }
    }
}

impl Element {
    /// What it is called: its name, or the words that it shows if it has none.
    pub fn label(&self) -> &str {
        if self.name.is_empty() {
            return self.state.shows.as_deref().unwrap_or_default();
        }
        &self.name
    }

    /// Whether a bit of [`flags`] is set.
    pub fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
}

impl Serialize for Node {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Node::Text { parent, text } => (parent, text).serialize(serializer),
            Node::Element(e) => {
                (e.parent, &e.tag, &e.role, &e.name, e.flags, e.id, e.rect, &e.state)
                    .serialize(serializer)
            }
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[parent, text] or [parent, tag, role, name, flags, id, rect, state]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let parent = seq.next_element()?.ok_or_else(|| de::Error::invalid_length(0, &self))?;
        let first: String =
            seq.next_element()?.ok_or_else(|| de::Error::invalid_length(1, &self))?;
        let Some(role) = seq.next_element()? else {
            return Ok(Node::Text { parent, text: first });
        };
        Ok(Node::Element(Box::new(Element {
            parent,
            tag: first,
            role,
            name: seq.next_element()?.unwrap_or_default(),
            flags: seq.next_element()?.unwrap_or_default(),
            id: seq.next_element()?.unwrap_or_default(),
            rect: seq.next_element()?.unwrap_or_default(),
            state: seq.next_element()?.unwrap_or_default(),
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailing_defaults_may_be_left_out() {
        let nodes: Vec<Node> = serde_json::from_str(
            r#"[[-1,"main","main"],[0,"Hello "],[0,"a","link","Go",5,3,[1,2,3,4],{"href":"/x"}]]"#,
        )
        .unwrap();
        let Node::Element(main) = &nodes[0] else { panic!("an element") };
        assert_eq!((main.role.as_str(), main.flags), ("main", 0));
        assert_eq!(nodes[1], Node::Text { parent: 0, text: "Hello ".into() });
        let Node::Element(link) = &nodes[2] else { panic!("an element") };
        assert!(
            link.has(flags::CONTROL) && link.has(flags::IN_VIEWPORT) && !link.has(flags::HIDDEN)
        );
        assert_eq!(link.state.href.as_deref(), Some("/x"));
    }

    #[test]
    fn a_node_survives_its_own_wire_form() {
        let node = Node::Element(Box::new(Element {
            tag: "b".into(),
            name: "n".into(),
            ..Element::default()
        }));
        let text = serde_json::to_string(&node).unwrap();
        assert_eq!(serde_json::from_str::<Node>(&text).unwrap(), node);
    }
}
