//! Other names for what exists already, with their own parameters:
//! `type`, `read_page`, `get_page_text`, `find`, `tab_read` and its older names,
//! `extract_page`, `capture_screen`, `list_tabs`.

use std::sync::Arc;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::{FocusedOn, FrameResult, Frames, ImageFormat, PageFunction};
use outrigger_protocol::inspection::Selector;
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::cdp::{self, InsertText};
use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{Page, host, page_of};
use crate::query::Asked;
use crate::selector::Wanted;
use crate::stakes;

use super::acting::Done;
use super::pictures::{TakeScreenshotParams, screenshot};
use super::reading::{SnapshotParams, snapshot};
use super::text::{GetVisibleTextParams, visible_text};
use super::words::Place;

/// A tool under another name. Everything but the name is the tool's own.
pub(super) struct Also<T> {
    tool: T,
    name: &'static str,
}

impl<T: Tool> Also<T> {
    pub(super) fn new(name: &'static str, tool: T) -> Self {
        Also { tool, name }
    }
}

impl<T: Tool> Tool for Also<T> {
    type Params = T::Params;
    type Target = T::Target;

    fn definition(&self) -> Definition {
        Definition { name: self.name.into(), set: ToolSet::Compat, ..self.tool.definition() }
    }

    async fn aim(&self, params: &T::Params, at: &Circumstances) -> Result<Aim<T::Target>, Fault> {
        self.tool.aim(params, at).await
    }

    async fn execute(&self, call: Authorized<T::Params, T::Target>) -> Result<Reply, Fault> {
        self.tool.execute(call).await
    }
}

/// What `tab_read` can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Mode {
    /// Address and title.
    Info,
    /// The page's text.
    Dom,
    /// A picture.
    Screenshot,
    /// What can be clicked or typed into.
    Elements,
}

impl Mode {
    fn key(self) -> PermissionKey {
        match self {
            Mode::Info => PermissionKey::ReadInfo,
            Mode::Dom => PermissionKey::ReadDom,
            Mode::Screenshot => PermissionKey::ReadScreenshot,
            Mode::Elements => PermissionKey::ReadElements,
        }
    }
}

/// `tab_read`.
pub(super) struct TabRead(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TabReadParams {
    mode: Mode,
    /// Of the text. Default: 8000.
    max_tokens: Option<usize>,
    /// Of the picture. Default: png.
    format: Option<ImageFormat>,
    /// Of a JPEG, 1 to 100.
    quality: Option<u32>,
}

impl Tool for TabRead {
    type Params = TabReadParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<TabReadParams>(
            "tab_read",
            "Read the tab: its info, its text, a screenshot, or the elements that can be used, with selectors.",
            RiskLevel::Read,
            ToolSet::Compat,
        )
    }

    async fn aim(
        &self,
        params: &TabReadParams,
        at: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, params.mode.key()).await?)
    }

    async fn execute(&self, call: Authorized<TabReadParams, TabTarget>) -> Result<Reply, Fault> {
        let page = page_of(&self.0, &call, false).await?;
        read(&page, &call.params).await
    }
}

/// `tab_info`, `tab_read_dom`, `tab_screenshot`: one mode of `tab_read` each.
pub(super) struct TabReadAs {
    desk: Arc<Desk>,
    name: &'static str,
    mode: Mode,
}

impl TabReadAs {
    pub(super) fn new(desk: &Arc<Desk>, name: &'static str, mode: Mode) -> Self {
        TabReadAs { desk: desk.clone(), name, mode }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TabReadAsParams {
    /// Of the text. Default: 8000.
    max_tokens: Option<usize>,
    /// Of the picture. Default: png.
    format: Option<ImageFormat>,
    /// Of a JPEG, 1 to 100.
    quality: Option<u32>,
}

impl Tool for TabReadAs {
    type Params = TabReadAsParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<TabReadAsParams>(
            self.name,
            "One mode of tab_read under its older name.",
            RiskLevel::Read,
            ToolSet::Compat,
        )
    }

    async fn aim(&self, _: &TabReadAsParams, at: &Circumstances) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.desk.aim(at, self.mode.key()).await?)
    }

    async fn execute(&self, call: Authorized<TabReadAsParams, TabTarget>) -> Result<Reply, Fault> {
        let page = page_of(&self.desk, &call, false).await?;
        let TabReadAsParams { max_tokens, format, quality } = call.params;
        read(&page, &TabReadParams { mode: self.mode, max_tokens, format, quality }).await
    }
}

async fn read(page: &Page<'_>, wanted: &TabReadParams) -> Result<Reply, Fault> {
    match wanted.mode {
        Mode::Info => info(page),
        Mode::Dom => {
            let params =
                GetVisibleTextParams { max_tokens: wanted.max_tokens, ..Default::default() };
            visible_text(page, &params).await
        }
        Mode::Screenshot => {
            // Whoever speaks of quality means a JPEG.
            let usual = wanted.quality.map_or(ImageFormat::Png, |_| ImageFormat::Jpeg);
            let (format, quality) = (Some(wanted.format.unwrap_or(usual)), wanted.quality);
            screenshot(page, &TakeScreenshotParams { format, quality, ..Default::default() }).await
        }
        Mode::Elements => elements(page).await,
    }
}

