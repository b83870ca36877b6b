//! Numbers of payment cards, which give themselves away by their shape: how they
//! begin, how long they are and that their digits add up. All three, since ids,
//! times and fractions are as long.

/// Digits of the shortest number and of the longest.
const LENGTHS: std::ops::RangeInclusive<usize> = 13..=19;

/// What networks give out: the first and the last number that their cards begin
/// with, of as many digits, and how long these are.
const NETWORKS: [(u32, u32, &[usize]); 20] = [
    (4, 4, &[13, 16, 19]),
    (51, 55, &[16]),
    (2221, 2720, &[16]),
    (34, 34, &[15]),
    (37, 37, &[15]),
    (300, 305, &[14, 16]),
    (36, 36, &[14, 16]),
    (38, 39, &[14, 16]),
    (3528, 3589, &[16, 19]),
    (2200, 2204, &[16, 19]),
    (60, 60, &[16]),
    (6011, 6011, &[16, 19]),
    (62, 62, &[16, 17, 18, 19]),
    (644, 649, &[16, 19]),
    (65, 65, &[16, 19]),
    (5018, 5018, &[13, 16, 19]),
    (5020, 5020, &[13, 16, 19]),
    (5038, 5038, &[13, 16, 19]),
    (6304, 6304, &[13, 16, 19]),
    (6759, 6763, &[13, 16, 19]),
];

/// Where the numbers of cards are in a text. Linear in its length: from no group of
/// digits on are more looked at than a card has.
pub(super) fn cards_in(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit).map(|first| at + first)
    {
        let end = match may_begin(bytes, start).then(|| end_of_card(bytes, start)).flatten() {
            Some(end) => {
                found.push((start, end));
                end
            }
            None => end_of_digits(bytes, start, bytes.len()),
        };
        at = end;
    }
    found
}

fn end_of_digits(bytes: &[u8], start: usize, most: usize) -> usize {
    let digits = bytes[start..].iter().take(most).take_while(|byte| byte.is_ascii_digit());
    start + digits.count()
}

/// Not in the middle of a word, nor in a fraction.
fn may_begin(bytes: &[u8], start: usize) -> bool {
    match bytes[..start] {
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., before, b'.'] => before.is_ascii_alphabetic(),
        [.., before] => !before.is_ascii_alphabetic() && before != b'.',
        [] => true,
    }
}

/// Nor where digits of one or letters go on.
fn may_end(bytes: &[u8], end: usize) -> bool {
    match bytes[end..] {
        [b'.', after, ..] => !after.is_ascii_digit(),
        [after, ..] => !after.is_ascii_alphanumeric(),
        [] => true,
    }
}

/// Where the longest number ends that begins here, in one group or in several.
fn end_of_card(bytes: &[u8], start: usize) -> Option<usize> {
    let mut digits: Vec<u8> = Vec::with_capacity(*LENGTHS.end());
    let mut groups: Vec<usize> = Vec::new();
    let mut longest = None;
    let mut at = start;
    loop {
        let end = end_of_digits(bytes, at, LENGTHS.end() + 1);
        digits.extend(bytes[at..end].iter().map(|byte| byte - b'0'));
        groups.push(end - at);
        if digits.len() > *LENGTHS.end() || end == at {
            return longest;
        }
        if is_grouped_like_a_card(&groups) && may_end(bytes, end) && is_card(&digits) {
            longest = Some(end);
        }
        match between(&bytes[end..]) {
            Some(length) => at = end + length,
            None => return longest,
        }
    }
}

/// The length of what stands between two groups, in forms too.
fn between(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b' ' | b'-' | b'+', after, ..] if after.is_ascii_digit() => Some(1),
        [b'%', b'2', b'0', after, ..] if after.is_ascii_digit() => Some(3),
        _ => None,
    }
}

/// Fours, and what is left; or four, six and the rest.
fn is_grouped_like_a_card(groups: &[usize]) -> bool {
    match groups {
        [_] => true,
        [4, 6, 4 | 5] => true,
        [fours @ .., last] => fours.iter().all(|group| *group == 4) && *last <= 4,
        [] => false,
    }
}

fn is_card(digits: &[u8]) -> bool {
    LENGTHS.contains(&digits.len()) && is_of_a_network(digits) && adds_up(digits)
}

fn is_of_a_network(digits: &[u8]) -> bool {
    let beginning = |length: usize| {
        digits.iter().take(length).fold(0, |number, digit| number * 10 + u32::from(*digit))
    };
    NETWORKS.iter().any(|(first, last, lengths)| {
        let length = first.ilog10() as usize + 1;
        lengths.contains(&digits.len()) && (*first..=*last).contains(&beginning(length))
    })
}

/// The check by Luhn, in which every second digit counts twice.
fn adds_up(digits: &[u8]) -> bool {
    let counted = digits.iter().rev().enumerate().map(|(index, digit)| match digit * 2 {
        _ if index % 2 == 0 => *digit,
        twice if twice > 9 => twice - 9,
        twice => twice,
    });
    counted.map(u32::from).sum::<u32>().is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        cards_in(text).into_iter().map(|(from, to)| &text[from..to]).collect()
    }

    #[test]
    fn numbers_of_cards_are_found_in_one_group_and_in_several() {
        for card in [
            "4111111111111111",
            "4111 1111 1111 1111",
            "4111-1111-1111-1111",
            "4111+1111+1111+1111",
            "4111%201111%201111%201111",
            "4222222222222",
            "5555555555554444",
            "2223003122003222",
            "378282246310005",
            "3782 822463 10005",
            "30569309025904",
            "3530111333300000",
            "6011111111111117",
            "6200000000000005",
            "6759649826438453",
        ] {
            for around in ["{}", "card {}.", "\"{}\"", "a={}&b=1", "x\\n{}\\n", "5 {} 12 2026"] {
                assert_eq!(found(&around.replace("{}", card)), [card], "{around} {card}");
            }
        }
    }

    #[test]
    fn what_only_is_as_long_as_one_is_none() {
        for text in [
            "1767225600000",
            "1767225600000000000",
            "4111111111111112",
            "0.4111111111111111",
            "4111111111111111.5",
            "4111111111111111111111",
            "a4111111111111111",
            "4111111111111111f",
            "41 11111111111111",
            "4111  1111 1111 1111",
            "411111111111111 1",
            "9999999999999995",
            "",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
