//! Scores of positions as engines report them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The value of a position for one side: the name of the variable that holds it says which.
///
/// A mate is never folded into centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// Centipawns, on the scale of the engine that reported them.
    Cp(i32),
    /// Moves (not plies) until mate: positive when this side mates, negative when it is mated,
    /// zero when it is mated already.
    Mate(i32),
}

impl Score {
    /// Whether this side stands at least `limit_cp` centipawns ahead; a mate it gives counts as
    /// more than any limit.
    #[must_use]
    pub fn at_least(self, limit_cp: i32) -> bool {
        match self {
            Self::Cp(value) => value >= limit_cp,
            Self::Mate(moves) => moves > 0,
        }
    }

    /// Whether this side stands at least `limit_cp` centipawns behind; being mated counts as more
    /// than any limit.
    #[must_use]
    pub fn at_most_minus(self, limit_cp: i32) -> bool {
        match self {
            Self::Cp(value) => value <= limit_cp.saturating_neg(),
            Self::Mate(moves) => moves <= 0,
        }
    }

    /// Whether the score lies within `limit_cp` centipawns of equality; a mate never does.
    #[must_use]
    pub fn within(self, limit_cp: i32) -> bool {
        matches!(self, Self::Cp(value) if value.saturating_abs() <= limit_cp)
    }
}

/// As in PGN comments of this field: `+0.34`, `-1.20`, `+M5`, `-M3`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Cp(value) => {
                let sign = if value < 0 { '-' } else { '+' };
                let magnitude = value.unsigned_abs();
                write!(f, "{sign}{}.{:02}", magnitude / 100, magnitude % 100)
            }
            Self::Mate(moves) if moves > 0 => write!(f, "+M{moves}"),
            Self::Mate(moves) => write!(f, "-M{}", moves.unsigned_abs()),
        }
    }
}

/// Whether a score is the value itself or a bound on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The value.
    #[default]
    Exact,
    /// The value is at least this (`lowerbound`).
    Lower,
    /// The value is at most this (`upperbound`).
    Upper,
}
