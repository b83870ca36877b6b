//! Keys by their names, as a page sees them on a US keyboard.

use outrigger_protocol::capabilities::StakesBy;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::cdp::DispatchKeyEvent;
use crate::error::BrowserError;

/// A key with its modifiers, `Control+Shift+k`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPress {
    key: Key,
    modifiers: Vec<Modifier>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Key {
    key: String,
    code: String,
    number: u16,
    text: Option<String>,
}

impl KeyPress {
    /// What it may set off in a page: Enter sends, and a blank presses what has the focus.
    pub fn sets_off(&self) -> Option<StakesBy> {
        match self.key.key.as_str() {
            "Enter" => Some(StakesBy::Enter),
            " " => Some(StakesBy::Press),
            _ => None,
        }
    }
}

/// A key that is held while others are pressed, or the mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum Modifier {
    /// Also called Option.
    Alt,
    /// Also called Ctrl.
    Control,
    /// Also called Command.
    Meta,
    /// Shift.
    Shift,
}

impl Modifier {
    fn parse(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "alt" | "option" => Some(Modifier::Alt),
            "control" | "ctrl" => Some(Modifier::Control),
            "meta" | "command" | "cmd" => Some(Modifier::Meta),
            "shift" => Some(Modifier::Shift),
            _ => None,
        }
    }

    /// Its bit in the debugger's `modifiers`.
    pub fn bit(self) -> u8 {
        match self {
            Modifier::Alt => 1,
            Modifier::Control => 2,
            Modifier::Meta => 4,
            Modifier::Shift => 8,
        }
    }

    fn key(self) -> Key {
        let (name, number) = match self {
            Modifier::Alt => ("Alt", 18),
            Modifier::Control => ("Control", 17),
            Modifier::Meta => ("Meta", 91),
            Modifier::Shift => ("Shift", 16),
        };
        Key { key: name.into(), code: format!("{name}Left"), number, text: None }
    }
}

/// Named keys: name, code, number, what they type.
const NAMED: &[(&str, &str, u16, &str)] = &[
    ("Enter", "Enter", 13, "\r"),
    ("Tab", "Tab", 9, ""),
    ("Escape", "Escape", 27, ""),
    ("Backspace", "Backspace", 8, ""),
    ("Delete", "Delete", 46, ""),
    ("Insert", "Insert", 45, ""),
    ("Home", "Home", 36, ""),
    ("End", "End", 35, ""),
    ("PageUp", "PageUp", 33, ""),
    ("PageDown", "PageDown", 34, ""),
    ("ArrowLeft", "ArrowLeft", 37, ""),
    ("ArrowUp", "ArrowUp", 38, ""),
    ("ArrowRight", "ArrowRight", 39, ""),
    ("ArrowDown", "ArrowDown", 40, ""),
    (" ", "Space", 32, " "),
];

/// Other names people use.
const ALIASES: &[(&str, &str)] = &[
    ("esc", "Escape"),
    ("return", "Enter"),
    ("del", "Delete"),
    ("space", " "),
    ("left", "ArrowLeft"),
    ("up", "ArrowUp"),
    ("right", "ArrowRight"),
    ("down", "ArrowDown"),
];

/// Characters of the US layout that aren't letters or digits: unshifted,
/// shifted, code, number.
const SYMBOLS: &[(char, char, &str, u16)] = &[
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    ('`', '~', "Backquote", 192),
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
];

const SHIFTED_DIGITS: &str = ")!@#$%^&*(";

impl KeyPress {
    /// Reads `Enter`, `a`, `Control+a`, `Shift+Tab`, `Control++`.
    pub fn parse(text: &str) -> Result<Self, BrowserError> {
        let unknown = || BrowserError::NoSuchKey(text.to_owned());
        // The key itself may be "+".
        let (chord, last) = match text.strip_suffix("++") {
            Some(chord) => (Some(chord), "+"),
            None if text == "+" => (None, "+"),
            None => text.rsplit_once('+').map_or((None, text), |(chord, last)| (Some(chord), last)),
        };
        let modifiers: Option<Vec<Modifier>> =
            chord.map_or(Some(Vec::new()), |chord| chord.split('+').map(Modifier::parse).collect());
        let mut modifiers = modifiers.ok_or_else(unknown)?;
        let (key, needs_shift) = find(last).ok_or_else(unknown)?;
        if needs_shift && !modifiers.contains(&Modifier::Shift) {
            modifiers.push(Modifier::Shift);
        }
        Ok(KeyPress { key, modifiers })
    }

    /// The events in order: modifiers down, key down, key up, modifiers up.
    pub fn events(&self) -> Vec<DispatchKeyEvent> {
        let mut events = Vec::new();
        let mut held = 0;
        for modifier in &self.modifiers {
            held |= modifier.bit();
            events.push(event("rawKeyDown", &modifier.key(), held, false));
        }
        // A chord with Control, Alt or Meta types nothing.
        let types = self.key.text.is_some() && held & !Modifier::Shift.bit() == 0;
        let mut down = event(if types { "keyDown" } else { "rawKeyDown" }, &self.key, held, types);
        if held & (Modifier::Control.bit() | Modifier::Meta.bit()) != 0 {
            let is_shifted = held & Modifier::Shift.bit() != 0;
            down.commands = editor_command(&self.key.key, is_shifted).into_iter().collect();
        }
        events.push(down);
        events.push(event("keyUp", &self.key, held, false));
        for modifier in self.modifiers.iter().rev() {
            held &= !modifier.bit();
            events.push(event("keyUp", &modifier.key(), held, false));
        }
        events
    }
}

