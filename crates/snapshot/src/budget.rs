//! Fits a page into a budget: what is in view first, and for everything else an
//! outline of sections, each of which can be opened. Nothing is unreachable.

use std::ops::Range;

use crate::borders::Borders;
use crate::forging::unforged_title;
use crate::line::{Fold, Line, Written, cost};
use crate::marks::names_alone;
use crate::sections::{Anchors, SectionTable};
use crate::tokens::estimate;

/// Where the budget is spent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// On what is in the viewport.
    Viewport,
    /// On the first lines.
    Top,
}

/// What an entry of the outline costs beside its title.
const HANDLE_TOKENS: usize = 12;

/// What is kept for the outline at most.
const OUTLINE_TOKENS: usize = 600;

/// What costs less than its handle and a title would is shown.
const NOT_WORTH_A_HANDLE: usize = 24;

/// Titles are cut here.
const TITLE_LETTERS: usize = 60;

/// Writes a page within a budget, long runs of alike items shortened.
pub fn fit(page: &Written, from: From, budget: usize, sections: &mut SectionTable) -> Vec<String> {
    let part = Part { lines: &page.lines, folds: &page.folds, range: 0..page.lines.len() };
    part.write(&part.choose(from, budget), budget, sections)
}

/// Writes one section within a budget, below the lines that open the frames it stands
/// in. Whoever opens a run wants all of it, so nothing is shortened.
pub fn open(
    page: &Written,
    range: Range<usize>,
    budget: usize,
    sections: &mut SectionTable,
) -> Vec<String> {
    let around = Borders::of(&page.lines).around(range.start);
    let heads = around.into_iter().map(|at| &page.lines[at]);
    let budget = budget.saturating_sub(heads.clone().map(|line| line.tokens).sum());
    let part = Part { lines: &page.lines, folds: &[], range };
    let written = part.write(&part.choose(From::Top, budget), budget, sections);
    heads.map(|line| line.text.clone()).chain(written).collect()
}

/// Writes what is in view and nothing else, as far as the budget goes.
pub fn in_view(page: &[Line], budget: usize) -> Vec<String> {
    let seen: Vec<Line> = page.iter().filter(|line| line.is_in_view).cloned().collect();
    whole_lines(&seen, budget)
}

/// Writes lines as far as the budget goes, and says how many are left.
pub fn whole_lines(lines: &[Line], budget: usize) -> Vec<String> {
    let mut used = 0;
    let fits = lines.iter().take_while(|line| {
        used += line.tokens;
        used <= budget
    });
    let mut out: Vec<String> = fits.map(|line| line.text.clone()).collect();
    if out.len() < lines.len() {
        let left = lines.len() - out.len();
        out.push(format!("… {left} more lines; take a browser_snapshot with a larger max_tokens"));
    }
    out
}

/// The part of a page that is to be written.
struct Part<'a> {
    lines: &'a [Line],
    folds: &'a [Fold],
    range: Range<usize>,
}

