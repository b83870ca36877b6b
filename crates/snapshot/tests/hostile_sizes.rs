//! Pages that are made to take long: each would take minutes, or all memory there
//! is, if time were more than linear in what there is of the page.
#![allow(clippy::unwrap_used)]

use outrigger_protocol::facts::{Element, Node, PageFacts, State, flags};
use outrigger_snapshot::budget::From;
use outrigger_snapshot::tree::Filter;
use outrigger_snapshot::{Detail, Frame, RefTable, SectionTable, Written, fit, render, tree};

fn element(parent: usize, role: &str, name: &str) -> Node {
    Node::Element(Box::new(Element {
        parent: i32::try_from(parent).unwrap() - 1,
        tag: "x".into(),
        role: role.into(),
        name: name.into(),
        ..Element::default()
    }))
}

fn text(parent: usize, text: impl Into<String>) -> Node {
    Node::Text { parent: i32::try_from(parent).unwrap() - 1, text: text.into() }
}

fn frame(nodes: Vec<Node>, url: String) -> [Frame; 1] {
    [Frame { document: "d".into(), facts: PageFacts { nodes, url, ..PageFacts::default() } }]
}

fn written(nodes: Vec<Node>) -> Written {
    render(&frame(nodes, String::new()), &mut RefTable::above(0), Detail::default())
}

#[test]
fn landmarks_and_headings_in_each_other() {
    let mut nodes = Vec::new();
    for depth in 0..40_000 {
        let role = if depth % 2 == 0 { "region" } else { "heading" };
        nodes.push(element(depth, role, if depth % 2 == 0 { "News" } else { "" }));
    }
    nodes.push(text(40_000, "News"));
    let page = written(nodes);
    assert!(page.lines[0].text.ends_with("News"));
    assert!(page.lines[0].text.len() < 1_000, "no look is filled by landmarks alone");
}

#[test]
fn lists_in_lists() {
    let mut nodes = Vec::new();
    let mut inside = 0;
    for depth in 0..20_000 {
        nodes.push(element(inside, "list", ""));
        let list = nodes.len();
        for item in 0..8 {
            nodes.push(element(list, "listitem", ""));
            nodes.push(text(nodes.len(), format!("Item {item} of {depth}")));
        }
        inside = nodes.len() - 1;
    }
    assert_eq!(written(nodes).lines.len(), 160_000);
}

#[test]
fn cells_that_take_many_columns_of_many_rows() {
    let mut nodes = vec![element(0, "table", "")];
    for row in 0..3_000 {
        nodes.push(element(1, "row", ""));
        let parent = nodes.len();
        for _ in 0..if row == 0 { 3_000 } else { 1 } {
            let mut cell = element(parent, "cell", "");
            if let Node::Element(cell) = &mut cell {
                let span = Some(u32::MAX);
                cell.state = State { colspan: span, rowspan: span, ..State::default() };
            }
            nodes.push(cell);
            nodes.push(text(nodes.len(), "x"));
        }
    }
    assert!(written(nodes).lines.len() >= 3_000);
}

#[test]
fn a_row_of_very_many_controls() {
    let mut nodes = Vec::new();
    for id in 1..=150_000 {
        let mut button = element(0, "button", "Go");
        if let Node::Element(button) = &mut button {
            (button.id, button.flags) = (id, flags::CONTROL);
        }
        nodes.push(button);
    }
    assert!(written(nodes).lines.len() > 1_000);
}

#[test]
fn a_long_address_and_many_links() {
    let mut nodes = Vec::new();
    for id in 1..=30_000 {
        let mut link = element(0, "link", "Go");
        if let Node::Element(link) = &mut link {
            (link.id, link.flags) = (id, flags::CONTROL);
            link.state.href = Some(format!("/{id}"));
        }
        nodes.push(link);
    }
    let address = format!("https://shop.test/{}", "x".repeat(2_000_000));
    let page = render(&frame(nodes, address), &mut RefTable::above(0), Detail::default());
    assert!(page.lines.len() > 100);
}

#[test]
fn a_tree_that_is_very_deep() {
    let nodes = (0..50_000).map(|depth| element(depth, "group", "")).collect();
    let lines = tree(&frame(nodes, String::new()), &mut RefTable::above(0), &Filter::default());
    assert_eq!(lines.len(), 50_000);
    assert!(lines.iter().all(|line| line.text.len() < 200));
}

#[test]
fn signs_of_ours_without_end() {
    for sign in ["<", "<a ", "](", "](e", "\\", "(", "§ s1 ", "<a\u{200b}", "\u{200b}", " "] {
        let mut nodes = vec![element(0, "heading", "")];
        for _ in 0..40 {
            nodes.push(text(1, sign.repeat(10_000)));
        }
        nodes.push(text(1, "<a e1 (§ s1 ("));
        let page = written(nodes);
        let look = fit(&page, From::Top, 400, &mut SectionTable::default());
        assert!(!look.is_empty(), "{sign}");
    }
}
