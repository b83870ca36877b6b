//! What pressing a control would do that can't be taken back: judged by its words, by
//! what is asked beside it and by the form that it sends. A signal for asking the user
//! each time, whatever they allowed before; harmless look-alikes are left alone.

mod vocabulary;

use std::fmt;

use self::vocabulary::{
    ACTS, ASSENTS, BANNERS, CHOICES, CONSENTED, CONSENTS, DECLINES, HARMLESS, HOW, LEADING,
    NEGATIONS, NEVER_ACT, STEPS, SUBJECTS, YES,
};

/// What can't be taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Consequence {
    /// Money goes, or is owed.
    Pays,
    /// Money or goods go to somebody else.
    Transfers,
    /// Something is gone after.
    Deletes,
    /// Somebody gets to read it.
    Sends,
    /// Everybody gets to read it.
    Publishes,
    /// Who may get in, or how.
    ChangesAccess,
    /// Whatever was asked before.
    Confirms,
    /// Something that no word tells.
    Unknown,
}

impl fmt::Display for Consequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Consequence::Pays => "pays",
            Consequence::Transfers => "transfers",
            Consequence::Deletes => "deletes",
            Consequence::Sends => "sends",
            Consequence::Publishes => "publishes",
            Consequence::ChangesAccess => "access",
            Consequence::Confirms => "confirms",
            Consequence::Unknown => "unknown",
        })
    }
}

/// A form that is known by what it asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The number of a card, or its code.
    Card,
    /// Another password than before.
    NewPassword,
    /// Something else; or it is a dialog that is answered.
    Other,
}

/// A control, as the page calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Control<'a> {
    /// Its role.
    pub role: &'a str,
    /// Its accessible name.
    pub name: &'a str,
    /// The words of the dialog, or of the heading, that it answers.
    pub asked: &'a str,
    /// The form that it sends.
    pub form: Option<Form>,
}

/// Longer names are sentences about something, not the name of an act.
const LONGEST_ACT: usize = 8;
/// A link mostly leads somewhere; one that acts is short and begins with the act.
const LONGEST_LINK: usize = 4;
/// An item or a cell is mostly the name of something.
const LONGEST_ITEM: usize = 3;

/// Whether it does something that can't be taken back.
pub fn consequence(control: &Control<'_>) -> Option<Consequence> {
    let Control { role, name, asked, form } = control;
    let words = words_of(name);
    if CHOICES.contains(role) {
        return choice(&words);
    }
    if NEVER_ACT.contains(role) {
        return None;
    }
    said(role, *form, &words, &words_of(asked)).or_else(|| sent(*form, &words))
}

/// By its own words, and what it says yes to.
fn said(role: &str, form: Option<Form>, words: &[String], asked: &[String]) -> Option<Consequence> {
    let name = words.join(" ");
    let is_yes = words.first().is_some_and(|first| YES.contains(&first.as_str()));
    let asks = |must_begin| {
        let subject = || subject_of(asked);
        let act = act_in(asked, must_begin).or_else(subject);
        act.filter(|act| !is_harmless(asked) && !is_of_a_banner(asked, *act))
    };
    let answered = if ASSENTS.contains(&name.as_str()) {
        asks(false)
    } else if is_yes && words.len() <= LONGEST_ACT {
        act_in(words, false).or_else(|| asks(false))
    } else if role != "link" && form.is_some() && STEPS.contains(&name.as_str()) {
        asks(true)
    } else {
        None
    };
    let own = || match role {
        _ if words.is_empty() || is_harmless(words) => None,
        "button" | "menuitem" | "generic" | "img" if words.len() <= LONGEST_ACT => {
            act_in(words, false)
        }
        "link" if words.len() <= LONGEST_LINK => act_in(words, true),
        // What is a part of the page by its role, and pressed all the same.
        _ if words.len() <= LONGEST_ITEM => act_at_an_end(words),
        _ => None,
    };
    answered.or_else(own)
}

