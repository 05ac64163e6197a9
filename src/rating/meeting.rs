//! The games of two players, with no level attached: what matches and pools are made from.

use std::collections::BTreeMap;

use serde::Serialize;

use super::observations::Unit;

/// Wins, draws and losses of the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games the first player won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games the first player lost.
    pub losses: u64,
}

impl Tally {
    /// All games.
    #[must_use]
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

/// All games between two players, counted from the side of the first.
///
/// Players are places in a list that the caller keeps. The units hold the same games as the two
/// tallies, grouped into observations: an opening pair is a unit of two games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meeting {
    /// Place of the player whose score is counted.
    pub first: usize,
    /// Place of the other player.
    pub second: usize,
    /// Games in which the first player had White.
    pub as_white: Tally,
    /// Games in which the first player had Black.
    pub as_black: Tally,
    /// How often each unit occurs; scores are the first player's.
    pub units: BTreeMap<Unit, u64>,
}

impl Meeting {
    /// All games, whatever the colours.
    #[must_use]
    pub fn tally(&self) -> Tally {
        Tally {
            wins: self.as_white.wins + self.as_black.wins,
            draws: self.as_white.draws + self.as_black.draws,
            losses: self.as_white.losses + self.as_black.losses,
        }
    }
}
