//! The user at the helm: what the hub tells an extension of the agent sessions
//! and their requests, and what the user orders in the extension's own pages.
//! Only Outrigger's own extension is told and listened to.

use serde::{Deserialize, Serialize};

/// The form of [`HelmState`]; another one is another number.
pub const HELM_VERSION: u32 = 2;

/// Colours that Chrome has for tab groups.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum GroupColour {
    /// The first session's.
    #[default]
    Cyan,
    /// The second's, and so on.
    Orange,
    /// Purple.
    Purple,
    /// Green.
    Green,
    /// Pink.
    Pink,
    /// Blue.
    Blue,
    /// Yellow.
    Yellow,
    /// Red.
    Red,
}

impl GroupColour {
    /// All of them, in the order in which sessions get them.
    pub const ALL: [GroupColour; 8] = [
        GroupColour::Cyan,
        GroupColour::Orange,
        GroupColour::Purple,
        GroupColour::Green,
        GroupColour::Pink,
        GroupColour::Blue,
        GroupColour::Yellow,
        GroupColour::Red,
    ];
}

/// Where a session's tabs go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SessionGroup {
    /// The session.
    pub session: String,
    /// What to write on the group.
    pub title: String,
    /// In which colour.
    pub colour: GroupColour,
    /// In a window of its own.
    pub own_window: bool,
}

/// Whether a session may go on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It may.
    #[default]
    Working,
    /// What it calls waits until it may again.
    Paused,
    /// What it calls is refused.
    Stopped,
}

/// How things stand. The whole of it, whenever something changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HelmState {
    /// [`HELM_VERSION`].
    pub version: u32,
    /// The user stopped everything, and has not let it go on yet.
    pub everything_stopped: bool,
    /// Sessions that are or were at work.
    pub sessions: Vec<AgentSession>,
    /// What agents ask of the user, oldest first.
    pub requests: Vec<UserRequest>,
    /// What the user decided for good; only a person's own browser is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub rules: Option<Rules>,
}

/// What the user decided for good.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Rules {
    /// What may be done where, and what not.
    pub policies: Vec<Rule>,
    /// Sites on one of the user's lists.
    pub sites: Vec<ListedSite>,
}

/// What may be done where, or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Rule {
    /// Pattern of permission keys.
    pub tools: String,
    /// Pattern of origins.
    pub origins: String,
    /// Whether it may happen.
    pub allow: bool,
}

/// A site on one of the user's lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ListedSite {
    /// It and all below it.
    pub domain: String,
    /// On which list.
    pub list: SiteList,
}

/// The user's lists of sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum SiteList {
    /// Others that look like it are warned of.
    Trusted,
    /// No agent goes there.
    Blocked,
}

/// A session, as the user sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AgentSession {
    /// Its name, in commands.
    pub session: String,
    /// The client's name.
    pub client: String,
    /// The colour of its group.
    pub colour: GroupColour,
    /// Whether it may go on.
    pub standing: Standing,
    /// Paused because the user cancelled the debugging bar.
    pub bar_cancelled: bool,
    /// The tool that it runs now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub doing: Option<String>,
    /// Its tabs in the browser that is told.
    pub tabs: Vec<i64>,
    /// How many tabs it has in other browsers.
    pub tabs_elsewhere: u32,
}

/// What an agent asks of the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct UserRequest {
    /// Its number, in answers.
    pub id: u64,
    /// Whose it is.
    pub session: String,
    /// The client's name.
    pub client: String,
    /// What kind.
    pub kind: RequestKind,
    /// The agent's words; of a permission, ours.
    pub what: String,
    /// What is to be decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub question: Option<PermissionQuestion>,
}

