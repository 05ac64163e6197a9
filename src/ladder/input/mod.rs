//! Results of any origin as input for a rating: run folders, PGN, CSV, several at once.
//!
//! Every game becomes one record in [`Inputs`]; the views of it are a subject's [`Results`], a
//! [`Pool`] and a [`UnitSequence`]. Groups games into units and holds no formula. Invariant: a game
//! is either counted or stands in `unused` with a reason.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod counts;
mod error;
mod inputs;
mod levels;
mod pairs;
mod played;
#[cfg(test)]
mod player_tests;
mod players;
mod pool;
#[cfg(test)]
mod property_tests;
mod read;
mod seats;
mod store;
mod tally;
#[cfg(test)]
mod tests;

pub use error::{InputError, PlayerCount};
pub use inputs::{Inputs, KnownSides};
pub use levels::{LevelPattern, LevelRules, LevelSource, LevelTable, PlayerLevel};
pub use pairs::{PairRule, PairSource};
pub use played::{
    Conditions, Notice, PairCounts, PlayedUnit, Pool, PoolPlayer, Results, RunLimits, SamePlayer,
    UnitSequence, Unused, UnusedReason,
};
pub use read::{InputOptions, read_input, read_inputs, read_pgn, run_input, run_inputs};
