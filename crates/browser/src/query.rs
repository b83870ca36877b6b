//! Asks a page about elements: in the document of a ref, or in every frame.

use std::sync::PoisonError;

use outrigger_guard::Origin;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::{Frames, PageFunction};
use outrigger_protocol::inspection::{Match, Queried, QueryArgs, Selector};
use outrigger_protocol::link::Refusal;
use outrigger_snapshot::{ElementKey, Ref};

use crate::error::BrowserError;
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

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// How many there are in all frames.
    pub total: u32,
    /// The first ones, those of the main frame before others.
    pub found: Vec<Found>,
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
        let mut has_answer = false;
        for frame in result.frames {
            let Some(value) = frame.value else {
                refused = refused.or(frame.refusal);
                continue;
            };
            let queried: Queried = serde_json::from_value(value)
                .map_err(|error| self.wrong_shape("query", error.to_string()))?;
            has_answer = true;
            self.add(&mut answer, &frame.document_id, queried, asked.limit)?;
        }
        // A frame that went away is no failure; a question that was refused is.
        match refused {
            Some(refusal) if !has_answer || is_about_the_question(&refusal) => {
                Err(self.refused(refusal))
            }
            _ => Ok(answer),
        }
    }

    /// Where the element of a ref is.
    pub fn element(&self, name: Ref) -> Result<ElementKey, BrowserError> {
        let view = self.view()?;
        let view = view.lock().unwrap_or_else(PoisonError::into_inner);
        let stale = || BrowserError::StaleRef(name.to_string());
        view.refs.element(name).ok_or_else(stale)
    }

    fn add(
        &self,
        answer: &mut Answer,
        document: &str,
        queried: Queried,
        limit: u32,
    ) -> Result<(), BrowserError> {
        answer.total += queried.total;
        let view = self.view()?;
        let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
        if !queried.matches.is_empty() {
            view.origins.insert(document.to_owned(), Origin::of(&queried.origin));
        }
        let room = (limit as usize).saturating_sub(answer.found.len());
        for item in queried.matches.into_iter().take(room) {
            let name = view.refs.name(document, item.id);
            let key = ElementKey { document: document.to_owned(), node: item.id };
            answer.found.push(Found { name, key, item });
        }
        Ok(())
    }
}

fn is_about_the_question(refusal: &Refusal) -> bool {
    matches!(refusal.known_code(), Some(ErrorCode::InvalidArguments | ErrorCode::NotAllowed))
}
