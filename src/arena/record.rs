//! A finished game, complete: what the journal keeps.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::waiting::Waits;
use crate::chess::{Adjudication, Bound, Color, Ending, Outcome, Score};

/// A colour, as JSON spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideName {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<Color> for SideName {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }
}

impl From<SideName> for Color {
    fn from(side: SideName) -> Self {
        match side {
            SideName::White => Self::White,
            SideName::Black => Self::Black,
        }
    }
}

impl fmt::Display for SideName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "white",
            Self::Black => "black",
        })
    }
}

/// What a side did that ended the game against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameFault {
    /// Its move is not legal.
    IllegalMove,
    /// It answered, but with no move, though there are legal ones.
    NoMove,
    /// Its move came too late.
    TimeLoss,
    /// It did not answer at all.
    Hang,
    /// It ended.
    Crash,
    /// It did not start, or did not get ready for the game.
    StartFailure,
}

impl fmt::Display for GameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::IllegalMove => "illegal move",
            Self::NoMove => "no move",
            Self::TimeLoss => "time loss",
            Self::Hang => "hang",
            Self::Crash => "crash",
            Self::StartFailure => "start failure",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Termination {
    /// By the rules of chess.
    Rules(Ending),
    /// Early, by the scores.
    Adjudicated(Adjudication),
    /// By what one side did: [`GameRecord::fault`] says which.
    Fault(GameFault),
}

impl Termination {
    /// The word of the journal: `threefold_repetition`.
    #[must_use]
    pub fn key(self) -> String {
        let json = serde_json::to_value(self).unwrap_or_default();
        json.as_str().unwrap_or_default().to_owned()
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Rules(Ending::Checkmate) => "checkmate",
            Self::Rules(Ending::Stalemate) => "stalemate",
            Self::Rules(Ending::FiftyMoves) => "fifty moves",
            Self::Rules(Ending::InsufficientMaterial) => "insufficient material",
            Self::Rules(Ending::ThreefoldRepetition) => "threefold repetition",
            Self::Adjudicated(Adjudication::Resignation) => "resignation by adjudication",
            Self::Adjudicated(Adjudication::DrawAgreed) => "draw by adjudication",
            Self::Adjudicated(Adjudication::MaximumLength) => "maximum length",
            Self::Fault(fault) => return fault.fmt(f),
        };
        f.write_str(text)
    }
}

/// A fault with what is known about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultReport {
    /// Who did it.
    pub side: SideName,
    /// The engine's name.
    pub engine: String,
    /// What.
    pub cause: GameFault,
    /// What happened, with the token or the status found.
    pub detail: String,
    /// The last lines both ways.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transcript: Vec<String>,
    /// The last lines of stderr.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
}

/// One move and what its engine reported about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlyRecord {
    /// The move in UCI notation.
    #[serde(rename = "move")]
    pub m: String,
    /// The mover's last exact score, or its last bound when it gave nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_stm: Option<Score>,
    /// What kind of score.
    #[serde(default, skip_serializing_if = "is_exact")]
    pub bound: Bound,
    /// Win, draw, loss in thousandths, from the mover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wdl_stm: Option<[u32; 3]>,
    /// The depth of the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The selective depth of the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The engine's own time in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine_time_ms: Option<u64>,
    /// From the write of `go` to the arrival of `bestmove`, in microseconds; where time is no limit,
    /// from `readyok`.
    pub time_us: u64,
    /// What the mover's clock shows after the move, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// The `info string` lines that the spec asks to keep, as they came; at most 16 of 1,000 letters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
}

fn is_exact(bound: &Bound) -> bool {
    *bound == Bound::Exact
}

/// Oddities of an engine's output that were understood all the same, by side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quirks {
    /// White's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub white: Vec<String>,
    /// Black's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub black: Vec<String>,
}

impl Quirks {
    fn is_empty(&self) -> bool {
        self.white.is_empty() && self.black.is_empty()
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The result by the rules of a match: a fault loses. A ladder may call the game void instead.
    pub outcome: Outcome,
    /// How it ended.
    pub termination: Termination,
    /// The fault that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultReport>,
    /// When it began, UTC, in seconds since 1970.
    pub started_at: i64,
    /// How long it took, engine start included.
    pub duration_ms: u64,
    /// Oddities seen for the first time in this process of the engine.
    #[serde(default, skip_serializing_if = "Quirks::is_empty")]
    pub quirks: Quirks,
    /// What each engine did between its moves.
    #[serde(default, skip_serializing_if = "Waits::is_empty")]
    pub waits: Waits,
    /// The moves after the opening.
    pub plies: Vec<PlyRecord>,
}
