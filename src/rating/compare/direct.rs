//! Two runs at a level that both played: scores against scores, without a model of the ladder.
//!
//! Where both played the same openings, each opening is compared with itself, and what it gives to
//! one side cancels.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ratings::{RatingComparison, RunRating, compare_ratings, judge};
use crate::rating::scale::{ELO_PER_LOGIT, elo_from_score};

/// One opening pair of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairScore<'a> {
    /// What names the opening: the same in both runs.
    pub opening: &'a str,
    /// The subject's score in the two games, 0 to 4 half points.
    pub half_points: u32,
}

/// The pairs that two runs played at one level.
#[derive(Clone, Copy, Debug)]
pub struct LevelScores<'a> {
    /// The level's label in Elo.
    pub level: f64,
    /// Of the first run.
    pub first: &'a [PairScore<'a>],
    /// Of the second run.
    pub second: &'a [PairScore<'a>],
}

/// How pairs were set against pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Pairing {
    /// Each opening with itself.
    ByOpening {
        /// Openings that both runs played; the others are left out.
        openings: u64,
        /// Pairs left out, of both runs.
        left_out: u64,
    },
    /// Mean against mean.
    Unpaired,
}

/// Two runs compared at one level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LevelComparison {
    /// The level's label in Elo.
    pub level: f64,
    /// Pairs of the first run that count.
    pub first_pairs: u64,
    /// Pairs of the second run that count.
    pub second_pairs: u64,
    /// Points per game of the first run, over the pairs that count.
    pub first_score: f64,
    /// Points per game of the second run.
    pub second_score: f64,
    /// How pairs were set against pairs.
    pub pairing: Pairing,
    /// In Elo; absent at 0 % or 100 %, with fewer than two pairs, or without variance.
    pub comparison: Option<RatingComparison>,
}

/// Two runs compared at every level that both played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DirectComparison {
    /// In the order given, levels without pairs on one side left out.
    pub levels: Vec<LevelComparison>,
    /// The levels' differences, weighed by their pairs times s (1 - s); absent where no level has
    /// one.
    pub combined: Option<RatingComparison>,
}

/// From this share of common openings on, pairs are compared by opening.
const COMMON_SHARE: f64 = 0.8;

/// Compares two runs level by level. Openings are paired where at least 80 % of either run's pairs
/// were played from an opening of the other; several pairs of one opening are averaged.
///
/// # Source
/// Differences of Elo(score) with standard errors by the delta method; Welch, or the paired t.
///
/// ```
/// use elometer::rating::{LevelScores, PairScore, compare_directly};
/// let run = |scores: [u32; 4]| {
///     let pairs = ["e4", "d4", "c4", "Nf3"].into_iter().zip(scores);
///     pairs.map(|(opening, half_points)| PairScore { opening, half_points }).collect::<Vec<_>>()
/// };
/// let (first, second) = (run([4, 2, 3, 3]), run([3, 1, 1, 2]));
/// let level = LevelScores { level: 1900.0, first: &first, second: &second };
/// let combined = compare_directly(&[level]).combined.unwrap();
/// assert!(combined.difference > 0.0 && combined.low > 0.0);
/// ```
#[must_use]
pub fn compare_directly(levels: &[LevelScores<'_>]) -> DirectComparison {
    let levels: Vec<LevelComparison> = levels.iter().filter_map(compare_level).collect();
    let combined = combine(&levels);
    DirectComparison { levels, combined }
}

/// Score per game of one opening, and how many pairs it holds.
#[derive(Clone, Copy, Default)]
struct Opening {
    sum: f64,
    pairs: f64,
}

fn by_opening<'a>(pairs: &[PairScore<'a>]) -> BTreeMap<&'a str, Opening> {
    let mut openings = BTreeMap::<&str, Opening>::new();
    for pair in pairs {
        let opening = openings.entry(pair.opening).or_default();
        opening.sum += f64::from(pair.half_points.min(4)) / 4.0;
        opening.pairs += 1.0;
    }
    openings
}

fn compare_level(scores: &LevelScores<'_>) -> Option<LevelComparison> {
    if scores.first.is_empty() || scores.second.is_empty() {
        return None;
    }
    let (first, second) = (by_opening(scores.first), by_opening(scores.second));
    let common: Vec<(Opening, Opening)> =
        first.iter().filter_map(|(name, own)| Some((*own, *second.get(name)?))).collect();
    let paired = common.iter().fold((0.0, 0.0), |sum, (a, b)| (sum.0 + a.pairs, sum.1 + b.pairs));
    #[expect(clippy::cast_precision_loss, reason = "a number of pairs")]
    let (all_first, all_second) = (scores.first.len() as f64, scores.second.len() as f64);
    let by_openings =
        common.len() >= 2 && paired.0 >= COMMON_SHARE * all_first && paired.1 >= COMMON_SHARE * all_second;
    Some(if by_openings { paired_by_opening(scores, &common, paired) } else { unpaired(scores) })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "numbers of pairs")]
