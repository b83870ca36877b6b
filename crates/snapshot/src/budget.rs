//! Fits a page into a budget: what is in view first, and for everything else an
//! outline of sections, each of which can be opened. Nothing is unreachable.

use std::ops::Range;

use crate::line::{Line, cost};
use crate::sections::SectionTable;
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

/// Titles are cut here.
const TITLE_LETTERS: usize = 60;

/// Writes the part `range` of a page within a budget.
pub fn fit(
    page: &[Line],
    range: Range<usize>,
    from: From,
    budget: usize,
    sections: &mut SectionTable,
) -> Vec<String> {
    if cost(&page[range.clone()]) <= budget {
        return page[range].iter().map(|line| line.text.clone()).collect();
    }
    let shown = choose(page, &range, from, budget);
    let used: usize =
        range.clone().filter(|i| shown[i - range.start]).map(|i| page[i].tokens).sum();
    let gaps = gaps(&range, &shown);
    let total: usize = gaps.iter().map(|gap| cost(&page[gap.clone()])).sum();
    let left = budget.saturating_sub(used);
    let mut out = Vec::new();
    let mut at = range.start;
    for gap in gaps {
        out.extend(page[at..gap.start].iter().map(|line| line.text.clone()));
        // Each gap gets the share of the outline that it has of the text.
        let share = left * cost(&page[gap.clone()]) / total.max(1);
        out.push(outline(page, gap.clone(), share, sections));
        at = gap.end;
    }
    out.extend(page[at..range.end].iter().map(|line| line.text.clone()));
    out
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

/// Marks the lines to be shown. A quarter of the budget is kept for the outline.
fn choose(page: &[Line], range: &Range<usize>, from: From, budget: usize) -> Vec<bool> {
    let room = budget - (budget / 4).min(400);
    let mut shown = vec![false; range.len()];
    let mut used = 0;
    let has_view = page[range.clone()].iter().any(|line| line.is_in_view);
    let by_view = from == From::Viewport && has_view;
    for i in range.clone() {
        let line = &page[i];
        if by_view && !line.is_in_view {
            continue;
        }
        // Whoever opens a section gets on by a line at least.
        let is_first_of_all = used == 0 && !by_view;
        if used + line.tokens > room && !is_first_of_all {
            break;
        }
        used += line.tokens;
        shown[i - range.start] = true;
    }
    shown
}

/// The runs of lines that are not shown.
fn gaps(range: &Range<usize>, shown: &[bool]) -> Vec<Range<usize>> {
    let mut gaps: Vec<Range<usize>> = Vec::new();
    for i in range.clone().filter(|i| !shown[i - range.start]) {
        match gaps.last_mut() {
            Some(gap) if gap.end == i => gap.end = i + 1,
            _ => gaps.push(i..i + 1),
        }
    }
    gaps
}

/// One line that stands for a run: as many of its headings as there is room for.
fn outline(page: &[Line], gap: Range<usize>, room: usize, sections: &mut SectionTable) -> String {
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
            let name = sections.name(page, part);
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
    let text = page[part.start].text.trim_start_matches(['#', '-', ' ', '|']);
    // "History[[edit](e7)]": what is in brackets behind a heading is no part of it.
    let text = text.find("[[").filter(|at| *at > 0).map_or(text, |at| &text[..at]);
    let mut words = String::new();
    let mut rest = text;
    // A link's name without its ref, a control's name without its role.
    while let Some(open) = rest.find("](e") {
        words.push_str(&rest[..open].replace('[', ""));
        rest = rest[open..].split_once(')').map_or("", |(_, after)| after);
    }
    words.push_str(rest);
    if words.chars().count() > TITLE_LETTERS {
        return words.chars().take(TITLE_LETTERS - 1).chain(['…']).collect();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(text: &str, heading: Option<u8>, is_in_view: bool) -> Line {
        Line::new(text.to_owned(), heading, is_in_view)
    }

    fn page() -> Vec<Line> {
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
        page
    }

    #[test]
    fn what_is_in_view_comes_first_and_the_rest_is_an_outline() {
        let page = page();
        let mut sections = SectionTable::default();
        let text = fit(&page, 0..page.len(), From::Viewport, 200, &mut sections).join("\n");
        assert!(text.starts_with("# Tea\nIn view\n§ History s1 ("), "{text}");
        assert!(text.contains(" · § Making s2 (") && text.contains(" · § Serving s3 ("), "{text}");
        let range = sections.find("s2".parse().unwrap(), &page).unwrap();
        assert_eq!((page[range.start].text.as_str(), range.len()), ("## Making", 41));
    }

    #[test]
    fn a_page_within_its_budget_is_all_there() {
        let page = page();
        let all = fit(&page, 0..page.len(), From::Viewport, 100_000, &mut SectionTable::default());
        assert_eq!(all.len(), page.len());
    }

    #[test]
    fn a_title_has_neither_marks_nor_refs() {
        let page = [line("## [Green](e3) and [black](e4) tea", Some(2), false)];
        assert_eq!(title(&page, &(0..1)), "Green and black tea");
        let page = [line("## History[[edit](e7)\\]", Some(2), false)];
        assert_eq!(title(&page, &(0..1)), "History");
    }

    fn any_page() -> impl Strategy<Value = Vec<Line>> {
        let any_line = ("[a-z ]{1,60}", proptest::option::weighted(0.2, 1u8..=6), any::<bool>());
        proptest::collection::vec(any_line, 1..120)
            .prop_map(|lines| lines.into_iter().map(|(t, h, v)| line(&t, h, v)).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn opening_every_section_yields_every_line(page in any_page(), budget in 40usize..600) {
            let mut sections = SectionTable::default();
            let mut seen = vec![false; page.len()];
            let mut to_open = Vec::new();
            to_open.push(0..page.len());
            let mut rounds = 0;
            while let Some(range) = to_open.pop() {
                rounds += 1;
                prop_assert!(rounds < 2_000, "opening never ends");
                let from = if rounds == 1 { From::Viewport } else { From::Top };
                let text = fit(&page, range.clone(), from, budget, &mut sections);
                for shown in &text {
                    if !shown.starts_with('§') {
                        for i in range.clone().filter(|i| page[*i].text == *shown) {
                            seen[i] = true;
                        }
                    }
                }
                for entry in text.iter().filter(|l| l.starts_with('§')).flat_map(|l| l.split(" · ")) {
                    let (head, _) = entry.rsplit_once(" (").unwrap();
                    let name = head.split_whitespace().next_back().unwrap();
                    to_open.push(sections.find(name.parse().unwrap(), &page).unwrap());
                }
            }
            prop_assert!(seen.iter().all(|s| *s));
        }
    }
}
