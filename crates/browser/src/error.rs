//! What can go wrong between a call and a browser, each with what to do.

use outrigger_dispatch::Fault;
use outrigger_dispatch::fault::PageWords;
use outrigger_guard::headers::redact_urls_in;
use outrigger_protocol::ErrorCode;

use crate::link::LinkError;
use crate::sessions::Owner;

/// A call that did not reach its aim.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BrowserError {
    /// None is linked.
    #[error(
        "No browser is linked. Start one with `outrigger up --launch`, or load the extension into \
         your own browser and paste the token that `outrigger pair` prints into its options page"
    )]
    NoBrowser,
    /// The browser of this session could not be launched.
    #[error("The browser could not be launched: {0}")]
    LaunchFailed(String),
    /// No linked browser has that name.
    #[error("No linked browser is called {asked:?}. Linked: {linked}")]
    UnknownBrowser {
        /// What was asked for.
        asked: String,
        /// What there is.
        linked: String,
    },
    /// Several could be meant.
    #[error("Several browsers are linked. Say which one with `browser`: {linked}")]
    WhichBrowser {
        /// What there is.
        linked: String,
    },
    /// No such tab.
    #[error("There is no tab {0}. `browser_tabs` with action \"list\" shows those there are")]
    NoTab(i64),
    /// The session has none.
    #[error("This session has no tab yet. Open a page with browser_navigate first")]
    NoCurrentTab,
    /// Somebody else's.
    #[error(
        "Tab {tab} belongs to another agent session ({}, {}). Work in a tab of your own",
        .owner.client, .owner.session
    )]
    NotYourTab {
        /// The tab.
        tab: i64,
        /// Whose it is.
        owner: Owner,
    },
    /// The user's, who hasn't shared it.
    #[error(
        "Tab {0} is the user's own. Work in a tab of your own, or ask for the tab that the user is \
         looking at with browser_tabs, action \"request\""
    )]
    UsersTab(i64),
    /// A page led there by itself.
    #[error(
        "The tab is at {0}, Outrigger's own address, which no agent may use. Navigate elsewhere"
    )]
    AtTheHub(String),
    /// The page became another one.
    #[error(
        "The tab is at a page of another site than the one that this was allowed for, so it was not \
         read. Look where it is with browser_tabs, and ask for that page"
    )]
    OriginChanged,
    /// A point that is in a frame which may not be looked into.
    #[error(
        "At that point is a frame of another site, which this was not allowed for, so nothing was \
         done. Go on without it, or ask for that site with browser_request_access"
    )]
    FrameOfAnotherSite,
    /// Not something that was ever given out, or no longer alive.
    #[error(
        "{0} is not on the page any more (or never was). Take a new browser_snapshot and use a ref from it"
    )]
    StaleRef(String),
    /// It has no place on the page.
    #[error(
        "{0} can't be pictured: it is hidden, has no size, or is in a frame whose place is unknown. \
         Take a picture of the page instead"
    )]
    NothingToShow(String),
    /// No such section.
    #[error(
        "There is no section {0} on the page now. Take a new browser_snapshot and use a section from it"
    )]
    NoSection(String),
    /// Not a ref.
    #[error(
        "{0:?} is not a ref. Refs look like e12 and come from browser_snapshot or browser_find"
    )]
    NotARef(String),
    /// A target that isn't one.
    #[error(
        "{0}. Say it in one way: `ref` (from a snapshot), `selector` (CSS, text=…, role=…, \
         xpath=…), or `x` and `y`"
    )]
    BadTarget(&'static str),
    /// No folder is named.
    #[error(
        "No file of this machine may be uploaded: the user has named no folder for that. Ask them \
         to set `upload_roots` in config.toml (or OUTRIGGER_UPLOAD_ROOTS), or give the file as \
         {{name, mime, base64}}"
    )]
    NoUploads,
    /// Not below a folder that is named.
    #[error("{path:?} may not be uploaded. Files below these folders may: {}", roots.join(", "))]
    OutsideUploads {
        /// What was asked for.
        path: String,
        /// The folders.
        roots: Vec<String>,
    },
    /// Nothing there, or nothing that can be read.
    #[error("There is no file {0:?} that could be read. Check the path")]
    NoSuchFile(String),
    /// Too much for the link.
    #[error("The files are too large to be handed to the page. Use smaller ones")]
    UploadTooLarge,
    /// Not base64.
    #[error("`base64` of a file is not base64. Encode its bytes with the standard alphabet")]
    BadBytes,
    /// No such key.
    #[error(
        "There is no key {0:?}. Examples: Enter, Escape, ArrowDown, F5, a, Control+a, Shift+Tab"
    )]
    NoSuchKey(String),
    /// What was waited for did not come about.
    #[error("{0}")]
    WaitedInVain(String),
    /// The history has nothing there.
    #[error("{0}")]
    NotFound(String),
    /// One document after the other was gone before it could be read.
    #[error(
        "The tab loads one page after the other, and each was gone before it could be read. Wait \
         with browser_wait for what you expect there, then look again"
    )]
    KeepsLoading,
    /// The link failed or refused.
    #[error("{}", link_sentence(.error, *.acting, *.is_own))]
    Link {
        /// How.
        error: LinkError,
        /// Whether the call could have changed something.
        acting: bool,
        /// Whether the capability is one of ours, whose sentences are ours too.
        is_own: bool,
        /// Host of the page, for words of the page in the refusal.
        domain: String,
    },
}

