//! A claim such as "above 2000", tested with an e-process: evidence that may be looked at after
//! every pair, whatever levels were chosen and whenever one stops.
//!
//! # Source
//! Testing by betting: Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables
//! by betting"; Ville's inequality.

use serde::Serialize;

use crate::rating::observations::{MAX_ABS_LEVEL, Unit};
use crate::rating::quantile::CONFIDENCE;
use crate::rating::scale::expected_score;

/// What is claimed of the subject's rating, in Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Claim {
    /// Above this. "Stronger than the last version" is above 0, with the last version as level 0.
    Above {
        /// R0.
        elo: f64,
    },
    /// Below this.
    Below {
        /// R0.
        elo: f64,
    },
    /// Not this: half the stake on either side.
    Not {
        /// R0.
        elo: f64,
    },
}

/// One unit of games, in plan order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelResult {
    /// The level's label, or the opponent's rating on the scale of the claim, in Elo.
    pub level: f64,
    /// The games.
    pub unit: Unit,
}

/// Why a claim cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// The claim or a level is no rating.
    #[error("{0} is not a rating\nhint: ratings and levels lie between -100000 and 100000")]
    Rating(f64),
    /// A unit without games, or with more half points than its games can give.
    #[error(
        "a unit of {} games cannot score {} half points\n\
         hint: a unit has at least one game and each game gives 0, 1 or 2 half points",
        .0.games, .0.half_points
    )]
    Unit(Unit),
}

/// How much the games support a claim.
///
/// The 5 % of the verdict hold on the labelled scale: they assume that the levels' labels are
/// right. With labels off by 30 Elo the verdict errs in about 24 % of runs by 3,000 pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClaimReport {
    /// What is claimed.
    pub claim: Claim,
    /// Of the verdict.
    pub confidence: f64,
    /// Units looked at.
    pub units: u64,
    /// Games in them.
    pub games: u64,
    /// Natural logarithm of the e-value now: the wealth of one who started with 1 and bet on the
    /// claim.
    pub ln_e_value: f64,
    /// Natural logarithm of the largest e-value so far, at least 0.
    pub ln_largest_e_value: f64,
    /// 1 / the largest e-value: a p value that holds at any time.
    pub anytime_p: f64,
    /// Whether the claim is accepted: the largest e-value reached 20.
    pub accepted: bool,
    /// After how many units it first did.
    pub accepted_after: Option<u64>,
}

/// A bet risks at most this share of the wealth on one pair.
const LARGEST_STAKE: f64 = 0.5;

/// The running bet. Deviations are scores less what the claim's rating expects.
struct Bettor {
    units: f64,
    sum: f64,
    /// Running mean deviation and sum of squares about it.
    mean: f64,
    squares: f64,
    ln_above: f64,
    ln_below: f64,
}

impl Bettor {
    /// Bets on the next unit from the past alone, then sees it.
    ///
    /// The stake per point is mean / (variance + mean^2), both drawn towards a score of 1/2 with
    /// variance 1/4 by one made-up unit, so that the first bet is defined.
    fn see(&mut self, score: f64, expected: f64) {
        let weight = self.units + 1.0;
        let mean = (0.5 - expected + self.sum) / weight;
        let variance = (0.25 + self.squares) / weight;
        let stake = mean / (variance + mean * mean);
        let deviation = score - expected;
        // Where all points are expected, or none, nothing can be won or the stake has no limit.
        let limit = |chance: f64| if chance > 0.0 { LARGEST_STAKE / chance } else { 0.0 };
        let above = stake.clamp(0.0, limit(expected));
        let below = (-stake).clamp(0.0, limit(1.0 - expected));
        self.ln_above += (above * deviation).ln_1p();
        self.ln_below += (-below * deviation).ln_1p();
        self.units += 1.0;
        self.sum += deviation;
        let shift = deviation - self.mean;
        self.mean += shift / self.units;
        self.squares += shift * (deviation - self.mean);
    }

    fn ln_wealth(&self, claim: Claim) -> f64 {
        match claim {
            Claim::Above { .. } => self.ln_above,
            Claim::Below { .. } => self.ln_below,
            Claim::Not { .. } => {
                let larger = self.ln_above.max(self.ln_below);
                let smaller = self.ln_above.min(self.ln_below);
                larger + (smaller - larger).exp().ln_1p() - std::f64::consts::LN_2
            }
        }
    }
}

/// Judges a claim from units in plan order: the product over units of
/// 1 + lambda (score - p(R0)), lambda chosen from the units before.
///
/// # Errors
/// Levels or a claim that are no ratings, impossible units.
///
/// ```
/// use elometer::rating::{Claim, LevelResult, Unit, judge_claim};
/// let won = LevelResult { level: 1900.0, unit: Unit { games: 2, half_points: 4 } };
/// let report = judge_claim(Claim::Above { elo: 1800.0 }, &[won; 12]).unwrap();
/// assert!(report.accepted && report.anytime_p < 0.05);
/// ```
pub fn judge_claim(claim: Claim, results: &[LevelResult]) -> Result<ClaimReport, ClaimError> {
    let (Claim::Above { elo } | Claim::Below { elo } | Claim::Not { elo }) = claim;
    let is_rating = |elo: f64| elo.abs() <= MAX_ABS_LEVEL;
    if !is_rating(elo) {
        return Err(ClaimError::Rating(elo));
    }
    let mut bettor = Bettor { units: 0.0, sum: 0.0, mean: 0.0, squares: 0.0, ln_above: 0.0, ln_below: 0.0 };
    let target = -(1.0 - CONFIDENCE).ln();
    let (mut games, mut largest, mut accepted_after) = (0, 0.0_f64, None);
    for (units, result) in (1_u64..).zip(results) {
        let unit = result.unit;
        if !is_rating(result.level) {
            return Err(ClaimError::Rating(result.level));
        }
        if unit.games == 0 || u64::from(unit.half_points) > 2 * u64::from(unit.games) {
            return Err(ClaimError::Unit(unit));
        }
        let score = f64::from(unit.half_points) / 2.0 / f64::from(unit.games);
        bettor.see(score, expected_score(elo - result.level));
        games += u64::from(unit.games);
        largest = largest.max(bettor.ln_wealth(claim));
        if largest >= target && accepted_after.is_none() {
            accepted_after = Some(units);
        }
    }
    Ok(ClaimReport {
        claim,
        confidence: CONFIDENCE,
        units: results.len() as u64,
        games,
        ln_e_value: bettor.ln_wealth(claim),
        ln_largest_e_value: largest,
        anytime_p: (-largest).exp(),
        accepted: accepted_after.is_some(),
        accepted_after,
    })
}
