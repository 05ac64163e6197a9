//! Which level to play next: near enough to tell much, spread enough to notice a wrong label.
//!
//! Always playing the nearest level would rest the whole rating on one label: it covers 40 % when
//! labels are 30 Elo off.

use crate::rating::scale::elo_from_score;

/// What was played at one level so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelHistory {
    /// The label in Elo.
    pub level: f64,
    /// Games played.
    pub games: u64,
    /// The subject's score in half points.
    pub half_points: u64,
}

/// Batches that look for the subject before levels are chosen by distance.
const SCOUTS: usize = 3;

/// Levels that share the games after that.
const NEAREST: usize = 4;

/// No level gets more than this share of the games.
const LARGEST_SHARE: f64 = 0.35;

/// The place in `levels` of the level to play next; `None` without levels. Ties go to the lower
/// place, so that the choice is the same everywhere.
///
/// The first three batches scout: the middle level, then the nearest to where the scores point that
/// has not been played.
/// After that the least played of the four levels nearest to the estimate is chosen; a level that
/// has 35 % of the games waits. `batch` is how many batches were played.
///
/// ```
/// use elometer::rating::{LevelHistory, next_level};
/// let new = |level| LevelHistory { level, games: 0, half_points: 0 };
/// let levels = [new(1600.0), new(1800.0), new(2000.0), new(2200.0), new(2400.0)];
/// assert_eq!(next_level(&levels, 0), Some(2));
/// ```
#[must_use]
pub fn next_level(levels: &[LevelHistory], batch: usize) -> Option<usize> {
    let estimate = rough_rating(levels);
    let mut ranked: Vec<usize> = (0..levels.len()).collect();
    ranked.sort_by(|a, b| {
        let distance = |place: &usize| (levels[*place].level - estimate).abs();
        distance(a).total_cmp(&distance(b)).then(a.cmp(b))
    });
    if batch < SCOUTS {
        // The nearest that has not been scouted yet.
        return ranked.iter().find(|place| levels[**place].games == 0).or(ranked.first()).copied();
    }
    let games: u64 = levels.iter().map(|level| level.games).sum();
    #[expect(clippy::cast_precision_loss, reason = "numbers of games")]
    let is_full = |place: &usize| levels[*place].games as f64 > LARGEST_SHARE * games as f64;
    let nearest = ranked.get(..NEAREST.min(ranked.len()))?;
    let least_played =
        |places: &mut dyn Iterator<Item = &usize>| places.min_by_key(|place| levels[**place].games).copied();
    least_played(&mut nearest.iter().filter(|place| !is_full(place))).or(least_played(&mut ranked.iter()))
}

/// A level all won or all lost points this many half points short of that, so that it points
/// somewhere.
const SHRINKAGE: f64 = 1.0;

/// The mean of the levels' implied ratings, weighed by games times s (1 - s); without games the
/// middle of the ladder.
#[expect(clippy::cast_precision_loss, reason = "numbers of games")]
fn rough_rating(levels: &[LevelHistory]) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for level in levels.iter().filter(|level| level.games > 0) {
        let score = (level.half_points as f64 + SHRINKAGE) / (2.0 * level.games as f64 + 2.0 * SHRINKAGE);
        let weight = level.games as f64 * score * (1.0 - score);
        sum += weight * (level.level + elo_from_score(score).unwrap_or(0.0));
        weights += weight;
    }
    if weights > 0.0 {
        return sum / weights;
    }
    let lowest = levels.iter().map(|level| level.level).fold(f64::INFINITY, f64::min);
    let highest = levels.iter().map(|level| level.level).fold(f64::NEG_INFINITY, f64::max);
    f64::midpoint(lowest, highest)
}
