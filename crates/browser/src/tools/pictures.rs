//! Pictures of a page: `browser_screenshot`.

use std::sync::{Arc, PoisonError};

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::capabilities::{ImageFormat, Label, Screenshot, ScreenshotParams};
use outrigger_protocol::facts::{Node, flags};
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{Page, page_of};

use super::reading::read;

const QUALITY: u8 = 60;
const MAX_WIDTH: u32 = 1600;

/// `browser_screenshot`.
pub(super) struct TakeScreenshot(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TakeScreenshotParams {
    /// The whole page instead of the viewport.
    full_page: Option<bool>,
    /// Draw the refs on the picture.
    annotate: Option<bool>,
    /// Default: jpeg.
    format: Option<ImageFormat>,
    /// JPEG quality, 1 to 100. Default: 60.
    quality: Option<u8>,
    /// Default: 1600.
    max_width: Option<u32>,
}

impl Tool for TakeScreenshot {
    type Params = TakeScreenshotParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<TakeScreenshotParams>(
            "browser_screenshot",
            "A picture of the page.",
            RiskLevel::Read,
            ToolSet::Core,
        )
    }

    async fn aim(
        &self,
        _: &TakeScreenshotParams,
        circumstances: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(circumstances, PermissionKey::ReadScreenshot).await?)
    }

    async fn execute(
        &self,
        call: Authorized<TakeScreenshotParams, TabTarget>,
    ) -> Result<Reply, Fault> {
        let wanted = &call.params;
        let page = page_of(&self.0, &call, false).await?;
        let full_page = wanted.full_page.unwrap_or(false);
        let labels = if wanted.annotate.unwrap_or(false) {
            labels(&page, full_page).await?
        } else {
            Vec::new()
        };
        let params = ScreenshotParams {
            tab_id: page.tab,
            format: wanted.format.unwrap_or_default(),
            quality: wanted.quality.unwrap_or(QUALITY).clamp(1, 100),
            max_width: wanted.max_width.unwrap_or(MAX_WIDTH).clamp(16, 8192),
            full_page,
            clip: None,
            labels,
        };
        let shot: Screenshot = page.request("screenshot", params).await?;
        let kilobytes = shot.data.len() * 3 / 4 / 1000;
        let said = format!("{}×{} {}, {kilobytes} kB.", shot.width, shot.height, shot.mime_type);
        Ok(Reply::said(said).image(shot.data, shot.mime_type))
    }
}

/// A label for every control of the main frame that is in the picture.
async fn labels(page: &Page<'_>, full_page: bool) -> Result<Vec<Label>, BrowserError> {
    let (frames, _) = read(page).await?;
    let view = page.view()?;
    let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
    let main = &frames[0];
    let controls = main.facts.nodes.iter().filter_map(|node| match node {
        Node::Element(element) if element.has(flags::CONTROL) && element.id != 0 => Some(element),
        _ => None,
    });
    let controls = controls.filter(|element| full_page || element.has(flags::IN_VIEWPORT));
    let labelled = controls.map(|element| Label {
        text: view.refs.name(&main.document, element.id).to_string(),
        rect: element.rect,
    });
    Ok(labelled.collect())
}
