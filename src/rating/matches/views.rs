//! One set of games seen as pairs or as single games: score, Elo, normalised Elo, LOS.

use serde::Serialize;

use super::classes::{Cell, Class};
use super::sprt::NORMALIZED_ELO_PER_SIGMA;
use crate::rating::quantile::{CONFIDENCE, normal_cdf, normal_quantile};
use crate::rating::scale::{ELO_PER_LOGIT, elo_from_score};

/// (score - 1/2) / sigma of one game, times 800 / ln 10.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NormalizedElo {
    /// The estimate.
    pub elo: f64,
    /// With the error of sigma in it.
    pub standard_error: f64,
    /// Half the interval that other programs print: sigma taken as known.
    pub half_width_sigma_known: f64,
}

/// The same games with pairs or with games as observations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScoreView {
    /// Pairs or games.
    pub observations: u64,
    /// Points per game.
    pub score: f64,
    /// Variance of one observation's mean score (divided by their number).
    pub variance: f64,
    /// Of the score; absent with fewer than two observations or without variance.
    pub standard_error: Option<f64>,
    /// Elo(score); absent at 0 % and 100 %.
    pub elo: Option<f64>,
    /// In Elo, by the delta method.
    pub elo_standard_error: Option<f64>,
    /// Elo(score - z SE), as other programs print it; absent where the score's end passes 0.
    pub elo_low: Option<f64>,
    /// Elo(score + z SE); absent where the score's end passes 1.
    pub elo_high: Option<f64>,
    /// Absent without variance.
    pub normalized: Option<NormalizedElo>,
    /// Likelihood of superiority: the normal probability below (score - 1/2) / SE. Two other
    /// definitions are in use: from wins and losses alone, and a Bayesian one; they differ.
    pub los: Option<f64>,
}

/// What the games of one class say.
pub(super) fn view(class: &Class) -> Option<ScoreView> {
    let observations = class.units();
    if observations <= 0.0 {
        return None;
    }
    let (score, variance) = class.moments();
    let known = observations >= 2.0 && variance > 0.0;
    let standard_error = known.then(|| (variance / observations).sqrt());
    let elo = elo_from_score(score);
    let elo_standard_error =
        elo.and(standard_error).map(|error| error * ELO_PER_LOGIT / (score * (1.0 - score)));
    let z = normal_quantile(f64::midpoint(1.0, CONFIDENCE));
    let end = |sign: f64| standard_error.and_then(|error| elo_from_score(score + sign * z * error));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a sum of counts")]
    let observed = observations.round() as u64;
    Some(ScoreView {
        observations: observed,
        score,
        variance,
        standard_error,
        elo,
        elo_standard_error,
        elo_low: end(-1.0),
        elo_high: end(1.0),
        normalized: standard_error.and_then(|_| normalized(class)),
        los: standard_error.map(|error| normal_cdf((score - 0.5) / error)),
    })
}

/// # Source
/// Normalised Elo: Van den Bergh, "Normalized Elo". Its standard error is that of the
/// t value (mean - 1/2) / sigma from the influence z - t (z^2 - 1) / 2 of an observation z
/// standard deviations from the mean.
fn normalized(class: &Class) -> Option<NormalizedElo> {
    let units = class.units();
    let (score, variance) = class.moments();
    let sigma = variance.sqrt();
    let t = (score - 0.5) / sigma;
    let squares: f64 = class
        .cells
        .iter()
        .map(|Cell { score: own, count }| {
            let z = (own - score) / sigma;
            count * (z - t * (z * z - 1.0) / 2.0).powi(2)
        })
        .sum();
    let per_t = NORMALIZED_ELO_PER_SIGMA / class.games.sqrt();
    let z = normal_quantile(f64::midpoint(1.0, CONFIDENCE));
    let normalized = NormalizedElo {
        elo: per_t * t,
        standard_error: per_t * squares.sqrt() / units,
        half_width_sigma_known: per_t * z / units.sqrt(),
    };
    (normalized.elo.is_finite() && normalized.standard_error > 1e-9).then_some(normalized)
}

/// What the difference between the games' spread and the pairs' says about the openings.
///
/// The variance of a game is the variance of a pair's mean, times two, plus the square of what the
/// opening gives to one colour: bias^2.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OpeningBias {
    /// Root mean square of what an opening is worth to one side.
    Estimated {
        /// In points per game.
        score: f64,
        /// Elo(1/2 + score).
        elo: Option<f64>,
        /// Variance of one game.
        game_variance: f64,
        /// Variance of one game if openings were worth nothing: twice a pair's.
        pair_variance: f64,
    },
    /// The games of a pair go the same way more often than by chance: no sign of a bias, but a sign
    /// that the engines handle some openings better than others.
    PairsAgree {
        /// Variance of one game.
        game_variance: f64,
        /// Twice the variance of a pair's mean score.
        pair_variance: f64,
    },
}

/// Compares the spread of the games with that of the pairs they make. Both hold the same games.
pub(super) fn opening_bias(pairs: &ScoreView, games: &ScoreView) -> Option<OpeningBias> {
    // Where all games went alike, or almost no pair was played, openings had nothing to show.
    if pairs.observations < 2 || games.variance <= 0.0 {
        return None;
    }
    let (game_variance, pair_variance) = (games.variance, 2.0 * pairs.variance);
    let squared = game_variance - pair_variance;
    if squared < 0.0 {
        return Some(OpeningBias::PairsAgree { game_variance, pair_variance });
    }
    let score = squared.sqrt();
    Some(OpeningBias::Estimated { score, elo: elo_from_score(0.5 + score), game_variance, pair_variance })
}
