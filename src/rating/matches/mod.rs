//! Two engines against each other: how far apart they are, and the sequential test that says
//! which of two hypotheses the games support.
//!
//! Knows nothing of levels or pools. Invariant: counts alone decide; whoever passes the same units
//! gets the same numbers.

mod after_test;
mod brownian;
mod classes;
mod constrained;
mod sequential_test;
mod sprt;
mod summary;
mod views;

#[cfg(test)]
mod tests;

pub use after_test::MedianUnbiased;
pub use sequential_test::{SequentialTest, SprtRemark, SprtReport};
pub use sprt::{Sprt, SprtError, SprtModel, Verdict};
pub use summary::{MatchAbsence, MatchElo, MatchInterval, MatchRemark, MatchSummary, summarize_match};
pub use views::{NormalizedElo, OpeningBias, ScoreView};
