//! What changed between two looks at a page: what an action is answered with,
//! in place of the whole page again.

use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::line::Line;

/// Comparing stops being exact after this; the answer is still true then, only
/// longer than it need be.
const PATIENCE: Duration = Duration::from_millis(30);

/// Lines that went are only recalled, not repeated.
const RECALLED_LETTERS: usize = 60;

/// What changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes {
    /// `+` came, `-` went, `~` is another now.
    pub lines: Vec<Line>,
    /// How much of the page is not as it was, from 0 to 1.
    pub share: f64,
}

/// Compares two looks.
pub fn diff(old: &[Line], new: &[Line]) -> Changes {
    let texts =
        |lines: &'_ [Line]| -> Vec<String> { lines.iter().map(|line| line.text.clone()).collect() };
    let (before, after) = (texts(old), texts(new));
    let deadline = Some(Instant::now() + PATIENCE);
    let ops = capture_diff_slices_deadline(Algorithm::Myers, &before, &after, deadline);
    let mut lines = Vec::new();
    let mut changed = 0;
    for op in ops {
        let (was, is) = (&old[op.old_range()], &new[op.new_range()]);
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        changed += was.len().max(is.len());
        if was.len() == is.len() {
            lines.extend(is.iter().map(|line| marked('~', line)));
        } else {
            lines.extend(was.iter().map(recalled));
            lines.extend(is.iter().map(|line| marked('+', line)));
        }
    }
    let size = old.len().max(new.len()).max(1);
    Changes { lines, share: changed as f64 / size as f64 }
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

    fn texts(changes: &Changes) -> Vec<&str> {
        changes.lines.iter().map(|line| line.text.as_str()).collect()
    }

    #[test]
    fn only_what_changed_is_told() {
        let old = lines(&["# Tea", "<button e1 \"0\">", "Gone", "End"]);
        let new = lines(&["# Tea", "<button e1 \"1\">", "End", "New"]);
        let changes = diff(&old, &new);
        assert!(
            texts(&changes).contains(&"+ New") && !texts(&changes).contains(&"+ End"),
            "{changes:?}"
        );
        assert_eq!(texts(&diff(&lines(&["a", "b"]), &lines(&["a", "c"]))), ["~ c"]);
        assert_eq!(diff(&old, &old), Changes { lines: Vec::new(), share: 0.0 });
        assert!(diff(&old, &lines(&["other"])).share > 0.7);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_came_and_what_is_another_together_with_what_stayed_is_the_new_page(
            old in proptest::collection::vec("[a-c]{1,2}", 0..30),
            new in proptest::collection::vec("[a-c]{1,2}", 0..30),
        ) {
            let as_lines = |texts: &[String]| lines(&texts.iter().map(String::as_str).collect::<Vec<_>>());
            let changes = diff(&as_lines(&old), &as_lines(&new));
            let came = changes.lines.iter().filter(|line| !line.text.starts_with('-')).count();
            let went = changes.lines.iter().filter(|line| line.text.starts_with('-')).count();
            let replaced = changes.lines.iter().filter(|line| line.text.starts_with('~')).count();
            let stayed = old.len() - went - replaced;
            prop_assert_eq!(stayed + came, new.len());
        }
    }
}
