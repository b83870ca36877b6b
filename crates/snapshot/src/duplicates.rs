//! What is told twice: a picture and a heading that lead to the same place, or
//! a picture that is called what the text beside it says, are one to a reader.

use std::collections::{HashMap, HashSet};

use outrigger_protocol::facts::{Element, Node, flags};

use crate::element::fold;

/// How many nodes may lie between two that are one to a reader.
const NEAR: usize = 40;

/// What takes no more room than this, across and down, is drawn as a symbol. A link
/// that shows one may do something else than lead to its address.
const SYMBOL: f64 = 48.0;

/// Which nodes need not be told, because one close by says the same.
pub(crate) fn told_elsewhere(nodes: &[Node], address: &str) -> Vec<bool> {
    let mut skipped = links(nodes, address);
    pictures(nodes, &mut skipped);
    nested(nodes, &mut skipped);
    skipped
}

/// A button that is all there is of a link, and called the same; where nothing is
/// called anything, one that takes the link's room.
fn nested(nodes: &[Node], skipped: &mut [bool]) {
    for (index, node) in nodes.iter().enumerate() {
        let Node::Element(inner) = node else { continue };
        let outer = usize::try_from(inner.parent).ok().and_then(|parent| nodes.get(parent));
        let Some(Node::Element(outer)) = outer else { continue };
        let are_controls = inner.has(flags::CONTROL) && outer.has(flags::CONTROL);
        let is_plain = outer.role == "link" && matches!(inner.role.as_str(), "button" | "generic");
        let label = fold(inner.label());
        let is_called_so = label == fold(outer.label());
        let fills = !label.is_empty() || fills_most(inner, outer);
        if are_controls && is_plain && is_called_so && fills && is_only_child(nodes, index) {
            skipped[index] |= stands_alone(nodes, index);
        }
    }
}

/// Whether the one takes most of the room of the other.
fn fills_most(inner: &Element, outer: &Element) -> bool {
    let [.., width, height] = inner.rect;
    let [.., around_width, around_height] = outer.rect;
    width * 2.0 >= around_width && height * 2.0 >= around_height
}

/// Of two links to one place in one item, the one without words of its own: a
/// picture beside a headline. A symbol stays, unless it is called the same.
fn links(nodes: &[Node], address: &str) -> Vec<bool> {
    let mut skipped = vec![false; nodes.len()];
    let items = items(nodes);
    let own = path_of(address);
    let mut last: HashMap<&str, usize> = HashMap::new();
    for (index, node) in nodes.iter().enumerate() {
        let Some((link, href)) = link(node).filter(|(_, href)| leads_away(href, own)) else {
            continue;
        };
        let before = last.insert(href, index);
        let before = before.filter(|at| index - at <= NEAR && items[*at] == items[index]);
        let Some((before, (other, _))) = before.and_then(|at| Some((at, self::link(&nodes[at])?)))
        else {
            continue;
        };
        let (one, two) = (fold(other.label()), fold(link.label()));
        let are_called_so = one == two && !one.is_empty();
        // A picture may go for any words, and what it stands for with it.
        let may_go = |link: &Element, beside: &Element| {
            let stays = is_symbol(beside) || !is_wordless(beside);
            !is_symbol(link) || (are_called_so && stays)
        };
        let victim = match (is_wordless(other), is_wordless(link)) {
            // Two pictures may be two buttons.
            (true, true) if one != two && !one.is_empty() && !two.is_empty() => continue,
            (true, _) if may_go(other, link) => before,
            (_, true) if may_go(link, other) => index,
            (true, _) | (_, true) => continue,
            _ if one != two => continue,
            _ if is_in_heading(nodes, index) => before,
            _ => index,
        };
        if stands_alone(nodes, victim) && !skipped[before] {
            skipped[victim] = true;
            last.insert(href, if victim == before { index } else { before });
        }
    }
    skipped
}

/// Pictures that are called what a heading, a link or a text close by says.
fn pictures(nodes: &[Node], skipped: &mut [bool]) {
    let called: HashSet<String> = nodes
        .iter()
        .filter_map(|node| match node {
            Node::Element(element) if is_picture(element) => Some(fold(&element.name)),
            _ => None,
        })
        .collect();
    if called.is_empty() {
        return;
    }
    let mut said: HashMap<String, usize> = HashMap::new();
    // Backwards first, since the words mostly come after the picture.
    for index in (0..nodes.len()).rev().chain(0..nodes.len()) {
        let words = match &nodes[index] {
            Node::Element(element) if is_picture(element) => {
                let at = said.get(&fold(&element.name));
                skipped[index] |= at.is_some_and(|at| at.abs_diff(index) <= NEAR);
                continue;
            }
            Node::Element(_) if skipped[index] => continue,
            Node::Element(element) => fold(element.label()),
            Node::Text { text, .. } => fold(text),
        };
        if called.contains(&words) {
            said.insert(words, index);
        }
    }
}

