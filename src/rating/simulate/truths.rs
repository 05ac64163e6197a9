//! The named truths: the two tables of `docs/statistics.md`, and the same ways to go wrong for any
//! plan.

use super::truth::{Truth, TruthLevel};

const SIX: [f64; 6] = [1500.0, 1700.0, 1900.0, 2100.0, 2300.0, 2500.0];

fn six(name: &str, rating: f64) -> Truth {
    Truth::right(name, &SIX, 100, rating)
}

/// The truths that the quoted line was made for.
#[must_use]
pub fn standard_truths() -> Vec<Truth> {
    let five = [1600.0, 1800.0, 2000.0, 2200.0, 2400.0];
    vec![
        six("model right", 2000.0),
        Truth::right("5 levels x 8 pairs", &five, 8, 2000.0),
        six("opening bias SD 150", 2000.0).with_opening_sd(150.0),
        six("level errors SD 19", 2000.0).with_level_sd(19.0),
        six("level errors SD 30", 2000.0).with_level_sd(30.0),
        six("level errors SD 30, R 2400", 2400.0).with_level_sd(30.0),
        six("level errors SD 60", 2000.0).with_level_sd(60.0),
        six("level errors SD 60, R 2400", 2400.0).with_level_sd(60.0),
        six("slope 0.7, R 2400", 2400.0).with_slope(0.7),
        six("slope 0.7, R 2400, level SD 40", 2400.0).with_slope(0.7).with_level_sd(40.0),
    ]
}

/// Truths that nothing was tuned on.
#[must_use]
pub fn untuned_truths() -> Vec<Truth> {
    let four = [1600.0, 1800.0, 2000.0, 2200.0];
    let eight = [1400.0, 1600.0, 1800.0, 2000.0, 2200.0, 2400.0, 2600.0, 2800.0];
    let compressed = [1565.0, 1715.0, 1865.0, 2015.0, 2165.0, 2315.0];
    let mut uneven = six("pairs 20, 150, 40, 100, 30, 120, level SD 30, R 1900", 1900.0).with_level_sd(30.0);
    for (level, pairs) in uneven.levels.iter_mut().zip([20, 150, 40, 100, 30, 120]) {
        level.pairs = pairs;
    }
    vec![
        Truth::right("4 levels 1600..2200, 50 pairs, R 1900", &four, 50, 1900.0),
        Truth::right("the same, level SD 30, R 2000", &four, 50, 2000.0).with_level_sd(30.0),
        Truth::right("8 levels 1400..2800, 60 pairs, level SD 40", &eight, 60, 2000.0).with_level_sd(40.0),
        six("slope 0.5, R 2300", 2300.0).with_slope(0.5),
        six("slope 1.3, R 2300", 2300.0).with_slope(1.3),
        six("level SD 100", 2000.0).with_level_sd(100.0),
        uneven,
        six("R 2700, above all levels, level SD 19", 2700.0).with_level_sd(19.0),
        six("R 2700, slope 0.7", 2700.0).with_slope(0.7),
        six("one level 120 off", 2000.0).with_one_level_off(120.0),
        Truth::right("slope 0.64, levels 1565..2315, 70 pairs, level SD 19, R 1870", &compressed, 70, 1870.0)
            .with_slope(0.64)
            .with_level_sd(19.0),
        Truth::right("6 levels x 20 pairs, level SD 30, R 2100", &SIX, 20, 2100.0).with_level_sd(30.0),
    ]
}

/// The same ways to go wrong for a ladder of one's own, and the rating to assume.
#[must_use]
pub fn truths_for_plan(levels: &[TruthLevel], rating: f64) -> Vec<Truth> {
    let named = |name: &str| Truth { levels: levels.to_vec(), ..Truth::right(name, &[], 0, rating) };
    vec![
        named("model right"),
        named("opening bias SD 150").with_opening_sd(150.0),
        named("level errors SD 19").with_level_sd(19.0),
        named("level errors SD 30").with_level_sd(30.0),
        named("level errors SD 60").with_level_sd(60.0),
        named("one level 120 off").with_one_level_off(120.0),
        named("slope 0.7").with_slope(0.7),
        named("slope 0.7, level errors SD 40").with_slope(0.7).with_level_sd(40.0),
        named("slope 1.3").with_slope(1.3),
    ]
}
