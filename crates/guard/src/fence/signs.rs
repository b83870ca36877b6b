//! What a character could be taken for in a tag: a bracket, a slash, one of
//! the name's letters, or nothing that matters.
//!
//! Generous on purpose: twenty letters in the right order after a bracket are
//! no accident, so a far-fetched reading of one of them harms no ordinary text.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton;

use super::LETTERS;

/// What a character could be taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// Looks like `<`.
    Angle,
    /// Opens something else, such as `[`.
    OtherBracket,
    /// Looks like `/`.
    Slash,
    /// Stands between letters without being one: blanks, hyphens, marks, what
    /// nobody sees.
    Between,
    /// Looks like letters of the name; the bits are their places in it.
    Letters(u32),
    /// Any other letter or digit, and what ends a tag.
    Foreign,
}

/// What a character could be taken for, in order: a ligature is several
/// letters. Unless letters are awaited, only brackets are told apart.
pub(super) fn signs_of(character: char, letters_are_awaited: bool) -> Signs {
    let one = if character.is_ascii() {
        let is_bracket = matches!(character, '<' | '[' | '{' | '(');
        if letters_are_awaited || is_bracket { ascii(character) } else { Sign::Between }
    } else if is_angle(character) {
        Sign::Angle
    } else if is_other_bracket(character) {
        Sign::OtherBracket
    } else if !letters_are_awaited
        || is_combining_mark(character)
        || is_blank_letter(character)
        || character.is_whitespace()
    {
        Sign::Between
    } else {
        return folded(character);
    };
    Signs { list: [one; MOST], length: 1, at: 0 }
}

/// More than this no single character is taken for.
const MOST: usize = 6;

/// The readings of one character.
pub(super) struct Signs {
    list: [Sign; MOST],
    length: usize,
    at: usize,
}

impl Iterator for Signs {
    type Item = Sign;

    fn next(&mut self) -> Option<Sign> {
        let sign = self.list[..self.length].get(self.at).copied();
        self.at += 1;
        sign
    }
}

fn ascii(character: char) -> Sign {
    match character {
        '<' => Sign::Angle,
        '[' | '{' | '(' => Sign::OtherBracket,
        '/' | '\\' => Sign::Slash,
        '>' => Sign::Foreign,
        '0' => letters("o"),
        '3' => letters("e"),
        '4' | '@' => letters("a"),
        '5' | '$' => letters("s"),
        '6' | '9' => letters("g"),
        '7' | '+' => letters("t"),
        _ if character.is_ascii_alphanumeric() => {
            letters(character.to_ascii_lowercase().encode_utf8(&mut [0; 4]))
        }
        _ => Sign::Between,
    }
}

/// The places in the name where one of these letters stands.
fn letters(any_of: &str) -> Sign {
    let mut places = 0;
    for (place, letter) in LETTERS.iter().enumerate() {
        if any_of.as_bytes().contains(letter) {
            places |= 1 << place;
        }
    }
    if places == 0 { Sign::Foreign } else { Sign::Letters(places) }
}

/// Takes compatibility forms apart (full width, circled, ligatures, accents),
/// then asks what each piece is confused with.
fn folded(character: char) -> Signs {
    let mut signs = Signs { list: [Sign::Between; MOST], length: 0, at: 0 };
    if let Some(similar) = similar_letters(character) {
        signs.list[0] = letters(similar);
        signs.length = 1;
        return signs;
    }
    for piece in std::iter::once(character).nfkd() {
        let mut buffer = [0; 4];
        for look in skeleton(piece.encode_utf8(&mut buffer)) {
            let sign = sign_of_piece(piece, look);
            if sign != Sign::Between && signs.length < MOST {
                signs.list[signs.length] = sign;
                signs.length += 1;
            }
        }
    }
    signs
}

fn sign_of_piece(piece: char, look: char) -> Sign {
    // Confusables make no difference between `I` and `l`: ASCII stands for itself.
    let look = if piece.is_ascii() { piece } else { look };
    let lower = look.to_lowercase().next().unwrap_or(look);
    if is_angle(lower) {
        Sign::Angle
    } else if lower.is_ascii() {
        ascii(lower)
    } else if let Some(similar) = similar_letters(lower) {
        letters(similar)
    } else if lower.is_alphanumeric() && !is_combining_mark(lower) && !is_blank_letter(lower) {
        Sign::Foreign
    } else {
        Sign::Between
    }
}

