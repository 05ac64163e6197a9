//! Quality of moves as lichess measures it: win percentage, accuracy of a move and of a game,
//! judgements; and the average centipawn loss.
//!
//! # Source
//! The formulas that lichess runs (lila: `WinPercent`, `AccuracyPercent`, `Advice`; scalalib:
//! `Maths`), and the one on its page on accuracy, which lacks the last term. Pure functions.

use serde::Serialize;

use super::scores::{CEILING_CP, clamped_cp};
use crate::chess::Score;

/// From centipawns to the logit of half a win percentage.
const LOGIT_PER_CP: f64 = 0.003_682_08;
/// What lichess takes for the evaluation before the first move, in centipawns.
pub const INITIAL_CP: i32 = 15;

/// Which formula of move accuracy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AccuracyFormula {
    /// What lichess's site runs: one point is added for imperfect analysis.
    Deployed,
    /// What lichess's page on accuracy says.
    Published,
}

/// The accuracy of one side's moves in a game, in percent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GameAccuracy {
    /// The mean of the two below: lichess's number.
    pub accuracy: f64,
    /// Weighted by how the win percentage moves around each move.
    pub volatility_weighted: f64,
    /// The harmonic mean, no move below one.
    pub harmonic: f64,
    /// The plain mean.
    pub plain: f64,
}

/// What lichess calls a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// Loses 5 points of win percentage or more.
    Inaccuracy,
    /// Loses 10 or more.
    Mistake,
    /// Loses 15 or more.
    Blunder,
}

impl Judgement {
    /// The word in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }
}

/// The win percentage of a score, 0 to 100: 50 + 50 (2 / (1 + exp(-0.00368208 cp)) - 1), centipawns
/// and mates clamped to +/-1000.
#[must_use]
pub fn win_percent(score: Score) -> f64 {
    win_percent_of_cp(f64::from(clamped_cp(score)))
}

fn win_percent_of_cp(cp: f64) -> f64 {
    50.0 + 50.0 * (2.0 / (1.0 + (-LOGIT_PER_CP * cp).exp()) - 1.0)
}

/// The accuracy of a move that takes the mover's win percentage from `before` to `after`, 0 to 100.
#[must_use]
pub fn move_accuracy(before: f64, after: f64, formula: AccuracyFormula) -> f64 {
    if after >= before {
        return 100.0;
    }
    let bonus = match formula {
        AccuracyFormula::Deployed => 1.0,
        AccuracyFormula::Published => 0.0,
    };
    let raw =
        103.166_810_071_164_9 * (-0.043_544_153_867_539_51 * (before - after)).exp() - 3.166_924_740_191_411;
    (raw + bonus).clamp(0.0, 100.0)
}

