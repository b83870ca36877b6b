//! The words of the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use outrigger_dispatch::{Family, ToolProfile};
use outrigger_hub::native_host::is_extension;
use outrigger_hub::settings::{Flags, Window};

/// Eyes and hands for AI agents in the browser you already have open.
#[derive(Parser)]
#[command(name = "outrigger", version, after_help = AFTER)]
pub(crate) struct Arguments {
    /// Print results as JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Port of the hub (default 9009)
    #[arg(long, global = true, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) port: Option<u16>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER: &str = "\
Any tool is also a command: `outrigger snapshot`, `outrigger click e3`, `outrigger type e7 \"hello\" --submit`.
Environment: OUTRIGGER_HOME, OUTRIGGER_PORT, OUTRIGGER_BROWSER, OUTRIGGER_BROWSER_ARGS, OUTRIGGER_TOOLS, OUTRIGGER_WINDOW, OUTRIGGER_TABS_AT_END, OUTRIGGER_LOG.";

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run the hub, and with --launch a throw-away browser
    Up(Up),
    /// Serve one MCP client over standard input and output
    Mcp(Mcp),
    /// Link a browser that starts this by itself for its extension
    NativeHost(NativeHost),
    /// A guided run on a bundled page that checks itself
    Tour(Tour),
    /// Call a tool: outrigger call browser_navigate '{"url":"https://example.com"}'
    Call(Call),
    /// Write the unpacked extension into a folder
    Extension(Extension),
    /// Show the pairing token for the extension's options page
    Pair(Pair),
    /// Show linked browsers and agent sessions; pause, resume or stop a session
    #[command(visible_alias = "status")]
    Sessions(Sessions),
    /// Make, list and revoke tokens for programs that talk to the hub
    Token(Token),
    /// Show and change what agents may do in your browser
    Policy(Policy),
    /// Show and change which sites you trust, and which no agent goes to
    Trust(Trust),
    /// Read, write and watch living records
    Record(Record),
    /// Record what is done in the browser, and run it again
    Workflow(Workflow),
    /// Show what agents did, or check that the log of it is whole
    Log(Log),
    /// Show every setting, its value and where that comes from
    Config,
    /// Register Outrigger with your browsers, or with an MCP client
    Setup(Setup),
    /// Check this machine, and say what to mend
    Doctor,
    /// Any tool by its short name
    #[command(external_subcommand)]
    Tool(Vec<String>),
}

#[derive(Args)]
pub(crate) struct Launching {
    /// Launch a throw-away browser with the extension in it
    #[arg(long)]
    pub(crate) launch: bool,

    /// Launch it without a window
    #[arg(long)]
    pub(crate) headless: bool,
}

impl Launching {
    /// How to launch, if at all. Without a display it goes headless by itself.
    pub(crate) fn launch(&self) -> Option<outrigger_protocol::agent::Launch> {
        let headless = self.headless || !outrigger_hub::launch::has_display();
        (self.launch || self.headless).then_some(outrigger_protocol::agent::Launch { headless })
    }
}

#[derive(Args)]
pub(crate) struct Up {
    #[command(flatten)]
    pub(crate) launching: Launching,

    /// Take the tour once everything is up; at a terminal, stay up after it
    #[arg(long)]
    pub(crate) tour: bool,

    /// Where the tour writes its transcript and picture
    #[arg(long, value_name = "DIR", default_value = "outrigger-tour")]
    pub(crate) out: PathBuf,

    /// End when the last agent has gone
    #[arg(long, hide = true)]
    pub(crate) until_idle: bool,
}

#[derive(Args)]
pub(crate) struct Mcp {
    #[command(flatten)]
    pub(crate) launching: Launching,

    #[arg(long, value_name = "SETS", help = tools_help())]
    pub(crate) tools: Option<ToolProfile>,

    /// Where its tabs go: shared (a tab group in your window) or own
    #[arg(long, value_name = "WHERE")]
    pub(crate) window: Option<Window>,
}

#[derive(Args)]
pub(crate) struct NativeHost {
    /// The extension's origin, as the browser says it
    pub(crate) extension: String,
}

#[derive(Args)]
pub(crate) struct Tour {
    /// Show no window
    #[arg(long)]
    pub(crate) headless: bool,

    /// Where transcript and picture go
    #[arg(long, value_name = "DIR", default_value = "outrigger-tour")]
    pub(crate) out: PathBuf,
}

#[derive(Args)]
pub(crate) struct Call {
    /// The tool's name
    pub(crate) tool: String,

    /// Its arguments as a JSON object
    #[arg(default_value = "{}")]
    pub(crate) arguments: String,
}

#[derive(Args)]
pub(crate) struct Extension {
    /// The folder; made if it isn't there
    pub(crate) folder: PathBuf,

