//! Won endgames: whether the subject wins them by mate.

use serde::Serialize;

use super::game::{AuditGame, Finish};
use super::grade::MoveGrades;
use super::position::AuditMove;
use super::rule::Rule;
use crate::chess::{Ending, Outcome, Score};

/// A game in which the subject had a won endgame on its move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Conversion {
    /// Index of the game.
    pub game: usize,
    /// The first such move's number.
    pub from: String,
    /// The subject's moves from there on.
    pub moves: u64,
    /// How it went.
    pub end: ConversionEnd,
}

/// How a won endgame ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConversionEnd {
    /// By mate, as promised.
    Mated,
    /// By the rules, but not so.
    NotWon(String),
    /// Before the rules ended it: nothing can be said.
    Early(String),
}

/// The games with a won endgame: by material ([`AuditMove::won_material`]), and a first score of at
/// least [`Rule::won_cp`] or a mate, since two knights are material and no win.
pub(super) fn conversions(
    rule: &Rule,
    games: &[AuditGame],
    moves: &[AuditMove],
    grades: &[MoveGrades],
) -> Vec<Conversion> {
    let mut found: Vec<Conversion> = Vec::new();
    for (m, grade) in moves.iter().zip(grades) {
        if let Some(last) = found.last_mut().filter(|last| last.game == m.game) {
            last.moves += 1;
            continue;
        }
        let won = match grade.first.best.score {
            Score::Cp(value) => value >= rule.won_cp,
            Score::Mate(moves) => moves > 0,
        };
        if let Some(game) = games.get(m.game).filter(|_| won && m.won_material) {
            found.push(Conversion { game: m.game, from: m.number.clone(), moves: 1, end: end_of(game) });
        }
    }
    found
}

fn end_of(game: &AuditGame) -> ConversionEnd {
    match &game.finish {
        Finish::Rules(Ending::Checkmate, outcome) if *outcome == Outcome::win_for(game.subject) => {
            ConversionEnd::Mated
        }
        Finish::Rules(ending, _) => ConversionEnd::NotWon(
            match ending {
                Ending::Checkmate => "mated by the opponent",
                Ending::Stalemate => "stalemate",
                Ending::FiftyMoves => "fifty moves",
                Ending::InsufficientMaterial => "insufficient material",
                Ending::ThreefoldRepetition => "threefold repetition",
            }
            .to_owned(),
        ),
        Finish::Early(how) => ConversionEnd::Early(how.clone()),
    }
}