/// The weight of each ply: the standard deviation of the win percentage in a window that ends after
/// it, kept within 0.5 and 12. `win_percents` are White's before the first ply and after each; a
/// window has a tenth of the plies, within 2 and 8.
#[must_use]
pub fn volatility_weights(win_percents: &[f64]) -> Vec<f64> {
    let plies = win_percents.len().saturating_sub(1);
    let window = (plies / 10).clamp(2, 8).min(win_percents.len().max(1));
    let first = win_percents.get(..window).unwrap_or(win_percents);
    // The first window stands for every ply that has no full one behind it.
    let early = std::iter::repeat_n(first, window.saturating_sub(2));
    let weights = early.chain(win_percents.windows(window)).map(|window| spread(window).clamp(0.5, 12.0));
    weights.take(plies).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a window of a few plies, or the moves of a game")]
fn spread(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

/// The accuracy of a game from one side's moves, each with its weight. `None` without moves.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "the moves of a game")]
pub fn game_accuracy(moves: &[(f64, f64)]) -> Option<GameAccuracy> {
    if moves.is_empty() {
        return None;
    }
    let count = moves.len() as f64;
    let weights: f64 = moves.iter().map(|(_, weight)| weight).sum();
    let volatility_weighted = moves.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / weights;
    let harmonic = count / moves.iter().map(|(accuracy, _)| 1.0 / floor_one(*accuracy)).sum::<f64>();
    let plain = moves.iter().map(|(accuracy, _)| accuracy).sum::<f64>() / count;
    let accuracy = f64::midpoint(volatility_weighted, harmonic);
    Some(GameAccuracy { accuracy, volatility_weighted, harmonic, plain })
}

fn floor_one(accuracy: f64) -> f64 {
    if accuracy < 1.0 { 1.0 } else { accuracy }
}

/// What a move loses in centipawns on lichess's scale: both scores clamped to +/-1000, at least 0.
#[must_use]
pub fn centipawn_loss(before: Score, after: Score) -> i32 {
    (clamped_cp(before) - clamped_cp(after)).max(0)
}

/// What lichess calls the move that takes the mover's score from `before` to `after`; none when it
/// says nothing. Centipawns are not clamped here.
#[must_use]
pub fn judgement(before: Score, after: Score) -> Option<Judgement> {
    match (before, after) {
        (Score::Cp(before), Score::Cp(after)) => {
            let lost = (win_percent_of_cp(f64::from(before)) - win_percent_of_cp(f64::from(after))) / 50.0;
            match lost {
                lost if lost >= 0.3 => Some(Judgement::Blunder),
                lost if lost >= 0.2 => Some(Judgement::Mistake),
                lost if lost >= 0.1 => Some(Judgement::Inaccuracy),
                _ => None,
            }
        }
        // A mate is created against the mover.
        (Score::Cp(before), Score::Mate(after)) if after <= 0 => Some(match before {
            ..-999 => Judgement::Inaccuracy,
            -999..-700 => Judgement::Mistake,
            _ => Judgement::Blunder,
        }),
        // The mover's own mate is lost.
        (Score::Mate(before), Score::Cp(after)) if before > 0 => Some(match after {
            CEILING_CP.. => Judgement::Inaccuracy,
            701.. => Judgement::Mistake,
            _ => Judgement::Blunder,
        }),
        (Score::Mate(before), Score::Mate(after)) if before > 0 && after <= 0 => Some(Judgement::Blunder),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judgements_turn_at_lichess_borders() {
        use Judgement::{Blunder, Inaccuracy, Mistake};
        let created = |before| judgement(Score::Cp(before), Score::Mate(-4));
        assert_eq!(
            [-1000, -999, -701, -700, 50].map(created),
            [Some(Inaccuracy), Some(Mistake), Some(Mistake), Some(Blunder), Some(Blunder)]
        );
        let lost = |after| judgement(Score::Mate(3), Score::Cp(after));
        assert_eq!(
            [1000, 999, 701, 700, 0].map(lost),
            [Some(Inaccuracy), Some(Mistake), Some(Mistake), Some(Blunder), Some(Blunder)]
        );
        assert_eq!(judgement(Score::Mate(2), Score::Mate(-2)), Some(Blunder));
        assert_eq!(judgement(Score::Mate(2), Score::Mate(7)), None, "a delayed mate");
        assert_eq!(judgement(Score::Mate(-2), Score::Mate(-1)), None);
        // 0 to -55: 5.04 points; to -110: 9.99; to -111: 10.08; to -168: 14.99; to -169: 15.08.
        let dropped =
            [-54, -55, -110, -111, -168, -169].map(|after| judgement(Score::Cp(0), Score::Cp(after)));
        assert_eq!(
            dropped,
            [None, Some(Inaccuracy), Some(Inaccuracy), Some(Mistake), Some(Mistake), Some(Blunder)]
        );
    }

    #[test]
    fn a_game_of_one_ply_has_an_accuracy_and_none_has_not() {
        assert_eq!(volatility_weights(&[50.0]), Vec::<f64>::new());
        assert_eq!(volatility_weights(&[50.0, 50.0]), [0.5]);
        assert_eq!(game_accuracy(&[]), None);
        let zero = game_accuracy(&[(0.0, 0.5)]).unwrap();
        assert_eq!((zero.harmonic, zero.plain), (1.0, 0.0));
    }
}
