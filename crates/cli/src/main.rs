//! The `outrigger` command: thin. What it does lives in the hub; here are the
//! words people type and the sentences they read.

mod arguments;
mod commands;
mod doctor;
mod output;
mod page_words;

use std::process::ExitCode;

use arguments::{Arguments, Command};
use output::Output;

fn main() -> ExitCode {
    let arguments = Arguments::read();
    let output = Output { json: arguments.json };
    init_log(&arguments.command);
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

/// Logs go to standard error; standard output belongs to results and to MCP.
fn init_log(command: &Command) {
    let default = match command {
        // The tour tells its own story.
        Command::Up(up) if up.tour => "error",
        Command::Up(_) => "warn,outrigger=info,outrigger_hub=info",
        _ => "error",
    };
    let filter = std::env::var("OUTRIGGER_LOG").unwrap_or_else(|_| default.to_owned());
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::new(filter))
        .with_writer(std::io::stderr)
        .with_target(false)
        .with_ansi(false)
        .init();
}
