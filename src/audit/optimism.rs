//! The subject's own number for its move against the judge's for the same move.

use serde::{Deserialize, Serialize};

use super::position::AuditMove;
use super::rule::Grade;
use crate::chess::{Bound, Score};
use crate::rating::isotonic;

/// The borders of the bins of the subject's own number, in centipawns.
const BORDERS: [i32; 12] = [-1000, -500, -300, -200, -100, -50, 0, 50, 100, 200, 300, 500];

/// Moves whose own number lies in one bin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptimismBin {
    /// From this on; none for the lowest.
    pub from_cp: Option<i32>,
    /// Below this; none for the highest.
    pub below_cp: Option<i32>,
    /// Moves with a number of the judge.
    pub moves: u64,
    /// Moves for which the judge sees a mate given, or suffered: no number.
    pub mates: [u64; 2],
    /// The median of the subject's own numbers; this and the next two without those mates, none where
    /// nothing else is in the bin.
    pub own_median: Option<f64>,
    /// The tenth, 25th, 50th, 75th and 90th percentile of the judge's numbers.
    pub judge_quantiles: Option<[f64; 5]>,
    /// What the best rising fit says at this bin: the isotonic fit of all moves, averaged here.
    pub fitted: Option<f64>,
}

/// The subject's numbers against the judge's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Optimism {
    /// Moves with both numbers.
    pub moves: u64,
    /// Moves for which the subject reported no number, or a bound, or a mate.
    pub without_number: u64,
    /// Moves that were not judged: they are in no other count.
    #[serde(default)]
    pub not_judged: u64,
    /// The median of own number less judge's.
    pub median_offset: Option<f64>,
    /// Bins with moves, from the lowest.
    pub bins: Vec<OptimismBin>,
}

/// Compares the numbers that came with the moves with the judge's scores of these moves, both from the
/// mover. Mates are counted apart.
#[must_use]
pub fn optimism(moves: &[AuditMove], grades: &[Grade]) -> Optimism {
    let mut pairs: Vec<(i32, i32)> = Vec::new();
    let mut mates: Vec<(i32, bool)> = Vec::new();
    let (mut without_number, mut not_judged) = (0, 0);
    for (m, grade) in moves.iter().zip(grades) {
        match (m.reported, grade.chosen.score) {
            _ if grade.is_short => not_judged += 1,
            (Some((Score::Cp(own), Bound::Exact)), Score::Cp(judge)) => pairs.push((own, judge)),
            (Some((Score::Cp(own), Bound::Exact)), Score::Mate(moves)) => mates.push((own, moves > 0)),
            _ => without_number += 1,
        }
    }
    pairs.sort_unstable();
    let fit = fitted(&pairs);
    let mut bins = Vec::new();
    for index in 0..=BORDERS.len() {
        let from_cp = index.checked_sub(1).and_then(|index| BORDERS.get(index)).copied();
        let below_cp = BORDERS.get(index).copied();
        let inside =
            |own: i32| from_cp.is_none_or(|from| own >= from) && below_cp.is_none_or(|below| own < below);
        let own: Vec<f64> =
            pairs.iter().filter(|pair| inside(pair.0)).map(|pair| f64::from(pair.0)).collect();
        let mut judge: Vec<f64> =
            pairs.iter().filter(|pair| inside(pair.0)).map(|pair| f64::from(pair.1)).collect();
        let fitted = pairs.iter().zip(&fit).filter(|(pair, _)| inside(pair.0)).map(|(_, value)| *value);
        let fitted: Vec<f64> = fitted.collect();
        judge.sort_by(f64::total_cmp);
        let of =
            |given: bool| mates.iter().filter(|(own, wins)| inside(*own) && *wins == given).count() as u64;
        let mates = [of(true), of(false)];
        if own.is_empty() && mates == [0, 0] {
            continue;
        }
        let is_used = !own.is_empty();
        bins.push(OptimismBin {
            from_cp,
            below_cp,
            moves: own.len() as u64,
            mates,
            own_median: is_used.then(|| quantile(&own, 0.5)),
            judge_quantiles: is_used
                .then(|| [0.1, 0.25, 0.5, 0.75, 0.9].map(|share| quantile(&judge, share))),
            fitted: is_used.then(|| mean(&fitted)),
        });
    }
    let mut offsets: Vec<f64> =
        pairs.iter().map(|(own, judge)| f64::from(*own) - f64::from(*judge)).collect();
    offsets.sort_by(f64::total_cmp);
    Optimism {
        moves: pairs.len() as u64,
        without_number,
        not_judged,
        median_offset: (!offsets.is_empty()).then(|| quantile(&offsets, 0.5)),
        bins,
    }
}

/// The isotonic fit at each pair; pairs with the same own number are one point.
fn fitted(pairs: &[(i32, i32)]) -> Vec<f64> {
    let points: Vec<&[(i32, i32)]> = pairs.chunk_by(|one, other| one.0 == other.0).collect();
    let judge = |point: &&[(i32, i32)]| mean(&point.iter().map(|pair| f64::from(pair.1)).collect::<Vec<_>>());
    let values: Vec<f64> = points.iter().map(judge).collect();
    let weights: Vec<f64> = points.iter().map(|point| real(point.len())).collect();
    let fit = isotonic(&values, &weights);
    points.iter().zip(fit).flat_map(|(point, value)| std::iter::repeat_n(value, point.len())).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / real(values.len())
}

/// A quantile of sorted values, linear between two (R's type 7).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = share * real(last);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the last index"
    )]
    let below = place.floor() as usize;
    let at = |index: usize| sorted.get(index.min(last)).copied().unwrap_or_default();
    at(below) + (place - place.floor()) * (at(below + 1) - at(below))
}

#[expect(clippy::cast_precision_loss, reason = "a count of moves")]
fn real(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_rises_and_equal_numbers_are_one_point() {
        // By hand: points 0 -> (10 + 30) / 2, 50 -> 0, 100 -> 90; the first two violate and pool to
        // (20 * 2 + 0) / 3.
        let fit = fitted(&[(0, 10), (0, 30), (50, 0), (100, 90)]);
        let pooled = 40.0 / 3.0;
        let expected = [pooled, pooled, pooled, 90.0];
        assert!(fit.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-12), "{fit:?}");
    }

    #[test]
    fn quantiles_are_those_of_r() {
        // R 4.2.2: quantile(c(1, 2, 4, 8, 16), c(.1, .25, .5, .75, .9)): 1.4 2.0 4.0 8.0 12.8.
        let sorted = [1.0, 2.0, 4.0, 8.0, 16.0];
        let found = [0.1, 0.25, 0.5, 0.75, 0.9].map(|share| quantile(&sorted, share));
        let expected = [1.4, 2.0, 4.0, 8.0, 12.8];
        assert!(found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-12), "{found:?}");
    }
}
