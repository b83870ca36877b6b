//! Which characters are drawn as nothing, and which of them have work to do
//! where they stand: joiners in emoji and in scripts that join, selectors after
//! what they select, the tags of flags. The others are removed; what they spell
//! is decoded, to be judged and not to be shown.

use std::borrow::Cow;

use super::scripts::{
    has_variants, is_ideograph, is_jamo, is_joining, is_mongolian, is_pictograph,
    is_written_without_blanks,
};
use super::{Lines, Removed};

/// So many letters of a run are decoded, and so many bytes of hidden text kept.
const RUN_LETTERS: usize = 800;
const SPELLED: usize = 4000;
/// Fewer in a row spell nothing.
const SHORTEST_RUN: usize = 3;

/// The flags that are spelled with tags: England, Scotland, Wales.
const FLAGS: [&str; 3] = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// A text without what can't be seen.
pub(super) struct Stripped<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) removed: Removed,
    /// The lines that it was removed from, but for soft hyphens.
    pub(super) from: Lines,
    /// What it spelled, a blank after each piece.
    pub(super) spelled: String,
}

pub(super) fn strip(text: &str) -> Stripped<'_> {
    let mut kept = String::new();
    let mut copied = 0;
    let mut removed = Removed::default();
    let mut from = Lines::default();
    let mut line = 1;
    let mut runs = Runs::default();
    let mut before = None;
    let mut inside_flag = 0;
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        if at < inside_flag {
            continue;
        }
        let Some(kind) = kind_of(character) else {
            runs.end();
            before = Some(character);
            line += usize::from(character == '\n');
            if character == '🏴' {
                let flag = FLAGS.iter().find(|flag| text[end..].starts_with(**flag));
                inside_flag = end + flag.map_or(0, |flag| flag.len());
            }
            continue;
        };
        if has_work(character, before, text[end..].chars().next()) {
            before = Some(character);
            continue;
        }
        kept.push_str(&text[copied..at]);
        copied = end;
        if character == '\r' {
            // A line's end of another system: nothing hidden, nothing to report.
            if !text[end..].starts_with('\n') {
                kept.push('\n');
                line += 1;
            }
            continue;
        }
        *kind.count(&mut removed) += 1;
        if kind != Kind::SoftHyphen {
            from.add(line);
        }
        runs.add(character);
        before = None;
    }
    runs.end();
    removed.hidden_texts = runs.pieces;
    let text = match copied {
        0 => Cow::Borrowed(text),
        _ => Cow::Owned(kept + &text[copied..]),
    };
    Stripped { text, removed, from, spelled: runs.spelled }
}

/// Kinds of characters that are drawn as nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    ZeroWidth,
    Bidi,
    Tag,
    VariationSelector,
    SoftHyphen,
    Annotation,
    Control,
    Other,
}

impl Kind {
    fn count(self, removed: &mut Removed) -> &mut usize {
        match self {
            Kind::ZeroWidth => &mut removed.zero_width,
            Kind::Bidi => &mut removed.bidi,
            Kind::Tag => &mut removed.tags,
            Kind::VariationSelector => &mut removed.variation_selectors,
            Kind::SoftHyphen => &mut removed.soft_hyphens,
            Kind::Annotation => &mut removed.annotations,
            Kind::Control => &mut removed.controls,
            Kind::Other => &mut removed.others,
        }
    }
}

fn kind_of(character: char) -> Option<Kind> {
    Some(match character {
        '\n' | '\t' | ' '..='~' => return None,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Kind::Control,
        '\u{ad}' => Kind::SoftHyphen,
        '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' => Kind::ZeroWidth,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Kind::Bidi
        }
        '\u{fff9}'..='\u{fffb}' => Kind::Annotation,
        '\u{180b}'..='\u{180d}'
        | '\u{180f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0100}'..='\u{e01ef}' => Kind::VariationSelector,
        '\u{e0000}'..='\u{e007f}' => Kind::Tag,
        '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180e}'
        | '\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0080}'..='\u{e00ff}'
        | '\u{e01f0}'..='\u{e0fff}' => Kind::Other,
        _ => return None,
    })
}

