//! The quoted line: one model that knows how ladders go wrong.
//!
//! `logit E[score at level r] = b k (R50 - r) + level error`. The slope b is normal around 1, level
//! errors are normal with standard deviation tau in Elo, tau is half-normal, R50 is anything. The
//! likelihood is the normal approximation at the free-slope fit with the units' own variance, so
//! draws and the dependence of the games of a pair are in it. For a fixed tau everything is normal
//! and in closed form; the answer is a mixture over a grid of tau, without random numbers.

use serde::Serialize;

use super::elo_curve::EloCurve;
use super::free_slope::{WorkingCurve, maximise};
use super::matrix::{apply, invert};
use super::observations::{Ladder, Level};
use super::quantile::{UPPER, normal_cdf, normal_quantile};
use super::root::rising_root;
use super::scale::{ELO_PER_LOGIT, LOGIT_PER_ELO, logistic, logistic_weight};

/// What is assumed before the first game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Priors {
    /// Mean of the slope.
    pub slope_mean: f64,
    /// Standard deviation of the slope.
    pub slope_sd: f64,
    /// Scale of the half-normal distribution of tau, in Elo.
    pub tau_scale: f64,
}

/// The priors of every quoted line. Stockfish's levels have been measured at 0.64 to 0.84 of their
/// nominal spacing, and its own calibration leaves errors of 19 Elo per level.
pub const PRIORS: Priors = Priors { slope_mean: 1.0, slope_sd: 0.4, tau_scale: 90.0 };

/// What the games leave to believe about the ladder itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LadderPosterior {
    /// Mean of the slope relative to Elo's, of the expected score.
    pub slope_mean: f64,
    /// Median of the slope.
    pub slope_median: f64,
    /// 2.5 % point of the slope.
    pub slope_low: f64,
    /// 97.5 % point of the slope.
    pub slope_high: f64,
    /// Median of tau, the standard deviation of a level's error, in Elo. On the grid.
    pub tau_median: f64,
    /// 90 % of the belief in tau lies below this, in Elo. On the grid.
    pub tau_upper90: f64,
}

/// The posterior of R50.
#[derive(Clone, Copy, Debug)]
pub(super) struct Posterior {
    /// Median.
    pub(super) median: f64,
    /// 2.5 % point.
    pub(super) low: f64,
    /// 97.5 % point.
    pub(super) high: f64,
    /// Standard deviation.
    pub(super) sd: f64,
    /// Groups of levels with enough units, each with an error of its own.
    pub(super) groups: usize,
    /// Of the slope and tau.
    pub(super) ladder: LadderPosterior,
}

/// The grid of tau: 0, 1.5, 3, ... 358.5 Elo.
const TAU_STEP: f64 = 1.5;
const TAU_POINTS: usize = 240;
/// Slopes outside this range are not used to turn tau into logits.
const SLOPE_RANGE: (f64, f64) = (0.3, 2.0);
/// Beyond this logit a level is taken to stand here: the normal approximation ends.
const LOGIT_LIMIT: f64 = 6.0;
/// The least weight of a level.
const MIN_WEIGHT: f64 = 0.5;
/// The least variance of scores relative to won-or-lost games.
const MIN_PHI: f64 = 0.05;
/// The slope by which a rating is divided is at least this.
pub(super) const MIN_SLOPE: f64 = 0.15;
/// Levels with fewer units are joined with their neighbours.
const ENOUGH_UNITS: u64 = 8;
/// Slopes at which joined levels are worked with; outside, the Elo curve takes their place.
const FAIR_SLOPES: (f64, f64) = (0.6, 1.6);
/// With fewer degrees of freedom the units' variance is a guess, and the won-or-lost one stands in
/// where it is larger.
const FEW_DEGREES: u64 = 10;

/// A level as the normal approximation sees it.
struct WorkingLevel {
    x: f64,
    response: f64,
    variance: f64,
}

