//! One level by itself: its score with an interval, and the rating that the score implies.

use serde::Serialize;

use super::observations::Level;
use super::quantile::{CONFIDENCE, normal_quantile, t_quantile};
use super::scale::{ELO_PER_LOGIT, elo_from_score};
use super::separation::units_as_pairs;

/// A mean score per game with its two-sided interval; 0 <= low < high <= 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScoreInterval {
    /// Points per game.
    pub score: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The rating at which the Elo curve expects the score of one level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ImpliedRating {
    /// r + Elo(S / n), with the ends of the score's interval carried over. An end is absent where
    /// the score's interval reaches 0 or 1.
    Estimate {
        /// r + Elo(S / n).
        elo: f64,
        /// Lower end.
        low: Option<f64>,
        /// Upper end.
        high: Option<f64>,
    },
    /// All won: at least this, exact and one-sided, with pairs as units.
    AtLeast {
        /// The bound.
        elo: f64,
    },
    /// All lost: at most this, exact and one-sided, with pairs as units.
    AtMost {
        /// The bound.
        elo: f64,
    },
}

/// Wilson's interval with the number of games replaced by the number of independent won-or-lost
/// games that would vary as much: n_eff = s (1 - s) n^2 / V, V from the units, and t on units - 1
/// degrees of freedom for the normal quantile. Units that are all alike, or a single one, give no
/// V: then n_eff is the number of units (half the games at most). `None` without games.
///
/// # Source
/// Wilson 1927; effective sample size as in survey sampling (Korn and Graubard 1998). Coverage is
/// measured in `tests/it/rating.rs`.
#[must_use]
pub fn score_interval(level: &Level) -> Option<ScoreInterval> {
    if level.games() == 0 {
        return None;
    }
    let (n, m) = (level.n(), level.m());
    let score = level.score_sum() / n;
    let upper = f64::midpoint(1.0, CONFIDENCE);
    let (effective, quantile) = if level.unit_count() < 2 || level.has_no_variance() {
        (units_as_pairs(level), normal_quantile(upper))
    } else {
        let variance = m / (m - 1.0) * level.squares_about(score);
        (score * (1.0 - score) * n * n / variance, t_quantile(upper, level.unit_count() - 1)?)
    };
    let share = quantile * quantile / effective;
    let centre = (score + share / 2.0) / (1.0 + share);
    let half =
        quantile / (1.0 + share) * (score * (1.0 - score) / effective + share / (4.0 * effective)).sqrt();
    Some(ScoreInterval { score, low: (centre - half).max(0.0), high: (centre + half).min(1.0) })
}

/// The implied rating of one level. `None` without games.
#[must_use]
pub fn implied_rating(level: &Level) -> Option<ImpliedRating> {
    let interval = score_interval(level)?;
    let at = |score| elo_from_score(score).map(|elo| level.elo() + elo);
    if let Some(elo) = at(interval.score) {
        return Some(ImpliedRating::Estimate { elo, low: at(interval.low), high: at(interval.high) });
    }
    let ln_score = (1.0 - CONFIDENCE).ln() / units_as_pairs(level);
    let offset = ELO_PER_LOGIT * (ln_score - (-ln_score.exp_m1()).ln());
    Some(if level.half_points() == 0 {
        ImpliedRating::AtMost { elo: level.elo() - offset }
    } else {
        ImpliedRating::AtLeast { elo: level.elo() + offset }
    })
}
