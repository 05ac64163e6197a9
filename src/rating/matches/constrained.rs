//! Maximum likelihood of a class of units under a hypothesis about its mean, and the logarithm of
//! the ratio of two such likelihoods: the generalised sequential probability ratio test's LLR.
//!
//! Exact: a score that did not occur may get probability where the hypothesis needs it, so a match
//! won to the last game has an LLR as well, without made-up games.
//!
//! # Source
//! Empirical likelihood (Owen 1988); generalised SPRT of multinomial counts as described by Van den
//! Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution"
//! and "Normalized Elo".

use super::classes::{Cell, Class};

/// Shares of the cells and, beside each, the deviation whose mean the hypothesis sets to zero.
struct Tilted {
    /// The multiplier.
    x: f64,
    /// Fitted probabilities, one per cell.
    probabilities: Vec<f64>,
}

/// Solves sum w b / (1 + x b) = 0 with all 1 + x b >= 0. Where no root lies inside, x is at the end
/// of its range and the probability left over goes to the extreme cell, which did not occur.
///
/// `None` when no distribution on the cells has mean deviation zero.
fn tilt(deviations: &[f64], shares: &[f64]) -> Option<Tilted> {
    let lowest = deviations.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = deviations.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(lowest < 0.0 && 0.0 < highest) {
        return None;
    }
    let slope = |x: f64| -> (f64, f64) {
        let (mut value, mut derivative) = (0.0, 0.0);
        for (b, w) in deviations.iter().zip(shares).filter(|(_, w)| **w > 0.0) {
            let ratio = b / (1.0 + x * b);
            value += w * ratio;
            derivative -= w * ratio * ratio;
        }
        (value, derivative)
    };
    let occurs = |end: f64| deviations.iter().zip(shares).any(|(b, w)| *b == end && *w > 0.0);
    let (mut low, mut high) = (-1.0 / highest, -1.0 / lowest);
    let mut x = 0.0;
    let mut spare = None;
    if !occurs(highest) && slope(low).0 <= 0.0 {
        (x, spare) = (low, Some(highest));
    } else if !occurs(lowest) && slope(high).0 >= 0.0 {
        (x, spare) = (high, Some(lowest));
    } else {
        for _ in 0..200 {
            let (value, derivative) = slope(x);
            if value > 0.0 {
                low = x;
            } else {
                high = x;
            }
            let newton = x - value / derivative;
            let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
            let step = (next - x).abs();
            x = next;
            if step <= 1e-15 * x.abs() {
                break;
            }
        }
    }
    let mut probabilities: Vec<f64> =
        deviations.iter().zip(shares).map(|(b, w)| if *w > 0.0 { w / (1.0 + x * b) } else { 0.0 }).collect();
    if let Some(end) = spare {
        let left_over = 1.0 - probabilities.iter().sum::<f64>();
        let cell = deviations.iter().position(|b| *b == end)?;
        *probabilities.get_mut(cell)? = left_over.max(0.0);
    }
    Some(Tilted { x, probabilities })
}

fn shares(class: &Class) -> Vec<f64> {
    let units = class.units();
    class.cells.iter().map(|cell| cell.count / units).collect()
}

/// Sum of count times ln(fitted probability / share), the log-likelihood up to a constant.
fn log_likelihood(cells: &[Cell], deviations: &[f64], x: f64) -> f64 {
    cells
        .iter()
        .zip(deviations)
        .filter(|(cell, _)| cell.count > 0.0)
        .map(|(cell, b)| -cell.count * (x * b).ln_1p())
        .sum()
}

fn log_likelihood_at_mean(class: &Class, mean: f64) -> Option<f64> {
    let deviations: Vec<f64> = class.cells.iter().map(|cell| cell.score - mean).collect();
    let tilted = tilt(&deviations, &shares(class))?;
    Some(log_likelihood(&class.cells, &deviations, tilted.x))
}

/// ln L(mean score `s1`) - ln L(mean score `s0`), both strictly between 0 and 1.
pub(super) fn mean_llr(class: &Class, s0: f64, s1: f64) -> Option<f64> {
    let llr = log_likelihood_at_mean(class, s1)? - log_likelihood_at_mean(class, s0)?;
    Some(llr).filter(|llr| llr.is_finite())
}

/// Rounds in which (mean - 1/2) / sigma is made linear around the last solution.
const MAX_ROUNDS: usize = 500;

/// The log-likelihood under (mean - 1/2) / sigma = `t`. The condition is replaced by its tangent at
/// the last solution until the solution stays: there both have the same stationary point.
fn log_likelihood_at_t(class: &Class, t: f64) -> Option<f64> {
    let shares = shares(class);
    #[expect(clippy::cast_precision_loss, reason = "a handful of cells")]
    let even = 1.0 / class.cells.len() as f64;
    let mut probabilities = vec![even; class.cells.len()];
    for round in 0..MAX_ROUNDS {
        let weighed = || class.cells.iter().zip(&probabilities);
        let mean: f64 = weighed().map(|(cell, p)| p * cell.score).sum();
        let sigma = weighed().map(|(cell, p)| p * (cell.score - mean).powi(2)).sum::<f64>().sqrt();
        if sigma.is_nan() || sigma < 1e-12 {
            return None;
        }
        let deviations: Vec<f64> = class
            .cells
            .iter()
            .map(|cell| {
                let standard = (mean - cell.score) / sigma;
                cell.score - 0.5 - t * sigma * (1.0 + standard * standard) / 2.0
            })
            .collect();
        let tilted = tilt(&deviations, &shares)?;
        let change = tilted
            .probabilities
            .iter()
            .zip(&probabilities)
            .map(|(new, old)| (new - old).abs())
            .fold(0.0, f64::max);
        if change < 1e-13 || round + 1 == MAX_ROUNDS {
            return (change < 1e-9).then(|| log_likelihood(&class.cells, &deviations, tilted.x));
        }
        probabilities = tilted.probabilities;
    }
    None
}

/// ln L(t1) - ln L(t0), t = (mean - 1/2) / sigma of a unit's mean score.
///
/// Zero when every unit scored exactly one half: with no spread at all every t is reached in the
/// limit and both hypotheses explain the games equally well. `None` where no distribution fits.
pub(super) fn t_llr(class: &Class, t0: f64, t1: f64) -> Option<f64> {
    if class.cells.iter().all(|cell| cell.count == 0.0 || cell.score == 0.5) {
        return Some(0.0);
    }
    let llr = log_likelihood_at_t(class, t1)? - log_likelihood_at_t(class, t0)?;
    Some(llr).filter(|llr| llr.is_finite())
}
