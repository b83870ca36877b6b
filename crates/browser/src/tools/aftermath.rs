//! What an action changed on the page: the page as it was shown last, compared
//! with what it is now.

use std::sync::{Arc, PoisonError};

use outrigger_protocol::capabilities::Settled;
use outrigger_protocol::facts::{Element, Node, PageFacts, flags};
use outrigger_snapshot::budget::{From, whole_lines};
use outrigger_snapshot::diff::Edit;
use outrigger_snapshot::line::cost;
use outrigger_snapshot::{Frame, Line, diff, fit};

use crate::browsers::TabView;
use crate::error::BrowserError;
use crate::page::Page;

use super::reading::{SnapshotParams, read, written};
use super::words::Place;

/// What an action may be answered with beside its own sentence.
const AFTERMATH_BUDGET: usize = 1000;

/// Letters of a page's new title.
const TITLE_LETTERS: usize = 100;

/// Beyond this share of change a fresh look says more than a list of changes.
const ANOTHER_PAGE: f64 = 0.7;

/// What an action changed on the page, as lines; none where nothing did, or
/// where the agent has not looked at the page before.
pub(super) async fn aftermath(
    page: &Page<'_>,
    settled: &mut Settled,
    tells_focus: bool,
) -> Result<Vec<String>, BrowserError> {
    let view = page.view()?;
    let (before, title_before, kept) = {
        let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
        let title = std::mem::take(&mut view.last_title);
        (std::mem::take(&mut view.last_look), title, view.last_frames.take())
    };
    if before.is_empty() {
        return Ok(Vec::new());
    }
    let seen = match (settled.look.take(), settled.field.take(), kept) {
        (Some(answers), ..) => Some(page.seen_in(answers)?),
        (None, Some(field), Some(kept)) => {
            let text = field.value.as_ref().and_then(|value| value.as_str()).unwrap_or_default();
            let nodes = serde_json::from_str(text)
                .map_err(|error| page.wrong_shape("settle", error.to_string()))?;
            with_field(kept, &field.document_id, nodes)
        }
        _ => None,
    };
    let (frames, after) = match seen {
        Some(frames) => written(page, frames)?,
        None => read(page).await?,
    };
    let mut changes = diff(&before, &after.lines);
    changes.edits.retain(|edit| tells_focus || !is_focus_alone(edit));
    // An element that stands where the pressed one stood is no more than its replacement.
    if settled.halfway && changes.edits.iter().all(is_replacement_alone) {
        return Ok(Vec::new());
    }
    let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
    if changes.share <= ANOTHER_PAGE {
        let mut lines = changes.lines();
        // Where another page came, its place is told.
        if !settled.navigated {
            lines.extend(new_title(&title_before, &frames[0].facts));
        }
        let told = whole_lines(&lines, AFTERMATH_BUDGET);
        // In place of those that are left out stands a line that says so.
        let is_cut = cost(&lines) > AFTERMATH_BUDGET;
        let shown = told.len() - usize::from(is_cut);
        let (shown, left_out) = lines.split_at(shown);
        let TabView { labels, refs, .. } = &mut *view;
        labels.tell(refs, &of_now(shown));
        labels.leave_out(refs, &of_now(left_out));
        return Ok(told);
    }
    view.labels.forget();
    view.sections.set_look(SnapshotParams::default().look());
    let facts = &frames[0].facts;
    let Place { title, address } = Place::of_page(facts);
    let mut lines = vec![title, address, String::new()];
    lines.extend(fit(&after, From::Viewport, AFTERMATH_BUDGET, &mut view.sections));
    Ok(lines)
}

/// What the page is called now, if that is something else than before.
fn new_title(before: &str, facts: &PageFacts) -> Option<Line> {
    let is_new = facts.title != before;
    is_new.then(|| {
        let title: String = Place::of_page(facts).title.chars().take(TITLE_LETTERS).collect();
        Line::new(format!("~ title: {title}"), None, true)
    })
}

/// Changes that say how something is called now, not how it was called before it went.
fn of_now(changes: &[Line]) -> Vec<&str> {
    changes.iter().map(|line| line.text.as_str()).filter(|text| !text.starts_with('-')).collect()
}

