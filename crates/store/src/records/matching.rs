//! Whom a selector means. A function of what it is given: searches and subscriptions
//! ask here and nowhere else.

use std::cmp::Ordering;

use outrigger_protocol::records::{
    Context, ContextCondition, ContextOperator, Record, RecordEvent, Selector,
};
use serde_json::{Number, Value};

use super::error::RecordError;

/// Whether a record is meant.
pub fn matches(selector: &Selector, record: &Record) -> bool {
    matches_labels_of(selector, record) && matches_context(selector, &record.context)
}

/// Whether a record is meant, whatever is in its context.
pub(crate) fn matches_labels_of(selector: &Selector, record: &Record) -> bool {
    matches_labels(selector, &record.schema_name, &record.tags)
}

/// Whether an event is meant, as far as can be told without the record.
pub fn matches_event(selector: &Selector, event: &RecordEvent) -> bool {
    matches_labels(selector, &event.schema_name, &event.tags)
}

/// Whether all conditions on the context hold.
pub fn matches_context(selector: &Selector, context: &Context) -> bool {
    selector.context_match.iter().all(|condition| holds(condition, context))
}

/// Whether a selector means every record there is.
pub fn means_everything(selector: &Selector) -> bool {
    *selector == Selector::default()
}

/// Whether a record of that schema with those tags is meant, whatever is in its context.
pub fn matches_labels(selector: &Selector, schema_name: &str, tags: &[String]) -> bool {
    selector.schema_name.as_deref().is_none_or(|name| name == schema_name)
        && (selector.any_tags.is_empty() || selector.any_tags.iter().any(|tag| tags.contains(tag)))
        && selector.all_tags.iter().all(|tag| tags.contains(tag))
}

fn holds(condition: &ContextCondition, context: &Context) -> bool {
    let found = at(context, &condition.path);
    let asked = &condition.value;
    match condition.op {
        ContextOperator::Eq => found.is_some_and(|found| is_equal(found, asked)),
        ContextOperator::Ne => !found.is_some_and(|found| is_equal(found, asked)),
        ContextOperator::ContainsAny => found.is_some_and(|found| contains_any(found, asked)),
        ContextOperator::Gt => order(found, asked) == Some(Ordering::Greater),
        ContextOperator::Lt => order(found, asked) == Some(Ordering::Less),
        ContextOperator::Exists => found.is_some() != (*asked == Value::Bool(false)),
    }
}

/// Words of one condition: each is looked for in all of a text or list.
const MOST_WORDS: usize = 32;

/// Refuses a value with which its operator could never hold, or would cost too much.
pub(crate) fn check_value(condition: &ContextCondition) -> Result<(), RecordError> {
    let value = &condition.value;
    let problem = match condition.op {
        ContextOperator::ContainsAny if !value.is_array() => {
            "of contains_any is a list. Put the value into one"
        }
        ContextOperator::ContainsAny
            if value.as_array().is_some_and(|list| list.len() > MOST_WORDS) =>
        {
            "of contains_any has more than 32 entries. Use fewer"
        }
        ContextOperator::Gt | ContextOperator::Lt if !value.is_number() && !value.is_string() => {
            "of gt and lt is a number or a text"
        }
        ContextOperator::Exists if !value.is_null() && !value.is_boolean() => {
            "of exists is true or false"
        }
        _ => return Ok(()),
    };
    Err(RecordError::Bad { what: "the value", problem })
}

/// The parts of a path; none if it has an empty one.
pub(crate) fn segments(path: &str) -> Option<impl Iterator<Item = &str>> {
    let path = path.strip_prefix("$.").unwrap_or(path);
    let is_whole = path.split('.').all(|segment| !segment.is_empty());
    is_whole.then(|| path.split('.'))
}

fn at<'c>(context: &'c Context, path: &str) -> Option<&'c Value> {
    let mut segments = segments(path)?;
    let first = context.get(segments.next()?)?;
    segments.try_fold(first, |value, segment| match value {
        Value::Object(object) => object.get(segment),
        Value::Array(list) => list.get(segment.parse::<usize>().ok()?),
        _ => None,
    })
}

/// As `==`, but 1 and 1.0 are one number, at any depth.
fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            order_of_numbers(one, other) == Some(Ordering::Equal)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| is_equal(a, b))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_in_other =
                |(key, value)| other.get(key).is_some_and(|other| is_equal(value, other));
            one.len() == other.len() && one.iter().all(is_in_other)
        }
        _ => one == other,
    }
}

fn contains_any(found: &Value, asked: &Value) -> bool {
    let Some(asked) = asked.as_array() else { return false };
    match found {
        Value::Array(list) => {
            list.iter().any(|found| asked.iter().any(|asked| is_equal(found, asked)))
        }
        Value::String(text) => {
            asked.iter().filter_map(Value::as_str).any(|part| text.contains(part))
        }
        _ => false,
    }
}

