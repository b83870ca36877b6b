//! Cuts lines that are too long to be one: a toolbar of hundreds of buttons, or
//! megabytes of text without a break. Nothing is lost; the parts are lines.

use crate::tokens::estimate;

/// A line of text may cost so much.
const LONGEST_TEXT: usize = 800;
/// A line of many controls may cost so much, so that it can be shown in part.
const LONGEST_ROW: usize = 120;
/// Many controls.
const MANY: usize = 12;
/// A text without a break is cut after so many bytes.
const TEXT_BYTES: usize = 2_000;

/// Where a part of a line begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Its first byte.
    pub(crate) at: usize,
    pub(crate) is_in_view: bool,
    pub(crate) is_control: bool,
}

/// A line, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) text: String,
    pub(crate) is_in_view: bool,
}

/// The parts of a line: itself, if it isn't too long.
pub(crate) fn cut(content: &str, pieces: &[Piece]) -> Vec<Part> {
    let controls = pieces.iter().filter(|piece| piece.is_control).count();
    let limit = if controls >= MANY { LONGEST_ROW } else { LONGEST_TEXT };
    let is_in_view = pieces.iter().any(|piece| piece.is_in_view);
    if estimate(content) <= limit {
        return vec![Part { text: content.trim_end().to_owned(), is_in_view }];
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut part = Part { text: String::new(), is_in_view: false };
    let mut used = 0;
    let ends = pieces.iter().skip(1).map(|piece| piece.at).chain([content.len()]);
    for (piece, end) in pieces.iter().zip(ends) {
        let text = &content[piece.at..end];
        let chunks = if piece.is_control { vec![text] } else { chunks(text) };
        for chunk in chunks {
            let price = estimate(chunk);
            if used > 0 && used + price > limit {
                let full =
                    std::mem::replace(&mut part, Part { text: String::new(), is_in_view: false });
                parts.push(full);
                used = 0;
            }
            part.text.push_str(chunk);
            part.is_in_view |= piece.is_in_view;
            used += price;
        }
    }
    parts.push(part);
    for (nth, part) in parts.iter_mut().enumerate() {
        // The first one may be indented.
        let text = if nth == 0 { part.text.trim_end() } else { part.text.trim() };
        part.text = text.to_owned();
    }
    parts.retain(|part| !part.text.is_empty());
    parts
}

/// A text in pieces, between words where there are any.
fn chunks(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    while rest.len() > TEXT_BYTES {
        let mut at = rest.floor_char_boundary(TEXT_BYTES);
        if let Some(blank) = rest[..at].rfind(char::is_whitespace).filter(|blank| *blank > 0) {
            at = blank;
        }
        // A backslash stays with what it stands before.
        if rest[..at].ends_with('\\') && !rest[at..].starts_with('\\') && at > 1 {
            at -= 1;
        }
        let (chunk, after) = rest.split_at(at);
        out.push(chunk);
        rest = after;
    }
    out.push(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(at: usize, is_control: bool, is_in_view: bool) -> Piece {
        Piece { at, is_in_view, is_control }
    }

    #[test]
    fn a_text_of_megabytes_becomes_lines_and_loses_nothing() {
        let text = "lorem ipsum ".repeat(100_000);
        let parts = cut(&text, &[piece(0, false, true)]);
        assert!(parts.len() > 100 && parts.iter().all(|part| estimate(&part.text) <= LONGEST_TEXT));
        let joined: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
        assert_eq!(joined.join(" "), text.trim());
        let solid = "ä".repeat(1_000_000);
        let parts = cut(&solid, &[piece(0, false, true)]);
        assert_eq!(parts.iter().map(|part| part.text.as_str()).collect::<String>(), solid);
    }

    #[test]
    fn a_row_of_many_controls_can_be_shown_in_part() {
        let mut row = String::new();
        let mut pieces = Vec::new();
        for n in 0..100 {
            pieces.push(piece(row.len(), true, n < 20));
            row.push_str(&format!("<button e{n} \"B{n}\"> "));
        }
        let parts = cut(&row, &pieces);
        assert!(parts.len() > 5);
        assert!(parts[0].is_in_view && !parts[parts.len() - 1].is_in_view);
    }
}
