//! Whether the levels agree with each other on the Elo curve.

use serde::Serialize;

use super::elo_curve::{EloCurve, UnitVariance};
use super::quantile::chi_squared_tail;

/// With fewer levels misfit is neither claimed nor denied.
pub const MIN_TESTED_LEVELS: usize = 4;

/// The verdict on the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Misfit {
    /// Too few levels with at least two units to say anything.
    NotTested {
        /// Such levels.
        levels: usize,
    },
    /// X2 = sum (S - n p)^2 / (phi w), phi = sum V / sum w, against chi-squared.
    Tested {
        /// X2.
        statistic: f64,
        /// Levels less one.
        degrees_of_freedom: u64,
        /// The probability of a larger X2 when the curve is right.
        p_value: f64,
        /// Variance of the scores relative to won-or-lost games, from the units.
        phi: f64,
    },
}

/// Tests the levels that have at least two units. Levels with a single unit take their variance
/// from the curve itself and cannot test it.
///
/// # Source
/// Pearson's statistic with the dispersion taken from within the levels; oracle and limits in
/// `docs/rating.md`.
#[must_use]
pub fn misfit(curve: &EloCurve) -> Misfit {
    let tested: Vec<_> =
        curve.levels.iter().filter(|level| level.variance_source != UnitVariance::AroundCurve).collect();
    let not_tested = Misfit::NotTested { levels: tested.len() };
    if tested.len() < MIN_TESTED_LEVELS {
        return not_tested;
    }
    let variance: f64 = tested.iter().map(|level| level.variance).sum();
    let weight: f64 = tested.iter().map(|level| level.weight).sum();
    let phi = variance / weight;
    let statistic: f64 = tested
        .iter()
        // A level so far off that its weight vanishes says nothing.
        .filter(|level| level.weight > 0.0)
        .map(|level| (level.score_sum - level.games * level.expected).powi(2) / (phi * level.weight))
        .sum();
    let degrees_of_freedom = tested.len() as u64 - 1;
    match chi_squared_tail(statistic, degrees_of_freedom) {
        Some(p_value) if statistic.is_finite() => {
            Misfit::Tested { statistic, degrees_of_freedom, p_value, phi }
        }
        _ => not_tested,
    }
}
