//! Won endgames: whether the subject wins them by mate.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::game::{AuditGame, Finish};
use super::grade::MoveGrades;
use super::position::AuditMove;
use super::rule::{Rule, WonBy};
use crate::chess::{Ending, Outcome};

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

/// Positions with won material ([`AuditMove::won_material`]) by what the judge's first search says of
/// them, so that a threshold that leaves some out shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WonMaterial {
    /// Positions with won material, the subject to move.
    pub positions: u64,
    /// Won by a mate.
    pub by_mate: u64,
    /// Won by the judge's wins in a thousand.
    pub by_wins: u64,
    /// Won by centipawns.
    pub by_centipawns: u64,
    /// Below the threshold for wins.
    pub below_wins: u64,
    /// Below the threshold for centipawns.
    pub below_centipawns: u64,
    /// The judge sees the subject mated.
    pub mated: u64,
    /// Not judged.
    pub not_judged: u64,
    /// Games in which such positions came up and none of them was won by the judge.
    pub games_below: u64,
    /// Games in which such positions came up and none of them was judged.
    pub games_not_judged: u64,
}

impl WonMaterial {
    /// Positions that material calls won and the judge does not.
    #[must_use]
    pub fn below(&self) -> u64 {
        self.below_wins + self.below_centipawns + self.mated
    }
}

/// Counts the positions with won material.
pub(super) fn won_material(rule: &Rule, moves: &[AuditMove], grades: &[MoveGrades]) -> WonMaterial {
    let mut count = WonMaterial::default();
    let mut games: BTreeMap<usize, Option<bool>> = BTreeMap::new();
    for (m, grades) in moves.iter().zip(grades).filter(|(m, _)| m.won_material) {
        count.positions += 1;
        let game = games.entry(m.game).or_default();
        if !grades.is_judged() {
            count.not_judged += 1;
            continue;
        }
        let (is_won, by) = rule.is_won(&grades.first);
        let place = match (is_won, by) {
            (true, WonBy::Mate) => &mut count.by_mate,
            (true, WonBy::Wins) => &mut count.by_wins,
            (true, WonBy::Centipawns) => &mut count.by_centipawns,
            (false, WonBy::Mate) => &mut count.mated,
            (false, WonBy::Wins) => &mut count.below_wins,
            (false, WonBy::Centipawns) => &mut count.below_centipawns,
        };
        *place += 1;
        *game = (*game).max(Some(is_won));
    }
    count.games_below = games.values().filter(|is_won| **is_won == Some(false)).count() as u64;
    count.games_not_judged = games.values().filter(|is_won| is_won.is_none()).count() as u64;
    count
}

/// The games with a won endgame: by material ([`AuditMove::won_material`]), and won by the judge's
/// first search ([`Rule::is_won`]).
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
        let won = grade.is_judged() && rule.is_won(&grade.first).0;
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
