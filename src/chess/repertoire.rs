//! What one player plays in the opening: how often positions were reached, and what followed.
//!
//! Positions are told apart by name ([`position_name`]), so different orders of moves meet in one.
//! Knows neither names of players nor files.

use std::collections::BTreeMap;

use super::book::{Book, position_name};
use super::position::{Chess, Color, Move, Position as _};

/// Counts of visits and replies.
#[derive(Clone, Debug, Default)]
pub struct Repertoire {
    positions: BTreeMap<String, Reached>,
}

#[derive(Clone, Debug)]
struct Reached {
    /// For the moves; its counters mean nothing.
    position: Chess,
    visits: u32,
    plays: Vec<(Move, u32)>,
}

impl Repertoire {
    /// Counts the first `plies` plies of a game that began at the usual position: each position
    /// where `color` was to move, and what was played there. The moves must be legal.
    pub fn add(&mut self, moves: &[Move], color: Color, plies: usize) {
        let mut position = Chess::default();
        for m in moves.iter().take(plies) {
            if position.turn() == color {
                let fresh = || Reached { position: position.clone(), visits: 0, plays: Vec::new() };
                let reached = self.positions.entry(position_name(&position)).or_insert_with(fresh);
                reached.visits += 1;
                match reached.plays.iter_mut().find(|(played, _)| played == m) {
                    Some((_, count)) => *count += 1,
                    None => reached.plays.push((*m, 1)),
                }
            }
            position.play_unchecked(*m);
        }
    }

    /// The positions reached at least `min_visits` times with the moves played there at least
    /// `min_plays` times, in an order that does not depend on that of the games.
    #[must_use]
    pub fn frequent(&self, min_visits: u32, min_plays: u32) -> Vec<(Chess, Vec<(Move, u32)>)> {
        let often = |reached: &&Reached| reached.visits >= min_visits;
        let moves = |reached: &Reached| {
            // The book sorts moves; here they only have to be the same ones.
            let mut book = Book::default();
            for (m, count) in reached.plays.iter().filter(|(_, count)| *count >= min_plays) {
                book.insert(&reached.position, *m, *count);
            }
            (reached.position.clone(), book.moves(&reached.position))
        };
        self.positions.values().filter(often).map(moves).filter(|(_, moves)| !moves.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{CastlingMode, parse_engine_move, uci};

    fn game(text: &str) -> Vec<Move> {
        let mut position = Chess::default();
        let mut moves = Vec::new();
        for word in text.split(' ') {
            let (m, _) = parse_engine_move(&position, word).unwrap();
            position.play_unchecked(m);
            moves.push(m);
        }
        moves
    }

    fn lines(repertoire: &Repertoire, min_visits: u32, min_plays: u32) -> Vec<String> {
        let spelled = |(position, moves): &(Chess, Vec<(Move, u32)>)| {
            let moves: Vec<_> = moves
                .iter()
                .map(|(m, count)| format!("{} {count}", uci(*m, CastlingMode::Standard)))
                .collect();
            format!("{}: {}", position_name(position).split(' ').next().unwrap(), moves.join(", "))
        };
        repertoire.frequent(min_visits, min_plays).iter().map(spelled).collect()
    }

    #[test]
    fn two_orders_of_moves_meet_in_one_position() {
        let mut white = Repertoire::default();
        white.add(&game("d2d4 g8f6 c2c4 e7e6 b1c3"), Color::White, 16);
        white.add(&game("c2c4 g8f6 d2d4 e7e6 g1f3"), Color::White, 16);
        white.add(&game("d2d4 e7e6 c2c4 g8f6 b1c3"), Color::White, 16);
        // After 1. d4 Nf6 2. c4 e6 by any order: three visits.
        assert_eq!(
            lines(&white, 3, 1),
            [
                "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR: b1c3 2, g1f3 1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR: d2d4 2, c2c4 1"
            ]
        );
        assert_eq!(lines(&white, 3, 3), [""; 0]);
        assert_eq!(lines(&white, 4, 1), [""; 0]);
    }

    #[test]
    fn only_the_players_own_moves_count_and_only_so_many_plies() {
        let mut black = Repertoire::default();
        black.add(&game("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"), Color::Black, 4);
        let counted = lines(&black, 1, 1);
        assert_eq!(counted.len(), 2, "{counted:?}");
        assert!(counted.iter().all(|line| line.ends_with("e7e5 1") || line.ends_with("b8c6 1")));
    }
}