    /// The build that only reads the tab you click on
    #[arg(long)]
    pub(crate) lite: bool,
}

#[derive(Args)]
pub(crate) struct Pair {
    /// Make a new token; the old one is worth nothing from then on
    #[arg(long)]
    pub(crate) rotate: bool,

    /// Let another extension pair: chrome-extension://<id>
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) origin: Option<String>,
}

#[derive(Args)]
pub(crate) struct Sessions {
    #[command(subcommand)]
    pub(crate) order: Option<SessionOrder>,
}

#[derive(Subcommand)]
pub(crate) enum SessionOrder {
    /// Let it finish what it does and begin nothing new
    Pause(OneSession),
    /// Let it go on; what was paused or stopped in the browser is let go there
    Resume(OneSession),
    /// End what it does at once, and refuse what it calls
    Stop(OneSession),
}

#[derive(Args)]
pub(crate) struct OneSession {
    /// Its name or its client's, as `outrigger sessions` shows them
    pub(crate) session: String,
}

#[derive(Args)]
pub(crate) struct Token {
    #[command(subcommand)]
    pub(crate) order: TokenOrder,
}

#[derive(Subcommand)]
pub(crate) enum TokenOrder {
    /// Make one; more than reading is confirmed in Outrigger's panel
    New(NewToken),
    /// Show all of them, without the words themselves
    List,
    /// Take one back; what it has open is closed at once
    Revoke {
        /// Its number, as `outrigger token list` shows it
        id: i64,
    },
}

#[derive(Args)]
pub(crate) struct NewToken {
    /// What it is good for
    #[arg(long, value_enum, default_value_t = TokenScope::Read)]
    pub(crate) scope: TokenScope,

    /// What you call it
    #[arg(long, default_value = "")]
    pub(crate) name: String,

    /// How long it is good: 30d, 12h; until it is revoked if not given
    #[arg(long, value_name = "TIME")]
    pub(crate) expires: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum TokenScope {
    /// Tools that only read
    Read,
    /// Every tool
    Act,
    /// Every tool, and changing tokens and policies
    Admin,
}

impl TokenScope {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            TokenScope::Read => "read",
            TokenScope::Act => "act",
            TokenScope::Admin => "admin",
        }
    }
}

#[derive(Args)]
pub(crate) struct Policy {
    #[command(subcommand)]
    pub(crate) order: Option<PolicyOrder>,
}

#[derive(Subcommand)]
pub(crate) enum PolicyOrder {
    /// Show what you decided for good
    List,
    /// Always allow it, without asking; you confirm this in the browser
    Allow(About),
    /// Never allow it
    Deny(About),
    /// Take back what you decided, so that you are asked again
    Remove(About),
}

#[derive(Args)]
pub(crate) struct About {
    /// What: *, a family such as tab_read:*, or one act such as tab_action:click
    pub(crate) tool_pattern: String,

    /// Where: *, https://*, *.example.com, https://*.example.com or https://example.com
    pub(crate) origin_pattern: String,
}

#[derive(Args)]
pub(crate) struct Record {
    #[command(subcommand)]
    pub(crate) order: RecordOrder,
}

#[derive(Subcommand)]
pub(crate) enum RecordOrder {
    /// Show records, those that changed last first
    List(Which),
    /// Show one as a model would see it
    Get {
        /// Its id
        id: String,
        /// All of it, as it is kept
        #[arg(long)]
        full: bool,
    },
    /// Tell of every change as it happens
    Watch(Which),
    /// Make a record, or change one: outrigger record put --schema note.v1 '{"text":"tea"}'
    Put(PutRecord),
    /// Remove one
    Rm {
        /// Its id
        id: String,
    },
}

#[derive(Args)]
pub(crate) struct Workflow {
    #[command(subcommand)]
    pub(crate) order: WorkflowOrder,
}

