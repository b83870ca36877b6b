//! The source of a page without what its fields hold: which of them are secrets
//! only the page itself can tell. Taken apart as browsers do it, so that no quote
//! in a comment or a script hides a field; and what is no markup where it stands,
//! but may become some (scripts, comments, attributes), is gone through by itself.

use super::tag::Tag;

/// What stands in place of a value.
const NOT_SHOWN: &str = "[not shown]";

/// How deep texts inside of texts are gone through; deeper ones are not told if
/// they may hold a field. Each level costs the length of the text once more.
const DEPTH: usize = 3;

/// Elements whose content is text up to their closing tag.
const RAW: [&str; 9] =
    ["iframe", "noembed", "noframes", "noscript", "script", "style", "textarea", "title", "xmp"];

/// Elements without content.
const EMPTY: [&str; 13] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];

/// Attributes that say what a field is, and never what is in it.
const STRUCTURE: [&str; 4] = ["class", "id", "name", "type"];

/// A shorter value is a part of many words.
const LEAST_REPEATED: usize = 4;

/// A page's source without the values of its fields. Linear in its length.
pub(super) fn without_values(html: &str) -> String {
    let mut told = String::with_capacity(html.len());
    tell(html, DEPTH, &mut told);
    told
}

/// An element that is written in: its content is its value.
struct Editor<'a> {
    name: &'a str,
    /// How many of its name are open, itself among them.
    open: usize,
    /// Where its content begins in what is told.
    from: usize,
}

fn tell(html: &str, depth: usize, told: &mut String) {
    let is_text = depth < DEPTH;
    let mut editor: Option<Editor<'_>> = None;
    let mut at = 0;
    let mut field = 0;
    while let Some(start) = html[at..].find('<').map(|found| at + found) {
        told.push_str(&html[at..start]);
        let is_closing = html[start + 1..].starts_with('/');
        let begins_name = |c: char| c.is_ascii_alphabetic();
        if html[start + 1 + usize::from(is_closing)..].starts_with(begins_name) {
            // What looks like a tag in a script may have a quote that ends nowhere.
            if is_text && field <= start {
                field = next_field(html, start + 1);
            }
            let reach = if is_text { field } else { html.len() };
            let tag = Tag::read(&html[..reach], start, is_text);
            if let Some(editor) = editor.as_mut().filter(|editor| tag.is(editor.name)) {
                editor.open = if is_closing { editor.open - 1 } else { editor.open + 1 };
            }
            if let Some(editor) = editor.take_if(|editor| editor.open == 0) {
                hide_from(editor.from, told);
            }
            tell_tag(html, &tag, depth, told);
            if editor.is_none() && !is_closing && is_written_in(&tag) {
                editor = Some(Editor { name: tag.name, open: 1, from: told.len() });
            }
            at = if is_closing { tag.end } else { tell_raw(html, &tag, depth, told) };
        } else if html[start + 1..].starts_with(['!', '?', '/']) {
            at = end_of_comment(html, start);
            let inside = (start + 2).min(at);
            told.push_str(&html[start..inside]);
            tell_inside(&html[inside..at], depth, told);
        } else {
            told.push('<');
            at = start + 1;
        }
    }
    told.push_str(&html[at..]);
    if let Some(editor) = editor {
        hide_from(editor.from, told);
    }
}

fn hide_from(from: usize, told: &mut String) {
    if told.len() > from {
        told.truncate(from);
        told.push_str(NOT_SHOWN);
    }
}

/// Text that is no markup where it stands.
fn tell_inside(text: &str, depth: usize, told: &mut String) {
    match depth.checked_sub(1) {
        _ if !text.contains('<') => told.push_str(text),
        Some(depth) => tell(text, depth, told),
        None if may_hold_a_field(text) => told.push_str(NOT_SHOWN),
        None => told.push_str(text),
    }
}

/// What is in an element that has text alone in it. Answers where the closing tag
/// of that begins; for any other element, where its opening one ends.
fn tell_raw(html: &str, tag: &Tag<'_>, depth: usize, told: &mut String) -> usize {
    let Some(name) = RAW.into_iter().find(|name| tag.is(name)) else { return tag.end };
    let close = closing(html, tag.end, name, depth < DEPTH);
    let inside = &html[tag.end..close];
    match name {
        "textarea" if inside.trim().is_empty() => told.push_str(inside),
        "textarea" => told.push_str(NOT_SHOWN),
        _ => tell_inside(inside, depth, told),
    }
    close
}

