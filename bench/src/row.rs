//! Owns what a line of the table is: a label, a value for each server, a budget and its verdict. Which lines there
//! are is in [`crate::rows`].

use serde::Serialize;

use crate::budget::{Budget, Values, Verdict};

/// What a row's numbers mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Unit {
    /// Time.
    Milliseconds,
    /// Size of a picture.
    Kilobytes,
    /// Memory.
    Megabytes,
    /// Tokens, tools.
    Count,
    /// A factor.
    Times,
}

/// One line of the table.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) unit: Unit,
    pub(crate) values: Values,
    pub(crate) budget: Budget,
    pub(crate) verdict: Verdict,
    /// Whether the values can be divided by one another.
    pub(crate) is_comparison: bool,
}

impl Row {
    pub(crate) fn new(label: &str, unit: Unit, values: Values, budget: Budget) -> Self {
        Self {
            label: label.to_owned(),
            unit,
            values,
            budget,
            verdict: budget.judge(&values),
            is_comparison: true,
        }
    }

    /// A line that only Outrigger has a value in.
    pub(crate) fn of_outrigger(
        label: &str,
        unit: Unit,
        value: Option<f64>,
        budget: Budget,
    ) -> Self {
        let mut values = Values::default();
        values[0] = value;
        Self::new(label, unit, values, budget)
    }

    /// The values of the others aren't what Outrigger's is measured against.
    pub(crate) fn without_ratios(self) -> Self {
        Self { is_comparison: false, ..self }
    }
}
