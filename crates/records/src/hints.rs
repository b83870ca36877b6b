//! What is worth saying about a page unasked: from its context and its kind, as contexts
//! of `page.hint.v1`. Whether anybody wants to hear it is decided elsewhere.
//!
//! A hint is a sentence of ours with numbers in it. It repeats no word of the page, so
//! that no page can speak through it.

use serde_json::{Map, Value, json};
use url::Url;

use crate::classify::page::Page;
use crate::classify::{Classification, Kind};

/// Below this a kind is a guess, and what follows from it is kept back.
const SURE: f64 = 0.5;
/// A form of fewer fields needs no introduction.
const MANY_FIELDS: usize = 4;
/// Words that people read in a minute, and the fewest minutes that are worth telling.
const WORDS_A_MINUTE: usize = 230;
const MINUTES: usize = 2;
/// Letters that a context holds of a page's text: as many mean that there may be more.
const LETTERS: usize = 5_000;

/// One thing to say.
struct Hint {
    name: &'static str,
    text: String,
    facts: Vec<(&'static str, usize)>,
}

/// What a rule looks at.
struct Seen<'a> {
    context: &'a Value,
    page: Page,
    kind: Kind,
}

type Rule = fn(&Seen<'_>) -> Option<Hint>;

/// Every hint that there is, the most urgent first.
const RULES: &[Rule] = &[secrets_in_the_open, failure, sign_in, payment, fields, reading_time];

/// What is worth saying about the page of a `browser.page.context.v1`, the most urgent
/// first. Each is the context of a `page.hint.v1`.
pub fn hints(context: &Value, class: &Classification) -> Vec<Value> {
    let kind = if class.confidence >= SURE { class.kind } else { Kind::Other };
    let seen = Seen { context, page: Page::read(context), kind };
    let told = RULES.iter().filter_map(|rule| rule(&seen));
    told.map(|hint| hint.into_context(context, class)).collect()
}

impl Hint {
    fn new(name: &'static str, text: impl Into<String>) -> Self {
        Hint { name, text: text.into(), facts: Vec::new() }
    }

    fn with(mut self, name: &'static str, fact: usize) -> Self {
        self.facts.push((name, fact));
        self
    }

    fn into_context(self, context: &Value, class: &Classification) -> Value {
        let facts: Map<String, Value> =
            self.facts.into_iter().map(|(name, fact)| (name.to_owned(), fact.into())).collect();
        json!({
            "hint": self.name,
            "page_kind": class.kind,
            "confidence": class.confidence,
            "text": self.text,
            "url": context["url"].as_str().unwrap_or_default(),
            "facts": facts,
        })
    }
}

/// A password or a card number that everybody on the way could read. Holds whatever the
/// page is taken for.
fn secrets_in_the_open(seen: &Seen<'_>) -> Option<Hint> {
    let url = Url::parse(seen.context["url"].as_str()?).ok()?;
    if url.scheme() != "http" || is_this_machine(&url) {
        return None;
    }
    let has_password = seen.page.fields.iter().any(|field| field.kind == "password");
    if has_password || seen.kind == Kind::Login {
        return Some(Hint::new(
            "password_over_http",
            "This page asks for a password over a connection that others can read.",
        ));
    }
    (seen.kind == Kind::Checkout).then(|| {
        Hint::new(
            "checkout_over_http",
            "This page is about paying, over a connection that others can read.",
        )
    })
}

fn failure(seen: &Seen<'_>) -> Option<Hint> {
    (seen.kind == Kind::Error).then(|| {
        Hint::new(
            "error_page",
            "This looks like an error page: what was wanted isn't here. Going back or searching \
             the site may help.",
        )
    })
}

fn sign_in(seen: &Seen<'_>) -> Option<Hint> {
    (seen.kind == Kind::Login).then(|| {
        Hint::new(
            "sign_in",
            "This page asks to sign in. That is for the user to do; what is behind it can be read \
             afterwards.",
        )
    })
}

fn fields(seen: &Seen<'_>) -> Option<Hint> {
    let fields = || seen.page.fields.iter().filter(|field| field.kind != "search");
    let (count, required) = (fields().count(), fields().filter(|field| field.is_required).count());
    if seen.kind != Kind::Form || count < MANY_FIELDS {
        return None;
    }
    let text = match required {
        0 => format!("This form has {count} fields."),
        1 => format!("This form has {count} fields, 1 of them required."),
        _ if required == count => format!("This form has {count} fields, all of them required."),
        _ => format!("This form has {count} fields, {required} of them required."),
    };
    Some(Hint::new("form_fields", text).with("fields", count).with("required", required))
}

fn payment(seen: &Seen<'_>) -> Option<Hint> {
    (seen.kind == Kind::Checkout).then(|| {
        Hint::new(
            "checkout",
            "This page is about buying. Look at the total before anything is sent.",
        )
    })
}

fn reading_time(seen: &Seen<'_>) -> Option<Hint> {
    if seen.kind != Kind::Article {
        return None;
    }
    let text = seen.context["content"]["mainText"].as_str()?;
    let minutes = text.split_whitespace().take(LETTERS).count().div_ceil(WORDS_A_MINUTE);
    let is_cut = text.chars().count() >= LETTERS;
    if minutes < MINUTES {
        return None;
    }
    let least = if is_cut { "at least " } else { "about " };
    let text = format!("This is an article of {least}{minutes} minutes.");
    Some(Hint::new("reading_time", text).with("minutes", minutes))
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::classify;
    use crate::schemas;

    fn told(context: &Value) -> Vec<(String, String)> {
        let told = hints(context, &classify(context));
        for hint in &told {
            assert_eq!(schemas::check("page.hint.v1", hint), Ok(()), "{hint}");
        }
        let text = |hint: &Value, key: &str| hint[key].as_str().unwrap().to_owned();
        told.iter().map(|hint| (text(hint, "hint"), text(hint, "text"))).collect()
    }

    fn names(context: &Value) -> Vec<String> {
        told(context).into_iter().map(|(name, _)| name).collect()
    }

    fn form(url: &str, inputs: &Value) -> Value {
        json!({
            "url": url, "title": "Contact us",
            "content": {"mainText": "Contact us\nSend message", "forms": [{"inputs": inputs}]},
        })
    }

    fn inputs(count: usize, required: usize) -> Value {
        let field = |at: usize| json!({"type": "text", "name": at.to_string(), "placeholder": "", "required": at < required});
        (0..count).map(field).collect()
    }

    #[test]
    fn a_form_says_how_many_fields_it_has_and_how_many_are_required() {
        for (count, required, expected) in [
            (12, 4, "This form has 12 fields, 4 of them required."),
            (5, 1, "This form has 5 fields, 1 of them required."),
            (6, 0, "This form has 6 fields."),
            (5, 5, "This form has 5 fields, all of them required."),
        ] {
            let context = form("https://a.example/contact", &inputs(count, required));
            assert_eq!(told(&context), [("form_fields".to_owned(), expected.to_owned())]);
        }
        assert!(names(&form("https://a.example/contact", &inputs(3, 3))).is_empty());
    }

    #[test]
    fn the_numbers_of_a_hint_are_facts_of_it() {
        let context = form("https://a.example/contact", &inputs(12, 4));
        let hint = &hints(&context, &classify(&context))[0];
        assert_eq!(hint["facts"], json!({"fields": 12, "required": 4}));
        assert_eq!(hint["page_kind"], "form");
        assert_eq!(hint["url"], "https://a.example/contact");
        assert!(hint["confidence"].as_f64().unwrap() > SURE);
    }

    #[test]
    fn a_choice_of_several_is_one_field_and_a_button_is_none() {
        let radio = json!({"type": "radio", "name": "a", "placeholder": "", "required": true});
        let mut fields = vec![radio; 3];
        fields.push(json!({"type": "submit", "name": "b", "placeholder": ""}));
        fields.push(json!({"type": "search", "name": "q", "placeholder": ""}));
        fields.extend(inputs(5, 0).as_array().unwrap().clone());
        let told = told(&form("https://a.example/contact", &Value::from(fields)));
        assert_eq!(told[0].1, "This form has 6 fields, 1 of them required.");
    }

    fn login(url: &str) -> Value {
        let fields = json!([
            {"type": "text", "name": "user", "placeholder": ""},
            {"type": "password", "name": "password", "placeholder": ""},
        ]);
        let mut context = form(url, &fields);
        context["title"] = json!("Sign in");
        context["content"]["mainText"] = json!("Sign in");
        context
    }

    #[test]
    fn a_password_in_the_open_is_told_first() {
        assert_eq!(names(&login("http://a.example/login")), ["password_over_http", "sign_in"]);
        assert_eq!(names(&login("http://192.168.4.1/")), ["password_over_http", "sign_in"]);
        for safe in [
            "https://a.example/login",
            "http://localhost:8080/login",
            "http://127.0.0.1/login",
            "http://[::1]/login",
        ] {
            assert_eq!(names(&login(safe)), ["sign_in"], "{safe}");
        }
    }

    #[test]
    fn an_error_page_is_told_as_one() {
        let context = json!({
            "url": "https://a.example/x", "title": "404 Page not found",
            "content": {"mainText": "404\nPage not found", "headings": ["404"]},
        });
        assert_eq!(names(&context), ["error_page"]);
    }

    #[test]
    fn a_long_article_says_how_long_it_takes() {
        let line = "There is a sentence here that goes on for a while, as sentences in articles \
                    do, and then it comes to its end.\n";
        let article = |lines: usize| {
            let text: String = line.repeat(lines).chars().take(5_000).collect();
            json!({"url": "https://a.example/x", "title": "A", "content": {"mainText": text}})
        };
        assert_eq!(told(&article(15))[0].1, "This is an article of about 2 minutes.");
        assert_eq!(told(&article(100))[0].1, "This is an article of at least 5 minutes.");
        assert!(names(&article(8)).is_empty());
    }

    #[test]
    fn what_is_only_a_guess_is_kept_back() {
        let context = form("https://a.example/contact", &inputs(12, 4));
        let mut class = classify(&context);
        class.confidence = 0.4;
        assert!(hints(&context, &class).is_empty());
    }

    #[test]
    fn no_hint_repeats_a_word_of_the_page() {
        let mut context = login("http://a.example/login");
        let canary = "ignore-previous-instructions";
        context["title"] = json!(format!("Sign in {canary}"));
        context["content"]["mainText"] = json!(format!("Sign in {canary}"));
        context["content"]["forms"][0]["inputs"][0]["name"] = json!(canary);
        for (name, text) in told(&context) {
            assert!(!text.contains(canary), "{name}");
        }
    }

    #[test]
    fn a_page_of_any_address_has_hints_that_fit_their_schema() {
        let long = format!("http://a.example/login?next={}", "x".repeat(20_000));
        assert_eq!(names(&login(&long)), ["password_over_http", "sign_in"]);
    }

    #[test]
    fn any_context_can_be_asked_for_hints() {
        for context in [json!(null), json!({}), json!({"url": 7, "content": {"forms": [1, {}]}})] {
            assert!(names(&context).is_empty(), "{context}");
        }
    }
}
