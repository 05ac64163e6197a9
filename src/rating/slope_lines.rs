//! What the free slope says: the slope, and R50 with both of its intervals.

use serde::Serialize;

use super::elo_curve::EloCurve;
use super::estimate::{Absence, Estimate, Interval, Line, Method};
use super::fieller::{RatioSet, ratio_set};
use super::free_slope::{FreeSlope, NoSlope, fit_free_slope};
use super::level_score::ScoreInterval;
use super::matrix::{Matrix, apply};
use super::misfit::{Misfit, misfit_of, pearson};
use super::observations::Ladder;
use super::quantile::{UPPER, normal_quantile, t_quantile};
use super::scale::{ELO_PER_LOGIT, LOGIT_PER_ELO, logistic};
use super::slope_test::{SlopeTest, slope_test};

/// The slope of the expected score relative to Elo's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Slope {
    /// b: 1 on the Elo curve, less where the curve is flatter.
    pub slope: f64,
    /// Units around the curve.
    pub standard_error: f64,
    /// Lower end, normal quantile.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The curve `logit E[score] = b k (R50 - r)`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FreeSlopeLines {
    /// b; absent where the games do not determine it.
    pub slope: Option<Slope>,
    /// R50 with units around the curve and the normal quantile.
    pub unit: Line,
    /// R50 with the variance within levels times max(1, X2 / (L - 2)) and t on L - 2.
    pub widened: Line,
    /// The same variance and t around R50 without Fieller's correction: symmetric, and narrower when
    /// the slope is uncertain.
    pub delta: Line,
    /// Whether the levels agree on this curve; absent without it.
    pub misfit: Option<Misfit>,
    /// The curve itself, for drawing; absent without it.
    #[serde(skip)]
    pub curve: Option<FreeCurve>,
}

/// The fitted curve with the error of its two parameters, units around the curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeCurve {
    intercept: f64,
    slope: f64,
    centre: f64,
    covariance: Matrix<2>,
}

impl FreeCurve {
    /// The score expected against a level, with the 95 % interval of the curve there (the delta method
    /// on the logit, normal quantile).
    #[must_use]
    pub fn expected(&self, level: f64) -> ScoreInterval {
        let x = LOGIT_PER_ELO * (level - self.centre);
        let gradient = [1.0, -x];
        let moved = apply(&self.covariance, &gradient);
        let half = normal_quantile(UPPER) * (gradient[0] * moved[0] + gradient[1] * moved[1]).max(0.0).sqrt();
        let logit = self.intercept - self.slope * x;
        ScoreInterval { score: logistic(logit), low: logistic(logit - half), high: logistic(logit + half) }
    }
}

/// The free slope's lines and its test, for a ladder that has an Elo curve.
pub(super) fn free_slope_lines(ladder: &Ladder, curve: &EloCurve) -> (FreeSlopeLines, SlopeTest) {
    let free = fit_free_slope(ladder, curve);
    let (unit, (widened, delta)) = match &free {
        Ok(free) => (unit(free), widened(free)),
        Err(reason) => {
            let levels = ladder.played().len();
            let absence = match reason {
                _ if levels < 2 => Absence::TooFewLevels { levels, needed: 2 },
                NoSlope::NotFalling => Absence::NotFalling,
                NoSlope::Separated | NoSlope::Singular => Absence::NotDetermined,
            };
            let absent = Estimate::Absent(absence);
            (absent, (absent, absent))
        }
    };
    let free = free.ok();
    let lines = FreeSlopeLines {
        slope: free.as_ref().and_then(slope),
        unit: Line::new(ladder, Method::FreeSlopeUnitZ, unit),
        widened: Line::new(ladder, Method::FreeSlopeWidenedT, widened),
        delta: Line::new(ladder, Method::FreeSlopeDeltaT, delta),
        misfit: free.as_ref().map(|free| misfit_of(&free.levels, 2)),
        curve: free.as_ref().map(|free| FreeCurve {
            intercept: free.intercept,
            slope: free.slope,
            centre: free.centre,
            covariance: free.around_curve,
        }),
    };
    (lines, slope_test(curve, free.as_ref()))
}

fn slope(free: &FreeSlope) -> Option<Slope> {
    let standard_error = free.around_curve[1][1].sqrt();
    let half_width = normal_quantile(UPPER) * standard_error;
    let usable = half_width.is_finite() && half_width > 1e-9 * free.slope;
    usable.then_some(Slope {
        slope: free.slope,
        standard_error,
        low: free.slope - half_width,
        high: free.slope + half_width,
    })
}

fn unit(free: &FreeSlope) -> Estimate {
    let line = [free.intercept, free.slope];
    ratio_estimate(free.centre, line, &free.around_curve, normal_quantile(UPPER), None)
}

/// With Fieller's interval, and with the delta method's.
fn widened(free: &FreeSlope) -> (Estimate, Estimate) {
    const NEEDED: usize = 3;
    let pearson = pearson(&free.levels);
    let levels = pearson.map_or(0, |found| found.levels);
    let too_few = Estimate::Absent(Absence::TooFewLevels { levels, needed: NEEDED });
    let degrees = levels.saturating_sub(2) as u64;
    let (Some(found), Some(quantile)) = (pearson, t_quantile(UPPER, degrees)) else {
        return (too_few, too_few);
    };
    #[expect(clippy::cast_precision_loss, reason = "a number of levels")]
    let fractional = degrees as f64;
    let factor = (found.statistic / fractional).max(1.0);
    let covariance = free.within_levels.map(|row| row.map(|entry| entry * factor));
    let line = [free.intercept, free.slope];
    let fieller = ratio_estimate(free.centre, line, &covariance, quantile, Some(fractional));
    let (rating, standard_error) = ratio(free.centre, line, &covariance);
    (fieller, Estimate::around(rating, standard_error, quantile, Some(fractional)))
}

/// R50 = centre + a / (b k) and its standard error by the delta method.
fn ratio(centre: f64, [intercept, slope]: [f64; 2], covariance: &Matrix<2>) -> (f64, f64) {
    let gradient = [ELO_PER_LOGIT / slope, -ELO_PER_LOGIT * intercept / (slope * slope)];
    let moved = apply(covariance, &gradient);
    let variance = gradient[0] * moved[0] + gradient[1] * moved[1];
    (centre + ELO_PER_LOGIT * intercept / slope, variance.sqrt())
}

/// R50 = centre + a / (b k) from (a, b) with b > 0, with Fieller's interval; its standard error is the
/// delta method's.
pub(super) fn ratio_estimate(
    centre: f64,
    [intercept, slope]: [f64; 2],
    covariance: &Matrix<2>,
    quantile: f64,
    degrees_of_freedom: Option<f64>,
) -> Estimate {
    let elo = |ratio: f64| centre + ELO_PER_LOGIT * ratio;
    let (rating, standard_error) = ratio(centre, [intercept, slope], covariance);
    let absence = match ratio_set(intercept, slope, covariance, quantile) {
        RatioSet::Between(low, high) => {
            return Estimate::from_interval(Interval {
                rating,
                low: elo(low),
                high: elo(high),
                standard_error: Some(standard_error),
                degrees_of_freedom,
            });
        }
        RatioSet::AtLeast(low) => Absence::OnlyAtLeast { rating, low: elo(low) },
        RatioSet::AtMost(high) => Absence::OnlyAtMost { rating, high: elo(high) },
        RatioSet::Everything => Absence::NotDetermined,
    };
    Estimate::Absent(absence)
}
