//! Owns the counting of tokens. One tokenizer for all servers, so that ratios mean something.

use serde_json::{Value, json};
use tiktoken_rs::CoreBPE;

use crate::yardstick::Sight;

/// Counts tokens as OpenAI's current models do.
pub(crate) struct Tokens(CoreBPE);

impl std::fmt::Debug for Tokens {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Tokens(o200k_base)")
    }
}

impl Tokens {
    /// Loads the vocabulary, which is compiled in.
    pub(crate) fn new() -> Option<Self> {
        tiktoken_rs::o200k_base().ok().map(Self)
    }

    pub(crate) fn count(&self, text: &str) -> usize {
        self.0.encode_ordinary(text).len()
    }

    /// What a client hands to its model of each tool: name, description and schema.
    pub(crate) fn of_definitions(&self, tools: &[Value]) -> usize {
        let told: Vec<Value> = tools
            .iter()
            .map(|tool| {
                json!({ "name": tool["name"], "description": tool["description"],
                    "inputSchema": tool["inputSchema"] })
            })
            .collect();
        self.count(&Value::from(told).to_string())
    }

    /// The least that a snapshot of the whole page has to say: its visible text, and four for each visible control.
    pub(crate) fn of_sight(&self, sight: &Sight) -> usize {
        self.count(&sight.text) + 4 * sight.counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_counts_by_what_a_model_is_told() {
        let tokens = Tokens::new().unwrap();
        let plain = json!({ "name": "a", "description": "b", "inputSchema": { "type": "object" } });
        let mut annotated = plain.clone();
        annotated["annotations"] = json!({ "title": "a long title that no model sees" });
        assert_eq!(tokens.of_definitions(&[plain]), tokens.of_definitions(&[annotated]));
    }

    #[test]
    fn the_yardstick_is_the_text_and_four_for_each_control() {
        let tokens = Tokens::new().unwrap();
        let sight = Sight { text: "hello world".to_owned(), counted: 3, ..Sight::default() };
        assert_eq!(tokens.of_sight(&sight), 2 + 12);
    }
}
