//! The sandbox in which templates run: no files, no other templates, no functions; a few
//! filters; and an end to steps, to output, and to what filters work through. What a
//! template may say at all is decided before, in `scan`.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use minijinja::value::{Serde, ValueKind};
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, Value};
use serde_json::Map;

use super::Limits;
use super::error::Fault;
use super::scan::{Scanned, scan};
use super::size::Bounded;

/// How deep templates may call into each other. Ours don't.
const RECURSION: usize = 16;

/// Runs templates of one record.
pub(super) struct Sandbox<'a> {
    environment: Environment<'a>,
    variables: Value,
    work: Arc<Work>,
    limits: &'a Limits,
}

impl<'a> Sandbox<'a> {
    /// Templates see the record's fields, and its context as `context`.
    pub(super) fn new(
        fields: &Map<String, serde_json::Value>,
        context: &serde_json::Value,
        limits: &'a Limits,
    ) -> Self {
        let fields = fields.iter().map(|(name, value)| (name.as_str(), value));
        let variables: BTreeMap<_, _> = fields.chain([("context", context)]).collect();
        let work = Arc::new(Work { limit: limits.entry_bytes, done: AtomicUsize::new(0) });
        let mut environment = Environment::empty();
        environment.set_fuel(Some(limits.template_steps));
        environment.set_recursion_limit(RECURSION);
        // A page without forms has no `content.forms`, and a view nevertheless.
        environment.set_undefined_behavior(UndefinedBehavior::Chainable);
        add_filters(&mut environment, &work);
        Sandbox { environment, variables: Value::from(Serde(variables)), work, limits }
    }

    /// The text that a template makes.
    pub(super) fn render(&self, template: &str) -> Result<String, Fault> {
        self.render_scanned(&self.scanned(template)?)
    }

    /// The value of a text that is one expression, otherwise the text that it makes.
    pub(super) fn evaluate(&self, text: &str) -> Result<serde_json::Value, Fault> {
        let scanned = self.scanned(text)?;
        let Some(expression) = &scanned.only_expression else {
            return self.render_scanned(&scanned).map(serde_json::Value::String);
        };
        self.work.begin();
        let value = self
            .environment
            .compile_expression_owned(expression.clone())
            .and_then(|expression| expression.eval(self.variables.clone()))
            .map_err(|error| self.fault(&error))?;
        let mut written = Bounded::new(self.limits.entry_bytes);
        let is_written = serde_json::to_writer(&mut written, &value).is_ok();
        match written.into_kept() {
            Some(kept) if is_written => serde_json::from_slice(&kept)
                .map_err(|_| Fault::Failed { problem: "it yields no JSON".to_owned() }),
            Some(_) => Err(Fault::Failed { problem: "it yields no JSON".to_owned() }),
            None => Err(self.too_large()),
        }
    }

    fn scanned(&self, template: &str) -> Result<Scanned, Fault> {
        if template.len() > self.limits.source_bytes {
            return Err(Fault::SourceTooLong { limit: self.limits.source_bytes });
        }
        scan(template)
    }

    fn render_scanned(&self, scanned: &Scanned) -> Result<String, Fault> {
        self.work.begin();
        let template = self
            .environment
            .template_from_str(&scanned.source)
            .map_err(|error| self.fault(&error))?;
        let mut written = Bounded::new(self.limits.entry_bytes);
        let rendered = template.render_captured_to(self.variables.clone(), &mut written);
        if written.is_over() {
            return Err(self.too_large());
        }
        rendered.map_err(|error| self.fault(&error))?;
        let kept = written.into_kept().unwrap_or_default();
        String::from_utf8(kept)
            .map_err(|_| Fault::Failed { problem: "it yields no text".to_owned() })
    }

    fn too_large(&self) -> Fault {
        Fault::TooLarge { limit: self.limits.entry_bytes }
    }

    fn fault(&self, error: &Error) -> Fault {
        let problem = || error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
        match error.kind() {
            ErrorKind::OutOfFuel if self.work.is_over() => self.too_large(),
            ErrorKind::OutOfFuel => Fault::TooManySteps { limit: self.limits.template_steps },
            ErrorKind::SyntaxError => Fault::BadTemplate { problem: problem() },
            _ => Fault::Failed { problem: problem() },
        }
    }
}

/// What filters of one template have worked through, in bytes: one step of a template
/// may well be one long text.
struct Work {
    limit: usize,
    done: AtomicUsize,
}

impl Work {
    fn begin(&self) {
        self.done.store(0, Ordering::Relaxed);
    }

    fn add(&self, bytes: usize) -> Result<(), Error> {
        self.done.fetch_add(bytes, Ordering::Relaxed);
        if self.is_over() {
            return Err(Error::new(ErrorKind::OutOfFuel, "filters have too much to do"));
        }
        Ok(())
    }

