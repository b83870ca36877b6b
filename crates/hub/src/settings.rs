//! Settings: flags, then environment, then `config.toml`, then the default.
//! Every key is in [`KEYS`] and nowhere else.

use std::path::{Path, PathBuf};
use std::time::Duration;

use outrigger_dispatch::{ToolProfile, UnknownTools};
use outrigger_guard::trust::listed_domain;
use serde::Deserialize;

use crate::home::{Home, HomeError};
use crate::server_address::{NoAddress, ServerAddress};

/// The port of everything HTTP.
pub const DEFAULT_PORT: u16 = 9009;

/// How long a question waits for its answer, if nobody says otherwise.
pub const DEFAULT_ASK_SECONDS: u64 = 60;

/// How many days the activity log goes back, if nobody says otherwise.
pub const DEFAULT_LOG_DAYS: u64 = 90;

/// After how many minutes an idle session ends, if nobody says otherwise.
pub const DEFAULT_SESSION_IDLE_MINUTES: u64 = 30;

/// A key of `config.toml`, with the variable that overrides it.
pub struct Key {
    /// In `config.toml`.
    pub name: &'static str,
    /// In the environment.
    pub variable: &'static str,
    /// What it is for.
    pub about: &'static str,
}

/// Every key there is.
pub const KEYS: [Key; 15] = [
    Key { name: "port", variable: "OUTRIGGER_PORT", about: "port of the hub on 127.0.0.1" },
    Key {
        name: "browser",
        variable: "OUTRIGGER_BROWSER",
        about: "program that --launch starts; without it, a Chromium on the PATH",
    },
    Key {
        name: "browser_args",
        variable: "OUTRIGGER_BROWSER_ARGS",
        about: "more flags for a launched browser: a list; one a line in the environment",
    },
    Key {
        name: "tools",
        variable: "OUTRIGGER_TOOLS",
        about: "which tools MCP clients are shown: core, full, compat, or families of them, such as core,network",
    },
    Key {
        name: "window",
        variable: "OUTRIGGER_WINDOW",
        about: "where a session's tabs go: shared (a tab group in your window) or own",
    },
    Key {
        name: "tabs_at_end",
        variable: "OUTRIGGER_TABS_AT_END",
        about: "what becomes of the tabs that a session opened when it ends: keep or close",
    },
    Key {
        name: "upload_roots",
        variable: "OUTRIGGER_UPLOAD_ROOTS",
        about: "folders whose files agents may upload: a list; one a line in the environment",
    },
    Key {
        name: "ask_seconds",
        variable: "OUTRIGGER_ASK_SECONDS",
        about: "how long a question to the user waits for its answer, which then is no: 5 to 600",
    },
    Key {
        name: "log_days",
        variable: "OUTRIGGER_LOG_DAYS",
        about: "how many days the activity log goes back: 1 to 3650",
    },
    Key {
        name: "trusted_domains",
        variable: "OUTRIGGER_TRUSTED_DOMAINS",
        about: "sites that you trust, to be warned of look-alikes: a list; one a line in the environment",
    },
    Key {
        name: "blocked_domains",
        variable: "OUTRIGGER_BLOCKED_DOMAINS",
        about: "sites that no agent goes to, in any browser: a list; one a line in the environment",
    },
    Key {
        name: "session_idle_minutes",
        variable: "OUTRIGGER_SESSION_IDLE_MINUTES",
        about: "after how long without a call a session ends whose client doesn't say so: 1 to 1440",
    },
    Key {
        name: "database_url",
        variable: "DATABASE_URL",
        about: "PostgreSQL that records are kept in, for hubs that share them; without it, in the hub's own file",
    },
    Key {
        name: "nats_url",
        variable: "NATS_URL",
        about: "NATS that hubs tell each other of changed records over; without it, nobody else is told",
    },
    Key {
        name: "page_hints",
        variable: "OUTRIGGER_PAGE_HINTS",
        about: "whether hints about the page that you look at are kept as records: true or false",
    },
];

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The command line.
    Flag,
    /// The environment.
    Environment,
    /// `config.toml`.
    File,
    /// Nobody said otherwise.
    Default,
}

/// Where a session's tabs go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Window {
    /// Into a tab group beside the user's tabs.
    #[default]
    Shared,
    /// Into a window of the session's own.
    Own,
}

