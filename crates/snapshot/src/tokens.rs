//! Estimates tokens without a tokenizer, which would cost more to load than a
//! snapshot takes.

/// About how many tokens a model counts for a text. Words of the Latin script
/// run at four to five letters a token, digits at three, and every other sign
/// is about one of its own.
pub fn estimate(text: &str) -> usize {
    weight(text) / WEIGHT_OF_A_TOKEN + 1
}

/// What a token weighs, for whoever adds up small pieces.
pub const WEIGHT_OF_A_TOKEN: usize = 30;

/// The weight of a text, in parts of a token.
pub fn weight(text: &str) -> usize {
    let weights = text.chars().map(|c| match c {
        'a'..='z' => 7,
        'A'..='Z' => 11,
        ' ' => 2,
        '0'..='9' => 12,
        c if c.is_ascii() => 22,
        c if c.is_alphabetic() && (c as u32) < 0x0590 => 16,
        _ => WEIGHT_OF_A_TOKEN,
    });
    weights.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_near_a_tokenizers_count() {
        let tokenizer = tiktoken_rs::o200k_base().unwrap();
        for text in [
            "The first crossing is the calmest. The last one sees the sunset.",
            "<textbox e4 \"Your name\" required> <combobox e5 \"Crossing\" value=\"07:30\" options=\"07:30\"|\"11:00\">",
            "- [Firefox](e21)\n- [Thunderbird](e22)\n- [Mozilla Foundation](e23)\n- [Release notes](e24)",
            "| Founded | February 28, 1998 | Products | Firefox, Thunderbird, Pocket |",
            "Les pirogues quittent la jetée tous les jours quand le vent le permet.",
            "第一班最平静。最后一班能看到日落。",
        ] {
            let real = tokenizer.encode_with_special_tokens(text).len() as f64;
            let ratio = estimate(text) as f64 / real;
            assert!((0.75..1.35).contains(&ratio), "{ratio:.2} of {real}: {text}");
        }
    }
}