    fn left(&self) -> usize {
        self.limit.saturating_sub(self.done.load(Ordering::Relaxed))
    }

    fn is_over(&self) -> bool {
        self.done.load(Ordering::Relaxed) > self.limit
    }
}

fn add_filters(environment: &mut Environment<'_>, work: &Arc<Work>) {
    let shared = Arc::clone(work);
    environment.add_filter("length", move |value: Value| length(&value, &shared));
    let shared = Arc::clone(work);
    environment.add_filter("join", move |list: Value, between: Option<String>| {
        join(&list, between.as_deref().unwrap_or_default(), &shared)
    });
    let shared = Arc::clone(work);
    environment.add_filter("upper", move |value: Value| {
        shared.add(text(&value)?.len()).and_then(|()| Ok(text(&value)?.to_uppercase()))
    });
    let shared = Arc::clone(work);
    environment.add_filter("lower", move |value: Value| {
        shared.add(text(&value)?.len()).and_then(|()| Ok(text(&value)?.to_lowercase()))
    });
    let shared = Arc::clone(work);
    environment.add_filter("truncate", move |value: Value, letters: usize| {
        truncate(text(&value)?, letters, &shared)
    });
    environment.add_filter("default", |value: Value, other: Value| {
        if value.is_undefined() || value.is_none() { other } else { value }
    });
    environment.add_filter("first", |value: Value| end_of(&value, |_| 0));
    environment.add_filter("last", |value: Value| end_of(&value, |count| count - 1));
}

/// As scripts know it, for lists, objects and texts alike. An object's own `length` wins
/// where it is a number; what is not there has none.
fn length(value: &Value, work: &Work) -> Result<Value, Error> {
    match value.kind() {
        ValueKind::Undefined | ValueKind::None => Ok(Value::from(0)),
        ValueKind::String => {
            let text = text(value)?;
            work.add(text.len())?;
            Ok(Value::from(text.chars().count()))
        }
        ValueKind::Seq | ValueKind::Map => {
            let own = value.get_attr("length").unwrap_or_default();
            match value.len() {
                _ if own.kind() == ValueKind::Number => Ok(own),
                Some(count) => Ok(Value::from(count)),
                None => Err(wrong("it has no length")),
            }
        }
        kind => Err(wrong(&format!("a {kind} has no length"))),
    }
}

fn join(list: &Value, between: &str, work: &Work) -> Result<String, Error> {
    if list.kind() != ValueKind::Seq {
        return Err(wrong("only a list can be joined"));
    }
    let mut joined = BoundedText { text: String::new(), limit: work.left() };
    for (at, item) in list.try_iter()?.enumerate() {
        let between = if at == 0 { "" } else { between };
        if write!(joined, "{between}{item}").is_err() {
            work.add(work.limit + 1)?;
        }
    }
    work.add(joined.text.len())?;
    Ok(joined.text)
}

fn truncate(text: &str, letters: usize, work: &Work) -> Result<String, Error> {
    let Some((end, _)) = text.char_indices().nth(letters) else {
        work.add(text.len())?;
        return Ok(text.to_owned());
    };
    work.add(end)?;
    Ok(format!("{}…", &text[..end]))
}

fn end_of(list: &Value, index: impl Fn(usize) -> usize) -> Result<Value, Error> {
    match (list.kind(), list.len()) {
        (ValueKind::Undefined | ValueKind::None, _) | (ValueKind::Seq, Some(0)) => {
            Ok(Value::UNDEFINED)
        }
        (ValueKind::Seq, Some(count)) => list.get_item(&Value::from(index(count))),
        _ => Err(wrong("only a list has a first and a last item")),
    }
}

fn text(value: &Value) -> Result<&str, Error> {
    match value.as_str() {
        Some(text) => Ok(text),
        None if value.is_undefined() || value.is_none() => Ok(""),
        None => Err(wrong("it is not a text")),
    }
}

fn wrong(problem: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, problem.to_owned())
}

/// Text that refuses to grow beyond its limit.
struct BoundedText {
    text: String,
    limit: usize,
}

impl fmt::Write for BoundedText {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        if more.len() > self.limit - self.text.len() {
            return Err(fmt::Error);
        }
        self.text.push_str(more);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::error::FILTERS;
    use super::*;

