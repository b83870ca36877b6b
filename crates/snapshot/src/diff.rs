//! What changed between two looks at a page: what an action is answered with,
//! in place of the whole page again.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::borders::{Border, Borders, borders_between};
use crate::line::Line;

/// Beyond this many pairs of lines, what lies between the first and the last
/// difference counts as changed as a whole. The answer is still true then, only
/// longer than it need be, and comparing takes bounded time.
const PAIRS: usize = 4_000_000;

/// Lines that went are only recalled, not repeated.
const RECALLED_LETTERS: usize = 60;

/// What changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes {
    /// In order and apart from each other.
    pub edits: Vec<Edit>,
    /// How much of the page is not as it was, from 0 to 1.
    pub share: f64,
}

/// Lines of the old page, and what is in their place now.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// Where it was.
    pub at: Range<usize>,
    /// What was there.
    pub was: Vec<Line>,
    /// What is there.
    pub is: Vec<Line>,
    /// What opens the frames that it is in, the outermost first.
    pub frames: Vec<String>,
}

impl Changes {
    /// For a reader: `+` came, `-` went, `~` is another now. What stands in a frame has
    /// the frame's borders around it.
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut open: Vec<&str> = Vec::new();
        for Edit { was, is, frames, .. } in &self.edits {
            let around: Vec<&str> = frames.iter().map(String::as_str).collect();
            let borders = borders_between(&open, &around);
            lines.extend(borders.map(|border| Line::new(border.to_owned(), None, true)));
            open = around;
            for line in is {
                match line.border {
                    Some(Border::Opens) => open.push(&line.text),
                    Some(Border::Closes) => drop(open.pop()),
                    None => {}
                }
            }
            // The line that they go with tells how many they are now.
            let told = |lines: &[Line]| lines.iter().filter(|line| !line.is_aside).count();
            let is_told = |line: &&Line| !line.is_aside;
            if told(was) == told(is) {
                lines.extend(is.iter().filter(is_told).map(|line| marked('~', line)));
            } else {
                lines.extend(was.iter().filter(is_told).map(recalled));
                lines.extend(is.iter().filter(is_told).map(|line| marked('+', line)));
            }
        }
        lines
    }

    /// The new page, made of the old one.
    pub fn apply(&self, old: &[Line]) -> Vec<Line> {
        let mut new = Vec::with_capacity(old.len());
        let mut at = 0;
        for edit in &self.edits {
            new.extend_from_slice(&old[at..edit.at.start]);
            new.extend_from_slice(&edit.is);
            at = edit.at.end;
        }
        new.extend_from_slice(&old[at..]);
        new
    }
}