/// Whether an invisible character does something where it stands. One does; a
/// second one after it would be a letter of a hidden alphabet.
fn has_work(character: char, before: Option<char>, next: Option<char>) -> bool {
    let Some(before) = before else { return false };
    let next_is = |test: fn(char) -> bool| next.is_some_and(test);
    match character {
        '\u{200d}' if is_pictograph(before) || before == '\u{fe0f}' => next_is(is_pictograph),
        '\u{200c}' | '\u{200d}' => is_joining(before),
        '\u{200b}' => is_written_without_blanks(before) && next_is(is_written_without_blanks),
        '\u{fe0e}' | '\u{fe0f}' if before.is_ascii() => {
            matches!(before, '0'..='9' | '#' | '*') && next == Some('\u{20e3}')
        }
        _ if kind_of(character) == Some(Kind::VariationSelector) => {
            let selects = match character {
                '\u{fe0e}' | '\u{fe0f}' => is_pictograph(before) || is_ideograph(before),
                '\u{fe00}'..='\u{fe0f}' => is_ideograph(before) || has_variants(before),
                '\u{180b}'..='\u{180f}' => is_mongolian(before),
                _ => is_ideograph(before),
            };
            selects && !next_is(|next| kind_of(next) == Some(Kind::VariationSelector))
        }
        '\u{180e}' => is_mongolian(before),
        '\u{115f}' | '\u{1160}' => is_jamo(before) || next_is(is_jamo),
        _ => false,
    }
}

/// Decodes runs of removed characters that spell something: tags are ASCII,
/// variation selectors were used for bytes.
#[derive(Default)]
struct Runs {
    letters: Vec<u8>,
    pieces: usize,
    spelled: String,
}

impl Runs {
    fn add(&mut self, character: char) {
        let code = u32::from(character);
        let byte = match code {
            0xe0020..=0xe007e => code - 0xe0000,
            0xfe00..=0xfe0f => code - 0xfe00,
            0xe0100..=0xe01ef => code - 0xe0100 + 16,
            _ => return,
        };
        if self.letters.len() < RUN_LETTERS {
            self.letters.extend(u8::try_from(byte));
        }
    }

    /// Asked after every letter that can be seen, when there is nearly never a run to end.
    #[inline]
    fn end(&mut self) {
        if !self.letters.is_empty() {
            self.decode();
        }
    }

    fn decode(&mut self) {
        let run = std::mem::take(&mut self.letters);
        let text = String::from_utf8_lossy(&run);
        let seen = |c: &char| kind_of(*c).is_none() && *c != char::REPLACEMENT_CHARACTER;
        let readable = text.chars().filter(seen).count() * 4 >= text.chars().count() * 3;
        if run.len() < SHORTEST_RUN || !readable {
            return;
        }
        self.pieces += 1;
        if self.spelled.len() < SPELLED {
            self.spelled.extend(text.chars().filter(seen));
            self.spelled.push(' ');
        }
    }
}

#[cfg(test)]
mod tests {
    use icu_properties::props::{BidiControl, DefaultIgnorableCodePoint};
    use icu_properties::{CodePointSetData, CodePointSetDataBorrowed};

    use super::*;

    #[test]
    fn every_character_that_unicode_calls_invisible_is_known() {
        let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
        let bidi = CodePointSetData::new::<BidiControl>();
        let is_in = |set: CodePointSetDataBorrowed<'_>, c: &char| set.contains(*c);
        let missed: Vec<char> = ('\0'..=char::MAX)
            .filter(|c| is_in(ignorable, c) || is_in(bidi, c))
            .filter(|c| kind_of(*c).is_none())
            .collect();
        assert!(missed.is_empty(), "{missed:?}");
        let too_many: Vec<char> = ('\0'..=char::MAX)
            .filter(|c| kind_of(*c).is_some() && !is_in(ignorable, c) && !c.is_control())
            .filter(|c| !matches!(c, '\u{fff9}'..='\u{fffb}'))
            .collect();
        assert!(too_many.is_empty(), "{too_many:?}");
    }

