//! The rating as games arrive: the quoted line of ever longer beginnings of a run.

use std::collections::BTreeMap;

use serde::Serialize;

use super::estimate::Estimate;
use super::fit::fit;
use super::observations::{Ladder, Level, LevelError, Unit};

/// The quoted line after the first games of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Arrival {
    /// Games so far.
    pub games: u64,
    /// Observations so far.
    pub units: u64,
    /// What the quoted line says of them.
    pub estimate: Estimate,
}

/// Fits the beginnings of a sequence of observations, each with its level, at up to `most` places
/// evenly apart; the last is the whole. A picture of how a rating settles: its intervals are each for
/// one look, and stopping at a chosen one would make them too narrow.
///
/// # Errors
/// A level that is no rating, or an impossible unit.
///
/// ```
/// use elometer::rating::{Unit, arrivals};
/// let pair = |half_points| Unit { games: 2, half_points };
/// let units: Vec<_> = [1800.0, 2000.0, 2200.0]
///     .into_iter()
///     .cycle()
///     .zip([4, 2, 1, 3, 3, 0, 4, 1, 2])
///     .map(|(level, half_points)| (level, pair(half_points)))
///     .collect();
/// let found = arrivals(&units, 3).unwrap();
/// assert_eq!(found.iter().map(|one| one.games).collect::<Vec<_>>(), [6, 12, 18]);
/// assert!(found[2].estimate.interval().is_some());
/// ```
pub fn arrivals(units: &[(f64, Unit)], most: usize) -> Result<Vec<Arrival>, LevelError> {
    let mut levels = BTreeMap::<u64, (f64, BTreeMap<Unit, u64>)>::new();
    let (mut found, mut games) = (Vec::new(), 0);
    let (count, most) = (units.len(), most.clamp(1, units.len().max(1)));
    for (index, (level, unit)) in units.iter().enumerate() {
        // -0 and 0 are one level.
        let (_, counts) = levels.entry((level + 0.0).to_bits()).or_insert_with(|| (*level, BTreeMap::new()));
        *counts.entry(*unit).or_default() += 1;
        games += u64::from(unit.games);
        // True `most` times, at the last unit for certain.
        if (index + 1) * most / count > index * most / count {
            let ladder = levels.values().map(|(level, counts)| level_of(*level, counts));
            let ladder = Ladder::new(ladder.collect::<Result<Vec<_>, _>>()?);
            let estimate = fit(&ladder).quoted.line.estimate;
            found.push(Arrival { games, units: index as u64 + 1, estimate });
        }
    }
    Ok(found)
}

/// A level of these units. Pairs do not tell draws, and the quoted line does not ask: as few as can be.
fn level_of(level: f64, counts: &BTreeMap<Unit, u64>) -> Result<Level, LevelError> {
    let (mut games, mut half_points) = (0, 0);
    for (unit, count) in counts {
        games += u64::from(unit.games) * count;
        half_points += u64::from(unit.half_points) * count;
    }
    let (wins, draws) = (half_points / 2, half_points % 2);
    let losses = games.saturating_sub(wins + draws);
    Level::new(level, wins, draws, losses, counts.iter().map(|(unit, count)| (*unit, *count)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_sequence_is_the_fit_of_the_ladder() {
        let pair = |half_points| Unit { games: 2, half_points };
        let units: Vec<(f64, Unit)> = (0..40)
            .map(|index| (1800.0 + 100.0 * f64::from(index % 4), pair((index * 7 % 5) as u32)))
            .collect();
        let found = arrivals(&units, 8).unwrap();
        assert_eq!(found.len(), 8);
        let mut levels = BTreeMap::<u64, Vec<Unit>>::new();
        for (level, unit) in &units {
            levels.entry(level.to_bits()).or_default().push(*unit);
        }
        let ladder = Ladder::new(levels.into_iter().map(|(level, units)| {
            let half_points: u64 = units.iter().map(|unit| u64::from(unit.half_points)).sum();
            let games = 2 * units.len() as u64;
            let (wins, draws) = (half_points / 2, half_points % 2);
            let units = units.into_iter().map(|unit| (unit, 1));
            Level::new(f64::from_bits(level), wins, draws, games - wins - draws, units).unwrap()
        }));
        assert_eq!(found.last().unwrap().estimate, fit(&ladder).quoted.line.estimate);
        assert_eq!(found.last().unwrap().units, 40);
        assert_eq!(arrivals(&[], 8).unwrap(), []);
    }
}
