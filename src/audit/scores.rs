//! Scores compared and put on one scale. The only place where a mate becomes a number.

use crate::chess::Score;

/// The ends of the scale on which losses and win percentages are taken, in centipawns.
///
/// # Source
/// Lichess clamps evaluations there (`Cp.CEILING`), and counts a mate as that much.
pub const CEILING_CP: i32 = 1000;

/// What scores are ordered by: mates given, the sooner the better; then centipawns; then mates
/// suffered, the later the better.
#[must_use]
pub fn score_order(score: Score) -> (i8, i32) {
    match score {
        Score::Mate(moves) if moves > 0 => (1, -moves),
        Score::Cp(value) => (0, value),
        Score::Mate(moves) => (-1, moves.saturating_neg()),
    }
}

/// A score in centipawns between -1000 and 1000; a mate is one end of the scale. For losses, win
/// percentages and figures; the rule never asks this.
#[must_use]
pub fn clamped_cp(score: Score) -> i32 {
    match score {
        Score::Cp(value) => value.clamp(-CEILING_CP, CEILING_CP),
        Score::Mate(moves) if moves > 0 => CEILING_CP,
        Score::Mate(_) => -CEILING_CP,
    }
}

/// The same score for the other side.
#[must_use]
pub fn reversed(score: Score) -> Score {
    match score {
        Score::Cp(value) => Score::Cp(value.saturating_neg()),
        Score::Mate(moves) => Score::Mate(moves.saturating_neg()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_stand_in_the_order_of_their_worth() {
        let rising = [
            Score::Mate(0),
            Score::Mate(-1),
            Score::Mate(-9),
            Score::Cp(-30_000),
            Score::Cp(0),
            Score::Cp(30_000),
            Score::Mate(9),
            Score::Mate(1),
        ];
        assert!(rising.is_sorted_by_key(|score| score_order(*score)));
        let clamped: Vec<i32> = rising.iter().map(|score| clamped_cp(*score)).collect();
        assert_eq!(clamped, [-1000, -1000, -1000, -1000, 0, 1000, 1000, 1000]);
    }
}
