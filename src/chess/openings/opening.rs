//! One opening, and openings that are the same position.

use std::collections::BTreeMap;

use shakmaty::{EnPassantMode, fen::Epd};

use crate::chess::position::{Chess, Move, Position as _, StartPosition};

/// A position games begin from, and how it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The code in the *Encyclopaedia of Chess Openings* (`B90`), where the source gives one.
    pub eco: Option<String>,
    /// The name, where the source gives one.
    pub name: Option<String>,
    /// What is set up.
    pub start: StartPosition,
    /// The moves that lead on from `start`; none for EPD and FEN.
    pub moves: Vec<Move>,
    /// The line of the file it comes from, from 1.
    pub line: u64,
}

impl Opening {
    /// The usual initial position, unnamed.
    #[must_use]
    pub fn standard() -> Self {
        Self { eco: None, name: None, start: StartPosition::standard(), moves: Vec::new(), line: 0 }
    }

    /// The position the game begins from: `start` with `moves` played.
    #[must_use]
    pub fn position(&self) -> Chess {
        let mut position = self.start.position().clone();
        for m in &self.moves {
            position.play_unchecked(*m);
        }
        position
    }

    /// What makes the position what it is: pieces, side to move, castling rights, en passant
    /// square where a capture is legal. The counters are left out.
    #[must_use]
    pub fn key(&self) -> String {
        Epd::from_position(&self.position(), EnPassantMode::Legal).to_string()
    }
}

/// The openings that repeat the position of an earlier one, as pairs of indices: the first with
/// that position, and the one that repeats it.
#[must_use]
pub fn repeated_openings(openings: &[Opening]) -> Vec<(usize, usize)> {
    let mut first_with = BTreeMap::new();
    let mut repeated = Vec::new();
    for (index, opening) in openings.iter().enumerate() {
        let first = *first_with.entry(opening.key()).or_insert(index);
        if first != index {
            repeated.push((first, index));
        }
    }
    repeated
}
