//! One recording: makes steps of calls that did what was asked. What is typed becomes
//! a parameter; of a secret only that there is one. What can't be taken again so is
//! counted, and told at the end.

use std::collections::BTreeMap;

use outrigger_dispatch::Deed;
use outrigger_guard::headers::redact_url;
use outrigger_protocol::inspection::{Described, Known, UserDeed};
use serde_json::{Map, Value};

use super::parameters::has_parameter;
use super::step::{Action, Direction, Options, WorkflowStep};
use super::{MOST_STEPS, Parameter, Workflow};

/// Names of parameters are cut here.
const LONGEST_NAME: usize = 40;
/// Defaults that are longer are nothing that anybody types again.
const LONGEST_DEFAULT: usize = 5_000;
/// A shorter secret may be in any text by chance.
const SHORTEST_SECRET: usize = 4;

/// Roles of what has a value of its own, and a name beside it.
const FIELDS: [&str; 8] =
    ["textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider", "checkbox", "radio"];

/// A recording under way.
#[derive(Debug)]
pub struct Recording {
    workflow: Workflow,
    left_out: BTreeMap<String, usize>,
    /// Never told: only so that the same words are no parameter's default elsewhere.
    secrets: Vec<String>,
}

impl Recording {
    /// A recording of that name without a step.
    pub fn of(name: &str, description: &str) -> Self {
        let workflow = Workflow {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters: BTreeMap::new(),
            steps: Vec::new(),
        };
        Recording { workflow, left_out: BTreeMap::new(), secrets: Vec::new() }
    }

    /// What it is to be called.
    pub fn name(&self) -> &str {
        &self.workflow.name
    }

    /// What was recorded, and how often which tool did what can't be taken again.
    pub fn finish(self) -> (Workflow, BTreeMap<String, usize>) {
        (self.workflow, self.left_out)
    }

    /// Takes a call in.
    pub(super) fn take(&mut self, deed: &Deed) {
        let before = self.workflow.steps.len();
        let is_taken = self.steps_of(deed).is_some();
        let is_full = self.workflow.steps.len() > MOST_STEPS;
        if is_full {
            self.workflow.steps.truncate(before);
        }
        if is_full || (deed.acts && !is_taken) {
            *self.left_out.entry(deed.tool.clone()).or_default() += 1;
        }
    }

    /// Takes in what the user did.
    pub fn take_users(&mut self, deed: &UserDeed) {
        if self.workflow.steps.len() >= MOST_STEPS {
            *self.left_out.entry("what came after".to_owned()).or_default() += 1;
            return;
        }
        let (action, on) = match deed {
            UserDeed::WentTo { url } => {
                let said = Map::from_iter([("url".to_owned(), Value::from(url.as_str()))]);
                self.went_to(&said);
                return;
            }
            UserDeed::Clicked { on } => (Action::Click, on),
            UserDeed::Filled { on, chosen: Some(_), .. } => (Action::Select, on),
            UserDeed::Filled { on, .. } => (Action::Fill, on),
            UserDeed::Entered { on } => (Action::Press, on),
        };
        let mut step = WorkflowStep::of(action);
        step.target = Some(target(on));
        match deed {
            UserDeed::Filled { chosen: Some(chosen), .. } => {
                let Some(options) = self.chosen(on, &Value::from(chosen.clone())) else {
                    *self.left_out.entry("choosing several".to_owned()).or_default() += 1;
                    return;
                };
                step.option = Some(options);
            }
            UserDeed::Filled { value, .. } => {
                let words = value.as_deref().unwrap_or_default();
                let is_switch = ["checkbox", "radio", "switch"]
                    .contains(&on.known.role.as_deref().unwrap_or_default());
                step.text = Some(match is_switch {
                    true => words.to_owned(),
                    false => self.typed(on, words),
                });
            }
            UserDeed::Entered { .. } => step.key = Some("Enter".to_owned()),
            _ => {}
        }
        self.workflow.steps.push(step);
    }

