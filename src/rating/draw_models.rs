//! Models that give draws a probability of their own. Shown, not quoted: their slope is that of the
//! model's own strength difference and is steeper than the slope of the expected score. Games are
//! observations here.

use serde::Serialize;

use super::elo_curve::EloCurve;
use super::estimate::{Absence, Estimate, Line, Method};
use super::matrix::{Matrix, apply, invert};
use super::observations::{Ladder, Level};
use super::quantile::{UPPER, normal_quantile};
use super::scale::{ELO_PER_LOGIT, LOGIT_PER_ELO, ln_logistic, logistic, logistic_weight};
use super::slope_lines::ratio_estimate;

/// What a draw model's fit holds beside its rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DrawParameters {
    /// Slope of the model's strength difference relative to Elo's; 1 where it is fixed.
    pub slope: f64,
    /// Absent where the slope is fixed.
    pub slope_standard_error: Option<f64>,
    /// Davidson's nu (draws at even strength to the geometric mean of wins and losses), or Rao and
    /// Kupper's threshold in Elo.
    pub draw: f64,
    /// Of ln nu, or of the threshold in Elo.
    pub draw_standard_error: f64,
    /// -2 ln of the likelihood, without the constant of the order of games.
    pub minus_two_log_likelihood: f64,
}

/// One draw model's line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DrawModel {
    /// The rating at which wins and losses are equally likely.
    pub line: Line,
    /// Absent without a fit.
    pub parameters: Option<DrawParameters>,
}

/// Both models, each on the Elo scale and with its own slope.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DrawModels {
    /// Win : draw : loss = e^(d/2) : nu : e^(-d/2), d = k (R - r).
    pub davidson: DrawModel,
    /// The same with d = b k (R50 - r).
    pub davidson_free_slope: DrawModel,
    /// A win when d and noise pass the threshold, a loss when they fall below its negative.
    pub rao_kupper: DrawModel,
    /// The same with its own slope.
    pub rao_kupper_free_slope: DrawModel,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Davidson,
    RaoKupper,
}

/// a, b and the draw parameter c: ln nu, or the threshold in logits.
type Parameters = [f64; 3];

/// Log-likelihood of one level with its derivatives by the logit and by the draw parameter.
struct Part {
    log_likelihood: f64,
    gradient: [f64; 2],
    information: Matrix<2>,
}

/// Fits all four.
///
/// # Source
/// Davidson, JASA 65, 1970; Rao and Kupper, JASA 62, 1967.
pub(super) fn draw_models(ladder: &Ladder, curve: &EloCurve) -> DrawModels {
    let model = |kind, free, method| {
        let fitted = fit(&ladder.played(), curve, kind, free);
        let (estimate, parameters) = match fitted {
            Ok((estimate, parameters)) => (estimate, Some(parameters)),
            Err(absence) => (Estimate::Absent(absence), None),
        };
        DrawModel { line: Line::new(ladder, method, estimate), parameters }
    };
    DrawModels {
        davidson: model(Kind::Davidson, false, Method::Davidson),
        davidson_free_slope: model(Kind::Davidson, true, Method::DavidsonFreeSlope),
        rao_kupper: model(Kind::RaoKupper, false, Method::RaoKupper),
        rao_kupper_free_slope: model(Kind::RaoKupper, true, Method::RaoKupperFreeSlope),
    }
}

fn fit(
    levels: &[&Level],
    curve: &EloCurve,
    kind: Kind,
    free: bool,
) -> Result<(Estimate, DrawParameters), Absence> {
    let draws: u64 = levels.iter().map(|level| level.draws()).sum();
    let games: u64 = levels.iter().map(|level| level.games()).sum();
    if draws == 0 || draws == games {
        return Err(Absence::NoDraws);
    }
    if free && levels.len() < 2 {
        return Err(Absence::TooFewLevels { levels: levels.len(), needed: 2 });
    }
    let centre = curve.levels.iter().map(|level| level.weight * level.elo).sum::<f64>() / curve.weight;
    let start =
        [LOGIT_PER_ELO * (curve.rating - centre), 1.0, if kind == Kind::Davidson { 0.0 } else { 0.5 }];
    let (parameters, covariance, log_likelihood) =
        maximise(levels, centre, kind, free, start).ok_or(Absence::NotDetermined)?;
    let [intercept, slope, draw] = parameters;
    let estimate = if free {
        if slope <= 0.0 {
            return Err(Absence::NotFalling);
        }
        let of_curve = [[covariance[0][0], covariance[0][1]], [covariance[1][0], covariance[1][1]]];
        ratio_estimate(centre, [intercept, slope], &of_curve, normal_quantile(UPPER), None)
    } else {
        let standard_error = ELO_PER_LOGIT * covariance[0][0].sqrt();
        Estimate::around(centre + ELO_PER_LOGIT * intercept, standard_error, normal_quantile(UPPER), None)
    };
    let draw_error = covariance[2][2].sqrt();
    let (draw, draw_standard_error) = match kind {
        Kind::Davidson => (draw.exp(), draw_error),
        Kind::RaoKupper => (ELO_PER_LOGIT * draw, ELO_PER_LOGIT * draw_error),
    };
    let parameters = DrawParameters {
        slope,
        slope_standard_error: free.then(|| covariance[1][1].sqrt()),
        draw,
        draw_standard_error,
        minus_two_log_likelihood: -2.0 * log_likelihood,
    };
    Ok((estimate, parameters))
}

