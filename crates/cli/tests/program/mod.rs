//! The built program in a home of its own, on a port of its own.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::time::Duration;

use outrigger_hub::{Home, Settings};
use outrigger_testkit::raw_http::ask;
use outrigger_testkit::{LooseBrowser, McpClient, Scratch, eventually, processes};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// Nothing outside this machine is looked up.
const NO_OTHER_HOSTS: &str = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

/// One machine's worth of Outrigger.
pub(crate) struct Program {
    pub(crate) home: Scratch,
    pub(crate) port: u16,
}

impl Program {
    pub(crate) fn new() -> Self {
        let home = Scratch::new();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Program { home, port }
    }

    /// The user's folder for configuration, with nothing in it.
    pub(crate) fn config(&self) -> PathBuf {
        self.home.path().join("config")
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outrigger"));
        command
            .args(arguments)
            .env("OUTRIGGER_HOME", self.home.path())
            .env("OUTRIGGER_PORT", self.port.to_string())
            .env("OUTRIGGER_BROWSER_ARGS", NO_OTHER_HOSTS)
            // Where browsers of this user would be.
            .env("XDG_CONFIG_HOME", self.config())
            .env_remove("OUTRIGGER_TOOLS")
            .env_remove("DATABASE_URL")
            .env_remove("NATS_URL")
            .env_remove("DISPLAY")
            .kill_on_drop(true);
        command
    }

    /// Runs to the end, within a minute.
    pub(crate) async fn run(&self, arguments: &[&str]) -> Output {
        let mut command = self.command(arguments);
        command.stdin(Stdio::null());
        tokio::time::timeout(Duration::from_secs(60), command.output())
            .await
            .expect("it ends")
            .unwrap()
    }

    /// Standard output of a run that must succeed.
    pub(crate) async fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments).await;
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            output.status.success(),
            "{arguments:?}: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        text
    }

    /// Standard error of a run that must fail.
    pub(crate) async fn fails(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments).await;
        assert!(!output.status.success(), "{arguments:?} did not fail");
        String::from_utf8(output.stderr).unwrap()
    }

    /// Starts `up` with more arguments and waits until it answers; with a
    /// launched browser, until that is linked.
    pub(crate) async fn up(&self, arguments: &[&str]) -> Child {
        let mut all = vec!["up"];
        all.extend(arguments);
        let mut command = self.command(&all);
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let wants_browser = arguments.contains(&"--launch");
        eventually("the hub is up", || async {
            let output = self.run(&["sessions", "--json"]).await;
            let status: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
            let browsers = status["browsers"].as_array()?.len();
            (!wants_browser || browsers > 0).then_some(())
        })
        .await;
        child
    }

    /// Waits until a hub answers. One that merely listens may still be making its tokens.
    pub(crate) async fn answers(&self) {
        let host = format!("127.0.0.1:{}", self.port);
        eventually("the hub is up", || async {
            TcpStream::connect(("127.0.0.1", self.port)).await.ok()?;
            let answer = ask(self.port, "GET", "/health", &[("Host", &host)], "").await;
            (answer.status == 200).then_some(())
        })
        .await;
    }

    /// A token that a hub made in this home.
    pub(crate) fn token(&self, file: &str) -> String {
        let text = std::fs::read_to_string(self.home.path().join(file)).unwrap();
        text.trim().to_owned()
    }

    /// For a browser that is no child of the hub.
    pub(crate) fn settings(&self) -> Settings {
        let mut settings = Settings::at(Home::at(self.home.path()), self.port);
        settings.browser = std::env::var_os("OUTRIGGER_BROWSER").map(Into::into);
        settings.browser_args = vec![NO_OTHER_HOSTS.to_owned()];
        settings
    }

    /// A browser as a person pairs it with the hub that runs, once it is linked.
    pub(crate) async fn personal_browser(&self) -> LooseBrowser {
        let browser = LooseBrowser::start(&self.settings(), &self.token("pairing-token"));
        self.is_linked().await;
        browser
    }

    /// Waits until a person's browser is linked.
    pub(crate) async fn is_linked(&self) {
        eventually("it links", || async {
            self.ok(&["sessions"]).await.contains("personal").then_some(())
        })
        .await;
    }

    /// An MCP client of `outrigger mcp` with more arguments.
    pub(crate) async fn mcp(&self, arguments: &[&str]) -> McpClient {
        let mut all = vec!["mcp"];
        all.extend(arguments);
        McpClient::stdio(self.command(&all)).await
    }

    /// Waits until nothing of this home runs, and no profile is left.
    pub(crate) async fn is_all_gone(&self) {
        let home = self.home.path().display().to_string();
        eventually("every process is gone", || async { processes(&home).is_empty().then_some(()) })
            .await;
        eventually("the port is free", || async {
            TcpListener::bind(("127.0.0.1", self.port)).ok()
        })
        .await;
        let left =
            || std::fs::read_dir(self.home.path().join("launched")).map_or(0, Iterator::count);
        eventually("no throw-away profile is left", || async { (left() == 0).then_some(()) }).await;
    }
}