fn paired_by_opening(
    scores: &LevelScores<'_>,
    common: &[(Opening, Opening)],
    (first_pairs, second_pairs): (f64, f64),
) -> LevelComparison {
    #[expect(clippy::cast_precision_loss, reason = "a number of openings")]
    let count = common.len() as f64;
    let means: Vec<(f64, f64)> = common.iter().map(|(a, b)| (a.sum / a.pairs, b.sum / b.pairs)).collect();
    let first_score = means.iter().map(|(own, _)| own).sum::<f64>() / count;
    let second_score = means.iter().map(|(_, other)| other).sum::<f64>() / count;
    let comparison =
        elo_from_score(first_score).zip(elo_from_score(second_score)).and_then(|(own, other)| {
            let (per_own, per_other) = (slope(first_score), slope(second_score));
            let squares: f64 = means
                .iter()
                .map(|(a, b)| ((a - first_score) * per_own - (b - second_score) * per_other).powi(2))
                .sum();
            let standard_error = (squares / (count - 1.0) / count).sqrt();
            judge(own - other, standard_error, Some(count - 1.0))
        });
    LevelComparison {
        level: scores.level,
        first_pairs: first_pairs as u64,
        second_pairs: second_pairs as u64,
        first_score,
        second_score,
        pairing: Pairing::ByOpening {
            openings: common.len() as u64,
            left_out: (scores.first.len() + scores.second.len()) as u64 - (first_pairs + second_pairs) as u64,
        },
        comparison,
    }
}

fn unpaired(scores: &LevelScores<'_>) -> LevelComparison {
    let (first, first_score) = run_rating(scores.first);
    let (second, second_score) = run_rating(scores.second);
    LevelComparison {
        level: scores.level,
        first_pairs: scores.first.len() as u64,
        second_pairs: scores.second.len() as u64,
        first_score,
        second_score,
        pairing: Pairing::Unpaired,
        comparison: first.zip(second).and_then(|(first, second)| compare_ratings(&first, &second)),
    }
}

/// Elo(score) of one run's pairs with its error, and the score.
fn run_rating(pairs: &[PairScore<'_>]) -> (Option<RunRating>, f64) {
    #[expect(clippy::cast_precision_loss, reason = "a number of pairs")]
    let count = pairs.len() as f64;
    let scores = || pairs.iter().map(|pair| f64::from(pair.half_points.min(4)) / 4.0);
    let score = scores().sum::<f64>() / count;
    let squares: f64 = scores().map(|own| (own - score).powi(2)).sum();
    let rating = elo_from_score(score).filter(|_| count >= 2.0).map(|rating| RunRating {
        rating,
        standard_error: (squares / (count - 1.0) / count).sqrt() * slope(score),
        degrees_of_freedom: Some(count - 1.0),
    });
    (rating, score)
}

/// Elo per point of score at `score`.
fn slope(score: f64) -> f64 {
    ELO_PER_LOGIT / (score * (1.0 - score))
}

fn combine(levels: &[LevelComparison]) -> Option<RatingComparison> {
    let weighed: Vec<(f64, RatingComparison)> = levels
        .iter()
        .filter_map(|level| {
            let score = f64::midpoint(level.first_score, level.second_score);
            #[expect(clippy::cast_precision_loss, reason = "a number of pairs")]
            let pairs = level.first_pairs.min(level.second_pairs) as f64;
            Some((pairs * score * (1.0 - score), level.comparison?))
        })
        .collect();
    let total: f64 = weighed.iter().map(|(weight, _)| weight).sum();
    let (mut rating, mut variance, mut uncertainty) = (0.0, 0.0, 0.0);
    for (weight, level) in &weighed {
        let share = weight / total;
        rating += share * level.difference;
        let own = (share * level.standard_error).powi(2);
        variance += own;
        uncertainty += level.degrees_of_freedom.map_or(0.0, |degrees| own * own / degrees);
    }
    let degrees_of_freedom = (uncertainty > 0.0).then(|| variance * variance / uncertainty);
    judge(rating, variance.sqrt(), degrees_of_freedom)
}
