//! What holds of the view of any context, whatever is in it and whatever its hints say.

use outrigger_records::view::{Limits, view};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const NAMES: &[&str] = &["a", "b", "c", "length", "context", "llm_hints", "title", "0"];
/// Pieces that templates and paths are made of, and what breaks them.
const PIECES: &[&str] = &[
    "{{", "}}", "{%", "%}", "{#", "#}", "-", " ", "context", ".a", ".length", "[0]", "['b']", "|",
    "join", "(", ")", "'", "\"", "for", "x in", "endfor", "if", "endif", ">", "==", "1", "+", "~",
    "$", "..", "*", "[?", "@.a", "]", ",", ":", "é", "\u{0}", "\\", "\n",
];

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(NAMES).prop_map(str::to_owned)
}

fn source() -> impl Strategy<Value = String> {
    vec(prop::sample::select(PIECES), 0..14).prop_map(|pieces| pieces.concat())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        source().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 48, 5, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            btree_map(name(), inner, 0..5).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

fn object() -> impl Strategy<Value = Map<String, Value>> {
    btree_map(name(), value(), 0..6).prop_map(|map| map.into_iter().collect())
}

fn transform() -> impl Strategy<Value = Value> {
    prop_oneof![
        source().prop_map(|text| json!({"type": "template", "template": text})),
        source().prop_map(|text| json!({"type": "extract", "value": text})),
        value().prop_map(|literal| json!({"type": "literal", "literal": literal})),
        value(),
    ]
}

/// Whether anything is where the path leads, through every list.
fn leads_somewhere(value: &Value, path: &[String]) -> bool {
    match (value, path.split_first()) {
        (_, None) => true,
        (Value::Array(items), _) => items.iter().any(|item| leads_somewhere(item, path)),
        (Value::Object(map), Some((name, rest))) => {
            map.get(name).is_some_and(|inner| leads_somewhere(inner, rest))
        }
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_excluded_is_nowhere_in_the_view(
        context in object(),
        paths in vec(vec(name(), 1..4), 0..5),
    ) {
        let mut context = context;
        let joined: Vec<_> = paths.iter().map(|path| path.join(".")).collect();
        context.insert("llm_hints".to_owned(), json!({
            "exclude": joined,
            "transform": {"c": {"type": "literal", "literal": {"a": {"b": 1}, "b": [{"a": 2}]}}},
        }));
        let seen = view(&Map::new(), &Value::Object(context), &Limits::default()).unwrap();
        for path in &paths {
            // A path that ends at a list's items would have taken the list.
            prop_assert!(!leads_somewhere(&seen, path), "{path:?} in {seen}");
        }
    }

    #[test]
    fn merging_keeps_whatever_is_not_transformed(context in object(), key in name()) {
        let mut context = context;
        context.insert("llm_hints".to_owned(), json!({
            "transform": {key.clone(): {"type": "literal", "literal": "made"}},
        }));
        let seen = view(&Map::new(), &Value::Object(context.clone()), &Limits::default()).unwrap();
        let seen = seen.as_object().unwrap();
        prop_assert_eq!(&seen[&key], "made");
        for (name, value) in context.iter().filter(|(name, _)| **name != key) {
            let expected = (name != "llm_hints").then_some(value);
            prop_assert_eq!(seen.get(name), expected);
        }
    }

    #[test]
    fn no_hints_whatever_make_it_panic_or_yield_too_much(
        context in object(),
        fields in object(),
        transforms in btree_map(name(), transform(), 0..4),
        mode in prop_oneof![Just(json!("merge")), Just(json!("replace")), value()],
        exclude in prop_oneof![Just(json!([])), value()],
    ) {
        let mut context = context;
        let transforms: Map<String, Value> = transforms.into_iter().collect();
        context.insert(
            "llm_hints".to_owned(),
            json!({"mode": mode, "transform": transforms, "exclude": exclude}),
        );
        let limits = Limits { entry_bytes: 500, view_bytes: 2_000, ..Limits::default() };
        match view(&fields, &Value::Object(context), &limits) {
            Ok(seen) => prop_assert!(seen.to_string().len() <= limits.view_bytes),
            Err(error) => prop_assert!(error.code().starts_with("view_"), "{error}"),
        }
    }

    #[test]
    fn any_value_has_a_view_or_an_error(context in value()) {
        let _ = view(&Map::new(), &context, &Limits::default());
    }
}