    /// None if there is nothing to take again, or no way to say it.
    fn steps_of(&mut self, deed: &Deed) -> Option<()> {
        let said = &deed.arguments;
        let action = match deed.tool.as_str() {
            "browser_navigate" | "navigate" => return self.went_to(said),
            "browser_tabs" if text(said, "action") == Some("open") => return self.went_to(said),
            "browser_fill_form" => return self.filled(deed),
            "browser_wait" => return self.waited(said),
            "browser_go_back" => Action::Back,
            "browser_go_forward" => Action::Forward,
            "browser_reload" => Action::Reload,
            "browser_click" | "click" | "tab_click" => Action::Click,
            "browser_hover" => Action::Hover,
            "browser_type" | "tab_type" => Action::Type,
            "browser_select_option" => Action::Select,
            "browser_press_key" => Action::Press,
            "browser_scroll" | "tab_scroll" => Action::Scroll,
            "browser_get_value" => Action::Extract,
            "browser_ask_human" => Action::Ask,
            // Starting and stopping are no part of what is recorded, and what a workflow
            // does was told by its steps.
            "workflow_record" | "workflow_run" => return Some(()),
            _ => return None,
        };
        let mut step = WorkflowStep::of(action);
        let on = deed.on.first();
        step.target = on.map(target);
        match action {
            Action::Click => {
                let is_plain = text(said, "button").is_none_or(|button| button == "left")
                    && said.get("modifiers").and_then(Value::as_array).is_none_or(Vec::is_empty);
                if !is_plain || on.is_none() {
                    return None;
                }
                step.count = said.get("count").and_then(Value::as_u64).map(|count| count as u8);
            }
            Action::Hover => drop(on?),
            Action::Type => {
                step.text = Some(self.typed(on?, text(said, "text")?));
                step.clear = switched_on(said, "clear");
                step.submit = switched_on(said, "submit");
            }
            Action::Select => step.option = Some(self.chosen(on?, said.get("values")?)?),
            Action::Press => {
                let key = text(said, "key")?;
                // A letter that is pressed may be a letter of a secret.
                if writes(key) && on.is_none_or(|on| on.is_secret) {
                    return None;
                }
                let is_aimed = ["ref", "selector", "x"].iter().any(|way| said.contains_key(*way));
                if is_aimed && on.is_none() {
                    return None;
                }
                step.key = Some(key.to_owned());
            }
            Action::Scroll => scrolled(&mut step, said)?,
            Action::Extract => {
                let on = on?;
                step.target = Some(place(on));
                step.into = Some(self.unused(&name_of(on), |recording, name| {
                    let steps = &recording.workflow.steps;
                    steps.iter().any(|step| step.into.as_deref() == Some(name))
                }));
            }
            Action::Ask => {
                step.text =
                    Some(text(said, "what").filter(|what| !has_parameter(what))?.to_owned());
            }
            _ => {}
        }
        self.workflow.steps.push(step);
        Some(())
    }

    fn went_to(&mut self, said: &Map<String, Value>) -> Option<()> {
        let url = text(said, "url")?;
        let mut step = WorkflowStep::of(Action::Navigate);
        let is_plain = matches!(redact_url(url), std::borrow::Cow::Borrowed(_));
        step.url = Some(if is_plain && !has_parameter(url) {
            url.to_owned()
        } else {
            // An address with a secret in it is for whoever runs it to give.
            let default = is_plain.then(|| url.to_owned());
            self.parameter("address", "Where to go", default)
        });
        self.workflow.steps.push(step);
        Some(())
    }

    fn filled(&mut self, deed: &Deed) -> Option<()> {
        let fields = deed.arguments.get("fields")?.as_array()?;
        if fields.len() != deed.on.len() || fields.iter().any(|field| field["value"].is_object()) {
            return None;
        }
        for (field, on) in fields.iter().zip(&deed.on) {
            let mut step = WorkflowStep::of(Action::Fill);
            step.target = Some(target(on));
            match &field["value"] {
                Value::Bool(is_on) => step.text = Some(is_on.to_string()),
                Value::Number(number) => step.text = Some(self.typed(on, &number.to_string())),
                Value::String(switch) if ["true", "false"].contains(&switch.as_str()) => {
                    step.text = Some(switch.clone());
                }
                Value::String(words) => step.text = Some(self.typed(on, words)),
                several => {
                    step.action = Action::Select;
                    step.option = Some(self.chosen(on, several)?);
                }
            }
            self.workflow.steps.push(step);
        }
        if switched_on(&deed.arguments, "submit").is_some() {
            // Choosing several sends nothing by itself.
            let last = self.workflow.steps.last_mut().filter(|last| last.action == Action::Fill)?;
            last.submit = Some(true);
        }
        Some(())
    }

    fn waited(&mut self, said: &Map<String, Value>) -> Option<()> {
        let mut step = WorkflowStep::of(Action::Wait);
        let words = |name| text(said, name).filter(|text| !has_parameter(text)).map(str::to_owned);
        step.ms = said.get("ms").and_then(Value::as_u64);
        step.url = words("url");
        step.gone = words("text_gone").map(|_| true);
        step.text = words("text").or_else(|| words("text_gone"));
        let says = step.ms.is_some() || step.url.is_some() || step.text.is_some();
        says.then(|| self.workflow.steps.push(step))
    }

    /// The parameter for what was typed into a field.
    fn typed(&mut self, on: &Described, words: &str) -> String {
        let mut is_secret = on.is_secret || is_card_number(words);
        if is_secret && words.chars().count() >= SHORTEST_SECRET {
            self.secrets.push(words.to_owned());
        }
        is_secret |= self.secrets.iter().any(|secret| words.contains(secret));
        let default = (!is_secret && words.len() <= LONGEST_DEFAULT).then(|| words.to_owned());
        let description = if is_secret { "A secret; it is never recorded" } else { "" };
        self.parameter(&name_of(on), description, default)
    }

