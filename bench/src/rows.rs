//! Owns the list of what is compared: one row for each measure, with its unit and its budget. Turns samples into
//! values; neither takes samples nor draws the table.

use crate::{
    budget::{Budget, Values},
    completeness::{Findings, PageFindings},
    generated,
    growth::{Growth, NODES},
    row::{Row, Unit},
    samples::{PageSamples, Samples},
    servers::Server,
    statistics::median,
    table::grouped,
};

/// The samples of each server, in the order of [`Server::ALL`]; none for one that wasn't measured.
pub(crate) type All<'a> = [Option<&'a Samples>; Server::ALL.len()];

/// All rows, in the order of the table.
pub(crate) fn rows(all: &All<'_>, findings: &Findings) -> Vec<Row> {
    let mut rows = speed(all);
    rows.extend(growth(all));
    rows.extend(cost(all));
    rows.extend(looks(all, findings));
    rows.extend(wholes(all, findings));
    rows
}

/// How long things take.
fn speed(all: &All<'_>) -> Vec<Row> {
    use Unit::{Kilobytes, Milliseconds};
    let start = of(all, &|samples| median(&samples.start));
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
    let first_navigation = of(all, &|samples| median(&samples.first_navigation));
    let navigation = by_page(all, &|page| median(&page.navigation));
    let click = of(all, &|samples| median(&samples.click));
    let typing = of(all, &|samples| median(&samples.typing));
    let form = of(all, &|samples| median(&samples.form));
    let whole = by_page(all, &|page| median(&page.snapshot));
    let look = by_page(all, &|page| median(&page.look));
    let screenshot = by_page(all, &|page| page.screenshot);
    let picture = by_page(all, &|page| page.screenshot_bytes.map(|bytes| real(bytes) / 1000.0));
    vec![
        Row::new("start to tools/list", Milliseconds, start, Budget::OfNode(0.1)),
        Row::new("  with the hub up", Milliseconds, start_with_hub, Budget::OfNode(0.1)),
        Row::new("first navigation", Milliseconds, first_navigation, Budget::None),
        Row::new("navigation, real page", Milliseconds, navigation, Budget::None),
        Row::new("click to reply, static page", Milliseconds, click, Budget::OfNode(0.2)),
        Row::new("typing 100 characters", Milliseconds, typing, Budget::OfBest(0.5)),
        Row::new("form of ten fields", Milliseconds, form, Budget::OfBest(0.3)),
        Row::new("snapshot, whole page", Milliseconds, whole, Budget::OfBest(0.5)),
        Row::new("snapshot, default look", Milliseconds, look, Budget::None),
        Row::new("screenshot", Milliseconds, screenshot, Budget::None),
        Row::new("screenshot, size", Kilobytes, picture, Budget::AtMost(500.0)),
    ]
}

/// What becomes of the time when the page grows.
fn growth(all: &All<'_>) -> Vec<Row> {
    let growth = all[0].map(|samples| &samples.growth);
    let mut rows: Vec<Row> = NODES
        .into_iter()
        .map(|nodes| {
            let label = format!("snapshot, {} nodes", grouped(real(nodes), 0));
            let took = growth.and_then(|growth| growth.at(nodes)?.milliseconds());
            Row::of_outrigger(&label, Unit::Milliseconds, took, Budget::None)
        })
        .collect();
    let factor = growth.and_then(Growth::factor);
    let blocked = growth.and_then(Growth::longest_blocked);
    rows.extend([
        Row::of_outrigger("  by node, 100k to 10k", Unit::Times, factor, Budget::AtMost(2.0)),
        Row::of_outrigger(
            "  page blocked, longest",
            Unit::Milliseconds,
            blocked,
            Budget::AtMost(200.0),
        ),
    ]);
    rows
}

/// What a server costs before it is used, and when nothing happens.
fn cost(all: &All<'_>) -> Vec<Row> {
    use Unit::{Count, Megabytes};
    let definitions = of(all, &|samples| Some(real(samples.definition_tokens)));
    let tools = of(all, &|samples| Some(real(samples.tools)));
    let processes = of(all, &|samples| samples.server_kib.map(megabytes));
    let hub = of(all, &|samples| samples.hub_kib.map(megabytes));
    let endured = all[0].and_then(|samples| match samples.endured_kib[..] {
        [few, many] => Some(megabytes(many) - megabytes(few)),
        _ => None,
    });
    let click = of(all, &|samples| samples.click_tokens.iter().max().copied().map(real));
    let wait = of(all, &|samples| samples.wait_tokens.iter().max().copied().map(real));
    vec![
        Row::new("tool definitions, tokens", Count, definitions, Budget::AtMost(2000.0)),
        Row::new("tools", Count, tools, Budget::None),
        Row::new("memory, server processes", Megabytes, processes, Budget::None),
        Row::new("memory, hub", Megabytes, hub, Budget::AtMost(25.0)),
        // Half a megabyte is what an allocator keeps back or not.
        Row::of_outrigger("  from 100 to 1,000 clicks", Megabytes, endured, Budget::AtMost(0.5)),
        Row::new("idle click, reply's tokens", Count, click, Budget::AtMost(60.0)),
        Row::new("idle wait, reply's tokens", Count, wait, Budget::AtMost(60.0)),
    ]
}

