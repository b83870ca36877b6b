//! Pictures of a page, on the screen and on paper: `browser_screenshot`,
//! `browser_pdf`.

use std::ops::RangeInclusive;
use std::sync::{Arc, PoisonError};

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::{ImageFormat, Label, Screenshot, ScreenshotParams};
use outrigger_protocol::diagnostics::{Pdf, PdfParams};
use outrigger_protocol::facts::{FactsArgs, Node, flags};
use outrigger_protocol::link::RiskLevel;
use outrigger_snapshot::{Ref, placement};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{Page, page_of};
use crate::query::Asked;
use crate::selector::Wanted;

use super::reading::glance;

const QUALITY: u8 = 60;
const QUALITIES: RangeInclusive<u32> = 1..=100;
const MAX_WIDTH: u32 = 1600;
/// Below, nothing can be seen; above, no model looks at it.
const WIDTHS: RangeInclusive<u32> = 16..=8192;
/// In pixels; the extension cuts off there.
const TALLEST: u32 = 16_384;
/// What the browser can print at.
const SCALES: RangeInclusive<f64> = 0.1..=2.0;

/// `browser_screenshot`.
pub(super) struct TakeScreenshot(pub(super) Arc<Desk>);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TakeScreenshotParams {
    /// The whole page instead of the viewport.
    pub(super) full_page: Option<bool>,
    /// Only this element.
    pub(super) r#ref: Option<String>,
    /// Draw the refs on the picture.
    pub(super) annotate: Option<bool>,
    /// Default: jpeg.
    pub(super) format: Option<ImageFormat>,
    /// JPEG quality, 1 to 100. Default: 60.
    pub(super) quality: Option<u32>,
    /// Default: 1600.
    pub(super) max_width: Option<u32>,
}

impl Tool for TakeScreenshot {
    type Params = TakeScreenshotParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<TakeScreenshotParams>(
            "browser_screenshot",
            "A picture of the page.",
            RiskLevel::Read,
            ToolSet::Core(Family::Reading),
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
        let page = page_of(&self.0, &call, false).await?;
        screenshot(&page, &call.params).await
    }
}

/// A picture as it is asked for, with its size.
pub(super) async fn screenshot(
    page: &Page<'_>,
    wanted: &TakeScreenshotParams,
) -> Result<Reply, Fault> {
    let quality = wanted.quality.unwrap_or_else(|| QUALITY.into());
    let max_width = wanted.max_width.unwrap_or(MAX_WIDTH);
    for (name, value, range) in [("quality", quality, QUALITIES), ("max_width", max_width, WIDTHS)]
    {
        if !range.contains(&value) {
            let message = format!("`{name}` is from {} to {}.", range.start(), range.end());
            return Err(Fault::tool(ErrorCode::InvalidArguments, message));
        }
    }
    let full_page = wanted.full_page.unwrap_or(false);
    let clip = match &wanted.r#ref {
        Some(name) => Some(place_of(page, name).await?),
        None => None,
    };
    let labels = if wanted.annotate.unwrap_or(false) {
        labels(page, full_page || clip.is_some()).await?
    } else {
        Vec::new()
    };
    let params = ScreenshotParams {
        tab_id: page.tab,
        format: wanted.format.unwrap_or_default(),
        quality: u8::try_from(quality).unwrap_or(QUALITY),
        max_width,
        full_page: full_page && clip.is_none(),
        clip,
        labels,
    };
    let shot: Screenshot = page.request("screenshot", params).await?;
    let kilobytes = shot.data.len() * 3 / 4 / 1000;
    let Screenshot { width, height, .. } = shot;
    let mut said = format!("{width}×{height} {}, {kilobytes} kB.", shot.mime_type);
    if is_as_tall_as_can_be(width, height) {
        said.push_str(
            " No picture is taller: what is further down is not on it. Scroll there, or picture \
             an element by its ref.",
        );
    }
    Ok(Reply::said(said).image(shot.data, shot.mime_type))
}

