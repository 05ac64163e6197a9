//! Perft: counts the leaves of the full move tree, which shows any error in rules or keys.
//!
//! Counts are compared with published ones; keys are compared, move by move when asked, with keys
//! computed from scratch, which finds what a count alone cannot.

use std::fmt;

use super::board::KeyedPosition;
use super::zobrist;
use crate::chess::{CastlingMode, Move, Position as _, fen, uci};

/// A key kept move by move that is not the position's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyMismatch {
    /// The position before the move.
    pub fen: String,
    /// The move, in UCI notation.
    pub uci: String,
    /// The key as kept.
    pub incremental: u64,
    /// The key as it should be.
    pub from_scratch: u64,
}

impl fmt::Display for KeyMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "key mismatch after `{}` in `{}`: found {:016x}, expected {:016x} (computed from scratch)",
            self.uci, self.fen, self.incremental, self.from_scratch
        )
    }
}

impl std::error::Error for KeyMismatch {}

/// The number of leaves `depth` plies below `position`; 1 at depth 0.
///
/// With `verify` every move of the last ply is made too and every key checked, which takes
/// several times as long.
///
/// # Errors
/// [`KeyMismatch`] for the first key that is wrong.
pub fn perft(position: &KeyedPosition, depth: u8, verify: bool) -> Result<u64, KeyMismatch> {
    if depth == 0 {
        return Ok(1);
    }
    let moves = position.chess().legal_moves();
    if depth == 1 && !verify {
        return Ok(moves.len() as u64);
    }
    let mut leaves = 0;
    for m in moves {
        leaves += below(position, m, depth, verify)?;
    }
    Ok(leaves)
}

/// The number of leaves below each move, in the order in which the rules library lists them.
///
/// # Errors
/// [`KeyMismatch`] for the first key that is wrong.
pub fn divide(position: &KeyedPosition, depth: u8, verify: bool) -> Result<Vec<(Move, u64)>, KeyMismatch> {
    if depth == 0 {
        return Ok(Vec::new());
    }
    position.chess().legal_moves().into_iter().map(|m| Ok((m, below(position, m, depth, verify)?))).collect()
}

fn below(position: &KeyedPosition, m: Move, depth: u8, verify: bool) -> Result<u64, KeyMismatch> {
    let next = position.after(m);
    if verify {
        check(position, m, &next)?;
    }
    perft(&next, depth - 1, verify)
}

fn check(position: &KeyedPosition, m: Move, next: &KeyedPosition) -> Result<(), KeyMismatch> {
    let from_scratch = zobrist::from_scratch(next.chess());
    if next.key() == from_scratch {
        return Ok(());
    }
    Err(KeyMismatch {
        fen: fen(position.chess()),
        uci: uci(m, CastlingMode::Standard),
        incremental: next.key(),
        from_scratch,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Chess;

    #[test]
    fn a_wrong_key_is_found_and_named_with_position_and_move() {
        let mismatch = perft(&KeyedPosition::with_wrong_key(Chess::default()), 1, true).unwrap_err();
        assert_eq!(mismatch.fen, fen(&Chess::default()));
        assert_eq!(mismatch.incremental ^ mismatch.from_scratch, 1);
        let message = mismatch.to_string();
        assert!(message.contains(&mismatch.uci) && message.contains(&mismatch.fen), "{message}");
    }

    #[test]
    fn divide_adds_up_to_the_count() {
        let position = KeyedPosition::new(Chess::default());
        let parts = divide(&position, 3, true).unwrap();
        assert_eq!(parts.len(), 20);
        assert_eq!(parts.iter().map(|(_, leaves)| leaves).sum::<u64>(), 8902);
        assert_eq!(perft(&position, 0, true), Ok(1));
        assert_eq!(divide(&position, 0, true), Ok(Vec::new()));
    }
}
