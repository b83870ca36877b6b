//! Searches a written page.

use crate::line::Line;

/// Lines that hold every word of the query, and where a role is given, a
/// control of that role; lines with the query as one piece come first.
pub fn find<'a>(lines: &'a [Line], query: &str, role: Option<&str>, limit: usize) -> Vec<&'a str> {
    let query = query.to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    let mut hits: Vec<(bool, &str)> = lines
        .iter()
        .filter(|line| role.is_none_or(|role| has_role(line, role)))
        .filter_map(|line| {
            let lower = line.text.to_lowercase();
            let matches = words.iter().all(|word| lower.contains(word));
            matches.then(|| (!lower.contains(query.trim()), line.text.as_str()))
        })
        .collect();
    hits.sort_by_key(|(in_pieces, _)| *in_pieces);
    hits.into_iter().map(|(_, line)| line).take(limit).collect()
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
    }
}