impl Part<'_> {
    /// Marks the lines to be shown: all but the folded ones if that fits, and
    /// of those too what is in view, if that fits as well.
    fn choose(&self, from: From, budget: usize) -> Vec<bool> {
        let is_folded = self.folded();
        for spares_view in [from == From::Viewport, false] {
            let is_spared = |line: &Line| spares_view && line.is_in_view;
            let lines = self.lines[self.range.clone()].iter().zip(&is_folded);
            let shown: Vec<bool> =
                lines.map(|(line, is_folded)| !is_folded || is_spared(line)).collect();
            if self.cost(&shown) + self.folds.len() * HANDLE_TOKENS <= budget {
                return shown;
            }
        }
        self.choose_some(from, budget, &is_folded)
    }

    /// Where not all fits: a part of the budget is kept for the outline, and the
    /// rest goes to what is in view, folded only if it must be.
    fn choose_some(&self, from: From, budget: usize, is_folded: &[bool]) -> Vec<bool> {
        let room = budget - (budget * 3 / 10).min(OUTLINE_TOKENS);
        let lines = &self.lines[self.range.clone()];
        let in_view: usize = lines.iter().filter(|l| l.is_in_view).map(|l| l.tokens).sum();
        let by_view = from == From::Viewport && in_view > 0;
        let must_fold = !by_view || in_view > room;
        let mut shown = vec![false; lines.len()];
        let mut used = 0;
        for (i, line) in lines.iter().enumerate() {
            if (by_view && !line.is_in_view) || (must_fold && is_folded[i]) {
                continue;
            }
            // Whoever opens a section gets on by a line at least.
            let is_first_of_all = used == 0 && !by_view;
            if used + line.tokens > room && !is_first_of_all {
                break;
            }
            let begins_fold = must_fold && is_folded.get(i + 1) == Some(&true);
            used += line.tokens + if begins_fold { HANDLE_TOKENS } else { 0 };
            shown[i] = true;
        }
        self.show_small_gaps(&mut shown, budget.saturating_sub(used));
        shown
    }

    /// Shows what costs no more than the handle on it would.
    fn show_small_gaps(&self, shown: &mut [bool], room: usize) {
        let mut left = room;
        for gap in self.gaps(shown) {
            let price = cost(&self.lines[gap.clone()]);
            if price <= NOT_WORTH_A_HANDLE && price <= left {
                left -= price;
                shown[gap.start - self.range.start..gap.end - self.range.start].fill(true);
            }
        }
    }

    fn write(&self, shown: &[bool], budget: usize, sections: &mut SectionTable) -> Vec<String> {
        let texts = |part: Range<usize>| self.lines[part].iter().map(|line| line.text.clone());
        let gaps = self.gaps(shown);
        if gaps.is_empty() {
            return texts(self.range.clone()).collect();
        }
        let total: usize = gaps.iter().map(|gap| cost(&self.lines[gap.clone()])).sum();
        let left = budget.saturating_sub(self.cost(shown));
        let anchors = Anchors::of(self.lines);
        let mut out = Vec::new();
        let mut at = self.range.start;
        for gap in gaps {
            out.extend(texts(at..gap.start));
            at = gap.end;
            let price = cost(&self.lines[gap.clone()]);
            let fold = self.folds.binary_search_by_key(&gap.start, |fold| fold.lines.start).ok();
            match fold.map(|index| &self.folds[index]).filter(|fold| fold.lines == gap) {
                Some(fold) => {
                    let name = sections.name(&anchors, &gap);
                    out.push(format!("§ {} more {name} ({price} tokens)", fold.items));
                }
                // Each gap gets the share of the outline that it has of the text.
                None => {
                    let share = left * price / total.max(1);
                    out.push(outline(self.lines, gap, share, &anchors, sections));
                }
            }
        }
        out.extend(texts(at..self.range.end));
        out
    }

    fn folded(&self) -> Vec<bool> {
        let mut is_folded = vec![false; self.range.len()];
        for fold in self.folds {
            for i in fold.lines.start.max(self.range.start)..fold.lines.end.min(self.range.end) {
                is_folded[i - self.range.start] = true;
            }
        }
        is_folded
    }

    fn cost(&self, shown: &[bool]) -> usize {
        let lines = self.lines[self.range.clone()].iter().zip(shown);
        lines.filter(|(_, is_shown)| **is_shown).map(|(line, _)| line.tokens).sum()
    }

    /// The runs of lines that are not shown.
    fn gaps(&self, shown: &[bool]) -> Vec<Range<usize>> {
        let mut gaps: Vec<Range<usize>> = Vec::new();
        for i in self.range.clone().filter(|i| !shown[i - self.range.start]) {
            match gaps.last_mut() {
                Some(gap) if gap.end == i => gap.end = i + 1,
                _ => gaps.push(i..i + 1),
            }
        }
        gaps
    }
}

