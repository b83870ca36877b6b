//! Owns the list of what is compared: one row for each measure, with its unit and its budget. Turns samples into
//! values; neither takes samples nor draws the table.

use serde::Serialize;

use crate::{
    budget::{Budget, Values, Verdict},
    measure::{PageSamples, Samples},
    servers::Server,
    statistics::median,
};

/// What a row's numbers mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Unit {
    /// Time.
    Milliseconds,
    /// Size of a picture.
    Kilobytes,
    /// Memory.
    Megabytes,
    /// Tokens, tools.
    Count,
    /// A factor.
    Times,
}

/// One line of the table.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) unit: Unit,
    pub(crate) values: Values,
    pub(crate) budget: Budget,
    pub(crate) verdict: Verdict,
    /// `--check` fails when such a line is over its budget.
    pub(crate) is_enforced: bool,
}

/// The samples of each server, in the order of [`Server::ALL`]; none for one that wasn't measured.
pub(crate) type All<'a> = [Option<&'a Samples>; Server::ALL.len()];

/// All rows, in the order of the table.
pub(crate) fn rows(all: &All<'_>) -> Vec<Row> {
    use Unit::{Count, Kilobytes, Megabytes, Milliseconds, Times};
    let of =
        |value: &dyn Fn(&Samples) -> Option<f64>| -> Values { all.map(|samples| value(samples?)) };
    let by_page = |value: &dyn Fn(&PageSamples) -> Option<f64>| -> Values {
        all.map(|samples| over_pages(samples?, value))
    };

    let start = of(&|samples| median(&samples.start));
    // A peer has no hub to find: its only start stands against both of ours.
    let start_with_hub = all.map(|samples| {
        let samples = samples?;
        median(&samples.start_with_hub).or_else(|| median(&samples.start))
    });
    let start_with_hub = if all[0].is_some_and(|samples| samples.start_with_hub.is_empty()) {
        [None, start_with_hub[1], start_with_hub[2], start_with_hub[3]]
    } else {
        start_with_hub
    };
    let mut rows = vec![
        Row::new("start to tools/list", Milliseconds, start, Budget::OfNode(0.1)).enforced(),
        Row::new("  with the hub up", Milliseconds, start_with_hub, Budget::OfNode(0.1)).enforced(),
        Row::new(
            "first navigation",
            Milliseconds,
            of(&|samples| median(&samples.first_navigation)),
            Budget::None,
        ),
        Row::new(
            "navigation, real page",
            Milliseconds,
            by_page(&|page| page.navigation),
            Budget::None,
        ),
        Row::new(
            "click to reply, static page",
            Milliseconds,
            of(&|samples| median(&samples.click)),
            Budget::OfNode(0.2),
        ),
        Row::new(
            "snapshot, whole page",
            Milliseconds,
            by_page(&|page| median(&page.snapshot)),
            Budget::OfBest(0.5),
        ),
        Row::new(
            "snapshot, default look",
            Milliseconds,
            by_page(&|page| median(&page.look)),
            Budget::None,
        ),
        Row::new("screenshot", Milliseconds, by_page(&|page| page.screenshot), Budget::None),
        Row::new(
            "screenshot, size",
            Kilobytes,
            by_page(&|page| page.screenshot_bytes.map(|bytes| real(bytes) / 1000.0)),
            Budget::None,
        ),
        Row::new(
            "tool definitions, tokens",
            Count,
            of(&|samples| Some(real(samples.definition_tokens))),
            Budget::AtMost(2000.0),
        )
        .enforced(),
        Row::new("tools", Count, of(&|samples| Some(real(samples.tools))), Budget::None),
        Row::new(
            "memory, server processes",
            Megabytes,
            of(&|samples| samples.server_kib.map(megabytes)),
            Budget::None,
        ),
        Row::new(
            "memory, hub",
            Megabytes,
            of(&|samples| samples.hub_kib.map(megabytes)),
            Budget::AtMost(25.0),
        )
        .enforced(),
        Row::new(
            "default look, tokens",
            Count,
            by_page(&|page| page.look_tokens.map(real)),
            Budget::AtMost(1600.0),
        ),
        Row::new(
            "whole snapshot, tokens",
            Count,
            by_page(&|page| page.whole_tokens.map(real)),
            Budget::OfBest(0.5),
        ),
        Row::new("  by text + 4 a control", Times, by_yardstick(all), Budget::AtMost(1.35)),
    ];
    rows.extend(page_names(all).into_iter().map(|name| {
        let values = all.map(|samples| real_option(page(samples?, &name)?.whole_tokens));
        Row::new(&format!("  {name}"), Count, values, Budget::None)
    }));
    rows
}

