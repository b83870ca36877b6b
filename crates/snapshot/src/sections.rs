//! Sections: handles on parts of a page that a budget left out. A handle names
//! a run of lines by the line it begins with, so that it can be found again in
//! a later look at the page.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::line::Line;
use crate::refs::NotARef;

/// The name of a section, `s4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SectionName(usize);

impl fmt::Display for SectionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

impl FromStr for SectionName {
    type Err = NotARef;

    fn from_str(text: &str) -> Result<Self, NotARef> {
        let digits = text.strip_prefix('s').ok_or(NotARef)?;
        let is_canonical = !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
        digits.parse().ok().filter(|_| is_canonical).map(SectionName).ok_or(NotARef)
    }
}

/// The sections of one page that were given a name.
#[derive(Debug, Default)]
pub struct SectionTable {
    /// By name, counted from 1.
    sections: Vec<Section>,
}

/// Where a section is, in a form that outlives small changes of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Section {
    /// The line it begins with, and which of several alike ones that is.
    first: Anchor,
    /// The line that follows it, if it doesn't reach to the end.
    next: Option<Anchor>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Anchor {
    text: String,
    nth: usize,
}

impl Anchor {
    fn at(page: &[Line], index: usize) -> Self {
        let text = page[index].text.clone();
        let nth = page[..index].iter().filter(|line| line.text == text).count();
        Anchor { text, nth }
    }

    fn find(&self, page: &[Line]) -> Option<usize> {
        let alike = page.iter().enumerate().filter(|(_, line)| line.text == self.text);
        alike.map(|(index, _)| index).nth(self.nth)
    }
}

impl SectionTable {
    /// The name of a run of lines, new or the one it has.
    pub(crate) fn name(&mut self, page: &[Line], range: &Range<usize>) -> SectionName {
        let next = (range.end < page.len()).then(|| Anchor::at(page, range.end));
        let section = Section { first: Anchor::at(page, range.start), next };
        let known = self.sections.iter().position(|known| *known == section);
        let index = known.unwrap_or_else(|| {
            self.sections.push(section);
            self.sections.len() - 1
        });
        SectionName(index + 1)
    }

    /// Where a section is on the page as it is now; none if its first line is gone.
    pub fn find(&self, name: SectionName, page: &[Line]) -> Option<Range<usize>> {
        let section = self.sections.get(name.0.checked_sub(1)?)?;
        let start = section.first.find(page)?;
        let next = section.next.as_ref().and_then(|next| next.find(page));
        let end = next.filter(|end| *end > start).unwrap_or(page.len());
        Some(start..end)
    }

    /// Forgets all, as a new document makes all of them meaningless. Numbers go
    /// on, so that an old name never means a new section.
    pub fn forget(&mut self) {
        let gone = Section { first: Anchor { text: String::new(), nth: usize::MAX }, next: None };
        self.sections.fill(gone);
    }
}
