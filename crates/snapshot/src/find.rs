//! Searches a written page.

use std::ops::Range;

use crate::element::OPTIONS_OF;
use crate::line::Line;
use crate::marks::marks;
use crate::refs::Ref;

/// Lines that hold every word of the query, and where a role is given, a
/// control of that role; lines with the query as one piece come first.
pub fn find<'a>(lines: &'a [Line], query: &str, role: Option<&str>, limit: usize) -> Vec<&'a str> {
    let reference = query.trim().parse::<Ref>().ok();
    let query = query.to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    if words.is_empty() && role.is_none() {
        return Vec::new();
    }
    let mut hits: Vec<(bool, &str)> = lines
        .iter()
        .filter(|line| role.is_none_or(|role| has_role(line, role)))
        .filter_map(|line| {
            let (words_of_line, refs) = apart(line);
            let lower = words_of_line.to_lowercase();
            let matches = words.iter().all(|word| lower.contains(word));
            let is_named = reference.is_some_and(|wanted| refs.contains(&wanted));
            (matches || is_named).then(|| (!lower.contains(query.trim()), line.text.as_str()))
        })
        .collect();
    hits.sort_by_key(|(in_pieces, _)| *in_pieces);
    hits.into_iter().map(|(_, line)| line).take(limit).collect()
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

    #[test]
    fn the_whole_phrase_comes_before_its_scattered_words() {
        let lines = ["Buy [the red shoe](e1)", "# Red shoe", "<button e2 \"Red\">"]
            .map(|text| Line::new(text.to_owned(), None, false));
        assert_eq!(find(&lines, "shoe red", None, 9), ["Buy [the red shoe](e1)", "# Red shoe"]);
        assert_eq!(find(&lines, "RED", Some("button"), 9), ["<button e2 \"Red\">"]);
        assert_eq!(find(&lines, "red", None, 1).len(), 1);
        assert_eq!(find(&lines, " ", None, 9), Vec::<&str>::new());
        assert_eq!(find(&lines, "", Some("button"), 9).len(), 1);
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
        assert_eq!(find(&lines, "Person 250", None, 9), [&lines[1].text]);
        assert_eq!(find(&lines, "e250", None, 9), [&lines[0].text, &lines[2].text]);
        assert_eq!(find(&lines, "251", None, 9), Vec::<&str>::new());
        assert_eq!(find(&lines, "room e9", None, 9), [&lines[2].text]);
        assert_eq!(find(&lines, "e77", None, 9), [&lines[3].text]);
    }
}
