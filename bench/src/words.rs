//! Owns how texts are compared: leniently, because every server has its own marks, quotes and white space. Two texts
//! are alike when their letters and digits are. Knows nothing of servers or pages.

/// A long text is looked for in pieces of so many words: whatever stands between two of them, in one text and not in
/// the other, then hides one piece and not all.
const WORDS_A_PIECE: usize = 8;

/// A shorter piece says too little when it is cut.
const WORDS_TO_CUT: usize = 5;
/// So many digits in a row are the time in milliseconds, and another one each time the page is loaded.
const DIGITS_OF_A_TIME: usize = 13;

/// A shorter name may be part of a word of another: it is looked for as words.
const LETTERS_OF_A_SHORT_NAME: usize = 12;

/// Letters and digits in small letters, nothing else.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut digits = 0;
    for c in text.chars() {
        digits = if c.is_ascii_digit() { digits + 1 } else { 0 };
        if c.is_alphanumeric() {
            folded.extend(c.to_lowercase());
        }
        if digits == DIGITS_OF_A_TIME {
            folded.truncate(folded.len() - DIGITS_OF_A_TIME);
            digits = 0;
        }
    }
    folded
}

/// Its words in small letters, each between two spaces.
fn spaced(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    format!(" {} ", words.map(str::to_lowercase).collect::<Vec<_>>().join(" "))
}

/// The pieces of a text that are looked for, in order.
pub(crate) fn pieces(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.chunks(WORDS_A_PIECE).map(|words| words.join(" ")).collect()
}

/// Texts in which others are looked for.
#[derive(Debug, Default)]
pub(crate) struct Haystack {
    folded: Vec<String>,
    /// Of names: their words, each between two spaces.
    words: Option<String>,
}

impl Haystack {
    /// Several readings of the same text: with and without what may stand between its words.
    pub(crate) fn of_readings<'a>(readings: impl IntoIterator<Item = &'a str>) -> Self {
        Self { folded: readings.into_iter().map(fold).collect(), words: None }
    }

    /// Names, of which none runs over into the next.
    pub(crate) fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        let folded: Vec<String> = names.iter().map(|name| fold(name)).collect();
        let words = names.iter().map(|name| spaced(name)).collect::<Vec<_>>().join("\n");
        Self { folded: vec![folded.join("\n")], words: Some(words) }
    }

    /// Whether a piece is in one of the readings; a piece without a letter or digit is everywhere.
    pub(crate) fn holds_piece(&self, piece: &str) -> bool {
        let folded = fold(piece);
        match &self.words {
            Some(words) if (1..LETTERS_OF_A_SHORT_NAME).contains(&folded.chars().count()) => {
                words.contains(&spaced(piece)) || self.has_line(&folded)
            }
            _ => folded.is_empty() || self.folded.iter().any(|text| text.contains(&folded)),
        }
    }

    /// Whether it is one of the names, however that is spaced.
    fn has_line(&self, folded: &str) -> bool {
        self.folded.iter().any(|text| text.lines().any(|line| line == folded))
    }

    /// Whether a piece is in it as a whole or, if it is long enough to mean something then, cut in two: a peer says a
    /// list in one breath, of which we tell the first items here and the others behind a handle.
    pub(crate) fn holds_piece_in_two(&self, piece: &str) -> bool {
        let words: Vec<&str> = piece.split_whitespace().collect();
        let is_cut = |at: usize| {
            let (first, second) = words.split_at(at);
            self.holds_piece(&first.join(" ")) && self.holds_piece(&second.join(" "))
        };
        self.holds_piece(piece) || (words.len() >= WORDS_TO_CUT && (1..words.len()).any(is_cut))
    }

    /// Whether all pieces of a text are in it.
    pub(crate) fn holds(&self, text: &str) -> bool {
        pieces(text).iter().all(|piece| self.holds_piece(piece))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_white_space_and_punctuation_make_no_difference() {
        let text =
            Haystack::of_readings(["Our pill\n identification-tool, will “display” pictures"]);
        assert!(text.holds("PILL identification tool will display"));
        assert!(text.holds(" | "));
        assert!(!text.holds("pills"));
    }

    #[test]
    fn the_time_at_which_a_page_was_loaded_makes_no_difference() {
        assert_eq!(fold("x.gif?1794788112260&a=1"), fold("x.gif?1794787538598&a=1"));
        assert_eq!(fold("in 2015"), "in2015");
    }

    #[test]
    fn a_long_text_is_found_piece_by_piece() {
        let text = Haystack::of_readings([
            "one two three four five six seven eight, by the way, nine ten",
        ]);
        assert!(text.holds("one two three four five six seven eight nine ten"));
        assert!(!text.holds("one two three four five six seven eight nine eleven"));
    }

    #[test]
    fn a_name_does_not_run_over_into_the_next() {
        let names = Haystack::of_names(["Sign", "In"]);
        assert!(names.holds("sign"));
        assert!(!names.holds("Sign In"));
    }

    #[test]
    fn a_short_name_is_no_part_of_a_word() {
        let names =
            Haystack::of_names(["Google", "Share on Facebook", "e-mail", "A very long name"]);
        assert!(!names.holds("Go") && !names.holds("book"));
        assert!(names.holds("share") && names.holds("Facebook") && names.holds("Email"));
        assert!(names.holds("very long name"));
    }

    #[test]
    fn only_a_long_piece_may_be_cut() {
        let text = Haystack::of_readings([
            "languages and more: routing statistics television, pin the tail on it",
        ]);
        assert!(text.holds_piece_in_two("languages routing statistics television pin"));
        assert!(!text.holds_piece("languages routing statistics television pin"));
        assert!(!text.holds_piece_in_two("pin it"));
        assert!(!text.holds_piece_in_two("languages statistics tail television it"));
    }

    #[test]
    fn one_reading_suffices() {
        let text = Haystack::of_readings(["see picture of a cat here", "see here"]);
        assert!(text.holds("See here"));
        assert!(text.holds("a cat"));
    }
}
