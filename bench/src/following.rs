//! Owns what is measured of living records: how fast whoever follows them is told. The measuring itself is a program of
//! the product's own workspace, which has the servers of a team at hand; what it prints is read here.

use std::{path::Path, process::Command};

use serde::{Deserialize, Serialize};

use crate::{
    budget::Budget,
    failure::Failure,
    row::{Row, Unit},
    statistics::median,
};

/// What makes the program.
const FIX: &str = "make bench";

/// What it printed.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub(crate) struct Following {
    /// From a change of a page to its event, beyond the debounce.
    page_ms: Vec<f64>,
    one_hub: Load,
    over_nats: Load,
}

/// A thousand subscribers of one record, which changes ten times a second.
#[derive(Debug, Clone, Deserialize, Serialize)]
struct Load {
    lost: u32,
    out_of_order: u32,
    p50_ms: f64,
    p99_ms: f64,
    /// Updates a second; none if it kept up with all that was tried.
    falls_behind_at: Option<f64>,
    kept_up_with: f64,
}

/// Has it measured.
pub(crate) fn measure(bench: &Path, outrigger: &Path) -> Result<Following, Failure> {
    let program = bench.join("../target/release/examples/following");
    if !program.is_file() {
        return Err(Failure::NotBuilt { fix: FIX });
    }
    let what = "following records";
    let run = Command::new(program).arg(outrigger).output().map_err(Failure::io(what))?;
    if !run.status.success() {
        let said = String::from_utf8_lossy(&run.stderr);
        let message = said.lines().last().unwrap_or_default().to_owned();
        return Err(Failure::Refused { what: what.to_owned(), message });
    }
    serde_json::from_slice(&run.stdout).map_err(Failure::json(what))
}

/// The lines of the table.
pub(crate) fn rows(measured: Option<&Following>) -> Vec<Row> {
    let page = measured.and_then(|measured| median(&measured.page_ms));
    let mut rows = vec![Row::of_outrigger(
        "page change to its event",
        Unit::Milliseconds,
        page,
        Budget::AtMost(50.0),
    )];
    let one_hub = measured.map(|measured| &measured.one_hub);
    rows.extend(load("1,000 followers, p99", one_hub));
    let over_nats = measured.map(|measured| &measured.over_nats);
    rows.extend(load("  the same over NATS, p99", over_nats));
    rows
}

fn load(label: &str, load: Option<&Load>) -> [Row; 3] {
    let p99 = load.map(|load| load.p99_ms);
    let amiss = load.map(|load| f64::from(load.lost + load.out_of_order));
    let behind = load.map(|load| load.falls_behind_at.unwrap_or(load.kept_up_with));
    [
        Row::of_outrigger(label, Unit::Milliseconds, p99, Budget::None),
        Row::of_outrigger("  lost or out of order", Unit::Count, amiss, Budget::AtMost(0.0)),
        Row::of_outrigger("  falls behind at, a second", Unit::Count, behind, Budget::None),
    ]
}

/// What a number alone doesn't say.
pub(crate) fn notes(measured: &Result<Following, Failure>) -> Vec<String> {
    let measured = match measured {
        Ok(measured) => measured,
        Err(failure) => return vec![format!("following: {failure}.")],
    };
    let told = |load: &Load| {
        let most = match load.falls_behind_at {
            Some(_) => String::new(),
            None => {
                format!(", and kept up with all that was tried, {} a second", load.kept_up_with)
            }
        };
        format!("p50 {:.0} ms{most}", load.p50_ms)
    };
    vec![format!(
        "following: 1,000 connections of one process follow a record that changes ten times a second for half a minute, on the same cores: {}. From one hub to another over PostgreSQL and NATS: {}.",
        told(&measured.one_hub),
        told(&measured.over_nats),
    )]
}
