//! A rating with its interval, or the reason why there is none, and the method that made it.

use serde::Serialize;

use super::observations::Ladder;
use super::remark::Remark;
use super::separation::SeparationBound;

/// The curve and error that an interval was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Method {
    /// The quoted line: slope and level errors with priors, median and 95 % of the posterior of R50.
    Hierarchical,
    /// Maximum likelihood on the Elo curve, error from units within levels, Student's t.
    EloCurveUnitT,
    /// The Elo curve with the larger of that error (normal) and its widening by misfit (t).
    EloCurveWidened,
    /// R50 of the free slope, units around the curve, Fieller's interval with the normal quantile.
    FreeSlopeUnitZ,
    /// R50 of the free slope, variance within levels times the misfit, Fieller's interval with t.
    FreeSlopeWidenedT,
    /// The same with the delta method's symmetric interval.
    FreeSlopeDeltaT,
    /// The Elo curve with the larger of the unit error and the error between levels (CR2).
    UnitOrLevel,
    /// The Elo curve with the error of won-or-lost games.
    Binomial,
    /// The Elo curve with games around the curve as observations.
    GameRobust,
    /// The Elo curve with games within levels as observations: the best that other tools print.
    GameWithinLevel,
    /// The Elo curve with units around the curve as observations.
    UnitRobust,
    /// The Elo curve, profile likelihood of won-or-lost games.
    ProfileBinomial,
    /// The Elo curve, profile likelihood divided by the units' dispersion.
    ProfileUnits,
    /// The levels' own ratings as a sample: Paule-Mandel with the modified Hartung-Knapp error.
    RandomEffects,
    /// The Elo curve with Firth's penalty, profile interval, games as observations.
    Firth,
    /// Davidson's draw model on the Elo scale.
    Davidson,
    /// Davidson's draw model with its own slope.
    DavidsonFreeSlope,
    /// Rao and Kupper's draw model on the Elo scale.
    RaoKupper,
    /// Rao and Kupper's draw model with its own slope.
    RaoKupperFreeSlope,
}

/// A rating with its interval; low < rating < high, all finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The rating in Elo.
    pub rating: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// In Elo; absent where the method has none.
    pub standard_error: Option<f64>,
    /// Of Student's t; absent where the quantile is normal or the interval is none of this kind.
    pub degrees_of_freedom: Option<f64>,
}

/// A wider half of an interval, in Elo, is no estimate: 99.7 % against 0.3 %.
const WIDEST_HALF_WIDTH: f64 = 1000.0;

/// A narrower half, in Elo, is no measurement: there was no spread to measure.
const NARROWEST_HALF_WIDTH: f64 = 1e-6;

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
    /// The method needs more levels.
    TooFewLevels {
        /// Levels of use to it.
        levels: usize,
        /// Fewest that would do.
        needed: usize,
    },
    /// The interval would be so wide that it says nothing.
    TooWide {
        /// From the rating to either end, in Elo.
        half_width: f64,
    },
    /// The slope may be near zero: the interval has a lower end only.
    OnlyAtLeast {
        /// The best value, which nothing limits from above.
        rating: f64,
        /// Lower end of the two-sided set.
        low: f64,
    },
    /// The slope may be near zero: the interval has an upper end only.
    OnlyAtMost {
        /// The best value, which nothing limits from below.
        rating: f64,
        /// Upper end of the two-sided set.
        high: f64,
    },
    /// The games do not determine it: the slope is not distinguishable from zero, has no upper
    /// limit, or the levels cannot be told apart.
    NotDetermined,
    /// The score does not fall as the level rises.
    NotFalling,
    /// All observations lie where the method expects them: no spread to measure an error with.
    NoVariance,
    /// A draw model needs both draws and decided games.
    NoDraws,
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

impl Estimate {
    /// The interval, where there is one.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        match self {
            Self::Interval(interval) => Some(*interval),
            Self::Absent(_) => None,
        }
    }

    /// An interval, or the absence that its numbers amount to.
    pub(super) fn from_interval(interval: Interval) -> Self {
        let Interval { rating, low, high, standard_error, degrees_of_freedom } = interval;
        let (below, above) = (rating - low, high - rating);
        let numbers = [rating, low, high, standard_error.unwrap_or(1.0), degrees_of_freedom.unwrap_or(1.0)];
        if numbers.iter().any(|number| !number.is_finite()) {
            return Self::Absent(Absence::NotDetermined);
        }
        let half_width = if below > above { below } else { above };
        if half_width > WIDEST_HALF_WIDTH {
            Self::Absent(Absence::TooWide { half_width })
        } else if below < NARROWEST_HALF_WIDTH || above < NARROWEST_HALF_WIDTH {
            Self::Absent(Absence::NoVariance)
        } else {
            Self::Interval(interval)
        }
    }

    /// `rating` +/- `quantile` standard errors.
    pub(super) fn around(
        rating: f64,
        standard_error: f64,
        quantile: f64,
        degrees_of_freedom: Option<f64>,
    ) -> Self {
        let half_width = quantile * standard_error;
        Self::from_interval(Interval {
            rating,
            low: rating - half_width,
            high: rating + half_width,
            standard_error: Some(standard_error),
            degrees_of_freedom,
        })
    }
}

/// What one method says about one ladder.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// How it was made.
    pub method: Method,
    /// The rating or its absence; in JSON its keys stand beside those of the line.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// Games it rests on.
    pub games: u64,
    /// Units of two games among them.
    pub pairs: u64,
    /// What to know beside this line.
    pub remarks: Vec<Remark>,
}

impl Line {
    pub(super) fn new(ladder: &Ladder, method: Method, estimate: Estimate) -> Self {
        Self { method, estimate, games: ladder.games(), pairs: ladder.pairs(), remarks: Vec::new() }
    }
}
