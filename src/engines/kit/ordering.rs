//! The order in which moves are tried: the better the guess, the more alpha-beta cuts.
//!
//! Table move, then captures by most valuable victim and least valuable attacker together with
//! promotions to a queen, then quiet moves by what their square is worth, then other promotions.
//! Equal guesses keep the order of the rules library.

use super::evaluation::{square_bonus, value};
use super::table::PackedMove;
use crate::chess::{Color, Move, Role};
use crate::engines::board::castling_squares;

/// A move and how early it is tried: higher is earlier.
#[derive(Clone, Copy, Debug)]
pub(in crate::engines) struct RankedMove {
    pub(in crate::engines) m: Move,
    rank: i32,
}

const TABLE_MOVE: i32 = 1 << 24;
const FORCING: i32 = 1 << 20;
const MINOR_PROMOTION: i32 = -(1 << 20);

impl RankedMove {
    /// Ranks a legal move of `color`; `table_move` is what the table remembers.
    #[must_use]
    pub(in crate::engines) fn new(m: Move, color: Color, endgame: bool, table_move: PackedMove) -> Self {
        let known = table_move != PackedMove::NONE && PackedMove::new(m) == table_move;
        Self { m, rank: if known { TABLE_MOVE } else { rank(m, color, endgame) } }
    }

    /// Tried earlier by this much, for what the search knows of the move.
    #[must_use]
    pub(in crate::engines) fn raised_by(self, bonus: i32) -> Self {
        Self { rank: self.rank + bonus, ..self }
    }
}

fn rank(m: Move, color: Color, endgame: bool) -> i32 {
    let bonus = |role, square| square_bonus(role, color, square, endgame);
    match m {
        Move::Normal { role, from, capture, to, promotion } => match (capture, promotion) {
            (Some(victim), None) => most_valuable_victim(victim, role),
            (victim, Some(Role::Queen)) => {
                FORCING + (victim.map_or(0, value) + value(Role::Queen) - value(Role::Pawn)) * 8
            }
            (victim, Some(minor)) => MINOR_PROMOTION + victim.map_or(0, value) + value(minor),
            (None, None) => bonus(role, to) - bonus(role, from),
        },
        Move::EnPassant { .. } => most_valuable_victim(Role::Pawn, Role::Pawn),
        Move::Castle { king, rook } => {
            let (king_to, rook_to) = castling_squares(king, rook);
            bonus(Role::King, king_to) - bonus(Role::King, king) + bonus(Role::Rook, rook_to)
                - bonus(Role::Rook, rook)
        }
        // Drops belong to another game.
        Move::Put { .. } => MINOR_PROMOTION,
    }
}

/// The victim decides; among equal victims the attacker's role does (pawn first, king last).
fn most_valuable_victim(victim: Role, attacker: Role) -> i32 {
    FORCING + value(victim) * 8 - attacker as i32
}

/// Whether quiescence looks at a move: captures and promotions to a queen.
#[must_use]
pub(in crate::engines) fn is_forcing(m: Move) -> bool {
    match m {
        Move::Normal { promotion: Some(role), .. } => role == Role::Queen,
        Move::Normal { capture, .. } => capture.is_some(),
        Move::EnPassant { .. } => true,
        Move::Castle { .. } | Move::Put { .. } => false,
    }
}

/// Moves the highest-ranked of `moves` to the front, the first of equals, and returns it. The rest
/// keeps its order.
pub(in crate::engines) fn take_best(moves: &mut [RankedMove]) -> Option<Move> {
    let mut best = 0;
    let mut best_rank = moves.first()?.rank;
    for (index, candidate) in moves.iter().enumerate().skip(1) {
        if candidate.rank > best_rank {
            (best, best_rank) = (index, candidate.rank);
        }
    }
    moves[..=best].rotate_right(1);
    moves.first().map(|first| first.m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{CastlingMode, Position as _, StartPosition, parse_engine_move, uci};

    fn ordered(fen: &str, table_move: Option<&str>) -> Vec<String> {
        let start = StartPosition::from_fen(fen).unwrap();
        let position = start.position();
        let known = table_move
            .map_or(PackedMove::NONE, |text| PackedMove::new(parse_engine_move(position, text).unwrap().0));
        let mut moves: Vec<_> = position
            .legal_moves()
            .into_iter()
            .map(|m| RankedMove::new(m, position.turn(), false, known))
            .collect();
        let mut order = Vec::new();
        let mut rest = moves.as_mut_slice();
        while let Some(m) = take_best(rest) {
            order.push(uci(m, CastlingMode::Standard));
            rest = &mut rest[1..];
        }
        order
    }

    #[test]
    fn the_table_move_comes_first_then_the_best_victim_by_the_cheapest_attacker() {
        // The queen on d5 can be taken by pawn, knight and rook; the knight on h5 by the rook.
        let fen = "4k3/8/8/3q3n/4P3/2N5/8/3RK2R w - - 0 1";
        assert_eq!(ordered(fen, None)[..4], ["e4d5", "c3d5", "d1d5", "h1h5"]);
        assert_eq!(ordered(fen, Some("e1e2"))[..3], ["e1e2", "e4d5", "c3d5"]);
    }

    #[test]
    fn a_new_queen_comes_early_and_other_promotions_last() {
        let order = ordered("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", None);
        assert_eq!(order[0], "a7a8q");
        assert_eq!(order[order.len() - 3..], ["a7a8r", "a7a8b", "a7a8n"]);
    }

    #[test]
    fn a_remembered_move_that_is_not_legal_changes_nothing() {
        let fen = "4k3/8/8/3q3n/4P3/2N5/8/3RK2R w - - 0 1";
        let other = StartPosition::standard();
        let foreign = PackedMove::new(parse_engine_move(other.position(), "g1f3").unwrap().0);
        let start = StartPosition::from_fen(fen).unwrap();
        let ranks = |known| -> Vec<i32> {
            let moves = start.position().legal_moves();
            moves.iter().map(|m| RankedMove::new(*m, Color::White, false, known).rank).collect()
        };
        assert_eq!(ranks(foreign), ranks(PackedMove::NONE));
    }
}