/// One line that stands for a run: as many of its headings as there is room for.
fn outline(
    page: &[Line],
    gap: Range<usize>,
    room: usize,
    anchors: &Anchors<'_>,
    sections: &mut SectionTable,
) -> String {
    let mut parts = vec![gap.clone()];
    for level in 1..=6 {
        let finer = split(page, &gap, level);
        let price: usize =
            finer.iter().map(|part| estimate(&title(page, part)) + HANDLE_TOKENS).sum();
        if price > room {
            break;
        }
        parts = finer;
    }
    let entries: Vec<String> = parts
        .iter()
        .map(|part| {
            let name = sections.name(anchors, part);
            format!("§ {} {name} ({} tokens)", title(page, part), cost(&page[part.clone()]))
        })
        .collect();
    entries.join(" · ")
}

/// Splits a run before every heading of this level or a higher one.
fn split(page: &[Line], gap: &Range<usize>, level: u8) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = gap.start;
    for i in gap.clone().skip(1) {
        if page[i].heading.is_some_and(|heading| heading <= level) {
            parts.push(start..i);
            start = i;
        }
    }
    parts.push(start..gap.end);
    parts
}

/// The words a run begins with, without marks and refs.
fn title(page: &[Line], part: &Range<usize>) -> String {
    let text = page[part.start].words().trim_start_matches(['#', '-', ' ', '|']);
    // "History[[edit](e7)]": what is in brackets behind a heading is no part of it.
    let own = text.find("[[").filter(|at| *at > 0).map_or(text, |at| &text[..at]);
    let words = [own, text].map(names_alone).into_iter().find(|words| !words.trim().is_empty());
    match words {
        Some(words) => unforged_title(&shortened(&words)).into_owned(),
        // A control that nothing names.
        None => shortened(text),
    }
}

