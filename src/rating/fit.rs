//! The whole answer for one ladder: every method's line, the levels, the tests, the remarks.

use serde::Serialize;

use super::draw_models::{DrawModels, draw_models};
use super::elo_curve::{EloCurve, UnitVariance, fit_elo_curve};
use super::estimate::{Absence, Estimate, Interval, Line, Method};
use super::level_score::{ImpliedRating, ScoreInterval, implied_rating, score_interval};
use super::likelihood_interval::firth_interval;
use super::misfit::{Misfit, misfit};
use super::observations::{Ladder, Level};
use super::others::{Others, others};
use super::quantile::{CONFIDENCE, UPPER, t_quantile};
use super::quoted::{LadderPosterior, MIN_SLOPE, PRIORS, Posterior, Priors, posterior};
use super::remark::Remark;
use super::scale_error::{ScaleError, scale_error};
use super::separation::{lower_bound, upper_bound};
use super::slope_lines::{FreeSlopeLines, free_slope_lines};
use super::slope_test::SlopeTest;
use super::without_priors::{WithoutPriors, without_priors};

/// One level of a fit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FittedLevel {
    /// The label.
    pub level: f64,
    /// Games.
    pub games: u64,
    /// Units of two games.
    pub pairs: u64,
    /// Observations.
    pub units: u64,
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
    /// Score per game with its interval; absent without games.
    pub score: Option<ScoreInterval>,
    /// Score the fitted curve expects; absent without a fit.
    pub expected: Option<f64>,
    /// The rating this level alone implies; absent without games.
    pub implied: Option<ImpliedRating>,
}

/// The line to quote.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quoted {
    /// Median and 95 % of the posterior of R50.
    pub line: Line,
    /// What it assumes.
    pub priors: Priors,
    /// What the games say about slope and level errors; absent without an estimate.
    pub ladder: Option<LadderPosterior>,
}

/// Everything said about one ladder.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fit {
    /// Of the intervals and bounds.
    pub confidence: f64,
    /// Games.
    pub games: u64,
    /// Units of two games.
    pub pairs: u64,
    /// Observations.
    pub units: u64,
    /// The line to quote.
    pub quoted: Quoted,
    /// The rating on the Elo curve.
    pub elo_curve: Line,
    /// Whether the levels agree on the Elo curve; absent without a fit.
    pub misfit: Option<Misfit>,
    /// The curve with its own slope; absent without an Elo curve.
    pub free_slope: Option<FreeSlopeLines>,
    /// Whether the slope is Elo's; absent without an Elo curve.
    pub slope_test: Option<SlopeTest>,
    /// Beside the quoted line; absent without an Elo curve.
    pub without_priors: Option<WithoutPriors>,
    /// Lines that are shown but not quoted; absent without an Elo curve.
    pub others: Option<Others>,
    /// With Firth's penalty, games as observations: there even where all games were won.
    pub firth: Line,
    /// Draws with a probability of their own; absent without an Elo curve.
    pub draw_models: Option<DrawModels>,
    /// What the labels are worth, never added to a line; absent without an Elo curve.
    pub scale: Option<ScaleError>,
    /// Ascending.
    pub levels: Vec<FittedLevel>,
    /// In a fixed order.
    pub remarks: Vec<Remark>,
}

impl Fit {
    /// Every line on the whole ladder, the quoted one first, in a fixed order.
    #[must_use]
    pub fn lines(&self) -> Vec<&Line> {
        let mut lines = vec![&self.quoted.line, &self.elo_curve];
        lines.extend(self.without_priors.iter().flat_map(|found| [&found.line, &found.widened]));
        lines.extend(self.free_slope.iter().flat_map(|found| [&found.unit, &found.widened, &found.delta]));
        lines.extend(self.others.iter().flat_map(|found| {
            [
                &found.binomial,
                &found.game_robust,
                &found.game_within_level,
                &found.unit_robust,
                &found.profile_binomial,
                &found.profile_units,
                &found.random_effects.line,
            ]
        }));
        lines.push(&self.firth);
        lines.extend(self.draw_models.iter().flat_map(|found| {
            [&found.davidson, &found.davidson_free_slope, &found.rao_kupper, &found.rao_kupper_free_slope]
                .map(|model| &model.line)
        }));
        lines
    }
}

/// Below this the levels are said to disagree.
const MISFIT_ALARM: f64 = 0.05;

/// With every level all won or all lost, less information than one even game and a half would give
/// cannot carry an interval.
const MIN_GAP_WEIGHT: f64 = 0.375;

/// So few levels say next to nothing about slope and level errors.
const FEW_LEVELS: usize = 3;

/// A larger 90 % bound of tau, in Elo, is beyond what the quoted line was built for.
const LARGEST_TAU: f64 = 150.0;

