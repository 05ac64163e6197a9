//! All games won, or all lost: no rating fits best, but an exact one-sided bound holds.

use serde::Serialize;

use super::observations::{Ladder, Level, Unit};
use super::quantile::CONFIDENCE;
use super::scale::{ELO_PER_LOGIT, ln_expected_score};

/// A one-sided bound on a rating at [`CONFIDENCE`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SeparationBound {
    /// With pairs as units: the bound to quote.
    pub elo: f64,
    /// With every game as a unit of its own: closer, right only if the games of a pair are
    /// independent.
    pub elo_games_as_units: f64,
}

/// The rating at which winning every game still has probability 1 - [`CONFIDENCE`]: the exact lower
/// bound after winning all. `None` without games.
///
/// The probability is the product of p^(n/2) over the levels (two games are one unit, whether or
/// not the pairs are known), and p^n for games as units.
///
/// # Source
/// Inversion of the test "all won" (Clopper and Pearson 1934), for several levels at once.
///
/// ```
/// use elometer::rating::{Ladder, Level, lower_bound};
/// let won = Ladder::new([Level::from_games(2000.0, 10, 0, 0).unwrap()]);
/// assert_eq!(lower_bound(&won).unwrap().elo.round(), 2034.0);
/// ```
#[must_use]
pub fn lower_bound(ladder: &Ladder) -> Option<SeparationBound> {
    bound(ladder, 1.0)
}

/// The mirror image of [`lower_bound`]: the exact upper bound after losing all.
#[must_use]
pub fn upper_bound(ladder: &Ladder) -> Option<SeparationBound> {
    bound(ladder, -1.0)
}

fn bound(ladder: &Ladder, sign: f64) -> Option<SeparationBound> {
    let with = |units: fn(&Level) -> f64| {
        let levels: Vec<(f64, f64)> = ladder
            .levels()
            .iter()
            .filter(|level| level.games() > 0)
            .map(|level| (sign * level.elo(), units(level)))
            .collect();
        solve(&levels).map(|elo| sign * elo)
    };
    let elo = with(units_as_pairs)?;
    // Copies of a game are no further evidence even when games are units.
    let elo_games_as_units = with(games_apart)?;
    Some(SeparationBound { elo, elo_games_as_units })
}

/// A pair counts one, a single game half. A unit of copies may be one game again and again, so it
/// counts half too.
pub(super) fn units_as_pairs(level: &Level) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most 2^50")]
    let own = |(unit, count): (Unit, u64)| count as f64 * if unit.games == 2 { 1.0 } else { 0.5 };
    level.units().map(own).sum()
}

/// Every game by itself, a unit of copies as one.
fn games_apart(level: &Level) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most 2^50")]
    let own = |(unit, count): (Unit, u64)| count as f64 * if unit.games == 2 { 2.0 } else { 1.0 };
    level.units().map(own).sum()
}

/// Solves sum of units * ln p(R - r) = ln(1 - confidence); the left side rises with R.
fn solve(levels: &[(f64, f64)]) -> Option<f64> {
    let target = (1.0 - CONFIDENCE).ln();
    let units: f64 = levels.iter().map(|(_, units)| units).sum();
    if units.is_nan() || units <= 0.0 {
        return None;
    }
    // At one level alone the answer is its label plus this; over several it lies between the ends.
    let ln_score = target / units;
    let offset = ELO_PER_LOGIT * (ln_score - (-ln_score.exp_m1()).ln());
    let lowest = levels.iter().map(|(elo, _)| *elo).fold(f64::INFINITY, f64::min);
    let highest = levels.iter().map(|(elo, _)| *elo).fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (lowest + offset, highest + offset);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        let ln_probability: f64 =
            levels.iter().map(|(elo, units)| units * ln_expected_score(middle - elo)).sum();
        if ln_probability < target {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some((low + high) / 2.0).filter(|elo| elo.is_finite())
}