/// A tag with the attributes that may be told.
fn tell_tag(html: &str, tag: &Tag<'_>, depth: usize, told: &mut String) {
    let (is_field, is_editor) = (tag.is("input"), is_written_in(tag));
    let value = tag.value("value").filter(|value| is_field && !value.is_empty());
    let mut copied = tag.start;
    for attribute in &tag.attributes {
        let text = &html[attribute.value.clone()];
        let is = |name: &str| attribute.name.eq_ignore_ascii_case(name);
        let repeats = value.is_some_and(|value| {
            text == value || (value.len() >= LEAST_REPEATED && text.contains(value))
        });
        let is_of_script = attribute.name.as_bytes().get(..5);
        let is_of_script = is_of_script.is_some_and(|start| start.eq_ignore_ascii_case(b"data-"));
        let is_value = (is_field && is("value"))
            || (repeats && !STRUCTURE.iter().any(|name| is(name)))
            || (is_editor && is_of_script);
        if is_value && !text.is_empty() {
            told.push_str(&html[copied..attribute.written.start]);
            told.push_str(&format!("\"{NOT_SHOWN}\""));
            copied = attribute.written.end;
        } else if text.contains(['<', '&']) {
            told.push_str(&html[copied..attribute.value.start]);
            // In markup that is escaped once more nothing is where it seems to be.
            if text.contains('&') && has_bracket(text) && may_hold_a_field(text) {
                told.push_str(NOT_SHOWN);
            } else {
                tell_inside(text, depth, told);
            }
            copied = attribute.value.end;
        }
    }
    told.push_str(&html[copied..tag.end]);
}

fn is_written_in(tag: &Tag<'_>) -> bool {
    let said = tag.value("contenteditable");
    said.is_some_and(|said| !said.eq_ignore_ascii_case("false"))
        && !EMPTY.iter().any(|name| tag.is(name))
}

/// A bracket that opens a tag, plainly or by its number or name.
fn has_bracket(text: &str) -> bool {
    ["<", "&lt", "&LT", "&#60", "&#x3c", "&#x3C", "&#X3c", "&#X3C"]
        .iter()
        .any(|written| text.contains(written))
}

/// Where the next field begins, or looks as if it did.
fn next_field(html: &str, from: usize) -> usize {
    let is_field = |at: usize| {
        ["input", "textarea"].iter().any(|name| {
            let found = html.as_bytes().get(at + 1..at + 1 + name.len());
            found.is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
        })
    };
    let mut brackets = html[from..].match_indices('<').map(|(at, _)| from + at);
    brackets.find(|at| is_field(*at)).unwrap_or(html.len())
}

fn may_hold_a_field(text: &str) -> bool {
    ["input", "textarea", "contenteditable"].iter().any(|word| find_plainly(text, word).is_some())
}

/// Behind what opens at `start` with `<!`, `<?` or `</` and is no tag.
fn end_of_comment(html: &str, start: usize) -> usize {
    let behind = |from: usize, mark: &str| {
        html[from..].find(mark).map_or(html.len(), |found| from + found + mark.len())
    };
    let Some(inside) = html[start..].strip_prefix("<!--") else { return behind(start, ">") };
    if let Some(empty) = [">", "->"].iter().find(|end| inside.starts_with(**end)) {
        return start + "<!--".len() + empty.len();
    }
    let from = start + "<!--".len();
    // The two that end it are one letter apart, so one search finds both.
    let mut at = from;
    while let Some(found) = html[at..].find("--").map(|found| at + found) {
        if let Some(end) = [">", "!>"].iter().find(|end| html[found + 2..].starts_with(**end)) {
            return found + 2 + end.len();
        }
        at = found + 1;
    }
    html.len()
}

/// Where the closing tag of an element begins that has text alone in it. In scripts
/// it is written with a backslash.
fn closing(html: &str, from: usize, name: &str, in_text: bool) -> usize {
    let mut at = from;
    while let Some(found) = html[at..].find('<').map(|found| at + found) {
        let rest = &html[found + 1..];
        let rest = rest.strip_prefix('\\').filter(|_| in_text).unwrap_or(rest);
        let named = rest.strip_prefix('/').and_then(|rest| rest.split_at_checked(name.len()));
        if named.is_some_and(|(found, after)| {
            let ends = |c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>');
            found.eq_ignore_ascii_case(name) && (after.is_empty() || after.starts_with(ends))
        }) {
            return found;
        }
        at = found + 1;
    }
    html.len()
}

