use outrigger_dispatch::Caller;
use outrigger_guard::Scope;
use serde_json::json;

use super::*;

fn described(role: &str, name: &str) -> Described {
    let known = Known {
        role: Some(role.into()),
        name: Some(name.into()),
        heading: Some("Sign up".into()),
        selector: Some("#a".into()),
        ..Known::default()
    };
    Described { known, alike: 1, is_secret: false }
}

fn secret(name: &str) -> Described {
    Described { is_secret: true, ..described("textbox", name) }
}

fn deed(tool: &str, arguments: Value, on: Vec<Described>) -> Deed {
    let caller =
        Caller { session: "s".into(), client: "c".into(), scope: Scope::Act, holder: "h".into() };
    let Value::Object(arguments) = arguments else { unreachable!() };
    Deed { caller, tool: tool.into(), acts: true, arguments, on }
}

fn recorded(deeds: &[Deed]) -> (Value, BTreeMap<String, usize>) {
    let mut recording = Recording::of("a", "");
    deeds.iter().for_each(|deed| recording.take(deed));
    let (workflow, left_out) = recording.finish();
    (Value::Object(workflow.context().unwrap()), left_out)
}

#[test]
fn calls_become_steps_and_what_is_typed_parameters() {
    let (context, left_out) = recorded(&[
        deed("browser_navigate", json!({"url": "https://a.example/"}), vec![]),
        deed(
            "browser_type",
            json!({"ref": "e1", "text": "Ada"}),
            vec![described("textbox", "Full name *")],
        ),
        deed("browser_click", json!({"ref": "e2"}), vec![described("button", "Go on")]),
    ]);
    let target = |role, name| json!({"role": role, "name": name, "selector": "#a"});
    assert_eq!(
        context,
        json!({
            "name": "a",
            "parameters": {"full_name": {"default": "Ada"}},
            "steps": [
                {"action": "navigate", "url": "https://a.example/"},
                {"action": "type", "target": target("textbox", "Full name *"), "text": "{{full_name}}"},
                {"action": "click", "target": target("button", "Go on")},
            ],
        })
    );
    assert!(left_out.is_empty());
}

#[test]
fn a_secret_is_never_recorded_and_must_be_given() {
    let fields = json!([
        {"ref": "e1", "value": "hunter2-canary"},
        {"ref": "e2", "value": "hunter2-canary"},
        {"ref": "e3", "value": "4111 1111 1111 1111"},
        {"ref": "e4", "value": true},
    ]);
    let on = vec![
        secret("Password"),
        described("textbox", "Repeat"),
        described("textbox", "Number"),
        described("checkbox", "Agree"),
    ];
    let fill = deed("browser_fill_form", json!({"fields": fields, "submit": true}), on);
    let (context, _) = recorded(&[fill]);
    let text = context.to_string();
    assert!(!text.contains("canary") && !text.contains("4111"), "{text}");
    for name in ["password", "repeat", "number"] {
        assert_eq!(context["parameters"][name]["required"], true, "{text}");
    }
    assert_eq!(context["steps"][3]["text"], "true");
    assert_eq!(context["steps"][3]["submit"], true);
}

#[test]
fn a_letter_that_may_be_of_a_secret_is_left_out() {
    let press = |key: &str, on| deed("browser_press_key", json!({"key": key}), on);
    let (context, left_out) = recorded(&[
        press("x", vec![]),
        press("Shift+x", vec![secret("Pin")]),
        press("Enter", vec![secret("Pin")]),
        press("Control+a", vec![]),
    ]);
    assert_eq!(context["steps"].as_array().unwrap().len(), 2, "{context}");
    assert_eq!(left_out["browser_press_key"], 2);
}

#[test]
fn what_cant_be_taken_again_is_counted() {
    let (context, left_out) = recorded(&[
        deed("browser_reload", json!({}), vec![]),
        deed("browser_evaluate", json!({"function": "() => 1"}), vec![]),
        deed("browser_click", json!({"ref": "e1"}), vec![]),
        deed(
            "browser_click",
            json!({"ref": "e1", "button": "right"}),
            vec![described("link", "a")],
        ),
    ]);
    assert_eq!(context["steps"], json!([{"action": "reload"}]));
    assert_eq!(
        left_out,
        BTreeMap::from([("browser_click".into(), 2), ("browser_evaluate".into(), 1)])
    );
}

#[test]
fn an_address_with_a_secret_in_it_is_asked_for() {
    let url = "https://a.example/?access_token=canary-canary-canary";
    let (context, _) = recorded(&[deed("browser_navigate", json!({"url": url}), vec![])]);
    assert!(!context.to_string().contains("canary"), "{context}");
    assert_eq!(context["steps"][0]["url"], "{{address}}");
}

#[test]
fn a_heading_is_part_of_a_target_only_where_others_are_alike() {
    let alike = Described { alike: 2, ..described("button", "Delete") };
    let (context, _) = recorded(&[deed("browser_click", json!({"ref": "e1"}), vec![alike])]);
    assert_eq!(context["steps"][0]["target"]["heading"], "Sign up");
}

#[test]
fn what_is_extracted_is_found_by_its_place_and_not_by_its_words() {
    let read = |on| deed("browser_get_value", json!({"ref": "e1"}), vec![on]);
    let (context, _) = recorded(&[
        read(described("cell", "12 francs")),
        read(described("textbox", "Total")),
        read(described("cell", "13 francs")),
    ]);
    let place = json!({"role": "cell", "heading": "Sign up", "selector": "#a"});
    assert_eq!(
        context["steps"][0],
        json!({"action": "extract", "target": place, "into": "sign_up"})
    );
    assert_eq!(context["steps"][1]["target"]["name"], "Total");
    assert_eq!(context["steps"][2]["into"], "sign_up_2");
}

#[test]
fn braces_of_a_page_are_no_parameters() {
    let on = described("button", "Use {{name}}");
    let (context, _) = recorded(&[deed("browser_click", json!({"ref": "e1"}), vec![on])]);
    assert!(!context.to_string().contains("{{"), "{context}");
}
