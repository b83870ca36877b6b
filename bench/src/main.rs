//! Measures Outrigger and its peers side by side: the same pages, the same browser, one run, one table of
//! ratios. This file owns the command line and the order of things; see README.md for what is measured.

mod budget;
mod completeness;
mod failure;
mod following;
mod form;
mod generated;
mod growth;
mod heartbeat;
mod measure;
mod notes;
mod our_snapshot;
mod pages;
mod peer_snapshot;
mod processes;
mod reach;
mod reply;
mod row;
mod rows;
mod samples;
mod servers;
mod statistics;
mod stdio;
mod table;
mod tokens;
mod tools;
mod visible;
mod words;
mod yardstick;

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant, SystemTime},
};

use clap::Parser;
use serde_json::json;

use budget::{Budget, Verdict};
use completeness::Findings;
use failure::Failure;
use measure::Measuring;
use notes::Outcome;
use pages::PageServer;
use row::Row;
use servers::{Server, Setting};
use tokens::Tokens;

/// Measures Outrigger and its peers on the same pages and prints one table of ratios.
#[derive(Debug, Parser)]
#[command(name = "bench")]
struct Arguments {
    /// Measure only these servers
    #[arg(long, value_name = "NAME")]
    only: Vec<Server>,
    /// Leave these servers out
    #[arg(long, value_name = "NAME")]
    skip: Vec<Server>,
    /// Starts that are counted, for each server; there are as many clicks in each round
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=100))]
    runs: u16,
    /// The program to measure [default: target/release/outrigger of this repository]
    #[arg(long, value_name = "PATH")]
    outrigger: Option<PathBuf>,
    /// Folder with the pages [default: shared/pages beside the repository, else bench/pages]
    #[arg(long, value_name = "FOLDER")]
    pages: Option<PathBuf>,
    /// Seconds that a single request may take
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=600))]
    deadline: u64,
    /// Write the table between the marks of this document as well
    #[arg(long, value_name = "PATH")]
    readme: Option<PathBuf>,
    /// Exit with 1 when a budget isn't kept
    #[arg(long)]
    check: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("bench: {failure}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let bench = bench_folder();
    let homes = tempfile::Builder::new()
        .prefix("outrigger-bench-")
        .tempdir()
        .map_err(Failure::io("make a temporary folder"))?;
    leave_nothing_behind_when_interrupted(homes.path())?;
    let setting = Setting {
        outrigger: arguments
            .outrigger
            .clone()
            .unwrap_or_else(|| bench.join("../target/release/outrigger")),
        browser: servers::find_browser()?,
        deadline: Duration::from_secs(arguments.deadline),
        bench,
    };
    let folder = arguments.pages.clone().unwrap_or_else(|| pages::default_folder(&setting.bench));
    let pages = PageServer::start(&folder)?;
    let tokens = Tokens::new().ok_or_else(|| {
        Failure::io("load the tokenizer's vocabulary")(std::io::ErrorKind::InvalidData.into())
    })?;
    let measuring = Measuring {
        setting: &setting,
        pages: &pages,
        tokens: &tokens,
        homes: homes.path(),
        runs: usize::from(arguments.runs),
        began: Instant::now(),
    };
    eprintln!("[   0 s] {} pages, warming the browser", pages.names().len());
    let browser = servers::warm_browser(&setting, homes.path())?;
    processes::end_descendants();
    let mut outcomes = Server::ALL.map(|server| {
        let is_wanted = arguments.only.is_empty() || arguments.only.contains(&server);
        if !is_wanted || arguments.skip.contains(&server) {
            return Outcome::LeftOut;
        }
        measuring
            .measure_starts(server)
            .map_or_else(Outcome::Failed, |samples| Outcome::Measured(Box::new(samples)))
    });
    for round in 1..=measuring.rounds() {
        for (server, outcome) in Server::ALL.into_iter().zip(&mut outcomes) {
            let Outcome::Measured(samples) = outcome else { continue };
            measuring.measure_round(server, round, samples);
        }
    }

    let all = outcomes.each_ref().map(|outcome| match outcome {
        Outcome::Measured(samples) => Some(samples.as_ref()),
        Outcome::Failed(_) | Outcome::LeftOut => None,
    });
    let findings = completeness::compare(&all, pages.names());
    let following = following::measure(&setting.bench, &setting.outrigger);
    let mut rows = rows::rows(&all, &findings);
    rows.extend(following::rows(following.as_ref().ok()));
    let versions = outcomes.each_ref().map(Outcome::version);
    let mut notes =
        notes::of_run(&browser, measuring.runs, measuring.rounds(), pages.names().len());
    notes.extend(notes::of_servers(&outcomes));
    notes.extend(all[0].and_then(|samples| notes::of_growth(&samples.growth)));
    notes.extend(notes::of_findings(&findings));
    notes.extend(following::notes(&following));
    let drawn = table::draw(&rows, &versions, &notes);
    print!("{drawn}");
    if let Some(readme) = &arguments.readme {
        write_between_marks(readme, &drawn)?;
    }
    let took = measuring.began.elapsed();
    save(&setting.bench, &rows, &all, &notes, &findings, following.ok().as_ref(), took)?;
    Ok(if arguments.check { check(&rows) } else { ExitCode::SUCCESS })
}