/// A synthetic Control+a selects nothing by itself; the platform's shortcut
/// has to be named as well.
fn editor_command(key: &str, is_shifted: bool) -> Option<&'static str> {
    match (key, is_shifted) {
        ("a", false) => Some("selectAll"),
        ("c", false) => Some("copy"),
        ("v", false) => Some("paste"),
        ("v" | "V", true) => Some("pasteAndMatchStyle"),
        ("x", false) => Some("cut"),
        ("z", false) => Some("undo"),
        ("z" | "Z", true) | ("y", false) => Some("redo"),
        _ => None,
    }
}

fn event(kind: &'static str, key: &Key, modifiers: u8, types: bool) -> DispatchKeyEvent {
    DispatchKeyEvent {
        r#type: kind,
        modifiers,
        key: key.key.clone(),
        code: key.code.clone(),
        windows_virtual_key_code: key.number,
        text: key.text.clone().filter(|_| types),
        commands: Vec::new(),
    }
}

/// The key of a name, and whether it needs Shift.
fn find(name: &str) -> Option<(Key, bool)> {
    let lower = name.to_ascii_lowercase();
    let alias = ALIASES.iter().find(|(alias, _)| *alias == lower).map_or(name, |(_, to)| to);
    if let Some((key, code, number, text)) =
        NAMED.iter().find(|(key, ..)| key.eq_ignore_ascii_case(alias))
    {
        let text = Some((*text).to_owned()).filter(|text| !text.is_empty());
        return Some((
            Key { key: (*key).into(), code: (*code).into(), number: *number, text },
            false,
        ));
    }
    if let Some(number) = lower.strip_prefix('f').and_then(|n| n.parse::<u16>().ok())
        && (1..=12).contains(&number)
    {
        let name = format!("F{number}");
        return Some((
            Key { key: name.clone(), code: name, number: 111 + number, text: None },
            false,
        ));
    }
    let mut characters = name.chars();
    let (character, None) = (characters.next()?, characters.next()) else { return None };
    character_key(character)
}

fn character_key(character: char) -> Option<(Key, bool)> {
    let key = |code: String, number: u16| Key {
        key: character.to_string(),
        code,
        number,
        text: Some(character.to_string()),
    };
    if character.is_ascii_alphabetic() {
        let upper = character.to_ascii_uppercase();
        return Some((key(format!("Key{upper}"), upper as u16), character.is_ascii_uppercase()));
    }
    if let Some(digit) = character.to_digit(10) {
        return Some((key(format!("Digit{digit}"), 48 + digit as u16), false));
    }
    if let Some(digit) = SHIFTED_DIGITS.find(character) {
        return Some((key(format!("Digit{digit}"), 48 + digit as u16), true));
    }
    if let Some((_, shifted, code, number)) =
        SYMBOLS.iter().find(|(plain, shifted, ..)| *plain == character || *shifted == character)
    {
        return Some((key((*code).into(), *number), *shifted == character));
    }
    // Any other character is typed as what it is, without a place on the keyboard.
    (!character.is_control()).then(|| (key(String::new(), 0), false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chord_holds_its_modifiers_around_the_key() {
        let events = KeyPress::parse("Control+Shift+k").unwrap().events();
        let order: Vec<(&str, &str, u8)> =
            events.iter().map(|e| (e.r#type, e.key.as_str(), e.modifiers)).collect();
        assert_eq!(
            order,
            [
                ("rawKeyDown", "Control", 2),
                ("rawKeyDown", "Shift", 10),
                ("rawKeyDown", "k", 10),
                ("keyUp", "k", 10),
                ("keyUp", "Shift", 2),
                ("keyUp", "Control", 0),
            ]
        );
    }

    #[test]
    fn a_character_types_itself_and_an_upper_one_holds_shift() {
        let down = |text: &str| {
            let events = KeyPress::parse(text).unwrap().events();
            events.into_iter().find(|e| e.r#type == "keyDown").unwrap()
        };
        assert_eq!((down("a").text.as_deref(), down("a").modifiers), (Some("a"), 0));
        assert_eq!((down("A").text.as_deref(), down("A").modifiers), (Some("A"), 8));
        assert_eq!((down("?").code.as_str(), down("?").modifiers), ("Slash", 8));
        assert_eq!(down("Enter").text.as_deref(), Some("\r"));
        assert_eq!(down("é").text.as_deref(), Some("é"));
    }

    #[test]
    fn a_shortcut_names_what_it_does_and_shift_makes_it_another() {
        let commands = |text: &str| {
            let events = KeyPress::parse(text).unwrap().events();
            events.into_iter().flat_map(|event| event.commands).collect::<Vec<_>>()
        };
        assert_eq!(commands("Control+z"), ["undo"]);
        for redo in ["Control+Shift+z", "Control+Z", "Meta+Shift+z", "Control+y"] {
            assert_eq!(commands(redo), ["redo"], "{redo}");
        }
        assert!(commands("Control+Shift+a").is_empty(), "that is no selection");
        assert!(commands("z").is_empty());
    }

    #[test]
    fn plus_is_a_key_too_and_nonsense_is_none() {
        assert_eq!(KeyPress::parse("+").unwrap().key.key, "+");
        assert_eq!(KeyPress::parse("Control++").unwrap().key.key, "+");
        assert_eq!(KeyPress::parse("esc").unwrap().key.key, "Escape");
        assert_eq!(KeyPress::parse("f5").unwrap().key.number, 116);
        for nonsense in ["", "Control+", "Foo+a", "Enterr", "F13"] {
            assert!(KeyPress::parse(nonsense).is_err(), "{nonsense}");
        }
    }
}