fn link_sentence(error: &LinkError, acting: bool, is_own: bool) -> String {
    match error {
        LinkError::LostMeanwhile if acting => "The browser's connection was lost in mid-call, so \
             it is unknown whether this happened. Look at the page before doing it again"
            .to_owned(),
        LinkError::LostBefore | LinkError::LostMeanwhile => {
            "The browser's connection was lost. Nothing was changed; call again".to_owned()
        }
        LinkError::Refused(refusal) if refusal.known_code() == Some(ErrorCode::StaleRef) => {
            "That element is not on the page any more. Take a new browser_snapshot and use a ref \
             from it"
                .to_owned()
        }
        LinkError::Refused(refusal)
            if acting && !is_own && refusal.known_code() == Some(ErrorCode::Timeout) =>
        {
            "The browser did not finish in time, so it is unknown whether this happened. Look at \
             the page before doing it again"
                .to_owned()
        }
        LinkError::Refused(refusal) if is_own => our_words(&refusal.error),
        LinkError::Refused(_) => {
            "The extension's capability failed; its words are below".to_owned()
        }
        LinkError::WrongShape { .. } => error.to_string(),
    }
}

/// The extension's own sentences hold no words of a page; what could open or
/// close a fence is taken out all the same.
pub(crate) fn our_words(sentence: &str) -> String {
    let plain = sentence.chars().filter(|c| !matches!(c, '<' | '>') && !c.is_control());
    plain.take(400).collect::<String>().trim_end_matches('.').to_owned()
}

impl BrowserError {
    /// Whether a press was stopped before any page saw it: nothing happened yet.
    pub fn was_stopped(&self) -> bool {
        let BrowserError::Link { error: LinkError::Refused(refusal), .. } = self else {
            return false;
        };
        let details = refusal.details.as_ref();
        details.is_some_and(|details| details.get("stopped").is_some_and(|stopped| stopped == true))
    }

    /// The stable code.
    pub fn code(&self) -> ErrorCode {
        match self {
            BrowserError::NoBrowser => ErrorCode::NoBrowser,
            BrowserError::LaunchFailed(_) => ErrorCode::LaunchFailed,
            BrowserError::UnknownBrowser { .. } | BrowserError::WhichBrowser { .. } => {
                ErrorCode::WhichBrowser
            }
            BrowserError::NoTab(_) | BrowserError::NoCurrentTab => ErrorCode::NoTab,
            BrowserError::NotYourTab { .. } | BrowserError::UsersTab(_) => ErrorCode::NotYourTab,
            BrowserError::OriginChanged => ErrorCode::OriginChanged,
            BrowserError::AtTheHub(_) => ErrorCode::ForbiddenUrl,
            BrowserError::StaleRef(_) | BrowserError::NoSection(_) => ErrorCode::StaleRef,
            BrowserError::NotARef(_)
            | BrowserError::BadTarget(_)
            | BrowserError::NoSuchKey(_)
            | BrowserError::BadBytes => ErrorCode::InvalidArguments,
            BrowserError::NoUploads
            | BrowserError::OutsideUploads { .. }
            | BrowserError::FrameOfAnotherSite => ErrorCode::NotAllowed,
            BrowserError::NoSuchFile(_) => ErrorCode::NotFound,
            BrowserError::UploadTooLarge => ErrorCode::TooLarge,
            BrowserError::NothingToShow(_) => ErrorCode::Hidden,
            BrowserError::KeepsLoading => ErrorCode::Unresponsive,
            BrowserError::WaitedInVain(_) => ErrorCode::Timeout,
            BrowserError::NotFound(_) => ErrorCode::NotFound,
            BrowserError::Link { error, acting, .. } => error.code(*acting),
        }
    }
}

impl From<BrowserError> for Fault {
    fn from(error: BrowserError) -> Self {
        let page = match &error {
            BrowserError::Link { error: LinkError::Refused(refusal), domain, is_own, .. } => {
                let by = refusal.details.as_ref().and_then(|d| d.get("by")?.as_str());
                let words = by.or((!is_own).then_some(refusal.error.as_str()));
                words.map(|text| PageWords { domain: domain.clone(), text: redact_urls_in(text) })
            }
            _ => None,
        };
        Fault::Tool { code: error.code(), message: format!("{error}."), page }
    }
}
