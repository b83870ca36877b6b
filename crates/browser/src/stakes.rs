//! What can't be taken back is confirmed each time in a person's browser, on every
//! way that leads there: a press, Enter, a choice, a form that is sent, a tool of the page.

use std::sync::Arc;

use outrigger_dispatch::{Authorized, Fault};
use outrigger_guard::consequence::{Consequence, Control, Form, consequence};
use outrigger_guard::{Denial, Profile};
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::{
    FocusedOn, Frames, PageFunction, SentForm, Stake, StakesArgs, StakesBy,
};
use outrigger_snapshot::ElementKey;

use crate::browsers::LinkedBrowser;
use crate::desk::Desk;
use crate::error::BrowserError;
use crate::page::Page;
use crate::target::{Aimed, maybe_pointed_of};
use crate::turns::Turn;

/// Asks the user if what the call would set off can't be taken back. What it acts
/// on is settled by that: it can't become something else after. All of that is in the
/// call's turn, so that no other act changes what was judged; but others have theirs
/// while the user is asked.
pub async fn confirm<P>(
    desk: &Desk,
    turn: Turn,
    call: &mut Authorized<P, Aimed>,
    by: &StakesBy,
) -> Result<Turn, Fault> {
    if !is_guarded(call) {
        return Ok(turn);
    }
    let pointed = maybe_pointed_of(call).await?.1;
    if let Some(pointed) = &pointed {
        call.target.settle_on(pointed);
    }
    let element = pointed.map(|pointed| pointed.element);
    let (browser, tab) = (call.target.browser.clone(), call.target.tab);
    confirm_at(desk, turn, call, (&browser, tab), element.as_ref(), by).await
}

/// The same for an element of a tab, or whatever has the focus there.
pub async fn confirm_at<P, T>(
    desk: &Desk,
    turn: Turn,
    call: &mut Authorized<P, T>,
    place: (&Arc<LinkedBrowser>, i64),
    element: Option<&ElementKey>,
    by: &StakesBy,
) -> Result<Turn, Fault> {
    confirm_all(desk, turn, call, place, &[(element.cloned(), by.clone())]).await
}

/// The same for several, each of which has a question of its own.
pub async fn confirm_all<P, T>(
    desk: &Desk,
    mut turn: Turn,
    call: &mut Authorized<P, T>,
    place: (&Arc<LinkedBrowser>, i64),
    all: &[(Option<ElementKey>, StakesBy)],
) -> Result<Turn, Fault> {
    if !is_guarded(call) {
        return Ok(turn);
    }
    let before = stakes_of_all(call, place, all).await?;
    let mut is_asked = false;
    for (stake, consequence) in before.iter().filter_map(|stakes| gravest(stakes)) {
        is_asked = true;
        drop(turn);
        call.confirm(consequence, Some(in_words(stake))).await?;
        turn = desk.turn(call, place).await?;
    }
    // What was judged and confirmed is what was shown.
    if is_asked && stakes_of_all(call, place, all).await? != before {
        return Err(Denial::ChangedMeanwhile.into());
    }
    Ok(turn)
}

async fn stakes_of_all<P, T>(
    call: &Authorized<P, T>,
    (browser, tab): (&Arc<LinkedBrowser>, i64),
    all: &[(Option<ElementKey>, StakesBy)],
) -> Result<Vec<Vec<Stake>>, BrowserError> {
    let page = Page::of_tab(browser, tab, call.leave(), call.circumstances.deadline);
    let mut told = Vec::with_capacity(all.len());
    for (element, by) in all {
        told.push(stakes(&page, element.as_ref(), by).await?);
    }
    Ok(told)
}

/// Keys go to whatever has the focus. In a frame that may be of another site, for
/// which nobody gave leave.
pub async fn refuse_focus_in_frame(page: &Page<'_>) -> Result<(), Fault> {
    match page.ask(PageFunction::FocusedOn, ()).await? {
        FocusedOn::Frame => Err(Fault::tool(
            ErrorCode::NotAllowed,
            "The focus is in a frame, which may be of another site, so nothing was pressed. Give \
             the ref of the element that you mean.",
        )),
        FocusedOn::Text | FocusedOn::Other => Ok(()),
    }
}

/// Whether there is anything to protect.
pub fn is_guarded<P, T>(call: &Authorized<P, T>) -> bool {
    call.leave().grant().access().profile == Profile::Personal
}

/// What an element, or whatever has the focus, would set off.
pub async fn stakes(
    page: &Page<'_>,
    element: Option<&ElementKey>,
    by: &StakesBy,
) -> Result<Vec<Stake>, BrowserError> {
    let (origin, node) = (page.origin().to_string(), element.map(|key| key.node));
    let args = StakesArgs { origin, node, by: by.clone() };
    let frames = match element {
        Some(key) => Frames::Documents(vec![key.document.clone()]),
        None => Frames::All,
    };
    let answered = page.script(PageFunction::Stakes, args, frames).await?;
    let mut all = Vec::new();
    for value in answered.frames.into_iter().filter_map(|frame| frame.value) {
        let told: Vec<Stake> = serde_json::from_value(value)
            .map_err(|error| page.wrong_shape("stakes", error.to_string()))?;
        all.extend(told);
    }
    Ok(all)
}

/// The first that can't be taken back.
pub fn gravest(stakes: &[Stake]) -> Option<(&Stake, Consequence)> {
    stakes.iter().find_map(|stake| {
        let Stake { role, name, asked, form } = stake;
        consequence(&Control { role, name, asked, form: form.map(known) })
            .map(|consequence| (stake, consequence))
    })
}

fn known(form: SentForm) -> Form {
    match form {
        SentForm::Card => Form::Card,
        SentForm::NewPassword => Form::NewPassword,
        SentForm::Other => Form::Other,
    }
}

/// For the user to read.
pub fn in_words(stake: &Stake) -> String {
    format!("{} “{}”", stake.role, stake.name)
}