/// Damped Newton steps. `None` where the likelihood has no maximum. A fixed slope keeps its start
/// and has a covariance of zero.
fn maximise(
    levels: &[&Level],
    centre: f64,
    kind: Kind,
    free: bool,
    start: Parameters,
) -> Option<(Parameters, Matrix<3>, f64)> {
    const STEPS: usize = 60;
    // Beyond this the likelihood is flat and rises for ever.
    const LIMIT: f64 = 40.0;
    let mut at = start;
    for _ in 0..STEPS {
        let (before, gradient, information) = evaluate(levels, centre, kind, free, at);
        let inverse = invert(&information)?;
        let step = apply(&inverse, &gradient);
        let promise: f64 = step.iter().zip(&gradient).map(|(step, gradient)| step * gradient).sum();
        if promise < 1e-18 {
            let mut covariance = inverse;
            if !free {
                covariance[1][1] = 0.0;
            }
            return at.iter().all(|value| value.abs() < LIMIT).then_some((at, covariance, before));
        }
        let mut share = 1.0;
        loop {
            let moved = [0, 1, 2].map(|index| at[index] + share * step[index]);
            let valid = kind == Kind::Davidson || moved[2] > 0.0;
            let rises = || {
                promise < 1e-6
                    || evaluate(levels, centre, kind, free, moved).0 >= before + 1e-4 * share * promise
            };
            if valid && rises() {
                at = moved;
                break;
            }
            share /= 2.0;
            if share < 1e-9 {
                return None;
            }
        }
    }
    None
}

/// Log-likelihood, gradient and information. A fixed slope has gradient 0 and information 1.
fn evaluate(
    levels: &[&Level],
    centre: f64,
    kind: Kind,
    free: bool,
    [intercept, slope, draw]: Parameters,
) -> (f64, [f64; 3], Matrix<3>) {
    let mut log_likelihood = 0.0;
    let (mut gradient, mut information) = ([0.0; 3], [[0.0; 3]; 3]);
    for level in levels {
        let x = LOGIT_PER_ELO * (level.elo() - centre);
        let part = match kind {
            Kind::Davidson => davidson(level, intercept - slope * x, draw),
            Kind::RaoKupper => rao_kupper(level, intercept - slope * x, draw),
        };
        log_likelihood += part.log_likelihood;
        let design = [[1.0, 0.0], [if free { -x } else { 0.0 }, 0.0], [0.0, 1.0]];
        for row in 0..3 {
            let along = design[row];
            gradient[row] += along[0] * part.gradient[0] + along[1] * part.gradient[1];
            let moved = apply(&part.information, &along);
            for column in 0..3 {
                information[row][column] += moved[0] * design[column][0] + moved[1] * design[column][1];
            }
        }
    }
    if !free {
        information[1][1] = 1.0;
    }
    (log_likelihood, gradient, information)
}

#[expect(clippy::cast_precision_loss, reason = "at most 2^50")]
fn counts(level: &Level) -> [f64; 3] {
    [level.wins(), level.draws(), level.losses()].map(|count| count as f64)
}

fn davidson(level: &Level, logit: f64, ln_nu: f64) -> Part {
    let [wins, draws, losses] = counts(level);
    let games = level.n();
    let exponents = [logit / 2.0, ln_nu, -logit / 2.0];
    let largest = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = exponents.iter().map(|exponent| (exponent - largest).exp()).sum();
    let ln_total = largest + sum.ln();
    let [win, draw, loss] = exponents.map(|exponent| (exponent - ln_total).exp());
    let mean = (win - loss) / 2.0;
    let cross = -games * mean * draw;
    Part {
        log_likelihood: wins * exponents[0] + draws * exponents[1] + losses * exponents[2] - games * ln_total,
        gradient: [(wins - losses) / 2.0 - games * mean, draws - games * draw],
        information: [
            [games * ((win + loss) / 4.0 - mean * mean), cross],
            [cross, games * draw * (1.0 - draw)],
        ],
    }
}

/// The probability of a draw is (e^(2 c) - 1) times that of a win times that of a loss.
fn rao_kupper(level: &Level, logit: f64, threshold: f64) -> Part {
    let [wins, draws, losses] = counts(level);
    let (not_lost, not_won) = (wins + draws, losses + draws);
    let (up, down) = (logit - threshold, -logit - threshold);
    let (win_gradient, loss_gradient) = (not_lost * logistic(-up), not_won * logistic(-down));
    let (win_weight, loss_weight) = (not_lost * logistic_weight(up), not_won * logistic_weight(down));
    let shrink = (-2.0 * threshold).exp();
    // 1 - e^(-2 c), without cancellation for a small threshold.
    let rest = -(-2.0 * threshold).exp_m1();
    Part {
        log_likelihood: not_lost * ln_logistic(up)
            + not_won * ln_logistic(down)
            + draws * (2.0 * threshold + rest.ln()),
        gradient: [win_gradient - loss_gradient, -win_gradient - loss_gradient + 2.0 * draws / rest],
        information: [
            [win_weight + loss_weight, loss_weight - win_weight],
            [loss_weight - win_weight, win_weight + loss_weight + 4.0 * draws * shrink / (rest * rest)],
        ],
    }
}