fn shortened(title: &str) -> String {
    match title.char_indices().nth(TITLE_LETTERS) {
        Some(_) => title.chars().take(TITLE_LETTERS - 1).chain(['…']).collect(),
        None => title.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::borders::Border;
    use proptest::prelude::*;

    fn line(text: &str, heading: Option<u8>, is_in_view: bool) -> Line {
        Line::new(text.to_owned(), heading, is_in_view)
    }

    fn written(lines: Vec<Line>) -> Written {
        Written { lines, folds: Vec::new() }
    }

    fn page() -> Written {
        let mut page = vec![line("# Tea", Some(1), true), line("In view", None, true)];
        for chapter in ["History", "Making", "Serving"] {
            page.push(line(&format!("## {chapter}"), Some(2), false));
            for n in 0..40 {
                page.push(line(
                    &format!("{chapter} has a sentence with the number {n}."),
                    None,
                    false,
                ));
            }
        }
        written(page)
    }

    #[test]
    fn what_is_in_view_comes_first_and_the_rest_is_an_outline() {
        let page = page();
        let mut sections = SectionTable::default();
        let text = fit(&page, From::Viewport, 200, &mut sections).join("\n");
        assert!(text.starts_with("# Tea\nIn view\n§ History s1 ("), "{text}");
        assert!(text.contains(" · § Making s2 (") && text.contains(" · § Serving s3 ("), "{text}");
        let range = sections.find("s2".parse().unwrap(), &page.lines).unwrap();
        assert_eq!((page.lines[range.start].text.as_str(), range.len()), ("## Making", 41));
    }

    #[test]
    fn a_page_within_its_budget_is_all_there() {
        let page = page();
        let all = fit(&page, From::Viewport, 100_000, &mut SectionTable::default());
        assert_eq!(all.len(), page.lines.len());
    }

    #[test]
    fn a_title_has_neither_marks_nor_refs() {
        let page = [line("## [Green](e3) and [black](e4) tea", Some(2), false)];
        assert_eq!(title(&page, &(0..1)), "Green and black tea");
        let page = [line("## History[[edit](e7)\\]", Some(2), false)];
        assert_eq!(title(&page, &(0..1)), "History");
        let page =
            [line("| Person 29 | <button e65 \"Edit\"> <checkbox e66 checked> |", None, false)];
        assert_eq!(title(&page, &(0..1)), "Person 29 | Edit  |");
        let page = [line("<button e65>", None, false)];
        assert_eq!(title(&page, &(0..1)), "<button e65>");
    }

    #[test]
    fn a_long_run_is_told_by_its_first_items_and_a_handle() {
        let lines = (0..40).map(|n| line(&format!("- [Item {n}](e{n})"), None, n < 8)).collect();
        let page = Written { lines, folds: vec![Fold { lines: 5..40, items: 35 }] };
        let mut sections = SectionTable::default();
        let whole = fit(&page, From::Top, 100_000, &mut sections);
        assert_eq!(whole.len(), 6, "{whole:?}");
        assert!(whole[5].starts_with("§ 35 more s1 ("), "{whole:?}");
        let range = sections.find("s1".parse().unwrap(), &page.lines).unwrap();
        assert_eq!(open(&page, range, 100_000, &mut sections).len(), 35);
        let look = fit(&page, From::Viewport, 100_000, &mut sections).join("\n");
        assert!(
            look.contains("Item 7") && !look.contains("Item 8]"),
            "in view is never folded: {look}"
        );
    }

    fn any_page() -> impl Strategy<Value = Written> {
        let any_line = ("[a-z ]{1,60}", proptest::option::weighted(0.2, 1u8..=6), any::<bool>());
        proptest::collection::vec(any_line, 1..120).prop_flat_map(|lines| {
            let lines: Vec<Line> = lines.into_iter().map(|(t, h, v)| line(&t, h, v)).collect();
            let ends = (0..=lines.len(), 0..=lines.len());
            (Just(lines), ends).prop_map(|(lines, (a, b))| {
                let lines_folded = a.min(b)..a.max(b);
                let items = lines_folded.len();
                let folds =
                    if items == 0 { Vec::new() } else { vec![Fold { lines: lines_folded, items }] };
                Written { lines, folds }
            })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn opening_every_section_yields_every_line(page in any_page(), budget in 40usize..600) {
            let mut sections = SectionTable::default();
            let lines = &page.lines;
            let mut seen = vec![false; lines.len()];
            let mut to_open = Vec::new();
            to_open.push(0..lines.len());
            let mut rounds = 0;
            while let Some(range) = to_open.pop() {
                rounds += 1;
                prop_assert!(rounds < 2_000, "opening never ends");
                let text = if rounds == 1 {
                    fit(&page, From::Viewport, budget, &mut sections)
                } else {
                    open(&page, range.clone(), budget, &mut sections)
                };
                for shown in &text {
                    if !shown.starts_with('§') {
                        for i in range.clone().filter(|i| lines[*i].text == *shown) {
                            seen[i] = true;
                        }
                    }
                }
                for entry in text.iter().filter(|l| l.starts_with('§')).flat_map(|l| l.split(" · ")) {
                    let (head, _) = entry.rsplit_once(" (").unwrap();
                    let name = head.split_whitespace().next_back().unwrap();
                    to_open.push(sections.find(name.parse().unwrap(), lines).unwrap());
                }
            }
            prop_assert!(seen.iter().all(|s| *s));
        }
    }

    #[test]
    fn a_section_says_which_frames_it_stands_in() {
        let border = |text: &str, border| Line { border: Some(border), ..line(text, None, false) };
        let lines = vec![
            border("frame https://ads.example:", Border::Opens),
            line("Words", None, false),
            line("More words", None, false),
            border("(end of frame)", Border::Closes),
            line("On the page", None, false),
        ];
        let page = Written { lines, folds: Vec::new() };
        let mut sections = SectionTable::default();
        let mut opened = |range| open(&page, range, 100, &mut sections);
        assert_eq!(opened(2..4), ["frame https://ads.example:", "More words", "(end of frame)"]);
        assert_eq!(opened(0..2), ["frame https://ads.example:", "Words"]);
        assert_eq!(opened(4..5), ["On the page"]);
    }
}
