//! Owns the form of ten fields: what is filled in, how each server is asked to do it, and whether it arrived.

use serde_json::{Value, json};

use crate::{
    failure::Failure,
    pages::PageServer,
    reply::{self, RefStyle},
    samples::Samples,
    servers::Server,
    stdio::StdioServer,
    tools::Call,
};

/// Name of the button that shows what the fields hold.
const SHOW: &str = "Show fields";
/// How many characters are typed.
const TYPED: usize = 100;

/// What a field takes, as one of the peers wants to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Box,
    Choice,
}

/// The fields in the order of the page.
const FIELDS: [(&str, Kind); 10] = [
    ("Given name", Kind::Text),
    ("Family name", Kind::Text),
    ("Mail address", Kind::Text),
    ("Phone number", Kind::Text),
    ("Street and number", Kind::Text),
    ("Town or city", Kind::Text),
    ("Your story", Kind::Text),
    ("Accept terms", Kind::Box),
    ("Send news", Kind::Box),
    ("Kind of tea", Kind::Choice),
];

/// A field with the ref that a server knows it by.
#[derive(Debug)]
struct Field {
    reference: String,
    name: &'static str,
    kind: Kind,
}

/// Types, then fills the form, `runs` times each.
pub(crate) fn measure(
    server: Server,
    running: &mut StdioServer,
    pages: &PageServer,
    runs: usize,
    samples: &mut Samples,
) -> Result<(), Failure> {
    call(running, server.navigate(&pages.form_url()))?;
    let look = reply::text_of(&call(running, server.default_look())?.0);
    let fields = find(&look, server.ref_style())?;
    for run in 0..runs {
        let (calls, text) = (type_calls(server, &fields[0], run), text_of(run));
        samples.typing.push(all(running, calls)?);
        shows(server, running, &look, &format!("holds {text},"))?;
    }
    for run in 0..runs {
        let values: Vec<String> = FIELDS.iter().map(|(_, kind)| value_of(*kind, run)).collect();
        samples.form.push(all(running, fill_calls(server, &fields, &values))?);
        shows(server, running, &look, &format!("holds {}.", values.join(", ")))?;
    }
    Ok(())
}

fn find(look: &str, style: RefStyle) -> Result<Vec<Field>, Failure> {
    let field = |(name, kind): (&'static str, Kind)| {
        let reference = reply::control_ref(look, name, style).ok_or(Failure::NoRef(name))?;
        Ok(Field { reference, name, kind })
    };
    FIELDS.into_iter().map(field).collect()
}

/// Another text each time: a field that holds it already costs less.
fn text_of(run: usize) -> String {
    let word = format!("typed in run {run} ");
    word.chars().cycle().take(TYPED).collect::<String>().replace(' ', "-")
}

fn value_of(kind: Kind, run: usize) -> String {
    match kind {
        Kind::Text => format!("value{run}"),
        Kind::Box => run.is_multiple_of(2).to_string(),
        Kind::Choice => (if run.is_multiple_of(2) { "Black" } else { "Green" }).to_owned(),
    }
}

/// Replaces what the first field holds.
fn type_calls(server: Server, field: &Field, run: usize) -> Vec<Call> {
    let (reference, text) = (&field.reference, text_of(run));
    vec![match server {
        Server::Outrigger => {
            ("browser_type", json!({ "ref": reference, "text": text, "clear": true }))
        }
        // It always replaces.
        Server::Playwright => {
            ("browser_type", json!({ "element": field.name, "target": reference, "text": text }))
        }
        Server::ChromeDevtools => ("fill", json!({ "pageId": 1, "uid": reference, "value": text })),
        Server::AgentBrowser => agent_fill(reference, &text),
    }]
}

