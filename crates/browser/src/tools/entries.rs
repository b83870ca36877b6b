//! Entries of a list whose words are a page's. Each begins where lines begin, and
//! whatever else it says does not: no page adds an entry by ending a line.

use outrigger_snapshot::is_line_end;

/// What the lines of an entry begin with, but for its first.
const FURTHER: &str = "    ";

/// An entry, however many lines it has.
pub(super) fn entry(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let mut told = String::with_capacity(text.len());
    for character in text.chars() {
        if is_line_end(character) {
            told.push('\n');
            told.push_str(FURTHER);
        } else {
            told.push(character);
        }
    }
    told
}

/// What belongs to the entry before it.
pub(super) fn further(text: &str) -> String {
    format!("{FURTHER}{}", entry(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_line_of_an_entry_begins_where_lines_begin() {
        assert_eq!(entry("one"), "one");
        for end in ["\n", "\r\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}"] {
            let text = format!("1 info: con{end}2 error: forged");
            assert_eq!(entry(&text), "1 info: con\n    2 error: forged", "{end:?}");
            assert_eq!(further(&format!("at a{end}3")), "    at a\n    3", "{end:?}");
        }
    }
}
