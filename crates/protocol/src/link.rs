//! The extension link: frames of `/extension`, as JSON text.
//!
//! A request is `{type, payload, id}`, a reply `{id, result}` or
//! `{id, error, code?, details?}`. Everything else carries a `type` of its own.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::codes::ErrorCode;
use crate::context::{ContextReport, Tracking};
use crate::helm::{HelmState, UserCommand};

/// The protocol this hub and this extension speak. A handshake without one is 1.
pub const PROTOCOL: u32 = 1;

/// The largest frame the hub reads; a full-page picture is a few megabytes.
pub const MAX_FRAME_BYTES: usize = 32 * 1024 * 1024;

/// How often the extension pings; Chrome ends a worker after 30 s without traffic.
pub const KEEPALIVE_MS: u32 = 20_000;

/// What an extension can do, as it says in the handshake.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Capability {
    /// The request `type` that reaches it.
    pub name: String,
    /// Its own version.
    pub version: String,
    /// `read` looks, `act` changes something.
    pub risk_level: RiskLevel,
    /// Whether a user gesture must precede it.
    #[serde(default)]
    pub requires_gesture: bool,
    /// What kinds of data come back.
    #[serde(default)]
    pub data_types: Vec<String>,
    /// JSON Schema of its payload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "Record<string, unknown>"))]
    pub params_schema: Option<Value>,
}

/// How much a capability can change. Unknown words count as the riskier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum RiskLevel {
    /// Looks only.
    Read,
    /// Changes something.
    #[serde(other)]
    Act,
}

/// Which browser this is, as far as the extension can tell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct BrowserInfo {
    /// "Chromium", "Google Chrome", …
    pub name: String,
    /// Full version where it can be had.
    pub version: String,
    /// `full` or `lite`: which build of the extension.
    pub build: String,
    /// "linux", "mac", "win", …
    pub platform: String,
}

/// A tab as the extension sees it. Titles and addresses are the page's words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TabFacts {
    /// Chrome's number of the tab.
    pub id: i64,
    /// Chrome's number of the window.
    pub window_id: i64,
    /// Address; the pending one while nothing has committed yet.
    pub url: String,
    /// Title.
    pub title: String,
    /// In front in its window.
    pub active: bool,
    /// Still loading.
    pub loading: bool,
    /// In a private window.
    #[serde(default)]
    pub incognito: bool,
    /// The tab that opened it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub opener_tab_id: Option<i64>,
    /// The agent session in whose tab group it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub session: Option<String>,
    /// Highest ref number the hub ever gave out in this tab. The extension
    /// remembers it so that a restarted hub never gives a number out twice.
    #[serde(default)]
    pub ref_floor: u32,
}

/// First frame of a connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Handshake {
    /// Protocol; 1 when absent.
    #[serde(default = "first_protocol")]
    pub protocol: u32,
    /// Always `extension` here.
    pub client_type: String,
    /// Stays the same over reconnects of one browser profile.
    pub client_id: String,
    /// Pasted by the user, sent every time; or, in a browser that the hub
    /// launched itself, the one-time token it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub pairing_token: Option<String>,
    /// In its place, once the pairing token was exchanged for a login.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub access_token: Option<String>,
    /// What this extension can do.
    #[serde(default)]
    pub capabilities: Vec<Capability>,
    /// Which browser.
    #[serde(default)]
    pub browser: BrowserInfo,
    /// Version of the extension.
    #[serde(default)]
    pub extension_version: String,
    /// Every open tab, so that the hub knows them before the first call.
    #[serde(default)]
    pub tabs: Vec<TabFacts>,
    /// The window that the user was in last, of those that hold tabs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub window: Option<i64>,
    /// Names what this extension remembers of requests marked `once`. While it
    /// stays the same, such a request may be sent again after a reconnect and is
    /// not run twice. Absent from extensions that remember nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub memory: Option<String>,
    /// The form of `helm` frames that it shows to its user; none where it
    /// shows none.
    #[serde(default)]
    pub helm: u32,
}

fn first_protocol() -> u32 {
    1
}

/// Answer to an accepted handshake.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HandshakeAck {
    /// Always `connected`.
    pub status: String,
    /// The hub's version.
    pub bridge_version: String,
    /// Name of this link, as `outrigger sessions` shows it.
    pub link_id: String,
    /// How often to ping.
    pub keepalive_ms: u32,
    /// The hub still waits for what it asked on the connection before this
    /// one, and asks again under the same ids.
    #[serde(default)]
    pub resumed: bool,
}

