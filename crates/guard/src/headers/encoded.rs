//! What is percent-encoded in a body, as objects in forms are, read as what it
//! stands for; where in it something was found is told in places of the body.

use std::ops::Range;

/// A text as it is meant, and where each of its bytes was written.
pub(super) struct Decoded {
    pub(super) text: String,
    written: Vec<usize>,
}

impl Decoded {
    /// Where something of the text is written.
    pub(super) fn place(&self, (from, to): (usize, usize)) -> (usize, usize) {
        (self.written[from], self.written[to])
    }
}

/// The pieces of a text that are encoded, in order. They end where nothing encoded
/// has a sign unencoded.
pub(super) fn encoded_in(text: &str) -> impl Iterator<Item = Decoded> {
    let ends = |c: char| c.is_whitespace() || "&\"<>`{}\\".contains(c);
    let mut at = 0;
    text.split_inclusive(ends).filter_map(move |piece| {
        let start = at;
        at += piece.len();
        let piece = piece.trim_end_matches(ends);
        is_encoded(piece).then(|| decoded(text, start..start + piece.len()))
    })
}

fn is_encoded(piece: &str) -> bool {
    piece.as_bytes().windows(3).any(|code| byte_of(code).is_some())
}

/// The byte that three stand for.
fn byte_of(code: &[u8]) -> Option<u8> {
    let [b'%', high, low] = code else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()
}

fn decoded(text: &str, range: Range<usize>) -> Decoded {
    let mut bytes = Vec::with_capacity(range.len());
    let mut written = Vec::with_capacity(range.len() + 1);
    let mut at = range.start;
    while at < range.end {
        written.push(at);
        let code = text.as_bytes().get(at..range.end.min(at + 3)).and_then(byte_of);
        let plain = text.as_bytes()[at];
        bytes.push(code.unwrap_or(if plain == b'+' { b' ' } else { plain }));
        at += if code.is_some() { 3 } else { 1 };
    }
    written.push(range.end);
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        // Each byte keeps its place; what it stood for in another encoding, nobody knows.
        let bytes = error.into_bytes();
        bytes.into_iter().map(|byte| if byte.is_ascii() { char::from(byte) } else { '?' }).collect()
    });
    Decoded { text, written }
}

#[cfg(test)]
mod tests {
    use crate::headers::{redact_body, redact_log, redact_url};

    #[test]
    fn encoded_objects_lose_their_secrets_and_nothing_else() {
        for (body, shown) in [
            (
                "a=1&data=%7B%22password%22%3A%22hunter2%22%7D&b=2",
                "a=1&data=%7B%22password%22%3A%22[redacted]%22%7D&b=2",
            ),
            (
                "data=%7B%22password%22%3A+%22hun'ter%C3%A9%22%2C+%22a%22%3A+1%7D",
                "data=%7B%22password%22%3A+%22[redacted]%22%2C+%22a%22%3A+1%7D",
            ),
            (
                "d=%257B%2522token%2522%253A%2522abc%2522%257D",
                "d=%257B%2522token%2522%253A%2522[redacted]%2522%257D",
            ),
            (
                "d=%5B%22a%FF%22%2C%7B%22pin%22%3A12%7D",
                "d=%5B%22a%FF%22%2C%7B%22pin%22%3A[redacted]%7D",
            ),
            (
                r#"{"to":"https%3A%2F%2Fy%2F%3Ftoken%3Dabc"}"#,
                r#"{"to":"https%3A%2F%2Fy%2F%3Ftoken%3D[redacted]"}"#,
            ),
            ("n=%224111111111111111%22", "n=%22[redacted]%22"),
            ("contrase%C3%B1a=hunter2", "contrase%C3%B1a=[redacted]"),
        ] {
            assert_eq!(redact_body(body), shown);
            assert_eq!(redact_log(body), shown);
        }
        assert_eq!(
            redact_url("/?a=1&data=%7B%22password%22%3A%22hunter2%22%7D&c=4111+1111+1111+1111"),
            "/?a=1&data=[redacted]&c=[redacted]"
        );
        for body in ["data=%7B%22a%22%3A%22b%22%7D", "50% of 7%22 and %", "q=password%3F&é=%zz%é"]
        {
            assert_eq!(redact_body(body), body);
        }
    }
}
