//! Everything that a finished match of two engines says.

use serde::Serialize;

use super::classes::{Cell, Class, classes};
use super::views::{OpeningBias, ScoreView, opening_bias, view};
use crate::rating::level_score::{ImpliedRating, ScoreInterval, implied_rating, score_interval};
use crate::rating::meeting::{Meeting, Tally};
use crate::rating::observations::{Level, LevelError, Unit};
use crate::rating::quantile::{CONFIDENCE, normal_cdf};
use crate::rating::scale::ELO_PER_LOGIT;

/// Half an interval wider than this, in Elo, is no estimate.
const WIDEST_HALF_WIDTH: f64 = 1000.0;

/// The difference in Elo with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MatchInterval {
    /// Elo(score).
    pub elo: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// In Elo, by the delta method from the units' own spread.
    pub standard_error: f64,
    /// Units less one.
    pub degrees_of_freedom: u64,
}

/// Why there is no difference to quote, with what is known instead.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum MatchAbsence {
    /// No game was played.
    NoGames,
    /// Every game was won: at least this far ahead, exact and one-sided, pairs as units.
    AllWon {
        /// In Elo.
        at_least: f64,
    },
    /// Every game was lost: at most this, exact and one-sided, pairs as units.
    AllLost {
        /// In Elo.
        at_most: f64,
    },
    /// One unit has no spread.
    OneUnit,
    /// All units scored alike, so their spread says nothing. The score's interval is what as many
    /// games, won or lost, would allow.
    NoVariance {
        /// How many units.
        units: u64,
        /// Points per game.
        score: ScoreInterval,
    },
    /// The interval would be so wide that it says nothing.
    TooWide {
        /// The larger half, in Elo.
        half_width: f64,
    },
}

/// The difference or its absence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MatchElo {
    /// There is one.
    Interval(MatchInterval),
    /// There is none.
    Absent(MatchAbsence),
}

/// What a reader must know beside the figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum MatchRemark {
    /// No pairs are known: each game is its own unit.
    GamesAsUnits,
    /// Some games have no pair and are units of their own.
    SingleGames {
        /// How many.
        games: u64,
    },
    /// Some units hold copies of games; each counts once.
    Copies {
        /// How many units.
        units: u64,
    },
    /// The first player had one colour only, so White's advantage is part of the difference.
    OneColour,
}

/// A match of two engines, from the side of the first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchSummary {
    /// Of the intervals and bounds.
    pub confidence: f64,
    /// Games.
    pub games: u64,
    /// Units of two games.
    pub pairs: u64,
    /// Observations.
    pub units: u64,
    /// All games.
    pub tally: Tally,
    /// Games with White.
    pub as_white: Tally,
    /// Games with Black.
    pub as_black: Tally,
    /// Pairs that gave 0, 1/2, 1, 3/2 and 2 points.
    pub pentanomial_counts: [u64; 5],
    /// The difference to quote: units as observations, Wilson's interval with t.
    pub elo: MatchElo,
    /// Likelihood of superiority from the units: the normal probability below (score - 1/2) / SE.
    pub los: Option<f64>,
    /// Pairs as observations, singles left out; absent without pairs.
    pub pentanomial: Option<ScoreView>,
    /// Games as observations, all of them.
    pub trinomial: Option<ScoreView>,
    /// Absent where some games have no pair: the two views then hold different games.
    pub opening_bias: Option<OpeningBias>,
    /// Share of games drawn; absent without games.
    pub draw_rate: Option<f64>,
    /// Share of pairs that gave one point to each side; absent without pairs.
    pub even_pair_rate: Option<f64>,
    /// Pairs with more than one point by pairs with less; absent where there are none of the latter.
    pub pairs_ratio: Option<f64>,
    /// In a fixed order.
    pub remarks: Vec<MatchRemark>,
}

