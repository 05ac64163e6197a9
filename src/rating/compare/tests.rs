//! Against arithmetic by hand and R's `t.test`.

use super::*;
use crate::rating::quantile::{t_quantile_real, two_sided_p};

fn run(rating: f64, standard_error: f64, degrees_of_freedom: Option<f64>) -> RunRating {
    RunRating { rating, standard_error, degrees_of_freedom }
}

#[test]
fn standard_errors_add_in_squares_and_half_widths_do_not_enter() {
    let comparison = compare_ratings(&run(1945.0, 25.0, None), &run(1868.0, 15.8, None)).unwrap();
    assert!((comparison.standard_error - 29.574).abs() < 1e-3);
    assert!((comparison.z - 2.6036).abs() < 1e-4);
    // 2 (1 - pnorm(2.6036)) in R.
    assert!((comparison.p_value - 0.009_225).abs() < 1e-5, "{}", comparison.p_value);
}

#[test]
fn few_units_make_a_difference_less_certain() {
    // Welch: (2 * 100)^2 / (100^2 / 4 + 100^2 / 4) = 8; 2 * pt(-2.1213, 8) = 0.0667.
    let comparison = compare_ratings(&run(30.0, 10.0, Some(4.0)), &run(0.0, 10.0, Some(4.0))).unwrap();
    assert!((comparison.degrees_of_freedom.unwrap() - 8.0).abs() < 1e-9);
    assert!((comparison.p_value - 0.0667).abs() < 5e-4, "{}", comparison.p_value);
    assert!(comparison.low < 0.0 && 30.0 < comparison.high);
}

#[test]
fn a_rating_without_an_error_is_not_compared() {
    assert_eq!(compare_ratings(&run(1.0, 0.0, None), &run(0.0, 10.0, None)), None);
    assert_eq!(compare_ratings(&run(f64::NAN, 1.0, None), &run(0.0, 10.0, None)), None);
}

fn pairs<'a>(names: &'a [String], scores: &[u32]) -> Vec<PairScore<'a>> {
    names
        .iter()
        .zip(scores)
        .map(|(name, half_points)| PairScore { opening: name, half_points: *half_points })
        .collect()
}

#[test]
fn openings_that_both_played_cancel() {
    let names: Vec<String> = (0..40).map(|number| format!("opening {number}")).collect();
    let others: Vec<String> = (0..40).map(|number| format!("other {number}")).collect();
    // Openings differ a lot, the runs by half a point in every fourth opening.
    let easy: Vec<u32> = (0..40).map(|i| [0, 1, 2, 3][i % 4]).collect();
    let better: Vec<u32> = (0..40).map(|i| [1, 1, 2, 3][i % 4]).collect();
    let (first, second, apart) = (pairs(&names, &better), pairs(&names, &easy), pairs(&others, &easy));
    let level = |second| LevelScores { level: 1900.0, first: &first, second };
    let paired = compare_directly(&[level(&second)]);
    let unpaired = compare_directly(&[level(&apart)]);
    assert_eq!(paired.levels[0].pairing, Pairing::ByOpening { openings: 40, left_out: 0 });
    assert_eq!(unpaired.levels[0].pairing, Pairing::Unpaired);
    let (paired, unpaired) = (paired.combined.unwrap(), unpaired.combined.unwrap());
    assert!((paired.difference - unpaired.difference).abs() < 1e-9);
    assert!(paired.standard_error < 0.5 * unpaired.standard_error);
    // Elo(0.4375) - Elo(0.375).
    assert!((paired.difference - (-43.658_1 + 88.739_5)).abs() < 1e-3, "{}", paired.difference);
}

#[test]
fn runs_that_tell_nothing_have_no_difference() {
    let names: Vec<String> = (0..10).map(|number| number.to_string()).collect();
    let (won, even) = (pairs(&names, &[4; 10]), pairs(&names, &[2; 10]));
    let level = |first, second| LevelScores { level: 1900.0, first, second };
    assert_eq!(compare_directly(&[level(&won, &even)]).combined, None);
    assert_eq!(compare_directly(&[level(&even, &even)]).combined, None);
    let missing = compare_directly(&[level(&even, &[])]);
    assert!(missing.levels.is_empty() && missing.combined.is_none());
}

/// `qt(0.975, c(2.5, 7.3, 250.5))` and `2 * pt(-3, 2.5)` in R 4.
#[test]
fn degrees_of_freedom_need_not_be_whole() {
    for (degrees, expected) in [(2.5, 3.574_654_842), (7.3, 2.345_066_737), (250.5, 1.969_479_272)] {
        let t = t_quantile_real(0.975, Some(degrees)).unwrap();
        assert!((t - expected).abs() < 1e-6, "{degrees}: {t}");
    }
    assert!((two_sided_p(-3.0, Some(2.5)) - 0.072_576_095_5).abs() < 1e-8);
    assert!((two_sided_p(1.959_963_985, None) - 0.05).abs() < 1e-9);
    assert!((two_sided_p(1.959_963_985, Some(1e7)) - 0.05).abs() < 1e-9);
}
