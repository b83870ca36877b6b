//! Reads back what we wrote on a line: `<role e7 …>` and `[name](e3 …)`. No page can
//! write these ([`crate::forging`]), so what is read here is ours.

use std::ops::Range;

use crate::forging::is_escaped;
use crate::refs::Ref;

/// A control that has a ref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark<'a> {
    pub(crate) role: &'a str,
    pub(crate) name: Ref,
    /// The bytes of the ref.
    pub(crate) at: Range<usize>,
}

/// The controls of a line.
pub(crate) fn marks(line: &str) -> impl Iterator<Item = Mark<'_>> {
    line.match_indices(['<', '(']).filter_map(|(at, sign)| {
        let (before, after) = (&line[..at], &line[at + 1..]);
        let (role, ends) = if sign == "(" {
            let is_link = before.ends_with(']') && !is_escaped(&before[..at - 1]);
            (is_link.then_some("link")?, ')')
        } else {
            let letters = after.bytes().take_while(|byte| is_of_role(*byte)).count();
            let is_control = letters > 0 && (before.is_empty() || before.ends_with(' '));
            (is_control.then_some(&after[..letters])?, '>')
        };
        let start = if sign == "(" { at + 1 } else { at + role.len() + 2 };
        let name = line.get(start..)?;
        let is_apart = sign == "(" || line[..start].ends_with(' ');
        let digits = name.strip_prefix('e')?.bytes().take_while(u8::is_ascii_digit).count();
        let (name, rest) = name.split_at(digits + 1);
        let is_whole = is_apart && rest.starts_with([' ', ends]);
        let name = name.parse().ok().filter(|_| is_whole)?;
        Some(Mark { role, name, at: start..start + digits + 1 })
    })
}

/// What a role or the name of an element is spelled with.
pub(crate) fn is_of_role(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}

/// A line with the names of its controls in place of the controls.
pub(crate) fn names_alone(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut from = 0;
    for Mark { role, at, .. } in marks(line) {
        let is_link = role == "link" && line[..at.start].ends_with('(');
        let tail = &line[at.end..];
        if is_link {
            let before =
                line[from..].get(..(at.start - 2).saturating_sub(from)).unwrap_or_default();
            out.push_str(&before.replace('[', ""));
        } else {
            let open = at.start - role.len() - 2;
            out.push_str(line[from..].get(..open.saturating_sub(from)).unwrap_or_default());
            out.push_str(tail.strip_prefix(" \"").map_or("", |named| &named[..end_of(named, '"')]));
        }
        let quotes = tail.strip_prefix(" \"").map_or(0, |named| 2 + end_of(named, '"') + 1);
        let rest = tail.get(quotes..).unwrap_or_default();
        from =
            at.end + quotes.min(tail.len()) + end_of_control(rest, if is_link { ')' } else { '>' });
    }
    out.push_str(line.get(from..).unwrap_or_default());
    out
}

/// What a line says without our signs: brackets, quotes and the like around what is of
/// the page. Refs are no words either; roles and states are.
pub(crate) fn words_alone(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut from = 0;
    for Mark { role, at, .. } in marks(line) {
        let is_link = line[..at.start].ends_with('(');
        let (front, sign) = if is_link { (2, ')') } else { (role.len() + 2, '>') };
        // One control may be said to be inside another by the page's own words alone.
        let Some(before) = line.get(from..at.start - front) else { continue };
        match before.rfind('[').filter(|_| is_link) {
            Some(open) => {
                out.push_str(&before[..open]);
                out.push_str(&unescaped(&before[open + 1..]));
            }
            None => out.push_str(before),
        }
        if !is_link {
            out.push_str(role);
        }
        let end = at.end + end_of_control(&line[at.end..], sign);
        let inside = &line[at.end..end];
        out.push_str(&unquoted(inside.strip_suffix(sign).unwrap_or(inside)));
        from = end;
    }
    out.push_str(&line[from..]);
    out
}

