//! The acts that permissions are about, by their names.

use std::fmt;

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
    /// Answer a dialog of the page.
    Dialog,
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
    /// Read and follow living records.
    ReadRecords,
    /// Write them.
    WriteRecords,
    /// List, record and run workflows; their steps are asked for by themselves.
    RunWorkflow,
    /// A capability that an extension brought along.
    Extension(String),
}

impl PermissionKey {
    /// All but those that extensions bring along.
    pub const ALL: [PermissionKey; 27] = [
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
        PermissionKey::Dialog,
        PermissionKey::Upload,
        PermissionKey::Tabs,
        PermissionKey::AskUser,
        PermissionKey::WriteCookies,
        PermissionKey::WriteStorage,
        PermissionKey::Emulate,
        PermissionKey::PageTools,
        PermissionKey::ReadRecords,
        PermissionKey::WriteRecords,
        PermissionKey::RunWorkflow,
    ];

    /// From the name that policies have for it.
    pub fn parse(name: &str) -> Option<Self> {
        let own = name.strip_prefix("ext:").filter(|own| !own.is_empty());
        let brought = own.map(|own| PermissionKey::Extension(own.to_owned()));
        brought.or_else(|| Self::ALL.into_iter().find(|key| key.to_string() == name))
    }

    /// Who may read all of a page may do this, too, unless it is decided otherwise.
    pub(crate) fn comes_with_reading(&self) -> bool {
        matches!(
            self,
            PermissionKey::ReadInfo
                | PermissionKey::ReadElements
                | PermissionKey::ReadVitals
                | PermissionKey::Wait
                | PermissionKey::Scroll
        )
    }

    /// Whether it is about what this program itself keeps, and about no browser.
    pub fn is_about_records(&self) -> bool {
        matches!(
            self,
            PermissionKey::ReadRecords | PermissionKey::WriteRecords | PermissionKey::RunWorkflow
        )
    }

    /// Whether it is about what is inside a page, and not only about which page.
    pub fn looks_or_acts_inside(&self) -> bool {
        !self.is_about_records()
            && !matches!(
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
            PermissionKey::Dialog => "tab_action:dialog",
            PermissionKey::Upload => "tab_action:upload",
            PermissionKey::Tabs => "tab_action:tabs",
            PermissionKey::AskUser => "user:ask",
            PermissionKey::WriteCookies => "tab_action:cookies",
            PermissionKey::WriteStorage => "tab_action:storage",
            PermissionKey::Emulate => "tab_action:emulate",
            PermissionKey::PageTools => "tab_action:page_tools",
            PermissionKey::ReadRecords => "record:read",
            PermissionKey::WriteRecords => "record:write",
            PermissionKey::RunWorkflow => "workflow:run",
            PermissionKey::Extension(name) => return write!(f, "ext:{name}"),
        };
        f.write_str(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let brought = PermissionKey::Extension("notes".into());
        for key in PermissionKey::ALL.into_iter().chain([brought]) {
            assert_eq!(PermissionKey::parse(&key.to_string()), Some(key));
        }
        assert_eq!(PermissionKey::parse("ext:"), None);
    }
}
