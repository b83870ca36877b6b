//! The agent link: frames of `/agent`, between a process that serves one agent
//! (`outrigger mcp`, the command line) and the hub. The bearer token is in the
//! upgrade request; a frame never carries it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::codes::ErrorCode;

/// From the agent's process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromAgent {
    /// First frame.
    Hello(Hello),
    /// Run a tool.
    Call {
        /// Chosen by the agent's process, unique on the connection.
        id: u64,
        /// Its name.
        tool: String,
        /// Its arguments.
        arguments: Value,
        /// Who asks, once the agent's process knows better than in its hello.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        client: Option<String>,
    },
    /// Stop running it.
    Cancel {
        /// The call.
        id: u64,
    },
    /// Tell whenever what is at an address changes.
    Follow {
        /// Chosen by the agent's process, unique on the connection.
        id: u64,
        /// The resource's address.
        address: String,
    },
    /// Tell of it no more.
    Unfollow {
        /// What was followed.
        id: u64,
    },
    /// Ask the hub about itself.
    Query {
        /// Answered under this.
        id: u64,
        /// What.
        what: Query,
    },
    /// Order something about a session.
    Order {
        /// Answered under this.
        id: u64,
        /// The session.
        session: String,
        /// What it shall do.
        order: SessionOrder,
    },
}

/// Who is there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// The client's name, as people know it.
    pub client: String,
    /// Its session. The same name after a reconnect is the same session.
    pub session: String,
    /// Whether the session ends with the connection (a stdio client's does).
    pub ends_with_connection: bool,
    /// Give the session a throw-away browser of its own.
    pub launch: Option<Launch>,
    /// Give the session a window of its own.
    #[serde(default)]
    pub own_window: bool,
}

/// How to launch a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// Without a window.
    pub headless: bool,
}

/// What can be ordered about a session from a shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionOrder {
    /// Begin nothing new.
    Pause,
    /// Go on.
    Resume,
    /// End what runs, and begin nothing new.
    Stop,
}

/// What can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Query {
    /// Links, sessions, version, uptime.
    Status,
}

/// From the hub.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToAgent {
    /// Answer to `hello`.
    Welcome {
        /// The hub's version.
        version: String,
        /// Tools that exist only because an extension brought them.
        tools: Vec<DynamicTool>,
    },
    /// Answer to a call.
    Reply {
        /// The call.
        id: u64,
        /// What came of it.
        reply: CallReply,
    },
    /// What a call waits for, told while it waits for the user.
    Notice {
        /// The call.
        id: u64,
        /// For a person or a model to read.
        message: String,
    },
    /// From now on changes are told.
    Following {
        /// What is followed.
        id: u64,
    },
    /// What is followed changed; once or often since it was told last.
    Changed {
        /// What is followed.
        id: u64,
    },
    /// It can't be followed, or not any more.
    Unfollowed {
        /// What was to be followed.
        id: u64,
        /// Why.
        error: String,
        /// Its code.
        code: ErrorCode,
    },
    /// Answer to a query or an order.
    Answer {
        /// The query or order.
        id: u64,
        /// The answer.
        value: Value,
    },
    /// The set of dynamic tools is now this.
    Tools {
        /// All of them.
        tools: Vec<DynamicTool>,
    },
    /// The frame made no sense, or the hello was refused.
    Complaint {
        /// What was wrong.
        error: String,
        /// Its code.
        code: ErrorCode,
    },
}

/// A tool made from an extension's capability.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DynamicTool {
    /// `ext_<capability>`.
    pub name: String,
    /// One line.
    pub description: String,
    /// JSON Schema of its arguments.
    pub input_schema: Value,
    /// It changes nothing.
    pub read_only: bool,
}

/// What came of a call, ready to be handed to a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CallReply {
    /// Text and pictures, in order.
    pub content: Vec<Content>,
    /// Set when the call failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorCode>,
}

/// One piece of a reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Content {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A picture.
    Image {
        /// Base64.
        data: String,
        /// Its media type.
        mime_type: String,
    },
    /// A file, for a person or a program rather than for a model's eyes.
    File {
        /// What to call it.
        name: String,
        /// Base64.
        data: String,
        /// Its media type.
        mime_type: String,
    },
}

impl CallReply {
    /// The text pieces, one after the other.
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter_map(|piece| match piece {
            Content::Text { text } => Some(text.as_str()),
            Content::Image { .. } | Content::File { .. } => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}
