//! Stable error codes. A model or a script may branch on them, so a code is
//! never renamed; the sentence beside it may change.

use serde::{Deserialize, Serialize};

/// Why a call did not do what was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// No tool of that name in the catalogue.
    UnknownTool,
    /// The arguments don't fit the tool's schema.
    InvalidArguments,
    /// The guard said no.
    NotAllowed,
    /// The caller's token is for less than this.
    OutOfScope,
    /// The address may never be a target (scheme, or the hub itself).
    ForbiddenUrl,
    /// No browser is linked.
    NoBrowser,
    /// Several browsers are linked and the call names none of them.
    WhichBrowser,
    /// The browser could not be launched.
    LaunchFailed,
    /// The tab does not exist, or no longer does.
    NoTab,
    /// The tab belongs to another agent session, or to the user.
    NotYourTab,
    /// The user paused the session.
    Paused,
    /// The user stopped the session.
    Stopped,
    /// The user was asked, and said no.
    UserRefused,
    /// The user has pressed nothing in Outrigger lately, which this takes.
    GestureRequired,
    /// The element of that ref is gone, or the ref was never given out.
    StaleRef,
    /// Nothing on the page matches.
    NotFound,
    /// Several elements match where one is meant.
    Ambiguous,
    /// The element can't be seen, so a person couldn't use it either.
    Hidden,
    /// Something else would get the event at that point.
    Covered,
    /// The element is disabled.
    Disabled,
    /// The element moved or was replaced between check and event.
    Moved,
    /// The element has another name than the one the agent was told.
    Changed,
    /// The element takes no text, or did not take this one.
    NotEditable,
    /// A dialog of the page is open, and the page waits for it.
    DialogOpen,
    /// A function of the caller's threw, did not end, or returned what has no form.
    EvaluationFailed,
    /// The page answers nothing.
    Unresponsive,
    /// The page's process is gone.
    TabCrashed,
    /// The page's origin is not the one the call was authorized for.
    OriginChanged,
    /// The navigation ended in an error (DNS, TLS, refused, aborted).
    NavigationFailed,
    /// The site asks for a name and a password in a prompt of the browser.
    AuthRequired,
    /// The browser lets no extension read or change this page.
    UnsupportedPage,
    /// The debugger could not attach to the tab.
    DebuggerRefused,
    /// The method is not on the debugger allow-list.
    MethodNotAllowed,
    /// The deadline passed.
    Timeout,
    /// The caller cancelled.
    Cancelled,
    /// The extension's connection went away in mid-call, before it took effect.
    LinkLost,
    /// The connection went away after the call was sent; it may have run.
    OutcomeUnknown,
    /// A record has another version than the change was made of.
    VersionMismatch,
    /// A record can't be so.
    BadRecord,
    /// There are no records to be had.
    NoRecords,
    /// A frame or a result is larger than allowed.
    TooLarge,
    /// A frame that isn't JSON or has the wrong shape.
    MalformedFrame,
    /// A message type nobody here knows.
    UnknownMessage,
    /// A capability failed with an error of its own.
    CapabilityFailed,
    /// A fault of ours.
    Internal,
}

impl ErrorCode {
    /// The code as it stands on the wire.
    pub fn as_str(self) -> &'static str {
        use ErrorCode::*;
        match self {
            UnknownTool => "unknown_tool",
            InvalidArguments => "invalid_arguments",
            NotAllowed => "not_allowed",
            OutOfScope => "out_of_scope",
            ForbiddenUrl => "forbidden_url",
            NoBrowser => "no_browser",
            WhichBrowser => "which_browser",
            LaunchFailed => "launch_failed",
            NoTab => "no_tab",
            NotYourTab => "not_your_tab",
            Paused => "paused",
            Stopped => "stopped",
            UserRefused => "user_refused",
            GestureRequired => "gesture_required",
            StaleRef => "stale_ref",
            NotFound => "not_found",
            Ambiguous => "ambiguous",
            Hidden => "hidden",
            Covered => "covered",
            Disabled => "disabled",
            Moved => "moved",
            Changed => "changed",
            NotEditable => "not_editable",
            DialogOpen => "dialog_open",
            EvaluationFailed => "evaluation_failed",
            Unresponsive => "unresponsive",
            TabCrashed => "tab_crashed",
            OriginChanged => "origin_changed",
            NavigationFailed => "navigation_failed",
            AuthRequired => "auth_required",
            UnsupportedPage => "unsupported_page",
            DebuggerRefused => "debugger_refused",
            MethodNotAllowed => "method_not_allowed",
            Timeout => "timeout",
            Cancelled => "cancelled",
            LinkLost => "link_lost",
            OutcomeUnknown => "outcome_unknown",
            VersionMismatch => "version_mismatch",
            BadRecord => "bad_record",
            NoRecords => "no_records",
            TooLarge => "too_large",
            MalformedFrame => "malformed_frame",
            UnknownMessage => "unknown_message",
            CapabilityFailed => "capability_failed",
            Internal => "internal",
        }
    }
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why the hub, or the host between it and a browser, closed an extension's connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub enum CloseCode {
    /// The handshake names a protocol this hub doesn't speak.
    UnsupportedProtocol = 4001,
    /// No handshake within five seconds of the upgrade.
    HandshakeTimeout = 4002,
    /// Wrong or missing credential.
    InvalidPairingToken = 4003,
    /// The same extension connected again.
    Replaced = 4004,
    /// The credential that it was let in with is good for nothing any more.
    Revoked = 4005,
    /// The native-messaging host serves no such extension.
    NotServed = 4006,
    /// The native-messaging host reaches no hub; the reason beside it says why.
    NoHub = 4007,
}

/// The reason beside [`CloseCode::Revoked`] where somebody else may have the
/// extension's tokens: its user has to know.
pub const REUSED_REASON: &str = "Refresh token used twice";

impl CloseCode {
    /// Every code with the reason that travels with it.
    pub const ALL: [(CloseCode, &'static str); 7] = [
        (CloseCode::UnsupportedProtocol, "Unsupported protocol"),
        (CloseCode::HandshakeTimeout, "Handshake timeout"),
        (CloseCode::InvalidPairingToken, "Invalid pairing token"),
        (CloseCode::Replaced, "Replaced by a newer connection"),
        (CloseCode::Revoked, "Revoked"),
        (CloseCode::NotServed, "This extension is not served"),
        (CloseCode::NoHub, "No hub"),
    ];

    /// The reason sent with the close frame.
    pub fn reason(self) -> &'static str {
        Self::ALL[(self as u16 - 4001) as usize].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_reads_the_same_in_json_and_in_text() {
        for code in [ErrorCode::StaleRef, ErrorCode::NoBrowser, ErrorCode::OutcomeUnknown] {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        }
    }

    #[test]
    fn a_close_code_has_the_reason_of_its_own_row() {
        for (code, reason) in CloseCode::ALL {
            assert_eq!(code.reason(), reason);
        }
    }
}
