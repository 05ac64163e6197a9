//! The curve whose slope is free: `logit E[score] = b k (R50 - r)`.
//!
//! R50 is the level at which the subject scores half, b the slope of the expected score relative to
//! Elo's. Inside, the curve is a - b x with x = k (r - centre), so that R50 = centre + a / (b k).
//! Two covariances of (a, b) are kept: around the curve, which holds misfit, and within levels,
//! which does not.

use super::elo_curve::{CurveLevel, EloCurve, level_variance};
use super::matrix::{Matrix, apply, invert, sandwich};
use super::observations::{Ladder, Level};
use super::scale::{LOGIT_PER_ELO, ln_logistic, logistic, logistic_weight};

/// A curve with two parameters at its maximum of likelihood.
#[derive(Clone, Debug)]
pub(super) struct FreeSlope {
    /// b.
    pub(super) slope: f64,
    /// a, the logit expected at the centre.
    pub(super) intercept: f64,
    /// Where x is zero, in Elo.
    pub(super) centre: f64,
    /// Of (a, b), units around the fitted curve.
    pub(super) around_curve: Matrix<2>,
    /// Of (a, b), from the levels' own variances.
    pub(super) within_levels: Matrix<2>,
    /// The levels that have games, ascending.
    pub(super) levels: Vec<CurveLevel>,
}

/// Why a slope cannot be fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum NoSlope {
    /// A step from all won to all lost fits best: the slope has no upper limit.
    Separated,
    /// The score does not fall as the level rises.
    NotFalling,
    /// Levels so close or so far apart that the two parameters cannot be told apart.
    Singular,
}

/// The working curve: intercept, slope and centre.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorkingCurve {
    pub(super) intercept: f64,
    pub(super) slope: f64,
    pub(super) centre: f64,
}

impl WorkingCurve {
    /// x of a level.
    pub(super) fn x(self, elo: f64) -> f64 {
        LOGIT_PER_ELO * (elo - self.centre)
    }

    /// The logit of the score expected at a level.
    pub(super) fn logit(self, elo: f64) -> f64 {
        self.intercept - self.slope * self.x(elo)
    }
}

/// Fits the curve; `curve` is the Elo curve of the same ladder.
///
/// # Source
/// Score equations of the logistic model with intercept and slope; both covariances are sandwiches
/// with units as clusters (Liang and Zeger, Biometrika 73, 1986), the first with residuals from the
/// curve (CR0), the second with the levels' variances V.
pub(super) fn fit_free_slope(ladder: &Ladder, curve: &EloCurve) -> Result<FreeSlope, NoSlope> {
    let levels = ladder.played();
    if is_separated(&levels) {
        return Err(NoSlope::Separated);
    }
    let line = maximise(&levels, curve);
    if line.slope.is_nan() || line.slope <= 0.0 {
        return Err(NoSlope::NotFalling);
    }
    let mut information = [[0.0; 2]; 2];
    for level in &levels {
        add(&mut information, line.x(level.elo()), level.n() * logistic_weight(line.logit(level.elo())));
    }
    let bread = invert(&information).ok_or(NoSlope::Singular)?;
    let (mut around, mut within) = ([[0.0; 2]; 2], [[0.0; 2]; 2]);
    let mut fitted = Vec::with_capacity(levels.len());
    for level in &levels {
        let x = line.x(level.elo());
        let logit = line.logit(level.elo());
        let (expected, weight) = (logistic(logit), level.n() * logistic_weight(logit));
        let design = [1.0, -x];
        let spread = apply(&bread, &design);
        let leverage = weight * (spread[0] * design[0] + spread[1] * design[1]);
        let (variance, variance_source) = level_variance(level, expected, weight, leverage);
        add(&mut around, x, level.squares_about(expected));
        add(&mut within, x, variance);
        fitted.push(CurveLevel {
            elo: level.elo(),
            games: level.n(),
            score_sum: level.score_sum(),
            expected,
            weight,
            variance,
            variance_source,
        });
    }
    if !(line.intercept / line.slope).is_finite() {
        return Err(NoSlope::Singular);
    }
    Ok(FreeSlope {
        slope: line.slope,
        intercept: line.intercept,
        centre: line.centre,
        around_curve: sandwich(&bread, &around),
        within_levels: sandwich(&bread, &within),
        levels: fitted,
    })
}