/// What happened in the browser, unasked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "event", content = "payload")]
pub enum BrowserEvent {
    /// A tab appeared.
    #[serde(rename = "tab.created")]
    TabCreated(TabFacts),
    /// Address, title or loading state changed.
    #[serde(rename = "tab.updated")]
    TabUpdated(TabFacts),
    /// A tab came to the front of its window.
    #[serde(rename = "tab.activated")]
    TabActivated(TabFacts),
    /// A tab is gone.
    #[serde(rename = "tab.removed")]
    TabRemoved(TabGone),
    /// Chrome put one tab in the place of another (prerendering).
    #[serde(rename = "tab.replaced")]
    TabReplaced(TabReplacement),
    /// The user went to another window that holds tabs.
    #[serde(rename = "window.focused")]
    WindowFocused(WindowFocus),
    /// The debugger let go of a tab.
    #[serde(rename = "debugger.detached")]
    DebuggerDetached(DebuggerDetached),
    /// The user orders something.
    #[serde(rename = "user.command")]
    UserCommand(UserCommand),
    /// The user looks at something else, or it changed.
    #[serde(rename = "page.context")]
    PageContext(ContextReport),
}

/// Payload of `tab.removed`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TabGone {
    /// The tab.
    pub tab_id: i64,
}

/// Payload of `tab.replaced`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TabReplacement {
    /// The number it had.
    pub old_tab_id: i64,
    /// The tab as it is now.
    pub tab: TabFacts,
}

/// Payload of `window.focused`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct WindowFocus {
    /// The window.
    pub window_id: i64,
}

/// Payload of `debugger.detached`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DebuggerDetached {
    /// The tab.
    pub tab_id: i64,
    /// Chrome's word for why: `canceled_by_user`, `target_closed`, …
    pub reason: String,
}

/// The answer to one request.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// Id of the request.
    pub id: String,
    /// What came of it.
    pub outcome: Result<Value, Refusal>,
}

/// A request that failed in the extension.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Refusal {
    /// One sentence.
    pub error: String,
    /// Stable code; absent from extensions that know none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<ErrorCode>"))]
    pub code: Option<String>,
    /// Facts that help to say what to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "Record<string, unknown>"))]
    pub details: Option<Value>,
}

impl Refusal {
    /// The code, where it is one of ours.
    pub fn known_code(&self) -> Option<ErrorCode> {
        let code = self.code.as_ref()?;
        serde_json::from_value(Value::String(code.clone())).ok()
    }
}

/// Anything an extension may send.
#[derive(Debug, Clone, PartialEq)]
pub enum FromExtension {
    /// First frame.
    Handshake(Box<Handshake>),
    /// Answer to a request.
    Reply(Reply),
    /// Unasked news. `None` for an event this hub doesn't know, which is no error.
    Event(Option<Box<BrowserEvent>>),
    /// Sign of life, to be answered.
    Ping,
    /// Answer to ours.
    Pong,
}

/// A frame that could not be read.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// Not JSON.
    #[error("the frame is not JSON: {0}")]
    NotJson(serde_json::Error),
    /// JSON of the wrong shape.
    #[error("a frame of type {kind:?} has the wrong shape: {source}")]
    WrongShape {
        /// Its `type`.
        kind: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// Neither `type` nor `id`.
    #[error("the frame has neither a `type` nor an `id`")]
    Unrecognised,
    /// A `type` nobody here knows.
    #[error("unknown message type {0:?}")]
    UnknownType(String),
}

impl FrameError {
    /// The stable code the sender is told.
    pub fn code(&self) -> ErrorCode {
        match self {
            FrameError::UnknownType(_) => ErrorCode::UnknownMessage,
            _ => ErrorCode::MalformedFrame,
        }
    }
}

impl FromExtension {
    /// Reads one text frame.
    pub fn parse(text: &str) -> Result<Self, FrameError> {
        let frame: Value = serde_json::from_str(text).map_err(FrameError::NotJson)?;
        let Some(kind) = frame.get("type").and_then(Value::as_str).map(str::to_owned) else {
            return Self::parse_reply(frame);
        };
        let wrong = |source| FrameError::WrongShape { kind: kind.clone(), source };
        match kind.as_str() {
            "handshake" => serde_json::from_value(frame)
                .map(|handshake| Self::Handshake(Box::new(handshake)))
                .map_err(wrong),
            "event" => Self::parse_event(frame).map_err(wrong),
            "ping" => Ok(Self::Ping),
            "pong" => Ok(Self::Pong),
            _ => Err(FrameError::UnknownType(kind)),
        }
    }

    fn parse_event(frame: Value) -> Result<Self, serde_json::Error> {
        const KNOWN: [&str; 9] = [
            "tab.created",
            "tab.updated",
            "tab.activated",
            "tab.removed",
            "tab.replaced",
            "window.focused",
            "debugger.detached",
            "user.command",
            "page.context",
        ];
        let name = frame.get("event").and_then(Value::as_str).unwrap_or_default();
        if !KNOWN.contains(&name) {
            return Ok(Self::Event(None));
        }
        serde_json::from_value(frame).map(|event| Self::Event(Some(Box::new(event))))
    }

