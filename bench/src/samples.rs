//! Owns the samples of a run: every number that was taken, and the texts that are compared afterwards. Takes none
//! itself and computes nothing.

use serde::Serialize;

use crate::{growth::Growth, yardstick::Sight};

/// All samples of one server. Times are in milliseconds.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Samples {
    pub(crate) version: String,
    pub(crate) start: Vec<f64>,
    /// With the hub already running; only for a server that has one.
    pub(crate) start_with_hub: Vec<f64>,
    pub(crate) tools: usize,
    pub(crate) definition_tokens: usize,
    pub(crate) first_navigation: Vec<f64>,
    pub(crate) click: Vec<f64>,
    /// Tokens of the replies to these clicks, which change nothing.
    pub(crate) click_tokens: Vec<usize>,
    /// Tokens of the reply to a wait for what is there already.
    pub(crate) wait_tokens: Vec<usize>,
    /// A hundred characters into one field.
    pub(crate) typing: Vec<f64>,
    /// Ten fields, in as few calls as the server can.
    pub(crate) form: Vec<f64>,
    pub(crate) pages: Vec<PageSamples>,
    /// The crowded pages that the benchmark makes itself; they count in no median.
    pub(crate) crowded: Vec<PageSamples>,
    pub(crate) growth: Growth,
    pub(crate) server_kib: Option<u64>,
    pub(crate) hub_kib: Option<u64>,
    /// What the hub holds after some clicks, and after ten times as many.
    pub(crate) endured_kib: Vec<u64>,
    /// What went wrong on the way, without making the rest worthless.
    pub(crate) notes: Vec<String>,
}

impl Samples {
    /// A page by its name, saved or generated.
    pub(crate) fn page(&self, name: &str) -> Option<&PageSamples> {
        self.pages.iter().chain(&self.crowded).find(|page| page.name == name)
    }

    /// A saved page by its name, with what was measured on it so far.
    pub(crate) fn page_mut(&mut self, name: &str) -> &mut PageSamples {
        let known = self.pages.iter().position(|page| page.name == name);
        let index = known.unwrap_or_else(|| {
            self.pages.push(PageSamples { name: name.to_owned(), ..PageSamples::default() });
            self.pages.len() - 1
        });
        &mut self.pages[index]
    }
}

/// The samples of one server on one page.
#[derive(Debug, Default, Serialize)]
pub(crate) struct PageSamples {
    pub(crate) name: String,
    pub(crate) navigation: Vec<f64>,
    pub(crate) snapshot: Vec<f64>,
    pub(crate) whole_tokens: Option<usize>,
    /// What the whole snapshot has folded away behind handles.
    pub(crate) folded_tokens: Option<usize>,
    pub(crate) look: Vec<f64>,
    pub(crate) look_tokens: Option<usize>,
    pub(crate) command_line_snapshot: Vec<f64>,
    pub(crate) screenshot: Option<f64>,
    pub(crate) screenshot_bytes: Option<usize>,
    pub(crate) screenshot_size: Option<(u32, u32)>,
    /// Tokens of the visible text, and four for each control; only from the server that supplies it.
    pub(crate) yardstick: Option<usize>,
    /// What the page itself says can be seen of it; only from the server that supplies it.
    #[serde(skip)]
    pub(crate) sight: Option<Sight>,
    #[serde(skip)]
    pub(crate) texts: PageTexts,
}

/// What a server has said about a page. Too long for the results; what is found in it is kept there instead.
#[derive(Debug, Default)]
pub(crate) struct PageTexts {
    /// The snapshot of the whole page.
    pub(crate) whole: String,
    /// The snapshot that comes without arguments.
    pub(crate) look: String,
    /// What the whole snapshot has folded away, opened.
    pub(crate) behind_whole: String,
    /// What the default look has folded away, opened.
    pub(crate) behind_look: String,
}
