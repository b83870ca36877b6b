//! What kind of page a context is about: told from its structure first (`page` reads it,
//! `looking` looks for the signs of `sign`), from words second (`words`, in several
//! languages), by one table of weights (`weights`).
//!
//! A guess with a confidence, for hints and for agents: nothing is allowed or refused
//! because of it. The page decides what it is taken for.

mod looking;
pub(crate) mod page;
mod sign;
mod weights;
mod words;

use serde::Serialize;
use serde_json::Value;

use page::Page;
use sign::Sign;

/// How many reasons are given, at most.
const REASONS: usize = 4;

/// What kinds of pages there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Something to read: news, an essay, a recipe, an entry of an encyclopedia.
    Article,
    /// Fields to be filled in and sent, registering included.
    Form,
    /// A way in: a name, a password or a code is asked for.
    Login,
    /// Buying: a cart, an address to send to, a payment.
    Checkout,
    /// What was found for a query.
    SearchResults,
    /// Things to choose from: products, posts, headlines.
    Listing,
    /// Figures, tables and controls of somebody's own.
    Dashboard,
    /// One video, with its player.
    Video,
    /// A mailbox, a message or a draft.
    Mail,
    /// A document in its editor or viewer.
    Document,
    /// The page that was wanted isn't there.
    Error,
    /// None of these.
    Other,
}

impl Kind {
    /// Every kind. Where two are as likely, the earlier one is taken.
    pub const ALL: [Kind; 12] = [
        Kind::Article,
        Kind::Form,
        Kind::Login,
        Kind::Checkout,
        Kind::SearchResults,
        Kind::Listing,
        Kind::Dashboard,
        Kind::Video,
        Kind::Mail,
        Kind::Document,
        Kind::Error,
        Kind::Other,
    ];

    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Article => "article",
            Kind::Form => "form",
            Kind::Login => "login",
            Kind::Checkout => "checkout",
            Kind::SearchResults => "search_results",
            Kind::Listing => "listing",
            Kind::Dashboard => "dashboard",
            Kind::Video => "video",
            Kind::Mail => "mail",
            Kind::Document => "document",
            Kind::Error => "error",
            Kind::Other => "other",
        }
    }
}

/// What a page is taken for, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Classification {
    /// The likeliest kind.
    pub kind: Kind,
    /// How likely, from 0 to 1.
    pub confidence: f64,
    /// What spoke for it most, in our words.
    pub reasons: Vec<&'static str>,
}

/// What kind of page the context of a `browser.page.context.v1` is about.
pub fn classify(context: &Value) -> Classification {
    let found = looking::found(&Page::read(context));
    let scores = Kind::ALL.map(|kind| {
        let spoken = found.iter().map(|(sign, strength)| weights::of(*sign, kind) * strength);
        weights::bias(kind) + spoken.sum::<f64>()
    });
    let (best, score) = scores
        .iter()
        .enumerate()
        .fold((0, f64::MIN), |best, (at, score)| if *score > best.1 { (at, *score) } else { best });
    let kind = Kind::ALL[best];
    // The others' chances against the best one's.
    let chances: f64 = scores.iter().map(|other| (other - score).exp()).sum();
    Classification { kind, confidence: 1.0 / chances, reasons: reasons(kind, &found) }
}

fn reasons(kind: Kind, found: &[(Sign, f64)]) -> Vec<&'static str> {
    let mut spoken: Vec<(f64, &'static str)> = found
        .iter()
        .map(|(sign, strength)| (weights::of(*sign, kind) * strength, sign.told()))
        .filter(|(weight, _)| *weight > 0.0)
        .collect();
    spoken.sort_by(|one, other| other.0.total_cmp(&one.0));
    spoken.into_iter().take(REASONS).map(|(_, told)| told).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_password_field_alone_is_a_login_and_says_why() {
        let context = json!({
            "url": "https://a.example/x", "title": "A",
            "content": {"mainText": "Hello", "forms": [{"inputs": [
                {"type": "text", "name": "user", "placeholder": ""},
                {"type": "password", "name": "p", "placeholder": ""}
            ]}]}
        });
        let found = classify(&context);
        assert_eq!(found.kind, Kind::Login);
        assert!(found.confidence > 0.6, "{found:?}");
        assert!(found.reasons.contains(&"there is one password field"), "{found:?}");
    }

    #[test]
    fn nothing_to_go_by_is_other_and_never_sure() {
        for context in [json!(null), json!({}), json!({"url": 1, "content": [], "dom": "x"})] {
            let found = classify(&context);
            assert_eq!(found.kind, Kind::Other, "{context}");
            assert!(found.confidence < 0.9, "{found:?}");
            assert!(found.reasons.is_empty());
        }
    }

    #[test]
    fn kinds_have_the_names_that_the_schemas_know() {
        for name in ["page.hint.v1", "browser.page.context.v1"] {
            let schema = crate::schemas::get(name).unwrap();
            let names = schema.document["properties"]["page_kind"]["enum"].clone();
            assert_eq!(names, json!(Kind::ALL.map(Kind::name)), "{name}");
            assert_eq!(names, json!(Kind::ALL), "{name}");
        }
    }
}