/// Fits one ladder with every method.
///
/// ```
/// use elometer::rating::{Ladder, Level, Unit, fit};
/// let pair = |half_points| Unit { games: 2, half_points };
/// let low = Level::new(1800.0, 30, 0, 10, [(pair(4), 12), (pair(2), 6), (pair(0), 2)]).unwrap();
/// let high = Level::new(2000.0, 20, 0, 20, [(pair(4), 6), (pair(2), 8), (pair(0), 6)]).unwrap();
/// let fit = fit(&Ladder::new([low, high]));
/// let interval = fit.elo_curve.estimate.interval().unwrap();
/// assert!(interval.low < 1995.0 && 1995.0 < interval.high);
/// assert_eq!(interval.degrees_of_freedom, Some(38.0));
/// // The quoted line allows for levels that are off, and is wider.
/// let quoted = fit.quoted.line.estimate.interval().unwrap();
/// assert!(quoted.high - quoted.low > interval.high - interval.low);
/// ```
#[must_use]
pub fn fit(ladder: &Ladder) -> Fit {
    let curve = fit_elo_curve(ladder);
    let absence = no_rating(ladder, curve.as_ref());
    let determined = curve.as_ref().filter(|_| absence.is_none());
    let estimate = elo_curve_estimate(ladder, determined, absence);
    // Without an interval the curve's numbers mean nothing and are not shown.
    let shown = determined.filter(|_| estimate.interval().is_some());
    let misfit = shown.map(misfit);
    let (free_slope, slope_test) = shown.map(|curve| free_slope_lines(ladder, curve)).unzip();
    Fit {
        confidence: CONFIDENCE,
        games: ladder.games(),
        pairs: ladder.pairs(),
        units: ladder.units(),
        quoted: quoted(ladder, determined, estimate),
        elo_curve: Line::new(ladder, Method::EloCurveUnitT, estimate),
        misfit,
        free_slope,
        slope_test,
        without_priors: shown.map(|curve| without_priors(ladder, curve)),
        others: shown.map(|curve| others(ladder, curve, elo_curve_line)),
        firth: Line::new(ladder, Method::Firth, firth(ladder, absence)),
        draw_models: shown.map(|curve| draw_models(ladder, curve)),
        scale: shown.map(scale_error),
        levels: ladder.levels().iter().map(|level| fitted_level(level, shown)).collect(),
        remarks: remarks(ladder, shown, misfit),
    }
}

/// The quoted line; `curve` where the games determine one, `elo_curve` what it came to.
fn quoted(ladder: &Ladder, curve: Option<&EloCurve>, elo_curve: Estimate) -> Quoted {
    let found = curve.and_then(|curve| posterior(ladder, curve));
    let estimate = match (found, elo_curve) {
        (Some(found), _) => quoted_estimate(found),
        (None, Estimate::Absent(absence)) => Estimate::Absent(absence),
        (None, Estimate::Interval(_)) => Estimate::Absent(Absence::NotDetermined),
    };
    let mut line = Line::new(ladder, Method::Hierarchical, estimate);
    let found = found.filter(|_| estimate.interval().is_some());
    let shown = found.map(|found| found.ladder);
    if let Some(Posterior { groups, ladder: LadderPosterior { tau_upper90, .. }, .. }) = found {
        let levels = ladder.played().len();
        if groups < levels {
            line.remarks.push(Remark::LevelsJoined { levels, groups });
        }
        if groups <= FEW_LEVELS {
            line.remarks.push(Remark::PriorsCarryMost { levels: groups });
        }
        if tau_upper90 > LARGEST_TAU {
            line.remarks.push(Remark::BeyondTheMethod { tau_upper90 });
        }
    }
    Quoted { line, priors: PRIORS, ladder: shown }
}

fn quoted_estimate(found: Posterior) -> Estimate {
    if found.ladder.slope_median <= MIN_SLOPE {
        return Estimate::Absent(Absence::NotFalling);
    }
    Estimate::from_interval(Interval {
        rating: found.median,
        low: found.low,
        high: found.high,
        standard_error: Some(found.sd),
        degrees_of_freedom: None,
    })
}

/// The Elo curve's line for any ladder.
fn elo_curve_line(ladder: &Ladder) -> Line {
    let curve = fit_elo_curve(ladder);
    let absence = no_rating(ladder, curve.as_ref());
    let determined = curve.as_ref().filter(|_| absence.is_none());
    Line::new(ladder, Method::EloCurveUnitT, elo_curve_estimate(ladder, determined, absence))
}

fn elo_curve_estimate(ladder: &Ladder, curve: Option<&EloCurve>, absence: Option<Absence>) -> Estimate {
    let Some(curve) = curve else {
        return Estimate::Absent(absence.unwrap_or_else(|| not_enough(ladder)));
    };
    let Some(quantile) = t_quantile(UPPER, curve.degrees_of_freedom) else {
        return Estimate::Absent(Absence::NotDetermined);
    };
    #[expect(clippy::cast_precision_loss, reason = "at most 2^50")]
    let degrees = curve.degrees_of_freedom as f64;
    Estimate::around(curve.rating, curve.standard_error, quantile, Some(degrees))
}

