//! The debugger commands in use, as steps of a batch: typed here, so that a
//! misspelt field can't reach a browser.

use outrigger_protocol::capabilities::{BatchStep, CdpParams};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::keyboard::KeyPress;
use crate::page::step;

/// A command of the Chrome DevTools protocol.
pub trait Command: Serialize {
    /// Its name.
    const METHOD: &'static str;
}

/// A number, or where in an earlier step's result to find it.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Coordinate {
    /// Known.
    Known(f64),
    /// Found by an earlier step.
    Found(Value),
}

impl Coordinate {
    /// `x` or `y` of the first step's `Prepared`.
    fn prepared(axis: &str) -> Self {
        Coordinate::Found(json!({"$step": 0, "pointer": format!("/frames/0/value/{axis}")}))
    }
}

/// `Input.dispatchMouseEvent`.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DispatchMouseEvent {
    /// `mouseMoved`, `mousePressed` or `mouseReleased`.
    pub r#type: &'static str,
    /// CSS pixels of the viewport.
    pub x: Coordinate,
    /// CSS pixels of the viewport.
    pub y: Coordinate,
    /// `none`, `left`, `middle` or `right`.
    pub button: &'static str,
    /// Bits of the buttons that are down.
    pub buttons: u8,
    /// 1 for a single click.
    pub click_count: u8,
    /// Alt 1, Control 2, Meta 4, Shift 8.
    pub modifiers: u8,
}

impl Command for DispatchMouseEvent {
    const METHOD: &'static str = "Input.dispatchMouseEvent";
}

/// `Input.insertText`.
#[derive(Debug, Clone, Serialize)]
pub struct InsertText {
    /// The text.
    pub text: String,
}

impl Command for InsertText {
    const METHOD: &'static str = "Input.insertText";
}

/// `Input.dispatchKeyEvent`.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DispatchKeyEvent {
    /// `keyDown`, `rawKeyDown` or `keyUp`.
    pub r#type: &'static str,
    /// Alt 1, Control 2, Meta 4, Shift 8.
    pub modifiers: u8,
    /// `Enter`, `a`.
    pub key: String,
    /// `Enter`, `KeyA`.
    pub code: String,
    /// The old numbers that pages still read.
    pub windows_virtual_key_code: u16,
    /// What it types.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Editor commands, where the platform would send them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<&'static str>,
}

impl Command for DispatchKeyEvent {
    const METHOD: &'static str = "Input.dispatchKeyEvent";
}

/// A step that sends a command and waits for its answer.
pub fn command<C: Command>(tab_id: i64, command: &C) -> BatchStep {
    let params = serde_json::to_value(command).unwrap_or(Value::Null);
    step("cdp", CdpParams { tab_id, method: C::METHOD.to_owned(), params })
}

/// A button of the mouse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Button {
    /// The usual one.
    #[default]
    Left,
    /// For the context menu.
    Right,
    /// The wheel.
    Middle,
}

impl Button {
    fn name(self) -> &'static str {
        match self {
            Button::Left => "left",
            Button::Right => "right",
            Button::Middle => "middle",
        }
    }

    fn bit(self) -> u8 {
        match self {
            Button::Left => 1,
            Button::Right => 2,
            Button::Middle => 4,
        }
    }
}

/// Steps that click where the first step of the batch found the element. They
/// overlap: answered one by one they cost five times as much.
pub fn click(tab_id: i64, button: Button, count: u8, modifiers: u8) -> Vec<BatchStep> {
    let event = |kind, buttons, click_count| {
        let button = if click_count == 0 { "none" } else { button.name() };
        mouse_event(tab_id, kind, button, buttons, click_count, modifiers)
    };
    let mut steps = vec![event("mouseMoved", 0, 0)];
    for nth in 1..=count {
        steps.push(event("mousePressed", button.bit(), nth));
        steps.push(event("mouseReleased", 0, nth));
    }
    let last = steps.len() - 1;
    for step in &mut steps[..last] {
        step.overlap = true;
    }
    steps
}

/// A step that moves the mouse to where the first step found the element.
pub fn hover(tab_id: i64) -> BatchStep {
    mouse_event(tab_id, "mouseMoved", "none", 0, 0, 0)
}

fn mouse_event(
    tab_id: i64,
    kind: &'static str,
    button: &'static str,
    buttons: u8,
    click_count: u8,
    modifiers: u8,
) -> BatchStep {
    let event = DispatchMouseEvent {
        r#type: kind,
        x: Coordinate::prepared("x"),
        y: Coordinate::prepared("y"),
        button,
        buttons,
        click_count,
        modifiers,
    };
    command(tab_id, &event)
}

/// Steps that press and release keys, modifiers around them.
pub fn press(tab_id: i64, press: &KeyPress) -> Vec<BatchStep> {
    press.events().iter().map(|event| command(tab_id, event)).collect()
}
