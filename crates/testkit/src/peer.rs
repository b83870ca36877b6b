//! A peer that speaks the extension link by hand: no browser, only frames.

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// An open connection.
pub struct Peer {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

/// How a connection ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeerEnd {
    /// The close code, if the hub sent one.
    pub code: Option<u16>,
    /// Its reason.
    pub reason: String,
}

impl Peer {
    /// Opens a connection, as a program would: without an origin.
    pub async fn connect(port: u16) -> Self {
        Self::open(port, "/extension", None).await.expect("the hub upgrades")
    }

    /// Opens a connection under an origin, or gives the HTTP status of the refusal.
    pub async fn open(port: u16, path: &str, origin: Option<&str>) -> Result<Self, u16> {
        let headers: Vec<_> = origin.map(|origin| ("origin", origin)).into_iter().collect();
        Self::open_with(port, path, &headers).await
    }

    /// The same, with any headers.
    pub async fn open_with(
        port: u16,
        path: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Self, u16> {
        let mut request =
            format!("ws://127.0.0.1:{port}{path}").into_client_request().expect("a request");
        for (name, value) in headers {
            request.headers_mut().append(*name, value.parse().expect("a header value"));
        }
        match tokio_tungstenite::connect_async(request).await {
            Ok((socket, _)) => Ok(Peer { socket }),
            Err(tungstenite::Error::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("no answer from the hub: {error}"),
        }
    }

    /// The handshake of the screen-awareness design, and no field more, with
    /// the capabilities given.
    pub fn handshake(client_id: &str, token: &str, capabilities: &Value) -> Value {
        json!({
            "type": "handshake",
            "clientType": "extension",
            "clientId": client_id,
            "pairingToken": token,
            "capabilities": capabilities,
        })
    }

    /// Connects as one that remembers what it was asked, under that name.
    pub async fn remembering(
        port: u16,
        token: &str,
        capabilities: &Value,
        memory: &str,
    ) -> (Self, Value) {
        let mut peer = Self::connect(port).await;
        let mut handshake = Self::handshake("ext-1", token, capabilities);
        handshake["memory"] = json!(memory);
        peer.send(&handshake).await;
        let ack = peer.receive().await;
        assert_eq!(ack["type"], "handshake_ack", "{ack}");
        (peer, ack)
    }

    /// Connects and shakes hands.
    pub async fn linked(port: u16, client_id: &str, token: &str, capabilities: &Value) -> Self {
        let mut peer = Self::connect(port).await;
        peer.send(&Self::handshake(client_id, token, capabilities)).await;
        let ack = peer.receive().await;
        assert_eq!(ack["type"], "handshake_ack", "{ack}");
        peer
    }

    /// Sends a frame.
    pub async fn send(&mut self, frame: &Value) {
        self.send_text(frame.to_string()).await;
    }

    /// Sends any text.
    pub async fn send_text(&mut self, text: String) {
        // A hub that has closed meanwhile is seen at the next receive.
        let _ = self.socket.send(Message::text(text)).await;
    }

    /// The next frame.
    pub async fn receive(&mut self) -> Value {
        match self.next().await {
            Ok(frame) => frame,
            Err(end) => panic!("the connection ended: {end:?}"),
        }
    }

    /// The end of the connection; frames before it are passed over.
    pub async fn end(&mut self) -> PeerEnd {
        loop {
            if let Err(end) = self.next().await {
                return end;
            }
        }
    }

    /// The next frame, or the end of the connection.
    pub async fn next(&mut self) -> Result<Value, PeerEnd> {
        let ended = |code, reason: String| Err(PeerEnd { code, reason });
        loop {
            let message = tokio::time::timeout(crate::PATIENCE, self.socket.next()).await;
            match message.expect("the hub says something in time") {
                Some(Ok(Message::Text(text))) => {
                    return Ok(serde_json::from_str(&text).expect("frames are JSON"));
                }
                Some(Ok(Message::Close(Some(frame)))) => {
                    return ended(Some(frame.code.into()), frame.reason.to_string());
                }
                Some(Ok(Message::Close(None)) | Err(_)) | None => {
                    return ended(None, String::new());
                }
                Some(Ok(_)) => {}
            }
        }
    }
}
