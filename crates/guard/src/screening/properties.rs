//! What must hold of any text that is screened: what is written with joiners,
//! selectors and tags comes through byte for byte, and what is hidden among
//! letters is gone, counted by its kind and told with its line.

use proptest::prelude::*;
use proptest::sample::select;

use super::{Removed, screen};

const SKIN_TONES: [&str; 5] = ["🏻", "🏼", "🏽", "🏾", "🏿"];

fn emoji() -> impl Strategy<Value = String> {
    let person = select(vec!["👩", "👨", "🧑", "👧", "👦", "🧒"]);
    let tone = prop::option::of(select(SKIN_TONES.to_vec())).prop_map(Option::unwrap_or_default);
    let thing = select(vec!["🚀", "⚕️", "⚖️", "✈️", "🎨", "💻", "❤️", "🦰", "🍼", "♀️", "♂️"]);
    let toned = (person, tone).prop_map(|(person, tone)| format!("{person}{tone}"));
    let with_thing = (toned.clone(), thing).prop_map(|(who, what)| format!("{who}\u{200d}{what}"));
    let family = prop::collection::vec(toned, 2..5).prop_map(|all| all.join("\u{200d}"));
    let letter = || prop::char::range('\u{1f1e6}', '\u{1f1ff}');
    let country = (letter(), letter()).prop_map(|(one, two)| format!("{one}{two}"));
    let keycap = select("0123456789#*".chars().collect::<Vec<_>>())
        .prop_map(|key| format!("{key}\u{fe0f}\u{20e3}"));
    let region = select(vec!["gbeng", "gbsct", "gbwls"])
        .prop_map(|code| format!("🏴{}\u{e007f}", in_tags(code)));
    let other = select(vec![
        "🏳️‍🌈",
        "🏳️‍⚧️",
        "🏴‍☠️",
        "👁️‍🗨️",
        "❤️‍🔥",
        "⛓️‍💥",
        "🐻‍❄️",
        "🐦‍⬛",
        "☺︎",
        "☎️",
        "©️",
        "™️",
        "↔️",
        "㊗️",
        "🅰️",
    ]);
    prop_oneof![with_thing, family, country, keycap, region, other.prop_map(str::to_owned)]
}

/// Words whose letters a joiner or its opposite shapes.
fn joined() -> impl Strategy<Value = String> {
    let perso_arabic =
        ("[بپتسشعفقکگلمنهی]{1,4}", select(vec!['\u{200c}', '\u{200d}']), "[ابپتدرسعفکلمنوهی]{1,4}")
            .prop_map(|(one, joiner, two)| format!("{one}{joiner}{two}"));
    // A consonant, the sign that takes its vowel, a joiner, and perhaps another one.
    let indic = select(vec![
        ('\u{915}'..='\u{939}', '\u{94d}'),
        ('\u{995}'..='\u{9a8}', '\u{9cd}'),
        ('\u{b95}'..='\u{b95}', '\u{bcd}'),
        ('\u{c15}'..='\u{c28}', '\u{c4d}'),
        ('\u{c95}'..='\u{ca8}', '\u{ccd}'),
        ('\u{d15}'..='\u{d28}', '\u{d4d}'),
        ('\u{d9a}'..='\u{da5}', '\u{dca}'),
    ]);
    let consonant = |letters: std::ops::RangeInclusive<char>| {
        prop::char::range(*letters.start(), *letters.end())
    };
    let indic = indic.prop_flat_map(move |(letters, virama)| {
        let last = prop::option::of(consonant(letters.clone()));
        (consonant(letters), Just(virama), select(vec!['\u{200c}', '\u{200d}']), last)
    });
    let indic = indic.prop_map(|(first, virama, joiner, last)| {
        [Some(first), Some(virama), Some(joiner), last].into_iter().flatten().collect::<String>()
    });
    prop_oneof![perso_arabic, indic]
}

