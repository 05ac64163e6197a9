//! The dice: numbers that depend on a seed and on what they are thrown for, and on nothing else.

use crate::engines::zobrist::splitmix64;

/// What a throw depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Randomness {
    /// Seed and position: the move is a function of the position.
    #[default]
    Position,
    /// Seed, number of games begun, and the moves so far: every game has dice of its own.
    Game,
}

/// One throw: every 64-bit number is as likely as any other.
pub(super) fn throw(seed: u64, words: impl IntoIterator<Item = u64>) -> u64 {
    words.into_iter().fold(splitmix64(seed).0, |state, word| splitmix64(state ^ word).0)
}

/// The index that a throw picks when the chances are as `weights`; none when all are zero.
///
/// The throw is scaled to the sum, so that an index with weight w has w/sum of all 2^64 throws, to
/// within one.
pub(super) fn pick(weights: &[u64], throw: u64) -> Option<usize> {
    let sum: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
    // The sum is far below 2^64: a choice has at most 218 weights below 2^51.
    let mut place = (u128::from(throw) * sum) >> 64;
    weights.iter().position(|weight| {
        let here = place < u128::from(*weight);
        place = place.saturating_sub(u128::from(*weight));
        here
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_is_picked_as_often_as_its_weight_says() {
        let weights = [3, 0, 1, 4];
        let mut picked = [0_u32; 4];
        for step in 0..8000_u64 {
            picked[pick(&weights, step * (u64::MAX / 8000)).unwrap()] += 1;
        }
        for (count, weight) in picked.iter().zip(weights) {
            assert!(count.abs_diff(weight as u32 * 1000) <= 1, "{picked:?}");
        }
        assert_eq!(pick(&weights, 0), Some(0));
        assert_eq!(pick(&weights, u64::MAX), Some(3));
        assert_eq!(pick(&[0, 0], 7), None);
        assert_eq!(pick(&[], 7), None);
    }

    #[test]
    fn a_throw_depends_on_every_word_and_their_order() {
        let throws = [throw(1, [2, 3]), throw(1, [3, 2]), throw(1, [2]), throw(2, [2, 3]), throw(1, [])];
        for (index, one) in throws.iter().enumerate() {
            assert!(!throws[..index].contains(one));
        }
    }
}