/// Firth's penalty replaces what is missing when all games were won or lost, and nothing else.
fn firth(ladder: &Ladder, absence: Option<Absence>) -> Estimate {
    match absence {
        // Copies are no further evidence, and the method counts games.
        _ if ladder.copied_games() > 0 => {
            Estimate::Absent(Absence::OnlyCopies { games: ladder.games(), copies: ladder.copied_games() })
        }
        None | Some(Absence::AllWon { .. } | Absence::AllLost { .. }) => {
            firth_interval(ladder).unwrap_or(Estimate::Absent(not_enough(ladder)))
        }
        Some(absence) => Estimate::Absent(absence),
    }
}

/// Why the ladder gives no rating by any method; `None` where it does.
fn no_rating(ladder: &Ladder, curve: Option<&EloCurve>) -> Option<Absence> {
    let half_points: u64 = ladder.levels().iter().map(Level::half_points).sum();
    let separated = if half_points == 2 * ladder.games() {
        lower_bound(ladder).map(|bound| Absence::AllWon { bound })
    } else if half_points == 0 {
        upper_bound(ladder).map(|bound| Absence::AllLost { bound })
    } else {
        None
    };
    if separated.is_some() {
        return separated;
    }
    if ladder.units() < 2 {
        return Some(not_enough(ladder));
    }
    let Some(curve) = curve else { return Some(gap(ladder).unwrap_or_else(|| not_enough(ladder))) };
    let all_or_nothing = ladder
        .played()
        .iter()
        .all(|level| level.half_points() == 0 || level.half_points() == 2 * level.games());
    if all_or_nothing && curve.weight < MIN_GAP_WEIGHT { gap(ladder) } else { None }
}

fn not_enough(ladder: &Ladder) -> Absence {
    let (games, units, copies) = (ladder.games(), ladder.units(), ladder.copied_games());
    if copies > 0 {
        Absence::OnlyCopies { games, copies }
    } else {
        Absence::NotEnoughData { units, needed: 2 }
    }
}

fn gap(ladder: &Ladder) -> Option<Absence> {
    let levels = || ladder.levels().iter();
    let won_up_to = levels().filter(|level| level.half_points() > 0).map(Level::elo).next_back()?;
    let lost_from = levels().find(|level| level.half_points() < 2 * level.games()).map(Level::elo)?;
    Some(Absence::Gap { won_up_to, lost_from })
}

fn fitted_level(level: &Level, curve: Option<&EloCurve>) -> FittedLevel {
    let on_curve = curve.and_then(|curve| curve.levels.iter().find(|fitted| fitted.elo == level.elo()));
    FittedLevel {
        level: level.elo(),
        games: level.games(),
        pairs: level.pair_count(),
        units: level.unit_count(),
        wins: level.wins(),
        draws: level.draws(),
        losses: level.losses(),
        score: score_interval(level),
        expected: on_curve.map(|fitted| fitted.expected),
        implied: implied_rating(level),
    }
}

fn remarks(ladder: &Ladder, curve: Option<&EloCurve>, misfit: Option<Misfit>) -> Vec<Remark> {
    let mut remarks = Vec::new();
    if ladder.copied_games() > 0 {
        remarks.push(Remark::Copies { games: ladder.copied_games() });
    }
    let empty: Vec<f64> = ladder.levels().iter().filter(|level| level.games() == 0).map(Level::elo).collect();
    if !empty.is_empty() {
        remarks.push(Remark::NoGames { levels: empty });
    }
    let Some(curve) = curve else { return remarks };
    let single: u64 = ladder
        .levels()
        .iter()
        .flat_map(Level::units)
        .filter(|(unit, _)| unit.games == 1)
        .map(|(_, count)| count)
        .sum();
    if single > 0 && single == ladder.units() {
        remarks.push(Remark::GamesAsUnits);
    } else if single > 0 {
        remarks.push(Remark::SingleGames { games: single });
    }
    let alike: Vec<f64> = curve
        .levels
        .iter()
        .filter(|level| level.variance_source == UnitVariance::CurveModel)
        .map(|level| level.elo)
        .collect();
    if !alike.is_empty() {
        remarks.push(Remark::NoVariance { levels: alike });
    }
    if curve.levels.iter().all(|level| level.elo < curve.rating) {
        remarks.push(Remark::AboveLadder);
    } else if curve.levels.iter().all(|level| level.elo > curve.rating) {
        remarks.push(Remark::BelowLadder);
    }
    match misfit {
        Some(Misfit::Tested { statistic, degrees_of_freedom, p_value, .. }) if p_value < MISFIT_ALARM => {
            remarks.push(Remark::LevelsDisagree { statistic, degrees_of_freedom, p_value });
        }
        Some(Misfit::NotTested { levels }) => remarks.push(Remark::LadderNotTested { levels }),
        _ => {}
    }
    remarks
}