/// Look-alikes of `<`, in order: less-than signs, and brackets, letters and
/// arrows that are an angle.
const ANGLES: [char; 81] = [
    '«', '˂', '˱', 'ᐸ', 'ᑅ', 'ᑉ', 'ᚲ', '‹', '←', '≤', '≦', '≨', '≪', '≮', '≰', '≲', '≴', '≶', '≺',
    '≼', '≾', '⊂', '⊏', '⋖', '⋘', '⋚', '⋜', '⋦', '\u{2329}', '⍃', '⏴', '◀', '◁', '◂', '◃', '◄',
    '◅', '❬', '❮', '❰', '⟨', '⟪', '⦑', '⦓', '⦕', '⧀', '⧼', '⩹', '⩻', '⩽', '⩿', '⪁', '⪃', '⪅', '⪇',
    '⪉', '⪡', '⪣', '⪦', '⪨', '⪪', '⪫', '⪬', '⫷', '⫹', '⮜', 'Ⲵ', 'ⲵ', 'ⵦ', '〈', '《', 'く',
    '\u{fe3d}', '\u{fe3f}', '﹤', '＜', '𐌭', '𖫬', '𖼥', '𝈶', '🞀',
];

fn is_angle(character: char) -> bool {
    character == '<' || (!character.is_ascii() && ANGLES.binary_search(&character).is_ok())
}

/// Brackets of other shapes.
fn is_other_bracket(character: char) -> bool {
    matches!(character,
        '（' | '［' | '｛' | '｟' | '｢' | '﹙' | '﹛' | '﹝' | '\u{3008}'..='\u{301b}' | '\u{2768}'..='\u{2775}'
        | '\u{27e6}'..='\u{27ef}' | '\u{2983}'..='\u{2998}' | '⁅' | '⁽' | '₍' | '\u{fe17}' | '\u{fe35}'..='\u{fe47}')
}

/// Letters by their category that are seen as nothing, or as a stroke.
fn is_blank_letter(character: char) -> bool {
    matches!(
        character,
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | 'ー' | '一' | 'ㅡ' | 'ᅳ' | '〡' | 'ｰ'
    )
}

/// What the tables of Unicode don't confuse, but an eye or an ear does.
fn similar_letters(character: char) -> Option<&'static str> {
    // Letters in a box or a disc, and the halves of flags, which decompose into nothing.
    let boxed = match u32::from(character) {
        code @ 0x1f150..=0x1f169 => Some(code - 0x1f150),
        code @ 0x1f170..=0x1f189 => Some(code - 0x1f170),
        code @ 0x1f1e6..=0x1f1ff => Some(code - 0x1f1e6),
        _ => None,
    };
    if let Some(at) = boxed {
        let at = at as usize;
        return "abcdefghijklmnopqrstuvwxyz".get(at..=at);
    }
    Some(match character {
        'ᴀ' | 'α' | 'ɐ' | 'Λ' | 'λ' | 'ä' | 'Δ' => "a",
        'ᴄ' | 'ɔ' | 'ς' | '¢' | '©' => "c",
        'ᴅ' | 'δ' | 'д' | 'ð' => "d",
        'ᴇ' | 'ε' | 'ǝ' | 'ә' | 'э' | 'є' | 'ξ' | 'Σ' | '€' | '℮' | 'ɛ' | 'ə' => "e",
        'ɢ' | 'ɡ' | 'ց' | 'γ' | 'ǥ' => "g",
        'ɴ' | 'η' | 'п' | 'π' | 'и' | 'ŋ' | 'ή' | 'н' | 'ո' => "n",
        'ᴏ' | 'σ' | 'ø' | 'ө' | 'θ' | 'ф' => "o",
        'ᴘ' | 'þ' | 'ρ' | 'р' => "p",
        'ʀ' | 'г' | 'я' | 'ɹ' | '®' => "r",
        'ꜱ' | 'ʃ' | '§' | 'с' => "sc",
        'ᴛ' | 'τ' | 'т' | 'ʇ' | '†' | 'Ŧ' | 'ŧ' => "t",
        'ᴜ' | 'υ' | 'µ' | 'μ' | 'ц' | 'у' | 'ʊ' | 'ս' | 'ü' => "u",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_angles_are_in_order() {
        assert!(ANGLES.is_sorted());
    }

    #[test]
    fn whatever_decomposes_or_is_confused_into_an_angle_is_one() {
        let is_missed = |character: &char| {
            let mut buffer = [0; 4];
            let text: &str = character.encode_utf8(&mut buffer);
            let becomes_one = text.nfkd().next() == Some('<') || skeleton(text).next() == Some('<');
            becomes_one && !is_angle(*character)
        };
        let missed: Vec<char> = ('\u{80}'..=char::MAX).filter(is_missed).collect();
        assert!(missed.is_empty(), "{missed:?}");
    }

    #[test]
    fn a_ligature_is_its_letters_and_an_accent_changes_nothing() {
        let read = |character| signs_of(character, true).collect::<Vec<_>>();
        assert_eq!(read('ﬆ'), [letters("s"), letters("t")]);
        assert_eq!(read('é'), [letters("e")]);
        assert_eq!(read('Ｕ'), [letters("u")]);
        assert_eq!(read('а'), [letters("a")]);
        assert_eq!(read('漢'), [Sign::Foreign]);
        assert_eq!(read('\u{200b}'), []);
    }
}
