//! Scores inside the search: centipawns and mates on one integer scale.
//!
//! The one place of the engines where a mate is a number: a mate `n` plies from the root is worth
//! [`MATE`]` - n`, so that the quicker one is the better one.

use crate::chess::{Chess, Position as _, Score};

/// The score of giving mate at the root itself.
pub(in crate::engines) const MATE: i32 = 32_000;

/// No score is larger.
pub(in crate::engines) const MATE_LIMIT: i32 = MATE + 1;

/// The deepest ply a search reaches, quiescence included.
pub(in crate::engines) const MAX_PLY: usize = 128;

/// Draws are worth nothing to either side.
pub(in crate::engines) const DRAW: i32 = 0;

/// The score of being mated `ply` plies from the root.
#[must_use]
pub(in crate::engines) fn mated(ply: i32) -> i32 {
    ply - MATE
}

/// Whether a score is a mate for or against.
#[must_use]
pub(in crate::engines) fn is_mate(score: i32) -> bool {
    score.abs() >= MATE - 2 * MAX_PLY as i32
}

/// Plies until mate, if the score is one.
#[must_use]
pub(in crate::engines) fn mate_distance(score: i32) -> Option<i32> {
    is_mate(score).then(|| MATE - score.abs())
}

/// As it is reported: mates in moves.
#[must_use]
pub(in crate::engines) fn reported(score: i32) -> Score {
    match mate_distance(score) {
        None => Score::Cp(score),
        Some(plies) if score > 0 => Score::Mate((plies + 1) / 2),
        Some(plies) => Score::Mate(-(plies / 2)),
    }
}

/// A draw by fifty moves. A mate on the hundredth ply is a mate.
#[must_use]
pub(in crate::engines) fn is_fifty_moves(chess: &Chess) -> bool {
    chess.halfmoves() >= 100 && !(chess.is_check() && chess.legal_moves().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_reported_in_moves() {
        assert_eq!(reported(-mated(1)), Score::Mate(1));
        assert_eq!(reported(-mated(3)), Score::Mate(2));
        assert_eq!(reported(mated(2)), Score::Mate(-1));
        assert_eq!(reported(mated(0)), Score::Mate(0));
        assert_eq!(reported(-150), Score::Cp(-150));
    }

    #[test]
    fn the_quicker_mate_is_the_better_score() {
        assert!(-mated(1) > -mated(3));
        assert!(mated(4) > mated(2));
    }
}
