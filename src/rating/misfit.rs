//! Whether the levels agree with each other on the Elo curve.

use serde::Serialize;

use super::elo_curve::{CurveLevel, EloCurve, UnitVariance};
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
        /// Levels less the parameters of the curve.
        degrees_of_freedom: u64,
        /// The probability of a larger X2 when the curve is right.
        p_value: f64,
        /// Variance of the scores relative to won-or-lost games, from the units.
        phi: f64,
    },
}

/// X2 of a curve, before any verdict.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pearson {
    /// Sum (S - n p)^2 / (phi w).
    pub(super) statistic: f64,
    /// Levels with at least two units.
    pub(super) levels: usize,
    /// Sum V / sum w.
    pub(super) phi: f64,
}

/// Tests the levels that have at least two units. Levels with a single unit take their variance
/// from the curve itself and cannot test it.
///
/// # Source
/// Pearson's statistic with the dispersion taken from within the levels; oracle and limits in
/// `docs/statistics.md`.
#[must_use]
pub fn misfit(curve: &EloCurve) -> Misfit {
    misfit_of(&curve.levels, 1)
}

/// [`misfit`] of any fitted curve with so many `parameters`.
pub(super) fn misfit_of(levels: &[CurveLevel], parameters: u64) -> Misfit {
    let tested = levels.iter().filter(|level| is_tested(level)).count();
    let not_tested = Misfit::NotTested { levels: tested };
    if tested < MIN_TESTED_LEVELS {
        return not_tested;
    }
    let Some(Pearson { statistic, levels, phi }) = pearson(levels) else { return not_tested };
    let degrees_of_freedom = levels as u64 - parameters;
    match chi_squared_tail(statistic, degrees_of_freedom) {
        Some(p_value) => Misfit::Tested { statistic, degrees_of_freedom, p_value, phi },
        None => not_tested,
    }
}

/// X2 over the levels with at least two units; `None` where they carry no weight.
pub(super) fn pearson(levels: &[CurveLevel]) -> Option<Pearson> {
    let tested = || levels.iter().filter(|level| is_tested(level));
    let variance: f64 = tested().map(|level| level.variance).sum();
    let weight: f64 = tested().map(|level| level.weight).sum();
    let phi = variance / weight;
    let statistic: f64 = tested()
        // A level so far off that its weight vanishes says nothing.
        .filter(|level| level.weight > 0.0)
        .map(|level| (level.score_sum - level.games * level.expected).powi(2) / (phi * level.weight))
        .sum();
    let usable = statistic.is_finite() && phi.is_finite() && phi > 0.0;
    usable.then(|| Pearson { statistic, levels: tested().count(), phi })
}

fn is_tested(level: &CurveLevel) -> bool {
    level.variance_source != UnitVariance::AroundCurve
}
