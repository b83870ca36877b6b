//! One file a command.

mod call;
mod config;
mod extension;
mod hub_api;
mod log;
mod mcp;
mod native_host;
mod pair;
mod policy;
mod record;
mod sessions;
mod setup;
mod token;
mod tool;
mod tour;
mod trust;
mod up;
mod workflow;

use std::process::ExitCode;

use outrigger_hub::Settings;

pub(crate) use sessions::status;

use crate::arguments::{Arguments, Command};
use crate::doctor;
use crate::output::Output;

/// Runs the command that was typed.
pub(crate) async fn run(arguments: Arguments, output: Output) -> anyhow::Result<ExitCode> {
    let settings = Settings::load(arguments.flags());
    if let (Err(error), Command::NativeHost(_)) = (&settings, &arguments.command) {
        native_host::refuse(error).await;
    }
    let settings = settings?;
    match arguments.command {
        Command::Up(up) => up::run(&settings, &up, output).await,
        Command::Mcp(mcp) => mcp::run(&settings, &mcp).await,
        Command::NativeHost(host) => native_host::run(&settings, &host).await,
        Command::Tour(tour) => tour::run(&settings, &tour, output).await,
        Command::Call(call) => call::run(&settings, &call, output).await,
        Command::Extension(extension) => extension::run(&extension, output),
        Command::Pair(pair) => pair::run(&settings, &pair, output),
        Command::Sessions(sessions) => sessions::run(&settings, sessions, output).await,
        Command::Token(token) => token::run(&settings, token, output).await,
        Command::Policy(policy) => policy::run(&settings, policy, output).await,
        Command::Trust(trust) => trust::run(&settings, trust, output).await,
        Command::Record(record) => record::run(&settings, record, output).await,
        Command::Workflow(workflow) => workflow::run(&settings, workflow, output).await,
        Command::Log(log) => log::run(&settings, &log, output).await,
        Command::Config => config::run(&settings, output),
        Command::Setup(setup) => setup::run(&settings, &setup, output),
        Command::Doctor => doctor::run(&settings, output).await,
        Command::Tool(words) => tool::run(&settings, &words, output).await,
    }
}
