//! Which templates are let into the sandbox. Fuel counts steps, not what a step costs:
//! joining two texts is one step, and forty of those make a text of a terabyte. So only
//! what takes about the same time on every value is offered, by a list of what is
//! allowed: whatever is not in it is refused before it runs.
//!
//! `.length`, which the template language doesn't know, becomes its filter here.

use super::error::Fault;

/// Statements that may stand in `{% %}`.
const STATEMENTS: &[&str] = &["for", "endfor", "if", "elif", "else", "endif"];
/// Words that are part of the language, and no values.
const CONNECTIVES: &[&str] = &["and", "or", "not", "if", "elif", "else", "for", "in"];
/// Words that would compare or call behind our back.
const REFUSED_WORDS: &[&str] = &["is", "in", "recursive"];
const CONSTANTS: &[&str] = &["true", "false", "none", "True", "False", "None"];
const COMPARISONS: &[&str] = &["==", "!=", ">=", "<=", ">", "<"];
/// Longer ones first.
const SIGNS: &[&str] = &[
    "==", "!=", ">=", "<=", "//", ">", "<", ".", ",", "|", "(", ")", "[", "]", "+", "-", "/", "%",
];
/// Loops within loops.
const NESTED_LOOPS: usize = 3;
/// Parts of one expression, and statements of one template. The template language goes
/// down one level for each of them, and a stack ends.
const PARTS: usize = 200;
const STATEMENTS_AT_MOST: usize = 100;

/// A template that may run.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Scanned {
    /// The template, as the template language wants it.
    pub(super) source: String,
    /// The expression, where the template is one and nothing else.
    pub(super) only_expression: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    Number(&'a str),
    Text(&'a str),
    Sign(&'a str),
}

/// Checks a template and rewrites what we write differently.
pub(super) fn scan(template: &str) -> Result<Scanned, Fault> {
    let mut source = String::with_capacity(template.len());
    let mut only_expression = None;
    let mut loops = 0_usize;
    let mut statements = 0_usize;
    let mut rest = template;
    while let Some(start) = opening(rest) {
        source.push_str(&rest[..start]);
        let (open, inside) = rest[start..].split_at(2);
        if open == "{#" {
            let end = inside.find("#}").ok_or_else(|| bad("a comment is not closed"))?;
            rest = &inside[end + 2..];
            continue;
        }
        let is_statement = open == "{%";
        let (tokens, length) = tokens(inside, if is_statement { "%}" } else { "}}" })?;
        if is_statement {
            statements += 1;
            loops = after_statement(&tokens, loops)?;
        }
        if tokens.len() > PARTS || statements > STATEMENTS_AT_MOST {
            return Err(not_offered("so long an expression, or so many statements"));
        }
        check(&tokens, is_statement)?;
        let expression = written(&tokens);
        source.push_str(&format!(
            "{} {expression} {}",
            &rest[start..start + 2 + marker(inside)],
            &inside[length - 2 - closing_marker(&inside[..length])..length]
        ));
        if !is_statement && start == 0 && rest.len() == template.len() && inside.len() == length {
            only_expression = Some(expression);
        }
        rest = &inside[length..];
    }
    source.push_str(rest);
    Ok(Scanned { source, only_expression })
}

/// Where code or a comment begins next.
fn opening(text: &str) -> Option<usize> {
    let starts = |&(at, _): &(usize, &str)| text[at + 1..].starts_with(['{', '%', '#']);
    text.match_indices('{').find(starts).map(|(at, _)| at)
}

/// Whether white space before is taken away, which is one character long.
fn marker(inside: &str) -> usize {
    usize::from(inside.starts_with('-'))
}

fn closing_marker(inside: &str) -> usize {
    usize::from(inside.len() > 2 && inside[..inside.len() - 2].ends_with('-'))
}

/// What is inside, and how long it is with its end.
fn tokens<'a>(inside: &'a str, close: &str) -> Result<(Vec<Token<'a>>, usize), Fault> {
    let mut tokens = Vec::new();
    let mut at = marker(inside);
    loop {
        let rest = &inside[at..];
        let Some(first) = rest.chars().next() else {
            return Err(bad(&format!("`{close}` is missing")));
        };
        if rest.starts_with(close) {
            return Ok((tokens, at + close.len()));
        }
        if rest.strip_prefix('-').is_some_and(|after| after.starts_with(close)) {
            return Ok((tokens, at + 1 + close.len()));
        }
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (token, length) = token(rest, first)?;
        tokens.push(token);
        at += length;
    }
}

fn token(rest: &str, first: char) -> Result<(Token<'_>, usize), Fault> {
    if first == '"' || first == '\'' {
        let length = text_length(rest, first)?;
        return Ok((Token::Text(&rest[..length]), length));
    }
    if first.is_ascii_digit() {
        let whole = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let fraction = rest[whole..].strip_prefix('.').map_or(0, |after| {
            match after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len()) {
                0 => 0,
                digits => digits + 1,
            }
        });
        return Ok((Token::Number(&rest[..whole + fraction]), whole + fraction));
    }
    let is_of_word = |c: char| c == '_' || c.is_ascii_alphanumeric();
    if is_of_word(first) {
        let length = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
        return Ok((Token::Word(&rest[..length]), length));
    }
    match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => Ok((Token::Sign(&rest[..sign.len()]), sign.len())),
        None => Err(not_offered(&first.to_string())),
    }
}

