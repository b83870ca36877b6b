//! What the native-messaging host adds to the frames of the link ([`crate::link`]).
//! A browser takes messages of a megabyte at most from a host, and a pipe has no
//! close codes: so a large frame comes in parts, and the end of the link is told.
//! The other way, from the extension to the host, nothing is added.

use serde::{Deserialize, Serialize};

/// The name that browsers know the host by.
pub const NATIVE_HOST: &str = "com.outrigger.hub";

/// The largest message that a browser takes from a host.
pub const MAX_NATIVE_MESSAGE_BYTES: usize = 1024 * 1024;

/// Room in a message for what goes around the text of a part.
const AROUND_BYTES: usize = 256;

/// What the host says for itself, between the frames of the hub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "type")]
pub enum HostMessage {
    /// The next part of a frame that is too large for one message.
    #[serde(rename = "native_chunk")]
    Chunk {
        /// A piece of the frame's text.
        text: String,
        /// Whether the frame is whole with it.
        last: bool,
    },
    /// The link is over, and this is the last message.
    #[serde(rename = "native_closed")]
    Closed {
        /// The hub's close code, or one of the host's.
        code: u16,
        /// Why.
        reason: String,
    },
}

impl HostMessage {
    /// As text.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The parts of a frame, each small enough for one message; none for a frame that
/// is a message by itself.
pub fn chunks_of(frame: &str) -> impl Iterator<Item = HostMessage> + '_ {
    let mut rest = if frame.len() > MAX_NATIVE_MESSAGE_BYTES { frame } else { "" };
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (part, after) = rest.split_at(end_of_part(rest));
        rest = after;
        Some(HostMessage::Chunk { text: part.to_owned(), last: after.is_empty() })
    })
}

/// How many bytes of a text fit into one message, as JSON writes them.
fn end_of_part(text: &str) -> usize {
    let mut room = MAX_NATIVE_MESSAGE_BYTES - AROUND_BYTES;
    for (at, character) in text.char_indices() {
        let written = match character {
            '"' | '\\' => 2,
            '\0'..='\x1f' => 6,
            other => other.len_utf8(),
        };
        if written > room {
            return at;
        }
        room -= written;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(frame: &str) -> (String, Vec<bool>) {
        let (mut text, mut ends) = (String::new(), Vec::new());
        for message in chunks_of(frame) {
            assert!(message.to_text().len() <= MAX_NATIVE_MESSAGE_BYTES);
            let HostMessage::Chunk { text: part, last } = message else { panic!("no chunk") };
            text.push_str(&part);
            ends.push(last);
        }
        (text, ends)
    }

    #[test]
    fn a_frame_that_fits_is_not_cut() {
        assert_eq!(chunks_of(&"x".repeat(MAX_NATIVE_MESSAGE_BYTES)).count(), 0);
        assert_eq!(chunks_of("").count(), 0);
    }

    #[test]
    fn a_larger_frame_is_whole_again_and_every_part_fits_however_it_is_written() {
        for character in ["x", "\"", "\\", "\u{1}", "ö", "語", "🚣"] {
            let frame = character.repeat(2_500_000 / character.len());
            let (text, ends) = whole(&frame);
            assert!(text == frame, "{character:?}");
            let (last, before) = ends.split_last().unwrap();
            assert!(*last && before.len() >= 2 && before.iter().all(|last| !last), "{character:?}");
        }
        let (text, ends) = whole(&"x".repeat(MAX_NATIVE_MESSAGE_BYTES + 1));
        assert_eq!((text.len(), ends), (MAX_NATIVE_MESSAGE_BYTES + 1, vec![false, true]));
    }

    #[test]
    fn what_the_host_says_has_a_type_of_its_own() {
        let closed = HostMessage::Closed { code: 4005, reason: "Revoked".into() };
        let text = r#"{"type":"native_closed","code":4005,"reason":"Revoked"}"#;
        assert_eq!(closed.to_text(), text);
        let chunk = HostMessage::Chunk { text: "{".into(), last: true };
        assert_eq!(chunk.to_text(), r#"{"type":"native_chunk","text":"{","last":true}"#);
    }
}