impl Window {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Window::Shared => "shared",
            Window::Own => "own",
        }
    }
}

impl std::str::FromStr for Window {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        match text {
            "shared" => Ok(Window::Shared),
            "own" => Ok(Window::Own),
            _ => Err(SettingsError::Value {
                name: "window".into(),
                value: text.into(),
                expected: "shared or own",
            }),
        }
    }
}

/// What becomes of the tabs that a session opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TabsAtEnd {
    /// They stay, as the user's.
    #[default]
    Keep,
    /// They are closed.
    Close,
}

impl TabsAtEnd {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            TabsAtEnd::Keep => "keep",
            TabsAtEnd::Close => "close",
        }
    }
}

impl std::str::FromStr for TabsAtEnd {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        match text {
            "keep" => Ok(TabsAtEnd::Keep),
            "close" => Ok(TabsAtEnd::Close),
            _ => Err(SettingsError::Value {
                name: "tabs_at_end".into(),
                value: text.into(),
                expected: "keep or close",
            }),
        }
    }
}

/// What the hub and the commands go by.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The folder.
    pub home: Home,
    /// The port.
    pub port: u16,
    /// The browser to launch.
    pub browser: Option<PathBuf>,
    /// More flags for it.
    pub browser_args: Vec<String>,
    /// Which tools MCP clients are shown.
    pub tools: ToolProfile,
    /// Where a session's tabs go.
    pub window: Window,
    /// What becomes of them when it ends.
    pub tabs_at_end: TabsAtEnd,
    /// Folders whose files agents may upload.
    pub upload_roots: Vec<PathBuf>,
    /// How long a question to the user waits for its answer.
    pub ask_seconds: u64,
    /// How many days the activity log goes back.
    pub log_days: u64,
    /// Sites that the user trusts, beside those that the store lists.
    pub trusted_domains: Vec<String>,
    /// Sites that no agent goes to, beside those that the store lists.
    pub blocked_domains: Vec<String>,
    /// After how long without a call a session ends whose client doesn't say so.
    pub session_idle: Duration,
    /// The PostgreSQL that records are kept in, in place of the store.
    pub database_url: Option<ServerAddress>,
    /// The NATS that other hubs are told over.
    pub nats_url: Option<ServerAddress>,
    /// Whether hints about the page that the user looks at are kept.
    pub page_hints: bool,
    sources: [Source; KEYS.len()],
}

/// What the command line says.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// `--port`.
    pub port: Option<u16>,
    /// `--tools`.
    pub tools: Option<ToolProfile>,
    /// `--window`.
    pub window: Option<Window>,
}

/// Settings that make no sense.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The folder.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The file.
    #[error("{path} is not understood: {problem}")]
    File {
        /// Which.
        path: PathBuf,
        /// What is wrong with it, and where.
        problem: String,
    },
    /// The address of a server.
    #[error("{name}: {problem}")]
    Address {
        /// Key or variable.
        name: &'static str,
        /// What is wrong with it.
        problem: NoAddress,
    },
    /// Which tools are shown.
    #[error("tools: {0}")]
    Tools(#[from] UnknownTools),
    /// A value.
    #[error("{name} is {value:?}, but must be {expected}")]
    Value {
        /// Key or variable.
        name: String,
        /// What it says.
        value: String,
        /// What it may say.
        expected: &'static str,
    },
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    port: Option<u16>,
    browser: Option<PathBuf>,
    browser_args: Option<Vec<String>>,
    tools: Option<ToolProfile>,
    window: Option<Window>,
    tabs_at_end: Option<TabsAtEnd>,
    upload_roots: Option<Vec<PathBuf>>,
    ask_seconds: Option<u64>,
    log_days: Option<u64>,
    trusted_domains: Option<Vec<String>>,
    blocked_domains: Option<Vec<String>>,
    session_idle_minutes: Option<u64>,
    database_url: Option<ServerAddress>,
    nats_url: Option<ServerAddress>,
    page_hints: Option<bool>,
}