/// One point of the mixture.
struct Component {
    weight: f64,
    mean: f64,
    sd: f64,
    slope: f64,
    slope_sd: f64,
}

/// The posterior, or `None` where no number comes out. `curve` is the Elo curve of the ladder.
///
/// # Source
/// Normal random-effects regression with the likelihood linearised at the mode (Breslow and Clayton,
/// JASA 88, 1993) and the between-level variance integrated on a grid (Gelman et al., *Bayesian Data
/// Analysis*, section 5.4). R50 is a ratio and gets the delta method within each component.
pub(super) fn posterior(ladder: &Ladder, curve: &EloCurve) -> Option<Posterior> {
    let levels = ladder.played();
    let line = maximise(&levels, curve);
    let groups = groups(&levels);
    // A slope that few units leave wide open must not decide how much they weigh: within a joined
    // group of far levels a flat curve would make certain defeats look like even games.
    let line = if groups.len() < levels.len() && !(FAIR_SLOPES.0..=FAIR_SLOPES.1).contains(&line.slope) {
        let intercept = LOGIT_PER_ELO * (curve.rating - line.centre);
        WorkingCurve { intercept, slope: 1.0, centre: line.centre }
    } else {
        line
    };
    let working = linearise(&groups, line);
    let slope = line.slope.clamp(SLOPE_RANGE.0, SLOPE_RANGE.1);
    let mixture = mixture(&working, line.centre, slope)?;
    let share = |value: fn(&Component) -> f64| {
        mixture.iter().map(|component| component.weight * value(component)).sum::<f64>()
    };
    let mean = share(|component| component.mean);
    let spread: f64 = mixture
        .iter()
        .map(|component| component.weight * (component.sd.powi(2) + (component.mean - mean).powi(2)))
        .sum();
    let rating = |probability| quantile(&mixture, probability, |component| (component.mean, component.sd));
    let slope =
        |probability| quantile(&mixture, probability, |component| (component.slope, component.slope_sd));
    let posterior = Posterior {
        median: rating(0.5),
        low: rating(1.0 - UPPER),
        high: rating(UPPER),
        sd: spread.sqrt(),
        groups: groups.len(),
        ladder: LadderPosterior {
            slope_mean: share(|component| component.slope),
            slope_median: slope(0.5),
            slope_low: slope(1.0 - UPPER),
            slope_high: slope(UPPER),
            tau_median: tau_point(&mixture, 0.5),
            tau_upper90: tau_point(&mixture, 0.9),
        },
    };
    let numbers =
        [posterior.median, posterior.low, posterior.high, posterior.sd, posterior.ladder.slope_mean];
    numbers.iter().all(|number| number.is_finite()).then_some(posterior)
}

/// The working responses and their variances at the fitted curve.
fn linearise(groups: &[&[&Level]], line: WorkingCurve) -> Vec<WorkingLevel> {
    let (mut variance, mut total_weight, mut degrees_of_freedom) = (0.0, 0.0, 0);
    let mut working: Vec<WorkingLevel> = groups
        .iter()
        .map(|group| {
            let (level, weight, spread) = match group {
                [level] => one_level(level, line),
                several => joined_levels(several, line),
            };
            variance += spread;
            total_weight += weight;
            let units: u64 = group.iter().map(|level| level.unit_count()).sum();
            degrees_of_freedom += units.saturating_sub(1);
            level
        })
        .collect();
    let measured = variance / total_weight;
    let phi = if variance <= 0.0 || (degrees_of_freedom < FEW_DEGREES && measured < 1.0) {
        // No spread at all is no proof of certainty, and little of it is no measurement.
        1.0
    } else {
        measured.max(MIN_PHI)
    };
    for level in &mut working {
        level.variance *= phi;
    }
    working
}

