//! A browser's own debugging port: what a person does in it, and what its
//! extension's own pages show, for tests that stand in for that person.

use std::path::Path;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use outrigger_hub::extension_files::own_origin;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::eventually;

/// How long the browser may take over one command.
const ANSWER: Duration = Duration::from_secs(20);

/// How long it may take over a press.
const PRESS: Duration = Duration::from_secs(3);

/// A connection to the debugging port.
pub struct Devtools {
    socket: Mutex<(u64, WebSocketStream<MaybeTlsStream<TcpStream>>)>,
}

/// A page or worker that can be spoken to.
pub struct Target<'a> {
    devtools: &'a Devtools,
    session: Value,
}

impl Devtools {
    /// Connects to the browser that runs this profile.
    pub async fn connect(profile: &Path) -> Self {
        let port_file = profile.join("DevToolsActivePort");
        let address = eventually("the debugging port is known", || async {
            let text = std::fs::read_to_string(&port_file).ok()?;
            let (port, path) = text.trim().split_once('\n')?;
            Some(format!("ws://127.0.0.1:{port}{path}"))
        })
        .await;
        let (socket, _) =
            tokio_tungstenite::connect_async(address).await.expect("the debugging port answers");
        Devtools { socket: Mutex::new((0, socket)) }
    }

    async fn send(&self, method: &str, params: Value, session: &Value) -> Value {
        let sent = self.try_to_send(method, params, session).await;
        sent.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    async fn try_to_send(
        &self,
        method: &str,
        params: Value,
        session: &Value,
    ) -> Result<Value, Value> {
        let mut guard = self.socket.lock().await;
        let (id, socket) = &mut *guard;
        *id += 1;
        let mut frame = json!({"id": id, "method": method, "params": params});
        if session.is_string() {
            frame["sessionId"] = session.clone();
        }
        socket.send(Message::text(frame.to_string())).await.expect("a command is sent");
        let answer = async {
            loop {
                let message = socket.next().await.expect("an answer").expect("an answer");
                let Ok(text) = message.into_text() else { continue };
                let mut frame: Value = serde_json::from_str(&text).expect("JSON");
                if frame["id"] != *id {
                    continue;
                }
                let error = frame["error"].take();
                return if error.is_null() { Ok(frame["result"].take()) } else { Err(error) };
            }
        };
        let silent = |_| Err(json!("the browser does not answer"));
        tokio::time::timeout(ANSWER, answer).await.unwrap_or_else(silent)
    }

    /// Opens a page of our extension in a tab behind the one in front, and has it
    /// think that it is seen: as the side panel is, which no tab covers.
    pub async fn open_own_page(&self, page: &str) -> Target<'_> {
        let target = self.open_own_page_unseen(page).await;
        target.come_into_sight().await;
        target
    }

    /// The same for a page that nobody can see.
    pub async fn open_own_page_unseen(&self, page: &str) -> Target<'_> {
        let url = format!("{}/{page}", own_origin());
        let params = json!({"url": url, "background": true});
        let made = self.send("Target.createTarget", params, &Value::Null).await;
        let target = self.attach(&made["targetId"]).await;
        let loaded = "document.readyState === 'complete' && location.href !== 'about:blank'";
        target.until(loaded).await;
        target
    }

    /// The extension's service worker.
    pub async fn worker(&self) -> Target<'_> {
        let found = eventually("the worker runs", || async {
            let targets = self.send("Target.getTargets", json!({}), &Value::Null).await;
            let targets = targets["targetInfos"].as_array().cloned().unwrap_or_default();
            let worker = targets.into_iter().find(|target| {
                target["type"] == "service_worker"
                    && target["url"].as_str().is_some_and(|url| url.starts_with(&own_origin()))
            })?;
            Some(worker["targetId"].clone())
        })
        .await;
        self.attach(&found).await
    }

    /// The open page with this in its address.
    pub async fn page(&self, address: &str) -> Target<'_> {
        let found = eventually("the page is open", || self.find_page(address)).await;
        self.attach(&found).await
    }

    /// Whether there is one.
    pub async fn has_page(&self, address: &str) -> bool {
        self.find_page(address).await.is_some()
    }

    async fn find_page(&self, address: &str) -> Option<Value> {
        let targets = self.send("Target.getTargets", json!({}), &Value::Null).await;
        let targets = targets["targetInfos"].as_array().cloned().unwrap_or_default();
        let page = targets.into_iter().find(|target| {
            target["type"] == "page"
                && target["url"].as_str().is_some_and(|url| url.contains(address))
        })?;
        Some(page["targetId"].clone())
    }

    async fn attach(&self, target: &Value) -> Target<'_> {
        let params = json!({"targetId": target, "flatten": true});
        let attached = self.send("Target.attachToTarget", params, &Value::Null).await;
        Target { devtools: self, session: attached["sessionId"].clone() }
    }
}