fn is_picture(element: &Element) -> bool {
    element.role == "img" && !element.has(flags::CONTROL) && !element.name.is_empty()
}

fn link(node: &Node) -> Option<(&Element, &str)> {
    let Node::Element(element) = node else { return None };
    let is_link = element.role == "link" && element.has(flags::CONTROL);
    let href = element.state.href.as_deref().filter(|href| !matches!(*href, "#" | "javascript:"));
    href.filter(|_| is_link).map(|href| (element.as_ref(), href))
}

/// Where a page leads to itself, a script makes something of each link.
fn leads_away(href: &str, own: &str) -> bool {
    !href.is_empty() && !href.starts_with(['#', '?']) && without_query(href) != own
}

/// The path of an address, as links on its own page give it.
fn path_of(address: &str) -> &str {
    let own = address.split_once("://").map_or(address, |(_, rest)| rest);
    without_query(own.find('/').map_or("/", |at| &own[at..]))
}

fn without_query(address: &str) -> &str {
    address.split(['#', '?']).next().unwrap_or_default()
}

/// The list item, row or article that each node is in; its own index if it is one.
fn items(nodes: &[Node]) -> Vec<Option<usize>> {
    let mut items: Vec<Option<usize>> = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        let around =
            usize::try_from(node.parent()).ok().and_then(|at| items.get(at)).copied().flatten();
        let is_item = matches!(node, Node::Element(element)
            if matches!(element.role.as_str(), "listitem" | "row" | "article" | "treeitem"));
        items.push(if is_item { Some(index) } else { around });
    }
    items
}

/// Nothing in it can be read: it has no name, or only a picture's.
fn is_wordless(element: &Element) -> bool {
    element.label().trim().is_empty() || element.has(flags::PICTURE)
}

/// Drawn so small that it is no picture to look at. What takes no room at all has
/// a picture that is yet to come.
fn is_symbol(element: &Element) -> bool {
    let [.., width, height] = element.rect;
    let is_seen = width > 0.0 && height > 0.0;
    is_seen && width <= SYMBOL && height <= SYMBOL
}

fn is_only_child(nodes: &[Node], index: usize) -> bool {
    let parent = nodes[index].parent();
    let is_first = usize::try_from(parent).is_ok_and(|parent| parent + 1 == index);
    // What follows is not in the parent; that nothing is in it is asked elsewhere.
    is_first && nodes.get(index + 1).is_none_or(|next| next.parent() < parent)
}

/// Part of no sentence, and nothing is in it.
fn stands_alone(nodes: &[Node], index: usize) -> bool {
    let parent = nodes[index].parent();
    let is_beside = |other: Option<&Node>| matches!(other, Some(Node::Text { parent: its, text }) if *its == parent && !text.trim().is_empty());
    let holds_something =
        nodes.get(index + 1).is_some_and(|next| usize::try_from(next.parent()) == Ok(index));
    let before = index.checked_sub(1).and_then(|at| nodes.get(at));
    !holds_something && !is_beside(before) && !is_beside(nodes.get(index + 1))
}

