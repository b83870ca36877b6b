//! Which lines of a text something was found in: the first few by number, the
//! others counted, so that a page can't make what is said of it long.

use std::fmt;

/// So many are listed; the others are only counted.
pub(super) const LISTED: usize = 5;

/// Numbers of lines, from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines {
    /// The first few.
    pub listed: Vec<usize>,
    /// How many more there are.
    pub unlisted: usize,
    last: usize,
}

impl Lines {
    pub(super) fn new(listed: Vec<usize>, unlisted: usize) -> Self {
        Lines { last: listed.last().copied().unwrap_or_default(), listed, unlisted }
    }

    /// Adds a line that comes after the ones before, or is the last of them;
    /// whether it is a new one that is listed.
    pub(super) fn add(&mut self, line: usize) -> bool {
        if line == self.last {
            return false;
        }
        self.last = line;
        if self.listed.len() == LISTED {
            self.unlisted += 1;
            return false;
        }
        self.listed.push(line);
        true
    }
}

/// "line 3", "lines 3, 9 and 12", "lines 1, 2, 3, 4, 5 and 4 more".
impl fmt::Display for Lines {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut named: Vec<String> = self.listed.iter().map(usize::to_string).collect();
        if self.unlisted > 0 {
            named.push(format!("{} more", self.unlisted));
        }
        match named.split_last() {
            None => Ok(()),
            Some((only, [])) => write!(formatter, "line {only}"),
            Some((last, before)) => write!(formatter, "lines {} and {last}", before.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(numbers: impl IntoIterator<Item = usize>) -> Lines {
        let mut lines = Lines::default();
        for number in numbers {
            lines.add(number);
        }
        lines
    }

    #[test]
    fn a_few_lines_are_named_and_the_rest_counted() {
        assert_eq!(lines([3]).to_string(), "line 3");
        assert_eq!(lines([3, 3, 9, 12, 12]).to_string(), "lines 3, 9 and 12");
        assert_eq!(lines(1..=9).to_string(), "lines 1, 2, 3, 4, 5 and 4 more");
    }
}
