//! What is said of a pool and of each player in it.

use serde::Serialize;

use crate::rating::separation::SeparationBound;

/// A rating found from the games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlayerInterval {
    /// In Elo.
    pub rating: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// In Elo, pair-robust, with the anchors' own errors in it.
    pub standard_error: f64,
    /// Satterthwaite's; absent where the error is known without being estimated.
    pub degrees_of_freedom: Option<f64>,
}

/// Why a player has no rating, with what is known instead.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum PlayerAbsence {
    /// The player met nobody.
    NoGames,
    /// Won every game, all against rated players: at least the bound, exact and one-sided, with the
    /// opponents' ratings taken as known.
    AllWon {
        /// One-sided.
        bound: SeparationBound,
    },
    /// Lost every game, all against rated players: at most the bound.
    AllLost {
        /// One-sided.
        bound: SeparationBound,
    },
    /// Nothing ties the player's group to the one that holds the scale in both directions.
    OtherGroup {
        /// Place of the player's group.
        group: usize,
    },
    /// Too few units to estimate an error.
    NotEnoughData,
    /// The interval would be so wide that it says nothing.
    TooWide {
        /// From the rating to either end, in Elo.
        half_width: f64,
    },
}

/// A player's rating or its absence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PlayerEstimate {
    /// Found from the games.
    Interval(PlayerInterval),
    /// An anchor that was given as exact.
    Fixed {
        /// In Elo.
        elo: f64,
    },
    /// There is none.
    Absent(PlayerAbsence),
}

/// One player of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RatedPlayer {
    /// Place in the caller's list.
    pub player: usize,
    /// The rating or its absence.
    pub estimate: PlayerEstimate,
    /// Games.
    pub games: u64,
    /// Observations.
    pub units: u64,
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
    /// Points per game; absent without games.
    pub score: Option<f64>,
    /// Players met.
    pub opponents: usize,
}

/// What the ratings are relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PoolScale {
    /// The anchors.
    Anchored,
    /// No anchor: the mean of the rated players is 0.
    MeanZero,
    /// Nobody is rated.
    Nobody,
}

/// What White's side is worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum WhiteAdvantage {
    /// Left out of the model.
    NotFitted,
    /// Taken as given.
    Given {
        /// In Elo.
        elo: f64,
    },
    /// Fitted.
    Estimated {
        /// In Elo.
        elo: f64,
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
        /// In Elo.
        standard_error: f64,
    },
    /// The games cannot tell it from the players' strengths; left out.
    NotDetermined,
}

/// Whether the meetings agree with one rating per player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PoolMisfit {
    /// X2: the sum over meetings of (score - expected)^2 / variance.
    pub statistic: f64,
    /// Meetings less fitted parameters.
    pub degrees_of_freedom: u64,
    /// The probability of a larger X2 by chance.
    pub p_value: f64,
}

/// What a reader must know beside the figures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum PoolRemark {
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
    /// The players fall into groups that the games do not compare.
    NotConnected {
        /// How many groups.
        groups: usize,
    },
    /// All units scored alike, so the curve's own variance stands in.
    NoVariance,
    /// The meetings contradict one another by more than chance; the intervals do not hold that.
    MeetingsDisagree {
        /// Of the misfit.
        p_value: f64,
    },
    /// White's advantage could not be told from the players' strengths.
    WhiteNotDetermined,
}