fn fill_calls(server: Server, fields: &[Field], values: &[String]) -> Vec<Call> {
    let filled = fields.iter().zip(values);
    let list = |one: &dyn Fn(&Field, &str) -> Value| -> Value {
        filled.clone().map(|(field, value)| one(field, value)).collect()
    };
    match server {
        Server::Outrigger => {
            let fields = list(&|field, value| json!({ "ref": field.reference, "value": value }));
            vec![("browser_fill_form", json!({ "fields": fields }))]
        }
        Server::Playwright => {
            let kind = |kind: Kind| match kind {
                Kind::Text => "textbox",
                Kind::Box => "checkbox",
                Kind::Choice => "combobox",
            };
            let fields = list(&|field, value| {
                let (name, target) = (field.name, &field.reference);
                json!({ "name": name, "element": name, "target": target, "type": kind(field.kind), "value": value })
            });
            vec![("browser_fill_form", json!({ "fields": fields }))]
        }
        Server::ChromeDevtools => {
            let elements = list(&|field, value| json!({ "uid": field.reference, "value": value }));
            vec![("fill_form", json!({ "pageId": 1, "elements": elements }))]
        }
        // It has no tool for several fields.
        Server::AgentBrowser => filled.map(|(field, value)| agent_field(field, value)).collect(),
    }
}

fn agent_field(field: &Field, value: &str) -> Call {
    let selector = format!("@{}", field.reference);
    match (field.kind, value) {
        (Kind::Text, value) => agent_fill(&field.reference, value),
        (Kind::Box, "true") => ("agent_browser_check", json!({ "selector": selector })),
        (Kind::Box, _) => ("agent_browser_uncheck", json!({ "selector": selector })),
        (Kind::Choice, value) => {
            ("agent_browser_select", json!({ "selector": selector, "values": [value] }))
        }
    }
}

fn agent_fill(reference: &str, text: &str) -> Call {
    ("agent_browser_fill", json!({ "selector": format!("@{reference}"), "text": text }))
}

/// The time of all calls together, in milliseconds.
fn all(running: &mut StdioServer, calls: Vec<Call>) -> Result<f64, Failure> {
    let mut took = 0.0;
    for one in calls {
        took += call(running, one)?.1;
    }
    Ok(took)
}

/// Fails unless the page says that it holds what was filled in.
fn shows(
    server: Server,
    running: &mut StdioServer,
    look: &str,
    words: &str,
) -> Result<(), Failure> {
    let show = reply::button_ref(look, SHOW, server.ref_style()).ok_or(Failure::NoRef(SHOW))?;
    call(running, server.click(&show))?;
    let shown = reply::text_of(&call(running, server.whole_snapshot())?.0);
    if shown.contains(words) { Ok(()) } else { Err(Failure::NotFilled) }
}

fn call(running: &mut StdioServer, (tool, arguments): Call) -> Result<(Value, f64), Failure> {
    let answer = running.call(tool, &arguments)?;
    let took = answer.milliseconds();
    Ok((answer.value, took))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_on_the_page_and_in_its_order() {
        let page = include_str!("../pages/static/form.html");
        let places: Vec<usize> = FIELDS
            .iter()
            .map(|(name, _)| page.find(&format!("aria-label=\"{name}\"")).unwrap())
            .collect();
        assert!(places.is_sorted());
        assert!(page.contains(&format!(">{SHOW}</button>")));
    }

    #[test]
    fn a_hundred_characters_are_typed_and_others_each_time() {
        assert_eq!(text_of(0).len(), TYPED);
        assert_ne!(text_of(0), text_of(1));
    }

    #[test]
    fn one_call_fills_all_fields_where_a_server_can() {
        let fields: Vec<Field> = FIELDS
            .iter()
            .map(|(name, kind)| Field { reference: "e1".to_owned(), name, kind: *kind })
            .collect();
        let values = vec![String::new(); FIELDS.len()];
        let count = |server| fill_calls(server, &fields, &values).len();
        assert_eq!(Server::ALL.map(count), [1, 1, 1, 10]);
    }
}