/// A picture that ends where the browser's own do. Its height may be off by what
/// rounding its width to whole pixels comes to.
fn is_as_tall_as_can_be(width: u32, height: u32) -> bool {
    height > TALLEST / 2 && height + TALLEST / width.max(16) >= TALLEST
}

/// Where an element is, in CSS pixels of the main frame's viewport.
async fn place_of(page: &Page<'_>, name: &str) -> Result<[f64; 4], BrowserError> {
    let name: Ref = name.parse().map_err(|_| BrowserError::NotARef(name.to_owned()))?;
    let key = page.element(name)?;
    let asked = Asked { limit: 1, ..Asked::default() };
    let answer = page.query(&Wanted::Ref(name), asked).await?;
    let item = answer.found.first().map(|found| &found.item);
    let item = item.ok_or_else(|| BrowserError::StaleRef(name.to_string()))?;
    let [x, y, width, height] = item.rect;
    if item.hidden_by.is_some() || width < 1.0 || height < 1.0 {
        return Err(BrowserError::NothingToShow(name.to_string()));
    }
    let frames = page.look(FactsArgs { in_part: true, ..FactsArgs::default() }).await?;
    let [left, top] = placement::offset(&frames, &key.document)
        .ok_or_else(|| BrowserError::NothingToShow(name.to_string()))?;
    Ok([x + left, y + top, width, height])
}

/// A label for every control that is in the picture, in whichever frame.
async fn labels(page: &Page<'_>, beyond_view: bool) -> Result<Vec<Label>, BrowserError> {
    let (frames, _) = glance(page).await?;
    let view = page.view()?;
    let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
    let mut labels = Vec::new();
    for frame in frames.iter() {
        let Some([left, top]) = placement::offset(&frames, &frame.document) else { continue };
        for node in &frame.facts.nodes {
            let Node::Element(element) = node else { continue };
            if !element.has(flags::CONTROL)
                || element.id == 0
                || !(beyond_view || element.has(flags::IN_VIEWPORT))
            {
                continue;
            }
            let [x, y, width, height] = element.rect;
            let text = view.refs.name(&frame.document, element.id).to_string();
            labels.push(Label { text, rect: [x + left, y + top, width, height] });
        }
    }
    Ok(labels)
}

/// `browser_pdf`.
pub(super) struct PrintPdf(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PrintPdfParams {
    landscape: Option<bool>,
    /// Colours and pictures behind the text. Default: true.
    background: Option<bool>,
    /// 0.1 to 2. Default: 1.
    scale: Option<f64>,
}

impl Tool for PrintPdf {
    type Params = PrintPdfParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<PrintPdfParams>(
            "browser_pdf",
            "The page as a PDF file.",
            RiskLevel::Read,
            ToolSet::Full(Family::Reading),
        )
    }

    async fn aim(
        &self,
        wanted: &PrintPdfParams,
        at: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        if let Some(scale) = wanted.scale.filter(|scale| !SCALES.contains(scale)) {
            let problem = format!(
                "`scale`: {scale} is out of range. Give a number from {} to {}",
                SCALES.start(),
                SCALES.end()
            );
            return Err(invalid(&self.definition(), problem));
        }
        Ok(self.0.aim(at, PermissionKey::ReadScreenshot).await?)
    }

    async fn execute(&self, call: Authorized<PrintPdfParams, TabTarget>) -> Result<Reply, Fault> {
        let wanted = &call.params;
        let page = page_of(&self.0, &call, false).await?;
        let params = PdfParams {
            tab_id: page.tab,
            landscape: wanted.landscape.unwrap_or(false),
            background: wanted.background.unwrap_or(true),
            scale: wanted.scale.unwrap_or(1.0),
        };
        let pdf: Pdf = page.request("pdf", params).await?;
        let kilobytes = pdf.data.len() * 3 / 4 / 1000;
        let said = format!("A PDF of {kilobytes} kB.");
        Ok(Reply::said(said).file("page.pdf", pdf.data, "application/pdf".to_owned()))
    }
}
