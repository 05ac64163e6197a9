//! One grading against another of the same moves: two budgets, or two judges.

use std::collections::BTreeMap;

use serde::Serialize;

use super::lichess::{Judgement, judgement};
use super::position::AuditMove;
use super::rule::Grade;
use crate::rating::{Agreement, agreement};

/// The class of a move, from the best down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GradeClass {
    /// Loses nothing.
    Best,
    /// Loses less than 5 points of win percentage.
    Good,
    /// 5 and more.
    Inaccuracy,
    /// 10 and more.
    Mistake,
    /// 15 and more.
    Blunder,
}

impl GradeClass {
    /// All, the best first.
    pub const ALL: [Self; 5] = [Self::Best, Self::Good, Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The class of a grade.
    #[must_use]
    pub fn of(grade: &Grade) -> Self {
        match judgement(grade.best.score, grade.chosen.score) {
            _ if grade.best.score == grade.chosen.score => Self::Best,
            None => Self::Good,
            Some(Judgement::Inaccuracy) => Self::Inaccuracy,
            Some(Judgement::Mistake) => Self::Mistake,
            Some(Judgement::Blunder) => Self::Blunder,
        }
    }

    /// The word in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// Two gradings compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stability {
    /// Moves by their class in the first grading (down) and the second (across).
    pub table: [[u64; 5]; 5],
    /// Moves that one of the gradings leaves without a judgement, see [`Grade::is_short`].
    pub not_judged: u64,
    /// Agreement, kappa with its interval (games are independent, moves are not), neighbours.
    pub agreement: Option<Agreement>,
}

/// Compares two gradings of the same moves, in the same order.
#[must_use]
pub fn stability(moves: &[AuditMove], first: &[Grade], second: &[Grade]) -> Stability {
    let (mut table, mut not_judged) = ([[0; 5]; 5], 0);
    let mut games: BTreeMap<usize, Vec<Vec<u64>>> = BTreeMap::new();
    for ((m, one), other) in moves.iter().zip(first).zip(second) {
        if one.is_short || other.is_short {
            not_judged += 1;
            continue;
        }
        let (row, column) = (GradeClass::of(one) as usize, GradeClass::of(other) as usize);
        let game = games.entry(m.cluster).or_insert_with(|| vec![vec![0; 5]; 5]);
        let cells = [
            table.get_mut(row).and_then(|row| row.get_mut(column)),
            game.get_mut(row).and_then(|row| row.get_mut(column)),
        ];
        cells.into_iter().flatten().for_each(|cell| *cell += 1);
    }
    Stability { table, not_judged, agreement: agreement(&games.into_values().collect::<Vec<_>>()) }
}
