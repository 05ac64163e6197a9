//! How many games a half-width takes.

use serde::Serialize;

use super::coverage::simulate;
use super::truth::{Truth, TruthError};
use crate::rating::Method;

/// What a target takes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Needed {
    /// This many games on the truth's levels, in its proportions.
    Games {
        /// At all levels together.
        games: u64,
        /// Median half-width that they gave, in Elo.
        half_width: f64,
    },
    /// No number of games that was tried is enough.
    OutOfReach {
        /// The largest number tried.
        games: u64,
        /// Median half-width that they gave, in Elo; absent where there was no interval.
        half_width: Option<f64>,
    },
}

/// The largest multiple of the truth's own pairs that is tried.
const LARGEST_FACTOR: f64 = 64.0;
/// The smallest.
const SMALLEST_FACTOR: f64 = 1.0 / 64.0;
/// The answer's relative precision.
const PRECISION: f64 = 0.03;

/// Searches the number of games at which `method` has a median half-width of `half_width` Elo,
/// by multiplying the pairs and single games of every level of `truth`.
///
/// # Errors
/// A truth that cannot be simulated.
pub fn games_needed(
    truth: &Truth,
    method: Method,
    half_width: f64,
    seed: u64,
    ladders: u64,
    threads: usize,
) -> Result<Needed, TruthError> {
    truth.check()?;
    let width_at = |factor: f64| {
        let scaled = scaled(truth, factor);
        let found = simulate(&scaled, seed, ladders, threads)?;
        let own = found.methods.iter().find(|coverage| coverage.method == method);
        // A minority of intervals has no typical width.
        let usual = own.filter(|coverage| 2 * coverage.intervals > ladders);
        Ok((scaled.games(), usual.and_then(|coverage| coverage.median_half_width)))
    };
    let enough = |width: Option<f64>| width.is_some_and(|width| width <= half_width);
    // From the truth's own size up until it is enough, or down until it is not.
    let (mut low, mut high) = (1.0, 1.0);
    let (mut games, mut width) = width_at(high)?;
    while !enough(width) {
        if high >= LARGEST_FACTOR {
            return Ok(Needed::OutOfReach { games, half_width: width });
        }
        low = high;
        high *= 2.0;
        (games, width) = width_at(high)?;
    }
    let mut best = (games, width);
    while low >= high && low > SMALLEST_FACTOR {
        low /= 2.0;
        (games, width) = width_at(low)?;
        if enough(width) {
            (best, high) = ((games, width), low);
        }
    }
    while high / low > 1.0 + PRECISION {
        let middle = (low * high).sqrt();
        let found = width_at(middle)?;
        if enough(found.1) {
            (best, high) = (found, middle);
        } else {
            low = middle;
        }
    }
    let (games, width) = best;
    Ok(match width {
        Some(half_width) => Needed::Games { games, half_width },
        None => Needed::OutOfReach { games, half_width: None },
    })
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of pairs and games"
)]
fn scaled(truth: &Truth, factor: f64) -> Truth {
    let mut scaled = truth.clone();
    for count in scaled.levels.iter_mut().flat_map(|level| [&mut level.pairs, &mut level.single_games]) {
        if *count > 0 {
            *count = ((*count as f64 * factor).round() as u64).max(1);
        }
    }
    scaled
}
