//! Owns the reading of Outrigger's own snapshots: which controls, which text and which handles stand in one. Takes
//! the marks away, and only those, so that what is left compares with what others say.

use crate::words::{Haystack, fold};

/// What one or more of our snapshots say.
#[derive(Debug, Default)]
pub(crate) struct OurSnapshot {
    controls: Vec<String>,
    text: String,
    text_without_pictures: String,
}

/// The same, ready to be searched.
#[derive(Debug)]
pub(crate) struct Reached {
    /// Names of controls that have a ref.
    pub(crate) controls: Haystack,
    /// All that is to be read, names of controls included.
    pub(crate) text: Haystack,
    /// The names of the controls one by one, folded.
    names: Vec<String>,
}

impl Reached {
    /// How many controls bear this folded name, or one that holds it.
    pub(crate) fn count(&self, name: &str) -> usize {
        self.names.iter().filter(|known| known.contains(name)).count()
    }
}

impl OurSnapshot {
    /// Adds what a snapshot says.
    pub(crate) fn read(mut self, snapshot: &str) -> Self {
        let mut rest = body(snapshot);
        while let Some(c) = rest.chars().next() {
            rest = self.take(rest, c);
        }
        self.put("\n");
        self
    }

    pub(crate) fn searchable(&self) -> Reached {
        Reached {
            controls: Haystack::of_names(self.controls.iter().map(String::as_str)),
            text: Haystack::of_readings([self.text.as_str(), self.text_without_pictures.as_str()]),
            names: self.controls.iter().map(|name| fold(name)).collect(),
        }
    }

    /// Reads one mark or one character; gives what is left.
    fn take<'a>(&mut self, rest: &'a str, first: char) -> &'a str {
        if let Some((alternative, after)) = rest.strip_prefix("![").and_then(bracketed) {
            self.text.push_str(&alternative);
            return after;
        }
        if let Some((name, after)) = rest.strip_prefix('[').and_then(bracketed)
            && let Some(after) = after_reference(after)
        {
            self.put(&name);
            self.controls.push(name);
            return after;
        }
        if let Some((strings, after)) = tag(rest) {
            self.put(&strings.join(" "));
            self.controls.extend(strings);
            return after;
        }
        if let Some(after) = after_handle(rest) {
            return after;
        }
        let (one, after) = rest.split_at(first.len_utf8());
        self.put(one);
        after
    }

    fn put(&mut self, text: &str) {
        self.text.push_str(text);
        self.text_without_pictures.push_str(text);
    }
}

/// A snapshot without its fence and its head, title and address: these aren't seen on the page.
pub(crate) fn body(snapshot: &str) -> &str {
    let body = match snapshot.strip_prefix("<untrusted-page-content") {
        Some(fenced) => fenced.split_once("\n\n").map_or("", |(_, body)| body),
        None => snapshot,
    };
    body.split("</untrusted-page-content").next().unwrap_or(body)
}

/// What can be opened from a snapshot. A word of the page may look like a handle; opening it is refused then.
pub(crate) fn handles(snapshot: &str) -> Vec<String> {
    let words = snapshot.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
    let mut found: Vec<String> = Vec::new();
    for word in words.filter(|word| is_numbered(word, 's')) {
        if !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    }
    found
}

fn is_numbered(word: &str, letter: char) -> bool {
    word.strip_prefix(letter).is_some_and(|number| {
        (1..=7).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Up to the bracket that isn't escaped, on the same line; and what follows it.
fn bracketed(rest: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut characters = rest.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            ']' => return Some((name, &rest[at + 1..])),
            '\n' => return None,
            '\\' => name.extend(characters.next().map(|(_, escaped)| escaped)),
            c => name.push(c),
        }
    }
    None
}

/// Behind `(e3 expanded)` or `e3`.
fn after_reference(rest: &str) -> Option<&str> {
    if let Some(inner) = rest.strip_prefix('(') {
        let (inner, after) = inner.split_once(')')?;
        return is_numbered(inner.split_whitespace().next()?, 'e').then_some(after);
    }
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    is_numbered(&rest[..end], 'e').then_some(&rest[end..])
}

/// Behind ` s12 (340 tokens)` or a bare handle at the end of a line.
fn after_handle(rest: &str) -> Option<&str> {
    let word = rest.strip_prefix(' ')?;
    let end = word.find([' ', '\n']).unwrap_or(word.len());
    let (word, after) = word.split_at(end);
    if !is_numbered(word, 's') {
        return None;
    }
    match after.strip_prefix(" (") {
        Some(size) => size.split_once(')').map(|(_, after)| after),
        None => (after.is_empty() || after.starts_with('\n')).then_some(after),
    }
}

/// The strings in `<role e7 "name" value="…" state>`, and what follows it.
fn tag(rest: &str) -> Option<(Vec<String>, &str)> {
    let inner = rest.strip_prefix('<')?;
    let mut head = inner.split([' ', '>']);
    let (role, reference) = (head.next()?, head.next()?);
    if role.is_empty() || !is_numbered(reference, 'e') {
        return None;
    }
    let mut strings: Vec<String> = Vec::new();
    let mut is_quoted = false;
    let mut characters = inner.char_indices();
    while let Some((at, c)) = characters.next() {
        match (c, is_quoted) {
            ('>', false) => return Some((strings, &inner[at + 1..])),
            ('"', _) => {
                is_quoted = !is_quoted;
                if is_quoted {
                    strings.push(String::new());
                }
            }
            (c, true) => {
                let c =
                    if c == '\\' { characters.next().map_or(c, |(_, escaped)| escaped) } else { c };
                strings.last_mut()?.push(c);
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> OurSnapshot {
        OurSnapshot::default().read(text)
    }

    #[test]
    fn marks_are_taken_away_and_their_names_kept() {
        let ours = read(
            "See [the \\[1\\] note](e15 expanded)again ![a cat] <textbox e7 \"Search\" value=\"say \\\"hi\\\"\" focused> | x |",
        );
        assert_eq!(ours.text, "See the [1] noteagain a cat Search say \"hi\" | x |\n");
        assert_eq!(ours.controls, ["the [1] note", "Search", "say \"hi\""]);
        assert!(!ours.text_without_pictures.contains("cat"));
    }

    #[test]
    fn text_that_only_looks_like_a_mark_stays() {
        let ours = read("a [note] of <b>, s3 and [x] (see e3)");
        assert_eq!(ours.text, "a [note] of <b>, s3 and [x] (see e3)\n");
        assert!(ours.controls.is_empty());
    }

    #[test]
    fn head_and_fence_are_left_out() {
        let ours = read(
            "<untrusted-page-content id=1 domain=\"x\">\nTitle\nhttp://x/\n\n# Heading\n</untrusted-page-content id=1>",
        );
        assert_eq!(ours.text, "# Heading\n\n");
    }

    #[test]
    fn handles_are_found_and_no_text() {
        let line = "§ History s4 (1,240 tokens) · § Products s5 (860 tokens)";
        assert_eq!(handles(line), ["s4", "s5"]);
        assert_eq!(read(line).text, "§ History · § Products\n");
        assert_eq!(handles("the s-class, mis4 and s4x"), Vec::<String>::new());
    }

    #[test]
    fn controls_are_searched_apart_from_text() {
        let reached = read("Press [More](e3)").searchable();
        assert!(reached.controls.holds("more") && !reached.controls.holds("press"));
        assert!(reached.text.holds("press more"));
    }
}
