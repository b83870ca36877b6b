//! Sections: handles on parts of a page that a budget left out. A handle names
//! a run of lines by the line it begins with, so that it can be found again in
//! a later look at the page.

use std::collections::HashMap;
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
    /// By name, counted from 1; none for those of a page that is gone.
    sections: Vec<Option<Section>>,
    names: HashMap<Section, SectionName>,
    /// How the page is looked at now.
    look: String,
}

/// Where a section is, in a form that outlives small changes of the page.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Section {
    /// How the page was looked at: only such a look finds it again.
    look: String,
    /// The line it begins with, and which of several alike ones that is.
    first: Anchor,
    /// The line that follows it, if it doesn't reach to the end.
    next: Option<Anchor>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Anchor {
    text: String,
    nth: usize,
}

impl Anchor {
    fn find(&self, page: &[Line]) -> Option<usize> {
        let alike = page.iter().enumerate().filter(|(_, line)| line.text == self.text);
        alike.map(|(index, _)| index).nth(self.nth)
    }
}

/// Which of several alike lines each line of a page is, counted once for all
/// the names that are given out for the page.
pub(crate) struct Anchors<'a> {
    page: &'a [Line],
    nth: Vec<usize>,
}

impl<'a> Anchors<'a> {
    pub(crate) fn of(page: &'a [Line]) -> Self {
        let mut seen: HashMap<&str, usize> = HashMap::with_capacity(page.len());
        let nth = page.iter().map(|line| {
            let count = seen.entry(line.text.as_str()).or_default();
            *count += 1;
            *count - 1
        });
        Anchors { nth: nth.collect(), page }
    }

    fn at(&self, index: usize) -> Anchor {
        Anchor { text: self.page[index].text.clone(), nth: self.nth[index] }
    }
}

impl SectionTable {
    /// The name of a run of lines, new or the one it has.
    pub(crate) fn name(&mut self, anchors: &Anchors<'_>, range: &Range<usize>) -> SectionName {
        let next = (range.end < anchors.page.len()).then(|| anchors.at(range.end));
        let section = Section { look: self.look.clone(), first: anchors.at(range.start), next };
        if let Some(known) = self.names.get(&section) {
            return *known;
        }
        self.sections.push(Some(section.clone()));
        let fresh = SectionName(self.sections.len());
        self.names.insert(section, fresh);
        fresh
    }

    /// Says how the page is looked at from now on, in the caller's own words.
    pub fn set_look(&mut self, look: String) {
        self.look = look;
    }

    /// How the page was looked at when a section got its name.
    pub fn look_of(&self, name: SectionName) -> Option<&str> {
        let section = self.sections.get(name.0.checked_sub(1)?)?.as_ref()?;
        Some(&section.look)
    }

    /// Where a section is on the page as it is now; none if its first line is gone.
    pub fn find(&self, name: SectionName, page: &[Line]) -> Option<Range<usize>> {
        let section = self.sections.get(name.0.checked_sub(1)?)?.as_ref()?;
        let start = section.first.find(page)?;
        let next = section.next.as_ref().and_then(|next| next.find(page));
        let end = next.filter(|end| *end > start).unwrap_or(page.len());
        Some(start..end)
    }

    /// Forgets all, as a new document makes all of them meaningless. Numbers go
    /// on, so that an old name never means a new section.
    pub fn forget(&mut self) {
        self.sections.fill(None);
        self.names.clear();
    }
}
