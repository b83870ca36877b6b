//! What becomes of an action, whichever tool it was: tabs that it opened belong
//! to the session, and the reply tells where it led and what it changed.

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Fault, Reply};
use outrigger_guard::Origin;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::Settled;
use outrigger_protocol::link::TabFacts;

use crate::desk::Desk;
use crate::error::our_words;
use crate::page::{Page, host};
use crate::sessions::TabKey;
use crate::target::Pointed;

use super::aftermath::aftermath;
use super::downloads;
use super::words::{self, Place};

/// An action that was carried out.
pub(super) struct Done<'a> {
    /// What was done, in one sentence of ours.
    pub(super) said: String,
    /// To what; its own words are told where the agent could not know them.
    pub(super) to: Option<&'a Pointed>,
    /// What came of it.
    pub(super) settled: Settled,
    /// A key may have been pressed to move the focus; whoever clicks or types
    /// knows where it is.
    pub(super) tells_focus: bool,
}

impl Done<'_> {
    /// The reply to it.
    pub(super) async fn tell(
        mut self,
        desk: &Desk,
        page: &Page<'_>,
        circumstances: &Circumstances,
    ) -> Result<Reply, Fault> {
        // Whatever else presses something, as a drag does, is done without a click.
        self.settled.halfway = false;
        self.tell_click(desk, page, circumstances).await
    }

    /// The reply to a click, which is an error if none came of the press.
    pub(super) async fn tell_click(
        self,
        desk: &Desk,
        page: &Page<'_>,
        circumstances: &Circumstances,
    ) -> Result<Reply, Fault> {
        adopt(desk, page, circumstances, &self.settled);
        describe(page, self).await
    }
}

/// Tabs that an action opened belong to the session that acted.
pub(super) fn adopt(
    desk: &Desk,
    page: &Page<'_>,
    circumstances: &Circumstances,
    settled: &Settled,
) {
    let caller = &circumstances.caller;
    let keys = settled.opened.iter().map(|tab| page.key(tab.id));
    let keys: Vec<TabKey> = keys.collect();
    desk.sessions.with(&caller.session, &caller.client, |session| session.tabs.extend(keys));
}

/// Of a site that may not be read nothing is told but which one it is.
pub(super) fn place(page: &Page<'_>, tab: &TabFacts) -> Place {
    place_at(page, &tab.title, &tab.url)
}

fn place_at(page: &Page<'_>, title: &str, url: &str) -> Place {
    let origin = Origin::of(url);
    if page.may_tell(&origin) {
        return Place::new(title, url);
    }
    Place { title: String::new(), address: origin.to_string() }
}