/// Neighbouring levels joined until each group has enough units: a level met once or twice is an
/// observation with its own rating, not a level whose error could be told. What is left over goes to
/// the last group.
fn groups<'a, 'b>(levels: &'a [&'b Level]) -> Vec<&'a [&'b Level]> {
    let mut groups = Vec::new();
    let (mut start, mut units) = (0, 0);
    for (index, level) in levels.iter().enumerate() {
        units += level.unit_count();
        if units >= ENOUGH_UNITS {
            groups.push(start..index + 1);
            (start, units) = (index + 1, 0);
        }
    }
    if start < levels.len() {
        match groups.last_mut() {
            Some(last) => last.end = levels.len(),
            None => groups.push(start..levels.len()),
        }
    }
    groups.into_iter().filter_map(|range| levels.get(range)).collect()
}

/// A level by itself: as it is worked with, its weight, V.
fn one_level(level: &Level, line: WorkingCurve) -> (WorkingLevel, f64, f64) {
    let logit = line.logit(level.elo()).clamp(-LOGIT_LIMIT, LOGIT_LIMIT);
    let expected = logistic(logit);
    let weight = (level.n() * logistic_weight(logit)).max(MIN_WEIGHT);
    let response = logit + (level.score_sum() - level.n() * expected) / weight;
    let working = WorkingLevel { x: line.x(level.elo()), response, variance: 1.0 / weight };
    (working, weight, unit_variance(level, expected))
}

/// Levels as one: each keeps its own expectation and its own, perhaps tiny, weight; place and logit
/// are means by weight, and V is about the group's mean residual.
fn joined_levels(levels: &[&Level], line: WorkingCurve) -> (WorkingLevel, f64, f64) {
    let (mut weight, mut x, mut logits, mut residual, mut games, mut units) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for level in levels {
        let logit = line.logit(level.elo()).clamp(-LOGIT_LIMIT, LOGIT_LIMIT);
        let own = level.n() * logistic_weight(logit);
        weight += own;
        x += own * line.x(level.elo());
        logits += own * logit;
        residual += level.score_sum() - level.n() * logistic(logit);
        games += level.n();
        units += level.m();
    }
    let per_game = residual / games;
    let squares: f64 = levels
        .iter()
        .map(|level| {
            let expected = logistic(line.logit(level.elo()).clamp(-LOGIT_LIMIT, LOGIT_LIMIT));
            level.squares_about(expected + per_game)
        })
        .sum();
    let spread = if units >= 2.0 { units / (units - 1.0) * squares } else { squares };
    let working =
        WorkingLevel { x: x / weight, response: (logits + residual) / weight, variance: 1.0 / weight };
    (working, weight, spread)
}

/// V for the pooled phi. Levels whose units are all alike add nothing here: as often as they do, the
/// others show more than their share, and the pool is right on average.
fn unit_variance(level: &Level, expected: f64) -> f64 {
    if level.unit_count() < 2 {
        level.squares_about(expected)
    } else {
        let mean = level.score_sum() / level.n();
        level.m() / (level.m() - 1.0) * level.squares_about(mean)
    }
}

