//! What a reader must know beside a figure.

use serde::Serialize;

/// A remark on the whole fit or on one of its lines.
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
    /// The levels disagree by more than chance allows; the Elo curve's interval does not hold that.
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
    /// Of the quoted line: levels with too few pairs to show an error of their own were joined with
    /// their neighbours.
    LevelsJoined {
        /// Levels with games.
        levels: usize,
        /// Groups they were joined to.
        groups: usize,
    },
    /// Of the quoted line: so few levels that the assumptions carry most of it.
    PriorsCarryMost {
        /// Levels with games.
        levels: usize,
    },
    /// Of the quoted line: the levels disagree by more than the method was built for.
    BeyondTheMethod {
        /// The 90 % bound of tau, in Elo.
        tau_upper90: f64,
    },
}