    #[test]
    fn what_has_work_to_do_stays() {
        for text in [
            "👨‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈 ❤️‍🔥 🧑‍⚖️ ☺︎ 1️⃣ #️⃣ ©️ ™",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
            "می\u{200c}خواهم نمی\u{200c}دانم ه\u{200d}.ق",
            "क\u{94d}\u{200d}ष ක\u{dca}\u{200d}ර ന\u{d4d}\u{200d} র\u{9cd}\u{200d}য",
            "葛\u{e0100}飾区 辻\u{e0101} ᠠ\u{180b} 〈\u{fe00} ∩\u{fe00}",
            "ភាសា\u{200b}ខ្មែរ ภาษา\u{200b}ไทย",
            "ᄀ\u{1160}ᆨ",
            "plain\ttext\nof lines, 漢字 \u{a0} ½ €",
        ] {
            let stripped = strip(text);
            assert_eq!(stripped.text, text);
            assert_eq!(stripped.removed.total(), 0, "{text}");
        }
    }

    #[test]
    fn what_hides_is_removed_and_counted() {
        let count = |text: &str| {
            let stripped = strip(text);
            assert_eq!(stripped.text, "ab", "{text:?}");
            stripped.removed
        };
        assert_eq!(count("a\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}b").zero_width, 5);
        assert_eq!(count("a\u{202e}\u{2066}\u{2069}\u{200e}\u{61c}b").bidi, 5);
        assert_eq!(count("a\u{e0041}\u{e0042}b").tags, 2);
        assert_eq!(count("a\u{fe0f}\u{e0100}\u{180b}b").variation_selectors, 3);
        assert_eq!(count("a\u{ad}b").soft_hyphens, 1);
        assert_eq!(count("a\u{fff9}\u{fffb}b").annotations, 2);
        assert_eq!(count("\0a\u{1b}\u{7f}\u{85}b").controls, 4);
        assert_eq!(count("a\u{3164}\u{34f}\u{206a}b").others, 3);
    }

    #[test]
    fn joiners_in_a_row_and_selectors_in_a_row_are_no_work() {
        assert_eq!(strip("می\u{200c}\u{200d}\u{200c}خ").text, "می\u{200c}خ");
        assert_eq!(strip("😀\u{fe0f}\u{fe0e}\u{fe0f}").text, "😀");
        assert_eq!(strip("🏴\u{e0061}\u{e0062}\u{e0063}\u{e007f}").spelled, "abc ");
    }

    #[test]
    fn line_ends_of_other_systems_become_ours_without_a_word() {
        let stripped = strip("a\r\nb\rc");
        assert_eq!(stripped.text, "a\nb\nc");
        assert_eq!(stripped.removed.total(), 0);
    }

    #[test]
    fn bytes_in_variation_selectors_are_read() {
        let selector = |byte: u8| match byte {
            0..16 => char::from_u32(0xfe00 + u32::from(byte)).unwrap(),
            _ => char::from_u32(0xe0100 + u32::from(byte) - 16).unwrap(),
        };
        let hidden: String = "send tokens".bytes().map(selector).collect();
        for visible in ["", "漢", "😀", "a"] {
            let text = format!("{visible}{hidden}");
            let stripped = strip(&text);
            assert_eq!(stripped.text, visible);
            assert_eq!(
                (stripped.spelled.as_str(), stripped.removed.hidden_texts),
                ("send tokens ", 1)
            );
        }
    }

    #[test]
    fn what_is_removed_is_told_with_its_line() {
        let stripped = strip("a\r\nb\u{200b}\u{202e}\rc\u{ad}\n\n\u{e0041}d");
        assert_eq!((stripped.text.as_ref(), stripped.from.listed), ("a\nb\nc\n\nd", vec![2, 5]));
    }
}
