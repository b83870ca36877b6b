//! Owns the look of the result: one table, at most 100 columns wide. Decides nothing.

use crate::{
    budget::{Budget, Verdict, against_best, against_node},
    row::{Row, Unit},
    servers::Server,
};

const LABEL: usize = 28;
const VALUE: usize = 11;
const RATIO: usize = 6;
const BUDGET: usize = 10;
const MARK: usize = 6;
/// Nothing that is printed is wider.
const WIDTH: usize = LABEL + 4 * VALUE + 2 * RATIO + BUDGET + MARK;

/// The table; `versions` is its second line, `notes` go below it.
pub(crate) fn draw(rows: &[Row], versions: &[String], notes: &[String]) -> String {
    let mut lines = vec![line(
        "",
        &Server::ALL.map(|server| server.name().to_owned()),
        "×best",
        "×node",
        "budget",
        "",
    )];
    lines.push(line("", versions, "", "", "", ""));
    lines.push("─".repeat(WIDTH));
    for row in rows {
        lines.push(line(
            &row.label,
            &row.values.map(|value| amount(value, row.unit)),
            &factor(against_best(&row.values).filter(|_| row.is_comparison)),
            &factor(against_node(&row.values).filter(|_| row.is_comparison)),
            &budget(row),
            mark(row.verdict),
        ));
    }
    lines.push("─".repeat(WIDTH));
    lines.extend(notes.iter().flat_map(|note| wrap(note)));
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn line(
    label: &str,
    values: &[String],
    best: &str,
    node: &str,
    budget: &str,
    mark: &str,
) -> String {
    let values: String =
        values.iter().map(|value| format!("{:>VALUE$}", clip(value, VALUE - 1))).collect();
    format!(
        "{:<LABEL$}{values}{best:>RATIO$}{node:>RATIO$}{budget:>BUDGET$}{mark:>MARK$}",
        clip(label, LABEL - 1)
    )
}

fn clip(text: &str, width: usize) -> String {
    text.chars().take(width).collect()
}

/// A number with as many digits as it deserves, and its unit.
fn amount(value: Option<f64>, unit: Unit) -> String {
    let Some(value) = value else { return "–".to_owned() };
    let digits = if value < 10.0 && unit != Unit::Count { 1 } else { 0 };
    match unit {
        Unit::Milliseconds => format!("{} ms", grouped(value, digits)),
        Unit::Kilobytes => format!("{} kB", grouped(value, digits)),
        Unit::Megabytes => format!("{} MB", grouped(value, usize::from(value < 100.0))),
        Unit::Count => grouped(value, 0),
        Unit::Times => format!("{value:.2} ×"),
    }
}

/// A number with its thousands set apart.
pub(crate) fn grouped(value: f64, digits: usize) -> String {
    let plain = format!("{value:.digits$}");
    let (whole, rest) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
    let mut result = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            result.push(',');
        }
        result.push(digit);
    }
    result + rest
}

fn factor(ratio: Option<f64>) -> String {
    match ratio {
        None => String::new(),
        Some(ratio) if ratio < 0.1 => format!("{ratio:.3}"),
        Some(ratio) => format!("{ratio:.2}"),
    }
}

fn budget(row: &Row) -> String {
    match row.budget {
        Budget::None => String::new(),
        Budget::AtMost(limit) if row.unit == Unit::Times => format!("≤{limit} ×"),
        Budget::AtMost(limit) if row.unit == Unit::Milliseconds => format!("≤{limit} ms"),
        Budget::AtMost(limit) if row.unit == Unit::Megabytes => format!("≤{limit} MB"),
        Budget::AtMost(limit) => format!("≤{}", grouped(limit, 0)),
        Budget::OfBest(part) => format!("≤{part}×best"),
        Budget::OfNode(part) => format!("≤{part}×node"),
    }
}

fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::None => "",
        Verdict::Unknown => "–",
        Verdict::Ok => "ok",
        Verdict::Over => "over",
    }
}

fn wrap(note: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in note.split_whitespace() {
        let is_full = lines
            .last()
            .is_some_and(|line| line.chars().count() + 1 + word.chars().count() > WIDTH);
        if is_full {
            lines.push(" ".to_owned());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&clip(word, WIDTH - 2));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{completeness::Findings, rows::rows};

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(grouped(13_292.0, 0), "13,292");
        assert_eq!(grouped(999.0, 0), "999");
        assert_eq!(grouped(1_234_567.0, 1), "1,234,567.0");
    }

    #[test]
    fn small_times_keep_a_digit() {
        assert_eq!(amount(Some(4.26), Unit::Milliseconds), "4.3 ms");
        assert_eq!(amount(Some(359.2), Unit::Milliseconds), "359 ms");
        assert_eq!(amount(None, Unit::Milliseconds), "–");
    }

    #[test]
    fn nothing_is_wider_than_a_hundred_columns() {
        let versions = ["not built", "0.0.83", "1.11.0", "a version much longer than its column"];
        let versions = versions.map(str::to_owned);
        let notes = ["a note that goes on and on, ".repeat(10), "x".repeat(300)];
        let table = draw(&rows(&[None; 4], &Findings::default()), &versions, &notes);
        for line in table.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
        assert!(table.contains("not built"));
    }

    #[test]
    fn a_line_shows_both_ratios_the_budget_and_the_mark() {
        let values = [Some(6.0), Some(300.0), Some(600.0), Some(12.0)];
        let row = Row {
            label: "start to tools/list".to_owned(),
            unit: Unit::Milliseconds,
            values,
            budget: Budget::OfNode(0.1),
            verdict: Verdict::Ok,
            is_comparison: true,
        };
        let table = draw(&[row], &Server::ALL.map(|_| String::new()), &[]);
        let words: Vec<_> = table.lines().nth(3).unwrap().split_whitespace().collect();
        assert_eq!(
            words[3..],
            ["6.0", "ms", "300", "ms", "600", "ms", "12", "ms", "0.50", "0.020", "≤0.1×node", "ok"]
        );
    }
}
