//! Fields written as pairs: `{"name": "password", "value": "hunter2"}`. The name of
//! a secret is a value there, and the secret stands beside it, after or before.

use super::values::{
    end_of_bare, end_of_list, end_of_quoted, is_nothing, not_empty, quote_at, skip_blanks,
};

/// So far from its name a value is looked for, in bytes.
const REACH: usize = 512;
/// Members that name a field.
const NAMING: [&str; 4] = ["name", "key", "field", "id"];
const VALUE: &str = "value";

/// The value that goes with a name in quotes: what stands before the opening one,
/// and where the closing one ends.
pub(super) fn value_of_pair(text: &str, before: &str, after_name: usize) -> Option<(usize, usize)> {
    let before = before.trim_end_matches(['"', '\'']).trim_end_matches('\\').trim_end();
    let member = before.strip_suffix(':')?.trim_end();
    let member = member.trim_end_matches(['"', '\'']).trim_end_matches('\\');
    let is_naming = |name: &&str| {
        let rest = member.len().checked_sub(name.len()).map(|at| member.as_bytes().split_at(at));
        rest.is_some_and(|(before, end)| {
            end.eq_ignore_ascii_case(name.as_bytes()) && begins_member(before)
        })
    };
    let naming = NAMING.iter().find(|name| is_naming(name))?;
    let after = after_name..text.floor_char_boundary(after_name + REACH);
    let start = member.len() - naming.len();
    let earlier = text.ceil_char_boundary(start.saturating_sub(REACH))..start;
    let in_object = &text[after.clone()];
    let object_end = after.start + in_object.find('}').unwrap_or(in_object.len());
    let objects = &text[earlier.clone()];
    let object_start = earlier.start + objects.rfind('{').map_or(0, |at| at + 1);
    // A value may have a brace in it; a member is what stands where one begins.
    value_member(text, after.start..object_end, text.len())
        .or_else(|| value_member(text, object_start..start, start))
}

/// The value of the first member called so that begins in the range.
fn value_member(text: &str, range: std::ops::Range<usize>, end: usize) -> Option<(usize, usize)> {
    let members = text[range.clone()].match_indices(VALUE).map(|(at, _)| range.start + at);
    members
        .filter(|at| begins_member(&text.as_bytes()[..*at]))
        .find_map(|at| value_after(&text[..end], at + VALUE.len()))
}

/// Whether a name may begin here: after a quote, or after what stands before members.
fn begins_member(before: &[u8]) -> bool {
    before.last().is_some_and(|byte| b"\"'{, \n\t".contains(byte))
}

fn value_after(text: &str, end_of_name: usize) -> Option<(usize, usize)> {
    let sign_at = skip_blanks(text, quote_at(text, end_of_name).map_or(end_of_name, |q| q.end));
    text[sign_at..].starts_with(':').then_some(())?;
    let at = skip_blanks(text, sign_at + 1);
    if let Some(opening) = quote_at(text, at) {
        return not_empty(opening.end, end_of_quoted(text, &opening));
    }
    if text[at..].starts_with('[') {
        return Some((at, end_of_list(text, at)));
    }
    let (to, _) = end_of_bare(text, at);
    (!is_nothing(&text[at..to])).then_some((at, to))
}

#[cfg(test)]
mod tests {
    use crate::headers::{redact_body, redact_log};

    #[test]
    fn the_value_beside_the_name_of_a_secret_goes() {
        for (body, shown) in [
            (
                r#"[{"name":"user","value":"a"},{"name":"password","value":"hunter2"}]"#,
                r#"[{"name":"user","value":"a"},{"name":"password","value":"[redacted]"}]"#,
            ),
            (
                r#"{"key": "apiKey", "type": "text", "value": 1234}"#,
                r#"{"key": "apiKey", "type": "text", "value": [redacted]}"#,
            ),
            (
                r#"{"field":"pin","value":["a","b"],"c":1}"#,
                r#"{"field":"pin","value":[redacted],"c":1}"#,
            ),
            (
                r#"{"data":"{\"id\":\"password\",\"value\":\"hun}ter2\"}"}"#,
                r#"{"data":"{\"id\":\"password\",\"value\":\"[redacted]\"}"}"#,
            ),
            (
                r#"{"a":1},{"value":"hunter2","name":"password"}"#,
                r#"{"a":1},{"value":"[redacted]","name":"password"}"#,
            ),
            (
                r#"{name: 'password', value: 'hunter2'}"#,
                r#"{name: 'password', value: '[redacted]'}"#,
            ),
        ] {
            assert_eq!(redact_body(body), shown);
            assert_eq!(redact_log(body), shown);
        }
    }

    #[test]
    fn a_value_beside_another_name_stays() {
        for body in [
            r#"{"name":"user","value":"a"}"#,
            r#"{"name":"password","value":""}"#,
            r#"{"name":"password","value":null}"#,
            r#"{"name":"password"},{"name":"user","value":"a"}"#,
            r#"{"name":"user","value":"a"},{"name":"password"}"#,
            r#"{"type":"password","value":"a"}"#,
            r#"{"name":"password","default_value":"a"}"#,
        ] {
            assert_eq!(redact_body(body), body);
        }
    }
}
