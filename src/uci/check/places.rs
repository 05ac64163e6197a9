//! The positions the checks search.

use crate::chess::{Chess, Position as _, StartPosition, parse_engine_move};

/// A position: the command that sets it up and the position itself, to judge moves by.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) command: String,
    pub(super) chess: Chess,
}

/// A quiet middlegame, White to move.
pub(super) const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 5 8";
/// A rook ending, Black to move.
pub(super) const ROOK_ENDING: &str = "8/5pk1/4p1p1/7p/1r5P/5PP1/R5K1/8 b - - 3 40";
/// A pawn about to promote, White to move.
pub(super) const PROMOTION: &str = "8/P4k2/8/8/8/8/5K2/8 w - - 0 1";
/// Both sides may castle on both sides; many captures.
pub(super) const TACTICS: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// White mates by Ra8.
pub(super) const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
/// White is mated.
pub(super) const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
/// Black is stalemated.
pub(super) const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
/// White's king has one square.
pub(super) const ONLY_MOVE: &str = "7k/8/8/8/8/8/1r6/K7 w - - 0 1";
/// White is a queen ahead and to move.
pub(super) const WHITE_AHEAD: &str = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Black is a queen ahead and to move.
pub(super) const BLACK_AHEAD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1";

impl Place {
    /// The usual initial position.
    pub(super) fn start() -> Self {
        Self::after(&[])
    }

    /// After these moves from the usual initial position; they end at the first that is not legal.
    pub(super) fn after(moves: &[&str]) -> Self {
        let mut chess = StartPosition::standard().position().clone();
        let mut command = "position startpos".to_owned();
        for (index, text) in moves.iter().enumerate() {
            let Ok((m, _)) = parse_engine_move(&chess, text) else { break };
            chess.play_unchecked(m);
            command.push_str(if index == 0 { " moves " } else { " " });
            command.push_str(text);
        }
        Self { command, chess }
    }

    /// One of the positions above (a test reads each); anything else is the initial position.
    pub(super) fn at(fen: &str) -> Self {
        match StartPosition::from_fen(fen) {
            Ok(start) => {
                Self { command: format!("position fen {}", start.fen()), chess: start.position().clone() }
            }
            Err(_) => Self::start(),
        }
    }

    /// Whether the word is a move that is legal here.
    pub(super) fn allows(&self, word: &str) -> bool {
        parse_engine_move(&self.chess, word).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Ending, Game};

    fn ending(fen: &str) -> Option<Ending> {
        Game::new(StartPosition::from_fen(fen).unwrap()).ending()
    }

    #[test]
    fn every_position_is_what_it_says() {
        for fen in [MIDDLEGAME, ROOK_ENDING, PROMOTION, TACTICS, WHITE_AHEAD, BLACK_AHEAD] {
            assert_eq!(ending(fen), None, "{fen}");
            assert_eq!(Place::at(fen).command, format!("position fen {fen}"));
        }
        assert_eq!(ending(MATED), Some(Ending::Checkmate));
        assert_eq!(ending(STALEMATE), Some(Ending::Stalemate));
        assert_eq!(Place::at(ONLY_MOVE).chess.legal_moves().len(), 1);
        let mut game = Game::new(StartPosition::from_fen(MATE_IN_ONE).unwrap());
        game.play(parse_engine_move(game.position(), "a1a8").unwrap().0);
        assert_eq!(game.ending(), Some(Ending::Checkmate));
        assert!(Place::at(PROMOTION).allows("a7a8q") && !Place::at(PROMOTION).allows("a7a8"));
        assert_eq!(Place::after(&["e2e4", "e7e5"]).command, "position startpos moves e2e4 e7e5");
    }
}
