//! What the labels of the levels themselves are worth. Reported apart: the quoted line already
//! allows for levels that are off, and adding this on top would count it twice.

use serde::Serialize;

use super::elo_curve::EloCurve;

/// Standard deviation of one level's label in Elo, from Stockfish's own calibration.
pub const LEVEL_LABEL_SD: f64 = 19.0;

/// Standard deviation of the whole scale in Elo: within 100 of CCRL Blitz, taken as 95 %.
pub const SCALE_SD: f64 = 100.0 / 1.96;

/// The error of the rating on the scale that the labels are meant to be on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScaleError {
    /// Assumed for every level, in Elo.
    pub level_label_sd: f64,
    /// Assumed for the scale as a whole, in Elo.
    pub scale_sd: f64,
    /// Standard error from the games, units within levels.
    pub games: f64,
    /// Standard error from the labels: the root of sum (w / W)^2 sigma^2.
    pub labels: f64,
    /// The root of the sum of all three squares.
    pub total: f64,
    /// The part that no number of games removes: the root of the labels' and the scale's squares.
    pub floor: f64,
}

/// The three errors at the Elo curve's fit.
pub(super) fn scale_error(curve: &EloCurve) -> ScaleError {
    let squares: f64 = curve.levels.iter().map(|level| (level.weight / curve.weight).powi(2)).sum();
    let labels = LEVEL_LABEL_SD * squares.sqrt();
    let floor = labels.hypot(SCALE_SD);
    ScaleError {
        level_label_sd: LEVEL_LABEL_SD,
        scale_sd: SCALE_SD,
        games: curve.standard_error,
        labels,
        total: floor.hypot(curve.standard_error),
        floor,
    }
}