/// What the user is to decide before a call may run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PermissionQuestion {
    /// The permission's keys, as policies name them.
    pub keys: Vec<String>,
    /// Where, one or more.
    pub places: Vec<Place>,
    /// With what: the text that would be typed, the address that would be opened, and so on.
    pub with: Vec<Detail>,
    /// Asked each time: an answer can't be kept.
    pub each_time: bool,
    /// What it is about, where that is more than one call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub beyond: Option<Beyond>,
    /// What to watch out for, in sentences.
    pub warnings: Vec<String>,
    /// What the agent would get, as it would get it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub picture: Option<Picture>,
    /// Without an answer by then it is denied: milliseconds since the epoch.
    pub until_ms: i64,
}

/// What a question is about, beyond one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Beyond {
    /// The calls of a session that are still to come: there is no "once".
    Plan,
    /// What every agent may do from now on: it is confirmed, or not.
    Rules,
}

/// A picture of a page, as a data URL. It is shown, and written nowhere.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct Picture(String);

impl Picture {
    /// One in base64.
    pub fn new(mime_type: &str, base64: &str) -> Self {
        Picture(format!("data:{mime_type};base64,{base64}"))
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture of {} characters", self.0.len())
    }
}

/// Where something would happen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// What somebody had to register: `example.co.uk`; of a pattern or an address without
    /// a name all of it.
    pub domain: String,
    /// The origin in full, in ASCII as the browser resolves it, or the pattern.
    pub origin: String,
    /// As it would be read, where that differs from the ASCII.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub reads_as: Option<String>,
}

/// One thing that a call brings along.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Detail {
    /// What it is: `Text`, `Address`, `File`.
    pub label: String,
    /// All of it, as far as it fits.
    pub text: String,
}

/// How long an answer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum AnswerTerm {
    /// This time.
    Once,
    /// Until the agent session ends.
    Session,
    /// Until it is taken back.
    Always,
}

/// Kinds of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum RequestKind {
    /// Do something that only a person can or should.
    Human,
    /// Share the tab that the user is looking at.
    Tab,
    /// Allow something.
    Permission,
    /// Let what the user does be recorded.
    Record,
    /// Say when what is recorded is done.
    Recording,
}

/// What the user orders: payload of the event `user.command`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "command", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum UserCommand {
    /// Begin nothing new.
    Pause {
        /// The session.
        session: String,
    },
    /// Go on.
    Resume {
        /// The session.
        session: String,
    },
    /// End what runs, and begin nothing new.
    Stop {
        /// The session.
        session: String,
    },
    /// The same for every session, those that come later too.
    StopEverything,
    /// Take that back.
    GoOn,
    /// A tab becomes the session's.
    Share {
        /// The session.
        session: String,
        /// The tab.
        tab_id: i64,
    },
    /// A tab is nobody's but the user's.
    TakeBack {
        /// The tab.
        tab_id: i64,
    },
    /// What was asked for is done, or given.
    Accept {
        /// The request.
        request: u64,
        /// The tab that is given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        tab_id: Option<i64>,
    },
    /// It won't be.
    Refuse {
        /// The request.
        request: u64,
    },
    /// Something is no longer decided for good.
    ForgetRule {
        /// Pattern of permission keys.
        tools: String,
        /// Pattern of origins.
        origins: String,
    },
    /// A site goes on a list, or on none.
    ListSite {
        /// It and all below it.
        domain: String,
        /// Which.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(optional))]
        list: Option<SiteList>,
    },
    /// A permission is given, or not.
    Decide {
        /// The request.
        request: u64,
        /// Whether it may happen.
        allow: bool,
        /// For how long that holds.
        term: AnswerTerm,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_read_as_the_extension_writes_it() {
        for (text, command) in [
            (r#"{"command":"stopEverything"}"#, UserCommand::StopEverything),
            (
                r#"{"command":"share","session":"s","tabId":7}"#,
                UserCommand::Share { session: "s".into(), tab_id: 7 },
            ),
            (
                r#"{"command":"accept","request":2}"#,
                UserCommand::Accept { request: 2, tab_id: None },
            ),
        ] {
            assert_eq!(serde_json::from_str::<UserCommand>(text).unwrap(), command);
        }
    }
}