    fn parse_reply(mut frame: Value) -> Result<Self, FrameError> {
        let Some(id) = frame.get("id").and_then(Value::as_str).map(str::to_owned) else {
            return Err(FrameError::Unrecognised);
        };
        let outcome = if frame.get("error").is_some_and(|error| !error.is_null()) {
            let refusal = serde_json::from_value(frame)
                .map_err(|source| FrameError::WrongShape { kind: "reply".into(), source })?;
            Err(refusal)
        } else {
            Ok(frame.get_mut("result").map(Value::take).unwrap_or_default())
        };
        Ok(Self::Reply(Reply { id, outcome }))
    }
}

/// Anything the hub may send to an extension.
#[derive(Debug, Clone, PartialEq)]
pub enum ToExtension {
    /// The handshake was accepted.
    Ack(HandshakeAck),
    /// Do something.
    Request {
        /// Capability, or `batch`.
        kind: String,
        /// What it takes.
        payload: Value,
        /// Also the idempotency key.
        id: String,
        /// How long there is.
        deadline_ms: u64,
        /// It changes something: when it comes again under the same id it must
        /// be answered from memory, or refused as `outcome_unknown`.
        once: bool,
    },
    /// Stop doing it.
    Cancel {
        /// Id of the request.
        id: String,
    },
    /// How the agent sessions stand, for the user's eyes.
    Helm(Box<HelmState>),
    /// How much is wanted of what the user looks at.
    Tracking(Tracking),
    /// A frame of yours made no sense; the connection stays.
    Complaint {
        /// What was wrong.
        error: String,
        /// Its code.
        code: ErrorCode,
    },
    /// Sign of life, to be answered.
    Ping,
    /// Answer to yours.
    Pong,
}

impl ToExtension {
    /// The frame as text.
    pub fn to_text(&self) -> String {
        let frame = match self {
            Self::Ack(ack) => serde_json::json!({
                "type": "handshake_ack", "status": ack.status, "bridgeVersion": ack.bridge_version,
                "linkId": ack.link_id, "keepaliveMs": ack.keepalive_ms, "resumed": ack.resumed,
            }),
            Self::Request { kind, payload, id, deadline_ms, once } => serde_json::json!({
                "type": kind, "payload": payload, "id": id, "deadlineMs": deadline_ms, "once": once,
            }),
            Self::Cancel { id } => serde_json::json!({"type": "cancel", "id": id}),
            Self::Helm(state) => serde_json::json!({"type": "helm", "payload": state}),
            Self::Tracking(tracking) => {
                serde_json::json!({"type": "tracking", "payload": tracking})
            }
            Self::Complaint { error, code } => {
                serde_json::json!({"type": "error", "error": error, "code": code})
            }
            Self::Ping => serde_json::json!({"type": "ping"}),
            Self::Pong => serde_json::json!({"type": "pong"}),
        };
        frame.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handshake_without_protocol_is_protocol_one() {
        let text = r#"{"type":"handshake","clientType":"extension","clientId":"ext-1","pairingToken":"t","capabilities":[]}"#;
        let FromExtension::Handshake(handshake) = FromExtension::parse(text).unwrap() else {
            panic!("not a handshake")
        };
        assert_eq!(handshake.protocol, 1);
        assert_eq!(handshake.pairing_token.as_deref(), Some("t"));
    }

    #[test]
    fn a_bare_error_reply_has_no_code() {
        let reply = FromExtension::parse(r##"{"id":"msg-1","error":"Element not found: #b"}"##);
        let FromExtension::Reply(Reply { id, outcome: Err(refusal) }) = reply.unwrap() else {
            panic!("not a refusal")
        };
        assert_eq!((id.as_str(), refusal.known_code()), ("msg-1", None));
    }

    #[test]
    fn an_unknown_event_is_no_error_and_an_unknown_type_is() {
        let event = r#"{"type":"event","event":"moon.rose","payload":{},"seq":1}"#;
        assert_eq!(FromExtension::parse(event).unwrap(), FromExtension::Event(None));
        let error = FromExtension::parse(r#"{"type":"sing"}"#).unwrap_err();
        assert_eq!(error.code(), ErrorCode::UnknownMessage);
        let error = FromExtension::parse("{").unwrap_err();
        assert_eq!(error.code(), ErrorCode::MalformedFrame);
    }

    #[test]
    fn an_unknown_risk_counts_as_acting() {
        let risk: RiskLevel = serde_json::from_str("\"write\"").unwrap();
        assert_eq!(risk, RiskLevel::Act);
    }
}
