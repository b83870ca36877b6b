//! Collects the lines of a page and makes long runs short: items of one control
//! share a line, and of many alike items the first ones stand for all, with a
//! handle on the rest.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::line::{Fold, Line, Written};

/// Fewer alike items than this are shown.
const MANY: usize = 8;
/// Of many, so many are shown.
const SHOWN: usize = 4;
/// A handle costs about this much; folding away less gains nothing.
const WORTHWHILE: usize = 40;
/// An item that is no list item spans so many lines at most.
const LONGEST_ITEM: usize = 6;
/// Shape of a line that is like no other, and of a short one without controls.
pub(crate) const UNIQUE: u64 = 0;
pub(crate) const TEXT: u64 = 1;
/// Items share a line up to this many letters.
const FULL_LINE: usize = 140;

/// The lines of a page as they are written.
#[derive(Default)]
pub(crate) struct Output {
    drafts: Vec<Draft>,
    /// Lines of the items of each list, by frame and node.
    groups: BTreeMap<(usize, i32), Vec<Range<usize>>>,
}

struct Draft {
    line: Line,
    /// What makes it like others.
    shape: u64,
    /// Set for an item of one short control: where its control begins.
    single: Option<usize>,
    /// The list that it is the whole item of.
    list: Option<(usize, i32)>,
    /// What goes with it and is told by a handle.
    asides: Option<Asides>,
}

/// Lines that say more of one before them, and how many items they hold.
pub(crate) struct Asides {
    pub(crate) lines: Vec<Line>,
    pub(crate) items: usize,
}

impl Output {
    pub(crate) fn len(&self) -> usize {
        self.drafts.len()
    }

    pub(crate) fn push(&mut self, line: Line, shape: u64) {
        self.drafts.push(Draft { line, shape, single: None, list: None, asides: None });
    }

    pub(crate) fn pop(&mut self) {
        self.drafts.pop();
    }

    /// More of what the last line says.
    pub(crate) fn add_asides(&mut self, asides: Asides) {
        if let Some(last) = self.drafts.last_mut() {
            last.asides = Some(asides);
        }
    }

    /// The last line is an item of one short control.
    pub(crate) fn note_single(&mut self, control_at: usize) {
        if let Some(last) = self.drafts.last_mut() {
            last.single = Some(control_at);
        }
    }

    /// These lines are one item of a list.
    pub(crate) fn item(&mut self, frame: usize, list: i32, lines: Range<usize>) {
        if lines.is_empty() {
            return;
        }
        if lines.len() == 1 && self.drafts[lines.start].single.is_some() {
            self.drafts[lines.start].list = Some((frame, list));
        }
        self.groups.entry((frame, list)).or_default().push(lines);
    }

    /// The page.
    pub(crate) fn finish(self) -> Written {
        let folds = self.folds();
        let mut lines: Vec<Line> = Vec::with_capacity(self.drafts.len());
        let mut kept: Vec<Fold> = Vec::with_capacity(folds.len());
        let mut next = folds.into_iter().peekable();
        let mut last: Option<Joinable> = None;
        for (index, mut draft) in self.drafts.into_iter().enumerate() {
            let is_in_fold = next.peek().is_some_and(|fold| fold.lines.contains(&index));
            let asides = draft.asides.take();
            if let Some(fold) = next.peek().filter(|fold| fold.lines.start == index) {
                kept.push(Fold { lines: lines.len()..lines.len(), items: fold.items });
                last = None;
            }
            let joinable = Joinable::of(&draft);
            match (&last, &joinable, lines.last_mut()) {
                (Some(one), Some(two), Some(line))
                    if one.goes_with(two) && line.text.len() + two.words < FULL_LINE =>
                {
                    join(line, &draft, two);
                }
                _ => lines.push(draft.line),
            }
            last = joinable;
            if let Some(Asides { lines: asides, items }) = asides {
                let start = lines.len();
                lines.extend(asides);
                if !is_in_fold {
                    kept.push(Fold { lines: start..lines.len(), items });
                }
                last = None;
            }
            if next.peek().is_some_and(|fold| fold.lines.end == index + 1) {
                if let Some(fold) = kept.last_mut() {
                    fold.lines.end = lines.len();
                }
                next.next();
                last = None;
            }
        }
        Written { lines, folds: kept }
    }