/// Compares two looks.
pub fn diff(old: &[Line], new: &[Line]) -> Changes {
    let size = old.len().max(new.len()).max(1);
    let same = |pair: &(&Line, &Line)| pair.0.text == pair.1.text;
    let head = old.iter().zip(new).take_while(same).count();
    let (was_all, is_all) = (old, new);
    let (was_framed, is_framed) = (Borders::of(old), Borders::of(new));
    let (old, new) = (&old[head..], &new[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    let changed = operations(old, new).into_iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    let edits: Vec<Edit> = changed
        .map(|op| Edit {
            at: op.old_range().start + head..op.old_range().end + head,
            was: old[op.old_range()].to_vec(),
            is: new[op.new_range()].to_vec(),
            frames: if op.new_range().is_empty() {
                was_framed.texts_around(was_all, op.old_range().start + head)
            } else {
                is_framed.texts_around(is_all, op.new_range().start + head)
            },
        })
        .collect();
    let changed: usize = edits.iter().map(|edit| edit.was.len().max(edit.is.len())).sum();
    Changes { share: changed as f64 / size as f64, edits }
}

fn operations(old: &[Line], new: &[Line]) -> Vec<DiffOp> {
    if old.is_empty() && new.is_empty() {
        return Vec::new();
    }
    if old.len().saturating_mul(new.len()) > PAIRS {
        let (old_len, new_len) = (old.len(), new.len());
        return vec![DiffOp::Replace { old_index: 0, old_len, new_index: 0, new_len }];
    }
    let texts =
        |lines: &[Line]| -> Vec<String> { lines.iter().map(|line| line.text.clone()).collect() };
    capture_diff_slices(Algorithm::Myers, &texts(old), &texts(new))
}

fn marked(mark: char, line: &Line) -> Line {
    Line::new(format!("{mark} {}", line.text), None, line.is_in_view)
}

fn recalled(line: &Line) -> Line {
    let mut text: String = line.text.chars().take(RECALLED_LETTERS).collect();
    if text.len() < line.text.len() {
        text.push('…');
    }
    Line::new(format!("- {text}"), None, line.is_in_view)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(texts: &[&str]) -> Vec<Line> {
        texts.iter().map(|text| Line::new((*text).to_owned(), None, true)).collect()
    }

    fn texts(changes: &Changes) -> Vec<String> {
        changes.lines().into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn only_what_changed_is_told() {
        let old = lines(&["# Tea", "<button e1 \"0\">", "Gone", "End"]);
        let new = lines(&["# Tea", "<button e1 \"1\">", "End", "New"]);
        let changes = diff(&old, &new);
        assert!(
            texts(&changes).contains(&"+ New".to_owned())
                && !texts(&changes).contains(&"+ End".to_owned()),
            "{changes:?}"
        );
        assert_eq!(texts(&diff(&lines(&["a", "b"]), &lines(&["a", "c"]))), ["~ c"]);
        assert_eq!(diff(&old, &old), Changes { edits: Vec::new(), share: 0.0 });
        assert!(diff(&old, &lines(&["other"])).share > 0.7);
    }

    #[test]
    fn what_changed_in_a_frame_says_so() {
        let page = |inner: &str, last: &str| {
            let mut lines =
                lines(&["Top", "frame https://ads.example:", inner, "(end of frame)", last]);
            (lines[1].border, lines[3].border) = (Some(Border::Opens), Some(Border::Closes));
            lines
        };
        let changes = diff(&page("Tea", "Bye"), &page("Pay", "Good bye"));
        assert_eq!(
            texts(&changes),
            ["frame https://ads.example:", "~ Pay", "(end of frame)", "~ Good bye"]
        );
        let mut elsewhere = page("Tea", "Good bye");
        elsewhere[1].text = "frame https://pay.example:".to_owned();
        assert_eq!(
            texts(&diff(&page("Tea", "Bye"), &elsewhere)),
            ["~ frame https://pay.example:", "(end of frame)", "~ Good bye"]
        );
        let mut emptied = page("Tea", "Bye");
        emptied.remove(2);
        let went = diff(&page("Tea", "Bye"), &emptied);
        assert_eq!(texts(&went), ["frame https://ads.example:", "- Tea"]);
    }

    #[test]
    fn pages_too_long_to_compare_are_compared_at_their_ends() {
        let page = |word: &str| -> Vec<Line> {
            (0..5_000).map(|n| Line::new(format!("{word} {n}"), None, true)).collect()
        };
        let changes = diff(&page("old"), &page("new"));
        assert_eq!((changes.lines().len(), changes.share), (5_000, 1.0));
        let mut longer = page("old");
        longer.push(Line::new("one more".to_owned(), None, true));
        assert_eq!(texts(&diff(&page("old"), &longer)), ["+ one more"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn changes_applied_to_the_old_page_give_the_new_one(
            old in proptest::collection::vec("[a-c]{1,2}", 0..30),
            new in proptest::collection::vec("[a-c]{1,2}", 0..30),
        ) {
            let as_lines = |texts: &[String]| lines(&texts.iter().map(String::as_str).collect::<Vec<_>>());
            let (old, new) = (as_lines(&old), as_lines(&new));
            prop_assert_eq!(diff(&old, &new).apply(&old), new);
        }
    }
}
