//! What holds for any page: nothing that can be used or read is out of reach.
#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use outrigger_protocol::facts::{Element, Node, PageFacts, State, flags};
use outrigger_snapshot::budget::From;
use outrigger_snapshot::find::refs_in;
use outrigger_snapshot::{
    Detail, Frame, Ref, RefTable, SectionName, SectionTable, Written, fit, open, render,
};
use proptest::prelude::*;

const ROLES: [&str; 16] = [
    "",
    "list",
    "listitem",
    "table",
    "row",
    "cell",
    "heading",
    "paragraph",
    "link",
    "button",
    "textbox",
    "combobox",
    "img",
    "navigation",
    "group",
    "article",
];

/// Names of controls and pictures: few, so that some are told twice. The first is none.
const NAMES: u8 = 5;

/// How large controls are, across and down: unknown, symbols, pictures.
const SIZES: [f64; 4] = [0.0, 16.0, 48.0, 300.0];

/// A node whose parent is somewhere before it, or the page.
fn any_nodes() -> impl Strategy<Value = Vec<Node>> {
    let look = (prop::sample::select(&SIZES[..]), any::<bool>(), prop::bool::weighted(0.1));
    let drawn = (0u8..4, 0u8..NAMES, 0usize..40, look);
    let any_node = (0usize..ROLES.len() + 6, any::<prop::sample::Index>(), any::<bool>(), drawn);
    proptest::collection::vec(any_node, 1..150).prop_map(|drawn| {
        let mut nodes: Vec<Node> = Vec::new();
        let mut path: Vec<i32> = vec![-1];
        for (n, (role, depth, is_in_view, (place, name, options, look))) in
            drawn.into_iter().enumerate()
        {
            let (size, is_picture, is_hidden) = look;
            path.truncate(depth.index(path.len()) + 1);
            let parent = *path.last().unwrap();
            let index = i32::try_from(nodes.len()).unwrap();
            let Some(role) = ROLES.get(role) else {
                nodes.push(Node::Text { parent, text: format!(" word{n} ") });
                continue;
            };
            let is_control = ["link", "button", "textbox", "combobox"].contains(role);
            let is_list = *role == "combobox";
            let id = if is_control { u32::try_from(n).unwrap() + 1 } else { 0 };
            let kind = if is_control { flags::CONTROL } else { flags::BLOCK };
            let seen = if is_in_view { flags::IN_VIEWPORT } else { 0 };
            let hidden = if is_hidden { flags::HIDDEN } else { 0 };
            let picture = if is_picture && is_control { flags::PICTURE } else { 0 };
            let href = (*role == "link").then(|| format!("/place{place}"));
            nodes.push(Node::Element(Box::new(Element {
                parent,
                tag: if is_list { "select" } else { "x" }.into(),
                role: (*role).into(),
                name: if name > 0 && (is_control || *role == "img") {
                    format!("name{name}")
                } else {
                    String::new()
                },
                flags: kind | seen | hidden | picture,
                id,
                rect: [0.0, 0.0, size, size],
                state: State { href, ..State::default() },
            })));
            for option in 0..if is_list { options } else { 0 } {
                nodes.push(Node::Element(Box::new(Element {
                    parent: index,
                    tag: "option".into(),
                    role: "option".into(),
                    name: format!("option{n}of{option}"),
                    ..Element::default()
                })));
            }
            if !matches!(*role, "textbox" | "combobox" | "img") {
                path.push(index);
            }
        }
        nodes
    })
}

/// All that can be had of a page within a budget a look: the first look, and
/// every section that it or another section names.
fn all_looks(written: &Written, budget: usize) -> String {
    let mut sections = SectionTable::default();
    let mut text = fit(written, From::Viewport, budget, &mut sections).join("\n");
    let mut opened: HashSet<String> = HashSet::new();
    loop {
        let next = names(&text).into_iter().find(|name| !opened.contains(name));
        let Some(name) = next else { return text };
        let parsed: SectionName = name.parse().unwrap();
        let range = sections.find(parsed, &written.lines).unwrap();
        text.push('\n');
        text.push_str(&open(written, range, budget, &mut sections).join("\n"));
        opened.insert(name);
    }
}

fn names(text: &str) -> Vec<String> {
    let handles = text.lines().filter(|line| line.starts_with('§'));
    let entries = handles.flat_map(|line| line.split(" · "));
    let names = entries.filter_map(|entry| entry.rsplit_once(" (")?.0.rsplit(' ').next());
    names.map(str::to_owned).collect()
}

/// Of two links to one place one may be left out, if it is called the same, or if it
/// is a picture without words: any link says where that leads. A symbol is no picture.
fn stands_for(told: &Element, left_out: &Element) -> bool {
    let are_links = told.role == "link" && left_out.role == "link";
    let is_symbol = (1.0..=48.0).contains(&left_out.rect[2]);
    let is_wordless = left_out.name.is_empty() || left_out.has(flags::PICTURE);
    let are_called_so = told.name == left_out.name && !told.name.is_empty();
    are_links
        && told.state.href == left_out.state.href
        && (are_called_so || (is_wordless && !is_symbol))
}

/// A button in a link may be left out, if it is called the same; where neither has a
/// name, if it takes the link's room.
fn is_wrapped_by(left_out: &Element, link: &Element) -> bool {
    let fills = left_out.rect[2] * 2.0 >= link.rect[2];
    left_out.role == "button"
        && link.role == "link"
        && left_out.name == link.name
        && (fills || !link.name.is_empty())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_control_and_every_word_can_be_reached(nodes in any_nodes(), budget in 60usize..3000) {
        let facts = PageFacts { nodes: nodes.clone(), ..PageFacts::default() };
        let frame = Frame { document: "d".into(), facts };
        let mut refs = RefTable::above(0);
        let written = render(std::slice::from_ref(&frame), &mut refs, Detail::default());
        let reached = all_looks(&written, budget);
        let told: HashSet<Ref> = reached.lines().flat_map(refs_in).collect();
        let mut is_told = |element: &Element| told.contains(&refs.name("d", element.id));
        for node in &nodes {
            match node {
                Node::Text { text, .. } => prop_assert!(reached.contains(text.trim()), "{text}"),
                Node::Element(element) if element.role == "option" => {
                    let name = format!("\"{}\"", element.name);
                    prop_assert!(reached.contains(&name), "{name}");
                }
                Node::Element(element) if element.has(flags::CONTROL) => {
                    let is_there = is_told(element)
                        || nodes.iter().any(|node| matches!(node, Node::Element(other)
                            if stands_for(other, element) && is_told(other)))
                        || matches!(usize::try_from(element.parent).map(|at| &nodes[at]),
                            Ok(Node::Element(link)) if is_wrapped_by(element, link) && is_told(link));
                    prop_assert!(is_there, "{element:?}");
                }
                Node::Element(_) => {}
            }
        }
    }

    #[test]
    fn a_look_keeps_to_its_budget(nodes in any_nodes(), budget in 400usize..3000) {
        let frame = Frame { document: "d".into(), facts: PageFacts { nodes, ..PageFacts::default() } };
        let written = render(&[frame], &mut RefTable::above(0), Detail::default());
        let look = fit(&written, From::Viewport, budget, &mut SectionTable::default()).join("\n");
        let cost = outrigger_snapshot::tokens::estimate(&look);
        prop_assert!(cost <= budget + budget / 4, "{cost} of {budget}:\n{look}");
    }
}
