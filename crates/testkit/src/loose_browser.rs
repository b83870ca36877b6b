//! A browser that is no child of the hub: it outlives a hub that restarts, as a
//! person's own browser does, and its service worker can be killed.

use std::fs;
use std::process::Stdio;

use futures_util::{SinkExt as _, StreamExt as _};
use outrigger_hub::Settings;
use outrigger_hub::extension_files::{self, Build};
use serde_json::{Value, json};
use tokio::process::{Child, Command};
use tokio_tungstenite::tungstenite::Message;

use crate::scratch::Scratch;
use crate::{Devtools, eventually};

/// What a command is sent with, made of the answer to the one before.
type Params<'a> = dyn Fn(&Value) -> Value + 'a;

/// A running Chromium with our extension; gone when dropped.
pub struct LooseBrowser {
    _child: Child,
    folder: Scratch,
}

impl LooseBrowser {
    /// Starts one whose extension shows this token to the hub of the settings.
    pub fn start(settings: &Settings, token: &str) -> Self {
        let folder = Scratch::new();
        let extension = folder.path().join("extension");
        extension_files::write(Build::Full, &extension).expect("the extension is written");
        let launch = json!({"hub": format!("127.0.0.1:{}", settings.port), "launchToken": token});
        fs::write(extension.join("launch.json"), launch.to_string())
            .expect("launch.json is written");
        let program = outrigger_hub::launch::find_browser(settings.browser.as_deref());
        let mut command = Command::new(program.expect("a browser"));
        command
            .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
            .arg(format!("--load-extension={}", extension.display()))
            .args([
                "--headless=new",
                "--disable-gpu",
                "--no-first-run",
                "--remote-debugging-port=0",
            ])
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
        if outrigger_hub::launch::runs_as_root() {
            command.arg("--no-sandbox");
        }
        LooseBrowser { _child: command.spawn().expect("the browser starts"), folder }
    }

    /// Opens a tab at any address, also one that no agent may open.
    pub async fn open(&self, address: &str) {
        self.debug(&[("Target.createTarget", &|_| json!({"url": address}))]).await;
    }

    /// Its debugging port.
    pub async fn devtools(&self) -> Devtools {
        Devtools::connect(&self.folder.path().join("profile")).await
    }

    /// Ends the extension's service worker, as Chrome does when it likes.
    pub async fn kill_worker(&self) {
        let worker = |targets: &Value| {
            let targets = targets["targetInfos"].as_array().into_iter().flatten();
            let mut workers = targets.filter(|target| target["type"] == "service_worker");
            let worker = workers.next().expect("the worker runs");
            json!({"targetId": worker["targetId"]})
        };
        let none: &Params<'_> = &|_| json!({});
        self.debug(&[("Target.getTargets", none), ("Target.closeTarget", &worker)]).await;
    }

    /// Commands of the debugging port, each made of the answer to the one before.
    async fn debug(&self, commands: &[(&str, &Params<'_>)]) {
        let port_file = self.folder.path().join("profile/DevToolsActivePort");
        let address = eventually("the debugging port is known", || async {
            let text = fs::read_to_string(&port_file).ok()?;
            let (port, path) = text.trim().split_once('\n')?;
            Some(format!("ws://127.0.0.1:{port}{path}"))
        })
        .await;
        let (mut socket, _) =
            tokio_tungstenite::connect_async(address).await.expect("the debugging port answers");
        let mut answer = Value::Null;
        for (id, (method, params)) in commands.iter().enumerate() {
            let frame = json!({"id": id, "method": method, "params": params(&answer)});
            socket.send(Message::text(frame.to_string())).await.expect("a command is sent");
            answer = loop {
                let message = socket.next().await.expect("an answer").expect("an answer");
                let frame: Value =
                    serde_json::from_str(&message.into_text().expect("text")).expect("JSON");
                if frame["id"] == id {
                    break frame["result"].clone();
                }
            };
        }
    }
}