/// Adds `weight` times the outer product of (1, -x).
pub(super) fn add(matrix: &mut Matrix<2>, x: f64, weight: f64) {
    matrix[0][0] += weight;
    matrix[0][1] -= weight * x;
    matrix[1][0] -= weight * x;
    matrix[1][1] += weight * x * x;
}

/// Whether a step fits the levels best, down or up the ladder: then the likelihood has no maximum.
fn is_separated(levels: &[&Level]) -> bool {
    let has_points = |level: &&&Level| level.half_points() > 0;
    let has_losses = |level: &&&Level| level.half_points() < 2 * level.games();
    let elo = |level: Option<&&Level>| level.map(|level| level.elo());
    let apart = |last: Option<f64>, first: Option<f64>| match (last, first) {
        (Some(last), Some(first)) => last <= first,
        _ => true,
    };
    apart(elo(levels.iter().rfind(has_points)), elo(levels.iter().find(has_losses)))
        || apart(elo(levels.iter().rfind(has_losses)), elo(levels.iter().find(has_points)))
}

/// Damped Newton steps from the Elo curve. On separated levels it stops after `STEPS` with a slope
/// so steep that every level but one at the step is far out on the curve.
pub(super) fn maximise(levels: &[&Level], curve: &EloCurve) -> WorkingCurve {
    const STEPS: usize = 100;
    // The levels that say something about the rating stand around this point.
    let centre = curve.levels.iter().map(|level| level.weight * level.elo).sum::<f64>() / curve.weight;
    let mut line = WorkingCurve { intercept: LOGIT_PER_ELO * (curve.rating - centre), slope: 1.0, centre };
    for _ in 0..STEPS {
        let mut information = [[0.0; 2]; 2];
        let mut gradient = [0.0; 2];
        for level in levels {
            let (x, logit) = (line.x(level.elo()), line.logit(level.elo()));
            let residual = level.score_sum() - level.n() * logistic(logit);
            gradient[0] += residual;
            gradient[1] -= x * residual;
            add(&mut information, x, level.n() * logistic_weight(logit));
        }
        let Some(inverse) = invert(&information) else { break };
        let step = apply(&inverse, &gradient);
        // Half of this is the gain in log-likelihood that a full step promises.
        let promise = step[0] * gradient[0] + step[1] * gradient[1];
        let moved = |share: f64| WorkingCurve {
            intercept: line.intercept + share * step[0],
            slope: line.slope + share * step[1],
            centre,
        };
        let mut share = 1.0;
        if promise > 1e-3 {
            let before = log_likelihood(levels, line);
            while share > 1e-6 && log_likelihood(levels, moved(share)) < before + 1e-4 * share * promise {
                share /= 2.0;
            }
        }
        line = moved(share);
        let small = |change: f64, value: f64| change.abs() <= 1e-14 * value.abs().max(1.0);
        if promise < 1e-20 || (small(step[0], line.intercept) && small(step[1], line.slope)) {
            break;
        }
    }
    line
}

/// Binomial, with half points as half wins; a constant is left out.
fn log_likelihood(levels: &[&Level], line: WorkingCurve) -> f64 {
    levels
        .iter()
        .map(|level| {
            let logit = line.logit(level.elo());
            let score = level.score_sum();
            // 0 times the logarithm of a vanishing probability is 0.
            let part = |points: f64, logit: f64| if points > 0.0 { points * ln_logistic(logit) } else { 0.0 };
            part(score, logit) + part(level.n() - score, -logit)
        })
        .sum()
}
