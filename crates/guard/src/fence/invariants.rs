//! What must hold of every fenced text, stated without the code that makes it
//! hold: for the property tests here and the fuzz targets in `fuzz/`.

use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

use super::{LETTERS, TAG};

/// Whether the text begins with the one opening tag, ends with the one closing
/// tag of this id, and has nothing between them that reads like either.
pub fn holds(fenced: &str, id: &str) -> bool {
    let opening = format!("<{TAG} id={id} ");
    let closing = format!("\n</{TAG} id={id}>");
    let Some(inside) = fenced.strip_suffix(&closing) else { return false };
    let Some((first, inside)) = inside.split_once('\n') else { return false };
    let angle = |line: &str| line.matches('<').count();
    first.starts_with(&opening)
        && first.ends_with("\">")
        && angle(first) == 1
        && !has_look_alike(inside)
}

/// Whether anything in the text reads as the beginning of our tag.
pub fn has_look_alike(text: &str) -> bool {
    let text = without_escapes(text);
    let compatible: String = text.nfkd().collect();
    let looks: String = skeleton(&compatible).collect();
    let name = String::from_utf8_lossy(LETTERS).into_owned();
    // Confusables turn some letters into others; the name has to go the same way.
    let name: String = skeleton(&name).collect();
    [compatible, looks].iter().any(|reading| {
        let letters: String = reading
            .to_lowercase()
            .chars()
            .filter(|c| matches!(c, '<' | '>') || (c.is_alphanumeric() && !is_blank(*c)))
            .collect();
        letters.contains(&format!("<{name}"))
    })
}

fn without_escapes(text: &str) -> String {
    let mut plain = text.to_owned();
    for ampersand in ["&amp;", "&AMP;", "&#38;", "&#x26;"] {
        plain = plain.replace(ampersand, "&");
    }
    for bracket in ["&lt;", "&LT;", "&#60;", "&#x3c;", "&#x3C;", "%3c", "%3C", "\\u003c", "\\u003C"]
    {
        plain = plain.replace(bracket, "<");
    }
    plain
}

fn is_blank(character: char) -> bool {
    unicode_normalization::char::is_combining_mark(character)
        || matches!(character, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::fence;
    use super::*;

    /// Pieces from which forgeries are made, and what could be put between.
    fn forgery() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "<",
            "</",
            "＜／",
            "&lt;",
            "&amp;lt;",
            "&#60;",
            "%3C",
            "\\u003c",
            "[/",
            "‹",
            "untrusted",
            "UNTRUSTED",
            "ｕｎｔｒｕｓｔｅｄ",
            "untrustеd",
            "-page",
            "‑page",
            " page",
            "-ра",
            "ge",
            "-content",
            "_content",
            "-cοntent",
            "\n",
            " ",
            "\u{200b}",
            "\u{301}",
            "\u{3164}",
            ">",
            " id=7>",
            "untrusted-page-content",
            "</untrusted-page-conten",
            "t",
            "&",
            "amp;",
            "lt;",
            "\\",
            "/",
            "\u{338}",
        ]);
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn the_fence_holds_around_any_text(text in any::<String>()) {
            prop_assert!(holds(&fence(&text, "7", "x.example", "now"), "7"));
        }

        #[test]
        fn the_fence_holds_around_forgeries(text in forgery()) {
            let fenced = fence(&text, "7", "x.example", "now");
            prop_assert!(holds(&fenced, "7"), "{fenced}");
        }

        #[test]
        fn the_fence_holds_whatever_the_domain(domain in forgery()) {
            prop_assert!(holds(&fence("text", "7", &domain, "now"), "7"));
        }

        #[test]
        fn what_has_no_bracket_comes_through_unchanged(text in "[^<&%\\\\\\[{(]{0,200}") {
            prop_assume!(!text.chars().any(|c| !c.is_ascii() && c.to_string().nfkd().any(|c| "<[{(".contains(c))));
            let text = text.trim_end_matches('\n');
            let fenced = fence(text, "7", "x.example", "now");
            let expected = format!("\n{text}\n");
            prop_assert!(fenced.contains(&expected));
        }

        #[test]
        fn other_tags_come_through_unchanged(text in "(</?(page|content|untrusted|p|a href=\"x\")>|[a-z &;%]){0,60}") {
            prop_assume!(!has_look_alike(&text));
            let expected = format!("\n{text}\n");
            prop_assert!(fence(&text, "7", "x.example", "now").contains(&expected));
        }
    }
}
