//! A browser that is no child of the hub: it outlives a hub that restarts, as a
//! person's own browser does, and its service worker can be killed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use futures_util::{SinkExt as _, StreamExt as _};
use outrigger_hub::Settings;
use outrigger_hub::extension_files::{self, Build};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::scratch::Scratch;
use crate::{Desktop, Devtools, eventually};

/// Where a browser is to be seen, and with what.
#[derive(Default)]
struct Outfit<'a> {
    token: Option<&'a str>,
    neighbour: &'a [(&'a str, &'a str)],
    profile: Option<PathBuf>,
    desktop: Option<&'a Desktop>,
}

/// A running Chromium with our extension; gone when dropped.
pub struct LooseBrowser {
    _child: Child,
    _folder: Scratch,
    profile: PathBuf,
}

impl LooseBrowser {
    /// Starts one whose extension shows this token to the hub of the settings.
    pub fn start(settings: &Settings, token: &str) -> Self {
        Self::start_beside(settings, token, &[])
    }

    /// Starts one whose extension knows of no hub yet, as a person has it at first.
    pub fn start_unpaired(settings: &Settings) -> Self {
        Self::start_in(settings, Outfit::default())
    }

    /// The same, in a profile that may have something in it, and with another extension
    /// beside ours if there are files for it.
    pub fn start_unpaired_in(
        settings: &Settings,
        profile: &Path,
        neighbour: &[(&str, &str)],
    ) -> Self {
        Self::start_in(
            settings,
            Outfit { neighbour, profile: Some(profile.to_owned()), ..Outfit::default() },
        )
    }

    /// The same as `start`, with another extension in it: its files by name.
    pub fn start_beside(settings: &Settings, token: &str, neighbour: &[(&str, &str)]) -> Self {
        let token = Some(token);
        Self::start_in(settings, Outfit { token, neighbour, ..Outfit::default() })
    }

    /// The same as `start`, with a window that a person sees.
    pub fn start_on(desktop: &Desktop, settings: &Settings, token: &str) -> Self {
        let (token, desktop) = (Some(token), Some(desktop));
        Self::start_in(settings, Outfit { token, desktop, ..Outfit::default() })
    }

    fn start_in(settings: &Settings, outfit: Outfit<'_>) -> Self {
        let Outfit { token, neighbour, profile, desktop } = outfit;
        let folder = Scratch::new();
        let profile = profile.unwrap_or_else(|| folder.path().join("profile"));
        let extension = folder.path().join("extension");
        extension_files::write(Build::Full, &extension).expect("the extension is written");
        if let Some(token) = token {
            let hub = format!("127.0.0.1:{}", settings.port);
            let launch = json!({"hub": hub, "launchToken": token});
            fs::write(extension.join("launch.json"), launch.to_string())
                .expect("launch.json is written");
        }
        let mut loaded = extension.display().to_string();
        if !neighbour.is_empty() {
            let beside = folder.path().join("neighbour");
            fs::create_dir(&beside).expect("a folder for the neighbour");
            for (name, text) in neighbour {
                fs::write(beside.join(name), text).expect("a file of the neighbour");
            }
            loaded = format!("{loaded},{}", beside.display());
        }
        let program = outrigger_hub::launch::find_browser(settings.browser.as_deref());
        let mut command = Command::new(program.expect("a browser"));
        command
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg(format!("--load-extension={loaded}"))
            .args(["--disable-gpu", "--no-first-run", "--remote-debugging-port=0"])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .args(&settings.browser_args)
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        match desktop {
            Some(desktop) => command.env("DISPLAY", desktop.display()),
            None => command.arg("--headless=new"),
        };
        if outrigger_hub::launch::runs_as_root() {
            command.arg("--no-sandbox");
        }
        let child = command.spawn().expect("the browser starts");
        LooseBrowser { _child: child, _folder: folder, profile }
    }

    /// Opens a tab at any address, also one that no agent may open.
    pub async fn open(&self, address: &str) {
        self.port().await.send("Target.createTarget", json!({"url": address})).await;
    }

