//! Asks a page about elements: in the document of a ref, or in every frame.

use std::borrow::Cow;
use std::sync::PoisonError;

use outrigger_guard::Origin;
use outrigger_guard::headers::redact_url;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::{Frames, PageFunction, PointArgs};
use outrigger_protocol::inspection::{Located, Match, Queried, QueryArgs, Selector};
use outrigger_protocol::link::Refusal;
use outrigger_snapshot::{ElementKey, Ref};

use crate::error::BrowserError;
use crate::frame_order::{Placed, reading_order};
use crate::page::Page;
use crate::selector::Wanted;

/// An element that was found.
#[derive(Debug, Clone)]
pub struct Found {
    /// The name it has now.
    pub name: Ref,
    /// Where it is.
    pub key: ElementKey,
    /// What it is.
    pub item: Match,
}

/// What one frame answered.
struct OfFrame {
    document: String,
    queried: Queried,
}

impl Placed for OfFrame {
    fn path(&self) -> Option<&[u32]> {
        self.queried.path.as_deref()
    }

    fn inner(&self) -> &[u32] {
        &self.queried.frames
    }
}

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// How many there are in the frames that were asked.
    pub total: u32,
    /// The first ones, in the order in which frames are read.
    pub found: Vec<Found>,
    /// The first ones in frames of other origins, where only one origin is asked.
    pub elsewhere: Vec<Found>,
}

/// What to tell of each element, and of how many.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// Of so many at most.
    pub limit: u32,
    /// Only of those that a person can see.
    pub visible_only: bool,
    /// Cut texts here.
    pub text_letters: u32,
    /// Which attributes; all if empty, none if absent.
    pub attributes: Option<Vec<String>>,
    /// Which computed styles.
    pub styles: Vec<String>,
    /// Only inside the element of this ref.
    pub within: Option<Ref>,
    /// Only in frames of this origin.
    pub only_in: Option<Origin>,
}

impl Found {
    /// `e12 button "Go"`; the tag where there is no role.
    pub fn headline(&self) -> String {
        let item = &self.item;
        let what = if item.role.is_empty() { format!("<{}>", item.tag) } else { item.role.clone() };
        let name = if item.name.is_empty() { String::new() } else { format!(" {:?}", item.name) };
        format!("{} {what}{name}", self.name)
    }
}

impl Page<'_> {
    /// Asks for elements, and gives each a ref.
    pub async fn query(&self, wanted: &Wanted, asked: Asked) -> Result<Answer, BrowserError> {
        let (selector, frames) = match wanted {
            Wanted::Ref(name) => {
                let key = self.element(*name)?;
                (Selector::Node(key.node), Frames::Documents(vec![key.document]))
            }
            Wanted::Matching(selector) => (selector.clone(), Frames::All),
        };
        let within = asked.within.map(|name| self.element(name)).transpose()?;
        let frames = match &within {
            Some(key) => Frames::Documents(vec![key.document.clone()]),
            None => frames,
        };
        let args = QueryArgs {
            selector,
            within: within.map(|key| key.node),
            visible_only: asked.visible_only,
            limit: asked.limit,
            text_letters: asked.text_letters,
            attributes: asked.attributes,
            styles: asked.styles,
        };
        let result = self.script(PageFunction::Query, args, frames).await?;
        let mut answer = Answer::default();
        let mut refused = None;
        let mut answers = Vec::new();
        for frame in result.frames {
            let Some(value) = frame.value else {
                refused = refused.or(frame.refusal);
                continue;
            };
            let queried: Queried = serde_json::from_value(value)
                .map_err(|error| self.wrong_shape("query", error.to_string()))?;
            answers.push(OfFrame { document: frame.document_id, queried });
        }
        let has_answer = !answers.is_empty();
        for OfFrame { document, queried } in reading_order(answers) {
            let is_elsewhere =
                asked.only_in.as_ref().is_some_and(|origin| *origin != Origin::of(&queried.origin));
            let total = queried.total;
            let list = if is_elsewhere { &mut answer.elsewhere } else { &mut answer.found };
            self.add(list, &document, queried, asked.limit)?;
            answer.total += if is_elsewhere { 0 } else { total };
        }
        // A frame that went away is no failure; a question that was refused is.
        match refused {
            Some(refusal) if !has_answer || is_about_the_question(&refusal) => {
                Err(self.refused(refusal))
            }
            _ => Ok(answer),
        }
    }

    /// The innermost element at a point of the viewport, with a ref.
    /// The second part is the point in the viewport of the element's frame.
    pub async fn locate(&self, point: [f64; 2]) -> Result<(Found, [f64; 2]), BrowserError> {
        let args = PointArgs { point };
        let result = self.script(PageFunction::Locate, args, Frames::Main).await?;
        let nobody = || self.wrong_shape("locate", "no frame answered".to_owned());
        // One always answers; it is left out where nobody gave leave to look into it.
        let frame = result.frames.into_iter().next().ok_or(BrowserError::FrameOfAnotherSite)?;
        let located: Located = serde_json::from_value(frame.value.unwrap_or_default())
            .map_err(|error| self.wrong_shape("locate", error.to_string()))?;
        let mut found = Vec::new();
        self.add(&mut found, &frame.document_id, located.found, 1)?;
        Ok((found.pop().ok_or_else(nobody)?, located.point))
    }

    /// Where the element of a ref is.
    pub fn element(&self, name: Ref) -> Result<ElementKey, BrowserError> {
        let view = self.view()?;
        let view = view.lock().unwrap_or_else(PoisonError::into_inner);
        let stale = || BrowserError::StaleRef(name.to_string());
        view.refs.element(name).ok_or_else(stale)
    }

    /// The origin of the frame that an element is in.
    pub fn origin_of(&self, element: &ElementKey) -> Result<Origin, BrowserError> {
        let view = self.view()?;
        let view = view.lock().unwrap_or_else(PoisonError::into_inner);
        let stale = || BrowserError::StaleRef("The element".to_owned());
        view.origins.get(&element.document).cloned().ok_or_else(stale)
    }

    fn add(
        &self,
        found: &mut Vec<Found>,
        document: &str,
        queried: Queried,
        limit: u32,
    ) -> Result<(), BrowserError> {
        let view = self.view()?;
        let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
        if !queried.matches.is_empty() {
            view.origins.insert(document.to_owned(), Origin::of(&queried.origin));
        }
        let room = (limit as usize).saturating_sub(found.len());
        for mut item in queried.matches.into_iter().take(room) {
            hide_secrets(&mut item);
            let name = view.refs.name(document, item.id);
            let key = ElementKey { document: document.to_owned(), node: item.id };
            found.push(Found { name, key, item });
        }
        Ok(())
    }
}

/// Addresses are told without the secrets in them, whatever attribute they are in.
fn hide_secrets(item: &mut Match) {
    for told in item.attributes.values_mut().chain(item.state.href.as_mut()) {
        if let Cow::Owned(redacted) = redact_url(told) {
            *told = redacted;
        }
    }
}

fn is_about_the_question(refusal: &Refusal) -> bool {
    matches!(refusal.known_code(), Some(ErrorCode::InvalidArguments | ErrorCode::NotAllowed))
}
