//! Looks for the signs of a page, and how strongly each is there, from 0 to 1. Which
//! kinds it speaks for is not said here.

use super::page::{Page, Words};
use super::sign::Sign;
use super::words as w;

/// Every sign that is there.
pub(super) fn found(page: &Page) -> Vec<(Sign, f64)> {
    let signs = [prose, signing_in, filling_in, buying, searching, choosing, managing, watching];
    let more = [mailing, writing, failing];
    signs
        .iter()
        .chain(&more)
        .flat_map(|look| look(page))
        .filter(|(_, strength)| *strength > 0.0)
        .map(|(sign, strength)| (sign, strength.min(1.0)))
        .collect()
}

type Found = Vec<(Sign, f64)>;

fn prose(page: &Page) -> Found {
    let prose = page.prose();
    let is_little = page.letters() < 400;
    vec![
        (Sign::Prose, share(prose, 600)),
        (Sign::LongProse, share(prose.saturating_sub(600), 1_500)),
        (Sign::LittleText, yes(is_little && !page.lines.is_empty())),
    ]
}

fn signing_in(page: &Page) -> Found {
    let passwords = of_kind(page, &["password"]);
    let others = page.fields.len() - passwords - of_kind(page, &["checkbox", "search"]);
    let is_new = passwords > 1 || (passwords == 1 && others > 2);
    let codes = page.fields.iter().filter(|field| field.autocomplete == "one-time-code").count();
    let identifiers = page
        .fields
        .iter()
        .filter(|field| field.kind == "email" || field.autocomplete == "username")
        .count();
    let is_lone = passwords == 0 && identifiers == 1 && others <= 2 && page.prose() < 300;
    let spoken = page.head.count(w::SIGN_IN) + page.controls.count(w::SIGN_IN);
    vec![
        (Sign::Password, yes(passwords == 1 && !is_new)),
        (Sign::NewPassword, yes(is_new)),
        (Sign::OneTimeCode, yes(codes > 0)),
        (Sign::LoneIdentifier, yes(is_lone)),
        (Sign::EntryWords, share(spoken + page.address.count(w::SIGN_IN), 2)),
        (Sign::ForgottenWords, share(page.labels.count(w::FORGOTTEN), 2)),
        (Sign::RegisterWords, share(head_or_address(page, w::REGISTER), 1)),
    ]
}

fn filling_in(page: &Page) -> Found {
    let plain = page.fields.len() - of_kind(page, &["search", "checkbox"]);
    let only_forms = of_kind(
        page,
        &[
            "textarea",
            "file",
            "date",
            "datetime-local",
            "tel",
            "radio",
            "number",
            "range",
            "select",
        ],
    );
    let spoken = head_or_address(page, w::FILL_IN) + page.labels.count(w::FILL_IN);
    vec![
        (Sign::ManyFields, share(plain.saturating_sub(2), 4)),
        (Sign::FormFields, share(only_forms, 3)),
        (Sign::FillInWords, share(spoken, 2)),
    ]
}

fn buying(page: &Page) -> Found {
    let cards = page
        .fields
        .iter()
        .filter(|field| field.autocomplete.starts_with("cc-") || field.names.count(w::CARD) > 0);
    let shipping = page.fields.iter().filter(|field| {
        field.autocomplete.contains("shipping") || field.autocomplete.contains("billing")
    });
    let prices = prices(page);
    let offers = page.labels.count(w::ADD_ONE);
    vec![
        (Sign::CardFields, share(cards.count(), 2)),
        (Sign::ShippingFields, share(shipping.count(), 2)),
        (Sign::CheckoutWords, share(head_or_address(page, w::CHECKOUT), 2)),
        (Sign::CheckoutLabels, share(page.labels.count(w::CHECKOUT), 3)),
        (Sign::Totals, yes(prices > 0) * share(page.labels.count(w::TOTALS), 2)),
        (Sign::Prices, share(prices.saturating_sub(1), 3)),
        (Sign::SingleOffer, yes(offers > 0 && prices == 1)),
    ]
}

fn searching(page: &Page) -> Found {
    let queries: Vec<&str> = w::QUERY_KEYS
        .iter()
        .filter_map(|key| page.query.get(*key))
        .filter(|value| !value.is_empty())
        .map(String::as_str)
        .collect();
    let is_said = |query: &&str| query.split_whitespace().all(|word| page.head.has(word));
    let counted = page.lines.iter().chain(&page.headings).filter(|line| counts_results(line));
    vec![
        (Sign::Query, share(queries.len(), 1)),
        (Sign::QueryInHead, yes(queries.iter().any(is_said))),
        (Sign::ResultCount, share(counted.count(), 1)),
        (Sign::SearchAddress, share(head_or_address(page, w::SEARCH), 1)),
        (Sign::Sorting, share(page.labels.count(w::SORT) + page.controls.count(w::SORT), 1)),
    ]
}

fn choosing(page: &Page) -> Found {
    let linked = page
        .headings
        .iter()
        .filter(|heading| page.links.iter().any(|link| !link.is_empty() && *link == **heading));
    let long_links = page.links.iter().filter(|link| link.chars().count() >= 10).count();
    let per_text = long_links as f64 * 60.0 / (page.letters().max(300) as f64);
    let is_next = |text: &str| {
        w::MORE.contains(&text) || (text.len() < 3 && text.parse::<u8>().is_ok_and(|page| page > 1))
    };
    let pages = page.links.iter().filter(|link| is_next(link)).count() + page.labels.count(w::MORE);
    vec![
        (Sign::LinkedHeadings, share(linked.count().saturating_sub(1), 3)),
        (Sign::ManyLinks, if long_links > 3 { per_text } else { 0.0 }),
        (Sign::Pictures, share(page.images.saturating_sub(2), 3)),
        (Sign::Pagination, share(pages, 1)),
    ]
}