fn info(page: &Page<'_>) -> Result<Reply, Fault> {
    let tab = page.facts()?;
    let loading = if tab.loading { "loading" } else { "complete" };
    let Place { title, address } = Place::of_tab(&tab);
    let text = format!("id: {}\ntitle: {title}\nurl: {address}\nstatus: {loading}", tab.id);
    Ok(Reply::default().page(host(&tab.url), text))
}

/// What can be clicked or typed into, each with a selector.
const CANDIDATES: &str = "a[href],button,input:not([type=hidden]),select,textarea,summary,[onclick],\
     [contenteditable]:not([contenteditable=false]),[tabindex]:not([tabindex='-1']),[role=button],[role=link],\
     [role=tab],[role=menuitem],[role=checkbox],[role=switch],[role=radio],[role=option],[role=combobox],\
     [role=textbox],[role=searchbox],[role=slider],[role=spinbutton],[role=treeitem]";

async fn elements(page: &Page<'_>) -> Result<Reply, Fault> {
    let asked = Asked { limit: 200, visible_only: true, ..Asked::default() };
    let selector = Wanted::Matching(Selector::Css(CANDIDATES.to_owned()));
    let answer = page.query(&selector, asked).await?;
    let mut lines: Vec<String> = answer
        .found
        .iter()
        .map(|found| format!("{} css={:?}", found.headline(), found.item.hint))
        .collect();
    let left = (answer.total as usize).saturating_sub(lines.len());
    if left > 0 {
        lines.push(format!("… {left} more"));
    }
    if lines.is_empty() {
        return Ok(Reply::said("Nothing on the page can be clicked or typed into."));
    }
    Ok(Reply::default().page(host(&page.facts()?.url), lines.join("\n")))
}

/// `type`: into whatever has the focus.
pub(super) struct TypeIntoFocus(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TypeIntoFocusParams {
    text: String,
}

impl Tool for TypeIntoFocus {
    type Params = TypeIntoFocusParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<TypeIntoFocusParams>(
            "type",
            "Type text into whatever has the focus.",
            RiskLevel::Act,
            ToolSet::Compat,
        )
    }

    async fn aim(
        &self,
        _: &TypeIntoFocusParams,
        at: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::Input).await?)
    }

    async fn execute(
        &self,
        call: Authorized<TypeIntoFocusParams, TabTarget>,
    ) -> Result<Reply, Fault> {
        if call.target.tab.is_none() {
            return Err(BrowserError::NoCurrentTab.into());
        }
        let page = page_of(&self.0, &call, true).await?;
        let turn = self.0.turn(&call, page.place()).await?;
        if !has_text_in_focus(&page).await? {
            let message = "Nothing that takes text has the focus, so nothing was typed. Click a \
                           field first, or use browser_type with its ref.";
            return Err(Fault::tool(ErrorCode::NotEditable, message));
        }
        if stakes::is_guarded(&call) {
            stakes::refuse_focus_in_frame(&page).await?;
            page.refuse_elsewhere()?;
        }
        let text = InsertText { text: call.params.text.clone() };
        let settled = page.act(&turn, vec![cdp::command(page.tab, &text)]).await?;
        let said = "Typed into what has the focus.".to_owned();
        let done = Done { said, to: None, settled, tells_focus: true };
        done.tell(&self.0, &page, &call.circumstances).await
    }
}

/// Of a frame that is focused only the frame itself knows what in it is.
async fn has_text_in_focus(page: &Page<'_>) -> Result<bool, BrowserError> {
    let looked = page.script(PageFunction::FocusedOn, (), Frames::All).await?;
    let on = |frame: &FrameResult| FocusedOn::deserialize(frame.value.as_ref()?).ok();
    let main = looked.frames.iter().find(|frame| frame.frame_id == 0).and_then(on);
    Ok(match main {
        Some(FocusedOn::Frame) => {
            looked.frames.iter().any(|frame| on(frame) == Some(FocusedOn::Text))
        }
        main => main == Some(FocusedOn::Text),
    })
}

/// `read_page`: the snapshot of the whole page.
pub(super) struct ReadPage(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadPageParams {}

impl Tool for ReadPage {
    type Params = ReadPageParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<ReadPageParams>(
            "read_page",
            "The page as text, with a ref for everything that can be used.",
            RiskLevel::Read,
            ToolSet::Compat,
        )
    }

    async fn aim(&self, _: &ReadPageParams, at: &Circumstances) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::ReadDom).await?)
    }

    async fn execute(&self, call: Authorized<ReadPageParams, TabTarget>) -> Result<Reply, Fault> {
        let page = page_of(&self.0, &call, false).await?;
        snapshot(&page, &SnapshotParams::default()).await
    }
}