    /// The tails of long runs: of items of one list, and of lines that are alike.
    fn folds(&self) -> Vec<Fold> {
        let sums = self.sums();
        let mut folds: Vec<Fold> = Vec::new();
        for items in self.groups.values().filter(|items| items.len() >= MANY) {
            let has_controls = |item: &&Range<usize>| sums[item.end].1 > sums[item.start].1;
            let usable = items.iter().filter(has_controls).count();
            if usable * 2 >= items.len()
                && let (Some(first), Some(last)) = (items.get(SHOWN), items.last())
            {
                folds.push(Fold { lines: first.start..last.end, items: items.len() - SHOWN });
            }
        }
        for period in 1..=LONGEST_ITEM {
            self.add_runs(period, &mut folds);
        }
        let cost = |lines: &Range<usize>| sums[lines.end].0 - sums[lines.start].0;
        folds.retain(|fold| cost(&fold.lines) >= WORTHWHILE);
        // The outer one of two that overlap.
        folds.sort_by_key(|fold| (fold.lines.start, std::cmp::Reverse(fold.lines.end)));
        let mut apart: Vec<Fold> = Vec::new();
        for fold in folds {
            if apart.last().is_none_or(|before| before.lines.end <= fold.lines.start) {
                apart.push(fold);
            }
        }
        apart
    }

    /// Runs of items of so many lines each, every line like its counterpart in
    /// the item before.
    fn add_runs(&self, period: usize, folds: &mut Vec<Fold>) {
        let shape = |index: usize| self.drafts[index].shape;
        let mut start = 0;
        for end in period..=self.drafts.len() {
            let goes_on = end < self.drafts.len()
                && shape(end) != UNIQUE
                && shape(end) == shape(end - period);
            if goes_on {
                continue;
            }
            let items = (end - start) / period;
            let first = start + SHOWN * period;
            let last = start + items * period;
            let is_usable = (start..start + period).any(|index| shape(index) > TEXT);
            if items >= MANY && is_usable {
                folds.push(Fold { lines: first..last, items: items - SHOWN });
            }
            start = (end + 1).saturating_sub(period);
        }
    }

    /// What the lines before each one cost, and how many of them have controls:
    /// lists in lists are asked about the same lines over and over.
    fn sums(&self) -> Vec<(usize, usize)> {
        let mut sums = Vec::with_capacity(self.drafts.len() + 1);
        let (mut cost, mut usable) = (0, 0);
        for draft in &self.drafts {
            sums.push((cost, usable));
            cost += draft.line.tokens;
            usable += usize::from(draft.shape > TEXT);
        }
        sums.push((cost, usable));
        sums
    }
}

/// What may share a line with its neighbour.
struct Joinable {
    list: (usize, i32),
    is_in_view: bool,
    /// Where its own words begin, and how long they are.
    at: usize,
    words: usize,
}

impl Joinable {
    fn of(draft: &Draft) -> Option<Self> {
        let at = draft.single?;
        let words = draft.line.text.len().checked_sub(at)?;
        Some(Joinable { list: draft.list?, is_in_view: draft.line.is_in_view, at, words })
    }

    fn goes_with(&self, next: &Joinable) -> bool {
        self.list == next.list && self.is_in_view == next.is_in_view
    }
}

fn join(line: &mut Line, draft: &Draft, next: &Joinable) {
    let text = format!("{} {}", line.text, &draft.line.text[next.at..]);
    let lead = line.lead;
    *line = Line::new(text, line.heading, line.is_in_view);
    line.lead = lead;
}
