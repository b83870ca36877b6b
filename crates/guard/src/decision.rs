//! The decision. A [`Grant`] can be made here and nowhere else, and whatever
//! reaches a browser asks for one: what the guard hasn't seen can't run.

use std::fmt;

use crate::origin::Origin;

/// What a call would do, as a permission names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PermissionKey {
    /// Address, title and list of tabs.
    ReadInfo,
    /// Text and structure of a page.
    ReadDom,
    /// A picture of a page.
    ReadScreenshot,
    /// Everything about single elements: attributes, styles, markup.
    ReadElements,
    /// What a page wrote to its console.
    ReadConsole,
    /// What a page asked of the network, and what came back.
    ReadNetwork,
    /// Which cookies a site has, and what is in one.
    ReadCookies,
    /// What a page keeps in its storage.
    ReadStorage,
    /// What the browser measured of a page.
    ReadVitals,
    /// What a tab downloaded, and where it is saved.
    ReadDownloads,
    /// Go somewhere.
    Navigate,
    /// Click.
    Click,
    /// Type, press keys.
    Input,
    /// Scroll.
    Scroll,
    /// Run code of the caller's in a page.
    Evaluate,
    /// Wait.
    Wait,
    /// Give files of the machine, or of the agent's making, to a page.
    Upload,
    /// Open, close, select tabs.
    Tabs,
    /// Ask the user for something, who then decides.
    AskUser,
    /// Set and delete cookies.
    WriteCookies,
    /// Change what a page keeps in its storage.
    WriteStorage,
    /// Have a tab pretend to be on another device, elsewhere, or offline.
    Emulate,
    /// Call a tool that the page itself offers.
    PageTools,
    /// A capability that an extension brought along.
    Extension(String),
}

impl PermissionKey {
    /// All but those that extensions bring along.
    pub const ALL: [PermissionKey; 23] = [
        PermissionKey::ReadInfo,
        PermissionKey::ReadDom,
        PermissionKey::ReadScreenshot,
        PermissionKey::ReadElements,
        PermissionKey::ReadConsole,
        PermissionKey::ReadNetwork,
        PermissionKey::ReadCookies,
        PermissionKey::ReadStorage,
        PermissionKey::ReadVitals,
        PermissionKey::ReadDownloads,
        PermissionKey::Navigate,
        PermissionKey::Click,
        PermissionKey::Input,
        PermissionKey::Scroll,
        PermissionKey::Evaluate,
        PermissionKey::Wait,
        PermissionKey::Upload,
        PermissionKey::Tabs,
        PermissionKey::AskUser,
        PermissionKey::WriteCookies,
        PermissionKey::WriteStorage,
        PermissionKey::Emulate,
        PermissionKey::PageTools,
    ];

    /// Whether it is about what is inside a page, and not only about which page.
    pub fn looks_or_acts_inside(&self) -> bool {
        !matches!(
            self,
            PermissionKey::ReadInfo
                | PermissionKey::Navigate
                | PermissionKey::Tabs
                | PermissionKey::AskUser
        )
    }
}

impl fmt::Display for PermissionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = match self {
            PermissionKey::ReadInfo => "tab_read:info",
            PermissionKey::ReadDom => "tab_read:dom",
            PermissionKey::ReadScreenshot => "tab_read:screenshot",
            PermissionKey::ReadElements => "tab_read:elements",
            PermissionKey::ReadConsole => "tab_read:console",
            PermissionKey::ReadNetwork => "tab_read:network",
            PermissionKey::ReadCookies => "tab_read:cookies",
            PermissionKey::ReadStorage => "tab_read:storage",
            PermissionKey::ReadVitals => "tab_read:vitals",
            PermissionKey::Navigate => "tab_action:navigate",
            PermissionKey::Click => "tab_action:click",
            PermissionKey::Input => "tab_action:input",
            PermissionKey::Scroll => "tab_action:scroll",
            PermissionKey::ReadDownloads => "tab_read:downloads",
            PermissionKey::Evaluate => "tab_action:evaluate",
            PermissionKey::Wait => "tab_action:wait",
            PermissionKey::Upload => "tab_action:upload",
            PermissionKey::Tabs => "tab_action:tabs",
            PermissionKey::AskUser => "user:ask",
            PermissionKey::WriteCookies => "tab_action:cookies",
            PermissionKey::WriteStorage => "tab_action:storage",
            PermissionKey::Emulate => "tab_action:emulate",
            PermissionKey::PageTools => "tab_action:page_tools",
            PermissionKey::Extension(name) => return write!(f, "ext:{name}"),
        };
        f.write_str(key)
    }
}