fn text_length(rest: &str, quote: char) -> Result<usize, Fault> {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return Ok(at + 1),
            _ => {}
        }
    }
    Err(bad("a text is not closed"))
}

/// How many loops are open after a statement.
fn after_statement(tokens: &[Token<'_>], loops: usize) -> Result<usize, Fault> {
    match tokens.first() {
        Some(Token::Word("for")) if loops == NESTED_LOOPS => {
            Err(not_offered(&format!("a loop within {NESTED_LOOPS} others")))
        }
        Some(Token::Word("for")) => Ok(loops + 1),
        Some(Token::Word("endfor")) => Ok(loops.saturating_sub(1)),
        Some(Token::Word(word)) if STATEMENTS.contains(word) => Ok(loops),
        Some(Token::Word(word)) => Err(not_offered(word)),
        _ => Err(bad("a statement has no name")),
    }
}

fn check(tokens: &[Token<'_>], is_statement: bool) -> Result<(), Fault> {
    let is_loop = is_statement && tokens.first() == Some(&Token::Word("for"));
    let mut may_be_in = is_loop;
    for (at, token) in tokens.iter().enumerate() {
        let before = &tokens[..at];
        let is_name = before.last() == Some(&Token::Sign("."));
        match *token {
            Token::Word("in") if may_be_in => may_be_in = false,
            Token::Word(word) if REFUSED_WORDS.contains(&word) && !is_name => {
                return Err(not_offered(word));
            }
            Token::Sign("(") if is_call(before) => return Err(not_offered("a call")),
            Token::Sign("+") if !is_number(before) => {
                return Err(not_offered("`+` after what may be no number"));
            }
            Token::Sign(sign)
                if COMPARISONS.contains(&sign)
                    && !is_plain(before)
                    && !starts_plain(&tokens[at + 1..]) =>
            {
                return Err(not_offered(&format!("`{sign}` between two values")));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether parentheses here would call something. Filters may have arguments.
fn is_call(before: &[Token<'_>]) -> bool {
    match before {
        [.., Token::Sign("|"), Token::Word(_)] => false,
        [.., Token::Word(word)] => !CONNECTIVES.contains(word),
        [.., Token::Sign(")" | "]") | Token::Text(_) | Token::Number(_)] => true,
        _ => false,
    }
}

/// Whether what ends here is surely a number.
fn is_number(before: &[Token<'_>]) -> bool {
    match before {
        [.., Token::Sign("."), Token::Number(_)] => false,
        [.., Token::Number(_)] | [.., Token::Sign("." | "|"), Token::Word("length")] => true,
        _ => false,
    }
}

/// Whether what ends here is a small value, with which anything is compared at once.
fn is_plain(before: &[Token<'_>]) -> bool {
    match before {
        [.., Token::Sign("."), Token::Word(word)] => *word == "length",
        [.., Token::Word(word)] if CONSTANTS.contains(word) => true,
        [.., Token::Text(_)] => true,
        _ => is_number(before),
    }
}

fn starts_plain(after: &[Token<'_>]) -> bool {
    match after {
        [Token::Number(_) | Token::Text(_), ..] | [Token::Sign("-"), Token::Number(_), ..] => true,
        [Token::Word(word), ..] => CONSTANTS.contains(word),
        _ => false,
    }
}

/// The tokens as the template language wants them.
fn written(tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let is_length = |token| token == Some(&Token::Word("length"));
        match *token {
            Token::Sign(".") if is_length(tokens.get(at + 1)) => text.push('|'),
            // Apart, a name and its dot are still one.
            Token::Sign(sign @ ("." | "|" | "(" | ")" | "[" | "]" | ",")) => text.push_str(sign),
            Token::Sign(word) | Token::Word(word) | Token::Number(word) | Token::Text(word) => {
                if needs_space(tokens, at) {
                    text.push(' ');
                }
                text.push_str(word);
            }
        }
    }
    text
}

fn needs_space(tokens: &[Token<'_>], at: usize) -> bool {
    match at.checked_sub(1).map(|before| tokens[before]) {
        None | Some(Token::Sign("." | "|" | "(" | "[")) => false,
        Some(_) => true,
    }
}

fn bad(problem: &str) -> Fault {
    Fault::BadTemplate { problem: problem.to_owned() }
}

fn not_offered(what: &str) -> Fault {
    Fault::NotOffered { what: what.chars().take(60).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(template: &str) -> &'static str {
        scan(template).map_or_else(|fault| fault.of("key").code(), |_| "ok")
    }

    #[test]
    fn length_becomes_a_filter_and_the_rest_stays() {
        let scanned = scan("{{a.b.length}} of {{ c['x.length'].length>0 }}.").unwrap();
        assert_eq!(scanned.source, "{{ a.b|length }} of {{ c['x.length']|length > 0 }}.");
        assert_eq!(scanned.only_expression, None);
    }

    #[test]
    fn a_single_expression_is_known_as_one() {
        let only = |template| scan(template).unwrap().only_expression;
        assert_eq!(only("{{context.a.length > 0}}").as_deref(), Some("context.a|length > 0"));
        assert_eq!(only("{{- a -}}").as_deref(), Some("a"));
        for several in [" {{a}}", "{{a}} ", "{{a}}{{b}}", "{% if a %}b{% endif %}", "a", ""] {
            assert_eq!(only(several), None, "{several}");
        }
    }

    #[test]
    fn what_takes_the_same_time_on_every_value_is_offered() {
        for template in [
            "{{ a }}",
            "{{ a.b[0]['c'] }}",
            "{{ a|default('none')|upper }}",
            "{# {{ a ~ b }} #}",
            "{% for a in b if a.c == 'd' %}{{ loop.index }}{% else %}-{% endfor %}",
            "{% if not a and (b.length > 3 or c != none) %}x{% elif a %}y{% else %}z{% endif %}",
            "{{ a.length + b.length + 1 }}",
            "{{ 'x' if a else 'y' }}",
            "{{ [a, b]|join(', ') }}",
            "{{ '~ * is ' }}",
            "{{ a.in }}",
            "{ {a} }",
            "{{ a.length >= b.length }}",
        ] {
            assert_eq!(code(template), "ok", "{template}");
        }
    }

    #[test]
    fn what_could_grow_or_take_long_is_refused() {
        for template in [
            "{{ a ~ a }}",
            "{{ 'x' * 9 }}",
            "{{ a + a }}",
            "{{ 'a' + a }}",
            "{{ a[0] + a }}",
            "{{ a ** 2 }}",
            "{{ a[1:] }}",
            "{{ {'a': 1} }}",
            "{{ a == b }}",
            "{{ [1] == b }}",
            "{{ a in b }}",
            "{{ a is defined }}",
            "{{ range(9) }}",
            "{{ a.b(1) }}",
            "{{ a[0]() }}",
            "{% set a = 1 %}",
            "{% with a = 1 %}{% endwith %}",
            "{% macro a() %}{% endmacro %}",
            "{% include 'a' %}",
            "{% import 'a' as b %}",
            "{% filter upper %}{% endfilter %}",
            "{% for a in b recursive %}{% endfor %}",
            "{{ debug() }}",
            "{% raw %}{% endraw %}",
            "{% for a in b in c %}{% endfor %}",
            "{{ a.1 + a }}",
            "{% extends 'a' %}",
            "{% for a in a %}{% for a in a %}{% for a in a %}{% for a in a %}",
        ] {
            assert_eq!(code(template), "view_not_offered", "{template}");
        }
    }

    #[test]
    fn what_would_nest_too_deep_is_refused() {
        for template in [
            format!("{{{{ a{} }}}}", ".a".repeat(100)),
            format!("{{{{ a{} }}}}", "|upper".repeat(100)),
            format!("{{{{ {}1{} }}}}", "(".repeat(100), ")".repeat(100)),
            format!("{{% if a %}}{}", "{% elif a %}".repeat(100)),
        ] {
            assert_eq!(code(&template), "view_not_offered", "{template}");
        }
    }

    #[test]
    fn what_is_not_closed_is_no_template() {
        for template in ["{{ a", "{% if a", "{# a", "{{ 'a }}", "{% %}", "{{"] {
            assert_eq!(code(template), "view_bad_template", "{template}");
        }
    }
}