    fn evaluate(text: &str) -> Result<serde_json::Value, &'static str> {
        let limits = Limits { entry_bytes: 1_000, ..Limits::default() };
        let fields = json!({"title": "Browser: x", "tags": ["a", "b"]});
        let context = json!({
            "title": "Ärger", "list": [1, "two", {"three": 3}], "map": {"a": 1, "b": [true]},
            "own": {"length": 7, "x": 1}, "odd": {"length": "long"}, "long": "x".repeat(600),
            "number": 5, "float": 0.5, "nothing": null, "empty": [],
        });
        let sandbox = Sandbox::new(fields.as_object().unwrap(), &context, &limits);
        sandbox.evaluate(text).map_err(|fault| fault.of("key").code())
    }

    #[test]
    fn an_expression_alone_yields_its_typed_value() {
        for (text, expected) in [
            ("{{context.list}}", json!([1, "two", {"three": 3}])),
            ("{{ context.map }}", json!({"a": 1, "b": [true]})),
            ("{{context.list.length > 2}}", json!(true)),
            ("{{context.float}}", json!(0.5)),
            ("{{context.nothing}}", json!(null)),
            ("{{context.not.there.at.all}}", json!(null)),
            ("{{tags}}", json!(["a", "b"])),
            ("{{context.number}}!", json!("5!")),
            ("plain", json!("plain")),
        ] {
            assert_eq!(evaluate(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn lists_objects_and_texts_have_a_length() {
        for (text, expected) in [
            ("{{context.list.length}}", 3),
            ("{{context.map.length}}", 2),
            ("{{context.title.length}}", 5),
            ("{{context.own.length}}", 7),
            ("{{context.odd.length}}", 1),
            ("{{context.forms.length}}", 0),
            ("{{context.nothing.length}}", 0),
            ("{{context.list.length + context.map.length - 1}}", 4),
        ] {
            assert_eq!(evaluate(text), Ok(json!(expected)), "{text}");
        }
        assert_eq!(evaluate("{{context.number.length}}"), Err("view_template_failed"));
    }

    #[test]
    fn filters_do_what_their_names_say() {
        for (text, expected) in [
            ("{{tags|join(', ')}}", json!("a, b")),
            ("{{tags|join}}", json!("ab")),
            ("{{tags|first}}", json!("a")),
            ("{{tags|last}}", json!("b")),
            ("{{context.empty|last|default('none')}}", json!("none")),
            ("{{context.title|upper}}", json!("ÄRGER")),
            ("{{context.title|lower}}", json!("ärger")),
            ("{{context.title|truncate(2)}}", json!("Är…")),
            ("{{context.title|truncate(5)}}", json!("Ärger")),
            ("{{context.nothing|default(1)}}", json!(1)),
        ] {
            assert_eq!(evaluate(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn every_filter_that_errors_speak_of_is_there() {
        let limits = Limits::default();
        let sandbox = Sandbox::new(&Map::new(), &json!({}), &limits);
        let mut named: Vec<&str> = FILTERS.split([',', ' ']).collect();
        named.retain(|word| !word.is_empty() && *word != "and");
        assert_eq!(named.len(), 8);
        for name in named {
            let fault = sandbox.evaluate(&format!("{{{{ 1|{name} }}}}")).err();
            assert!(!format!("{fault:?}").contains("unknown"), "{fault:?}");
        }
        let fault = sandbox.evaluate("{{ 1|nosuch }}").unwrap_err();
        assert!(format!("{fault:?}").contains("unknown"), "{fault:?}");
    }

    #[test]
    fn what_is_too_much_is_refused_wherever_it_grows() {
        for text in [
            "{{context.long}}{{context.long}}",
            "{{[context.long, context.long]}}",
            "{{[context.long, context.long]|join('')|length}}",
            "{{context.long|upper|lower|upper|length}}",
            "{% for tag in tags %}{% if context.long|length %}{{context.long.length}}{% endif %}{% endfor %}",
        ] {
            assert_eq!(evaluate(text), Err("view_entry_too_large"), "{text}");
        }
    }

    #[test]
    fn arithmetic_at_its_limits_ends_in_a_value_or_an_error() {
        for text in [
            "{{1 // 0}}",
            "{{1 % 0}}",
            "{{1 / 0}}",
            "{{-9223372036854775808 // -1}}",
            "{{-9223372036854775808 % -1}}",
            "{{170141183460469231731687303715884105727 - -1}}",
            "{{-170141183460469231731687303715884105728 // -1}}",
            "{{999999999999999999999999999999999999999999999999}}",
            "{{context.list[9223372036854775807]}}",
            "{{context.list[-99]}}",
            "{{context.title|truncate(18446744073709551615)}}",
            "{{context.title|truncate(-1)}}",
        ] {
            let _ = evaluate(text);
        }
    }

    #[test]
    fn what_the_language_does_not_know_is_an_error() {
        for (text, expected) in [
            ("{{context.}}", "view_bad_template"),
            ("{% if a %}", "view_bad_template"),
            ("{{context|tojson}}", "view_template_failed"),
            ("{{context.title|join}}", "view_template_failed"),
            ("{{context.number|upper}}", "view_template_failed"),
        ] {
            assert_eq!(evaluate(text), Err(expected), "{text}");
        }
    }
}
