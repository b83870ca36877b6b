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
        let control = json!({ "tag": "a", "names": ["More"], "is_certain": true, "is_in_view": true, "html": "<a>" });
        let answer =
            json!({ "text": "More", "counted": 1, "texts": ["More"], "controls": [control] });
        let sight = Sight::parse(answer).unwrap();
        assert_eq!(sight.in_view().count(), 1);
        assert_eq!(Sight::parse(json!({ "text": "More" })), None);
    }

    #[test]
    fn the_script_is_a_function_that_can_be_sent_as_it_is() {
        let code = SCRIPT.lines().find(|line| !line.starts_with("//")).unwrap();
        assert!(code.starts_with("() => {"), "{code}");
    }
}