/// `cargo run` says where this crate is; without it, the benchmark is started there or in the repository.
fn bench_folder() -> PathBuf {
    if let Some(folder) = std::env::var_os("CARGO_MANIFEST_DIR") {
        return PathBuf::from(folder);
    }
    let below = PathBuf::from("bench");
    let folder = if below.join("package.json").is_file() { below } else { PathBuf::from(".") };
    // The servers are started in folders of their own, where a relative path means something else.
    folder.canonicalize().unwrap_or(folder)
}

/// Puts the table where the document says it belongs.
fn write_between_marks(path: &Path, drawn: &str) -> Result<(), Failure> {
    const MARKS: (&str, &str) = ("<!-- bench:begin -->", "<!-- bench:end -->");
    let text = fs::read_to_string(path).map_err(Failure::io("read the document"))?;
    let (Some(begin), Some(end)) = (text.find(MARKS.0), text.find(MARKS.1)) else {
        return Err(Failure::io("find the marks in the document")(
            std::io::ErrorKind::NotFound.into(),
        ));
    };
    let before = &text[..begin + MARKS.0.len()];
    let text = format!("{before}\n```\n{}\n```\n{}", drawn.trim_end(), &text[end..]);
    fs::write(path, text).map_err(Failure::io("write the document"))
}

fn leave_nothing_behind_when_interrupted(homes: &Path) -> Result<(), Failure> {
    let refused = |what: &'static str| Failure::io(what)(std::io::ErrorKind::Unsupported.into());
    processes::adopt_orphans().map_err(|_| refused("become the parent of orphaned servers"))?;
    let homes = homes.to_owned();
    ctrlc::set_handler(move || {
        processes::end_descendants();
        let _ = fs::remove_dir_all(&homes);
        std::process::exit(130);
    })
    .map_err(|_| refused("listen for an interrupt"))
}

fn save(
    bench: &Path,
    rows: &[Row],
    all: &rows::All<'_>,
    notes: &[String],
    findings: &Findings,
    following: Option<&following::Following>,
    took: Duration,
) -> Result<(), Failure> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let samples: serde_json::Map<_, _> = Server::ALL
        .into_iter()
        .zip(all)
        .filter_map(|(server, samples)| Some((server.name().to_owned(), json!((*samples)?))))
        .collect();
    let result = json!({
        "unix_time": now.as_secs(),
        "took_seconds": took.as_secs(),
        "cores": std::thread::available_parallelism().map_or(0, std::num::NonZero::get),
        "servers": Server::ALL.map(Server::name),
        "rows": rows,
        "notes": notes,
        "findings": findings,
        "following": following,
        "samples": samples,
    });
    let folder = bench.join("results");
    fs::create_dir_all(&folder).map_err(Failure::io("make the folder for results"))?;
    fs::write(folder.join("latest.json"), format!("{result:#}\n"))
        .map_err(Failure::io("write the result"))
}

/// What isn't known to be kept isn't kept: a check that skips silently proves nothing.
fn check(rows: &[Row]) -> ExitCode {
    let broken: Vec<&Row> = rows
        .iter()
        .filter(|row| row.budget != Budget::None && row.verdict != Verdict::Ok)
        .collect();
    for row in &broken {
        let why = if row.verdict == Verdict::Over { "over its budget" } else { "not measured" };
        eprintln!("bench: {}: {why}", row.label.trim());
    }
    if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
