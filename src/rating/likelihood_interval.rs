//! Intervals from the likelihood itself: the profile of the Elo curve, and Firth's penalised one,
//! which exists even where all games were won.

use super::elo_curve::EloCurve;
use super::estimate::{Absence, Estimate, Interval};
use super::observations::{Ladder, Level};
use super::quantile::{UPPER, normal_quantile};
use super::root::{distance_to_root, rising_root};
use super::scale::{ELO_PER_LOGIT, LOGIT_PER_ELO, expected_score, game_weight, ln_expected_score};

/// The ratings whose log-likelihood, divided by `phi`, lies within half the 95 % point of
/// chi-squared of the best: phi 1 for won-or-lost games, the units' dispersion for units.
///
/// # Source
/// Venzon and Moolgavkar, Applied Statistics 37, 1988; quasi-likelihood as in McCullagh and Nelder
/// 1989, chapter 9.
pub(super) fn profile_interval(ladder: &Ladder, curve: &EloCurve, phi: f64) -> Estimate {
    let levels = ladder.played();
    let best = log_likelihood(&levels, curve.rating);
    let square = normal_quantile(UPPER).powi(2);
    let step = normal_quantile(UPPER) * curve.standard_error;
    let distance = |sign: f64| {
        distance_to_root(step, |distance| {
            let rating = curve.rating + sign * distance;
            let excess: f64 = levels
                .iter()
                .map(|level| level.score_sum() - level.n() * expected_score(rating - level.elo()))
                .sum();
            let ratio = 2.0 * (best - log_likelihood(&levels, rating)) / phi;
            (ratio - square, -2.0 * sign * LOGIT_PER_ELO * excess / phi)
        })
    };
    ends(curve.rating, distance(-1.0), distance(1.0))
}

/// Firth's estimate: the mode of the likelihood times the root of the information, with the
/// interval of its own profile. Games are observations. `None` without games.
///
/// # Source
/// Firth, Biometrika 80, 1993; profile interval: Heinze and Schemper, Statistics in Medicine 21,
/// 2002.
pub(super) fn firth_interval(ladder: &Ladder) -> Option<Estimate> {
    let levels = ladder.played();
    let (lowest, highest) = (levels.first()?.elo(), levels.last()?.elo());
    let games: f64 = levels.iter().map(|level| level.n()).sum();
    // So far out, less than a quarter of a point is left to gain and the penalty decides.
    let reach = ELO_PER_LOGIT * (8.0 * games + 8.0).ln();
    let (low, high) = (lowest - reach, highest + reach);
    let score = |rating| (-firth_score(&levels, rating), 0.0);
    let rating = rising_root(low, high, f64::midpoint(low, high), score);
    let square = normal_quantile(UPPER).powi(2);
    let best = penalised(&levels, rating);
    let distance = |sign: f64| {
        distance_to_root(ELO_PER_LOGIT, |distance| {
            (2.0 * (best - penalised(&levels, rating + sign * distance)) - square, 0.0)
        })
    };
    Some(ends(rating, distance(-1.0), distance(1.0)))
}

fn ends(rating: f64, below: Option<f64>, above: Option<f64>) -> Estimate {
    let (Some(below), Some(above)) = (below, above) else {
        return Estimate::Absent(Absence::NotDetermined);
    };
    Estimate::from_interval(Interval {
        rating,
        low: rating - below,
        high: rating + above,
        standard_error: None,
        degrees_of_freedom: None,
    })
}

fn log_likelihood(levels: &[&Level], rating: f64) -> f64 {
    levels
        .iter()
        .map(|level| {
            let difference = rating - level.elo();
            level.score_sum() * ln_expected_score(difference)
                + (level.n() - level.score_sum()) * ln_expected_score(-difference)
        })
        .sum()
}

fn penalised(levels: &[&Level], rating: f64) -> f64 {
    let weight: f64 = levels.iter().map(|level| level.n() * game_weight(rating - level.elo())).sum();
    log_likelihood(levels, rating) + 0.5 * weight.ln()
}

/// The derivative of [`penalised`] by the logit.
fn firth_score(levels: &[&Level], rating: f64) -> f64 {
    let (mut excess, mut weight, mut skew) = (0.0, 0.0, 0.0);
    for level in levels {
        let difference = rating - level.elo();
        let expected = expected_score(difference);
        let own = level.n() * game_weight(difference);
        excess += level.score_sum() - level.n() * expected;
        weight += own;
        skew += own * (1.0 - 2.0 * expected);
    }
    excess + 0.5 * skew / weight
}