/// Whose browser it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Launched by the hub with an empty profile that is thrown away after.
    ThrowAway,
    /// A person's own.
    Personal,
}

/// What a call wants to touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// What it would do.
    pub key: PermissionKey,
    /// On pages of this origin.
    pub origin: Origin,
    /// In whose browser.
    pub profile: Profile,
}

/// Proof that the guard allowed exactly this access.
#[derive(Debug)]
pub struct Grant {
    access: Access,
}

impl Grant {
    /// What was allowed.
    pub fn access(&self) -> &Access {
        &self.access
    }
}

/// Why a call may not run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Denial {
    /// A person's own browser, and there is no way yet to ask them.
    #[error(
        "{key} was not allowed: this is a person's own browser, and Outrigger can't ask its user \
         for permission yet. Use a throw-away browser instead (start with `--launch`)"
    )]
    NobodyToAsk {
        /// What was wanted. Where is not said: it would tell what the user has open.
        key: PermissionKey,
    },
}

/// Decides. Holds no state yet; policies come to live here.
#[derive(Debug, Default)]
pub struct Guard;

impl Guard {
    /// A throw-away profile has nothing to protect; elsewhere nothing happens
    /// that nobody allowed. Asking is open to everybody: the user answers.
    pub fn decide(&self, access: Access) -> Result<Grant, Denial> {
        match access.profile {
            _ if access.key == PermissionKey::AskUser => Ok(Grant { access }),
            Profile::ThrowAway => Ok(Grant { access }),
            Profile::Personal => Err(Denial::NobodyToAsk { key: access.key }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(profile: Profile) -> Access {
        Access { key: PermissionKey::Click, origin: Origin::of("https://example.com"), profile }
    }

    #[test]
    fn what_is_read_or_run_inside_a_page_has_a_key_of_its_own() {
        for (key, name) in [
            (PermissionKey::ReadElements, "tab_read:elements"),
            (PermissionKey::ReadConsole, "tab_read:console"),
            (PermissionKey::ReadNetwork, "tab_read:network"),
            (PermissionKey::Upload, "tab_action:upload"),
            (PermissionKey::ReadCookies, "tab_read:cookies"),
            (PermissionKey::WriteCookies, "tab_action:cookies"),
            (PermissionKey::ReadStorage, "tab_read:storage"),
            (PermissionKey::WriteStorage, "tab_action:storage"),
            (PermissionKey::ReadDownloads, "tab_read:downloads"),
            (PermissionKey::Evaluate, "tab_action:evaluate"),
        ] {
            assert_eq!(key.to_string(), name);
            assert!(key.looks_or_acts_inside(), "{name}");
        }
    }

    #[test]
    fn the_user_may_be_asked_in_any_browser() {
        for profile in [Profile::Personal, Profile::ThrowAway] {
            let asking = Access { key: PermissionKey::AskUser, ..access(profile) };
            assert!(Guard.decide(asking).is_ok());
        }
    }

    #[test]
    fn a_throw_away_profile_has_nothing_to_protect() {
        let grant = Guard.decide(access(Profile::ThrowAway)).unwrap();
        assert_eq!(grant.access().key, PermissionKey::Click);
    }

    #[test]
    fn in_a_persons_own_browser_nothing_is_allowed_that_nobody_allowed() {
        let denial = Guard.decide(access(Profile::Personal)).unwrap_err();
        let text = denial.to_string();
        assert!(text.starts_with("tab_action:click was not allowed"), "{text}");
        assert!(!text.contains("example.com"), "what the user has open is not told: {text}");
        assert!(text.contains("--launch"), "a denial names what to do: {text}");
    }
}
