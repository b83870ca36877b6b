//! One act at a time in a tab: the extension and its page script hold one state a tab
//! (what was prepared, the guard of a press, the field that is ready for text), which
//! acts at once would mix. Whoever only looks or waits takes no turn, and nobody
//! keeps one while the user is asked.

use std::sync::Arc;

use outrigger_dispatch::{Authorized, Fault};
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::browsers::LinkedBrowser;
use crate::desk::Desk;
use crate::error::BrowserError;

/// The turns of a tab. Whoever asked first has it first.
pub(crate) type Turns = Arc<Mutex<()>>;

/// The right to act in a tab, until it is dropped. Whatever acts asks for one.
#[must_use]
pub struct Turn {
    _held: Option<OwnedMutexGuard<()>>,
}

impl Turn {
    /// For the answer to a dialog, which the act before it may stand still under, and for
    /// what has had its turn and may wait for what comes after.
    pub fn out_of_order() -> Self {
        Turn { _held: None }
    }

    fn of(held: OwnedMutexGuard<()>) -> Self {
        Turn { _held: Some(held) }
    }
}

impl Desk {
    /// Waits for the call's turn in a tab.
    pub async fn turn<P, T>(
        &self,
        call: &Authorized<P, T>,
        (browser, tab): (&Arc<LinkedBrowser>, i64),
    ) -> Result<Turn, Fault> {
        let turns = browser.turns(tab).ok_or(BrowserError::NoTab(tab))?;
        if let Ok(held) = turns.clone().try_lock_owned() {
            return Ok(Turn::of(held));
        }
        loop {
            let turn = Turn::of(turns.clone().lock_owned().await);
            tokio::select! {
                biased;
                admitted = call.readmit() => {
                    admitted?;
                    browser.tab(tab).ok_or(BrowserError::NoTab(tab))?;
                    self.refuse_others(&call.circumstances.caller, browser, tab)?;
                    return Ok(turn);
                }
                () = std::future::ready(()) => {}
            }
            // Paused meanwhile: the tab may be given to another session before it goes on.
            drop(turn);
            call.readmit().await?;
        }
    }
}