fn mixture(levels: &[WorkingLevel], centre: f64, slope: f64) -> Option<Vec<Component>> {
    let prior_precision = 1.0 / (PRIORS.slope_sd * PRIORS.slope_sd);
    let mut mixture = Vec::with_capacity(TAU_POINTS);
    for point in 0..TAU_POINTS {
        let tau = tau_at(point);
        let between = (LOGIT_PER_ELO * tau * slope).powi(2);
        let mut precision = [[0.0, 0.0], [0.0, prior_precision]];
        let mut weighted = [0.0, prior_precision * PRIORS.slope_mean];
        let (mut product, mut log_variances, mut squares) = (1.0_f64, 0.0, 0.0);
        for (index, level) in levels.iter().enumerate() {
            let variance = level.variance + between;
            let weight = 1.0 / variance;
            super::free_slope::add(&mut precision, level.x, weight);
            weighted[0] += weight * level.response;
            weighted[1] -= weight * level.x * level.response;
            squares += weight * level.response * level.response;
            // One logarithm for many levels, before the product leaves the range of numbers.
            product *= variance;
            if index % 16 == 15 {
                log_variances += product.ln();
                product = 1.0;
            }
        }
        log_variances += product.ln();
        let covariance = invert(&precision)?;
        let [intercept, slope] = apply(&covariance, &weighted);
        // Residual squares, the prior's included, are what the fit leaves of the total.
        let left = squares + prior_precision * PRIORS.slope_mean * PRIORS.slope_mean
            - intercept * weighted[0]
            - slope * weighted[1];
        let determinant = covariance[0][0] * covariance[1][1] - covariance[0][1] * covariance[1][0];
        let log_weight = -0.5 * log_variances + 0.5 * determinant.ln()
            - 0.5 * left
            - 0.5 * (tau / PRIORS.tau_scale).powi(2);
        let divisor = slope.max(MIN_SLOPE);
        let gradient = [ELO_PER_LOGIT / divisor, -ELO_PER_LOGIT * intercept / (divisor * divisor)];
        let moved = apply(&covariance, &gradient);
        mixture.push(Component {
            weight: log_weight,
            mean: centre + ELO_PER_LOGIT * intercept / divisor,
            sd: (gradient[0] * moved[0] + gradient[1] * moved[1]).sqrt(),
            slope,
            slope_sd: covariance[1][1].sqrt(),
        });
    }
    let largest = mixture.iter().map(|component| component.weight).fold(f64::NEG_INFINITY, f64::max);
    for component in &mut mixture {
        component.weight = (component.weight - largest).exp();
    }
    // The trapezoidal rule at its lower end.
    mixture[0].weight *= 0.5;
    let total: f64 = mixture.iter().map(|component| component.weight).sum();
    for component in &mut mixture {
        component.weight /= total;
    }
    total.is_finite().then_some(mixture)
}

#[expect(clippy::cast_precision_loss, reason = "a few hundred points")]
fn tau_at(point: usize) -> f64 {
    point as f64 * TAU_STEP
}

/// The first tau of the grid with at least `probability` at or below it.
fn tau_point(mixture: &[Component], probability: f64) -> f64 {
    let mut sum = 0.0;
    let below = mixture.iter().take_while(|component| {
        sum += component.weight;
        sum < probability
    });
    tau_at(below.count().min(TAU_POINTS - 1))
}

/// A quantile of a mixture of normals, whose mean and standard deviation `of` gives.
fn quantile(mixture: &[Component], probability: f64, of: impl Fn(&Component) -> (f64, f64)) -> f64 {
    const REACH: f64 = 12.0;
    const NEGLIGIBLE: f64 = 1e-14;
    let parts: Vec<(f64, f64, f64)> = mixture
        .iter()
        .filter(|component| component.weight > NEGLIGIBLE)
        .map(|component| {
            let (mean, sd) = of(component);
            (component.weight, mean, sd)
        })
        .collect();
    let low = parts.iter().map(|(_, mean, sd)| mean - REACH * sd).fold(f64::INFINITY, f64::min);
    let high = parts.iter().map(|(_, mean, sd)| mean + REACH * sd).fold(f64::NEG_INFINITY, f64::max);
    // The normal distribution with the mixture's mean and variance is a near guess.
    let mean: f64 = parts.iter().map(|(weight, mean, _)| weight * mean).sum();
    let variance: f64 =
        parts.iter().map(|(weight, own, sd)| weight * (sd * sd + (own - mean) * (own - mean))).sum();
    let start = mean + normal_quantile(probability) * variance.sqrt();
    let scale = 1.0 / std::f64::consts::TAU.sqrt();
    rising_root(low, high, start, |at| {
        parts.iter().fold((-probability, 0.0), |(value, density), (weight, mean, sd)| {
            let z = (at - mean) / sd;
            (value + weight * normal_cdf(z), density + weight * scale * (-0.5 * z * z).exp() / sd)
        })
    })
}
