//! A game whose moves are audited, whatever it was read from.

use crate::chess::{Bound, Color, Ending, Move, Outcome, Position as _, Score, StartPosition};

/// A game and the moves in it that are audited. Invariant: `moves` are legal one after the other.
#[derive(Clone, Debug)]
pub struct AuditGame {
    /// What reports call it: `game 12`, `games.pgn game 3`.
    pub name: String,
    /// Games of one cluster are not independent: the two sides of a game against itself. In rising
    /// order.
    pub cluster: usize,
    /// Where it begins.
    pub start: StartPosition,
    /// Every move that reached the board, both sides.
    pub moves: Vec<Move>,
    /// The audited side.
    pub subject: Color,
    /// Who played the other side.
    pub opponent: String,
    /// The opponent's level, where the input tells.
    pub opponent_level: Option<u32>,
    /// How it ended.
    pub finish: Finish,
    /// The audited moves, by place.
    pub own: Vec<OwnMove>,
    /// The file's own evaluation after each move, from White (`[%eval]`), where every move has one.
    pub evals_white: Option<Vec<Score>>,
}

impl AuditGame {
    /// A position in which one move was chosen: a game of one move, on its own.
    #[must_use]
    pub fn of_position(
        number: usize,
        start: StartPosition,
        m: Move,
        reported: Option<(Score, Bound)>,
        book: bool,
    ) -> Self {
        Self {
            name: format!("position {}", number + 1),
            cluster: number,
            subject: start.position().turn(),
            start,
            moves: vec![m],
            opponent: String::new(),
            opponent_level: None,
            finish: Finish::Early("a position, not a game".to_owned()),
            own: vec![OwnMove { ply: 0, reported, clock_ms: None, book, words: None }],
            evals_white: None,
        }
    }
}

/// How a game ended, as far as conversion is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// By the rules of chess, with who won.
    Rules(Ending, Outcome),
    /// Before the rules ended it, and why, in words.
    Early(String),
}

/// One move of the audited side, with what its player said about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnMove {
    /// Its place in [`AuditGame::moves`], from 0.
    pub ply: usize,
    /// The player's own score for it, from the mover.
    pub reported: Option<(Score, Bound)>,
    /// What the mover's clock showed after it, in milliseconds.
    pub clock_ms: Option<u64>,
    /// Played without a search: the PGN says `book`, or the engine reported neither score nor depth
    /// nor nodes.
    pub book: bool,
    /// What its player said with it.
    pub words: Option<String>,
}
