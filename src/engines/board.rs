//! A position that carries its key: what the engines' searches walk over.
//!
//! Moves are undone by keeping the position before them: [`KeyedPosition::after`] copies. The
//! rules stay with [`crate::chess`]; only the key is kept here.
//!
//! Invariant: the key equals [`zobrist::from_scratch`] of the position; [`super::perft`] proves it
//! move by move.

use super::zobrist;
use crate::chess::{Chess, Color, Move, Piece, Position as _, Role, Square};

/// A position and its Zobrist key, updated move by move.
#[derive(Clone, Debug)]
pub struct KeyedPosition {
    chess: Chess,
    key: u64,
    /// The part of `key` for castling rights and en passant, kept so as to take it out again.
    rights: u64,
}

impl KeyedPosition {
    /// Computes the key from scratch, once.
    #[must_use]
    pub fn new(chess: Chess) -> Self {
        let key = zobrist::from_scratch(&chess);
        let rights = zobrist::rights(&chess);
        Self { chess, key, rights }
    }

    /// The position.
    #[must_use]
    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The position after a move that is legal here.
    #[must_use]
    pub fn after(&self, m: Move) -> Self {
        let mut chess = self.chess.clone();
        chess.play_unchecked(m);
        let rights = zobrist::rights(&chess);
        let key =
            self.key ^ zobrist::black_to_move() ^ self.rights ^ rights ^ moved_pieces(self.chess.turn(), m);
        Self { chess, key, rights }
    }

    #[cfg(test)]
    pub(super) fn with_wrong_key(chess: Chess) -> Self {
        let mut position = Self::new(chess);
        position.key ^= 1;
        position
    }
}

/// The keys of the pieces a move takes from their squares and puts on others.
fn moved_pieces(color: Color, m: Move) -> u64 {
    let key = |role: Role, color: Color, square: Square| zobrist::piece(Piece { color, role }, square);
    match m {
        Move::Normal { role, from, capture, to, promotion } => {
            let taken = capture.map_or(0, |captured| key(captured, color.other(), to));
            key(role, color, from) ^ key(promotion.unwrap_or(role), color, to) ^ taken
        }
        Move::EnPassant { from, to } => {
            let taken = Square::from_coords(to.file(), from.rank());
            key(Role::Pawn, color, from) ^ key(Role::Pawn, color, to) ^ key(Role::Pawn, color.other(), taken)
        }
        Move::Castle { king, rook } => {
            let (king_to, rook_to) = castling_squares(king, rook);
            key(Role::King, color, king)
                ^ key(Role::King, color, king_to)
                ^ key(Role::Rook, color, rook)
                ^ key(Role::Rook, color, rook_to)
        }
        // Drops belong to another game.
        Move::Put { .. } => 0,
    }
}

/// Where king and rook stand after castling.
#[must_use]
pub(super) fn castling_squares(king: Square, rook: Square) -> (Square, Square) {
    let side = crate::chess::CastlingSide::from_king_side(king < rook);
    (
        Square::from_coords(side.king_to_file(), king.rank()),
        Square::from_coords(side.rook_to_file(), rook.rank()),
    )
}
