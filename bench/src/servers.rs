//! Owns how each server under comparison is found, checked and started: on the same browser, with the same flags,
//! in a home of its own. What their tools are called is in [`crate::tools`].

use std::{
    fs,
    net::{Ipv4Addr, TcpListener},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{failure::Failure, processes};

/// Saved pages ask for hosts that can't be reached; without this rule they wait seconds for each lookup.
const RESOLVE_NOTHING: &str = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1";
/// What every server is asked to show.
pub(crate) const VIEWPORT: (u32, u32) = (1280, 720);
/// Where only the window's size can be set: what a headless window takes for itself.
const WINDOW_FRAME: u32 = 87;
/// What the bar takes that Chromium shows while an extension holds its debugger.
const DEBUGGER_BAR: u32 = 56;
/// Two of the peers hide them by themselves when headless; where they show, a page is laid out narrower.
const NO_SCROLLBARS: &str = "--hide-scrollbars";

/// A server under comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Server {
    /// This project.
    Outrigger,
    /// `@playwright/mcp`.
    Playwright,
    /// `chrome-devtools-mcp`.
    ChromeDevtools,
    /// `agent-browser`, a native program with a command line and an MCP server of its own.
    AgentBrowser,
}

/// An npm package at the version that the comparison is about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Package {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

/// What all servers have in common in one run.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) bench: PathBuf,
    pub(crate) outrigger: PathBuf,
    pub(crate) browser: PathBuf,
    pub(crate) deadline: Duration,
}