/// Where a word of ASCII is, in any case.
fn find_plainly(text: &str, word: &str) -> Option<usize> {
    let mut windows = text.as_bytes().windows(word.len());
    windows.position(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_of_a_page_is_shown_without_what_its_fields_hold() {
        let html =
            "<p>Hi</p><INPUT type=password VALUE='a>b'><textarea name=pin>77</textarea><b>x</b>";
        let shown = without_values(html);
        assert!(!shown.contains('7') && !shown.contains("a>b") && !shown.contains("b'"), "{shown}");
        assert!(shown.contains("<p>Hi</p>") && shown.contains("<b>x</b>"), "{shown}");
    }

    #[test]
    fn nothing_before_a_field_makes_it_pass_for_something_else() {
        let field = "<input type=password name=p value=\"hunter2\">";
        for before in [
            "<!-- don't -->",
            "<!-- a > b -- ' -->",
            "<!--><!--->",
            "<!-- never closed '",
            "<!doctype html '>",
            "<?xml version='1.0?>",
            "</ '>",
            "<>'",
            "1 < 2 and it's \"so",
            "<script>if (a < b) say('it\\'s');</script>",
            "<script>a <b && c=\"",
            "<script>a <b && c='",
            "<script>x = '<input title=\"'; y = `",
            "<script><!-- <script> </script> '",
            "<style>a::before { content: '<' }</style>",
            "<title>It's <b title=\"</title>",
            "<textarea>it's <input value='</textarea>",
            "<noscript><img alt='</noscript>",
            "<p title=\"it's\">don't</p>",
            "<p title='",
            "<div data-template=\"<input title='\">",
            "<svg><![CDATA[><!--]]></svg>",
            "<a b=<input/c='>",
            "é<",
        ] {
            let shown = without_values(&format!("{before}{field}<p>after"));
            assert!(!shown.contains("hunter2"), "{before}: {shown}");
        }
    }

    #[test]
    fn a_value_goes_however_it_is_written_and_nothing_else_does() {
        for (html, shown) in [
            ("<input value=hunter2>", "<input value=\"[not shown]\">"),
            ("<input/value=hunter2/>", "<input/value=\"[not shown]\">"),
            ("<input/value='hunter2'/type=x>", "<input/value=\"[not shown]\"/type=x>"),
            ("<INPUT\n VALUE\t=\n'a b' x>", "<INPUT\n VALUE\t=\n\"[not shown]\" x>"),
            (
                "<input value=a value=b id=c>",
                "<input value=\"[not shown]\" value=\"[not shown]\" id=c>",
            ),
            (
                "<input data-value=1 title='value=\"2\"' value=3>",
                "<input data-value=1 title='value=\"2\"' value=\"[not shown]\">",
            ),
            (
                "<input name=pin title='my 1234' data-x=1234 value=1234>",
                "<input name=pin title=\"[not shown]\" data-x=\"[not shown]\" value=\"[not shown]\">",
            ),
            ("<input value=\"cut off", "<input value=\"[not shown]\""),
            ("<input value='' value>", "<input value='' value>"),
            ("<inputs value=1><option value=2>", "<inputs value=1><option value=2>"),
            ("<textarea>\n</textarea>", "<textarea>\n</textarea>"),
            ("<textarea>cut </text", "<textarea>[not shown]"),
            (
                "<div contenteditable data-copy=1>1<div>2</div><!-- </div> --></div>3",
                "<div contenteditable data-copy=\"[not shown]\">[not shown]</div>3",
            ),
            (
                "<p contenteditable=false>1</p><br contenteditable>2",
                "<p contenteditable=false>1</p><br contenteditable>2",
            ),
            (
                "<script>x = `<input value=\"a b\">`; y = '<input value=\\'a b\\'>'</script>",
                "<script>x = `<input value=\"[not shown]\">`; y = '<input value=\"[not shown]\">'</script>",
            ),
            (
                "<script>x = '<textarea>1<\\/textarea>2'</script>",
                "<script>x = '<textarea>[not shown]<\\/textarea>2'</script>",
            ),
            (
                "<iframe srcdoc=\"<p>a</p><input value='1'>\">",
                "<iframe srcdoc=\"<p>a</p><input value=\"[not shown]\">\">",
            ),
            (
                "<iframe srcdoc=\"&lt;input value=&quot;a b&quot;&gt;\" id=f>",
                "<iframe srcdoc=\"[not shown]\" id=f>",
            ),
            ("<a href='/?a=1&b=2' title='a &lt; b'>", "<a href='/?a=1&b=2' title='a &lt; b'>"),
        ] {
            assert_eq!(without_values(html), shown);
        }
    }

    #[test]
    fn texts_inside_of_texts_are_not_gone_through_without_end() {
        let mut html = "<input/value=hunter2>".to_owned();
        for _ in 0..10 {
            html = format!("<a/b=<{html}");
        }
        assert!(!without_values(&html).contains("hunter2"));
        for piece in [
            "<input/value=",
            "<a b='",
            "<!--",
            "<a ",
            "<div contenteditable>",
            "<script>",
            "</",
            "--",
        ] {
            let long = piece.repeat(400_000 / piece.len());
            let started = std::time::Instant::now();
            without_values(&long);
            assert!(started.elapsed().as_secs() < 5, "{piece}: {:?}", started.elapsed());
        }
    }
}
