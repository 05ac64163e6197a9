//! The line without priors: the larger of what units say and what levels say about the Elo curve.

use serde::Serialize;

use super::elo_curve::EloCurve;
use super::estimate::{Absence, Estimate, Line, Method};
use super::misfit::{MIN_TESTED_LEVELS, pearson};
use super::observations::Ladder;
use super::quantile::{UPPER, fractional_t_quantile, normal_quantile, t_quantile};
use super::remark::Remark;
use super::scale::ELO_PER_LOGIT;

/// The error of the Elo curve's rating with levels as clusters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BetweenLevels {
    /// In Elo.
    pub standard_error: f64,
    /// Bell and McCaffrey's, which need not be whole.
    pub degrees_of_freedom: f64,
}

/// Both lines that need no priors.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WithoutPriors {
    /// The Elo curve with max(t SE of units, t SE between levels).
    pub line: Line,
    /// The error between levels; absent with fewer than four levels.
    pub between_levels: Option<BetweenLevels>,
    /// The Elo curve with max(z SE of units, t SE of units times the root of X2 per degree).
    pub widened: Line,
}

/// Both lines for a ladder that has an Elo curve.
pub(super) fn without_priors(ladder: &Ladder, curve: &EloCurve) -> WithoutPriors {
    let between_levels = between_levels(curve);
    let mut line = Line::new(ladder, Method::UnitOrLevel, unit_or_level(curve, between_levels));
    if between_levels.is_none() {
        line.remarks.push(Remark::LadderNotTested { levels: curve.levels.len() });
    }
    let widened = Line::new(ladder, Method::EloCurveWidened, widened(curve));
    WithoutPriors { line, between_levels, widened }
}

fn unit_or_level(curve: &EloCurve, between_levels: Option<BetweenLevels>) -> Estimate {
    let Some(quantile) = t_quantile(UPPER, curve.degrees_of_freedom) else {
        return Estimate::Absent(Absence::NotDetermined);
    };
    #[expect(clippy::cast_precision_loss, reason = "at most 2^50")]
    let unit_degrees = curve.degrees_of_freedom as f64;
    let by_unit = (curve.standard_error, quantile, unit_degrees);
    let by_level = between_levels.and_then(|error| {
        let quantile = fractional_t_quantile(UPPER, error.degrees_of_freedom)?;
        Some((error.standard_error, quantile, error.degrees_of_freedom))
    });
    let (standard_error, quantile, degrees) = match by_level {
        Some(level) if level.0 * level.1 > by_unit.0 * by_unit.1 => level,
        _ => by_unit,
    };
    Estimate::around(curve.rating, standard_error, quantile, Some(degrees))
}

/// CR2 with levels as clusters: SE^2 = sum (S - n p)^2 / (1 - h) / (k W)^2, h = w / W, and the degrees
/// of freedom 1 / (sum h^2 + sum over pairs of levels of h^2 h'^2 / ((1 - h) (1 - h'))). `None` with
/// fewer than four levels, or where one level has all of the weight.
///
/// # Source
/// Bell and McCaffrey, Survey Methodology 28, 2002, for one parameter and clusters that share one
/// expected score; the degrees of freedom are Satterthwaite's with the model's own covariance.
fn between_levels(curve: &EloCurve) -> Option<BetweenLevels> {
    const LEAST_SPARE: f64 = 1e-9;
    if curve.levels.len() < MIN_TESTED_LEVELS {
        return None;
    }
    let (mut variance, mut squares, mut odds, mut odds_squares) = (0.0, 0.0, 0.0, 0.0);
    for level in &curve.levels {
        let share = level.weight / curve.weight;
        let spare = 1.0 - share;
        if spare < LEAST_SPARE {
            return None;
        }
        variance += (level.score_sum - level.games * level.expected).powi(2) / spare;
        squares += share * share;
        let term = share * share / spare;
        odds += term;
        odds_squares += term * term;
    }
    // The double sum without its diagonal.
    let degrees_of_freedom = 1.0 / (squares + odds * odds - odds_squares);
    let standard_error = ELO_PER_LOGIT * variance.sqrt() / curve.weight;
    let usable = standard_error.is_finite() && degrees_of_freedom.is_finite();
    usable.then_some(BetweenLevels { standard_error, degrees_of_freedom })
}

fn widened(curve: &EloCurve) -> Estimate {
    let tested = pearson(&curve.levels).filter(|found| found.levels >= MIN_TESTED_LEVELS);
    let Some(found) = tested else {
        return Estimate::Absent(Absence::TooFewLevels {
            levels: curve.levels.len(),
            needed: MIN_TESTED_LEVELS,
        });
    };
    let degrees = found.levels as u64 - 1;
    #[expect(clippy::cast_precision_loss, reason = "a number of levels")]
    let fractional = degrees as f64;
    let factor = (found.statistic / fractional).sqrt();
    let plain = normal_quantile(UPPER);
    match t_quantile(UPPER, degrees) {
        Some(quantile) if quantile * factor > plain => {
            Estimate::around(curve.rating, curve.standard_error * factor, quantile, Some(fractional))
        }
        _ => Estimate::around(curve.rating, curve.standard_error, plain, None),
    }
}
