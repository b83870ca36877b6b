//! Leaves out what hints exclude: paths of names with dots between. A list is gone
//! through, so that `content.links.href` is the `href` of every link.

use serde_json::{Map, Value};

use super::error::ViewError;

/// The names along one path. There is at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path<'a>(Vec<&'a str>);

impl<'a> Path<'a> {
    /// Reads `dom.map`; `$.dom.map` means the same.
    pub(super) fn read(index: usize, text: &'a str) -> Result<Self, ViewError> {
        let names: Vec<&str> = text.strip_prefix("$.").unwrap_or(text).split('.').collect();
        if names.iter().any(|name| name.is_empty() || name.contains(['[', ']', '*'])) {
            return Err(ViewError::BadHints {
                path: format!("llm_hints.exclude[{index}]"),
                problem: "a path is names with dots between, such as dom.map".to_owned(),
            });
        }
        Ok(Path(names))
    }
}

/// A copy of the entries without what the paths lead to.
pub(super) fn copy_without<'v>(
    entries: impl Iterator<Item = (&'v String, &'v Value)>,
    paths: &[Path<'_>],
) -> Map<String, Value> {
    let rests: Vec<&[&str]> = paths.iter().map(|path| path.0.as_slice()).collect();
    copy_entries(entries, &rests)
}

fn copy_entries<'v>(
    entries: impl Iterator<Item = (&'v String, &'v Value)>,
    paths: &[&[&str]],
) -> Map<String, Value> {
    let mut copied = Map::new();
    for (key, value) in entries {
        let rests: Vec<&[&str]> = paths
            .iter()
            .filter_map(|path| path.split_first().filter(|(name, _)| *name == key))
            .map(|(_, rest)| rest)
            .collect();
        if rests.iter().all(|rest| !rest.is_empty()) {
            copied.insert(key.clone(), copy(value, &rests));
        }
    }
    copied
}

fn copy(value: &Value, paths: &[&[&str]]) -> Value {
    match value {
        _ if paths.is_empty() => value.clone(),
        Value::Object(map) => Value::Object(copy_entries(map.iter(), paths)),
        Value::Array(items) => items.iter().map(|item| copy(item, paths)).collect(),
        plain => plain.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn without(value: &Value, paths: &[&str]) -> Value {
        let paths: Vec<_> = paths.iter().map(|path| Path::read(0, path).unwrap()).collect();
        Value::Object(copy_without(value.as_object().unwrap().iter(), &paths))
    }

    #[test]
    fn what_a_path_leads_to_is_left_out_and_nothing_else() {
        let value = json!({"dom": {"map": {"1": {}}, "rootId": "1"}, "map": 1});
        assert_eq!(without(&value, &["dom.map"]), json!({"dom": {"rootId": "1"}, "map": 1}));
        assert_eq!(without(&value, &["$.dom"]), json!({"map": 1}));
        assert_eq!(without(&value, &["dom.map.2", "nothing", "map.deeper"]), value);
    }

    #[test]
    fn a_path_goes_through_lists() {
        let value = json!({"links": [{"text": "a", "href": "b"}, [{"href": "c"}], "href"]});
        assert_eq!(
            without(&value, &["links.href"]),
            json!({"links": [{"text": "a"}, [{}], "href"]})
        );
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for text in ["", "a..b", ".a", "a.", "links[0]", "links.*"] {
            assert_eq!(Path::read(3, text).unwrap_err().code(), "view_bad_hints", "{text}");
        }
    }
}
