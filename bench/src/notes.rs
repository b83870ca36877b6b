//! Owns what is said below the table: how the run was made, what went wrong in it, and the things that a number alone
//! doesn't name. Decides nothing.

use crate::{
    completeness::{Findings, PageFindings},
    failure::Failure,
    growth::Growth,
    samples::Samples,
    servers::{self, Server},
    statistics::median,
    table::grouped,
    yardstick::SeenControl,
};

/// More would hide the table; all of them are in the results.
const MOST_LISTED: usize = 20;
/// How much of a listed thing is shown.
const LISTED_CHARACTERS: usize = 60;

/// What became of a server.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// There are samples, if not of everything.
    Measured(Box<Samples>),
    /// Nothing can be said about it.
    Failed(Failure),
    /// Nobody asked for it.
    LeftOut,
}

impl Outcome {
    /// What the table says below the server's name.
    pub(crate) fn version(&self) -> String {
        match self {
            Self::Measured(samples) => samples.version.clone(),
            Self::Failed(Failure::NotBuilt { .. }) => "not built".to_owned(),
            Self::Failed(Failure::WrongVersion { .. }) => "refused".to_owned(),
            Self::Failed(_) => "failed".to_owned(),
            Self::LeftOut => "left out".to_owned(),
        }
    }
}

/// How the run was made.
pub(crate) fn of_run(browser: &str, runs: usize, rounds: usize, pages: usize) -> Vec<String> {
    vec![format!(
        "{browser}. Medians; {runs} starts; {pages} pages and {runs} clicks in each of {rounds} rounds. ×best: Outrigger by the best of all peers; \
         ×node: by the better of the two on Node, against which the budgets for start and click were set."
    )]
}

/// What has to be known of each server.
pub(crate) fn of_servers(outcomes: &[Outcome]) -> Vec<String> {
    let mut notes = Vec::new();
    for (server, outcome) in Server::ALL.into_iter().zip(outcomes) {
        match outcome {
            Outcome::LeftOut => {}
            Outcome::Failed(failure) => notes.push(format!("{}: {failure}", server.name())),
            Outcome::Measured(samples) => {
                notes.extend(samples.notes.iter().map(|note| format!("{}: {note}", server.name())));
                notes.extend(folded(server, samples));
                notes.extend(by_command_line(server, samples));
                notes.extend(unlike_sizes(server, samples));
            }
        }
    }
    notes
}

/// The curve by node, and what a blocked page compares with.
pub(crate) fn of_growth(growth: &Growth) -> Option<String> {
    let curve: Vec<String> = growth
        .curve
        .iter()
        .filter_map(|point| Some(format!("{:.1}", point.by_thousand_nodes()?)))
        .collect();
    if curve.is_empty() {
        return None;
    }
    let blocked = growth.mostly_blocked().map_or_else(String::new, |mostly| {
        let rest = growth.blocked_at_rest.unwrap_or_default();
        format!(" The largest is blocked for {mostly:.0} ms mostly, at rest for {rest:.0} ms.")
    });
    Some(format!(
        "growth: {} ms for 1,000 nodes, from the smallest page to the largest.{blocked}",
        curve.join(", ")
    ))
}

/// What was compared, and the first of the things that are missing.
pub(crate) fn of_findings(findings: &Findings) -> Vec<String> {
    let mut notes = Vec::new();
    let pages = &findings.pages;
    if !findings.unjudged.is_empty() {
        notes.push(format!(
            "not compared with what is to be seen: {}.",
            findings.unjudged.join(", ")
        ));
    }
    if pages.is_empty() {
        return notes;
    }
    let total = |count: fn(&PageFindings) -> usize| grouped_count(pages.iter().map(count).sum());
    notes.push(format!(
        "in view: {} controls on {} pages, {} of them without a name; {} stand in the default look itself, the \
         others behind its handles.",
        total(|page| page.in_view),
        pages.len(),
        total(|page| page.in_view_nameless),
        total(|page| page.in_view_in_look),
    ));
    let shown = |page: &PageFindings| {
        format!(
            "{} {} of {}",
            page.page,
            page.in_view_in_look,
            page.in_view - page.in_view_nameless
        )
    };
    let shown: Vec<String> = pages.iter().map(shown).collect();
    notes.push(format!("in the default look itself, of what has a name: {}.", shown.join(", ")));
    let left_out =
        |page: &PageFindings| page.in_view_left_out.iter().map(SeenControl::title).collect();
    notes.extend(listing("in view and not in the default look", pages, left_out));
    notes.extend(listing("not behind the outline", pages, |page| page.beyond_outline.clone()));
    let visible: Vec<String> =
        Server::ALL.into_iter().filter_map(|peer| visible_by(pages, peer)).collect();
    notes.push(format!("visible things that a peer names: {}.", visible.join(", ")));
    let unreached = |page: &PageFindings| page.unreached().into_iter().map(str::to_owned).collect();
    notes.extend(listing("seen by a peer and not by Outrigger", pages, unreached));
    notes
}

