//! The weakness: which of the scored moves is played.
//!
//! Knows scores and weights, not how they were found.
//!
//! # Source
//! The description of AL-1600, section 04: weight = decay^rank * exp((score - best) / temperature),
//! more for a recapture; the ceiling, the mate clauses and the won endgame as stated there.

use super::dice::pick;
use super::exponential::{ONE, exp_of_minus, times};
use super::search::RootMove;
use super::settings::Settings;
use crate::chess::{Bound, Move, Square};
use crate::engines::kit::score::is_mate;

/// The weight of the best move is 2 to the power of this. With 218 moves, each up to a thousand
/// times as much, a sum stays below 2^58.
const WEIGHT_BITS: u32 = 40;

/// Why the move was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The dice chose it.
    Choice,
    /// The best move, as a hint was asked for.
    Hint,
    /// The best move, as one side sees a mate.
    Mate,
    /// The best move, as the endgame is won.
    WonEndgame,
}

impl Reason {
    /// As the engine says it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Choice => "choice",
            Self::Hint => "hint",
            Self::Mate => "mate",
            Self::WonEndgame => "won-endgame",
        }
    }
}

/// A move chosen among several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// Its place in the list, best first, from 0.
    pub(super) rank: usize,
    pub(super) reason: Reason,
    /// What each move of the list weighed; 0 where it could not be chosen.
    pub(super) weights: Vec<u64>,
}

impl Choice {
    fn best(reason: Reason, moves: usize) -> Self {
        let weights = (0..moves).map(|rank| u64::from(rank == 0)).collect();
        Self { rank: 0, reason, weights }
    }

    /// How many moves could have been chosen.
    pub(super) fn candidates(&self) -> usize {
        self.weights.iter().filter(|weight| **weight > 0).count()
    }

    /// The chance the chosen move had, in millionths, rounded down.
    pub(super) fn share_millionths(&self) -> u64 {
        let sum: u128 = self.weights.iter().map(|weight| u128::from(*weight)).sum();
        let own = self.weights.get(self.rank).map_or(0, |weight| u128::from(*weight));
        (own * 1_000_000).checked_div(sum).unwrap_or(0) as u64
    }
}

/// What is known of the position besides the scores.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Circumstances {
    /// Where the other side just captured.
    pub(super) captured_on: Option<Square>,
    /// Whether the side to move has won the endgame.
    pub(super) is_won_endgame: bool,
}

/// Chooses among `moves`, which stand best first; `None` when there are none.
pub(super) fn choose(
    moves: &[RootMove],
    circumstances: Circumstances,
    settings: &Settings,
    throw: u64,
) -> Option<Choice> {
    let best = moves.first()?;
    let certain = if settings.hint {
        Some(Reason::Hint)
    } else if settings.mate_clauses && is_mate(best.score) {
        Some(Reason::Mate)
    } else if settings.won_endgame && circumstances.is_won_endgame {
        Some(Reason::WonEndgame)
    } else {
        None
    };
    if let Some(reason) = certain {
        return Some(Choice::best(reason, moves.len()));
    }
    let weights = weights(moves, circumstances.captured_on, settings);
    let rank = pick(&weights, throw).unwrap_or(0);
    Some(Choice { rank, reason: Reason::Choice, weights })
}

/// The weight of each move; 0 for those that are excluded.
fn weights(moves: &[RootMove], captured_on: Option<Square>, settings: &Settings) -> Vec<u64> {
    let best = moves.first().map_or(0, |first| first.score);
    let mut decayed = ONE;
    let mut weights = Vec::with_capacity(moves.len());
    for root_move in moves {
        let drop = best - root_move.score;
        let allows_mate = settings.mate_clauses && is_mate(root_move.score);
        let allowed = root_move.bound == Bound::Exact && drop <= settings.ceiling && !allows_mate;
        let weight = match u32::try_from(drop) {
            Ok(drop) if allowed => {
                let chance = times(decayed, exp_of_minus(drop, settings.temperature));
                let nudge = if recaptures(root_move.m, captured_on) { settings.recapture_weight } else { 1 };
                (chance >> (ONE.ilog2() - WEIGHT_BITS)) * u64::from(nudge)
            }
            _ => 0,
        };
        weights.push(weight);
        decayed = (u128::from(decayed) * u128::from(settings.rank_decay) / 100) as u64;
    }
    weights
}

fn recaptures(m: Move, captured_on: Option<Square>) -> bool {
    m.is_capture() && captured_on == Some(m.to())
}

#[cfg(test)]
#[path = "choice_tests.rs"]
mod tests;
