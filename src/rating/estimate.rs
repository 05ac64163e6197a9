//! The whole answer for one ladder: estimate or its absence, the levels, the misfit, the remarks.

use serde::Serialize;

use super::elo_curve::{EloCurve, UnitVariance, fit_elo_curve};
use super::level_score::{ImpliedRating, ScoreInterval, implied_rating, score_interval};
use super::misfit::{Misfit, misfit};
use super::observations::{Ladder, Level};
use super::quantile::{CONFIDENCE, t_quantile};
use super::separation::{SeparationBound, lower_bound, upper_bound};

/// The curve and error that an interval was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Maximum likelihood on the Elo curve, error from units within levels, Student's t.
    EloCurveUnitT,
}

/// A rating with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The rating, R.
    pub rating: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// In Elo.
    pub standard_error: f64,
    /// Of the standard error.
    pub degrees_of_freedom: u64,
    /// How it was made.
    pub method: Method,
}

/// A wider half of an interval, in Elo, is no estimate: 99.7 % against 0.3 %.
const WIDEST_HALF_WIDTH: f64 = 1000.0;

/// Why there is no rating, with what is known instead.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Absence {
    /// Every game was won: the rating is at least the bound.
    AllWon {
        /// One-sided, exact.
        bound: SeparationBound,
    },
    /// Every game was lost: the rating is at most the bound.
    AllLost {
        /// One-sided, exact.
        bound: SeparationBound,
    },
    /// No games, or too few units to estimate an error.
    NotEnoughData {
        /// Units there are.
        units: u64,
        /// Fewest units that would do.
        needed: u64,
    },
    /// The interval would be so wide that it says nothing.
    TooWide {
        /// From the rating to either end, in Elo.
        half_width: f64,
    },
    /// What looks like many games are copies of one unit.
    OnlyCopies {
        /// Games.
        games: u64,
        /// Those that repeat an earlier one move for move.
        copies: u64,
    },
    /// All won up to one level, all lost from another, and nothing between says where.
    Gap {
        /// The highest level with points.
        won_up_to: f64,
        /// The lowest level with losses.
        lost_from: f64,
    },
}

/// A rating or its absence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Estimate {
    /// There is one.
    Interval(Interval),
    /// There is none.
    Absent(Absence),
}

/// What a reader must know beside the figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Remark {
    /// No pairs are known: each game is its own unit.
    GamesAsUnits,
    /// Some games have no pair and are units of their own.
    SingleGames {
        /// How many.
        games: u64,
    },
    /// Games that repeat an earlier game; each group of copies is one unit.
    Copies {
        /// How many.
        games: u64,
    },
    /// All units of these levels scored alike; the curve's own variance stands in.
    NoVariance {
        /// The levels.
        levels: Vec<f64>,
    },
    /// Levels without a game, left out.
    NoGames {
        /// The levels.
        levels: Vec<f64>,
    },
    /// The rating lies above every level played: the scale there is an extrapolation.
    AboveLadder,
    /// The rating lies below every level played.
    BelowLadder,
    /// The levels disagree by more than chance allows; the interval does not hold that.
    LevelsDisagree {
        /// X2.
        statistic: f64,
        /// Its degrees of freedom.
        degrees_of_freedom: u64,
        /// Its p value.
        p_value: f64,
    },
    /// Too few levels to test whether the Elo curve holds.
    LadderNotTested {
        /// Levels with at least two units.
        levels: usize,
    },
}

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
    /// The rating on the Elo curve.
    pub elo_curve: Estimate,
    /// Whether the levels agree; absent without a fit.
    pub misfit: Option<Misfit>,
    /// Ascending.
    pub levels: Vec<FittedLevel>,
    /// In a fixed order.
    pub remarks: Vec<Remark>,
}

/// Below this the levels are said to disagree.
const MISFIT_ALARM: f64 = 0.05;

/// With every level all won or all lost, less information than one even game and a half would give
/// cannot carry an interval.
const MIN_GAP_WEIGHT: f64 = 0.375;

/// Fits one ladder: the rating on the Elo curve with its interval, the levels, the remarks.
///
/// ```
/// use elometer::rating::{Estimate, Ladder, Level, Unit, fit};
/// let pair = |half_points| Unit { games: 2, half_points };
/// let low = Level::new(1800.0, 30, 0, 10, [(pair(4), 12), (pair(2), 6), (pair(0), 2)]).unwrap();
/// let high = Level::new(2000.0, 20, 0, 20, [(pair(4), 6), (pair(2), 8), (pair(0), 6)]).unwrap();
/// let Estimate::Interval(interval) = fit(&Ladder::new([low, high])).elo_curve else { panic!() };
/// assert!(interval.low < 1995.0 && 1995.0 < interval.high);
/// assert_eq!(interval.degrees_of_freedom, 38);
/// ```
#[must_use]
pub fn fit(ladder: &Ladder) -> Fit {
    let curve = fit_elo_curve(ladder);
    let elo_curve = estimate(ladder, curve.as_ref());
    // Without an interval the curve's numbers mean nothing and are not shown.
    let shown = curve.as_ref().filter(|_| matches!(elo_curve, Estimate::Interval(_)));
    let misfit = shown.map(misfit);
    Fit {
        confidence: CONFIDENCE,
        games: ladder.games(),
        pairs: ladder.pairs(),
        units: ladder.units(),
        elo_curve,
        misfit,
        levels: ladder.levels().iter().map(|level| fitted_level(level, shown)).collect(),
        remarks: remarks(ladder, shown, misfit),
    }
}

fn estimate(ladder: &Ladder, curve: Option<&EloCurve>) -> Estimate {
    let played = || ladder.levels().iter().filter(|level| level.games() > 0);
    let half_points: u64 = played().map(Level::half_points).sum();
    let separated = if half_points == 2 * ladder.games() {
        lower_bound(ladder).map(|bound| Absence::AllWon { bound })
    } else if half_points == 0 {
        upper_bound(ladder).map(|bound| Absence::AllLost { bound })
    } else {
        None
    };
    if let Some(absence) = separated {
        return Estimate::Absent(absence);
    }
    let too_few = not_enough(ladder);
    let Some(curve) = curve else {
        return Estimate::Absent(if ladder.units() < 2 { too_few } else { gap(ladder).unwrap_or(too_few) });
    };
    let Some(quantile) = t_quantile(f64::midpoint(1.0, CONFIDENCE), curve.degrees_of_freedom) else {
        return Estimate::Absent(too_few);
    };
    let all_or_nothing =
        played().all(|level| level.half_points() == 0 || level.half_points() == 2 * level.games());
    if all_or_nothing
        && curve.weight < MIN_GAP_WEIGHT
        && let Some(gap) = gap(ladder)
    {
        return Estimate::Absent(gap);
    }
    let half_width = quantile * curve.standard_error;
    if half_width > WIDEST_HALF_WIDTH {
        return Estimate::Absent(Absence::TooWide { half_width });
    }
    Estimate::Interval(Interval {
        rating: curve.rating,
        low: curve.rating - half_width,
        high: curve.rating + half_width,
        standard_error: curve.standard_error,
        degrees_of_freedom: curve.degrees_of_freedom,
        method: Method::EloCurveUnitT,
    })
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