#[derive(Subcommand)]
pub(crate) enum WorkflowOrder {
    /// Show all, with their steps and parameters; those in brackets have a default
    List,
    /// Run one: outrigger workflow run find-train to=Bern
    Run {
        /// Its name
        name: String,
        /// Its parameters, each as NAME=VALUE
        #[arg(value_name = "NAME=VALUE")]
        params: Vec<String>,
        /// How long all of it may take, in milliseconds [default: 30000 a step]
        #[arg(long, value_name = "MS")]
        timeout_ms: Option<u64>,
    },
    /// Record what this shell has done with Outrigger's tools
    #[command(subcommand)]
    Record(RecordWorkflow),
    /// Show one as JSON, as it is kept
    Show {
        /// Its name
        name: String,
    },
    /// Remove one
    Rm {
        /// Its name
        name: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum RecordWorkflow {
    /// Begin: what is done from now on with `outrigger click` and its like
    Start {
        /// What the workflow is to be called
        name: String,
        /// What it does
        #[arg(long)]
        description: Option<String>,
        /// Record what you do yourself in the shell's tab; you are asked in the browser
        #[arg(long)]
        user: bool,
    },
    /// End, and write it down
    Stop,
    /// End, and forget it
    Cancel,
}

#[derive(Args)]
pub(crate) struct Which {
    /// Of this schema, such as browser.page.context.v1
    #[arg(long)]
    pub(crate) schema: Option<String>,

    /// With this tag; several must all be there
    #[arg(long)]
    pub(crate) tag: Vec<String>,
}

#[derive(Args)]
pub(crate) struct PutRecord {
    /// The context as JSON, or - to read it from standard input
    pub(crate) context: String,

    /// Its schema, for a new record
    #[arg(long, conflicts_with = "id")]
    pub(crate) schema: Option<String>,

    /// The record to change; what the context doesn't name stays as it is
    #[arg(long)]
    pub(crate) id: Option<String>,

    /// Change it only if it still has this version [default: whatever it has now]
    #[arg(long, requires = "id")]
    pub(crate) version: Option<u64>,

    /// A title for people
    #[arg(long)]
    pub(crate) title: Option<String>,

    /// A tag to find it by; several are fine
    #[arg(long)]
    pub(crate) tag: Vec<String>,
}

#[derive(Args)]
pub(crate) struct Trust {
    #[command(subcommand)]
    pub(crate) order: Option<TrustOrder>,
}

#[derive(Subcommand)]
pub(crate) enum TrustOrder {
    /// Show the sites you trust, and those that you blocked
    List,
    /// Trust a site and all below it; you confirm this in the browser
    Add(Site),
    /// Let no agent go there, in any browser
    Block(Site),
    /// Take it off its list; you confirm this in the browser
    Remove(Site),
}

#[derive(Args)]
pub(crate) struct Site {
    /// Its name, such as example.com
    pub(crate) domain: String,
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Log {
    #[command(subcommand)]
    pub(crate) check: Option<LogCheck>,

    /// How many entries, counted from the newest
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) last: u32,

    /// Go on with what is done from now on
    #[arg(long, short)]
    pub(crate) follow: bool,

    /// Only those of one session or client
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
}

#[derive(Subcommand)]
pub(crate) enum LogCheck {
    /// Check that no entry was changed, added or removed by hand
    Verify,
}

#[derive(Args)]
pub(crate) struct Setup {
    /// The client to register with; without one, the browsers of this machine, so that the
    /// extension links without a token
    pub(crate) client: Option<Client>,

    /// Only show what to put into a client's configuration
    #[arg(long)]
    pub(crate) print: bool,

    /// Have it launch a throw-away browser of its own
    #[arg(long)]
    pub(crate) launch: bool,

    /// Take the registration back
    #[arg(long)]
    pub(crate) undo: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Client {
    /// Claude Code, through its own command
    ClaudeCode,
}

impl Arguments {
    /// Reads the command line. A tool's words are its own to read, but the
    /// flags that every command takes count behind them as well.
    pub(crate) fn read() -> Self {
        let mut words: Vec<_> = std::env::args_os().collect();
        // A browser says whose host it wants, and nothing of commands.
        if words.get(1).and_then(|word| word.to_str()).is_some_and(is_extension) {
            words.insert(1, "native-host".into());
            // Some add which window it is for.
            words.truncate(3);
        }
        // The parser knows nothing of tools; each command tells of itself.
        if words.len() > 2 && words[1] == "help" {
            words.remove(1);
            words.push("--help".into());
        }
        let mut arguments = Self::parse_from(words);
        // Nothing but messages goes to a browser.
        arguments.json &= !matches!(arguments.command, Command::NativeHost(_));
        if let Command::Tool(words) = &mut arguments.command {
            if let Some(at) = words.iter().position(|word| word == "--json") {
                words.remove(at);
                arguments.json = true;
            }
            let port = words.iter().position(|word| word == "--port");
            if let Some(at) = port.filter(|at| at + 1 < words.len()) {
                arguments.port = words[at + 1].parse().ok().filter(|port| *port != 0);
                if arguments.port.is_some() {
                    words.drain(at..at + 2);
                }
            }
        }
        arguments
    }

    /// What the command line says about settings.
    pub(crate) fn flags(&self) -> Flags {
        let (tools, window) = match &self.command {
            Command::Mcp(mcp) => (mcp.tools.clone(), mcp.window),
            _ => (None, None),
        };
        Flags { port: self.port, tools, window }
    }
}

fn tools_help() -> String {
    let families: Vec<&str> = Family::names().collect();
    format!(
        "Which tools to show: core, full, compat, or families, several with a comma between: {}",
        families.join(", ")
    )
}