fn is_in_heading(nodes: &[Node], index: usize) -> bool {
    let parent = usize::try_from(nodes[index].parent()).ok().and_then(|at| nodes.get(at));
    matches!(parent, Some(Node::Element(parent)) if parent.role == "heading")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped(nodes: &str) -> Vec<usize> {
        let nodes: Vec<Node> = serde_json::from_str(nodes).unwrap();
        let mask = told_elsewhere(&nodes, "https://shop.test/list?page=2");
        (0..mask.len()).filter(|index| mask[*index]).collect()
    }

    #[test]
    fn of_a_picture_and_a_heading_that_lead_to_one_place_the_heading_stays() {
        let story = r#"[[-1,"a","link","Tea",1,1,[0,0,0,0],{"href":"/tea"}],
            [-1,"h3","heading","",2],[1,"a","link","Tea",1,2,[0,0,0,0],{"href":"/tea"}]]"#;
        assert_eq!(skipped(story), [0]);
    }

    #[test]
    fn a_link_without_a_name_gives_way_to_one_with_a_name() {
        let story = r#"[[-1,"a","link","",1,1,[0,0,0,0],{"href":"/tea"}],
            [-1,"a","link","Tea",1,2,[0,0,0,0],{"href":"/tea"}],
            [-1,"a","link","",1,3,[0,0,0,0],{"href":"/tea"}]]"#;
        assert_eq!(skipped(story), [0, 2]);
    }

    #[test]
    fn links_of_different_items_or_to_the_page_itself_are_all_told() {
        let story = r#"[[-1,"ul","list"],[0,"li","listitem"],[1,"a","link","Add",1,1,[0,0,0,0],{"href":"/add"}],
            [0,"li","listitem"],[3,"a","link","Add",1,2,[0,0,0,0],{"href":"/add"}],
            [-1,"a","link","Left",129,3,[0,0,0,0],{"href":"/list?page=2"}],[-1,"a","link","Left",129,4,[0,0,0,0],{"href":"/list"}],
            [-1,"a","link","Edit",129,5,[0,0,0,0],{"href":"/x?1"}],[-1,"a","link","Delete",129,6,[0,0,0,0],{"href":"/x?1"}]]"#;
        assert_eq!(skipped(story), Vec::<usize>::new());
    }

    #[test]
    fn a_button_that_is_all_there_is_of_a_link_is_the_link() {
        let story = r#"[[-1,"a","link","Buy",1,1,[0,0,0,0],{"href":"/b"}],[0,"button","button","Buy",1,2],
            [-1,"a","link","Cart",1,3,[0,0,0,0],{"href":"/c"}],[2,"button","button","Empty",1,4]]"#;
        assert_eq!(skipped(story), [1]);
    }

    #[test]
    fn a_pictures_name_gives_way_to_words() {
        let story = r#"[[-1,"a","link","cat on couch",129,1,[0,0,0,0],{"href":"/cats"}],
            [-1,"a","link","5 tips",1,2,[0,0,0,0],{"href":"/cats"}],
            [-1,"img","img","Dogs"],[-1,"h2","heading","",2],[3,"Dogs"]]"#;
        assert_eq!(skipped(story), [0, 2]);
    }

    #[test]
    fn a_symbol_beside_a_link_may_do_something_else() {
        let link = |name: &str, flags: u32, id: u32, size: u32| {
            format!(
                r#"[-1,"a","link","{name}",{flags},{id},[0,0,{size},{size}],{{"href":"/posts/1"}}]"#
            )
        };
        let cases: [(&str, u32, u32, &[usize]); 5] = [
            ("", 1, 16, &[]),
            ("Delete", 129, 20, &[]),
            ("Show", 129, 20, &[1]),
            ("Cat on a couch", 129, 320, &[1]),
            ("", 1, 320, &[1]),
        ];
        for (name, flags, size, gone) in cases {
            let (words, symbol) = (link("Show", 1, 1, 60), link(name, flags, 2, size));
            assert_eq!(skipped(&format!("[{words},{symbol}]")), gone, "{name} {size}");
            let gone: Vec<usize> = gone.iter().map(|index| 1 - index).collect();
            assert_eq!(skipped(&format!("[{symbol},{words}]")), gone, "{name} {size}");
        }
        let symbols = [link("", 1, 1, 16), link("", 1, 2, 16), link("", 1, 3, 300)].join(",");
        assert_eq!(skipped(&format!("[{symbols}]")), [2], "edit, delete, and a picture");
    }

    #[test]
    fn buttons_that_share_a_link_without_a_name_are_all_told() {
        let card = r#"[[-1,"a","link","",1,1,[0,0,300,300],{"href":"/b"}],[0,"button","button","",1,2,[0,0,24,24]],
            [0,"button","button","",1,3,[30,0,24,24]],
            [-1,"a","link","",1,4,[0,0,300,300],{"href":"/c"}],[3,"button","button","",1,5,[0,0,24,24]],
            [-1,"a","link","",1,6,[0,0,30,30],{"href":"/d"}],[5,"button","button","",1,7,[0,0,24,24]]]"#;
        assert_eq!(skipped(card), [6]);
    }

    #[test]
    fn links_in_sentences_and_links_of_other_names_stay() {
        let story = r##"[[-1,"p","paragraph","",2],[0,"See "],[0,"a","link","tea",1,1,[0,0,0,0],{"href":"/t"}],
            [0," and "],[0,"a","link","tea",1,2,[0,0,0,0],{"href":"/t"}],
            [-1,"a","link","Order",1,3,[0,0,0,0],{"href":"/t"}],
            [-1,"a","link","x",1,4,[0,0,0,0],{"href":"#"}],[-1,"a","link","x",1,5,[0,0,0,0],{"href":"#"}]]"##;
        assert_eq!(skipped(story), Vec::<usize>::new());
    }
}
