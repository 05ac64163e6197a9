//! The game an engine has been told of: the position to search and what came before it.

use crate::chess::{CastlingMode, Chess, Move, Position as _, StartPosition, parse_engine_move};
use crate::engines::board::KeyedPosition;
use crate::uci::protocol::PositionCommand;

/// The position to search, with its history.
pub(in crate::engines) struct GameSoFar {
    pub(in crate::engines) position: KeyedPosition,
    /// The keys of the positions before it, in order.
    pub(in crate::engines) history: Vec<u64>,
    /// How castling is written in it.
    pub(in crate::engines) castling: CastlingMode,
    /// The last move, if any was given.
    pub(in crate::engines) last_move: Option<Move>,
    /// The position before it.
    pub(in crate::engines) before_last: Option<Chess>,
}

impl GameSoFar {
    /// A game about to start.
    pub(in crate::engines) fn new(start: &StartPosition) -> Self {
        Self {
            position: KeyedPosition::new(start.position().clone()),
            history: Vec::new(),
            castling: start.castling_mode(),
            last_move: None,
            before_last: None,
        }
    }

    /// The game of a `position` command.
    ///
    /// # Errors
    /// What is wrong with its FEN or with its first bad move, for an `info string`.
    pub(in crate::engines) fn read(command: &PositionCommand) -> Result<Self, String> {
        let start = match &command.fen {
            None => StartPosition::standard(),
            Some(fen) => StartPosition::from_fen(fen).map_err(|error| error.to_string())?,
        };
        let mut game = Self::new(&start);
        for (index, text) in command.moves.iter().enumerate() {
            let (m, _) = parse_engine_move(game.position.chess(), text)
                .map_err(|error| format!("position: move {} ({text}) is {error}", index + 1))?;
            game.play(m);
        }
        Ok(game)
    }

    /// Any legal move, if there is one.
    pub(in crate::engines) fn any_move(&self) -> Option<Move> {
        self.position.chess().legal_moves().first().copied()
    }

    fn play(&mut self, m: Move) {
        self.history.push(self.position.key());
        self.before_last = Some(self.position.chess().clone());
        self.position = self.position.after(m);
        self.last_move = Some(m);
    }
}