/// What hides among letters, and the kind it is counted as.
fn smuggled() -> impl Strategy<Value = (char, fn(&mut Removed) -> &mut usize)> {
    type Count = fn(&mut Removed) -> &mut usize;
    let kind = |characters: &[char], count: Count| {
        select(characters.to_vec()).prop_map(move |character| (character, count))
    };
    let range = |from, to, count: Count| {
        prop::char::range(from, to).prop_map(move |character| (character, count))
    };
    prop_oneof![
        kind(&['\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{2063}', '\u{feff}'], |r| &mut r
            .zero_width),
        kind(
            &['\u{202a}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2069}', '\u{200f}', '\u{61c}'],
            |r| &mut r.bidi
        ),
        range('\u{e0001}', '\u{e007f}', |r| &mut r.tags),
        range('\u{fe00}', '\u{fe0f}', |r| &mut r.variation_selectors),
        range('\u{e0100}', '\u{e01ef}', |r| &mut r.variation_selectors),
        kind(&['\u{ad}'], |r| &mut r.soft_hyphens),
        kind(&['\u{fff9}', '\u{fffa}', '\u{fffb}'], |r| &mut r.annotations),
        kind(&['\0', '\u{8}', '\u{1b}', '\u{7f}', '\u{9b}'], |r| &mut r.controls),
        kind(&['\u{34f}', '\u{3164}', '\u{206a}', '\u{e0fff}'], |r| &mut r.others),
    ]
}

fn in_tags(words: &str) -> String {
    words.bytes().filter_map(|byte| char::from_u32(0xe0000 + u32::from(byte))).collect()
}

proptest! {
    #[test]
    fn what_is_written_with_joiners_and_selectors_comes_through_byte_for_byte(
        pieces in prop::collection::vec(
            (prop_oneof![emoji(), joined()], select(vec![" ", "\n", ", ", "—", " x "])), 1..20)
    ) {
        let text: String = pieces.iter().flat_map(|(piece, after)| [piece.as_str(), after]).collect();
        let screened = screen(&text);
        prop_assert_eq!(screened.text.as_ref(), text.as_str());
        prop_assert_eq!(screened.removed, Removed::default());
    }

    #[test]
    fn what_hides_among_letters_is_removed_counted_and_told_with_its_line(
        pieces in prop::collection::vec(
            ("[a-zA-Z .,éß漢]{0,4}[a-zA-Z.]", prop::collection::vec(smuggled(), 0..6), any::<bool>()), 1..20)
    ) {
        let (mut text, mut visible, mut expected) = (String::new(), String::new(), Removed::default());
        let mut lines = Vec::new();
        for (words, hidden, ends_line) in &pieces {
            let seen = if *ends_line { format!("{words}\n") } else { words.clone() };
            let line = 1 + visible.matches('\n').count();
            text.push_str(words);
            for (character, count) in hidden {
                text.push(*character);
                let counted = count(&mut expected);
                *counted += 1;
                if *character != '\u{ad}' && lines.last() != Some(&line) {
                    lines.push(line);
                }
            }
            text.push_str(&seen[words.len()..]);
            visible.push_str(&seen);
        }
        let screened = screen(&text);
        let told = Removed { hidden_texts: 0, ..screened.removed };
        prop_assert_eq!(screened.text, visible);
        prop_assert_eq!(told, expected);
        prop_assert_eq!(&screened.removed_from.listed, &lines[..lines.len().min(5)]);
        prop_assert_eq!(screened.removed_from.unlisted, lines.len().saturating_sub(5));
    }

    #[test]
    fn words_in_tags_or_selectors_are_removed_whatever_they_stand_after(
        before in prop_oneof![emoji(), joined(), Just("漢".to_owned()), Just("a".to_owned()), Just("🏴".to_owned())],
        words in "[a-z ]{6,40}",
        are_tags in any::<bool>(),
    ) {
        let selector = |byte: u8| char::from_u32(0xe0100 + u32::from(byte) - 16);
        let hidden = if are_tags { in_tags(&words) } else { words.bytes().filter_map(selector).collect() };
        // A selector before a run of them is one of the run.
        let before = before.trim_end_matches(['\u{fe0e}', '\u{fe0f}']);
        let text = format!("{before}{hidden}.");
        let screened = screen(&text);
        prop_assert_eq!(screened.text, format!("{before}."));
        prop_assert_eq!(screened.removed.total(), words.len());
        prop_assert_eq!(screened.removed.hidden_texts, 1);
    }

    #[test]
    fn what_is_screened_has_nothing_left_to_remove(text in any::<String>()) {
        let once = screen(&text);
        let twice = screen(&once.text);
        prop_assert_eq!(&twice.text, &once.text);
        prop_assert_eq!(twice.removed, Removed::default());
    }
}
