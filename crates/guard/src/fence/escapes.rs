//! What an escape stands for: entities of HTML, percent signs of URLs,
//! backslashes of scripts and style sheets, also nested (`&amp;lt;`).
//!
//! Lenient on purpose: a model reads `&lt` without its semicolon, so it counts.

/// Named entities that could be part of a tag. Sorted so that no name comes
/// after one that it begins with.
const NAMED: [(&str, char); 34] = [
    ("langle", '⟨'),
    ("lang", '⟨'),
    ("Lang", '⟪'),
    ("lsaquo", '‹'),
    ("laquo", '«'),
    ("nvlt", '<'),
    ("lt", '<'),
    ("amp", '&'),
    ("percnt", '%'),
    ("bsol", '\\'),
    ("frasl", '⁄'),
    ("sol", '/'),
    ("hyphen", '‐'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("horbar", '―'),
    ("minus", '−'),
    ("dash", '‐'),
    ("lowbar", '_'),
    ("nbsp", '\u{a0}'),
    ("ensp", '\u{2002}'),
    ("emsp", '\u{2003}'),
    ("thinsp", '\u{2009}'),
    ("hairsp", '\u{200a}'),
    ("shy", '\u{ad}'),
    ("zwnj", '\u{200c}'),
    ("zwj", '\u{200d}'),
    ("lrm", '\u{200e}'),
    ("rlm", '\u{200f}'),
    ("ZeroWidthSpace", '\u{200b}'),
    ("NoBreak", '\u{2060}'),
    ("NewLine", '\n'),
    ("Tab", '\t'),
    ("lbrack", '['),
];

/// The character at the beginning of `text` with its escapes undone, and how
/// many bytes it takes there. Whatever is looked at is also taken, up to a few
/// characters: reading a text to its end takes linear time.
pub(super) fn next_character(text: &str) -> Option<(char, usize)> {
    let mut character = text.chars().next()?;
    let mut length = character.len_utf8();
    loop {
        let rest = &text[length..];
        let undone = match character {
            '&' | '＆' => entity(rest),
            '%' | '％' => percent(rest),
            '\\' | '＼' => backslash(rest),
            _ => None,
        };
        let Some((decoded, taken)) = undone else { return Some((character, length)) };
        character = decoded;
        length += taken;
    }
}

/// An entity, after its ampersand.
fn entity(rest: &str) -> Option<(char, usize)> {
    let (character, taken) = match rest.strip_prefix('#') {
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(hexadecimal) => number_entity(hexadecimal, 16, 2)?,
            None => number_entity(number, 10, 1)?,
        },
        None => {
            let begins = |name: &str| {
                rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
            };
            let (name, character) = NAMED.iter().find(|(name, _)| begins(name))?;
            (*character, name.len())
        }
    };
    let semicolon = rest[taken..].chars().next().filter(|c| matches!(c, ';' | '；'));
    Some((character, taken + semicolon.map_or(0, char::len_utf8)))
}

fn number_entity(digits: &str, radix: u32, before: usize) -> Option<(char, usize)> {
    let count = digits.bytes().take_while(|byte| (*byte as char).is_digit(radix)).count();
    let significant = digits[..count].trim_start_matches('0');
    if count == 0 {
        return None;
    }
    let code = u32::from_str_radix(significant, radix).unwrap_or(u32::MAX);
    Some((char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), before + count))
}

/// A percent escape, after its sign: bytes of UTF-8, or `%u003c`.
fn percent(rest: &str) -> Option<(char, usize)> {
    if let Some(digits) = rest.strip_prefix(['u', 'U']) {
        return hexadecimal(digits, 4).map(|character| (character, 5));
    }
    let byte = |at: usize| {
        let digits = rest.get(at..at + 2)?;
        digits.bytes().all(|b| b.is_ascii_hexdigit()).then_some(())?;
        u8::from_str_radix(digits, 16).ok()
    };
    let first = byte(0)?;
    let length = match first {
        0..0x80 => return Some((char::from(first), 2)),
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..0xf8 => 4,
        _ => return None,
    };
    let mut bytes = vec![first];
    for number in 1..length {
        let at = number * 3;
        rest.get(at - 1..at).filter(|sign| *sign == "%")?;
        bytes.push(byte(at)?);
    }
    let character = std::str::from_utf8(&bytes).ok()?.chars().next()?;
    Some((character, length * 3 - 1))
}

/// A backslash escape, after its backslash. Style sheets write bare digits,
/// old scripts octal ones; of these only the bracket counts, since `\a` or `\e`
/// is more often a letter with a backslash before it.
fn backslash(rest: &str) -> Option<(char, usize)> {
    let kind = rest.chars().next()?;
    match kind {
        'u' | 'x' if rest[1..].starts_with('{') => {
            let digits = rest.get(2..)?;
            let end = digits.bytes().take(8).position(|byte| byte == b'}')?;
            hexadecimal(digits, end).map(|character| (character, end + 3))
        }
        'u' => hexadecimal(&rest[1..], 4).map(|character| (character, 5)),
        'U' => hexadecimal(&rest[1..], 8).map(|character| (character, 9)),
        'x' => hexadecimal(&rest[1..], 2).map(|character| (character, 3)),
        '0'..='9' => {
            let zeros = rest.bytes().take(6).take_while(|byte| *byte == b'0').count();
            let number = rest.get(zeros..zeros + 2)?;
            (number == "74" || number.eq_ignore_ascii_case("3c")).then_some(('<', zeros + 2))
        }
        _ => None,
    }
}

fn hexadecimal(digits: &str, count: usize) -> Option<char> {
    let digits = digits.get(..count)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(())?;
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escape_is_read_as_what_it_stands_for() {
        for (escaped, character) in [
            ("&lt;", '<'),
            ("&LT", '<'),
            ("&#60;", '<'),
            ("&#x0003C;", '<'),
            ("&amp;amp;lt;", '<'),
            ("%26lt;", '<'),
            ("%3c", '<'),
            ("%25%33", '%'),
            ("%EF%BC%9C", '＜'),
            ("\\u003c", '<'),
            ("\\x{3c}", '<'),
            ("\\00003c", '<'),
            ("&#99999999999999;", '\u{fffd}'),
        ] {
            let (read, length) = next_character(escaped).unwrap();
            assert_eq!(read, character, "{escaped}");
            assert!(character == '%' || length == escaped.len(), "{escaped}: {length}");
        }
    }

    #[test]
    fn what_is_no_escape_is_read_as_it_stands() {
        for plain in ["& ", "&x;", "%zz", "%é", "%", "\\", "\\é", "\\a", "&#;", "&#x;", "%f0%9f"]
        {
            let first = plain.chars().next();
            assert_eq!(next_character(plain).map(|(c, _)| Some(c)), Some(first), "{plain}");
        }
        assert_eq!(next_character(""), None);
    }

    #[test]
    fn no_name_hides_behind_a_shorter_one() {
        for (at, (name, _)) in NAMED.iter().enumerate() {
            let hides = NAMED[..at].iter().any(|(earlier, _)| {
                name.len() > earlier.len()
                    && name.to_lowercase().starts_with(&earlier.to_lowercase())
            });
            assert!(!hides, "{name}");
        }
    }
}
