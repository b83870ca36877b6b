//! The ways in which values are written in a body: bare, in quotes, as a list, as
//! credentials. Where each ends; never whether it is a secret.

pub(super) fn is_name_character(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.') || is_accent(character)
}

/// A sign over the letter before it, where the two are not written as one.
pub(super) fn is_accent(character: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&character)
}

pub(super) fn end_of(text: &str, start: usize, belongs: impl Fn(char) -> bool) -> usize {
    text[start..].find(|c| !belongs(c)).map_or(text.len(), |length| start + length)
}

pub(super) fn end_of_credentials(text: &str, from: usize) -> usize {
    end_of(text, from, |c| c.is_ascii_alphanumeric() || "_-.+/=~".contains(c))
}

/// Whether it is Base64 of a name, a colon and a password.
pub(super) fn is_user_and_password(credentials: &str) -> bool {
    let digits = credentials.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(digits.len());
    let (mut bits, mut count) = (0_u32, 0);
    for digit in digits.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return false,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    let text = std::str::from_utf8(&bytes);
    text.is_ok_and(|text| text.contains(':') && !text.contains(char::is_control))
}

/// Where a value without quotes ends, and whether what follows says that it is
/// none. It stops there, so that no text is gone over for every name in it.
pub(super) fn end_of_bare(text: &str, start: usize) -> (usize, bool) {
    const CODE: &str = "([{=|?:";
    let ends = |c: char| c.is_whitespace() || "&,;}])\"'<>\\".contains(c) || CODE.contains(c);
    let letters = end_of(text, start, |c| !ends(c));
    // Base64 is filled up with these.
    let padding = if letters > start { text.as_bytes()[letters..].iter() } else { [].iter() };
    let to = letters + padding.take(2).take_while(|byte| **byte == b'=').count();
    (to, text[to..].starts_with(|c| CODE.contains(c)))
}

/// A value that says that there is none.
pub(super) fn is_nothing(value: &str) -> bool {
    matches!(value, "" | "null" | "true" | "false" | "undefined")
}

pub(super) fn not_empty(from: usize, to: usize) -> Option<(usize, usize)> {
    (from < to).then_some((from, to))
}

pub(super) fn skip_blanks(text: &str, at: usize) -> usize {
    end_of(text, at, char::is_whitespace)
}

/// A quotation mark with the backslashes before it: JSON inside of JSON.
pub(super) struct Quote {
    mark: u8,
    backslashes: usize,
    /// Just after it.
    pub(super) end: usize,
}

pub(super) fn quote_at(text: &str, at: usize) -> Option<Quote> {
    let bytes = &text.as_bytes()[at..];
    let backslashes = bytes.iter().take_while(|byte| **byte == b'\\').count();
    let mark = *bytes.get(backslashes).filter(|byte| matches!(byte, b'"' | b'\''))?;
    Some(Quote { mark, backslashes, end: at + backslashes + 1 })
}

/// Where the text in quotes ends: before a mark like the opening one that is not
/// escaped more than it, or at the end of a text that was cut off.
pub(super) fn end_of_quoted(text: &str, opening: &Quote) -> usize {
    let mut backslashes = 0;
    for (offset, byte) in text.as_bytes()[opening.end..].iter().enumerate() {
        match *byte {
            b'\\' => backslashes += 1,
            byte if byte == opening.mark && is_closing(opening.backslashes, backslashes) => {
                return opening.end + offset - backslashes.min(opening.backslashes);
            }
            _ => backslashes = 0,
        }
    }
    text.len()
}

/// An escaped mark has one more backslash than the opening one; an even number
/// of more are backslashes of the text itself.
fn is_closing(opening: usize, found: usize) -> bool {
    found <= opening || (opening == 0 && found.is_multiple_of(2))
}

/// Where a list ends that begins here, brackets inside of strings aside.
pub(super) fn end_of_list(text: &str, start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    while let Some(found) = text[at..].find(['[', ']', '"', '\'']) {
        let here = at + found;
        match text.as_bytes()[here] {
            b'[' => depth += 1,
            b']' => depth -= 1,
            mark => {
                at = end_of_quoted(text, &Quote { mark, backslashes: 0, end: here + 1 });
            }
        }
        if depth == 0 {
            return here + 1;
        }
        at = (here + 1).max(at + 1).min(text.len());
        if !text.is_char_boundary(at) {
            return text.len();
        }
    }
    text.len()
}