    /// Its debugging port.
    pub async fn devtools(&self) -> Devtools {
        Devtools::connect(&self.profile).await
    }

    /// Ends the extension's service worker, as Chrome does when it likes.
    pub async fn kill_worker(&self) {
        let mut port = self.port().await;
        let target = port.worker().await;
        port.send("Target.closeTarget", json!({"targetId": target})).await;
    }

    /// What the extension's worker holds on to, in bytes: the heap after a
    /// collection of garbage.
    pub async fn worker_heap(&self) -> u64 {
        let mut port = self.port().await;
        let target = port.worker().await;
        let attach = json!({"targetId": target, "flatten": true});
        port.session = Some(port.send("Target.attachToTarget", attach).await["sessionId"].clone());
        port.send("HeapProfiler.collectGarbage", json!({})).await;
        let usage = port.send("Runtime.getHeapUsage", json!({})).await;
        usage["usedSize"].as_f64().expect("a size") as u64
    }

    /// Zooms every tab, as a user does.
    pub async fn zoom(&self, factor: f64) {
        let mut port = self.port().await;
        let target = port.worker().await;
        let attach = json!({"targetId": target, "flatten": true});
        port.session = Some(port.send("Target.attachToTarget", attach).await["sessionId"].clone());
        let expression = format!(
            "chrome.tabs.query({{}}).then((tabs) => Promise.all(tabs.map(({{ id }}) => chrome.tabs.setZoom(id, {factor}))))"
        );
        let zoom = json!({"expression": expression, "awaitPromise": true});
        port.send("Runtime.evaluate", zoom).await;
    }

    /// Crashes the page whose address holds this text.
    pub async fn crash(&self, address: &str) {
        let mut port = self.port().await;
        let targets = port.send("Target.getTargets", json!({})).await;
        let mut targets = targets["targetInfos"].as_array().into_iter().flatten();
        let is_meant =
            |target: &&Value| target["url"].as_str().is_some_and(|url| url.contains(address));
        let page = targets.find(is_meant).expect("the page is there");
        let attach = json!({"targetId": page["targetId"], "flatten": true});
        port.session = Some(port.send("Target.attachToTarget", attach).await["sessionId"].clone());
        port.send("Inspector.enable", json!({})).await;
        port.send("Page.crash", json!({})).await;
    }

    async fn port(&self) -> DebuggingPort {
        let port_file = self.profile.join("DevToolsActivePort");
        let address = eventually("the debugging port is known", || async {
            let text = fs::read_to_string(&port_file).ok()?;
            let (port, path) = text.trim().split_once('\n')?;
            Some(format!("ws://127.0.0.1:{port}{path}"))
        })
        .await;
        let (socket, _) =
            tokio_tungstenite::connect_async(address).await.expect("the debugging port answers");
        DebuggingPort { socket, session: None, sent: 0 }
    }
}

/// A connection to the debugging port, to the browser or to one target of it.
struct DebuggingPort {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    session: Option<Value>,
    sent: u64,
}

impl DebuggingPort {
    async fn send(&mut self, method: &str, params: Value) -> Value {
        self.sent += 1;
        let mut frame = json!({"id": self.sent, "method": method, "params": params});
        if let Some(session) = &self.session {
            frame["sessionId"] = session.clone();
        }
        self.socket.send(Message::text(frame.to_string())).await.expect("a command is sent");
        loop {
            let message = self.socket.next().await.expect("an answer").expect("an answer");
            let frame: Value =
                serde_json::from_str(&message.into_text().expect("text")).expect("JSON");
            // Nobody is left to answer a crash; it is told instead.
            let is_crash = method == "Page.crash" && frame["method"] == "Inspector.targetCrashed";
            if frame["id"] == self.sent || is_crash {
                return frame["result"].clone();
            }
        }
    }

    /// The target of our worker.
    async fn worker(&mut self) -> Value {
        let targets = self.send("Target.getTargets", json!({})).await;
        let targets = targets["targetInfos"].as_array().into_iter().flatten();
        let mut workers = targets.filter(|target| target["type"] == "service_worker");
        workers.next().expect("the worker runs")["targetId"].clone()
    }
}
