//! Searches a written page.

use std::ops::Range;

use crate::borders::{Border, Borders, borders_between};
use crate::element::OPTIONS_OF;
use crate::line::Line;
use crate::marks::{marks, unquoted, words_alone};
use crate::refs::Ref;

/// What a search finds.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found<'a> {
    /// The lines that match, as many as asked for, each frame's between its borders.
    pub lines: Vec<&'a str>,
    /// How many match in all.
    pub total: usize,
}

/// Lines that hold every word of the query, and where a role is given, a
/// control of that role; lines with the query as one piece come first.
pub fn find<'a>(lines: &'a [Line], query: &str, role: Option<&str>, limit: usize) -> Found<'a> {
    let reference = query.trim().parse::<Ref>().ok();
    let query = query.to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    if words.is_empty() && role.is_none() {
        return Found::default();
    }
    let mut hits: Vec<(bool, usize)> = lines
        .iter()
        .enumerate()
        // Where a frame ends is nothing that anybody looks for.
        .filter(|(_, line)| line.border != Some(Border::Closes))
        .filter(|(_, line)| role.is_none_or(|role| has_role(line, role)))
        .filter_map(|(index, line)| {
            let (plain, refs) = apart(line);
            let said = if line.is_aside { unquoted(&plain) } else { words_alone(&line.text) };
            let lower = said.to_lowercase();
            let matches = words.iter().all(|word| lower.contains(word));
            let is_named = reference.is_some_and(|wanted| refs.contains(&wanted));
            (matches || is_named).then(|| (!lower.contains(query.trim()), index))
        })
        .collect();
    hits.sort_by_key(|(in_pieces, _)| *in_pieces);
    let shown = hits.iter().map(|(_, index)| *index).take(limit);
    Found { lines: within_frames(lines, shown), total: hits.len() }
}

/// The lines by these numbers; where they stand in another frame than the one before,
/// borders say so.
fn within_frames(lines: &[Line], numbers: impl Iterator<Item = usize>) -> Vec<&str> {
    let borders = Borders::of(lines);
    let mut told = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    for number in numbers {
        let line = &lines[number];
        let mut around: Vec<&str> = Vec::new();
        around.extend(borders.around(number).into_iter().map(|at| lines[at].text.as_str()));
        told.extend(borders_between(&open, &around));
        told.push(line.text.as_str());
        if line.border == Some(Border::Opens) {
            around.push(&line.text);
        }
        open = around;
    }
    told
}

/// The elements that a line tells. A handle tells none, nor does the rest of many
/// options: it names the list, but doesn't say what the list is called.
pub fn refs_in(line: &str) -> Vec<Ref> {
    if line.starts_with('§') {
        return Vec::new();
    }
    marks(line).map(|mark| mark.name).collect()
}

/// A line without the refs that we put into it, and these: their digits are no
/// words of the page.
pub(crate) fn apart(line: &Line) -> (String, Vec<Ref>) {
    let text = line.text.as_str();
    let mut words = String::with_capacity(text.len());
    let mut refs = Vec::new();
    let mut from = 0;
    let of_aside = Some(line).filter(|line| line.is_aside).and_then(|_| list_of_aside(text));
    for (name, at) in of_aside.into_iter().chain(marks(text).map(|mark| (mark.name, mark.at))) {
        words.push_str(&text[from..at.start]);
        from = at.end;
        refs.push(name);
    }
    words.push_str(&text[from..]);
    (words, refs)
}

/// Which list the options on a line are of.
fn list_of_aside(text: &str) -> Option<(Ref, Range<usize>)> {
    let start = text.find(OPTIONS_OF)? + OPTIONS_OF.len();
    let length = text[start..].find([':', ' '])?;
    Some((text[start..start + length].parse().ok()?, start..start + length))
}