/// Without quotes, and outside of them without what ties words together.
pub(crate) fn unquoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_quoted = false;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => out.extend(characters.next()),
            '"' => is_quoted = !is_quoted,
            '=' | '|' if !is_quoted => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

fn unescaped(text: &str) -> String {
    let mut characters = text.chars();
    let next =
        || characters.next().and_then(|c| if c == '\\' { characters.next() } else { Some(c) });
    std::iter::from_fn(next).collect()
}

/// A line whose controls don't say which of them has the focus.
pub(crate) fn without_focus(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut from = 0;
    for Mark { at, .. } in marks(line) {
        let sign = if line[..at.start].ends_with('(') { ')' } else { '>' };
        let end = at.end + end_of_control(&line[at.end..], sign);
        // One control may be said to be inside another by the page's own words alone.
        let Some(before) = line.get(from..at.end) else { continue };
        out.push_str(before);
        out.push_str(&without_focused(&line[at.end..end]));
        from = end;
    }
    out.push_str(&line[from..]);
    out
}

/// What follows the ref of a control, without the word that is no part of any quotes.
fn without_focused(control: &str) -> String {
    const FOCUSED: &str = " focused";
    let (mut is_quoted, mut is_escaped) = (false, false);
    let mut at = control.char_indices();
    let found = at.find_map(|(at, c)| {
        if !is_quoted && control[at..].starts_with(FOCUSED) {
            return Some(at);
        }
        is_quoted ^= c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        None
    });
    found.map_or_else(
        || control.to_owned(),
        |at| format!("{}{}", &control[..at], &control[at + FOCUSED.len()..]),
    )
}

/// Where the first such sign is that has no backslash before it.
fn end_of(text: &str, sign: char) -> usize {
    let mut is_escaped = false;
    let end = text.find(|c| {
        let is_end = c == sign && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    end.unwrap_or(text.len())
}

/// The length of what is left of a control, with its last sign.
fn end_of_control(text: &str, sign: char) -> usize {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let end = text.find(|c| {
        let is_end = c == sign && !is_quoted;
        is_quoted ^= c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |end| end + sign.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> Vec<(&str, String)> {
        marks(line).map(|mark| (mark.role, mark.name.to_string())).collect()
    }

    #[test]
    fn controls_and_links_are_read_and_nothing_else() {
        assert_eq!(
            told("~ [Home](e1 current) <button e22 \"Go\"> <my-tag e3>"),
            [("link", "e1".into()), ("button", "e22".into()), ("my-tag", "e3".into())]
        );
        for line in [
            "\\<button e1>",
            "x<button e1>",
            "[Pay]\\(e1)",
            "[Pay\\](e1)",
            "<button e1",
            "<e1>",
            "<button  e1>",
            "< e1>",
            "(e1)",
            "[x] (e1)",
            "<button e12…",
            "[x](e01)",
            "<button",
        ] {
            assert_eq!(told(line), [], "{line}");
        }
    }

    #[test]
    fn only_controls_say_of_themselves_that_they_have_the_focus() {
        for (line, plain) in [
            (
                "<button e1 \"Go\" focused> [a](e2 current focused) b",
                "<button e1 \"Go\"> [a](e2 current) b",
            ),
            (
                "<textbox e1 \"Be focused\" value=\"so focused\" focused required>",
                "<textbox e1 \"Be focused\" value=\"so focused\" required>",
            ),
            (
                "We are focused on <button e1 \"tea, focused\">, focused",
                "We are focused on <button e1 \"tea, focused\">, focused",
            ),
        ] {
            assert_eq!(without_focus(line), plain);
        }
    }

    #[test]
    fn a_control_gives_way_to_its_name() {
        for (line, names) in [
            ("[Green](e3) and [black](e4 current) tea", "Green and black tea"),
            (
                "| <button e65 \"Edit \\\">\" value=\"a>b\"> <checkbox e66 checked> |",
                "| Edit \\\">  |",
            ),
            ("<button e65>", ""),
            ("<button e65 \"cut…", "cut…"),
        ] {
            assert_eq!(names_alone(line), names);
        }
    }
}
