//! What a JSONPath leads to in a context. The library that follows a path can't be
//! stopped, and `$..*..*..*` explodes: so before it runs, the most that it could take is
//! told from the shape of the path and of the context.

use serde_json::Value;
use serde_json_path::JsonPath;

use super::Limits;
use super::error::Fault;
use super::size::{json_bytes, nodes_and_levels};

/// Parentheses and brackets within each other: the library's parser tries each of them
/// in several ways.
const NESTED: usize = 6;
/// What it costs to make a pattern ready, in steps: any one, a letter of it, and what
/// stands for many letters.
const PATTERN: u64 = 2_000;
const LETTER: u64 = 20;
const CLASS: u64 = 1_000;

/// The value of a path that leads to one place (null, where nothing is there), or the
/// list of what a path finds that could lead to several. Takes its steps from those left.
pub(super) fn extract(
    path: &str,
    context: &Value,
    left: &mut Limits,
    limits: &Limits,
) -> Result<Value, Fault> {
    if path.len() > limits.source_bytes {
        return Err(Fault::SourceTooLong { limit: limits.source_bytes });
    }
    let shape = Shape::of(path)?;
    let reached = if shape.roots == 0 { after_names(path, context) } else { context };
    let (nodes, levels) = nodes_and_levels(reached);
    left.path_steps = left
        .path_steps
        .checked_sub(shape.steps(nodes, levels))
        .ok_or(Fault::PathTooCostly { limit: limits.path_steps })?;
    let parsed =
        JsonPath::parse(path).map_err(|error| Fault::BadPath { problem: error.to_string() })?;
    let found = parsed.query(context);
    if shape.is_singular {
        let found = found.first().unwrap_or(&Value::Null);
        return match json_bytes(found, limits.entry_bytes) {
            Some(_) => Ok(found.clone()),
            None => Err(Fault::TooLarge { limit: limits.entry_bytes }),
        };
    }
    let found = found.all();
    match json_bytes(&found, limits.entry_bytes) {
        Some(_) => Ok(found.into_iter().cloned().collect()),
        None => Err(Fault::TooLarge { limit: limits.entry_bytes }),
    }
}

/// Where the plain names at the beginning of a path lead: nothing else is looked at.
fn after_names<'v>(path: &str, context: &'v Value) -> &'v Value {
    let mut reached = context;
    let mut rest = path.strip_prefix('$').unwrap_or_default();
    while let Some(after) = rest.strip_prefix('.') {
        let is_of_name = |c: char| c == '_' || c.is_alphanumeric();
        let end = after.find(|c| !is_of_name(c)).unwrap_or(after.len());
        let (name, more) = after.split_at(end);
        if name.is_empty() || !(more.is_empty() || more.starts_with(['.', '['])) {
            break;
        }
        reached = reached.get(name).unwrap_or(&Value::Null);
        rest = more;
    }
    reached
}

/// What decides how long a path takes.
#[derive(Debug, PartialEq, Eq)]
struct Shape {
    /// Whether it can lead to one place only.
    is_singular: bool,
    /// How often it goes down to any depth.
    descents: u32,
    /// How often a value can be chosen by the selectors of one bracket, all multiplied.
    choices: u64,
    /// How often filters begin at the root again.
    roots: u32,
    /// How many filters there are.
    filters: u64,
    /// What patterns cost for each value that they are tried on.
    patterns: u64,
}

/// What a bracket or a parenthesis is of.
enum Open {
    Selectors { commas: u64 },
    Group,
    Pattern,
}

impl Shape {
    /// A value is found by each of its ancestors at most, for each `..`; so values times
    /// levels to that power is more than there can be, times what is done with each.
    fn steps(&self, nodes: u64, levels: u64) -> u64 {
        let found = nodes
            .saturating_mul(levels.saturating_pow(self.descents))
            .saturating_mul(self.choices)
            .saturating_mul(nodes.saturating_pow(self.roots));
        found.saturating_mul(1 + self.filters + self.patterns)
    }

    fn of(path: &str) -> Result<Self, Fault> {
        let mut shape =
            Shape { is_singular: true, descents: 0, choices: 1, roots: 0, filters: 0, patterns: 0 };
        let mut open: Vec<Open> = Vec::new();
        let mut at = 0;
        while let Some(c) = path[at..].chars().next() {
            let rest = &path[at..];
            let is_in_pattern = matches!(open.last(), Some(Open::Pattern));
            let mut length = c.len_utf8();
            match c {
                '\'' | '"' => {
                    length = quoted(rest, c);
                    if is_in_pattern {
                        shape.patterns += pattern_cost(&rest[..length])?;
                    }
                }
                '.' if rest.starts_with("..") => {
                    shape.is_singular = false;
                    shape.descents += 1;
                    length = 2;
                }
                '?' => {
                    shape.is_singular = false;
                    shape.filters += 1;
                }
                '*' | ':' => shape.is_singular = false,
                '$' if at > 0 => shape.roots += 1,
                ',' => shape.comma(&mut open, &rest[1..])?,
                '[' => open.push(Open::Selectors { commas: 0 }),
                '(' => open.push(opened(&path[..at], &rest[1..])?),
                ']' | ')' => {
                    if let Some(Open::Selectors { commas }) = open.pop() {
                        shape.choices = shape.choices.saturating_mul(commas + 1);
                    }
                }
                _ => {}
            }
            if open.len() > NESTED {
                return Err(Fault::NotOffered {
                    what: format!("more than {NESTED} brackets within each other"),
                });
            }
            at += length;
        }
        Ok(shape)
    }