/// A banner speaks of withdrawing and revoking what is agreed to there.
fn is_of_a_banner(asked: &[String], act: Consequence) -> bool {
    matches!(act, Consequence::Transfers | Consequence::ChangesAccess)
        && asked.iter().any(|word| BANNERS.contains(&word.as_str()))
}

/// By the form that it sends.
fn sent(form: Option<Form>, words: &[String]) -> Option<Consequence> {
    if is_harmless(words) || DECLINES.contains(&words.join(" ").as_str()) {
        return None;
    }
    match form? {
        Form::Card => Some(Consequence::Pays),
        Form::NewPassword => Some(Consequence::ChangesAccess),
        Form::Other => None,
    }
}

/// What a short heading is about, where it names the act as a thing.
fn subject_of(asked: &[String]) -> Option<Consequence> {
    let named = |(_, things): &&(Consequence, &[&str])| {
        asked.len() <= LONGEST_LINK && things.iter().any(|thing| says(asked, thing, true))
    };
    SUBJECTS.iter().find(named).map(|(consequence, _)| *consequence)
}

/// Whether choosing it does. Most choices only say how: with what to pay, whom to send
/// it to. What is done then, a button does, which is judged by itself.
fn choice(words: &[String]) -> Option<Consequence> {
    if is_harmless(words) || words.iter().any(|word| NEGATIONS.contains(&word.as_str())) {
        return None;
    }
    if CONSENTS.iter().any(|phrase| says(words, phrase, true)) {
        let is_named = |noun: &&str| words.iter().any(|word| word == noun);
        let named = CONSENTED.iter().find(|(_, nouns)| nouns.iter().any(is_named));
        return named.map(|(consequence, _)| *consequence);
    }
    let begins = words.iter().position(|word| !LEADING.contains(&word.as_str()))?;
    let words = &words[begins..];
    let act = act_at_an_end(words)?;
    let is_act = match act {
        Consequence::Deletes => true,
        // One word alone is the name of a kind of thing.
        Consequence::Transfers | Consequence::Publishes | Consequence::ChangesAccess => {
            words.len() > 1
        }
        Consequence::Pays | Consequence::Sends | Consequence::Confirms | Consequence::Unknown => {
            false
        }
    };
    (is_act && words.len() <= LONGEST_ACT && !HOW.iter().any(|phrase| says(words, phrase, false)))
        .then_some(act)
}

/// Some languages put the verb last.
pub(crate) fn act_at_an_end(words: &[String]) -> Option<Consequence> {
    let ends = |phrase: &str| {
        let sought: Vec<&str> = phrase.split(' ').collect();
        let last = words.len().saturating_sub(sought.len());
        words[last..].iter().eq(sought.iter())
    };
    ACTS.iter()
        .find(|(_, phrases)| phrases.iter().any(|one| says(words, one, true) || ends(one)))
        .map(|(consequence, _)| *consequence)
}

pub(crate) fn act_in(words: &[String], must_begin: bool) -> Option<Consequence> {
    ACTS.iter()
        .find(|(_, phrases)| phrases.iter().any(|one| says(words, one, must_begin)))
        .map(|(consequence, _)| *consequence)
}

pub(crate) fn is_harmless(words: &[String]) -> bool {
    HARMLESS.iter().any(|phrase| says(words, phrase, false))
}

/// Whether the words of a phrase stand in a row; after a `^`, at the beginning.
fn says(words: &[String], phrase: &str, must_begin: bool) -> bool {
    let (phrase, must_begin) = match phrase.strip_prefix('^') {
        Some(rest) => (rest, true),
        None => (phrase, must_begin),
    };
    let sought: Vec<&str> = phrase.split(' ').collect();
    let found = words.windows(sought.len()).position(|part| part.iter().eq(sought.iter()));
    found.is_some_and(|at| at == 0 || !must_begin)
}

/// In small letters, without what stands between them.
pub(crate) fn words_of(text: &str) -> Vec<String> {
    let letters = text.to_lowercase();
    let words = letters.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}