impl Target<'_> {
    /// Sends a command of the debugging protocol.
    pub async fn command(&self, method: &str, params: Value) -> Value {
        self.devtools.send(method, params, &self.session).await
    }

    /// The value of an expression; a promise is awaited.
    pub async fn evaluate(&self, expression: &str) -> Value {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true});
        let answer = self.command("Runtime.evaluate", params).await;
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Waits until an expression holds.
    pub async fn until(&self, expression: &str) {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let look = || async {
            // A page that is left while it is asked doesn't answer; the next one is asked.
            let ask = self.devtools.try_to_send("Runtime.evaluate", params.clone(), &self.session);
            let answer = ask.await.ok()?;
            assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
            (answer["result"]["value"] == true).then_some(())
        };
        eventually(expression, look).await;
    }

    /// What the user is asked, once there is a question that nothing was pressed on: one
    /// that was answered stays for a moment.
    pub async fn asked(&self) -> String {
        let card = "document.querySelector('.request:not([data-pressed])')?.innerText ?? null";
        eventually("the user is asked", || async {
            self.evaluate(card).await.as_str().map(str::to_owned)
        })
        .await
    }

    /// Clicks the first element that fits the selector and has these words, once
    /// it is there and can be clicked: with the mouse, as nothing else counts. When
    /// that was is in `pressedAt`.
    pub async fn press(&self, selector: &str, words: &str) {
        let (selector, words) = (json!(selector), json!(words));
        let find = format!(
            "[...document.querySelectorAll({selector})].find((it) => \
             it.textContent.includes({words}) && !it.disabled && it.checkVisibility())"
        );
        // A press in a tab behind others would only bring it to the front.
        self.come_into_sight().await;
        let words = format!("{words} is pressed");
        eventually(&words, || async { self.try_to_press(&find).await.then_some(()) }).await;
    }

    async fn come_into_sight(&self) {
        self.command("Emulation.setFocusEmulationEnabled", json!({"enabled": true})).await;
    }

    /// Whether the press reached it. One that has just moved takes none for a moment.
    async fn try_to_press(&self, find: &str) -> bool {
        let aim = format!(
            "(() => {{ const it = {find}; it?.scrollIntoView({{ block: 'center' }}); \
             return it !== undefined }})()"
        );
        if self.evaluate(&aim).await != true {
            return false;
        }
        self.until(&format!("{find} !== undefined")).await;
        let place = format!(
            "(() => {{ const it = {find}; if (!it) return null; globalThis.pressedAt = 0; \
             it.addEventListener('click', () => {{ globalThis.pressedAt = Date.now(); \
             it.closest('.request')?.setAttribute('data-pressed', '') }}, {{ once: true }}); \
             const {{ x, y, width, height }} = it.getBoundingClientRect(); \
             return {{ x: x + width / 2, y: y + height / 2 }} }})()"
        );
        let place = self.evaluate(&place).await;
        if place.is_null() {
            return false;
        }
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": place["x"], "y": place["y"], "button": "left",
                "buttons": u8::from(kind == "mousePressed"), "clickCount": 1});
            // What counts is whether the page got it. A press that is never answered is
            // tried again.
            let method = "Input.dispatchMouseEvent";
            let sent = self.devtools.try_to_send(method, event, &self.session);
            let _ = tokio::time::timeout(PRESS, sent).await;
        }
        self.evaluate("globalThis.pressedAt > 0").await == true
    }

    /// All that the page shows as text.
    pub async fn text(&self) -> String {
        let text = self.evaluate("document.body.innerText").await;
        text.as_str().unwrap_or_default().to_owned()
    }
}
