//! One step, and the call of a tool that it stands for.

use outrigger_dispatch::Step;
use outrigger_protocol::inspection::Known;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::parameters::{BadParameters, Given};

/// How far a step scrolls that only says where to, in CSS pixels.
const SCROLLED: f64 = 600.0;

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Action {
    Navigate,
    Back,
    Forward,
    Reload,
    Click,
    Hover,
    Type,
    Fill,
    Select,
    Press,
    Scroll,
    Wait,
    Extract,
    Ask,
}

impl Action {
    /// Whether it is about no element, only about which page is there.
    pub fn leads_elsewhere(self) -> bool {
        matches!(self, Action::Navigate | Action::Back | Action::Forward | Action::Reload)
    }
}

/// Where to scroll to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "they say what they are")]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

/// An option, or several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Options {
    /// One.
    One(String),
    /// Exactly these.
    Several(Vec<String>),
}

/// One step. Which fields an action needs, the schema says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkflowStep {
    /// What it does.
    pub action: Action,
    /// To what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Known>,
    /// Where to go, or what part of the address to wait for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// What to type, fill in, wait for, scroll to or ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Wait until the text is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone: Option<bool>,
    /// How long to wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// What to choose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<Options>,
    /// What to press.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// How often to click.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u8>,
    /// Empty the field first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clear: Option<bool>,
    /// Send it after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submit: Option<bool>,
    /// Where to scroll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// `top` or `bottom`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The name of the value in the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub into: Option<String>,
}

impl WorkflowStep {
    /// One that says nothing yet but what it does.
    pub fn of(action: Action) -> Self {
        WorkflowStep {
            action,
            target: None,
            url: None,
            text: None,
            gone: None,
            ms: None,
            option: None,
            key: None,
            count: None,
            clear: None,
            submit: None,
            direction: None,
            to: None,
            into: None,
        }
    }

    /// The same with its parameters in it.
    pub fn filled(&self, given: &Given) -> Result<Self, BadParameters> {
        let fill = |text: &Option<String>| text.as_deref().map(|text| given.fill(text)).transpose();
        let target = self.target.as_ref().map(|known| {
            Ok(Known {
                role: known.role.clone(),
                name: fill(&known.name)?,
                text: fill(&known.text)?,
                heading: fill(&known.heading)?,
                selector: known.selector.clone(),
            })
        });
        let option = self.option.as_ref().map(|option| {
            Ok(match option {
                Options::One(text) => Options::One(given.fill(text)?),
                Options::Several(texts) => {
                    let texts = texts.iter().map(|text| given.fill(text));
                    Options::Several(texts.collect::<Result<_, _>>()?)
                }
            })
        });
        Ok(WorkflowStep {
            target: target.transpose()?,
            url: fill(&self.url)?,
            text: fill(&self.text)?,
            option: option.transpose()?,
            ..self.clone()
        })
    }

    /// The call that it stands for, once its parameters are in it.
    pub fn call(&self) -> Step {
        let selector = self.target.as_ref().map(selector_of);
        let (tool, arguments) = match self.action {
            Action::Navigate => ("browser_navigate", json!({"url": self.url})),
            Action::Back => ("browser_go_back", json!({})),
            Action::Forward => ("browser_go_forward", json!({})),
            Action::Reload => ("browser_reload", json!({})),
            Action::Click => ("browser_click", json!({"selector": selector, "count": self.count})),
            Action::Hover => ("browser_hover", json!({"selector": selector})),
            Action::Type => {
                let Self { text, clear, submit, .. } = self;
                let arguments = json!({
                    "selector": selector, "text": text, "clear": clear, "submit": submit,
                });
                ("browser_type", arguments)
            }
            Action::Fill => {
                let fields = json!([{"ref": selector, "value": self.text}]);
                ("browser_fill_form", json!({"fields": fields, "submit": self.submit}))
            }
            Action::Select => {
                ("browser_select_option", json!({"selector": selector, "values": self.option}))
            }
            Action::Press => ("browser_press_key", json!({"selector": selector, "key": self.key})),
            Action::Scroll => ("browser_scroll", self.scrolling(selector.as_deref())),
            Action::Wait => ("browser_wait", self.waiting()),
            Action::Extract => ("browser_get_value", json!({"selector": selector})),
            Action::Ask => ("browser_ask_human", json!({"what": self.text})),
        };
        Step { tool, arguments: said(arguments) }
    }

