//! What an engine is told of the game before each search.

use serde::{Deserialize, Serialize};

use crate::chess::{Game, Move, StartPosition, fen};

/// How much of a game the `position` command holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum History {
    /// The start and every move: what an engine may need, whatever it makes of its history.
    #[default]
    Game,
    /// The position after the last pawn move or capture and the moves since: all that repetition
    /// and the fifty-move count can depend on. An engine that looks further back plays other moves.
    Reversible,
}

impl History {
    /// Whether the whole game is told.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        *self == Self::Game
    }
}

/// The `position` command of one side, which grows with the game.
#[derive(Debug)]
pub(super) struct Told {
    history: History,
    text: String,
    bare: bool,
}

impl Told {
    pub(super) fn new(history: History, start: &StartPosition) -> Self {
        let text = if start.is_standard() {
            "position startpos".to_owned()
        } else {
            format!("position fen {}", start.fen())
        };
        Self { history, text, bare: true }
    }

    /// Adds the last move of `game`, written as `uci`.
    pub(super) fn add(&mut self, game: &Game, uci: &str) {
        if self.history == History::Reversible && game.last_move_was_irreversible() {
            self.text.truncate("position ".len());
            self.text.push_str("fen ");
            self.text.push_str(&fen(game.position()));
            self.bare = true;
            return;
        }
        self.text.push_str(if self.bare { " moves " } else { " " });
        self.bare = false;
        self.text.push_str(uci);
    }

    pub(super) fn command(&self) -> &str {
        &self.text
    }
}

/// Plays `m` and tells it to everyone in `told`.
pub(super) fn play_and_tell(game: &mut Game, m: Move, told: [&mut Told; 2]) -> String {
    let uci = game.uci(m);
    game.play(m);
    for one in told {
        one.add(game, &uci);
    }
    uci
}
