//! The `outrigger` command: thin. What it does lives in the hub; here are the
//! words people type and the sentences they read.

mod arguments;
mod commands;
mod crash;
mod doctor;
mod host_manifest;
mod one_heap;
mod output;
mod page_words;

use std::process::ExitCode;

use arguments::{Arguments, Command};
use output::Output;
use tracing_subscriber::filter::{EnvFilter, filter_fn};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

fn main() -> ExitCode {
    crash::leave_nothing();
    let arguments = Arguments::read();
    let output = Output { json: arguments.json };
    init_log(&arguments.command);
    if matches!(arguments.command, Command::Up(_)) {
        one_heap::ensure();
    }
    let runtime = match runtime(&arguments.command) {
        Ok(runtime) => runtime,
        Err(error) => return output.fail(&error.into()),
    };
    let outcome = runtime.block_on(commands::run(arguments, output));
    // Standard input is read on a thread that only its next line would end.
    runtime.shutdown_background();
    match outcome {
        Ok(code) => code,
        Err(error) => output.fail(&error),
    }
}

/// The hub gets workers of its own; everything else is quicker to start, and
/// smaller, without.
fn runtime(command: &Command) -> std::io::Result<tokio::runtime::Runtime> {
    match command {
        Command::Up(_) => {
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()
        }
        _ => tokio::runtime::Builder::new_current_thread().enable_all().build(),
    }
}

/// Logs go to standard error; standard output belongs to results, to MCP and to browsers.
fn init_log(command: &Command) {
    let default = match command {
        // The tour tells its own story.
        Command::Up(up) if up.tour => "error",
        Command::Up(_) => "outrigger=info",
        _ => "error",
    };
    let filter = std::env::var("OUTRIGGER_LOG").unwrap_or_else(|_| default.to_owned());
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_target(false)
        .with_ansi(false);
    // The libraries below write down whole frames and requests, with tokens and pages
    // in them: of those nothing is written, whatever is asked for.
    let ours = filter_fn(|metadata| metadata.target().starts_with("outrigger"));
    tracing_subscriber::registry()
        .with(EnvFilter::new(filter))
        .with(lines.with_filter(ours))
        .init();
}