impl Server {
    /// In the order of the table's columns.
    pub(crate) const ALL: [Self; 4] =
        [Self::Outrigger, Self::Playwright, Self::ChromeDevtools, Self::AgentBrowser];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Outrigger => "outrigger",
            Self::Playwright => "playwright",
            Self::ChromeDevtools => "devtools",
            Self::AgentBrowser => "agent-br.",
        }
    }

    /// Where the peer comes from; this project isn't a package.
    pub(crate) fn package(self) -> Option<Package> {
        match self {
            Self::Outrigger => None,
            Self::Playwright => Some(Package { name: "@playwright/mcp", version: "0.0.83" }),
            Self::ChromeDevtools => {
                Some(Package { name: "chrome-devtools-mcp", version: "1.11.0" })
            }
            Self::AgentBrowser => Some(Package { name: "agent-browser", version: "0.41.0" }),
        }
    }

    /// Refuses a server that isn't there, or a peer at another version than the one the comparison is about.
    pub(crate) fn check_installed(self, setting: &Setting) -> Result<(), Failure> {
        let Some(package) = self.package() else {
            let is_built = setting.outrigger.is_file();
            return if is_built { Ok(()) } else { Err(Failure::NotBuilt { fix: "make build" }) };
        };
        check_version(&setting.bench, package)?;
        self.program(setting).map(|_| ())
    }

    /// The command that serves MCP over stdio, with everything that it keeps inside `home`.
    pub(crate) fn command(self, setting: &Setting, home: &Path) -> Result<Command, Failure> {
        let mut command = self.program(setting)?;
        command.current_dir(home);
        for folder in ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] {
            command.env(folder, home);
        }
        command.env_remove("XDG_RUNTIME_DIR");
        let sandbox_off = sandbox_off();
        let (width, height) = VIEWPORT;
        let window = |bars: u32| format!("--window-size={width},{}", height + WINDOW_FRAME + bars);
        match self {
            Self::Outrigger => {
                command
                    .args(["mcp", "--launch", "--headless"])
                    .env_remove("DATABASE_URL")
                    .env_remove("NATS_URL")
                    .env("OUTRIGGER_HOME", home)
                    .env("OUTRIGGER_PORT", port_of(home)?.to_string())
                    .env("OUTRIGGER_BROWSER", &setting.browser)
                    .env(
                        "OUTRIGGER_BROWSER_ARGS",
                        [RESOLVE_NOTHING, NO_SCROLLBARS, &window(DEBUGGER_BAR)].join("\n"),
                    );
            }
            Self::Playwright => {
                // The extra flags have no option of their own.
                let config =
                    json!({ "browser": { "launchOptions": { "args": [RESOLVE_NOTHING] } } });
                let file = home.join("playwright-mcp.json");
                fs::write(&file, config.to_string())
                    .map_err(Failure::io("write Playwright's configuration"))?;
                command
                    .args(sandbox_off)
                    .args(["--headless", "--isolated", "--viewport-size"])
                    .arg(format!("{width}x{height}"))
                    .arg("--executable-path")
                    .arg(&setting.browser)
                    .arg("--config")
                    .arg(file)
                    .arg("--output-dir")
                    .arg(home.join("output"));
            }
            Self::ChromeDevtools => {
                command
                    .args([
                        "--headless",
                        "--isolated",
                        "--no-usage-statistics",
                        "--no-performance-crux",
                    ])
                    .arg("--viewport")
                    .arg(format!("{width}x{height}"))
                    .arg("--executablePath")
                    .arg(&setting.browser)
                    .args(sandbox_off.map(|flag| format!("--chromeArg={flag}")))
                    .arg(format!("--chromeArg={RESOLVE_NOTHING}"))
                    .env("CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS", "1");
            }
            Self::AgentBrowser => {
                let window = window(0);
                let flags: Vec<&str> = sandbox_off
                    .into_iter()
                    .chain([RESOLVE_NOTHING, NO_SCROLLBARS, &window])
                    .collect();
                command
                    .arg("mcp")
                    .env("AGENT_BROWSER_SOCKET_DIR", home.join("s"))
                    .env("AGENT_BROWSER_SESSION", "bench")
                    .env("AGENT_BROWSER_EXECUTABLE_PATH", &setting.browser)
                    .env("AGENT_BROWSER_ARGS", flags.join("\n"));
            }
        }
        Ok(command)
    }

    /// `agent-browser` by its command line, in the session that its MCP server has opened.
    pub(crate) fn command_line_snapshot(
        self,
        setting: &Setting,
        home: &Path,
    ) -> Option<Result<Command, Failure>> {
        (self == Self::AgentBrowser).then(|| {
            let served = self.command(setting, home)?;
            let mut command = Command::new(served.get_program());
            command.arg("snapshot").current_dir(home).env_remove("XDG_RUNTIME_DIR");
            for (key, value) in served.get_envs().filter_map(|(key, value)| Some((key, value?))) {
                command.env(key, value);
            }
            Ok(command)
        })
    }

    fn program(self, setting: &Setting) -> Result<Command, Failure> {
        let modules = setting.bench.join("node_modules");
        let script = match self {
            Self::Outrigger => return Ok(Command::new(&setting.outrigger)),
            Self::AgentBrowser => {
                // What a global install links to; the script in front of it would only add Node's start.
                let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
                let program =
                    modules.join(format!("agent-browser/bin/agent-browser-linux-{machine}"));
                return installed(program).map(Command::new);
            }
            Self::Playwright => modules.join("@playwright/mcp/cli.js"),
            Self::ChromeDevtools => {
                modules.join("chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js")
            }
        };
        let mut command = Command::new(installed(modules.join("node/bin/node"))?);
        command.arg(installed(script)?);
        Ok(command)
    }
}

