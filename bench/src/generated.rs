//! Owns the pages that no one would save but somebody will open: of any number of nodes, or crowded with controls.
//! They are written anew for each request, the same each time. Serves nothing.

use std::fmt::Write as _;

/// Names of the two pages of ten thousand elements on which a default look must still be short.
pub(crate) const CROWDED: [&str; 2] = ["grid", "articles"];
/// Below this path the pages are served.
pub(crate) const FOLDER: &str = "generated/";

const GRID_SIDE: usize = 100;
const CROWDED_ELEMENTS: usize = 10_000;
/// Beats only when asked to, so that times are taken without it.
const HEARTBEAT: &str = include_str!("heartbeat.js");
const STYLE: &str = "body { font: 16px sans-serif; margin: 8px } .grid { display: grid; \
    grid-template-columns: repeat(100, minmax(0, 1fr)) } .grid > * { font-size: 4px; padding: 0; height: 14px; \
    overflow: hidden; border: 1px solid }";
const WORDS: [&str; 16] = [
    "harbour", "lantern", "meadow", "timber", "copper", "orchard", "signal", "velvet", "granite",
    "willow", "compass", "ember", "prairie", "quarry", "summit", "tundra",
];

/// The name of the page with this many nodes.
pub(crate) fn of_nodes(nodes: usize) -> String {
    format!("mixed-{nodes}")
}

/// The page by this name.
pub(crate) fn page(name: &str) -> Option<String> {
    let markup = match name {
        "grid" => grid(),
        "articles" => articles(),
        _ => mixed(name.strip_prefix("mixed-")?.parse().ok()?),
    };
    Some(format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>{name}</title><link rel=icon href=\"data:,\">\
         <style>{STYLE}</style><script>{HEARTBEAT}</script></head><body>{}</body></html>",
        markup.html
    ))
}

/// Markup that counts what it adds to the document: no white space that would count as well.
#[derive(Debug, Default)]
struct Markup {
    html: String,
    elements: usize,
    texts: usize,
}

impl Markup {
    fn open(&mut self, tag: &str) -> &mut Self {
        self.elements += 1;
        let _ = write!(self.html, "<{tag}>");
        self
    }

    fn close(&mut self, tag: &str) -> &mut Self {
        let _ = write!(self.html, "</{tag}>");
        self
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.texts += 1;
        self.html.push_str(text);
        self
    }

    /// An element with nothing but text in it.
    fn leaf(&mut self, tag: &str, attributes: &str, text: &str) -> &mut Self {
        self.elements += 1;
        self.texts += 1;
        let _ = write!(self.html, "<{tag}{attributes}>{text}</{tag}>");
        self
    }

    fn link(&mut self, number: usize, text: &str) -> &mut Self {
        self.leaf("a", &format!(" href=\"#{number}\""), text)
    }

    fn nodes(&self) -> usize {
        self.elements + self.texts
    }
}

/// As many words as asked for, not the same ones twice in a row.
fn words(seed: usize, count: usize) -> String {
    let chosen: Vec<&str> =
        (0..count).map(|at| WORDS[(seed * 7 + at * (3 + seed % 5)) % WORDS.len()]).collect();
    chosen.join(" ")
}

/// A hundred rows of a hundred controls.
fn grid() -> Markup {
    let mut markup = Markup::default();
    markup.open("div class=grid");
    for row in 1..=GRID_SIDE {
        markup.link(row, &format!("Row {row}"));
        for column in 2..=GRID_SIDE {
            markup.leaf("button", "", &format!("{row}.{column}"));
        }
    }
    markup.close("div");
    markup
}

/// A long list of articles, each with a headline, a teaser, tags and two buttons.
fn articles() -> Markup {
    let mut markup = Markup::default();
    let mut number = 0;
    while markup.elements < CROWDED_ELEMENTS {
        number += 1;
        markup
            .open("article")
            .open("h2")
            .link(number, &format!("Article {number}: {}", words(number, 4)));
        markup.close("h2").leaf(
            "p",
            "",
            &format!("By {}, {number} days ago", words(number + 3, 1)),
        );
        markup
            .open("p")
            .text(&words(number, 25))
            .link(number, &format!("Read article {number}"))
            .close("p");
        markup.open("ul");
        for tag in 0..3 {
            markup.open("li").link(number, WORDS[(number + tag * 5) % WORDS.len()]).close("li");
        }
        markup.close("ul").leaf("button", "", &format!("Save {number}"));
        markup.leaf("button", "", "Share").close("article");
    }
    markup
}

/// Sections with a bit of everything, until there are so many nodes.
fn mixed(nodes: usize) -> Markup {
    let mut markup = Markup::default();
    let mut number = 0;
    while markup.nodes() < nodes {
        number += 1;
        markup.open("section").leaf("h2", "", &format!("Section {number} {}", words(number, 2)));
        for paragraph in 0..3 {
            markup.open("p").text(&words(number + paragraph, 12)).link(number, &words(number, 2));
            markup.text(&words(number + paragraph + 5, 8)).close("p");
        }
        markup.leaf("button", "", &format!("Add {number}")).leaf(
            "button",
            "",
            &format!("Drop {number}"),
        );
        markup.open("ul");
        for item in 0..4 {
            markup.open("li").link(number, &format!("Item {number}.{item}")).close("li");
        }
        markup.close("ul").open("table").open("tbody");
        for row in 0..3 {
            markup.open("tr");
            for column in 0..3 {
                markup.leaf("td", "", &format!("{number}.{row}.{column}"));
            }
            markup.close("tr");
        }
        markup.close("tbody").close("table").close("section");
    }
    markup
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_as_many_nodes_as_its_name_says() {
        for nodes in [1_000, 30_000] {
            let made = mixed(nodes).nodes();
            assert!((nodes..nodes + 100).contains(&made), "{made}");
        }
    }

    #[test]
    fn the_crowded_pages_have_ten_thousand_elements() {
        assert_eq!(grid().elements, GRID_SIDE * GRID_SIDE + 1);
        assert!((CROWDED_ELEMENTS..CROWDED_ELEMENTS + 20).contains(&articles().elements));
    }

    #[test]
    fn every_name_that_is_offered_is_a_page() {
        for name in CROWDED.iter().map(|name| (*name).to_owned()).chain([of_nodes(1_000)]) {
            assert!(page(&name).is_some_and(|html| html.starts_with("<!doctype")), "{name}");
        }
        assert_eq!(page("mixed-many"), None);
    }
}