impl Row {
    fn new(label: &str, unit: Unit, values: Values, budget: Budget) -> Self {
        Self {
            label: label.to_owned(),
            unit,
            values,
            budget,
            verdict: budget.judge(&values),
            is_enforced: false,
        }
    }

    fn enforced(self) -> Self {
        Self { is_enforced: true, ..self }
    }
}

fn over_pages(samples: &Samples, value: &dyn Fn(&PageSamples) -> Option<f64>) -> Option<f64> {
    median(&samples.pages.iter().filter_map(value).collect::<Vec<_>>())
}

/// Tokens of the whole snapshot by what the page's text and controls need at least; the median over the pages.
fn by_yardstick(all: &All<'_>) -> Values {
    all.map(|samples| {
        over_pages(samples?, &|measured| {
            let needed = all
                .iter()
                .flatten()
                .find_map(|samples| page(samples, &measured.name)?.yardstick)?;
            Some(real(measured.whole_tokens?) / real(needed.max(1)))
        })
    })
}

fn page<'a>(samples: &'a Samples, name: &str) -> Option<&'a PageSamples> {
    samples.pages.iter().find(|page| page.name == name)
}

fn page_names(all: &All<'_>) -> Vec<String> {
    let mut names: Vec<String> = all
        .iter()
        .flatten()
        .flat_map(|samples| samples.pages.iter().map(|page| page.name.clone()))
        .collect();
    names.sort();
    names.dedup();
    names
}

fn real_option(count: Option<usize>) -> Option<f64> {
    count.map(real)
}

/// Counts here are far below what a float holds exactly.
#[allow(clippy::cast_precision_loss)]
fn real(count: usize) -> f64 {
    count as f64
}

#[allow(clippy::cast_precision_loss)]
fn megabytes(kib: u64) -> f64 {
    kib as f64 * 1024.0 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(start: &[f64], tokens: &[usize]) -> Samples {
        let pages = tokens.iter().enumerate().map(|(index, tokens)| PageSamples {
            name: format!("page-{index}"),
            whole_tokens: Some(*tokens),
            ..PageSamples::default()
        });
        Samples { start: start.to_vec(), pages: pages.collect(), ..Samples::default() }
    }

    fn row<'a>(rows: &'a [Row], label: &str) -> &'a Row {
        rows.iter().find(|row| row.label.trim() == label).unwrap()
    }

    #[test]
    fn a_row_holds_the_median_of_each_server() {
        let ours = samples(&[3.0, 1.0, 2.0], &[10, 30]);
        let peer = samples(&[40.0], &[100, 300]);
        let rows = rows(&[Some(&ours), Some(&peer), None, None]);
        assert_eq!(row(&rows, "start to tools/list").values, [Some(2.0), Some(40.0), None, None]);
        assert_eq!(row(&rows, "start to tools/list").verdict, Verdict::Ok);
        assert_eq!(
            row(&rows, "whole snapshot, tokens").values,
            [Some(20.0), Some(200.0), None, None]
        );
        assert_eq!(row(&rows, "page-1").values, [Some(30.0), Some(300.0), None, None]);
    }

    #[test]
    fn a_start_with_the_hub_up_is_never_taken_from_a_start_without() {
        let ours = samples(&[3.0], &[]);
        let peer = samples(&[40.0], &[]);
        let rows = rows(&[Some(&ours), Some(&peer), None, None]);
        assert_eq!(row(&rows, "with the hub up").values, [None, Some(40.0), None, None]);
    }

    #[test]
    fn the_yardstick_of_one_server_measures_all() {
        let ours = samples(&[], &[13]);
        let mut peer = samples(&[], &[40]);
        peer.pages[0].yardstick = Some(10);
        let rows = rows(&[Some(&ours), Some(&peer), None, None]);
        assert_eq!(row(&rows, "by text + 4 a control").values, [Some(1.3), Some(4.0), None, None]);
        assert_eq!(row(&rows, "by text + 4 a control").verdict, Verdict::Ok);
    }

    #[test]
    fn without_outrigger_no_budget_is_judged() {
        let peer = samples(&[40.0], &[100]);
        let rows = rows(&[None, Some(&peer), None, None]);
        assert!(rows.iter().all(|row| matches!(row.verdict, Verdict::Unknown | Verdict::None)));
    }
}