    /// One option is a parameter; several are what they are.
    fn chosen(&mut self, on: &Described, values: &Value) -> Option<Options> {
        let one = match values {
            Value::String(one) => Some(one.as_str()),
            Value::Array(several) => match several.as_slice() {
                [one] => Some(one.as_str()?),
                _ => None,
            },
            _ => return None,
        };
        if let Some(one) = one {
            return Some(Options::One(self.typed(on, one)));
        }
        let texts = values.as_array()?.iter().map(|value| value.as_str().map(str::to_owned));
        let texts: Vec<String> = texts.collect::<Option<_>>()?;
        let is_plain = !on.is_secret && !texts.iter().any(|text| has_parameter(text));
        is_plain.then_some(Options::Several(texts))
    }

    /// Makes a parameter, and gives how a step names it.
    fn parameter(&mut self, name: &str, description: &str, default: Option<String>) -> String {
        let name =
            self.unused(name, |recording, name| recording.workflow.parameters.contains_key(name));
        let required = default.is_none().then_some(true);
        let parameter = Parameter { description: description.to_owned(), required, default };
        self.workflow.parameters.insert(name.clone(), parameter);
        format!("{{{{{name}}}}}")
    }

    fn unused(&self, name: &str, is_used: impl Fn(&Self, &str) -> bool) -> String {
        let numbered = (2u32..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|name| !is_used(self, name)).unwrap_or_default()
    }
}

fn scrolled(step: &mut WorkflowStep, said: &Map<String, Value>) -> Option<()> {
    step.to = text(said, "to").map(str::to_owned);
    step.text = text(said, "text").filter(|text| !has_parameter(text)).map(str::to_owned);
    if step.text.is_some() {
        // What shows the text is looked for anew.
        step.target = None;
    }
    let by = |axis| said.get("by").and_then(|by| by.get(axis)?.as_f64()).unwrap_or(0.0);
    let (x, y) = (by("x"), by("y"));
    if said.contains_key("by") {
        let is_upright = y.abs() >= x.abs();
        step.direction = Some(match (is_upright, x < 0.0, y < 0.0) {
            (true, _, true) => Direction::Up,
            (true, _, false) => Direction::Down,
            (false, true, _) => Direction::Left,
            (false, false, _) => Direction::Right,
        });
    }
    let is_aimed = ["ref", "selector", "x"].iter().any(|way| said.contains_key(*way));
    let says = step.to.is_some() || step.text.is_some() || step.direction.is_some();
    if is_aimed { step.target.as_ref().map(drop) } else { says.then_some(()) }
}

/// By what an element is found again. The heading only where others are alike:
/// headings change more often than what buttons are called.
fn target(on: &Described) -> Known {
    let Known { role, name, text, heading, selector } = on.known.clone();
    let plain = |words: Option<String>| words.filter(|words| !has_parameter(words));
    let heading = if on.alike == 1 { None } else { plain(heading) };
    Known { role, name: plain(name), text: plain(text), heading, selector }
}

/// By where an element is found again whose words will be others.
fn place(on: &Described) -> Known {
    let role = on.known.role.as_deref().unwrap_or_default();
    if FIELDS.contains(&role) {
        return target(on);
    }
    let Known { role, heading, selector, .. } = on.known.clone();
    Known {
        role,
        heading: heading.filter(|words| !has_parameter(words)),
        selector,
        ..Known::default()
    }
}

/// What a parameter for a field is called: `full_name`.
fn name_of(on: &Described) -> String {
    let is_field = on.known.role.as_deref().is_some_and(|role| FIELDS.contains(&role));
    let words = if is_field { &on.known.name } else { &on.known.heading };
    let mut name = String::new();
    for letter in words.as_deref().unwrap_or_default().chars() {
        match letter.to_ascii_lowercase() {
            plain @ ('a'..='z' | '0'..='9') => name.push(plain),
            _ if name.is_empty() || name.ends_with('_') => {}
            _ => name.push('_'),
        }
    }
    let name: String = name.trim_start_matches(|c: char| !c.is_ascii_lowercase()).to_owned();
    let name: String = name.chars().take(LONGEST_NAME).collect();
    let name = name.trim_end_matches('_');
    if name.is_empty() { "value".to_owned() } else { name.to_owned() }
}

/// Whether a key puts a letter somewhere.
fn writes(key: &str) -> bool {
    let bare = key.strip_prefix("Shift+").unwrap_or(key);
    bare.chars().count() == 1
}

/// As the page judges what a field holds: the check digit is right.
fn is_card_number(words: &str) -> bool {
    let digits: Option<Vec<u32>> =
        words.chars().filter(|c| *c != ' ' && *c != '-').map(|c| c.to_digit(10)).collect();
    let Some(digits) = digits.filter(|digits| (13..=19).contains(&digits.len())) else {
        return false;
    };
    let sum: u32 = digits.iter().rev().enumerate().fold(0, |sum, (at, digit)| {
        let counted = if at % 2 == 1 { digit * 2 } else { *digit };
        sum + if counted > 9 { counted - 9 } else { counted }
    });
    sum.is_multiple_of(10)
}

fn text<'a>(said: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    said.get(name)?.as_str()
}

fn switched_on(said: &Map<String, Value>, name: &str) -> Option<bool> {
    said.get(name)?.as_bool().filter(|is_on| *is_on)
}

#[cfg(test)]
mod tests;