/// The browser that all servers drive.
pub(crate) fn find_browser() -> Result<PathBuf, Failure> {
    if let Some(named) = std::env::var_os("OUTRIGGER_BROWSER").map(PathBuf::from) {
        return named.is_file().then_some(named).ok_or(Failure::NoBrowser);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .flat_map(|folder| {
            ["chromium", "chromium-browser", "google-chrome"].map(|name| folder.join(name))
        })
        .find(|program| program.is_file())
        .ok_or(Failure::NoBrowser)
}

/// Opens and closes the browser once, so that the first server doesn't pay for reading it from disk. Gives the
/// browser's version.
pub(crate) fn warm_browser(setting: &Setting, home: &Path) -> Result<String, Failure> {
    let written = home.join("browser-version");
    let output =
        fs::File::create(&written).map_err(Failure::io("ask the browser for its version"))?;
    let mut ask = Command::new(&setting.browser);
    ask.arg("--version").env("HOME", home).stdout(output);
    processes::run_within(&mut ask, "the browser's version", setting.deadline)?;

    let mut once = Command::new(&setting.browser);
    once.args(sandbox_off()).args(["--headless=new", "--no-first-run", "--dump-dom"]);
    once.arg(format!("--user-data-dir={}", home.join("profile").display())).arg("about:blank");
    once.env("HOME", home).stdout(Stdio::null());
    processes::run_within(&mut once, "warming the browser", setting.deadline)?;
    let version = fs::read_to_string(written).map_err(Failure::io("read the browser's version"))?;
    Ok(version.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
}

/// Chromium refuses to run as root with its sandbox.
fn sandbox_off() -> Option<&'static str> {
    nix::unistd::geteuid().is_root().then_some("--no-sandbox")
}

fn installed(file: PathBuf) -> Result<PathBuf, Failure> {
    if file.is_file() { Ok(file) } else { Err(Failure::NotBuilt { fix: "npm ci in bench/" }) }
}

fn check_version(bench: &Path, package: Package) -> Result<(), Failure> {
    let manifest = installed(bench.join("node_modules").join(package.name).join("package.json"))?;
    let text = fs::read_to_string(manifest).map_err(Failure::io("read a package's manifest"))?;
    let manifest: Value =
        serde_json::from_str(&text).map_err(Failure::json("a package's manifest"))?;
    let version = manifest["version"].as_str().unwrap_or("unknown").to_owned();
    if version == package.version {
        return Ok(());
    }
    Err(Failure::WrongVersion {
        package: package.name,
        installed: version,
        wanted: package.version,
    })
}

/// A free port for the hub of this home; the same one each time, since a second client must find the first's hub.
fn port_of(home: &Path) -> Result<u16, Failure> {
    let file = home.join("bench-port");
    if let Some(port) = fs::read_to_string(&file).ok().and_then(|text| text.parse().ok()) {
        return Ok(port);
    }
    let listener =
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(Failure::io("find a free port"))?;
    let port = listener.local_addr().map_err(Failure::io("find a free port"))?.port();
    fs::write(file, port.to_string()).map_err(Failure::io("note the hub's port"))?;
    Ok(port)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bench_with(package: Package, version: &str) -> tempfile::TempDir {
        let bench = tempfile::tempdir().unwrap();
        let folder = bench.path().join("node_modules").join(package.name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("package.json"), json!({ "version": version }).to_string()).unwrap();
        bench
    }

    #[test]
    fn a_peer_at_another_version_is_refused() {
        let package = Server::Playwright.package().unwrap();
        let bench = bench_with(package, "0.0.41");
        let refusal = check_version(bench.path(), package).unwrap_err();
        assert!(refusal.to_string().contains("0.0.41"), "{refusal}");
        let bench = bench_with(package, package.version);
        assert!(check_version(bench.path(), package).is_ok());
    }

    #[test]
    fn the_versions_in_the_code_are_those_in_the_package_list() {
        let manifest: Value = serde_json::from_str(include_str!("../package.json")).unwrap();
        for package in Server::ALL.into_iter().filter_map(Server::package) {
            assert_eq!(
                manifest["devDependencies"][package.name], package.version,
                "{}",
                package.name
            );
        }
    }

    #[test]
    fn a_server_that_is_not_there_says_how_to_get_it() {
        let empty = tempfile::tempdir().unwrap();
        let setting = Setting {
            bench: empty.path().to_owned(),
            outrigger: empty.path().join("outrigger"),
            browser: PathBuf::from("chromium"),
            deadline: Duration::from_secs(1),
        };
        let say = |server: Server| server.check_installed(&setting).unwrap_err().to_string();
        assert_eq!(say(Server::Outrigger), "not built: run make build");
        assert_eq!(say(Server::AgentBrowser), "not built: run npm ci in bench/");
    }

    #[test]
    fn a_home_keeps_its_port() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(port_of(home.path()).unwrap(), port_of(home.path()).unwrap());
    }
}