/// Sums up a match.
///
/// # Errors
/// Units that disagree with the wins, draws and losses.
///
/// # Source
/// Interval: as for one level of a ladder, see [`score_interval`].
///
/// ```
/// use elometer::rating::{MatchElo, Meeting, Tally, Unit, summarize_match};
/// let pair = |half_points| Unit { games: 2, half_points };
/// let meeting = Meeting {
///     as_white: Tally { wins: 40, draws: 10, losses: 20 },
///     as_black: Tally { wins: 30, draws: 10, losses: 30 },
///     units: [(pair(4), 18), (pair(3), 10), (pair(2), 23), (pair(1), 12), (pair(0), 7)].into(),
///     ..Meeting::default()
/// };
/// let MatchElo::Interval(elo) = summarize_match(&meeting).unwrap().elo else { panic!() };
/// assert!(elo.low < elo.elo && elo.elo < elo.high);
/// ```
pub fn summarize_match(meeting: &Meeting) -> Result<MatchSummary, LevelError> {
    let tally = meeting.tally();
    let level = Level::new(
        0.0,
        tally.wins,
        tally.draws,
        tally.losses,
        meeting.units.iter().map(|(unit, count)| (*unit, *count)),
    )?;
    let pair_class = classes(meeting.units.iter().filter(|(unit, _)| unit.games == 2)).pop();
    let pentanomial = pair_class.as_ref().and_then(view);
    let trinomial = view(&games_class(tally));
    let pairs = level.pair_count();
    let all_paired = 2 * pairs == level.games();
    let opening_bias = match (&pentanomial, &trinomial) {
        (Some(pairs), Some(games)) if all_paired => opening_bias(pairs, games),
        _ => None,
    };
    let pentanomial_counts = std::array::from_fn(|half_points| {
        let half_points = u32::try_from(half_points).unwrap_or_default();
        meeting.units.get(&Unit { games: 2, half_points }).copied().unwrap_or(0)
    });
    let [lost, mostly_lost, even, mostly_won, won] = pentanomial_counts;
    Ok(MatchSummary {
        confidence: CONFIDENCE,
        games: level.games(),
        pairs,
        units: level.unit_count(),
        tally,
        as_white: meeting.as_white,
        as_black: meeting.as_black,
        pentanomial_counts,
        elo: match_elo(&level),
        los: superiority(&level),
        pentanomial,
        trinomial,
        opening_bias,
        draw_rate: ratio(tally.draws, level.games()),
        even_pair_rate: ratio(even, pairs),
        pairs_ratio: ratio(won + mostly_won, lost + mostly_lost),
        remarks: remarks(meeting, &level),
    })
}

#[expect(clippy::cast_precision_loss, reason = "numbers of games, below 2^51")]
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[expect(clippy::cast_precision_loss, reason = "numbers of games, below 2^51")]
fn games_class(tally: Tally) -> Class {
    let cell = |score, count: u64| Cell { score, count: count as f64 };
    Class { games: 1.0, cells: vec![cell(0.0, tally.losses), cell(0.5, tally.draws), cell(1.0, tally.wins)] }
}

/// SE of the score from the units, with the small-sample factor m / (m - 1).
fn score_error(level: &Level) -> Option<f64> {
    if level.unit_count() < 2 || level.has_no_variance() {
        return None;
    }
    let (n, m) = (level.n(), level.m());
    Some((m / (m - 1.0) * level.squares_about(level.score_sum() / n)).sqrt() / n)
}

fn superiority(level: &Level) -> Option<f64> {
    // Without the factor, so that the value is the one that other programs print.
    let error = score_error(level)? * ((level.m() - 1.0) / level.m()).sqrt();
    Some(normal_cdf((level.score_sum() / level.n() - 0.5) / error))
}

fn match_elo(level: &Level) -> MatchElo {
    let absent = MatchElo::Absent;
    let Some(score) = score_interval(level) else { return absent(MatchAbsence::NoGames) };
    let (elo, low, high) = match implied_rating(level) {
        Some(ImpliedRating::AtLeast { elo }) => return absent(MatchAbsence::AllWon { at_least: elo }),
        Some(ImpliedRating::AtMost { elo }) => return absent(MatchAbsence::AllLost { at_most: elo }),
        Some(ImpliedRating::Estimate { elo, low, high }) => (elo, low, high),
        None => return absent(MatchAbsence::NoGames),
    };
    if level.unit_count() < 2 {
        return absent(MatchAbsence::OneUnit);
    }
    let Some(error) = score_error(level) else {
        return absent(MatchAbsence::NoVariance { units: level.unit_count(), score });
    };
    let (Some(low), Some(high)) = (low, high) else {
        return absent(MatchAbsence::TooWide { half_width: WIDEST_HALF_WIDTH });
    };
    let half_width = (high - elo).max(elo - low);
    if half_width > WIDEST_HALF_WIDTH {
        return absent(MatchAbsence::TooWide { half_width });
    }
    MatchElo::Interval(MatchInterval {
        elo,
        low,
        high,
        standard_error: error * ELO_PER_LOGIT / (score.score * (1.0 - score.score)),
        degrees_of_freedom: level.unit_count() - 1,
    })
}

fn remarks(meeting: &Meeting, level: &Level) -> Vec<MatchRemark> {
    let mut remarks = Vec::new();
    let of_size = |wanted: fn(u32) -> bool| -> u64 {
        level.units().filter(|(unit, _)| wanted(unit.games)).map(|(_, count)| count).sum()
    };
    let single = of_size(|games| games == 1);
    if single > 0 && single == level.unit_count() {
        remarks.push(MatchRemark::GamesAsUnits);
    } else if single > 0 {
        remarks.push(MatchRemark::SingleGames { games: single });
    }
    let copies = of_size(|games| games > 2);
    if copies > 0 {
        remarks.push(MatchRemark::Copies { units: copies });
    }
    let one_colour = (meeting.as_white.games() == 0) != (meeting.as_black.games() == 0);
    if one_colour {
        remarks.push(MatchRemark::OneColour);
    }
    remarks
}