    fn scrolling(&self, selector: Option<&str>) -> Value {
        let by = self.direction.map(|direction| match direction {
            Direction::Up => json!({"y": -SCROLLED}),
            Direction::Down => json!({"y": SCROLLED}),
            Direction::Left => json!({"x": -SCROLLED}),
            Direction::Right => json!({"x": SCROLLED}),
        });
        json!({"selector": selector, "by": by, "to": self.to, "text": self.text})
    }

    fn waiting(&self) -> Value {
        match (&self.text, self.gone) {
            (Some(text), Some(true)) => json!({"text_gone": text}),
            (Some(text), _) => json!({"text": text}),
            (None, _) => json!({"url": self.url, "ms": self.ms}),
        }
    }

    /// What it acts on, in words; they may be a page's.
    pub fn sought(&self) -> Option<String> {
        self.target.as_ref().map(in_words)
    }
}

/// Nothing is said where there is nothing to say.
fn said(arguments: Value) -> Map<String, Value> {
    let Value::Object(mut arguments) = arguments else { return Map::new() };
    arguments.retain(|_, value| !value.is_null());
    arguments
}

/// As tools of the browser take it.
fn selector_of(known: &Known) -> String {
    format!("target={}", serde_json::to_string(known).unwrap_or_default())
}

fn in_words(known: &Known) -> String {
    let Known { role, name, text, heading, selector } = known;
    let mut words = vec![role.clone().unwrap_or_else(|| "an element".to_owned())];
    words.extend(name.as_ref().map(|name| format!("{name:?}")));
    words.extend(text.as_ref().map(|text| format!("that says {text:?}")));
    words.extend(heading.as_ref().map(|heading| format!("under the heading {heading:?}")));
    words.extend(selector.as_ref().map(|selector| format!("(selector {selector})")));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(step: Value) -> (String, Value) {
        let step: WorkflowStep = serde_json::from_value(step).unwrap();
        let Step { tool, arguments } = step.call();
        (tool.to_owned(), Value::Object(arguments))
    }

    #[test]
    fn a_step_is_a_call_with_all_that_is_known_of_its_target() {
        let target = json!({"role": "button", "name": "Say \"hi\""});
        let (tool, arguments) = call(json!({"action": "click", "target": target, "count": 2}));
        assert_eq!(tool, "browser_click");
        let selector = r#"target={"role":"button","name":"Say \"hi\""}"#;
        assert_eq!(arguments, json!({"selector": selector, "count": 2}));
        let fill = json!({"action": "fill", "target": {"name": "a"}, "text": "b", "submit": true});
        let fields = json!([{"ref": r#"target={"name":"a"}"#, "value": "b"}]);
        let expected = json!({"fields": fields, "submit": true});
        assert_eq!(call(fill), ("browser_fill_form".to_owned(), expected));
        let wait = json!({"action": "wait", "text": "Saving", "gone": true});
        assert_eq!(call(wait).1, json!({"text_gone": "Saving"}));
        let scroll = json!({"action": "scroll", "direction": "up"});
        assert_eq!(call(scroll).1, json!({"by": {"y": -600.0}}));
    }

    #[test]
    fn what_is_sought_is_told_in_words() {
        let known = Known {
            role: Some("button".into()),
            name: Some("Save".into()),
            heading: Some("Billing".into()),
            selector: Some("#save".into()),
            ..Known::default()
        };
        let told = r##"button "Save" under the heading "Billing" (selector #save)"##;
        assert_eq!(in_words(&known), told);
    }
}
