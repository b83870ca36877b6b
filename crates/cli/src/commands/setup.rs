//! `outrigger setup`: tells browsers of the host that links them, or registers the MCP
//! server with a client.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail};
use outrigger_hub::Settings;
use outrigger_hub::home::TokenKind;
use outrigger_hub::settings::DEFAULT_PORT;
use serde_json::{Map, Value, json};

use crate::arguments::{Client, Setup};
use crate::host_manifest::{Host, browsers, quoted};
use crate::output::Output;

pub(crate) fn run(settings: &Settings, setup: &Setup, output: Output) -> anyhow::Result<ExitCode> {
    let registration = Registration::new(settings, setup.launch);
    match setup.client {
        Some(Client::ClaudeCode) if !setup.print => claude_code(&registration, setup.undo, output),
        None if setup.launch && !setup.print => {
            bail!(
                "--launch is for a client: name one (`outrigger setup claude-code`), or use --print"
            )
        }
        None if !setup.print => own_browsers(settings, setup.undo, output),
        _ => print(settings, &registration, output),
    }
}

/// What a client has to run to reach this very hub.
pub(crate) struct Registration {
    program: PathBuf,
    arguments: Vec<String>,
    /// `OUTRIGGER_HOME`, where it isn't the usual one.
    home: Option<String>,
}

impl Registration {
    pub(crate) fn new(settings: &Settings, launch: bool) -> Self {
        let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("outrigger"));
        let mut arguments = vec!["mcp".to_owned()];
        if launch {
            arguments.push("--launch".to_owned());
        }
        if settings.port != DEFAULT_PORT {
            arguments.extend(["--port".to_owned(), settings.port.to_string()]);
        }
        let home = std::env::var_os("OUTRIGGER_HOME").filter(|home| !home.is_empty());
        let home = home.map(|_| settings.home.path().display().to_string());
        Registration { program, arguments, home }
    }

    /// What follows `claude mcp add`.
    fn claude_arguments(&self) -> Vec<String> {
        let mut words = vec!["outrigger".to_owned()];
        if let Some(home) = &self.home {
            words.extend(["--env".to_owned(), format!("OUTRIGGER_HOME={home}")]);
        }
        words.extend(["--".to_owned(), self.program.display().to_string()]);
        words.extend(self.arguments.iter().cloned());
        words
    }

    /// The registration as one line for a shell.
    pub(crate) fn one_line(&self) -> String {
        let words: Vec<String> = self.claude_arguments().iter().map(|word| quoted(word)).collect();
        format!("claude mcp add {}", words.join(" "))
    }

    fn to_json(&self) -> Value {
        let mut entry = Map::new();
        entry.insert("command".to_owned(), json!(self.program));
        entry.insert("args".to_owned(), json!(self.arguments));
        if let Some(home) = &self.home {
            entry.insert("env".to_owned(), json!({"OUTRIGGER_HOME": home}));
        }
        json!({"mcpServers": {"outrigger": entry}})
    }
}

fn own_browsers(settings: &Settings, undo: bool, output: Output) -> anyhow::Result<ExitCode> {
    let (host, browsers) = (Host::new(settings)?, browsers()?);
    settings.home.prepare()?;
    let mut names = Vec::new();
    for browser in &browsers {
        let is_meant = if undo {
            host.unregister(browser)?
        } else {
            host.register(browser)?;
            true
        };
        names.extend(is_meant.then_some(browser.name));
    }
    if undo {
        host.forget();
    } else if names.is_empty() {
        bail!(
            "no browser of yours was found that Outrigger knows; start it once, and try again. For \
             a client, name it (`outrigger setup claude-code`), or use --print for any other"
        );
    }
    output.result(&json!({"browsers": names, "registered": !undo}), || {
        let named = if names.is_empty() { "any browser".to_owned() } else { names.join(", ") };
        if undo {
            return vec![format!("Outrigger is no longer registered with {named}.")];
        }
        vec![
            format!("Outrigger is registered with {named}."),
            "The extension links by itself now, within half a minute, and needs no token."
                .to_owned(),
        ]
    });
    Ok(ExitCode::SUCCESS)
}

fn claude_code(
    registration: &Registration,
    undo: bool,
    output: Output,
) -> anyhow::Result<ExitCode> {
    if which::which("claude").is_err() {
        let line = registration.one_line();
        bail!("Claude Code's command `claude` is not on the PATH. Where it is, run: {line}");
    }
    let mut command = Command::new("claude");
    if undo {
        command.args(["mcp", "remove", "--scope", "user", "outrigger"]);
    } else {
        command.args(["mcp", "add", "--scope", "user"]).args(registration.claude_arguments());
    }
    let status = command.status().context("`claude` could not be run")?;
    if !status.success() {
        bail!("`claude mcp` did not accept it; its own words are above");
    }
    let done = if undo { "no longer registered" } else { "registered" };
    output.say(&format!("Outrigger is {done} with Claude Code."));
    Ok(ExitCode::SUCCESS)
}

fn print(
    settings: &Settings,
    registration: &Registration,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let (token, _) = settings.home.token(TokenKind::Agent)?;
    let stdio = registration.to_json();
    let http = json!({"mcpServers": {"outrigger": {
        "type": "http",
        "url": format!("http://127.0.0.1:{}/mcp", settings.port),
        "headers": {"Authorization": format!("Bearer {}", token.reveal())},
    }}});
    output.result(&json!({"stdio": stdio, "http": http}), || {
        vec![
            "For most MCP clients (it starts the hub by itself):".to_owned(),
            format!("{stdio:#}"),
            String::new(),
            "Or over HTTP, while `outrigger up` runs. The token is a secret of yours:".to_owned(),
            format!("{http:#}"),
        ]
    });
    Ok(ExitCode::SUCCESS)
}
