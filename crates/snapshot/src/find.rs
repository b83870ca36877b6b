//! Searches a written page.

use crate::line::Line;
use crate::refs::Ref;

/// Lines that hold every word of the query, and where a role is given, a
/// control of that role; lines with the query as one piece come first.
pub fn find<'a>(lines: &'a [Line], query: &str, role: Option<&str>, limit: usize) -> Vec<&'a str> {
    let reference = query.trim().parse::<Ref>().ok().map(|wanted| wanted.to_string());
    let query = query.to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    if words.is_empty() && role.is_none() {
        return Vec::new();
    }
    let mut hits: Vec<(bool, &str)> = lines
        .iter()
        .filter(|line| role.is_none_or(|role| has_role(line, role)))
        .filter_map(|line| {
            let (words_of_line, refs) = apart(&line.text);
            let lower = words_of_line.to_lowercase();
            let matches = words.iter().all(|word| lower.contains(word));
            let is_named = reference.as_deref().is_some_and(|wanted| refs.contains(&wanted));
            (matches || is_named).then(|| (!lower.contains(query.trim()), line.text.as_str()))
        })
        .collect();
    hits.sort_by_key(|(in_pieces, _)| *in_pieces);
    hits.into_iter().map(|(_, line)| line).take(limit).collect()
}

/// The elements that a line names.
pub fn refs_in(line: &str) -> Vec<Ref> {
    apart(line).1.into_iter().filter_map(|name| name.parse().ok()).collect()
}

/// A line without the refs that we put into it, and these: their digits are no
/// words of the page.
pub(crate) fn apart(line: &str) -> (String, Vec<&str>) {
    let mut words = String::with_capacity(line.len());
    let mut refs = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(['(', ' ']) {
        let (before, after) = rest.split_at(at + 1);
        words.push_str(before);
        let is_ours = before.ends_with("](")
            || before.rfind('<').is_some_and(|open| {
                is_role(&before[open + 1..at]) && !before[..open].ends_with('\\')
            })
            || words == "options of ";
        let digits = after
            .strip_prefix('e')
            .map_or(0, |digits| digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len()));
        let (reference, after) = after.split_at(if is_ours && digits > 0 { digits + 1 } else { 0 });
        if !reference.is_empty() {
            refs.push(reference);
        }
        rest = after;
    }
    words.push_str(rest);
    (words, refs)
}

fn is_role(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|letter| letter.is_ascii_lowercase())
}

fn has_role(line: &Line, role: &str) -> bool {
    match role {
        "link" => line.text.contains("](e"),
        "heading" => line.heading.is_some(),
        role => line.text.contains(&format!("<{role} e")),
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
        .map(|text| Line::new(text.to_owned(), None, false));
        assert_eq!(find(&lines, "Person 250", None, 9), [&lines[1].text]);
        assert_eq!(find(&lines, "e250", None, 9), [&lines[0].text, &lines[2].text]);
        assert_eq!(find(&lines, "251", None, 9), Vec::<&str>::new());
        assert_eq!(find(&lines, "room e9", None, 9), [&lines[2].text]);
        assert_eq!(find(&lines, "e77", None, 9), [&lines[3].text]);
    }
}
