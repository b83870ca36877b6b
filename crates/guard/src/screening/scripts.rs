//! Which characters an invisible neighbour can work on, by the blocks they are
//! in: emoji, ideographs, scripts that join their letters. Wider than Unicode's
//! own lists where a block is shorter to tell.

/// Emoji and their parts, by the blocks they are in.
pub(super) fn is_pictograph(character: char) -> bool {
    matches!(character,
        '©' | '®' | '‼' | '⁉' | '™' | 'ℹ' | 'Ⓜ' | '〰' | '〽' | '㊗' | '㊙'
        | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{25a0}'..='\u{27bf}'
        | '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

pub(super) fn is_ideograph(character: char) -> bool {
    matches!(character,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

pub(super) fn is_mongolian(character: char) -> bool {
    matches!(character, '\u{1800}'..='\u{180a}' | '\u{1810}'..='\u{18af}' | '\u{11660}'..='\u{1167f}')
}

pub(super) fn is_jamo(character: char) -> bool {
    matches!(character, '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97f}' | '\u{d7b0}'..='\u{d7ff}')
}

/// Mathematical signs, punctuation and letters with standardised variants.
pub(super) fn has_variants(character: char) -> bool {
    matches!(character,
        '\u{2200}'..='\u{22ff}' | '\u{2a00}'..='\u{2aff}' | '\u{3000}'..='\u{303f}'
        | '\u{ff00}'..='\u{ffef}' | '\u{1000}'..='\u{109f}' | '\u{aa60}'..='\u{aa7f}'
        | '\u{a840}'..='\u{a87f}' | '\u{10ac0}'..='\u{10aff}' | '\u{2018}'..='\u{201d}')
}

/// Scripts in which a joiner changes the form of letters: Arabic and its
/// kin, Indic scripts, Mongolian.
pub(super) fn is_joining(character: char) -> bool {
    matches!(character,
        '\u{600}'..='\u{61b}' | '\u{61d}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{f00}'..='\u{109f}'
        | '\u{1780}'..='\u{17b3}' | '\u{17b6}'..='\u{17ff}' | '\u{1900}'..='\u{1cff}'
        | '\u{2d30}'..='\u{2d7f}' | '\u{a800}'..='\u{a9ff}' | '\u{aa00}'..='\u{aaff}'
        | '\u{abc0}'..='\u{abff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10a00}'..='\u{10fff}' | '\u{11000}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}')
        || is_mongolian(character)
}

/// Scripts that mark where a line may break, since they have no blanks.
pub(super) fn is_written_without_blanks(character: char) -> bool {
    matches!(character,
        '\u{e00}'..='\u{fff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{1950}'..='\u{19df}' | '\u{1a20}'..='\u{1aaf}')
}

#[cfg(test)]
mod tests {
    use icu_properties::CodePointSetData;
    use icu_properties::props::Emoji;

    use super::*;

    #[test]
    fn every_emoji_is_a_pictograph() {
        let emoji = CodePointSetData::new::<Emoji>();
        let missed: Vec<char> =
            ('\u{80}'..=char::MAX).filter(|c| emoji.contains(*c) && !is_pictograph(*c)).collect();
        assert!(missed.is_empty(), "{missed:?}");
    }
}
