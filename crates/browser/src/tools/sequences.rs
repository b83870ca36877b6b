//! Names of other systems that stand for calls of ours: `tab_action` with its
//! steps, and `tabs_create`, `get_tabs`.

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::{Definition, Fault, Sequence, Step, ToolSet};
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// More steps than this are a program, not an action.
const MOST_STEPS: usize = 50;

/// `tab_action`.
pub(super) struct TabAction;

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Scroll,
    Click,
    Type,
    Wait,
}

/// One step.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct ActionStep {
    action: Option<Kind>,
    r#ref: Option<String>,
    selector: Option<String>,
    x: Option<f64>,
    y: Option<f64>,
    /// To type; to wait for; to scroll to.
    text: Option<String>,
    /// Empty the field first.
    clear: Option<bool>,
    /// Press Enter after typing.
    submit: Option<bool>,
    /// Scroll by, in pixels: down is positive.
    delta_y: Option<f64>,
    /// top or bottom.
    to: Option<String>,
    /// Wait after the step; as a step of its own: wait this long.
    wait_ms: Option<u64>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct TabActionParams {
    #[serde(flatten)]
    single: ActionStep,
    /// Several steps instead of one.
    actions: Option<Vec<ActionStep>>,
}

impl Sequence for TabAction {
    type Params = TabActionParams;

    fn definition(&self) -> Definition {
        Definition::of::<TabActionParams>(
            "tab_action",
            "Scroll, click, type or wait: one step, or several in order. The first that fails ends it.",
            RiskLevel::Act,
            ToolSet::Compat,
        )
    }

    fn steps(&self, params: TabActionParams) -> Result<Vec<Step>, Fault> {
        let wrong = |problem: &str| invalid(&self.definition(), problem.to_owned());
        let several = match (params.single.action, params.actions) {
            (Some(_), None) => vec![params.single],
            (None, Some(steps)) if !steps.is_empty() => steps,
            (Some(_), Some(_)) => {
                return Err(wrong("Say one `action` or several `actions`, not both"));
            }
            (None, _) => return Err(wrong("It says no `action`")),
        };
        if several.len() > MOST_STEPS {
            return Err(wrong("More than 50 steps are too many for one call"));
        }
        let mut steps = Vec::new();
        for step in several {
            steps.extend(step.calls().map_err(wrong)?);
        }
        Ok(steps)
    }
}

impl ActionStep {
    /// The call it stands for, and the pause after it.
    fn calls(self) -> Result<Vec<Step>, &'static str> {
        let kind = self.action.ok_or("A step says no `action`")?;
        let pause = self.wait_ms;
        let target = some([
            ("ref", self.r#ref.map(Value::from)),
            ("selector", self.selector.map(Value::from)),
            ("x", self.x.map(Value::from)),
            ("y", self.y.map(Value::from)),
        ]);
        if kind == Kind::Type && target.is_empty() {
            let (clear, submit) = (self.clear == Some(true), self.submit == Some(true));
            let steps = type_into_focus(self.text, clear, submit);
            return Ok(steps.into_iter().chain(pause.map(wait)).collect());
        }
        let text = self.text.map(Value::from);
        let (tool, own) = match kind {
            Kind::Click => ("browser_click", some([])),
            Kind::Type => (
                "browser_type",
                some([
                    ("text", text),
                    ("clear", self.clear.map(Value::from)),
                    ("submit", self.submit.map(Value::from)),
                ]),
            ),
            Kind::Scroll => (
                "browser_scroll",
                some([
                    ("text", text),
                    ("to", self.to.map(Value::from)),
                    ("by", self.delta_y.map(|y| json!({"x": 0, "y": y}))),
                ]),
            ),
            Kind::Wait if text.is_some() => ("browser_wait", some([("text", text)])),
            Kind::Wait => {
                let ms = pause.ok_or("`wait` takes `waitMs` or `text`")?;
                return Ok(vec![wait(ms)]);
            }
        };
        let arguments = target.into_iter().chain(own).collect();
        let step = Step { tool, arguments };
        Ok([step].into_iter().chain(pause.map(wait)).collect())
    }
}

/// Where no field is named, its text is replaced and sent with keys.
fn type_into_focus(text: Option<String>, clear: bool, submit: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    if clear {
        steps.push(press("Control+a"));
    }
    if clear && text.as_deref() == Some("") {
        steps.push(press("Delete"));
    } else {
        let arguments = some([("text", text.map(Value::from))]);
        steps.push(Step { tool: "type", arguments });
    }
    if submit {
        steps.push(press("Enter"));
    }
    steps
}

