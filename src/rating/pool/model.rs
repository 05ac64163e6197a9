//! What a pool is fitted from, and why it cannot be.

use serde::Serialize;

use crate::rating::observations::Unit;

/// What is known of a player before the games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Anchor {
    /// Nothing: the rating is to be found.
    Unknown,
    /// The rating holds the scale and is not moved by the games.
    Fixed {
        /// In Elo.
        elo: f64,
    },
    /// The rating is known up to an error, which the games may correct.
    Uncertain {
        /// In Elo.
        elo: f64,
        /// Standard deviation of the error, in Elo, above 0.
        sigma: f64,
    },
}

/// What White's side is worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ColourModel {
    /// Fitted where some games have no pair, else left out: in pairs it cancels.
    WhereUnpaired,
    /// Nothing.
    None,
    /// A known advantage, in Elo.
    Fixed {
        /// In Elo.
        elo: f64,
    },
}

/// Why a pool cannot be fitted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PoolError {
    /// A meeting names a player who is not there, or one player twice.
    #[error(
        "meeting {meeting}: players {first} and {second} of {players}\n\
         hint: a meeting has two different players out of the list"
    )]
    Players {
        /// Place of the meeting.
        meeting: usize,
        /// Its first player.
        first: usize,
        /// Its second player.
        second: usize,
        /// Players in the list.
        players: usize,
    },
    /// The units of a meeting are impossible or do not add up to its games.
    #[error(
        "meeting {meeting}: its units and its wins, draws and losses hold different games\nhint: every game belongs to exactly one unit"
    )]
    Units {
        /// Place of the meeting.
        meeting: usize,
    },
    /// A unit without games, or with more half points than its games can give.
    #[error(
        "meeting {meeting}: a unit of {} games cannot score {} half points\n\
         hint: a unit has at least one game and each game gives 0, 1 or 2 half points",
        unit.games, unit.half_points
    )]
    Unit {
        /// Place of the meeting.
        meeting: usize,
        /// The impossible unit.
        unit: Unit,
    },
    /// An anchor that is no rating.
    #[error(
        "player {player}: anchor {elo} with sigma {sigma} is not a rating\nhint: anchors lie between -100000 and 100000, sigma between 0.001 and 10000"
    )]
    Anchor {
        /// Place of the player.
        player: usize,
        /// The anchor's rating.
        elo: f64,
        /// Its standard deviation; 0 for a fixed one.
        sigma: f64,
    },
    /// A white advantage that is none.
    #[error(
        "white advantage {0} is not a rating difference\nhint: it lies between -1000 and 1000, usually near 35"
    )]
    WhiteAdvantage(f64),
}
