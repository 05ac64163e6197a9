//! The form in which games of every origin meet.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::chess::Outcome;
use crate::rating::Ladder;

/// Names an opening pair among the games against one opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PairKey(pub u64);

/// One game of the subject.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// The opponent's name.
    pub opponent: Arc<str>,
    /// The opponent's level in Elo, if known.
    pub level: Option<f64>,
    /// Whether the subject had White.
    pub subject_white: bool,
    /// Who won; none for a game without a result.
    pub outcome: Option<Outcome>,
    /// The pair it belongs to, if known. The caller sees to it that no more than two games share
    /// a key.
    pub pair: Option<PairKey>,
    /// A hash of the whole game (start and moves) by which copies are found; none where the moves
    /// are unknown or too few to tell games apart.
    pub moves_hash: Option<u64>,
}

/// Why a game is not in the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum UnusedReason {
    /// No result (`*`).
    Unfinished,
    /// The opponent has no level in its tags or name.
    UnknownLevel,
    /// The subject did not play.
    NotTheSubjects,
    /// The subject played itself.
    AgainstItself,
    /// A move, the start position or the result cannot be read.
    Unreadable,
    /// No names of players.
    NoPlayers,
    /// In a pair that was left out, a game of it having been void each time.
    VoidPair,
}

/// Games that are not in the ladder, by reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unused {
    /// Why.
    pub reason: UnusedReason,
    /// How many.
    pub games: u64,
    /// The first of them, where there is more to say.
    pub first: Option<String>,
}

/// What was read, ready for [`crate::rating::fit`].
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// Where it came from, as the user named it.
    pub source: String,
    /// The subject's name; unknown in CSV.
    pub subject: Option<String>,
    /// The games by level and unit.
    pub ladder: Ladder,
    /// The games left out, in the order of [`UnusedReason`].
    pub unused: Vec<Unused>,
    /// Games whose level was read from the opponent's name instead of a tag.
    pub levels_from_names: u64,
    /// Games that the subject lost by a fault, by cause in the source's words.
    pub lost_by_faults: BTreeMap<String, u64>,
    /// What the games were played with, where the source tells: a rating names it.
    pub conditions: Option<Conditions>,
}

/// The two sides of a run: name, limits, options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Conditions {
    /// The subject's.
    pub subject: String,
    /// The opponent's, and what its levels are.
    pub opponent: String,
}
