//! Stopping early without fooling oneself, and choosing what to play next.
//!
//! Knows scores in plan order, nothing of fits beyond their standard error. Invariant: a bet or a
//! choice depends on what came before it only.

mod claim;
mod next_level;
mod precision;

#[cfg(test)]
mod tests;

pub use claim::{Claim, ClaimError, ClaimReport, LevelResult, judge_claim};
pub use next_level::{LevelHistory, next_level};
pub use precision::{MIN_PAIRS_TO_STOP, Precision, is_precise};
