//! What calling a tool that a page offers would do that can't be taken back. Which
//! words say so, `consequence` knows; here is what a tool's words are, and what is
//! made of one that says nothing.

use crate::consequence::{Consequence, act_at_an_end, act_in, is_harmless, words_of};

/// A tool, as the page describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfferedTool<'a> {
    /// Its name, mostly words that were put together.
    pub name: &'a str,
    /// Its name for people.
    pub title: &'a str,
    /// What it says it does.
    pub description: &'a str,
    /// It says that it changes nothing.
    pub is_read_only: bool,
}

/// What a call would do that can't be taken back. A control is seen, and what it does
/// is mostly what it says; a tool is code that nobody sees, under whatever name. So
/// one that doesn't even claim to change nothing is never taken for harmless: what no
/// word tells is unknown. One that claims so is believed, unless its own name is an act.
pub fn consequence_of_call(tool: &OfferedTool<'_>) -> Option<Consequence> {
    let names = [words_of(&apart(tool.name)), words_of(tool.title)];
    if tool.is_read_only {
        let is_judged = |words: &&Vec<String>| !is_harmless(words);
        return names.iter().filter(is_judged).find_map(|words| act_at_an_end(words));
    }
    let all = names.into_iter().chain([words_of(tool.description)]);
    Some(all.into_iter().find_map(|words| act_in(&words, false)).unwrap_or(Consequence::Unknown))
}

/// `deleteAccount` as `delete Account`, `openPDFFile` as `open PDF File`.
fn apart(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut words = String::with_capacity(name.len() + 8);
    for (at, letter) in letters.iter().enumerate() {
        let follows = at.checked_sub(1).map(|before| letters[before]);
        let leads_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let is_seam = letter.is_uppercase()
            && follows.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_numeric()
                    || (before.is_uppercase() && leads_small)
            });
        if is_seam {
            words.push(' ');
        }
        words.push(*letter);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> OfferedTool<'_> {
        OfferedTool { name, title: "", description: "", is_read_only: false }
    }

    #[test]
    fn a_name_is_taken_apart_however_it_was_put_together() {
        for name in ["deleteAccount", "DeleteAccount", "delete_account", "delete-account"] {
            assert_eq!(consequence_of_call(&named(name)), Some(Consequence::Deletes), "{name}");
        }
        for name in ["placeOrder", "payNow", "shop.pay", "pay", "wallet/payBill", "PAYNow"] {
            assert_eq!(consequence_of_call(&named(name)), Some(Consequence::Pays), "{name}");
        }
        assert_eq!(consequence_of_call(&named("sendMail")), Some(Consequence::Sends));
        assert_eq!(consequence_of_call(&named("kontoLöschen")), Some(Consequence::Deletes));
        assert_eq!(apart("openPDFFile v2Draft"), "open PDF File v2 Draft");
    }

    #[test]
    fn what_a_tool_says_of_itself_counts_like_its_name() {
        let titled = OfferedTool { title: "Buy it", ..named("go") };
        assert_eq!(consequence_of_call(&titled), Some(Consequence::Pays));
        let told = OfferedTool { description: "Will delete all that is there", ..named("go") };
        assert_eq!(consequence_of_call(&told), Some(Consequence::Deletes));
    }

    #[test]
    fn what_no_word_tells_is_harmless_only_where_the_tool_says_so() {
        for name in ["go", "addToCart", "deleteaccount", "sendDraft", "search", ""] {
            assert!(consequence_of_call(&named(name)).is_some(), "{name}");
        }
        assert_eq!(consequence_of_call(&named("go")), Some(Consequence::Unknown));
        let reads = |name| OfferedTool { is_read_only: true, ..named(name) };
        for name in ["go", "search", "getBuyOffers", "previewOrder", "listFilters"] {
            assert_eq!(consequence_of_call(&reads(name)), None, "{name}");
        }
        let told = OfferedTool { description: "Tells what you can buy", ..reads("offers") };
        assert_eq!(consequence_of_call(&told), None);
    }

    #[test]
    fn a_tool_whose_name_is_an_act_is_not_believed_to_only_read() {
        for (name, title) in [("payNow", ""), ("go", "Pay now"), ("kontoLöschen", "")] {
            let tool = OfferedTool { title, is_read_only: true, ..named(name) };
            assert!(consequence_of_call(&tool).is_some(), "{name} {title}");
        }
    }
}