/// What a look without arguments says, and what it doesn't.
fn looks(all: &All<'_>, findings: &Findings) -> Vec<Row> {
    let tokens = by_page(all, &|page| page.look_tokens.map(real));
    let mut rows =
        vec![Row::new("default look, tokens", Unit::Count, tokens, Budget::AtMost(1600.0))];
    rows.extend(generated::CROWDED.map(|name| {
        let tokens = of(all, &|samples| samples.page(name)?.look_tokens.map(real));
        let label = format!("  10,000 elements, {name}");
        Row::new(&label, Unit::Count, tokens, Budget::AtMost(1600.0))
    }));
    let left_out = findings.total(|page| page.in_view_left_out.len()).map(real);
    let beyond = findings.total(|page| page.beyond_outline.len()).map(real);
    rows.extend([
        Row::of_outrigger("  in view and not in it", Unit::Count, left_out, Budget::AtMost(0.0)),
        Row::of_outrigger("  not behind its outline", Unit::Count, beyond, Budget::AtMost(0.0)),
    ]);
    rows
}

/// What a snapshot of the whole page says, and what it doesn't.
fn wholes(all: &All<'_>, findings: &Findings) -> Vec<Row> {
    use Unit::{Count, Times};
    let tokens = by_page(all, &|page| page.whole_tokens.map(real));
    let mut rows = vec![
        Row::new("whole snapshot, tokens", Count, tokens, Budget::OfBest(0.5)),
        Row::new("  by text + 4 a control", Times, by_yardstick(all), Budget::AtMost(1.35)),
        Row::new("  seen by peer, not by us", Count, unreached(findings), Budget::AtMost(0.0))
            .without_ratios(),
    ];
    rows.extend(page_names(all).into_iter().map(|name| {
        let values = all.map(|samples| samples?.page(&name)?.whole_tokens.map(real));
        Row::new(&format!("  {name}"), Count, values, Budget::None)
    }));
    rows
}

fn of(all: &All<'_>, value: &dyn Fn(&Samples) -> Option<f64>) -> Values {
    all.map(|samples| value(samples?))
}

/// The median over the saved pages.
fn by_page(all: &All<'_>, value: &dyn Fn(&PageSamples) -> Option<f64>) -> Values {
    all.map(|samples| over_pages(samples?, value))
}

/// Under each peer what it names and Outrigger can't reach; under Outrigger all of it, each thing once.
fn unreached(findings: &Findings) -> Values {
    Server::ALL.map(|server| {
        if server == Server::Outrigger {
            return findings.total(|page| page.unreached().len()).map(real);
        }
        let asked = |page: &&PageFindings| page.peers.iter().any(|found| found.peer == server);
        let pages: Vec<&PageFindings> = findings.pages.iter().filter(asked).collect();
        let count = pages.iter().map(|page| page.unreached_by(server).len()).sum();
        (!pages.is_empty()).then(|| real(count))
    })
}

fn over_pages(samples: &Samples, value: &dyn Fn(&PageSamples) -> Option<f64>) -> Option<f64> {
    median(&samples.pages.iter().filter_map(value).collect::<Vec<_>>())
}

/// Tokens of the whole snapshot by what the page's text and controls need at least; the median over the pages.
fn by_yardstick(all: &All<'_>) -> Values {
    all.map(|samples| {
        over_pages(samples?, &|measured| {
            let needed =
                all.iter().flatten().find_map(|samples| samples.page(&measured.name)?.yardstick)?;
            Some(real(measured.whole_tokens?) / real(needed.max(1)))
        })
    })
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
    use crate::budget::Verdict;

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

    fn rows_of(all: &All<'_>) -> Vec<Row> {
        rows(all, &Findings::default())
    }

    #[test]
    fn a_row_holds_the_median_of_each_server() {
        let ours = samples(&[3.0, 1.0, 2.0], &[10, 30]);
        let peer = samples(&[40.0], &[100, 300]);
        let rows = rows_of(&[Some(&ours), Some(&peer), None, None]);
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
        let rows = rows_of(&[Some(&ours), Some(&peer), None, None]);
        assert_eq!(row(&rows, "with the hub up").values, [None, Some(40.0), None, None]);
    }

    #[test]
    fn the_yardstick_of_one_server_measures_all() {
        let ours = samples(&[], &[13]);
        let mut peer = samples(&[], &[40]);
        peer.pages[0].yardstick = Some(10);
        let rows = rows_of(&[Some(&ours), Some(&peer), None, None]);
        assert_eq!(row(&rows, "by text + 4 a control").values, [Some(1.3), Some(4.0), None, None]);
        assert_eq!(row(&rows, "by text + 4 a control").verdict, Verdict::Ok);
    }

    #[test]
    fn without_outrigger_no_budget_is_judged() {
        let peer = samples(&[40.0], &[100]);
        let rows = rows_of(&[None, Some(&peer), None, None]);
        assert!(rows.iter().all(|row| matches!(row.verdict, Verdict::Unknown | Verdict::None)));
    }
}
