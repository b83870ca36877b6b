//! Owns the arithmetic of the benchmark: medians and ratios. Knows nothing of servers or tables.

/// The middle of the samples (the mean of the two middle ones when they are even in number).
pub(crate) fn median(samples: &[f64]) -> Option<f64> {
    let mut sorted: Vec<f64> = samples.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        length if length % 2 == 1 => Some(sorted[middle]),
        _ => Some(f64::midpoint(sorted[middle - 1], sorted[middle])),
    }
}

/// The least of the values that exist: every measure here is better when smaller.
pub(crate) fn best(values: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    values.into_iter().flatten().min_by(f64::total_cmp)
}

/// `value / reference`, when both exist and the reference isn't zero.
pub(crate) fn ratio(value: Option<f64>, reference: Option<f64>) -> Option<f64> {
    match (value, reference) {
        (Some(value), Some(reference)) if reference > 0.0 => Some(value / reference),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_odd_number_is_the_middle_one() {
        assert_eq!(median(&[9.0, 1.0, 5.0]), Some(5.0));
    }

    #[test]
    fn the_median_of_an_even_number_is_between_the_middle_two() {
        assert_eq!(median(&[1.0, 4.0, 2.0, 100.0]), Some(3.0));
    }

    #[test]
    fn nothing_has_no_median_and_values_that_are_not_numbers_do_not_count() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[f64::NAN, 2.0]), Some(2.0));
    }

    #[test]
    fn the_best_peer_is_the_smallest_one_that_was_measured() {
        assert_eq!(best([Some(3.0), None, Some(2.0)]), Some(2.0));
        assert_eq!(best([None, None]), None);
    }

    #[test]
    fn a_ratio_needs_both_sides() {
        assert_eq!(ratio(Some(1.0), Some(4.0)), Some(0.25));
        assert_eq!(ratio(Some(1.0), None), None);
        assert_eq!(ratio(Some(1.0), Some(0.0)), None);
    }
}
