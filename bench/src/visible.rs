//! Owns the judgement of a single thing: whether a person sees it, and whether Outrigger's snapshots reach it. Which
//! things are judged is in [`crate::completeness`].

use std::collections::BTreeSet;

use crate::{
    our_snapshot::Reached,
    words::{Haystack, fold, pieces},
    yardstick::{SeenControl, Sight},
};

/// What a person sees, ready to be searched.
#[derive(Debug)]
pub(crate) struct Visible<'a> {
    texts: Haystack,
    sight: &'a Sight,
    /// The names of each control, folded.
    names: Vec<Vec<String>>,
}

impl<'a> Visible<'a> {
    pub(crate) fn new(sight: &'a Sight) -> Self {
        let names = |control: &SeenControl| control.names.iter().map(|name| fold(name)).collect();
        Self {
            texts: Haystack::of_readings([sight.texts.join(" ").as_str()]),
            names: sight.controls.iter().map(names).collect(),
            sight,
        }
    }

    /// A control is reached by itself, or by a link beside it that leads to the same place.
    pub(crate) fn is_reached(&self, control: &SeenControl, reached: &Reached) -> bool {
        reached.reaches(control) || self.sight.twins(control).any(|twin| reached.reaches(twin))
    }

    /// Whether a control by this name is seen, and what of it is out of reach. A name that no control bears, because
    /// the peer puts names together in another way, is judged as a text.
    pub(crate) fn control_not_in(&self, name: &str, reached: &Reached) -> (bool, Vec<String>) {
        let folded = fold(name);
        let mut bearers = self
            .names
            .iter()
            .zip(&self.sight.controls)
            .filter(|(names, _)| names.contains(&folded))
            .map(|(_, control)| control)
            .peekable();
        if bearers.peek().is_none() {
            return self.text_not_in(name, reached);
        }
        let is_reached = bearers.any(|control| self.is_reached(control, reached));
        (true, if is_reached { Vec::new() } else { vec![format!("control: {name}")] })
    }

    /// Whether any piece of a text is seen, and which of the seen ones are out of reach.
    pub(crate) fn text_not_in(&self, text: &str, reached: &Reached) -> (bool, Vec<String>) {
        let seen: Vec<String> = pieces(text)
            .into_iter()
            .filter(|piece| !fold(piece).is_empty() && self.texts.holds_piece(piece))
            .collect();
        let is_seen = !seen.is_empty();
        (
            is_seen,
            seen.into_iter().filter(|piece| !reached.text.holds_piece_in_two(piece)).collect(),
        )
    }

    /// One name may be that of many controls. Two links to the same place are one here, and so are a link and the
    /// button inside it.
    pub(crate) fn seldomer_in(
        &self,
        name: &str,
        times: usize,
        reached: &Reached,
    ) -> Option<String> {
        let folded = fold(name);
        let bearers = self
            .names
            .iter()
            .zip(&self.sight.controls)
            .enumerate()
            .filter(|(_, (names, control))| !control.is_nested && names.contains(&folded));
        let mut seen = BTreeSet::new();
        let mut told = 0;
        for (index, (names, control)) in bearers {
            let target = control.target.as_deref();
            seen.insert((target, if target.is_some() { 0 } else { index }));
            told = names.iter().map(|name| reached.count(name)).fold(told, usize::max);
        }
        let wanted = times.min(seen.len());
        (1..wanted)
            .contains(&told)
            .then(|| format!("control: {name}, {wanted} times and not {told}"))
    }

    /// All that is seen and out of reach.
    pub(crate) fn all_not_in(&self, reached: &Reached) -> Vec<String> {
        let texts = self.sight.texts.iter().flat_map(|text| self.text_not_in(text, reached).1);
        let controls = self
            .sight
            .controls
            .iter()
            .filter(|control| !control.names.is_empty() && !self.is_reached(control, reached))
            .map(|control| format!("control: {} {}", control.names[0], control.html));
        let mut missing: Vec<String> = texts.chain(controls).collect();
        missing.sort();
        missing.dedup();
        missing
    }
}

impl Reached {
    /// A control is reached when one of its names is that of a control with a ref. What may be a mere container is
    /// reached when what is written on it can be read.
    fn reaches(&self, control: &SeenControl) -> bool {
        control.names.iter().any(|name| {
            let begins =
                || pieces(name).first().is_some_and(|first| self.controls.holds_piece(first));
            self.controls.holds(name)
                || (self.text.holds(name) && (!control.is_certain || begins()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::our_snapshot::OurSnapshot;

    fn control(names: &[&str]) -> SeenControl {
        SeenControl {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            is_certain: true,
            ..SeenControl::default()
        }
    }

    #[test]
    fn a_picture_is_reached_through_the_text_that_leads_to_the_same_place() {
        let to_a = |names: &[&str]| SeenControl { target: Some("/a".to_owned()), ..control(names) };
        let picture = SeenControl { is_wordless: true, ..to_a(&["Photo of a cat"]) };
        let sight = Sight { controls: vec![picture, to_a(&["Cats"])], ..Sight::default() };
        let visible = Visible::new(&sight);
        let told = OurSnapshot::default().read("[Cats](e1)").searchable();
        assert_eq!(visible.control_not_in("Photo of a cat", &told), (true, Vec::new()));
        let not_told = OurSnapshot::default().read("[Dogs](e1)").searchable();
        assert_eq!(visible.control_not_in("Photo of a cat", &not_told).1.len(), 1);
    }

    #[test]
    fn a_name_that_no_control_bears_is_judged_as_a_text() {
        let sight = Sight { texts: vec!["Read on".to_owned()], ..Sight::default() };
        let visible = Visible::new(&sight);
        let nothing = OurSnapshot::default().searchable();
        assert_eq!(visible.control_not_in("Read on", &nothing), (true, vec!["Read on".to_owned()]));
        assert_eq!(visible.control_not_in("For ears", &nothing), (false, Vec::new()));
    }

    #[test]
    fn a_container_is_reached_when_it_can_be_read() {
        let container = SeenControl { is_certain: false, ..control(&["Read on"]) };
        let sight = Sight { controls: vec![container.clone()], ..Sight::default() };
        let told = OurSnapshot::default().read("Read on").searchable();
        assert!(Visible::new(&sight).is_reached(&container, &told));
        assert!(!Visible::new(&sight).is_reached(&control(&["Read on"]), &told));
    }
}