fn has_role(line: &Line, role: &str) -> bool {
    match role {
        "heading" => line.heading.is_some(),
        role => marks(&line.text).any(|mark| mark.role == role),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::borders::END_OF_FRAME;

    #[test]
    fn the_whole_phrase_comes_before_its_scattered_words() {
        let lines = ["Buy [the red shoe](e1)", "# Red shoe", "<button e2 \"Red\">"]
            .map(|text| Line::new(text.to_owned(), None, false));
        assert_eq!(
            find(&lines, "shoe red", None, 9).lines,
            ["Buy [the red shoe](e1)", "# Red shoe"]
        );
        assert_eq!(find(&lines, "RED", Some("button"), 9).lines, ["<button e2 \"Red\">"]);
        assert_eq!(
            find(&lines, "red", None, 1),
            Found { lines: vec!["Buy [the red shoe](e1)"], total: 3 }
        );
        assert_eq!(find(&lines, " ", None, 9).lines, Vec::<&str>::new());
        assert_eq!(find(&lines, "", Some("button"), 9).total, 1);
    }

    #[test]
    fn digits_of_a_ref_are_no_words_but_a_ref_can_be_looked_for() {
        let lines = [
            "| Person 121 | <button e250 \"Edit\"> [Mail (home)](e251 current) |",
            "| Person 250 | <button e12 \"Edit\"> |",
            "options of e250: \"Room e9\"",
            "\\<button e77 is what the page says",
        ]
        .map(|text| {
            let is_aside = text.starts_with("options of");
            Line { is_aside, ..Line::new(text.to_owned(), None, false) }
        });
        assert_eq!(find(&lines, "Person 250", None, 9).lines, [&lines[1].text]);
        assert_eq!(find(&lines, "e250", None, 9).lines, [&lines[0].text, &lines[2].text]);
        assert_eq!(find(&lines, "251", None, 9).lines, Vec::<&str>::new());
        assert_eq!(find(&lines, "room e9", None, 9).lines, [&lines[2].text]);
        assert_eq!(find(&lines, "e77", None, 9).lines, [&lines[3].text]);
    }

    #[test]
    fn our_own_signs_are_no_words_of_the_page() {
        let lines = [
            "See [Home](e1 current) and <button e2 \"Go\" focused>",
            "<textbox e3 \"Name\" value=\"a (b) \\\"c\\\" <d\">",
            "options of e3: \"x\"|\"y\"",
        ]
        .map(|text| {
            let is_aside = text.starts_with("options of");
            Line { is_aside, ..Line::new(text.to_owned(), None, false) }
        });
        for query in ["(", ")", "<", "\"", "\"c\"", "a (b) \"c\" <d"] {
            let found = find(&lines, query, None, 9).lines;
            assert_eq!(found, [&lines[1].text], "{query}");
        }
        for query in ["[", "]", ">", "=", "|", "](", "\\"] {
            assert_eq!(find(&lines, query, None, 9).lines, Vec::<&str>::new(), "{query}");
        }
        assert_eq!(find(&lines, "see home", None, 9).total, 1);
        assert_eq!(find(&lines, "button go focused", None, 9).total, 1);
    }

    #[test]
    fn what_is_found_in_a_frame_says_so() {
        let border = |text: &str, border| Line {
            border: Some(border),
            ..Line::new(text.to_owned(), None, false)
        };
        let word = |text: &str| Line::new(text.to_owned(), None, false);
        let lines = [
            word("Pay 1"),
            border("frame https://ads.example:", Border::Opens),
            word("Pay 2"),
            border("frame https://deep.example:", Border::Opens),
            word("Pay 3"),
            border(END_OF_FRAME, Border::Closes),
            word("Pay 4"),
            border(END_OF_FRAME, Border::Closes),
            word("Pay 5"),
        ];
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(find(&lines, "pay", None, 9), Found { lines: texts.clone(), total: 5 });
        assert_eq!(find(&lines, "3", None, 9).lines, [texts[1], texts[3], texts[4]]);
        assert_eq!(find(&lines, "pay", None, 2), Found { lines: texts[..3].to_vec(), total: 5 });
        // What opens a frame is a hit of its own; what closes one is none.
        assert_eq!(
            find(&lines, "deep", None, 9),
            Found { lines: vec![texts[1], texts[3]], total: 1 }
        );
        let found = find(&lines, "e", None, 9);
        assert_eq!(found.total, 2);
        assert_eq!(found.lines, [texts[1], texts[3]]);
        assert_eq!(find(&lines, "end of frame", None, 9).total, 0);
    }
}