fn visible_by(pages: &[PageFindings], peer: Server) -> Option<String> {
    let peers = pages.iter().flat_map(|page| &page.peers).filter(|found| found.peer == peer);
    let visible: Vec<usize> = peers.map(|found| found.visible).collect();
    let total = grouped_count(visible.iter().sum());
    (!visible.is_empty()).then(|| format!("{} {total}", peer.name()))
}

fn listing(
    what: &str,
    pages: &[PageFindings],
    things: impl Fn(&PageFindings) -> Vec<String>,
) -> Option<String> {
    let listed: Vec<String> = pages
        .iter()
        .flat_map(|page| things(page).into_iter().map(|thing| (&page.page, thing)))
        .map(|(page, thing)| {
            format!("{page} “{}”", thing.chars().take(LISTED_CHARACTERS).collect::<String>())
        })
        .collect();
    let shown = listed.iter().take(MOST_LISTED).map(String::as_str).collect::<Vec<_>>().join("; ");
    let more = match listed.len().saturating_sub(MOST_LISTED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    (!listed.is_empty()).then(|| format!("{what}: {shown}{more}."))
}

#[allow(clippy::cast_precision_loss)]
fn grouped_count(count: usize) -> String {
    grouped(count as f64, 0)
}

/// A snapshot that folds something away is short for that reason as well.
fn folded(server: Server, samples: &Samples) -> Option<String> {
    let tokens: usize = samples.pages.iter().filter_map(|page| page.folded_tokens).sum();
    let whole: usize = samples.pages.iter().filter_map(|page| page.whole_tokens).sum();
    (tokens > 0).then(|| {
        format!(
            "{}: its snapshots of the whole pages are {} tokens, and fold {} more away behind handles.",
            server.name(),
            grouped_count(whole),
            grouped_count(tokens)
        )
    })
}

fn by_command_line(server: Server, samples: &Samples) -> Option<String> {
    let by_page: Vec<f64> =
        samples.pages.iter().filter_map(|page| median(&page.command_line_snapshot)).collect();
    let took = median(&by_page)?;
    Some(format!(
        "{}: by its command line a snapshot of the whole page takes {took:.0} ms.",
        server.name()
    ))
}

/// Screenshots compare only when they show the same number of pixels.
fn unlike_sizes(server: Server, samples: &Samples) -> Option<String> {
    let (width, height) = samples.pages.iter().find_map(|page| page.screenshot_size)?;
    ((width, height) != servers::VIEWPORT)
        .then(|| format!("{}: its screenshots are {width} × {height}.", server.name()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::growth::Point;

    #[test]
    fn a_long_list_is_cut_and_says_so() {
        let page = PageFindings {
            page: "shop".to_owned(),
            beyond_outline: (0..25).map(|number| format!("thing {number}")).collect(),
            ..PageFindings::default()
        };
        let beyond = |page: &PageFindings| page.beyond_outline.clone();
        let note = listing("missing", &[page], beyond).unwrap();
        assert!(note.contains("shop “thing 19”; and 5 more."), "{note}");
        assert_eq!(listing("missing", &[PageFindings::default()], beyond), None);
    }

    #[test]
    fn growth_is_told_by_node() {
        let curve = vec![Point { nodes: 2_000, whole: vec![30.0], look: Vec::new() }];
        let blocked_by_look = vec![90.0];
        let growth =
            Growth { curve, blocked_by_look, blocked_at_rest: Some(3.0), ..Growth::default() };
        let note = of_growth(&growth).unwrap();
        assert!(
            note.contains("15.0 ms for 1,000 nodes")
                && note.contains("90 ms")
                && note.contains("3 ms"),
            "{note}"
        );
        assert_eq!(of_growth(&Growth::default()), None);
    }
}
