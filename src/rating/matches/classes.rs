//! Units sorted into classes of equal size, each with every score that its games could have given.
//!
//! A pentanomial is the class of two games, a trinomial the class of one. Scores that did not
//! occur stay in the class: a likelihood may put probability on them.

use std::collections::BTreeMap;

use crate::rating::observations::Unit;

/// One possible score of a unit and how often it came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    /// Points per game, 0 to 1.
    pub score: f64,
    /// How often; not always whole, as published figures replace an empty cell by a small number.
    pub count: f64,
}

/// All units of one size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Class {
    /// Games that count as independent looks at a pair: two at most, since what is larger holds
    /// copies.
    pub games: f64,
    /// Ascending by score, from 0 to 1.
    pub cells: Vec<Cell>,
}

impl Class {
    /// How many units.
    pub fn units(&self) -> f64 {
        self.cells.iter().map(|cell| cell.count).sum()
    }

    /// Mean score per game, and the variance of a unit's mean score (divided by the number of
    /// units, as maximum likelihood does).
    pub fn moments(&self) -> (f64, f64) {
        let units = self.units();
        let mean = self.cells.iter().map(|cell| cell.count * cell.score).sum::<f64>() / units;
        let squares =
            self.cells.iter().map(|cell| cell.count * (cell.score - mean).powi(2)).sum::<f64>() / units;
        let one_score = self.cells.iter().filter(|cell| cell.count > 0.0).count() < 2;
        (mean, if one_score { 0.0 } else { squares })
    }
}

/// The classes of a set of counted units, smallest units first.
pub(super) fn classes<'a>(units: impl IntoIterator<Item = (&'a Unit, &'a u64)>) -> Vec<Class> {
    let mut by_size = BTreeMap::<u32, BTreeMap<u32, f64>>::new();
    for (unit, count) in units {
        if unit.games > 0 && *count > 0 {
            #[expect(clippy::cast_precision_loss, reason = "a number of games")]
            let count = *count as f64;
            *by_size.entry(unit.games).or_default().entry(unit.half_points).or_default() += count;
        }
    }
    by_size.into_iter().map(|(games, counts)| class(games, &counts)).collect()
}

fn class(games: u32, counts: &BTreeMap<u32, f64>) -> Class {
    let most = u64::from(games) * 2;
    // Of a large group of copies only the ends and what occurred are needed.
    let support: Vec<u32> = if games <= 2 {
        (0..=2 * games).collect()
    } else {
        let top = u32::try_from(most).unwrap_or(u32::MAX);
        let mut scores: Vec<u32> = counts.keys().copied().chain([0, top]).collect();
        scores.sort_unstable();
        scores.dedup();
        scores
    };
    #[expect(clippy::cast_precision_loss, reason = "twice a 32-bit number")]
    let cells = support
        .into_iter()
        .map(|half_points| Cell {
            score: f64::from(half_points) / most as f64,
            count: counts.get(&half_points).copied().unwrap_or(0.0),
        })
        .collect();
    Class { games: f64::from(games.min(2)), cells }
}