impl Settings {
    /// Reads environment and file under the flags.
    pub fn load(flags: Flags) -> Result<Self, SettingsError> {
        let home = Home::locate()?;
        let path = home.path().join("config.toml");
        let file: File = match std::fs::read_to_string(&path) {
            Ok(text) => {
                toml::from_str(&text).map_err(|error| not_understood(&path, &text, &error))?
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => File::default(),
            Err(source) => return Err(HomeError::Unreadable { path, source }.into()),
        };
        let variable =
            |index: usize| std::env::var(KEYS[index].variable).ok().filter(|v| !v.is_empty());
        let port = variable(0).map(|text| parse_port(&text)).transpose()?;
        let tools = variable(3).map(|text| text.parse::<ToolProfile>()).transpose()?;
        let args = variable(2).map(|text| text.lines().map(str::to_owned).collect());
        let (port, port_from) = layer(flags.port, port, file.port, DEFAULT_PORT);
        let (browser, browser_from) =
            layer(None, variable(1).map(|text| Some(text.into())), file.browser.map(Some), None);
        let (browser_args, args_from) = layer(None, args, file.browser_args, Vec::new());
        let (tools, tools_from) = layer(flags.tools, tools, file.tools, ToolProfile::default());
        let window = variable(4).map(|text| text.parse()).transpose()?;
        let (window, window_from) = layer(flags.window, window, file.window, Window::Shared);
        let tabs_at_end = variable(5).map(|text| text.parse()).transpose()?;
        let (tabs_at_end, end_from) = layer(None, tabs_at_end, file.tabs_at_end, TabsAtEnd::Keep);
        let roots = variable(6).map(|text| text.lines().map(PathBuf::from).collect());
        let (upload_roots, roots_from) = layer(None, roots, file.upload_roots, Vec::new());
        let ask = variable(7).map(|text| parse_number("ask_seconds", &text)).transpose()?;
        let (ask_seconds, ask_from) = layer(None, ask, file.ask_seconds, DEFAULT_ASK_SECONDS);
        within("ask_seconds", ask_seconds, 5..=600, "from 5 to 600")?;
        let days = variable(8).map(|text| parse_number("log_days", &text)).transpose()?;
        let (log_days, days_from) = layer(None, days, file.log_days, DEFAULT_LOG_DAYS);
        within("log_days", log_days, 1..=3650, "from 1 to 3650")?;
        let lines = |text: String| text.lines().map(str::to_owned).collect();
        let (trusted, trusted_from) =
            layer(None, variable(9).map(lines), file.trusted_domains, Vec::new());
        let (blocked, blocked_from) =
            layer(None, variable(10).map(lines), file.blocked_domains, Vec::new());
        let trusted_domains = domains("trusted_domains", trusted)?;
        let blocked_domains = domains("blocked_domains", blocked)?;
        let idle =
            variable(11).map(|text| parse_number("session_idle_minutes", &text)).transpose()?;
        let default = DEFAULT_SESSION_IDLE_MINUTES;
        let (idle, idle_from) = layer(None, idle, file.session_idle_minutes, default);
        within("session_idle_minutes", idle, 1..=1440, "from 1 to 1440")?;
        let address = |index: usize| {
            let parsed = variable(index).map(|text| text.parse::<ServerAddress>()).transpose();
            let name = KEYS[index].variable;
            parsed.map_err(|problem| SettingsError::Address { name, problem })
        };
        let (database_url, database_from) =
            layer(None, address(12)?.map(Some), file.database_url.map(Some), None);
        let (nats_url, nats_from) =
            layer(None, address(13)?.map(Some), file.nats_url.map(Some), None);
        let hints = variable(14).map(|text| parse_switch("page_hints", &text)).transpose()?;
        let (page_hints, hints_from) = layer(None, hints, file.page_hints, false);
        let sources = [
            port_from,
            browser_from,
            args_from,
            tools_from,
            window_from,
            end_from,
            roots_from,
            ask_from,
            days_from,
            trusted_from,
            blocked_from,
            idle_from,
            database_from,
            nats_from,
            hints_from,
        ];
        Ok(Settings {
            home,
            port,
            browser,
            browser_args,
            tools,
            window,
            tabs_at_end,
            upload_roots,
            ask_seconds,
            log_days,
            trusted_domains,
            blocked_domains,
            session_idle: Duration::from_secs(idle * 60),
            database_url,
            nats_url,
            page_hints,
            sources,
        })
    }

    /// Settings for a hub of one's own: a home, a port (0 for a free one).
    pub fn at(home: Home, port: u16) -> Self {
        Settings {
            home,
            port,
            browser: None,
            browser_args: Vec::new(),
            tools: ToolProfile::default(),
            window: Window::Shared,
            tabs_at_end: TabsAtEnd::Keep,
            upload_roots: Vec::new(),
            ask_seconds: DEFAULT_ASK_SECONDS,
            log_days: DEFAULT_LOG_DAYS,
            trusted_domains: Vec::new(),
            blocked_domains: Vec::new(),
            session_idle: Duration::from_secs(DEFAULT_SESSION_IDLE_MINUTES * 60),
            database_url: None,
            nats_url: None,
            page_hints: false,
            sources: [Source::Default; KEYS.len()],
        }
    }

    /// Each key with its value and where that comes from.
    pub fn show(&self) -> Vec<(&'static Key, String, Source)> {
        let browser = self.browser.as_ref().map(|path| path.display().to_string());
        let values = [
            self.port.to_string(),
            browser.unwrap_or_default(),
            self.browser_args.join(" "),
            self.tools.to_string(),
            self.window.as_str().to_owned(),
            self.tabs_at_end.as_str().to_owned(),
            self.upload_roots
                .iter()
                .map(|root| root.display().to_string())
                .collect::<Vec<_>>()
                .join(" "),
            self.ask_seconds.to_string(),
            self.log_days.to_string(),
            self.trusted_domains.join(" "),
            self.blocked_domains.join(" "),
            (self.session_idle.as_secs() / 60).to_string(),
            self.database_url.as_ref().map(ToString::to_string).unwrap_or_default(),
            self.nats_url.as_ref().map(ToString::to_string).unwrap_or_default(),
            self.page_hints.to_string(),
        ];
        KEYS.iter()
            .zip(values)
            .zip(self.sources)
            .map(|((key, value), from)| (key, value, from))
            .collect()
    }
}

fn layer<T>(flag: Option<T>, variable: Option<T>, file: Option<T>, default: T) -> (T, Source) {
    match (flag, variable, file) {
        (Some(value), _, _) => (value, Source::Flag),
        (None, Some(value), _) => (value, Source::Environment),
        (None, None, Some(value)) => (value, Source::File),
        (None, None, None) => (default, Source::Default),
    }
}

/// What is wrong with the file. Not the line itself where an address is in it: that may
/// hold a password.
fn not_understood(path: &Path, text: &str, error: &toml::de::Error) -> SettingsError {
    let begins = error.span().map_or(0, |span| span.start.min(text.len()));
    let before = text.get(..begins).unwrap_or_default();
    let line = before.matches('\n').count();
    let holds_address = text.lines().nth(line).is_some_and(|line| line.contains("_url"));
    let problem = if holds_address {
        format!("line {}: {}", line + 1, error.message())
    } else {
        error.to_string()
    };
    SettingsError::File { path: path.to_owned(), problem }
}

fn parse_switch(name: &str, text: &str) -> Result<bool, SettingsError> {
    text.parse().map_err(|_| SettingsError::Value {
        name: name.to_owned(),
        value: text.to_owned(),
        expected: "true or false",
    })
}

fn parse_number(name: &str, text: &str) -> Result<u64, SettingsError> {
    text.parse().map_err(|_| SettingsError::Value {
        name: name.to_owned(),
        value: text.to_owned(),
        expected: "a number",
    })
}

fn within(
    name: &str,
    value: u64,
    range: std::ops::RangeInclusive<u64>,
    expected: &'static str,
) -> Result<(), SettingsError> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(SettingsError::Value { name: name.to_owned(), value: value.to_string(), expected })
}

/// A name that is none would be left out, and what the user meant to block be open.
fn domains(name: &str, listed: Vec<String>) -> Result<Vec<String>, SettingsError> {
    let each = listed.into_iter().map(|one| {
        listed_domain(&one).ok_or_else(|| SettingsError::Value {
            name: name.to_owned(),
            value: one,
            expected: "names of sites such as example.com",
        })
    });
    each.collect()
}

fn parse_port(text: &str) -> Result<u16, SettingsError> {
    text.parse().ok().filter(|port| *port != 0).ok_or_else(|| SettingsError::Value {
        name: "OUTRIGGER_PORT".into(),
        value: text.to_owned(),
        expected: "a port number from 1 to 65535",
    })
}