    fn comma(&mut self, open: &mut [Open], after: &str) -> Result<(), Fault> {
        match open.last_mut() {
            Some(Open::Pattern) if !after.trim_start().starts_with(['\'', '"']) => {
                Err(Fault::NotOffered { what: "a pattern that is no text".to_owned() })
            }
            Some(Open::Selectors { commas }) => {
                self.is_singular = false;
                *commas += 1;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

fn opened(before: &str, after: &str) -> Result<Open, Fault> {
    if !before.ends_with("match") && !before.ends_with("search") {
        return Ok(Open::Group);
    }
    if !after.trim_start().starts_with('@') {
        return Err(Fault::NotOffered { what: "a pattern on anything but `@`".to_owned() });
    }
    Ok(Open::Pattern)
}

/// How long a text is, with its quotes, or all of the rest where it doesn't end.
fn quoted(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// A pattern is made ready for every value that it is tried on.
fn pattern_cost(pattern: &str) -> Result<u64, Fault> {
    if pattern.contains('{') {
        return Err(Fault::NotOffered { what: "`{` in a pattern".to_owned() });
    }
    let cost = |c| if matches!(c, '\\' | '[' | '.') { CLASS } else { LETTER };
    Ok(PATTERN + pattern.chars().map(cost).sum::<u64>())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn extracted(path: &str) -> Result<Value, &'static str> {
        let context = json!({
            "content": {"mainText": "words", "links": [
                {"text": "Docs", "href": "/docs"}, {"text": "API", "href": "/api"}]},
            "a,b": 1,
        });
        let limits = Limits::default();
        extract(path, &context, &mut limits.clone(), &limits)
            .map_err(|fault| fault.of("key").code())
    }

    #[test]
    fn a_path_to_one_place_yields_its_value() {
        for (path, expected) in [
            ("$.content.mainText", json!("words")),
            ("$['content']['links'][1].text", json!("API")),
            ("$['a,b']", json!(1)),
            ("$.content.links[-1].href", json!("/api")),
            ("$.nothing.there", json!(null)),
        ] {
            assert_eq!(extracted(path), Ok(expected), "{path}");
        }
    }

    #[test]
    fn a_path_that_could_lead_to_several_yields_a_list() {
        for (path, expected) in [
            ("$.content.links[*].text", json!(["Docs", "API"])),
            ("$..href", json!(["/docs", "/api"])),
            ("$.content.links[0:1].text", json!(["Docs"])),
            ("$.content.links[0,1].text", json!(["Docs", "API"])),
            ("$.content.links[?@.text == 'API'].href", json!(["/api"])),
            ("$.content.links[?search(@.href, 'doc')].text", json!(["Docs"])),
            ("$.nothing[*]", json!([])),
        ] {
            assert_eq!(extracted(path), Ok(expected), "{path}");
        }
    }

    #[test]
    fn what_a_path_never_looks_at_costs_nothing() {
        let limits = Limits { path_steps: 10, ..Limits::default() };
        let context = json!({"large": vec![0; 100], "few": {"ones": [1, 2]}});
        let found = |path| {
            extract(path, &context, &mut limits.clone(), &limits)
                .map_err(|fault| fault.of("key").code())
        };
        assert_eq!(found("$.few.ones[*]"), Ok(json!([1, 2])));
        assert_eq!(found("$['few'].ones[*]"), Err("view_path_too_costly"));
        assert_eq!(found("$.few.ones[?$.few]"), Err("view_path_too_costly"));
        assert_eq!(found("$..ones"), Err("view_path_too_costly"));
        assert_eq!(found("$.few..ones[*]"), Err("view_path_too_costly"));
    }

    #[test]
    fn what_is_no_path_or_not_offered_is_refused() {
        for (path, expected) in [
            ("", "view_bad_path"),
            ("content.mainText", "view_bad_path"),
            ("$.content[", "view_bad_path"),
            ("$[?unknown(@.a)]", "view_bad_path"),
            ("$[?search(@.a, @.b)]", "view_not_offered"),
            ("$[?search($.a, 'b')]", "view_not_offered"),
            ("$[?match(@.a, 'x{1000}')]", "view_not_offered"),
            ("$[?(((((((((@.a)))))))))]", "view_not_offered"),
            ("$..*..*..*..*..*..*..*..*..*", "view_path_too_costly"),
            ("$[?$..[?$..[?$..[?$..*]]]]", "view_path_too_costly"),
        ] {
            assert_eq!(extracted(path), Err(expected), "{path}");
        }
        let long = format!("$.{}", "a".repeat(4_000));
        assert_eq!(extracted(&long), Err("view_source_too_long"));
    }
}
