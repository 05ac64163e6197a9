//! Two runs against each other: is the difference more than luck?
//!
//! Knows nothing of fits: ratings come as numbers with their standard errors, direct comparisons as
//! pair scores. Invariant: standard errors are combined, never half-widths.

mod direct;
mod ratings;

#[cfg(test)]
mod tests;

pub use direct::{DirectComparison, LevelComparison, LevelScores, PairScore, Pairing, compare_directly};
pub use ratings::{RatingComparison, RunRating, compare_ratings};
