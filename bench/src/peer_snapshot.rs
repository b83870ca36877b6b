//! Owns the reading of the peers' snapshots: which controls and texts one names. They are written alike, a line for
//! each element: `- link "Name" [ref=e3]`, `- paragraph [ref=e4]: text`, `uid=1_2 link "Name"`, `uid=1_3 "text"`.

/// What a peer says of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    /// A control by this name.
    Control(String),
    /// Something to read.
    Text(String),
}

const CONTROLS: [&str; 14] = [
    "link",
    "button",
    "textbox",
    "searchbox",
    "checkbox",
    "radio",
    "combobox",
    "switch",
    "tab",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "slider",
    "spinbutton",
];

/// All that a snapshot says, in its order. What has no name is left out: nobody could look for it elsewhere.
pub(crate) fn parse(snapshot: &str) -> Vec<Said> {
    let mut said: Vec<Said> =
        snapshot.lines().filter_map(element).flat_map(parse_element).collect();
    said.retain(|one| match one {
        Said::Control(text) | Said::Text(text) => text.chars().any(char::is_alphanumeric),
    });
    said
}

/// What stands behind the mark of a line; none for a line that isn't of an element.
fn element(line: &str) -> Option<&str> {
    let line = line.trim_start();
    match line.strip_prefix("uid=") {
        Some(line) => line.split_once(' ').map(|(_, element)| element),
        None => line.strip_prefix("- "),
    }
}

fn parse_element(element: &str) -> Vec<Said> {
    // A key that holds a colon of its own is quoted as a whole.
    let unquoted: String;
    let (key, value) = if element.starts_with('\'') {
        let end = element.rfind('\'').filter(|end| *end > 0).unwrap_or(element.len());
        unquoted = element[1..end].replace("''", "'");
        (unquoted.as_str(), element.get(end + 1..).and_then(|rest| rest.strip_prefix(": ")))
    } else {
        split_value(element)
    };
    let role_ends = key.find([' ', '"', '[', ':']).unwrap_or(key.len());
    let (role, rest) = key.split_at(role_ends);
    // Addresses aren't to be read; a placeholder is.
    if role == "/url" {
        return Vec::new();
    }
    let mut said = Vec::new();
    if let Some(name) = rest.trim_start().strip_prefix('"').map(until_quote) {
        said.push(if CONTROLS.contains(&role) { Said::Control(name) } else { Said::Text(name) });
    }
    let attribute = rest.split_once(" value=\"").map(|(_, value)| until_quote(value));
    said.extend(value.map(unquote).into_iter().chain(attribute).map(Said::Text));
    said
}

/// Splits `key: value` at the first colon that is neither in quotes nor in brackets.
fn split_value(element: &str) -> (&str, Option<&str>) {
    let (mut is_quoted, mut is_escaped, mut depth) = (false, false, 0_usize);
    for (at, c) in element.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            '[' if !is_quoted => depth += 1,
            ']' if !is_quoted => depth = depth.saturating_sub(1),
            ':' if !is_quoted && depth == 0 => {
                let value = element[at + 1..].trim();
                return (&element[..at], (!value.is_empty()).then_some(value));
            }
            _ => {}
        }
    }
    (element, None)
}

fn unquote(value: &str) -> String {
    match value.strip_prefix('"') {
        Some(quoted) => until_quote(quoted),
        None => value.trim_matches('\'').to_owned(),
    }
}

/// Up to the closing quote, without the backslashes of what is escaped.
fn until_quote(quoted: &str) -> String {
    let mut text = String::new();
    let mut characters = quoted.chars();
    while let Some(c) = characters.next() {
        match c {
            '"' => break,
            '\\' => match characters.next() {
                Some('n' | 't') => text.push(' '),
                Some(escaped) => text.push(escaped),
                None => {}
            },
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(name: &str) -> Said {
        Said::Control(name.to_owned())
    }

    fn text(text: &str) -> Said {
        Said::Text(text.to_owned())
    }

    #[test]
    fn a_snapshot_of_playwright_is_read() {
        let snapshot = "### Page\n- Page URL: x\n```yaml\n- generic [ref=e2]:\n  - link \"Say \\\"hi\\\"\" [ref=e4] [cursor=pointer]:\n    \
            - /url: \"#content\"\n  - 'button \"Note: it''s new\" [ref=e5]'\n  - text: /\n  - paragraph [ref=e6]: \"Ratio: 1\"\n  \
            - textbox \"Name\" [ref=e7]: Ada\n  - listitem [ref=e8]: one: two";
        assert_eq!(
            parse(snapshot)[1..],
            [
                control("Say \"hi\""),
                control("Note: it's new"),
                text("Ratio: 1"),
                control("Name"),
                text("Ada"),
                text("one: two"),
            ]
        );
    }

    #[test]
    fn a_snapshot_of_devtools_is_read() {
        let snapshot = "## Latest page snapshot\nuid=3_0 RootWebArea \"Shop\" url=\"http://x/\"\n  uid=3_1 link \" More \" url=\"http://x/a:b\"\n  \
            uid=3_2 \", \"\n  uid=3_3 \"By\"\n  uid=3_4 textbox \"Name\" value=\"Ada\"";
        assert_eq!(
            parse(snapshot),
            [text("Shop"), control(" More "), text("By"), control("Name"), text("Ada")]
        );
    }

    #[test]
    fn a_snapshot_of_agent_browser_is_read() {
        let snapshot = "- listitem [level=1]\n  - ListMarker \"• \"\n  - link \"Tech: new\" [ref=e308]\n  - StaticText \"Hello\"\n- image";
        assert_eq!(parse(snapshot), [control("Tech: new"), text("Hello")]);
    }
}