fn press(key: &str) -> Step {
    Step { tool: "browser_press_key", arguments: some([("key", Some(Value::from(key)))]) }
}

fn wait(ms: u64) -> Step {
    Step { tool: "browser_wait", arguments: some([("ms", Some(Value::from(ms)))]) }
}

/// The arguments that were given.
fn some<const N: usize>(arguments: [(&str, Option<Value>); N]) -> Map<String, Value> {
    arguments.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// `tabs_create`.
pub(super) struct TabsCreate;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TabsCreateParams {
    /// Blank without.
    url: Option<String>,
}

impl Sequence for TabsCreate {
    type Params = TabsCreateParams;

    fn definition(&self) -> Definition {
        Definition::of::<TabsCreateParams>(
            "tabs_create",
            "Open a tab.",
            RiskLevel::Act,
            ToolSet::Compat,
        )
    }

    fn steps(&self, params: TabsCreateParams) -> Result<Vec<Step>, Fault> {
        let arguments =
            some([("action", Some(json!("open"))), ("url", params.url.map(Value::from))]);
        Ok(vec![Step { tool: "browser_tabs", arguments }])
    }
}

/// `get_tabs`.
pub(super) struct GetTabs;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetTabsParams {}

impl Sequence for GetTabs {
    type Params = GetTabsParams;

    fn definition(&self) -> Definition {
        Definition::of::<GetTabsParams>(
            "get_tabs",
            "List the tabs.",
            RiskLevel::Read,
            ToolSet::Compat,
        )
    }

    fn steps(&self, _: GetTabsParams) -> Result<Vec<Step>, Fault> {
        Ok(vec![Step { tool: "browser_tabs", arguments: some([("action", Some(json!("list")))]) }])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(arguments: Value) -> Result<Vec<(&'static str, Value)>, Fault> {
        let params = serde_json::from_value(arguments).unwrap();
        let steps = TabAction.steps(params)?;
        Ok(steps.into_iter().map(|step| (step.tool, Value::Object(step.arguments))).collect())
    }

    #[test]
    fn each_action_is_a_call_of_ours_and_a_pause_another() {
        let several = json!({"actions": [
            {"action": "click", "selector": "#go", "waitMs": 50},
            {"action": "type", "ref": "e3", "text": "tea", "clear": true},
            {"action": "type", "text": "now"},
            {"action": "scroll", "deltaY": 400},
            {"action": "wait", "waitMs": 20},
        ]});
        let expected = vec![
            ("browser_click", json!({"selector": "#go"})),
            ("browser_wait", json!({"ms": 50})),
            ("browser_type", json!({"ref": "e3", "text": "tea", "clear": true})),
            ("type", json!({"text": "now"})),
            ("browser_scroll", json!({"by": {"x": 0, "y": 400.0}})),
            ("browser_wait", json!({"ms": 20})),
        ];
        assert_eq!(steps(several), Ok(expected));
        let one = steps(json!({"action": "click", "x": 3, "y": 4})).unwrap();
        assert_eq!(one, [("browser_click", json!({"x": 3.0, "y": 4.0}))]);
    }

    #[test]
    fn what_has_the_focus_is_emptied_and_sent_with_keys() {
        let typed = json!({"action": "type", "text": "tea", "clear": true, "submit": true});
        let expected = vec![
            ("browser_press_key", json!({"key": "Control+a"})),
            ("type", json!({"text": "tea"})),
            ("browser_press_key", json!({"key": "Enter"})),
        ];
        assert_eq!(steps(typed), Ok(expected));
        let emptied = steps(json!({"action": "type", "text": "", "clear": true})).unwrap();
        let keys: Vec<_> = emptied.iter().map(|(_, arguments)| arguments["key"].clone()).collect();
        assert_eq!(keys, ["Control+a", "Delete"]);
    }

    #[test]
    fn what_makes_no_sense_is_refused_before_anything_is_done() {
        for wrong in [
            json!({}),
            json!({"actions": []}),
            json!({"action": "click", "actions": [{"action": "click"}]}),
            json!({"actions": [{"selector": "#go"}]}),
            json!({"action": "wait"}),
        ] {
            assert!(steps(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
