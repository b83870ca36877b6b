//! Owns the reading of tool replies: their text, their images, and the ref of a button in a snapshot. Every
//! server writes refs in its own way; this is the only place that knows them.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::Value;

/// How a server writes an element's ref into its snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefStyle {
    /// `… button "Name" [ref=e5]` or `uid=1_5 button "Name"`: a key, somewhere in the element's line.
    Keyed(&'static str),
    /// `<button e5 "Name">`: the second word of the element's tag.
    InTag,
}

/// What a screenshot weighs and shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) bytes: usize,
    pub(crate) size: Option<(u32, u32)>,
}

/// All the text parts of a tool result: what a model would read.
pub(crate) fn text_of(result: &Value) -> String {
    let parts =
        result["content"].as_array().into_iter().flatten().filter_map(|part| part["text"].as_str());
    parts.collect::<Vec<_>>().join("\n")
}

/// The first image of a tool result.
pub(crate) fn picture_of(result: &Value) -> Option<Picture> {
    let parts = result["content"].as_array()?;
    let data = parts.iter().find(|part| part["type"] == "image")?["data"].as_str()?;
    let image = STANDARD.decode(data).ok()?;
    Some(Picture { bytes: image.len(), size: png_size(&image).or_else(|| jpeg_size(&image)) })
}

/// The ref of the button with this accessible name.
pub(crate) fn button_ref(snapshot: &str, name: &str, style: RefStyle) -> Option<String> {
    let quoted = format!("\"{name}\"");
    let word = match style {
        RefStyle::Keyed(key) => {
            let line =
                snapshot.lines().find(|line| line.contains("button") && line.contains(&quoted))?;
            &line[line.find(key)? + key.len()..]
        }
        RefStyle::InTag => {
            let before = &snapshot[..snapshot.find(&quoted)?];
            before[before.rfind("<button")?..].split_whitespace().nth(1)?
        }
    };
    reference_at(word)
}

/// The ref of whatever control has this accessible name.
pub(crate) fn control_ref(snapshot: &str, name: &str, style: RefStyle) -> Option<String> {
    let quoted = format!("\"{name}\"");
    let word = match style {
        RefStyle::Keyed(key) => {
            let line =
                snapshot.lines().find(|line| line.contains(&quoted) && line.contains(key))?;
            &line[line.find(key)? + key.len()..]
        }
        RefStyle::InTag => {
            let before = &snapshot[..snapshot.find(&quoted)?];
            before[before.rfind('<')?..].split_whitespace().nth(1)?
        }
    };
    reference_at(word)
}

fn reference_at(word: &str) -> Option<String> {
    let reference: String =
        word.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    (!reference.is_empty()).then_some(reference)
}

/// The JSON value in Playwright's reply to `browser_evaluate`, which also repeats the code.
pub(crate) fn evaluated(reply: &str) -> Option<Value> {
    let result = reply.split_once("### Result\n")?.1;
    let result = result.split_once("\n### ").map_or(result, |(value, _)| value);
    serde_json::from_str(result.trim()).ok()
}

fn png_size(image: &[u8]) -> Option<(u32, u32)> {
    let header = image.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    let number = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
    Some((number(8)?, number(12)?))
}

/// Walks JPEG's segments to the first start-of-frame, which holds height and width.
fn jpeg_size(image: &[u8]) -> Option<(u32, u32)> {
    let mut rest = image.strip_prefix(&[0xff, 0xd8])?;
    loop {
        let (&[0xff, marker, high, low], body) = rest.split_first_chunk::<4>()? else {
            return None;
        };
        let is_frame = (0xc0..=0xcf).contains(&marker) && ![0xc4, 0xc8, 0xcc].contains(&marker);
        if is_frame {
            let side = |at: usize| {
                Some(u32::from(u16::from_be_bytes(body.get(at..at + 2)?.try_into().ok()?)))
            };
            return Some((side(3)?, side(1)?));
        }
        rest = body.get(usize::from(u16::from_be_bytes([high, low])).checked_sub(2)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_ref_in_brackets_is_found() {
        let snapshot = "- generic [ref=e1]:\n  - link \"Press here\" [ref=e2]\n  - button \"Press here\" [ref=e5]";
        assert_eq!(
            button_ref(snapshot, "Press here", RefStyle::Keyed("ref=")).as_deref(),
            Some("e5")
        );
    }

    #[test]
    fn a_ref_among_other_states_is_found() {
        let snapshot =
            "- heading \"Hi\" [level=1, ref=e1]\n- button \"Press here\" [focused, ref=e2]";
        assert_eq!(
            button_ref(snapshot, "Press here", RefStyle::Keyed("ref=")).as_deref(),
            Some("e2")
        );
    }

    #[test]
    fn a_uid_in_front_of_the_role_is_found() {
        let snapshot = "uid=1_0 RootWebArea \"Press here\"\n  uid=1_5 button \"Press here\"";
        assert_eq!(
            button_ref(snapshot, "Press here", RefStyle::Keyed("uid=")).as_deref(),
            Some("1_5")
        );
    }

    #[test]
    fn a_ref_in_a_tag_is_found_among_others_of_the_same_line() {
        let snapshot = "# Static\n<button e3 \"Press here\"> <button e4 \"Show count\" disabled>";
        assert_eq!(button_ref(snapshot, "Press here", RefStyle::InTag).as_deref(), Some("e3"));
        assert_eq!(button_ref(snapshot, "Show count", RefStyle::InTag).as_deref(), Some("e4"));
    }

    #[test]
    fn a_control_of_any_kind_has_a_ref() {
        let peer = "- text: \"Tea\"\n- combobox \"Tea\" [ref=e7]:\n  - option \"Green\"";
        assert_eq!(control_ref(peer, "Tea", RefStyle::Keyed("ref=")).as_deref(), Some("e7"));
        let ours = "<textbox e3 \"Name\"> <checkbox e4 \"Send news\" checked>";
        assert_eq!(control_ref(ours, "Send news", RefStyle::InTag).as_deref(), Some("e4"));
    }

    #[test]
    fn no_button_has_no_ref() {
        assert_eq!(
            button_ref("- link \"Press here\" [ref=e2]", "Press here", RefStyle::Keyed("ref=")),
            None
        );
        assert_eq!(button_ref("[Press here](e2)", "Press here", RefStyle::InTag), None);
    }

    #[test]
    fn the_text_of_a_reply_leaves_images_out() {
        let reply = json!({ "content": [{ "type": "text", "text": "a" }, { "type": "image", "data": "eA==" },
            { "type": "text", "text": "b" }] });
        assert_eq!(text_of(&reply), "a\nb");
    }

    #[test]
    fn the_size_of_a_png_is_read_from_its_header() {
        let mut image = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        image.extend([0, 0, 5, 0, 0, 0, 2, 208]);
        let reply = json!({ "content": [{ "type": "image", "data": STANDARD.encode(&image) }] });
        assert_eq!(picture_of(&reply), Some(Picture { bytes: 24, size: Some((1280, 720)) }));
    }

    #[test]
    fn the_size_of_a_jpeg_is_read_behind_its_other_segments() {
        let image = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 11, 8, 2, 208, 5, 0, 3];
        assert_eq!(jpeg_size(&image), Some((1280, 720)));
        assert_eq!(jpeg_size(&image[..9]), None);
    }

    #[test]
    fn an_evaluated_value_is_read_without_the_code_after_it() {
        let reply = "### Result\n{\n \"controls\": 3\n}\n### Ran Playwright code\n```js\nx\n```";
        assert_eq!(evaluated(reply), Some(json!({ "controls": 3 })));
    }
}
