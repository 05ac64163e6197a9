//! One game as the rules see it: the moves since the opening and how it ended.

use serde::{Deserialize, Serialize};
use shakmaty::{EnPassantMode, zobrist::Zobrist64};

use super::position::{Chess, Color, Move, Position as _, StartPosition, uci};

/// How the rules end a game.
///
/// Fifty moves and threefold repetition end a game at once, without a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// A hundred plies without a pawn move or capture.
    FiftyMoves,
    /// Neither side can mate with what is left.
    InsufficientMaterial,
    /// The position stands for the third time.
    ThreefoldRepetition,
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// White won (`1-0`).
    White,
    /// Black won (`0-1`).
    Black,
    /// Drawn (`1/2-1/2`).
    Draw,
}

impl Outcome {
    /// The outcome in which `color` wins.
    #[must_use]
    pub fn win_for(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }

    /// As PGN writes it.
    #[must_use]
    pub fn as_pgn(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// Half points for `color`: 2, 1 or 0.
    #[must_use]
    pub fn half_points(self, color: Color) -> u8 {
        match self {
            Self::Draw => 1,
            _ if self == Self::win_for(color) => 2,
            _ => 0,
        }
    }
}

/// A game in progress: its start, its moves, its present position.
#[derive(Clone, Debug)]
pub struct Game {
    start: StartPosition,
    position: Chess,
    moves: Vec<Move>,
    keys: Vec<u64>,
}

impl Game {
    /// A game about to start.
    #[must_use]
    pub fn new(start: StartPosition) -> Self {
        let position = start.position().clone();
        let keys = vec![key(&position)];
        Self { start, position, moves: Vec::new(), keys }
    }

    /// Plays a move that is legal here (as [`super::parse_engine_move`] returns it).
    pub fn play(&mut self, m: Move) {
        self.position.play_unchecked(m);
        self.moves.push(m);
        self.keys.push(key(&self.position));
    }

    /// Where the game began.
    #[must_use]
    pub fn start(&self) -> &StartPosition {
        &self.start
    }

    /// The present position.
    #[must_use]
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The moves played so far.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The move in UCI notation, in this game's way of writing castling.
    #[must_use]
    pub fn uci(&self, m: Move) -> String {
        uci(m, self.start.castling_mode())
    }

    /// Whether the last move was a pawn move or a capture, so that draw counts start anew.
    #[must_use]
    pub fn last_move_was_irreversible(&self) -> bool {
        !self.moves.is_empty() && self.position.halfmoves() == 0
    }

    /// How the rules end the game here, if they do. The order is pinned: mate and stalemate, then
    /// fifty moves, material, repetition: a mate on the hundredth ply is a mate.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        if self.position.legal_moves().is_empty() {
            return Some(if self.position.is_check() { Ending::Checkmate } else { Ending::Stalemate });
        }
        if self.position.halfmoves() >= 100 {
            return Some(Ending::FiftyMoves);
        }
        if self.position.is_insufficient_material() {
            return Some(Ending::InsufficientMaterial);
        }
        (self.repetitions() >= 3).then_some(Ending::ThreefoldRepetition)
    }

    /// Who wins by `ending` in the present position.
    #[must_use]
    pub fn outcome(&self, ending: Ending) -> Outcome {
        match ending {
            Ending::Checkmate => Outcome::win_for(self.turn().other()),
            _ => Outcome::Draw,
        }
    }

    fn repetitions(&self) -> usize {
        let Some((now, before)) = self.keys.split_last() else { return 0 };
        let window = usize::try_from(self.position.halfmoves()).unwrap_or(usize::MAX).min(before.len());
        1 + before.iter().rev().take(window).filter(|key| *key == now).count()
    }
}

fn key(position: &Chess) -> u64 {
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::Legal);
    key
}
