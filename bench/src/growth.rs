//! Owns how Outrigger's snapshots grow with the page: times on pages of a thousand to a hundred thousand nodes, and
//! for how long the largest of them was kept from its own work meanwhile. Peers aren't asked: the promise is about
//! growth, not about them.

use std::{thread, time::Duration};

use serde::Serialize;

use crate::{
    failure::Failure, generated, heartbeat, pages::PageServer, servers::Server, statistics::median,
    stdio::StdioServer, tools::Call,
};

/// How many nodes the pages have.
pub(crate) const NODES: [usize; 5] = [1_000, 3_000, 10_000, 30_000, 100_000];
/// From here to the largest page, a node may not become dearer than by the budget.
const COMPARED: usize = 10_000;
const SNAPSHOTS: usize = 3;
/// Of each kind, while the page says how long it is blocked. Many: what blocks it longest, collecting garbage, happens
/// now and then.
const WATCHED: usize = 10;
/// What a blocked page may need until it reports again.
const PATIENCE: Duration = Duration::from_secs(10);
/// A page that has just been loaded has work of its own, which isn't counted: we wait until it was left in peace for
/// a while, but not for ever, since a busy machine never leaves it.
const PEACE: Duration = Duration::from_millis(500);
const PEACEFUL: f64 = 50.0;
const MOST_PEACES: usize = 10;

/// All samples of one server's growth, in milliseconds.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Growth {
    pub(crate) curve: Vec<Point>,
    /// For each snapshot of the largest page, the longest time that the page was blocked.
    pub(crate) blocked_by_whole: Vec<f64>,
    /// The same for each default look.
    pub(crate) blocked_by_look: Vec<f64>,
    /// The same while nobody took a snapshot: what the machine does by itself.
    pub(crate) blocked_at_rest: Option<f64>,
}

/// The times on one page.
#[derive(Debug, Serialize)]
pub(crate) struct Point {
    pub(crate) nodes: usize,
    pub(crate) whole: Vec<f64>,
    pub(crate) look: Vec<f64>,
}

impl Point {
    /// Of the whole page: the dearer of the two looks.
    pub(crate) fn milliseconds(&self) -> Option<f64> {
        median(&self.whole)
    }

    #[allow(clippy::cast_precision_loss)]
    pub(crate) fn by_thousand_nodes(&self) -> Option<f64> {
        Some(self.milliseconds()? * 1000.0 / self.nodes as f64)
    }
}

impl Growth {
    pub(crate) fn at(&self, nodes: usize) -> Option<&Point> {
        self.curve.iter().find(|point| point.nodes == nodes)
    }

    /// What a node costs on the largest page by what it costs on the one that it is compared with.
    pub(crate) fn factor(&self) -> Option<f64> {
        let largest = self.at(*NODES.last()?)?.by_thousand_nodes()?;
        Some(largest / self.at(COMPARED)?.by_thousand_nodes()?)
    }

    /// The longest time of all for which a snapshot blocked the page. On a machine that has other work, whatever that
    /// took is in it.
    pub(crate) fn longest_blocked(&self) -> Option<f64> {
        self.blocked_by_whole.iter().chain(&self.blocked_by_look).copied().max_by(f64::total_cmp)
    }

    /// What it is mostly, by whichever look blocks it longer.
    pub(crate) fn mostly_blocked(&self) -> Option<f64> {
        [median(&self.blocked_by_whole), median(&self.blocked_by_look)]
            .into_iter()
            .flatten()
            .max_by(f64::total_cmp)
    }

    /// Takes all samples; keeps those it has when one fails.
    pub(crate) fn measure(
        &mut self,
        server: Server,
        running: &mut StdioServer,
        pages: &PageServer,
    ) -> Result<(), Failure> {
        for nodes in NODES {
            open(running, server.navigate(&pages.generated_url(&generated::of_nodes(nodes))))?;
            let mut point = Point { nodes, whole: Vec::new(), look: Vec::new() };
            for _ in 0..SNAPSHOTS {
                point.whole.push(open(running, server.whole_snapshot())?);
                point.look.push(open(running, server.default_look())?);
            }
            self.curve.push(point);
        }
        self.measure_blocking(server, running, pages)
    }

    fn measure_blocking(
        &mut self,
        server: Server,
        running: &mut StdioServer,
        pages: &PageServer,
    ) -> Result<(), Failure> {
        let Some(largest) = NODES.last() else { return Ok(()) };
        open(running, server.navigate(&pages.beating_url(&generated::of_nodes(*largest))))?;
        for _ in 0..MOST_PEACES {
            let from = heartbeat::now();
            thread::sleep(PEACE);
            self.blocked_at_rest = pages.heartbeat().longest(from, heartbeat::now(), PATIENCE);
            if self.blocked_at_rest.is_some_and(|longest| longest < PEACEFUL) {
                break;
            }
        }
        for (look, blocked) in [
            (server.whole_snapshot(), &mut self.blocked_by_whole),
            (server.default_look(), &mut self.blocked_by_look),
        ] {
            for _ in 0..WATCHED {
                let from = heartbeat::now();
                open(running, look.clone())?;
                let longest = pages.heartbeat().longest(from, heartbeat::now(), PATIENCE);
                blocked.push(longest.ok_or(Failure::NoHeartbeat)?);
            }
        }
        Ok(())
    }
}

fn open(running: &mut StdioServer, (tool, arguments): Call) -> Result<f64, Failure> {
    Ok(running.call(tool, &arguments)?.milliseconds())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(nodes: usize, whole: &[f64]) -> Point {
        Point { nodes, whole: whole.to_vec(), look: Vec::new() }
    }

    #[test]
    fn twice_the_price_of_a_node_is_a_factor_of_two() {
        let curve = vec![point(10_000, &[50.0, 70.0, 60.0]), point(100_000, &[1200.0])];
        let growth = Growth { curve, ..Growth::default() };
        assert_eq!(growth.at(10_000).unwrap().by_thousand_nodes(), Some(6.0));
        assert_eq!(growth.factor(), Some(2.0));
    }

    #[test]
    fn without_the_largest_page_there_is_no_factor() {
        let growth = Growth { curve: vec![point(10_000, &[50.0])], ..Growth::default() };
        assert_eq!(growth.factor(), None);
    }

    #[test]
    fn no_look_may_block_the_page_for_long_not_even_once() {
        let growth = Growth {
            blocked_by_whole: vec![20.0, 90.0, 30.0],
            blocked_by_look: vec![40.0, 50.0, 10.0],
            ..Growth::default()
        };
        assert_eq!(growth.longest_blocked(), Some(90.0));
        assert_eq!(growth.mostly_blocked(), Some(40.0));
        assert_eq!(Growth::default().longest_blocked(), None);
    }
}