fn order(found: Option<&Value>, asked: &Value) -> Option<Ordering> {
    match (found?, asked) {
        (Value::Number(found), Value::Number(asked)) => order_of_numbers(found, asked),
        (Value::String(found), Value::String(asked)) => Some(found.cmp(asked)),
        _ => None,
    }
}

/// Whole numbers as such: a float can't tell large ones apart.
fn order_of_numbers(one: &Number, other: &Number) -> Option<Ordering> {
    match (one.as_i128(), other.as_i128()) {
        (Some(one), Some(other)) => Some(one.cmp(&other)),
        _ => one.as_f64()?.partial_cmp(&other.as_f64()?),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn is(context: &Value, path: &str, op: &str, value: &Value) -> bool {
        let condition = json!({"path": path, "op": op, "value": value});
        let condition: ContextCondition = serde_json::from_value(condition).unwrap();
        holds(&condition, context.as_object().unwrap())
    }

    #[test]
    fn every_operator_holds_where_it_should_and_nowhere_else() {
        let context = json!({
            "n": 3, "big": 9_007_199_254_740_993_u64, "text": "Example Domain", "nothing": null,
            "list": ["a", {"b": 1.0}], "deep": {"x": [{"y": true}]},
        });
        for (path, op, value, holds) in [
            ("n", "eq", json!(3), true),
            ("n", "eq", json!(3.0), true),
            ("n", "eq", json!("3"), false),
            ("$.n", "eq", json!(3), true),
            ("absent", "eq", json!(null), false),
            ("nothing", "eq", json!(null), true),
            ("n", "ne", json!(4), true),
            ("n", "ne", json!(3), false),
            ("absent", "ne", json!(3), true),
            ("big", "eq", json!(9_007_199_254_740_992_u64), false),
            ("big", "gt", json!(9_007_199_254_740_992_u64), true),
            ("list", "contains_any", json!(["z", "a"]), true),
            ("list", "contains_any", json!([{"b": 1}]), true),
            ("list", "contains_any", json!(["z"]), false),
            ("list", "contains_any", json!([]), false),
            ("text", "contains_any", json!(["nope", "Domain"]), true),
            ("text", "contains_any", json!([1]), false),
            ("n", "gt", json!(2.5), true),
            ("n", "gt", json!(3), false),
            ("n", "lt", json!(3.5), true),
            ("text", "lt", json!("F"), true),
            ("text", "gt", json!(1), false),
            ("absent", "lt", json!(1), false),
            ("deep.x.0.y", "eq", json!(true), true),
            ("deep.x.1.y", "exists", json!(true), false),
            ("deep.x.z", "exists", json!(true), false),
            ("nothing", "exists", json!(null), true),
            ("nothing", "exists", json!(false), false),
            ("absent", "exists", json!(false), true),
        ] {
            assert_eq!(is(&context, path, op, &value), holds, "{path} {op} {value}");
        }
    }

    fn words() -> impl Strategy<Value = Vec<String>> {
        proptest::collection::vec("[a-d]", 0..4)
    }

    proptest! {
        #[test]
        fn tags_are_compared_as_sets(any in words(), all in words(), tags in words()) {
            let selector = Selector { any_tags: any.clone(), all_tags: all.clone(), ..Selector::default() };
            let set = |words: &[String]| words.iter().cloned().collect::<std::collections::BTreeSet<_>>();
            let expected = (any.is_empty() || !set(&any).is_disjoint(&set(&tags)))
                && set(&all).is_subset(&set(&tags));
            prop_assert_eq!(matches_labels(&selector, "any.v1", &tags), expected);
        }

        #[test]
        fn more_conditions_never_mean_more_records(n in -3_i64..3, first in -3_i64..3, second in -3_i64..3) {
            let context = json!({ "n": n });
            let ops = ["eq", "ne", "gt", "lt"];
            let context = context.as_object().unwrap();
            for (one, other) in ops.iter().flat_map(|one| ops.map(|other| (*one, other))) {
                let selector = |conditions: Value| -> Selector {
                    serde_json::from_value(json!({ "context_match": conditions })).unwrap()
                };
                let one = json!({"path": "n", "op": one, "value": first});
                let other = json!({"path": "n", "op": other, "value": second});
                let both = matches_context(&selector(json!([one, other])), context);
                let each = matches_context(&selector(json!([one])), context)
                    && matches_context(&selector(json!([other])), context);
                prop_assert_eq!(both, each);
            }
        }

        #[test]
        fn exactly_one_of_less_equal_and_greater_holds_for_numbers(n in any::<i64>(), asked in any::<i64>()) {
            let context = json!({ "n": n });
            let holding = ["lt", "eq", "gt"].iter().filter(|op| is(&context, "n", op, &json!(asked)));
            prop_assert_eq!(holding.count(), 1);
        }

        #[test]
        fn no_path_and_no_value_is_too_strange(path in ".{0,20}", value in "\\PC{0,20}") {
            for op in ["eq", "ne", "contains_any", "gt", "lt", "exists"] {
                is(&json!({"a": [1, {"b": 2}]}), &path, op, &json!(value));
            }
        }
    }
}