/// The page as it was, with the field as it is: it has the focus now. None if this
/// is another page, or the field was not on it before.
fn with_field(kept: Arc<Vec<Frame>>, document: &str, field: Vec<Node>) -> Option<Vec<Frame>> {
    if kept.first()?.document != document {
        return None;
    }
    let field = field.into_iter().find_map(|node| match node {
        Node::Element(element) if element.id != 0 => Some(element),
        _ => None,
    })?;
    let mut frames = Arc::unwrap_or_clone(kept);
    let mut is_there = false;
    for node in &mut frames.first_mut()?.facts.nodes {
        let Node::Element(element) = node else { continue };
        element.state.focused = None;
        if element.id == field.id {
            // Where it stands among others can't be told from the field alone.
            let flags = field.flags & !flags::BLOCK | element.flags & flags::BLOCK;
            **element = Element { parent: element.parent, flags, ..(*field).clone() };
            is_there = true;
        }
    }
    is_there.then_some(frames)
}

/// Whoever clicks or types moves the focus, and knows it.
fn is_focus_alone(edit: &Edit) -> bool {
    edit.was.len() == edit.is.len()
        && edit.was.iter().zip(&edit.is).all(|(was, is)| was.without_focus() == is.without_focus())
}

/// The same words with other refs.
fn is_replacement_alone(edit: &Edit) -> bool {
    let plain = |line: &Line| Line { text: line.without_focus(), ..line.clone() }.without_refs();
    edit.was.len() == edit.is.len()
        && edit.was.iter().zip(&edit.is).all(|(was, is)| plain(was) == plain(is))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(nodes: &str) -> Vec<Node> {
        serde_json::from_str(nodes).unwrap()
    }

    fn kept() -> Arc<Vec<Frame>> {
        let nodes = nodes(
            r#"[[-1,"div","","",2],[0,"input","textbox","Name",33,1,[0,0,9,9],{"focused":true}],
                [0,"input","textbox","Town",5,2,[0,9,9,9],{"value":"Kiel"}]]"#,
        );
        let facts = PageFacts { nodes, ..PageFacts::default() };
        Arc::new(vec![Frame { document: "d".into(), facts }])
    }

    fn town(frames: &[Frame]) -> (&Element, &Element) {
        match &frames[0].facts.nodes[..] {
            [_, Node::Element(name), Node::Element(town)] => (name, town),
            nodes => panic!("{nodes:?}"),
        }
    }

    #[test]
    fn a_field_takes_its_old_place_and_the_focus() {
        let field = nodes(
            r#"[[-1,"input","textbox","Town",39,2,[0,1,9,9],{"value":"Kassel","focused":true}]]"#,
        );
        let frames = with_field(kept(), "d", field).unwrap();
        let (name, town) = town(&frames);
        assert_eq!(name.state.focused, None);
        assert_eq!(town.parent, 0);
        assert_eq!(town.state.value.as_deref(), Some("Kassel"));
        assert_eq!(town.state.focused, Some(true));
        assert!(!town.has(flags::BLOCK), "it stood on a line with others, and still does");
        assert!(town.has(flags::COVERED), "that was asked anew");
    }

    #[test]
    fn what_went_tells_no_label() {
        let line = |text: &str| Line::new(text.to_owned(), None, true);
        let was = [line("- <button e1 \"Keep\">"), line("Words")];
        let is = [line("- <button e1 \"Delete\">")];
        let changes = diff(&was, &is).lines();
        assert_eq!(changes.len(), 3);
        assert_eq!(of_now(&changes), ["+ - <button e1 \"Delete\">"]);
    }

    #[test]
    fn an_element_with_another_symbol_is_more_than_a_replacement() {
        let lines = |text: &str| vec![Line::new(text.to_owned(), None, true)];
        let edit = |was: &str, is: &str| Edit {
            at: 0..1,
            was: lines(was),
            is: lines(is),
            frames: Vec::new(),
        };
        let alone = [
            (r#"<button e1 "Like">"#, r#"<button e2 "Like" focused>"#),
            ("See [e7](e1)", "See [e7](e2)"),
        ];
        assert!(alone.into_iter().all(|(was, is)| is_replacement_alone(&edit(was, is))));
        for (was, is) in [("♡", "♥"), ("▶", "⏸"), ("+", "−"), ("e7", "e8")] {
            let [was, is] =
                [(1, was), (2, is)].map(|(n, name)| format!(r#"<button e{n} "{name}">"#));
            assert!(!is_replacement_alone(&edit(&was, &is)), "{was} {is}");
        }
    }

    #[test]
    fn a_field_of_another_page_or_none_of_this_one_is_not_taken_for_another() {
        let field = || nodes(r#"[[-1,"input","textbox","Town",5,2]]"#);
        assert!(with_field(kept(), "another", field()).is_none());
        let unknown = nodes(r#"[[-1,"input","textbox","Street",5,3]]"#);
        assert!(with_field(kept(), "d", unknown).is_none());
        assert!(with_field(kept(), "d", Vec::new()).is_none());
    }
}
