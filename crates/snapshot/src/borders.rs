//! The lines that say where a frame begins and ends, and which of them hold for a
//! line that is told without those around it.

use crate::line::Line;

/// The line after the last one of a frame.
pub(crate) const END_OF_FRAME: &str = "(end of frame)";

/// What a line says of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Border {
    /// It begins below.
    Opens,
    /// It ended above.
    Closes,
}

/// Which frames the lines of a page stand in.
pub(crate) struct Borders {
    /// For each line, the one that opens the innermost frame around it.
    opened_by: Vec<Option<usize>>,
}

impl Borders {
    pub(crate) fn of(lines: &[Line]) -> Self {
        let mut opened_by: Vec<Option<usize>> = Vec::with_capacity(lines.len());
        let mut around = None;
        for (index, line) in lines.iter().enumerate() {
            opened_by.push(around);
            match line.border {
                Some(Border::Opens) => around = Some(index),
                Some(Border::Closes) => around = around.and_then(|opening| opened_by[opening]),
                None => {}
            }
        }
        Borders { opened_by }
    }

    /// The lines that open the frames around a line, the outermost first.
    pub(crate) fn around(&self, line: usize) -> Vec<usize> {
        let around = |line: &usize| self.opened_by.get(*line).copied().flatten();
        let mut frames: Vec<usize> = std::iter::successors(around(&line), around).collect();
        frames.reverse();
        frames
    }

    /// What they say.
    pub(crate) fn texts_around(&self, lines: &[Line], line: usize) -> Vec<String> {
        self.around(line).into_iter().map(|opening| lines[opening].text.clone()).collect()
    }
}

/// What is to be said between two lines that are told one after the other, by what
/// opens the frames around each.
pub(crate) fn borders_between<'a>(
    before: &[&'a str],
    after: &[&'a str],
) -> impl Iterator<Item = &'a str> {
    let common = before.iter().zip(after).take_while(|(was, is)| was == is).count();
    let ended = before.len() - common;
    let opened: Vec<&str> = after[common..].to_vec();
    std::iter::repeat_n(END_OF_FRAME, ended).chain(opened)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stands_in_the_frames_that_are_open_before_it() {
        let line = |text: &str, border| Line { border, ..Line::new(text.to_owned(), None, true) };
        let lines = [
            line("frame a:", Some(Border::Opens)),
            line("in a", None),
            line("frame b:", Some(Border::Opens)),
            line("in b", None),
            line(END_OF_FRAME, Some(Border::Closes)),
            line("in a again", None),
            line(END_OF_FRAME, Some(Border::Closes)),
            line("on the page", None),
        ];
        let borders = Borders::of(&lines);
        let around: Vec<Vec<usize>> = (0..lines.len()).map(|at| borders.around(at)).collect();
        let [none, a, b] = [vec![], vec![0], vec![0, 2]];
        assert_eq!(around, [&none, &a, &a, &b, &b, &a, &a, &none].map(Clone::clone));
    }
}
