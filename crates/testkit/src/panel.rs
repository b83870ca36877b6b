//! A person's browser, spoken by hand: it is asked, and says what the test wants. For
//! what the hub makes of an answer; how a person gives one is tested in a browser.

use outrigger_hub::extension_files::own_origin;
use outrigger_protocol::helm::HELM_VERSION;
use serde_json::{Value, json};

use crate::peer::{Peer, PeerEnd};

/// A linked browser of a person.
pub struct Panel {
    peer: Peer,
    /// Its link.
    pub link: String,
    /// How things stand, as the hub told last.
    state: Value,
    /// Questions that were answered.
    answered: Vec<u64>,
    /// What was asked of the browser itself.
    pub asked: Vec<Value>,
    /// Whether somebody follows what the person looks at.
    is_followed: bool,
}

impl Panel {
    /// Links as Outrigger's own extension would, with the pairing token.
    pub async fn link(port: u16, client_id: &str, pairing_token: &str) -> Self {
        let opened = Peer::open(port, "/extension", Some(&own_origin())).await;
        let mut peer = opened.expect("our own extension is let in");
        let mut handshake = Peer::handshake(client_id, pairing_token, &json!([]));
        handshake["helm"] = json!(HELM_VERSION);
        peer.send(&handshake).await;
        let ack = peer.receive().await;
        let link = ack["linkId"].as_str().expect("it is linked").to_owned();
        Panel {
            peer,
            link,
            state: Value::Null,
            answered: Vec::new(),
            asked: Vec::new(),
            is_followed: false,
        }
    }

    /// The next question, or the end of the connection.
    pub async fn question(&mut self) -> Result<Value, PeerEnd> {
        self.question_with("").await
    }

    /// The same, of a question that has these words in it.
    pub async fn question_with(&mut self, words: &str) -> Result<Value, PeerEnd> {
        loop {
            let requests = self.state["requests"].as_array().into_iter().flatten();
            let mut open = requests.filter(|request| {
                let id = request["id"].as_u64().unwrap_or_default();
                let is_asked = request["kind"] == "permission" && !self.answered.contains(&id);
                is_asked && request.to_string().contains(words)
            });
            if let Some(question) = open.next() {
                return Ok(question.clone());
            }
            self.hear().await?;
        }
    }

    /// Waits until a session stands so.
    pub async fn until_standing(&mut self, session: &Value, standing: &str) {
        let is_so = |state: &Value| {
            let mut sessions = state["sessions"].as_array().into_iter().flatten();
            sessions.any(|one| one["session"] == *session && one["standing"] == standing)
        };
        while !is_so(&self.state) {
            self.hear().await.expect("the hub goes on");
        }
    }

    /// The first thing that is asked of the browser itself.
    pub async fn request(&mut self) -> Value {
        while self.asked.is_empty() {
            self.hear().await.expect("the hub asks");
        }
        self.asked.remove(0)
    }

    /// Does nothing of the first thing that is asked of the browser itself, and says so.
    pub async fn refuse_request(&mut self) {
        let request = self.request().await;
        self.peer.send(&json!({"id": request["id"], "error": "The browser can't."})).await;
    }

    async fn hear(&mut self) -> Result<(), PeerEnd> {
        let frame = self.peer.next().await?;
        if frame["type"] == "helm" {
            self.state = frame["payload"].clone();
        } else if frame["type"] == "tracking" {
            self.is_followed = frame["payload"]["isFollowed"] == true;
        } else if frame.get("deadlineMs").is_some() {
            self.asked.push(frame);
        }
        Ok(())
    }

    /// Answers a question.
    pub async fn decide(&mut self, question: &Value, allow: bool, term: &str) {
        self.answered.extend(question["id"].as_u64());
        let command = json!({"command": "decide", "request": question["id"], "allow": allow,
            "term": term});
        self.command(command).await;
    }

    /// Answers the next question.
    pub async fn answer(&mut self, allow: bool, term: &str) -> Value {
        let question = self.question().await.expect("the hub asks");
        self.decide(&question, allow, term).await;
        question
    }

    /// Orders what a person would press.
    pub async fn command(&mut self, command: Value) {
        let event = json!({"type": "event", "event": "user.command", "seq": 1, "payload": command});
        self.peer.send(&event).await;
    }

    /// Tells what the person looks at now.
    pub async fn looks_at(&mut self, context: Value) {
        let report = json!({"isWhole": true, "changes": context});
        let event = json!({"type": "event", "event": "page.context", "seq": 1, "payload": report});
        self.peer.send(&event).await;
    }

    /// Tells nothing of what the user looks at, and why.
    pub async fn tells_nothing(&mut self, why: &str) {
        let report = json!({"isWhole": true, "changes": {}, "untold": why});
        let event = json!({"type": "event", "event": "page.context", "seq": 1, "payload": report});
        self.peer.send(&event).await;
    }

    /// Waits until somebody follows that, or nobody does.
    pub async fn until_followed(&mut self, is_followed: bool) {
        while self.is_followed != is_followed {
            self.hear().await.expect("the hub goes on");
        }
    }

    /// The end of the connection.
    pub async fn end(&mut self) -> PeerEnd {
        self.peer.end().await
    }
}
