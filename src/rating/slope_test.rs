//! Whether the free slope fits better than Elo's. It explains; it does not choose the quoted line.

use serde::Serialize;

use super::elo_curve::{CurveLevel, EloCurve};
use super::free_slope::FreeSlope;
use super::misfit::{MIN_TESTED_LEVELS, Pearson, pearson};
use super::quantile::{chi_squared_tail, f_tail};

/// The test of a slope of 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SlopeTest {
    /// Too few levels with at least two units, or no free slope.
    NotTested {
        /// Such levels.
        levels: usize,
    },
    /// Fixed against free slope.
    Tested {
        /// Twice the gain in log-likelihood divided by the free fit's phi.
        likelihood_ratio: f64,
        /// Of the likelihood ratio, chi-squared on 1: right only if the free curve fits.
        likelihood_ratio_p_value: f64,
        /// The free fit's phi.
        phi: f64,
        /// The likelihood ratio divided by max(1, X2 / degrees of freedom) of the free fit.
        f_statistic: f64,
        /// Levels less two; those of F are 1 and this.
        degrees_of_freedom: u64,
        /// Of F.
        p_value: f64,
    },
}

/// Tests the slope of 1 on the levels of both fits.
///
/// # Source
/// Likelihood ratio with estimated dispersion as an F test: McCullagh and Nelder, *Generalized
/// Linear Models*, 1989, section 4.5.
pub(super) fn slope_test(curve: &EloCurve, free: Option<&FreeSlope>) -> SlopeTest {
    let tested = pearson(&curve.levels).map_or(0, |found| found.levels);
    test(curve, free).unwrap_or(SlopeTest::NotTested { levels: tested })
}

fn test(curve: &EloCurve, free: Option<&FreeSlope>) -> Option<SlopeTest> {
    let free = free?;
    let Pearson { statistic, levels, phi } = pearson(&free.levels)?;
    if levels < MIN_TESTED_LEVELS {
        return None;
    }
    let gain: f64 = curve.levels.iter().zip(&free.levels).map(|(fixed, free)| gain(fixed, free)).sum();
    // Rounding may leave a gain below zero where both curves agree.
    let likelihood_ratio = 2.0 * gain.max(0.0) / phi;
    let degrees_of_freedom = levels as u64 - 2;
    #[expect(clippy::cast_precision_loss, reason = "a number of levels")]
    let degrees = degrees_of_freedom as f64;
    let f_statistic = likelihood_ratio / (statistic / degrees).max(1.0);
    if !likelihood_ratio.is_finite() {
        return None;
    }
    Some(SlopeTest::Tested {
        likelihood_ratio,
        likelihood_ratio_p_value: chi_squared_tail(likelihood_ratio, 1)?,
        phi,
        f_statistic,
        degrees_of_freedom,
        p_value: f_tail(f_statistic, degrees)?,
    })
}

/// What the free curve adds to the log-likelihood of one level.
fn gain(fixed: &CurveLevel, free: &CurveLevel) -> f64 {
    let part =
        |points: f64, free: f64, fixed: f64| if points > 0.0 { points * (free / fixed).ln() } else { 0.0 };
    part(fixed.score_sum, free.expected, fixed.expected)
        + part(fixed.games - fixed.score_sum, 1.0 - free.expected, 1.0 - fixed.expected)
}