/// What was done, where it led, and what it changed.
async fn describe(page: &Page<'_>, done: Done<'_>) -> Result<Reply, Fault> {
    let Done { mut said, to, mut settled, tells_focus } = done;
    let origin = Origin::of(&settled.tab.url);
    let may_tell = page.may_tell(&origin);
    let named = to.filter(|_| may_tell).and_then(|to| to.told.clone());
    let mut told: Vec<String> = named.into_iter().collect();
    if let Some(error) = &settled.failed {
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || "_:".contains(*c);
        let error: String = error.chars().filter(is_plain).collect();
        said.push_str(&format!(" The page that it leads to could not be loaded ({error})."));
        if let Some(reason) = &settled.failed_because {
            said.push_str(&format!(" {}.", our_words(reason)));
        }
    } else if settled.navigated {
        let answer = words::answered_with(settled.status);
        said.push_str(&format!(" The tab went to the page below{answer}."));
        if settled.is_pdf {
            said.push_str(words::PDF);
        }
    } else if settled.moved_within {
        said.push_str(" The page's address is the one below now.");
        told.push(place(page, &settled.tab).address);
    }
    if let Some(address) = &settled.held_back {
        said.push_str(
            " It leads out of the browser, to another program, by the address below. It was not \
             followed: nothing was opened. If it is wanted, ask the user to press it.",
        );
        if may_tell {
            told.push(address.clone());
        }
    }
    if settled.wants_files {
        said.push_str(
            " The page asks for a file. The browser's own window for that was held back: give \
             the file with browser_upload, to the field or the button that asks for it.",
        );
    }
    if !settled.asks_for.is_empty() {
        let is_plain = |name: &&str| name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        let names = settled.asks_for.iter().map(String::as_str).filter(is_plain);
        said.push_str(&format!(
            " The page wants something that the browser asks the user about, in that tab: {}. Only \
             they can answer. Ask them, with browser_ask_human, or go on without.",
            names.collect::<Vec<_>>().join(", ")
        ));
    }
    if settled.wants_print {
        said.push_str(
            " The page wants to print. The browser's print window was held back, since a page \
             stands still under it: browser_pdf saves the page, or ask the user to print it.",
        );
    }
    for download in &settled.downloads {
        said.push_str(
            " It began a download, told below; browser_downloads tells when it is there.",
        );
        told.push(downloads::in_words(download));
    }
    for tab in &settled.opened {
        said.push_str(&format!(" It opened tab {}.", tab.id));
        told.push(format!("tab {}: {}", tab.id, place(page, tab).address));
    }
    if settled.synthetic {
        said.push_str(
            " It was done with synthetic events, which a page can tell from a person's and may \
             ignore: the debugger can't attach to this tab.",
        );
    }
    if settled.by_script && !settled.synthetic {
        said.push_str(" The page could tell that a script helped.");
    }
    if let Some(url) = &settled.heading_for {
        said.push_str(
            " The tab is on its way to the address below and not there yet (unsettled): \
             browser_wait with url waits for it.",
        );
        told.push(place_at(page, "", url).address);
    } else if !settled.settled {
        said.push_str(" The page is still changing (unsettled).");
    }
    let mut is_comparable = settled.halfway && page.was_shown();
    let changes = match &settled.failed {
        Some(_) => Vec::new(),
        None if page.is_denied(&origin) => {
            said.push_str(
                " What the page shows now is not told: agents may not read that site. Go on \
                 elsewhere, with browser_navigate or in another tab.",
            );
            Vec::new()
        }
        None if !may_tell => {
            said.push_str(
                " What the page shows now is not told: reading it was not allowed yet. \
                 browser_snapshot asks for it.",
            );
            Vec::new()
        }
        None => aftermath(page, &mut settled, tells_focus).await.unwrap_or_else(|error| {
            // The action is done; that nobody can look is no reason to call it failed.
            is_comparable = false;
            said.push_str(&format!(" The page can't be looked at now ({}).", error.code()));
            Vec::new()
        }),
    };
    if is_comparable && may_tell && changes.is_empty() && led_nowhere(&settled) {
        said.push_str(
            " The page's text is as it was; what else the press alone did can't be known. Look at \
             the page before you press it again.",
        );
        return Err(Fault::tool(ErrorCode::Moved, said));
    }
    if changes.is_empty() && settled.navigated && settled.failed.is_none() {
        told.push(place(page, &settled.tab).to_string());
    } else if !changes.is_empty() && !settled.navigated {
        said.push_str(" What changed is below.");
    }
    told.extend(changes);
    let reply = Reply::said(said);
    if told.is_empty() {
        Ok(reply)
    } else {
        Ok(reply.page(host(&settled.tab.url), told.join("\n")))
    }
}

/// Whether it did nothing that is told beside the changes of the page.
fn led_nowhere(settled: &Settled) -> bool {
    !(settled.navigated || settled.moved_within || settled.wants_files || settled.wants_print)
        && settled.failed.is_none()
        && settled.held_back.is_none()
        && settled.heading_for.is_none()
        && settled.asks_for.is_empty()
        && settled.downloads.is_empty()
        && settled.opened.is_empty()
}
