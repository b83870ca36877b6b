//! Owns what a person can see of a page, as the page itself says: the measure for what a snapshot must hold. The
//! script that asks is `yardstick.js`; it is run by a peer, so that Outrigger isn't measured by its own eyes.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The function that is run in the page.
pub(crate) const SCRIPT: &str = include_str!("yardstick.js");

/// What can be seen of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Sight {
    /// The page's text as the browser puts it.
    pub(crate) text: String,
    /// How many controls that text has to be given handles for.
    pub(crate) counted: usize,
    /// The runs of text that a person sees, in the order of the document.
    pub(crate) texts: Vec<String>,
    /// The controls that a person sees.
    pub(crate) controls: Vec<SeenControl>,
}

/// A control that a person sees.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct SeenControl {
    pub(crate) tag: String,
    /// All that it may be called by: what is written on it and what it is labelled with.
    pub(crate) names: Vec<String>,
    /// False for what only a script may have made usable, often a mere container.
    pub(crate) is_certain: bool,
    /// Where it leads, if it is a link.
    pub(crate) target: Option<String>,
    /// Nothing is written on it: a picture, at most.
    pub(crate) is_wordless: bool,
    /// It is part of another control, like the button in a link.
    pub(crate) is_nested: bool,
    /// Its middle is in the viewport, and nothing lies over it.
    pub(crate) is_in_view: bool,
    /// The beginning of its source, for whoever looks into it.
    pub(crate) html: String,
}

impl Sight {
    /// Reads the script's answer.
    pub(crate) fn parse(answer: Value) -> Option<Self> {
        serde_json::from_value(answer).ok()
    }

    /// The other links to where a picture leads: to a reader, all of them are one.
    pub(crate) fn twins<'a>(
        &'a self,
        control: &'a SeenControl,
    ) -> impl Iterator<Item = &'a SeenControl> {
        let leads_there = |other: &&SeenControl| {
            control.is_wordless
                && !other.is_wordless
                && other.target.is_some()
                && other.target == control.target
        };
        self.controls.iter().filter(leads_there)
    }

    /// The controls of the first screen.
    pub(crate) fn in_view(&self) -> impl Iterator<Item = &SeenControl> {
        self.controls.iter().filter(|control| control.is_in_view)
    }
}

impl SeenControl {
    /// What a list of controls calls it.
    pub(crate) fn title(&self) -> String {
        self.names.first().unwrap_or(&self.html).clone()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_is_read_whole_or_not_at_all() {
        let control = json!({ "tag": "a", "names": ["More"], "is_certain": true, "target": null,
            "is_wordless": false, "is_nested": false, "is_in_view": true, "html": "<a>" });
        let answer =
            json!({ "text": "More", "counted": 1, "texts": ["More"], "controls": [control] });
        let sight = Sight::parse(answer).unwrap();
        assert_eq!(sight.in_view().count(), 1);
        assert_eq!(Sight::parse(json!({ "text": "More" })), None);
    }

    #[test]
    fn a_picture_and_a_text_that_lead_to_one_place_are_twins() {
        let link = |target: Option<&str>, is_wordless: bool| SeenControl {
            target: target.map(str::to_owned),
            is_wordless,
            ..SeenControl::default()
        };
        let controls = vec![
            link(Some("/a"), true),
            link(Some("/a"), false),
            link(Some("/b"), true),
            link(None, true),
            link(None, false),
        ];
        let sight = Sight { controls: controls.clone(), ..Sight::default() };
        let twins: Vec<usize> = controls.iter().map(|one| sight.twins(one).count()).collect();
        assert_eq!(twins, [1, 0, 0, 0, 0]);
    }

    #[test]
    fn the_script_is_a_function_that_can_be_sent_as_it_is() {
        let code = SCRIPT.lines().find(|line| !line.starts_with("//")).unwrap();
        assert!(code.starts_with("() => {"), "{code}");
    }
}
