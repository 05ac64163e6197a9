//! The Elo scale: from rating differences to expected scores and back.

use std::f64::consts::LN_10;

/// k = ln 10 / 400: one Elo point in units of the logit.
pub const LOGIT_PER_ELO: f64 = LN_10 / 400.0;

/// 400 / ln 10: one logit in Elo points.
pub const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// The score expected against an opponent that is `difference` Elo points weaker:
/// 1 / (1 + 10^(-difference / 400)), between 0 and 1.
///
/// ```
/// assert!((elometer::rating::expected_score(200.0) - 0.7597469266479578).abs() < 1e-15);
/// ```
#[must_use]
pub fn expected_score(difference: f64) -> f64 {
    logistic(LOGIT_PER_ELO * difference)
}

/// The Elo difference at which `score` (a mean score per game) is expected; `None` unless
/// 0 < score < 1, where it is infinite or has no meaning.
///
/// ```
/// let elo = elometer::rating::elo_from_score(0.75).unwrap();
/// assert!((elo - 190.848501887865).abs() < 1e-10);
/// assert_eq!(elometer::rating::elo_from_score(1.0), None);
/// ```
#[must_use]
pub fn elo_from_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| ELO_PER_LOGIT * (score.ln() - (-score).ln_1p()))
}

/// p (1 - p) at the expected score p: the information of one game, without cancellation far out.
pub(super) fn game_weight(difference: f64) -> f64 {
    logistic_weight(LOGIT_PER_ELO * difference)
}

/// ln of the expected score, exact where the score is next to 0 or 1.
pub(super) fn ln_expected_score(difference: f64) -> f64 {
    ln_logistic(LOGIT_PER_ELO * difference)
}

/// 1 / (1 + e^-x).
pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// p (1 - p) at p = [`logistic`] of `x`, without cancellation far out.
pub(super) fn logistic_weight(x: f64) -> f64 {
    let odds = (-x.abs()).exp();
    odds / ((1.0 + odds) * (1.0 + odds))
}

/// ln of [`logistic`], exact far out.
pub(super) fn ln_logistic(x: f64) -> f64 {
    if x > 0.0 { -(-x).exp().ln_1p() } else { x - x.exp().ln_1p() }
}