fn managing(page: &Page) -> Found {
    let figures = page.lines.iter().filter(|line| is_figure(line)).count();
    let controls = ["tab", "switch", "row", "menuitem", "gridcell"].map(|role| page.role(role));
    let own = page.labels.count(w::OWN_AREA);
    let spoken = head_or_address(page, w::DASHBOARD);
    let periods = page.labels.count(w::PERIOD) + page.controls.count(w::PERIOD);
    vec![
        (Sign::Figures, share(figures.saturating_sub(1), 3)),
        (Sign::AppControls, share(controls.iter().sum(), 4)),
        (Sign::OwnArea, share(own, 2)),
        (Sign::DashboardWords, share(spoken, 1)),
        (Sign::Periods, share(periods, 2)),
    ]
}

fn watching(page: &Page) -> Found {
    let players = page.tag("video");
    let controls = page.controls.count(w::PLAYER);
    vec![
        (Sign::Player, share(players, 1)),
        (Sign::PlayerControls, share(controls, 2)),
        (Sign::VideoWords, share(head_or_address(page, w::VIDEO), 1)),
    ]
}

fn mailing(page: &Page) -> Found {
    let folders = either(page, w::MAIL_FOLDERS);
    let actions = either(page, w::MAIL_ACTIONS);
    let fields = page.fields.iter().filter(|field| field.names.count(w::MAIL_FIELDS) > 0).count();
    vec![
        (Sign::MailFolders, share(folders, 2)),
        (Sign::MailActions, share(actions, 2)),
        (Sign::MailFields, share(fields.saturating_sub(1), 1)),
        (Sign::MailWords, share(head_or_address(page, w::MAIL), 1)),
    ]
}

fn writing(page: &Page) -> Found {
    let is_document = w::DOCUMENT_EXTENSIONS.contains(&page.extension.as_str())
        || w::DOCUMENT_EXTENSIONS.iter().any(|end| page.head.has(end));
    let address = page.address.count(w::DOCUMENT_ADDRESS) + 2 * usize::from(is_document);
    vec![
        (Sign::Editable, share(page.editable, 1)),
        (Sign::EditorControls, share(page.controls.count(w::EDITOR), 2)),
        (Sign::EditorMenus, share(page.labels.count(w::MENUS), 2)),
        (Sign::ViewerControls, share(page.controls.count(w::VIEWER).saturating_sub(1), 2)),
        (Sign::DocumentAddress, share(address, 2)),
        (Sign::SavedWords, share(page.labels.count(w::SAVED), 1)),
    ]
}

fn failing(page: &Page) -> Found {
    let is_short = page.letters() < 700 && page.prose() < 400;
    let short = yes(is_short);
    vec![
        (Sign::FailureNumber, short * share(page.head.count(w::FAILURE_NUMBERS), 1)),
        (Sign::FailureHead, short * share(page.head.count(w::FAILURE), 1)),
        (Sign::FailureText, short * share(in_lines(page, w::FAILURE), 2)),
    ]
}

fn share(count: usize, full: usize) -> f64 {
    count as f64 / full as f64
}

fn yes(is_so: bool) -> f64 {
    f64::from(u8::from(is_so))
}

fn of_kind(page: &Page, kinds: &[&str]) -> usize {
    page.fields.iter().filter(|field| kinds.contains(&field.kind.as_str())).count()
}

fn head_or_address(page: &Page, phrases: &[&str]) -> usize {
    phrases.iter().filter(|phrase| page.head.has(phrase) || page.address.has(phrase)).count()
}

fn either(page: &Page, phrases: &[&str]) -> usize {
    phrases.iter().filter(|phrase| page.labels.has(phrase) || page.controls.has(phrase)).count()
}

fn in_lines(page: &Page, phrases: &[&str]) -> usize {
    let lines = Words::of(page.lines.iter().map(String::as_str));
    phrases.iter().filter(|phrase| lines.has(phrase)).count()
}

/// A number and a word for results, in a short line.
fn counts_results(line: &str) -> bool {
    let is_short = line.chars().count() < 90;
    is_short
        && line.contains(|c: char| c.is_ascii_digit())
        && Words::of([line]).count(w::RESULTS) > 0
}

/// How often a currency stands beside a number.
fn prices(page: &Page) -> usize {
    let near = |line: &String| {
        let letters: Vec<char> = line.chars().collect();
        let is_digit =
            |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
        let is_price = |&at: &usize| {
            matches!(letters[at], '€' | '$' | '£' | '¥')
                && (is_digit(Some(at + 1))
                    || is_digit(at.checked_sub(1))
                    || is_digit(at.checked_sub(2)))
        };
        (0..letters.len()).filter(is_price).count()
    };
    page.lines.iter().map(near).sum()
}

/// A figure that stands alone: digits, signs, and a unit at most; no price.
fn is_figure(line: &str) -> bool {
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    let digits = line.chars().filter(char::is_ascii_digit).count();
    digits > 0 && letters <= 4 && line.chars().count() <= 14 && !line.contains(['€', '$', '£'])
}
