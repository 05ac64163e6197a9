//! The Elo curve: the rating at which expected and actual score agree, and its sampling error with
//! a unit (an opening pair) as one observation.
//!
//! Notation as in `docs/statistics.md`: level r, games n, score sum S, expected score p,
//! weight w = n p (1 - p), W = sum of w, V = variance of a level's total.

use super::observations::{Ladder, Level};
use super::scale::{ELO_PER_LOGIT, elo_from_score, expected_score, game_weight};

/// Where the variance of a level's total came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitVariance {
    /// From the spread of at least two units around their mean.
    WithinLevel,
    /// At least two units, all alike: the curve's own variance w stands in.
    CurveModel,
    /// A single unit: its squared distance from the fitted curve.
    AroundCurve,
}

/// One level at the fitted rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveLevel {
    /// The level's label, r.
    pub elo: f64,
    /// Games, n.
    pub games: f64,
    /// Score sum, S.
    pub score_sum: f64,
    /// Expected score per game at the fitted rating, p.
    pub expected: f64,
    /// n p (1 - p).
    pub weight: f64,
    /// V, the variance of the score sum.
    pub variance: f64,
    /// How V was found.
    pub variance_source: UnitVariance,
}

/// The maximum-likelihood rating on the Elo curve with its unit-robust error.
#[derive(Clone, Debug, PartialEq)]
pub struct EloCurve {
    /// R.
    pub rating: f64,
    /// W.
    pub weight: f64,
    /// SE = sqrt(sum of V) / (k W), in Elo.
    pub standard_error: f64,
    /// Degrees of freedom of SE: units less levels. Levels with a single unit are observations
    /// with a rating of their own and count as one level together.
    pub degrees_of_freedom: u64,
    /// The levels that have games, ascending.
    pub levels: Vec<CurveLevel>,
}

/// Solves sum (S - n p(R)) = 0 over the levels that have games.
///
/// `None` when no game was played, when all were won or all lost (see
/// [`lower_bound`](super::lower_bound)), when levels lie so far apart that no game says anything
/// about the rating between them, and when no spread is left to measure an error with.
///
/// # Source
/// Score equation of the logistic model; SE is its sandwich with units as clusters, centred within
/// levels so that it holds no misfit (`docs/statistics.md`). A single unit's square is divided by
/// 1 - w/W, the Bell-McCaffrey (CR2) correction, without which a ladder of single units would look
/// too certain.
///
/// ```
/// use elometer::rating::{Ladder, Level, Unit, fit_elo_curve};
/// let pair = |half_points| Unit { games: 2, half_points };
/// // 56.5 % of 200 games against 1900.
/// let level = Level::new(1900.0, 100, 26, 74, [(pair(4), 40), (pair(2), 33), (pair(0), 27)]);
/// let curve = fit_elo_curve(&Ladder::new([level.unwrap()])).unwrap();
/// assert_eq!(curve.rating.round(), 1945.0);
/// ```
#[must_use]
pub fn fit_elo_curve(ladder: &Ladder) -> Option<EloCurve> {
    fit_levels(&ladder.played())
}

/// [`fit_elo_curve`] for levels that all have games, ascending.
pub(super) fn fit_levels(levels: &[&Level]) -> Option<EloCurve> {
    let rating = solve(levels)?;
    let weights: Vec<f64> =
        levels.iter().map(|level| level.n() * game_weight(rating - level.elo())).collect();
    let weight: f64 = weights.iter().sum();

    let fitted: Vec<CurveLevel> = levels
        .iter()
        .zip(&weights)
        .map(|(level, &own_weight)| {
            let expected = expected_score(rating - level.elo());
            let (variance, variance_source) =
                level_variance(level, expected, own_weight, own_weight / weight);
            CurveLevel {
                elo: level.elo(),
                games: level.n(),
                score_sum: level.score_sum(),
                expected,
                weight: own_weight,
                variance,
                variance_source,
            }
        })
        .collect();

    let variance: f64 = fitted.iter().map(|level| level.variance).sum();
    // Single units that all lie exactly on the curve leave no spread to measure.
    let measurable = weight > 0.0 && variance > 1e-9 * weight;
    let standard_error = ELO_PER_LOGIT * variance.sqrt() / weight;
    if !(measurable && standard_error.is_finite()) {
        return None;
    }
    let degrees_of_freedom = degrees_of_freedom(levels);
    Some(EloCurve { rating, weight, standard_error, degrees_of_freedom, levels: fitted })
}

/// V of one level and how it was found. `leverage` is the share of the level's own games in its
/// expected score: w / W on the Elo curve.
pub(super) fn level_variance(
    level: &Level,
    expected: f64,
    own_weight: f64,
    leverage: f64,
) -> (f64, UnitVariance) {
    let m = level.m();
    if level.unit_count() < 2 {
        let spare = 1.0 - leverage;
        let squares = level.squares_about(expected);
        // The only unit of a whole ladder lies on its own curve: nothing is left to measure with.
        let variance = if spare > 1e-9 { squares / spare } else { own_weight };
        (variance, UnitVariance::AroundCurve)
    } else if level.has_no_variance() {
        (own_weight, UnitVariance::CurveModel)
    } else {
        let mean = level.score_sum() / level.n();
        (m / (m - 1.0) * level.squares_about(mean), UnitVariance::WithinLevel)
    }
}

fn degrees_of_freedom(levels: &[&Level]) -> u64 {
    let single = levels.iter().filter(|level| level.unit_count() == 1).count() as u64;
    let within: u64 = levels.iter().map(|level| level.unit_count() - 1).sum();
    within + single.saturating_sub(1)
}

/// The root of sum (S - n p(R)), by Newton steps kept inside a bracket that halves when they fail.
///
/// With s the mean score over all games, every p is at most s at R = lowest level + Elo(s) and at
/// least s at R = highest level + Elo(s): the root lies between, whatever the spread of levels.
fn solve(levels: &[&Level]) -> Option<f64> {
    let games: f64 = levels.iter().map(|level| level.n()).sum();
    let score: f64 = levels.iter().map(|level| level.score_sum()).sum();
    let offset = elo_from_score(score / games)?;
    let mut low = levels.first()?.elo() + offset;
    let mut high = levels.last()?.elo() + offset;
    let mut rating = (low + high) / 2.0;
    for _ in 0..200 {
        let (mut excess, mut weight) = (0.0, 0.0);
        for level in levels {
            let difference = rating - level.elo();
            excess += level.score_sum() - level.n() * expected_score(difference);
            weight += level.n() * game_weight(difference);
        }
        if excess > 0.0 {
            low = rating;
        } else {
            high = rating;
        }
        let newton = rating + ELO_PER_LOGIT * excess / weight;
        let next = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
        let step = (next - rating).abs();
        rating = next;
        if step <= 1e-12 * rating.abs().max(1.0) {
            break;
        }
    }
    rating.is_finite().then_some(rating)
}
