//! The levels' own ratings as a sample that scatters around one rating.

use serde::Serialize;

use super::estimate::{Absence, Estimate, Line, Method};
use super::observations::{Ladder, Level};
use super::quantile::{UPPER, t_quantile};
use super::root::distance_to_root;
use super::scale::{ELO_PER_LOGIT, elo_from_score};

/// The mean of the levels' ratings and how far they disagree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RandomEffects {
    /// The mean, with the modified Hartung-Knapp error and t.
    pub line: Line,
    /// Standard deviation between levels in Elo, over and above their own errors: a diagnostic, zero
    /// when they agree. Absent with fewer than two usable levels.
    pub tau: Option<f64>,
    /// Levels used: at least two units and a score other than 0 and 100 %.
    pub levels: usize,
}

/// A level's own rating with its variance.
struct Study {
    rating: f64,
    variance: f64,
}

/// Fits the mean over the levels.
///
/// # Source
/// Paule and Mandel, J. Res. NBS 87, 1982; Hartung and Knapp, Statistics in Medicine 20, 2001, with
/// the variance never below the one without their factor (Rover, Knapp and Friede, BMC Med. Res.
/// Methodol. 15, 2015).
pub(super) fn random_effects(ladder: &Ladder) -> RandomEffects {
    let studies: Vec<Study> = ladder.played().into_iter().filter_map(study).collect();
    let levels = studies.len();
    let found = fit(&studies);
    let estimate =
        found.map_or(Estimate::Absent(Absence::TooFewLevels { levels, needed: 2 }), |found| found.0);
    RandomEffects {
        line: Line::new(ladder, Method::RandomEffects, estimate),
        tau: found.map(|found| found.1),
        levels,
    }
}

fn study(level: &Level) -> Option<Study> {
    let score = level.score_sum() / level.n();
    let own = elo_from_score(score).filter(|_| level.unit_count() >= 2)?;
    let weight = level.n() * score * (1.0 - score);
    let variance = if level.has_no_variance() {
        weight
    } else {
        level.m() / (level.m() - 1.0) * level.squares_about(score)
    };
    let error = ELO_PER_LOGIT / weight;
    Some(Study { rating: level.elo() + own, variance: error * error * variance })
}

/// The estimate and tau.
fn fit(studies: &[Study]) -> Option<(Estimate, f64)> {
    let degrees = (studies.len() as u64).checked_sub(1).filter(|degrees| *degrees > 0)?;
    #[expect(clippy::cast_precision_loss, reason = "a number of levels")]
    let fractional = degrees as f64;
    let excess = |between: f64| {
        let (_, _, q, slope) = pool(studies, between);
        (fractional - q, slope)
    };
    let smallest = studies.iter().map(|study| study.variance).fold(f64::INFINITY, f64::min);
    let between = if excess(0.0).0 >= 0.0 { 0.0 } else { distance_to_root(smallest, excess)? };
    let (mean, weight, q, _) = pool(studies, between);
    let standard_error = ((q / fractional).max(1.0) / weight).sqrt();
    let quantile = t_quantile(UPPER, degrees)?;
    Some((Estimate::around(mean, standard_error, quantile, Some(fractional)), between.sqrt()))
}

/// Mean, total weight, Q and the negative derivative of Q at a variance between levels.
fn pool(studies: &[Study], between: f64) -> (f64, f64, f64, f64) {
    let weights: Vec<f64> = studies.iter().map(|study| 1.0 / (study.variance + between)).collect();
    let total: f64 = weights.iter().sum();
    let mean = studies.iter().zip(&weights).map(|(study, weight)| weight * study.rating).sum::<f64>() / total;
    let (mut q, mut slope) = (0.0, 0.0);
    for (study, weight) in studies.iter().zip(&weights) {
        let term = weight * (study.rating - mean).powi(2);
        q += term;
        slope += weight * term;
    }
    (mean, total, q, slope)
}
